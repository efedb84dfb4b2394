// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <tutti/model_description.hpp>

#include "fmi/abi/fmi2.hpp"
#include "fmi/abi/fmi3.hpp"

namespace tutti::fmi {

/// Bare calls of set, doStep and get of one instance whose inputs and outputs are all doubles, for
/// loops in which nanoseconds count. The caller counts the calls, and passes every end that is not
/// plain to CoSimulation::resume().
struct DirectStep {
  enum class Version : std::uint8_t { none, fmi2, fmi3 };
  /// Result of a step that did not end plainly.
  struct End {
    enum class At : std::uint8_t { set, step, get };
    At at = At::set;
    int result = 0;  ///< status of the call
    bool event = false, terminate = false, early = false;
    double reached = 0;
    std::exception_ptr thrown;  ///< by the FMU
  };
  using Address = void (*)();

  /// The data by which an instance differs from others of its FMU.
  struct Subject {
    void* component = nullptr;
    const double* inputs = nullptr;  ///< their values
    double* outputs = nullptr;
  };

  Subject subject;
  Address set = nullptr, do_step = nullptr, get = nullptr;
  std::span<const ValueReference> inputs, outputs;
  std::uint32_t input_size = 0, output_size = 0;  ///< number of values, with array elements
  bool may_go_back = false;  ///< the negation of noSetFMUStatePriorToCurrentPoint
  Version version = Version::none;

  /// True: reached t + h without an event. Otherwise `end` has the details.
  template <Version version>
  [[gnu::always_inline]] bool run(double t, double h, End& end) const {
    return run<version>(subject, t, h, end);
  }
  /// The same for another instance that makes the same calls.
  template <Version version>
  [[gnu::always_inline]] bool run(const Subject& of, double t, double h, End& end) const;
  /// Only the subject differs.
  bool makes_the_calls_of(const DirectStep& other) const {
    return set == other.set && do_step == other.do_step && get == other.get &&
           input_size == other.input_size && output_size == other.output_size &&
           may_go_back == other.may_go_back && version == other.version &&
           std::ranges::equal(inputs, other.inputs) && std::ranges::equal(outputs, other.outputs);
  }

 private:
  /// FMUs written in C++ may let an exception escape, which FMI does not allow.
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
inline bool DirectStep::run<DirectStep::Version::fmi2>(const Subject& of, double t, double h,
                                                       End& end) const {
  using namespace fmi_abi::v2;
  if (!inputs.empty())
    if (const int result = invoke<SetReal>(set, end, of.component, inputs.data(), inputs.size(),
                                           static_cast<const double*>(of.inputs));
        result != ok) [[unlikely]]
      return ended(end, End::At::set, result);
  if (const int result = invoke<DoStep>(do_step, end, of.component, t, h, Boolean{!may_go_back});
      result != ok) [[unlikely]]
    return ended(end, End::At::step, result);
  if (!outputs.empty())
    if (const int result =
            invoke<GetReal>(get, end, of.component, outputs.data(), outputs.size(), of.outputs);
        result != ok) [[unlikely]]
      return ended(end, End::At::get, result);
  return true;
}

template <>
inline bool DirectStep::run<DirectStep::Version::fmi3>(const Subject& of, double t, double h,
                                                       End& end) const {
  using namespace fmi_abi::v3;
  if (!inputs.empty())
    if (const int result =
            invoke<Set<double>>(set, end, of.component, inputs.data(), inputs.size(),
                                static_cast<const double*>(of.inputs), std::size_t{input_size});
        result != ok) [[unlikely]]
      return ended(end, End::At::set, result);
  bool event = false, terminate = false, early = false;
  double reached = t + h;
  if (const int result = invoke<DoStep>(do_step, end, of.component, t, h, !may_go_back, &event,
                                        &terminate, &early, &reached);
      result != ok || event || terminate || early) [[unlikely]] {
    end.event = event;
    end.terminate = terminate;
    end.early = early;
    end.reached = reached;
    return ended(end, End::At::step, result);
  }
  if (!outputs.empty())
    if (const int result =
            invoke<Get<double>>(get, end, of.component, outputs.data(), outputs.size(), of.outputs,
                                std::size_t{output_size});
        result != ok) [[unlikely]]
      return ended(end, End::At::get, result);
  return true;
}

}  // namespace tutti::fmi
