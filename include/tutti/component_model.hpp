// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <any>
#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <tutti/export.hpp>
#include <tutti/model_description.hpp>
#include <type_traits>
#include <vector>

namespace tutti {

/// A component of a System that is a C++ class, without an FMU. Its constructor declares which of
/// its members are variables; their values at that moment are the start values. Between the calls,
/// these members are read and written.
///
///   class Gain final : public tutti::ComponentModel {
///    public:
///     Gain() {
///       parameter("k", k_);
///       input("u", u_, {.unit = "V"});
///       output("y", y_, {.unit = "V"});
///     }
///     void initialize(double) override { y_ = k_ * u_; }
///     void step(double, double) override { y_ = k_ * u_; }
///
///    private:
///     double k_ = 2, u_ = 0, y_ = 0;
///   };
///   system.components.push_back({.name = "gain", .model = [] { return std::make_unique<Gain>();
///   }});
///
/// Order of calls: initialize() once or more, then step() repeatedly, with save() and restore()
/// between. An exception ends the run with an Error that names component and time. All calls come
/// from one thread at a time, but not always from the same one.
class TUTTI_API ComponentModel {
 public:
  virtual ~ComponentModel();
  ComponentModel(const ComponentModel&) = delete;
  ComponentModel& operator=(const ComponentModel&) = delete;

  /// Computes the outputs at the start time from parameters, start values and inputs. In an
  /// algebraic loop it is called again for each set of inputs.
  virtual void initialize(double start) = 0;
  /// From t to t + h; the inputs are constant. Afterwards the outputs belong to t + h.
  virtual void step(double t, double h) = 0;

  /// Steps of different sizes are possible.
  virtual bool can_vary_step() const { return true; }
  /// Steps can be repeated: Tutti saves and restores all variables; save() and restore() handle
  /// all other data that step() changes.
  virtual bool can_roll_back() const { return false; }
  /// `into` is empty, or the result of an earlier save().
  virtual void save(std::any& into) const;
  virtual void restore(const std::any& from);

  /// Attributes of a variable besides name and causality.
  struct Details {
    std::string unit{};
    std::string description{};
    /// Parameters: fixed or tunable; default: fixed. Others: continuous or discrete; default:
    /// continuous for floating-point numbers, else discrete.
    std::optional<Variability> variability{};
    /// Of an output: the inputs on which its value depends at the same time (feed-through);
    /// default: all of them.
    std::optional<std::vector<std::string>> depends_on{};
    /// Outputs and local variables: the start value may be set, as that of a state.
    bool has_start = false;
  };
  struct Declared {
    std::string name;
    Causality causality{};
    Type type{};
    void* value = nullptr;
    std::size_t size = 0;  ///< of the member in bytes
    std::string start;     ///< its value, as in a system file
    Details details;
  };
  /// In the order of their declaration.
  std::span<const Declared> variables() const { return variables_; }

 protected:
  ComponentModel();

  /// The member may be a double, a float, an integer of 8 to 64 bits, a bool or a std::string.
  template <class Member>
  void parameter(std::string name, Member& member, Details details = {}) {
    declare(std::move(name), Causality::parameter, member, std::move(details));
  }
  template <class Member>
  void input(std::string name, Member& member, Details details = {}) {
    declare(std::move(name), Causality::input, member, std::move(details));
  }
  template <class Member>
  void output(std::string name, Member& member, Details details = {}) {
    declare(std::move(name), Causality::output, member, std::move(details));
  }
  template <class Member>
  void local(std::string name, Member& member, Details details = {}) {
    declare(std::move(name), Causality::local, member, std::move(details));
  }

 private:
  template <class Member>
  static constexpr Type type_of() {
    using enum Type;
    if constexpr (std::is_same_v<Member, std::string>) return string;
    if constexpr (std::is_same_v<Member, bool>) return boolean;
    if constexpr (std::is_same_v<Member, double>) return float64;
    if constexpr (std::is_same_v<Member, float>) return float32;
    if constexpr (std::is_integral_v<Member>) {
      constexpr Type types[2][4] = {{uint8, uint16, uint32, uint64}, {int8, int16, int32, int64}};
      constexpr int power = sizeof(Member) == 1   ? 0
                            : sizeof(Member) == 2 ? 1
                            : sizeof(Member) == 4 ? 2
                                                  : 3;
      return types[std::is_signed_v<Member>][power];
    }
  }
  template <class Member>
  static std::string text_of(const Member& value) {
    if constexpr (std::is_same_v<Member, std::string>) {
      return value;
    } else if constexpr (std::is_same_v<Member, bool>) {
      return value ? "true" : "false";
    } else {
      char text[32];
      return {text, std::to_chars(text, text + sizeof text, value).ptr};
    }
  }
  template <class Member>
  void declare(std::string name, Causality causality, Member& member, Details details) {
    static_assert(std::is_same_v<Member, std::string> ||
                      (std::is_arithmetic_v<Member> && sizeof(Member) <= 8),
                  "a variable is a number, a bool or a std::string");
    variables_.push_back({std::move(name), causality, type_of<Member>(), &member, sizeof(Member),
                          text_of(member), std::move(details)});
  }

  std::vector<Declared> variables_;
};

}  // namespace tutti
