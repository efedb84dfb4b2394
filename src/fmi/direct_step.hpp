// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <tutti/model_description.hpp>

#include "fmi/abi/fmi2.hpp"
#include "fmi/abi/fmi3.hpp"

namespace tutti::fmi {

/// Set, doStep and get of one instance whose inputs and outputs are all doubles, and nothing around
/// them: for loops in which nanoseconds count. Whoever runs it counts the calls, and hands every
/// end that is not plain to CoSimulation::resume().
struct DirectStep {
  enum class Version : std::uint8_t { none, fmi2, fmi3 };
  /// How it ended, if not plainly.
  struct End {
    enum class At : std::uint8_t { set, step, get };
    At at = At::set;
    int result = 0;  ///< status of the call
    bool event = false, terminate = false, early = false;
    double reached = 0;
    std::exception_ptr thrown;  ///< out of the FMU
  };
  using Address = void (*)();

  void* component = nullptr;
  Address set = nullptr, do_step = nullptr, get = nullptr;
  const ValueReference* inputs = nullptr;
  const ValueReference* outputs = nullptr;
  double* input_values = nullptr;
  double* output_values = nullptr;
  std::uint32_t input_count = 0, output_count = 0;  ///< variables
  std::uint32_t input_size = 0, output_size = 0;    ///< values: more, where there are arrays
  bool may_go_back = false;  ///< the negation of noSetFMUStatePriorToCurrentPoint
  Version version = Version::none;

  /// True: it reached t + h, and that is all. Otherwise `end` tells more.
  template <Version version>
  [[gnu::always_inline]] bool run(double t, double h, End& end) const;

 private:
  /// FMUs written in C++ may let an exception escape, which nothing allows.
  template <class F, class... Arguments>
  [[gnu::always_inline]] static int invoke(Address address, End& end, Arguments... arguments) {
    try {
      return reinterpret_cast<F*>(address)(arguments...);
    } catch (...) {
      end.thrown = std::current_exception();
      return fmi_abi::v2::fatal;
    }
  }
  [[gnu::noinline]] static bool ended(End& end, End::At at, int result) {
    end.at = at;
    end.result = result;
    return false;
  }
};

template <>
inline bool DirectStep::run<DirectStep::Version::fmi2>(double t, double h, End& end) const {
  using namespace fmi_abi::v2;
  if (input_count != 0)
    if (const int result = invoke<SetReal>(set, end, component, inputs, std::size_t{input_count},
                                           static_cast<const double*>(input_values));
        result != ok) [[unlikely]]
      return ended(end, End::At::set, result);
  if (const int result = invoke<DoStep>(do_step, end, component, t, h, Boolean{!may_go_back});
      result != ok) [[unlikely]]
    return ended(end, End::At::step, result);
  if (output_count != 0)
    if (const int result =
            invoke<GetReal>(get, end, component, outputs, std::size_t{output_count}, output_values);
        result != ok) [[unlikely]]
      return ended(end, End::At::get, result);
  return true;
}

template <>
inline bool DirectStep::run<DirectStep::Version::fmi3>(double t, double h, End& end) const {
  using namespace fmi_abi::v3;
  if (input_count != 0)
    if (const int result =
            invoke<Set<double>>(set, end, component, inputs, std::size_t{input_count},
                                static_cast<const double*>(input_values), std::size_t{input_size});
        result != ok) [[unlikely]]
      return ended(end, End::At::set, result);
  bool event = false, terminate = false, early = false;
  double reached = t + h;
  if (const int result = invoke<DoStep>(do_step, end, component, t, h, !may_go_back, &event,
                                        &terminate, &early, &reached);
      result != ok || event || terminate || early) [[unlikely]] {
    end.event = event;
    end.terminate = terminate;
    end.early = early;
    end.reached = reached;
    return ended(end, End::At::step, result);
  }
  if (output_count != 0)
    if (const int result =
            invoke<Get<double>>(get, end, component, outputs, std::size_t{output_count},
                                output_values, std::size_t{output_size});
        result != ok) [[unlikely]]
      return ended(end, End::At::get, result);
  return true;
}

}  // namespace tutti::fmi
