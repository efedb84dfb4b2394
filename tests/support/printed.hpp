// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "support/command.hpp"

namespace tutti::testing {

/// The configuration files of the EAS master that are printed in the papers; they are in
/// tests/problems/printed/.
///
/// Petridis and Clauß, section 4:
/// - resistor_capacitor: as it stands. The paper does not name the models; of its examples only the
///   last, row 23, has two FMUs that exchange y and i.
///
/// Clauß, Arnold, Schierz and Bastian; the parts of a file are printed in boxes side by side, here
/// they follow each other in the order of section 4.1 (graph, priority, cycles):
/// - linear_system (5.1): as it stands.
/// - speed_control (5.2): of the lines `simulator` the text that we have shows no more than the
///   beginnings of their words, S, C and P; these are the folders here.
/// - wheel_chassis (5.3): the text that we have lacks the line `sz_tol_abs`, which has the value of
///   the same line in 5.2, and the heading of the section `priority`.
std::vector<std::string> printed_files();

/// Puts a printed file, as NAME.eas, and its FMUs into the folder: archives or unpacked ones, as
/// the file says.
std::filesystem::path lay_out(const Workplace& work, const std::string& name);

}  // namespace tutti::testing
