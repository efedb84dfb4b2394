// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <string_view>

namespace tutti::studies {

inline constexpr std::string_view search_name_list[] = {"levenberg-marquardt",
                                                        "nelder-mead",
                                                        "bobyqa",
                                                        "slsqp",
                                                        "cobyla",
                                                        "subplex",
                                                        "direct",
                                                        "crs",
                                                        "isres"};

/// The methods of estimation and optimization.
constexpr std::span<const std::string_view> search_names() { return search_name_list; }

}  // namespace tutti::studies
