/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
double decay_over(double h);
#ifdef __cplusplus
}
#endif
