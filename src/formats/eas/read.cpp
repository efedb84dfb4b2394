// SPDX-License-Identifier: BSD-2-Clause
#include "formats/registry.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <tutti/error.hpp>

#include "base/number_type.hpp"
#include "base/text.hpp"
#include "fmi/file_cache.hpp"
#include "formats/eas/parse.hpp"
#include "formats/files.hpp"
#include "formats/statements.hpp"
#include "system/names.hpp"

namespace tutti::formats::eas {
namespace fs = std::filesystem;
namespace {

constexpr std::uint32_t most_iterations = 1'000'000'000;

bool fits(char type, const Variable& variable) {
  if (is_float(variable.type)) return type == 'r';
  if (variable.type == Type::boolean) return type == 'b';
  if (variable.type == Type::string) return type == 's';
  return type == 'i' && variable.type != Type::binary && variable.type != Type::clock;
}

std::string_view type_name(char type) {
  return type == 'r' ? "real" : type == 'i' ? "integer" : type == 'b' ? "boolean" : "string";
}

fs::path clean(const std::string& path) {
  const fs::path normal = fs::path(path).lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();  // without a slash at the end
}

/// Converts a configuration to a system.
class Builder {
 public:
  Builder(Configuration file, const fs::path& folder, const Surroundings& surroundings)
      : file_(std::move(file)), folder_(folder), surroundings_(surroundings) {}

  System run() {
    add_components();
    read_descriptions();
    problems_.raise();
    add_connections();
    problems_.raise();
    add_order(file_, system_, surroundings_.log, problems_);
    add_settings();
    problems_.raise();
    return std::move(system_);
  }

 private:
  void add_components() {
    std::map<std::string, int> count;
    const auto stem = [](const Simulator& simulator) {
      const fs::path path = clean(simulator.path);
      return (path.extension() == ".fmu" ? path.stem() : path.filename()).string();
    };
    for (const Simulator& simulator : file_.simulators) ++count[stem(simulator)];
    for (std::size_t i = 0; i < file_.simulators.size(); ++i) {
      const Simulator& simulator = file_.simulators[i];
      Component& component = system_.components.emplace_back();
      component.name = stem(simulator);
      if (count[component.name] > 1) component.name += fmt::format("_{}", i);
      component.fmu = clean(simulator.path);
      component.place = simulator.place;
    }
  }

  void read_descriptions() {
    std::set<fs::path> unreadable;
    for (const Component& component : system_.components) {
      auto& description = descriptions_.emplace_back();
      if (unreadable.contains(component.fmu)) continue;
      try {
        description = fmi::description_of(folder_ / component.fmu, surroundings_.open);
      } catch (const Error& error) {
        if (error.code() == ErrorCode::interrupted) throw;
        unreadable.insert(component.fmu);
        problems_.add(component.place, "", error, {.component = component.name});
      }
    }
  }
  const ModelDescription& description(std::uint32_t simulator) const {
    return *descriptions_[simulator];
  }

  /// By value reference: unique in its type only, and shared by aliases; the alias that can be
  /// connected is used.
  const Variable* by_reference(const Edge& edge, std::uint32_t reference) const {
    const Causality wanted = edge.is_output ? Causality::output : Causality::input;
    const Variable* found = nullptr;
    for (const Variable& variable : description(edge.simulator).variables) {
      if (variable.value_reference != reference || !fits(edge.type, variable)) continue;
      if (variable.causality == wanted) return &variable;
      if (found == nullptr) found = &variable;
    }
    return found;
  }

  /// The whole text first, then without the FMU's or the model's name before it.
  const Variable* by_name(const Edge& edge) const {
    const ModelDescription& model = description(edge.simulator);
    if (const Variable* variable = model.find(edge.reference)) return variable;
    const std::string stem = clean(file_.simulators[edge.simulator].path).stem().string();
    for (const std::string& prefix :
         {stem, model.model_name, system_.components[edge.simulator].name})
      if (edge.reference.starts_with(prefix + "."))
        if (const Variable* variable =
                model.find(std::string_view(edge.reference).substr(prefix.size() + 1)))
          return variable;
    return nullptr;
  }

  std::string variable_of(const Edge& edge) const {
    // A number is a value reference.
    const auto reference = to_integer<std::uint32_t>(edge.reference);
    const Variable* const variable = reference ? by_reference(edge, *reference) : by_name(edge);
    const std::string& fmu = file_.simulators[edge.simulator].path;
    if (variable == nullptr && reference)
      refuse(edge.reference_place,
             fmt::format("simulator {} (\"{}\") has no {} variable with the value reference {}",
                         edge.simulator, fmu, type_name(edge.type), *reference));
    if (variable == nullptr)
      refuse(edge.reference_place,
             fmt::format(
                 "simulator {} (\"{}\") has no variable \"{}\".{}", edge.simulator, fmu,
                 printable(edge.reference),
                 did_you_mean(edge.reference, names_of(description(edge.simulator).variables))));
    if (!fits(edge.type, *variable))
      refuse(edge.reference_place,
             fmt::format("\"{}\" of simulator {} is of type {}, not {}", variable->name,
                         edge.simulator, to_string(variable->type), type_name(edge.type)));
    return variable->name;
  }

  void add_connections() {
    std::vector<Endpoint> sources(file_.value_count);
    for (const bool outputs : {true, false})
      for (const Edge& edge : file_.edges) {
        if (edge.is_output != outputs) continue;
        problems_.attempt([&] {
          const Endpoint end{system_.components[edge.simulator].name, variable_of(edge)};
          if (outputs)
            sources[edge.value] = end;
          else if (!sources[edge.value].component.empty())
            system_.connections.push_back(
                {.from = sources[edge.value], .to = end, .map = {}, .place = edge.place});
        });
      }
    // The master records the coupling variables.
    std::set<std::string> recorded;
    for (const Endpoint& source : sources) {
      const std::string name = fmt::format("{}.{}", source.component, source.variable);
      if (recorded.insert(name).second) system_.results.variables.push_back(name);
    }
  }

  void add_settings() {
    SimulationSettings& run = system_.simulation;
    run.start = file_.scalar("tstart");
    run.stop = file_.scalar("tend");
    if (run.stop && *run.stop <= run.start.value_or(0))
      problems_.add(file_.place_of("tend"), "tend is not after tstart");
    add_method();
    if (const auto abs = positive("it_tol_abs")) run.tolerance.abs = *abs;
    if (const auto rel = positive("it_tol_rel")) run.tolerance.rel = *rel;
    // The printed examples that do not converge end with wrong results, not with an error.
    run.tolerance.on_limit = OnLimit::go_on;
    run.tolerance.norm = Norm::components;
    if (const auto limit = file_.scalar("it_max_steps"); limit && *limit >= 1)
      run.tolerance.iterations =
          *limit < most_iterations ? static_cast<std::uint32_t>(*limit) : most_iterations;
    add_steps();
    system_.results.gnuplot = file_.scalar("outputgnuplot").value_or(0) != 0;
  }

  void add_method() {
    SimulationSettings& run = system_.simulation;
    const double mode = file_.scalar("mastermode").value_or(1);
    if (mode == 1) {
      run.methods = {"gauss-seidel"};
    } else if (mode == 2) {
      run.methods = {"iterated"};
    } else if (mode == 3 || mode == 9) {
      run.methods = {"newton"};
    } else if (mode == 4) {
      run.methods = {"gauss-seidel"};
      run.control.name = "richardson";
      run.control.variant = ControlVariant::eas;
    } else {
      problems_.add(
          file_.place_of("mastermode"),
          fmt::format("unknown MasterMode {}. Expected one of: 1 (one pass), 2 (iteration), "
                      "3 and 9 (Newton's method), 4 (Richardson step control).",
                      mode));
    }
  }

  void add_steps() {
    SimulationSettings& run = system_.simulation;
    const auto first = positive("tstepstart"), longest = positive("tstepmax");
    run.step = first ? first : longest;
    if (first && longest && *first > *longest)
      problems_.add(file_.place_of("tstepstart"), "tstepstart is above tstepmax");
    if (run.control.variant != ControlVariant::eas) {  // the step is constant
      if (first && longest && *first < *longest)
        surroundings_.log.warning(
            "", fmt::format("{}tstepstart and tstepmax differ, but the step of this MasterMode is "
                            "constant: {} s",
                            system::at(file_.place_of("tstepstart")), *first));
      return;
    }
    if (longest) run.control.max = *longest;
    if (const auto abs = positive("sz_tol_abs")) run.control.atol = *abs;
    if (const auto rel = positive("sz_tol_rel")) run.control.rtol = *rel;
  }

  /// Files contain zero where a setting has no effect.
  std::optional<double> positive(std::string_view keyword) {
    const std::optional<double> value = file_.scalar(keyword);
    if (value && *value < 0)
      problems_.add(file_.place_of(keyword), fmt::format("{} is negative", keyword));
    return value && *value > 0 ? value : std::nullopt;
  }

  Configuration file_;
  fs::path folder_;
  const Surroundings& surroundings_;
  System system_;
  std::vector<std::shared_ptr<const ModelDescription>> descriptions_;  // by simulator
  system::Problems problems_;
};

}  // namespace

System read(const fs::path& file, const Surroundings& surroundings) {
  return Builder(parse(text_content(file), file.string()), file.parent_path(), surroundings).run();
}

}  // namespace tutti::formats::eas
