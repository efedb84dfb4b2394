// SPDX-License-Identifier: BSD-2-Clause
#pragma once

/// Marks what the shared library exports; everything else is hidden from the FMUs we load.
#define TUTTI_API __attribute__((visibility("default")))
