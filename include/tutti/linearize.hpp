// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <complex>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <tutti/advice.hpp>
#include <tutti/export.hpp>
#include <tutti/plot.hpp>
#include <tutti/system_run.hpp>
#include <vector>

/// Linear models of FMUs and coupled systems at a point of a run:
///   x' = dx + A (x - x0) + B (u - u0), y = y0 + C (x - x0) + D (u - u0).
namespace tutti {

/// The entries that are not zero, sorted by row and column.
struct TUTTI_API LinearMatrix {
  struct Entry {
    std::uint32_t row = 0, column = 0;  ///< from 0
    double value = 0;
    bool operator==(const Entry&) const = default;
  };
  std::uint32_t rows = 0, columns = 0;
  std::vector<Entry> entries;

  double operator()(std::uint32_t row, std::uint32_t column) const;
  /// All values, row by row.
  std::vector<double> dense() const;
};

/// An input, output or state, with its value at the point.
struct LinearVariable {
  std::string name;       ///< component.variable
  std::string component;  ///< empty: a single FMU
  std::string unit;
  double value = 0;
  double derivative = 0;  ///< of a state
};

/// How a component was linearized.
struct LinearPart {
  std::string name;
  std::string source;       ///< of the derivatives
  bool has_states = false;  ///< A, B and C are known, also if it has no states
  std::uint32_t states = 0;
  std::vector<std::string> notes;
};

struct LinearModel {
  std::string system;
  double time = 0;
  /// False: the states of a component are unknown, and there is only D, the direct response.
  bool has_states = false;
  std::vector<LinearVariable> states, inputs, outputs;
  LinearMatrix a, b, c, d;
  std::vector<LinearPart> components;
  std::vector<std::string> notes;  ///< of the point and of the system as a whole
};

struct LinearizeOptions : RunControl {
  FmuOptions open;
  std::optional<double> at;  ///< time of the point; default: the start, after initialization
  /// Names or patterns (* and ?) of inputs; empty: all continuous inputs without a connection.
  /// By name also tunable parameters, and connected inputs: a disturbance that is added to what
  /// the connection transfers.
  std::vector<std::string> inputs;
  /// Names or patterns of continuous variables; empty: all continuous outputs.
  std::vector<std::string> outputs;
};

/// Runs the system to the point and linearizes its components there: by directional derivatives
/// where FMUs have them, else by differences, else by fitting small steps. Connections and
/// algebraic loops are eliminated exactly.
/// @throws Error: usage for unknown names and times outside of the run; capability for lines and
/// delays, and where D is unknown; numeric for an algebraic loop without a unique solution
TUTTI_API LinearModel linearize(const System& system, const LinearizeOptions& options,
                                const Log& log);

/// An eigenvalue of A.
struct LinearPole {
  std::complex<double> value;          ///< 1/s
  double frequency = 0;                ///< natural frequency |p| / (2 pi), in Hz
  double damping = 0;                  ///< -Re p / |p|; 1 or -1 of a real one, 0 of zero
  double time_constant = 0;            ///< -1 / Re p, in s; infinite without a real part
  std::vector<Share> components = {};  ///< participation; empty: of a multiple pole
  std::vector<Share> states = {};      ///< the same by state: the largest
};

struct LinearPoles {
  std::vector<LinearPole> poles;  ///< of a pair the one with positive imaginary part first
  std::string omitted;            ///< why there are none; empty: there are
};
/// Sorted by magnitude, the slowest first. Of at most 1000 states.
TUTTI_API LinearPoles poles(const LinearModel& model);

struct FrequencyOptions {
  std::optional<double> min, max;  ///< Hz; default: a decade around the poles
  std::size_t points = 400;        ///< logarithmically spaced
};
struct FrequencyResponse {
  std::vector<double> frequencies;  ///< Hz
  /// C (j w I - A)^-1 B + D: by output, input and frequency.
  std::vector<std::vector<std::vector<std::complex<double>>>> values;
};
/// @throws Error(usage) for a model without inputs or outputs, or a wrong range
TUTTI_API FrequencyResponse frequency_response(const LinearModel& model,
                                               const FrequencyOptions& options);
/// Magnitude in dB and phase in degrees over the frequency: a curve for each pair, at most 7.
/// @throws Error(usage) as frequency_response()
TUTTI_API Figure bode_figure(const LinearModel& model, const FrequencyOptions& options);

TUTTI_API std::string linear_model_text(const LinearModel& model);
TUTTI_API std::string linear_model_json(const LinearModel& model);
/// By the extension: .json, .csv, .mat. Replaces the file when it is complete.
/// @throws Error: usage for another extension, or a CSV file of more than ten million numbers; file
TUTTI_API void write_linear_model(const LinearModel& model, const std::filesystem::path& file);

}  // namespace tutti
