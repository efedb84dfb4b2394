// SPDX-License-Identifier: BSD-2-Clause
#include "system/proposals.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include "base/number_type.hpp"
#include "base/text.hpp"
#include "system/endpoint.hpp"
#include "system/value_map.hpp"

namespace tutti::system {
namespace {

using Words = std::vector<std::string>;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) {
  return is_upper(c) || (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}

/// `QuarterCar.x_2` is quarter, car, x, 2.
Words words_in(std::string_view name) {
  Words words;
  char before = ' ';
  for (std::size_t i = 0; i < name.size(); before = name[i++]) {
    const char c = name[i];
    if (!is_digit(c) && !is_letter(c)) continue;
    const bool is_capital =
        is_upper(c) && i + 1 < name.size() && is_letter(name[i + 1]) && !is_upper(name[i + 1]);
    const bool goes_on =
        (is_digit(c) && is_digit(before)) ||
        (is_letter(c) && is_letter(before) && !(is_upper(c) && (!is_upper(before) || is_capital)));
    if (!goes_on) words.emplace_back();
    words.back() += c;
  }
  for (std::string& word : words) word = lower_case(word);
  return words;
}

/// Without words such as "in" or "out", unless nothing is left.
Words core_of(const Words& words) {
  constexpr std::array<std::string_view, 4> directions = {"in", "out", "input", "output"};
  Words core;
  std::ranges::copy_if(words, std::back_inserter(core), [&](const std::string& word) {
    return std::ranges::find(directions, word) == directions.end();
  });
  return core.empty() ? words : core;
}

std::string key_of(Words a, const Words& b = {}) {
  a.insert(a.end(), b.begin(), b.end());
  return fmt::format("{}", fmt::join(a, " "));
}

struct Signal {
  std::uint32_t component = 0;
  const Variable* variable = nullptr;
  std::vector<std::uint64_t> shape;
  Words words, core;
};

/// How well names match, best first.
enum class Likeness : std::uint8_t { equal, spelled, direction, qualified };

struct Candidate {
  const Signal* output = nullptr;
  Likeness likeness{};
  auto operator<=>(const Candidate&) const = default;
};

/// Whether the variables can be connected, and notes about types and units.
struct Fit {
  bool is_clear = true;  ///< of the units
  bool same_unit = false;
  std::string text;
};

class Proposer {
 public:
  Proposer(const System& system, std::span<const ModelDescription* const> descriptions,
           const std::set<Point>& driven)
      : system_(system), descriptions_(descriptions) {
    for (std::uint32_t c = 0; c < system.components.size(); ++c) {
      component_words_.push_back(words_in(system.components[c].name));
      for (const Variable& variable : descriptions[c]->variables) {
        const auto index = static_cast<std::int32_t>(&variable - &descriptions[c]->variables[0]);
        if (variable.type == Type::clock) continue;
        if (variable.causality == Causality::output) outputs_.push_back(signal(c, variable));
        if (variable.causality != Causality::input) continue;
        inputs_.push_back(signal(c, variable));
        is_driven_.push_back(driven.contains({c, index, 0}));
      }
    }
    for (const Signal& output : outputs_)
      for (std::string& key : keys_of(output)) by_key_[std::move(key)].push_back(&output);
  }

  std::vector<ProposedConnection> run() {
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      if (!is_driven_[i] && !propose_by_name(inputs_[i])) propose_similar(inputs_[i]);
    return std::move(proposals_);
  }

 private:
  Signal signal(std::uint32_t component, const Variable& variable) const {
    Signal signal{component, &variable, {}, words_in(variable.name), {}};
    if (variable.is_array()) signal.shape = fmi::shape_of(*descriptions_[component], variable, {});
    signal.core = core_of(signal.words);
    return signal;
  }
  /// A variable by its words, and together with those of its component: wheel's x may be called
  /// `x_wheel` or `wheel_x` elsewhere.
  std::vector<std::string> keys_of(const Signal& s) const {
    std::vector<std::string> keys = {key_of(s.core)};
    const Words& name = component_words_[s.component];
    const auto add = [&](const Words& words) {
      for (const std::string& key : {key_of(s.core, words), key_of(words, s.core)})
        if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
    };
    add(name);
    for (const std::string& word : name)
      if (word.size() >= 3 && name.size() > 1) add({word});
    return keys;
  }

  bool same_fmu(const Signal& a, const Signal& b) const {
    return descriptions_[a.component] == descriptions_[b.component];
  }
  bool is_other(const Signal& output, const Signal& input) const {
    return output.component != input.component;
  }

  std::optional<Fit> fit(const Signal& output, const Signal& input) const;
  std::vector<Candidate> candidates(const Signal& input) const;
  bool propose_by_name(const Signal& input);
  void propose_similar(const Signal& input);
  /// `x_wheel is x of wheel`
  std::string meaning(const Signal& qualified, const Signal& plain) const {
    return fmt::format("{} is {} of {}", printable(qualified.variable->name),
                       printable(plain.variable->name), system_.components[plain.component].name);
  }
  void add(const Signal& output, const Signal& input, bool is_sure, std::string reason) {
    proposals_.push_back({{system_.components[output.component].name, output.variable->name},
                          {system_.components[input.component].name, input.variable->name},
                          is_sure,
                          std::move(reason)});
  }

  const System& system_;
  std::span<const ModelDescription* const> descriptions_;
  std::vector<Words> component_words_;
  std::vector<Signal> outputs_, inputs_;
  std::vector<bool> is_driven_;  ///< by input: nothing is proposed for it
  std::unordered_map<std::string, std::vector<const Signal*>> by_key_;
  std::vector<ProposedConnection> proposals_;
};

std::optional<Fit> Proposer::fit(const Signal& output, const Signal& input) const {
  const Variable &from = *output.variable, &to = *input.variable;
  const ModelDescription& from_model = *descriptions_[output.component];
  const ModelDescription& to_model = *descriptions_[input.component];
  if (output.shape != input.shape || !widens(from_model, from, to)) return std::nullopt;
  // Allowed, but unlikely to be intended.
  if (from.type == Type::boolean && to.type != Type::boolean) return std::nullopt;
  Fit fit;
  if (from.type != to.type)
    fit.text = fmt::format(", {} to {}", to_string(from.type), to_string(to.type));
  if (!is_float(from.type) || !is_float(to.type)) return fit;
  const std::string a = printable(from.attributes.unit), b = printable(to.attributes.unit);
  const UnitConversion units = convert_units(from_model, from, to_model, to);
  if (units.kind == UnitConversion::Kind::clash) return std::nullopt;
  fit.is_clear = units.kind != UnitConversion::Kind::unclear;
  fit.same_unit = !a.empty() && !b.empty() && fit.is_clear;
  if (!fit.is_clear)
    fit.text += fmt::format(", but units {} and {} are not explained", a, b);
  else if (a == b)
    fit.text += a.empty() ? "" : ", " + a;
  else if (a.empty() || b.empty())
    fit.text +=
        fmt::format(", {}; the {} has no unit", a.empty() ? b : a, a.empty() ? "output" : "input");
  else
    fit.text += fmt::format(", {} converted to {}", a, b);
  return fit;
}

/// Outputs whose names match that of the input, best first.
std::vector<Candidate> Proposer::candidates(const Signal& input) const {
  std::vector<Candidate> all;
  const auto add = [&](const Signal* output, Likeness likeness) {
    if (!is_other(*output, input) || !fit(*output, input)) return;
    const auto known = std::ranges::find(all, output, &Candidate::output);
    if (known == all.end()) all.push_back({output, likeness});
  };
  const auto look_up = [&](const std::string& key, const auto& action) {
    if (const auto found = by_key_.find(key); found != by_key_.end())
      for (const Signal* output : found->second) action(output);
  };
  const std::vector<std::string> keys = keys_of(input);
  for (std::size_t i = 0; i < keys.size(); ++i)
    look_up(keys[i], [&](const Signal* output) {
      const bool plain = key_of(output->core) == keys[0];
      if (i > 0 && key_of(output->core) != keys[i]) return;  // one of them names the other
      add(output, !plain                                           ? Likeness::qualified
                  : output->variable->name == input.variable->name ? Likeness::equal
                  : output->words == input.words                   ? Likeness::spelled
                                                                   : Likeness::direction);
    });
  std::ranges::stable_sort(all, {}, &Candidate::likeness);
  return all;
}

bool Proposer::propose_by_name(const Signal& input) {
  const std::vector<Candidate> all = candidates(input);
  if (all.empty()) return false;
  const auto rivals = std::ranges::count(all, all.front().likeness, &Candidate::likeness);
  for (const Candidate& candidate : all) {
    if (candidate.likeness != all.front().likeness) break;
    const Signal& output = *candidate.output;
    const Fit fits = *fit(output, input);
    std::string reason;
    switch (candidate.likeness) {
      case Likeness::equal:
        reason = "equal names";
        break;
      case Likeness::spelled:
        reason = "equal names but for spelling";
        break;
      case Likeness::direction:
        reason = "equal names but for in and out";
        break;
      case Likeness::qualified:
        reason = output.core.size() < input.core.size() ? meaning(input, output)
                                                        : meaning(output, input);
        break;
    }
    reason += fits.text;
    const bool is_twin = same_fmu(output, input);
    if (is_twin) reason += "; two of one FMU";
    if (rivals > 1) reason += fmt::format("; {} outputs fit", rivals);
    add(output, input, rivals == 1 && !is_twin && fits.is_clear, std::move(reason));
  }
  return true;
}

/// `vel` and `velocity`
bool are_alike(const std::string& a, const std::string& b) {
  constexpr std::size_t least = 3;
  return a == b ? !is_digit(a.front()) && a.size() > 1
                : std::min(a.size(), b.size()) >= least && (a.starts_with(b) || b.starts_with(a));
}

void Proposer::propose_similar(const Signal& input) {
  constexpr std::size_t most_pairs = 4'000'000, most_guesses = 2;
  if (inputs_.size() * outputs_.size() > most_pairs) return;
  struct Guess {
    const Signal* output;
    double shared;  ///< of the words
    Fit fit;
  };
  std::vector<Guess> all;
  for (const Signal& output : outputs_) {
    if (!is_other(output, input)) continue;
    const std::optional<Fit> fits = fit(output, input);
    if (!fits) continue;
    const auto shared = std::ranges::count_if(output.core, [&](const std::string& word) {
      return std::ranges::any_of(input.core,
                                 [&](const std::string& other) { return are_alike(word, other); });
    });
    const std::size_t words = std::max(output.core.size(), input.core.size());
    all.push_back({&output, static_cast<double>(shared) / static_cast<double>(words), *fits});
  }
  // An only candidate on both sides is a guess, too.
  const auto of_input = [&](const Signal& s) { return s.component == input.component; };
  const auto with_unit = [&](const Signal& s) {
    return of_input(s) && s.variable->attributes.unit == input.variable->attributes.unit;
  };
  const bool only_quantity =
      std::ranges::count_if(all, [](const Guess& g) { return g.fit.same_unit; }) == 1 &&
      std::ranges::count_if(inputs_, with_unit) == 1;
  const bool only_pair = all.size() == 1 && std::ranges::count_if(inputs_, of_input) == 1;
  std::erase_if(all, [&](const Guess& g) {
    return g.shared == 0 && !(g.fit.same_unit && only_quantity) && !only_pair;
  });
  std::ranges::stable_sort(all, [](const Guess& a, const Guess& b) {
    return std::pair(a.shared, a.fit.same_unit) > std::pair(b.shared, b.fit.same_unit);
  });
  std::erase_if(all, [best = all.empty() ? 0 : all.front().shared](const Guess& g) {
    return g.shared < best;
  });
  if (all.size() > most_guesses) all.resize(most_guesses);
  for (const Guess& guess : all)
    add(*guess.output, input, false,
        (guess.shared > 0      ? "similar names"
         : guess.fit.same_unit ? "the only output of this quantity"
                               : "the only output that fits") +
            guess.fit.text);
}

}  // namespace

std::vector<ProposedConnection> propose_connections(
    const System& system, std::span<const ModelDescription* const> descriptions,
    const std::set<Point>& driven) {
  return Proposer(system, descriptions, driven).run();
}

}  // namespace tutti::system
