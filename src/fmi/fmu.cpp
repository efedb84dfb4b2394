// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/fmu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "base/float_control.hpp"
#include "base/text.hpp"
#include "fmi/archive.hpp"
#include "fmi/compile/compile.hpp"
#include "fmi/file_cache.hpp"
#include "fmi/instance_setup.hpp"
#include "fmi/library.hpp"

namespace tutti::fmi {
namespace {

std::string interfaces_of(const ModelDescription& description) {
  std::vector<std::string_view> names;
  if (description.co_simulation) names.emplace_back("co-simulation");
  if (description.model_exchange) names.emplace_back("model exchange");
  if (description.scheduled_execution) names.emplace_back("scheduled execution");
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

class OpenFmu final : public Fmu {
  /// Adds the component's name to errors of its binary.
  template <class Action>
  auto naming(const std::string& name, const Action& action) const {
    try {
      return action();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::binary) throw;
      throw named(name, error);
    }
  }

 public:
  OpenFmu(const std::filesystem::path& path, const FmuOptions& options, const Log& log)
      : path_(path),
        options_(options),
        log_(log),
        shared_(description_of(path, options, log)),
        unpacked_(unpack(path, options, Log())) {
  }  // without a log: its messages were logged before

  const std::filesystem::path& path() const override { return path_; }
  const std::filesystem::path& folder() const override { return unpacked_.root; }
  const ModelDescription& description() const override { return description_; }

  Owned<CoSimulation> instantiate_co_simulation(const CoSimulationOptions& options) override {
    // An intermediate update belongs to the owner of the instance.
    const bool can_be_reused =
        !options.intermediate_update && options.intermediate_variables.empty();
    const std::string key =
        can_be_reused
            ? key_of(options, fmt::format("{:d}{:d}", options.event_mode, options.early_return))
            : "";
    return reused<CoSimulation>(key, [&] { return make_co_simulation(options); });
  }

  Owned<ModelExchange> instantiate_model_exchange(const InstanceOptions& options) override {
    return reused<ModelExchange>(key_of(options), [&] { return make_model_exchange(options); });
  }

  void reuse_instances(const std::weak_ptr<InstancePool>& pool) override { pool_ = pool; }

  void ensure_runnable(const std::string& name, const Capabilities& interface) override {
    refuse_clocks(name);
    const std::lock_guard lock(mutex_);
    naming(name, [&] { return binary(name, interface); });
  }

 private:
  std::unique_ptr<CoSimulation> make_co_simulation(const CoSimulationOptions& options) {
    const InstanceSetup setup =
        prepare(options.name, description_.co_simulation, "co-simulation", "CoSimulation");
    constexpr MakeCoSimulation* make[] = {v1::make_co_simulation, v2::make_co_simulation,
                                          v3::make_co_simulation};
    return naming(options.name, [&] { return make[version()](setup, options); });
  }

  std::unique_ptr<ModelExchange> make_model_exchange(const InstanceOptions& options) {
    const InstanceSetup setup =
        prepare(options.name, description_.model_exchange, "model exchange", "ModelExchange");
    constexpr MakeModelExchange* make[] = {v1::make_model_exchange, v2::make_model_exchange,
                                           v3::make_model_exchange};
    return naming(options.name, [&] { return make[version()](setup, options); });
  }

  /// Instances of one key are interchangeable. FMI 1.0 cannot reset an instance that was terminated
  /// (FMI 1.0 for Co-Simulation, section 3.5).
  std::string key_of(const InstanceOptions& options, std::string_view more = "") const {
    if (description_.version == FmiVersion::v1) return "";
    return fmt::format("{} {} {:d} {}", fmt::ptr(this), more, options.logging, options.name);
  }
  template <class Interface, class Make>
  Owned<Interface> reused(const std::string& key, const Make& make) {
    const auto pool = pool_.lock();
    if (!pool || key.empty()) return Owned<Interface>(make().release());
    std::unique_ptr<Interface> instance = pool->take<Interface>(key);
    if (!instance) instance = make();
    return Owned<Interface>(instance.release(), {pool_, key});
  }

  std::size_t version() const { return static_cast<std::size_t>(description_.version); }
  void refuse_clocks(const std::string& name) const {
    const Variable* const clocked = find_clocked(description_);
    if (clocked == nullptr) return;
    throw named(name, {ErrorCode::capability,
                       fmt::format("the FMU uses clocks (variable \"{}\" needs one), and clocked "
                                   "FMUs cannot be simulated yet. Its interfaces: {}.",
                                   printable(clocked->name), interfaces_of(description_)),
                       {.component = name, .variable = clocked->name}});
  }

  InstanceSetup prepare(const std::string& name, const std::optional<Capabilities>& capabilities,
                        std::string_view interface, std::string_view element) {
    refuse_clocks(name);
    if (!capabilities) {
      throw named(name, {ErrorCode::capability,
                         fmt::format("the FMU has no interface for {} (<{}>). It has: {}.",
                                     interface, element, interfaces_of(description_))});
    }
    if (capabilities->needs_execution_tool) {
      log_.info(name,
                fmt::format("the FMU needs an external tool to run (needsExecutionTool): {}",
                            description_.generation_tool.empty() ? "it does not name the tool"
                                                                 : description_.generation_tool));
    }
    InstanceSetup setup;
    setup.fmu = shared_from_this();
    setup.description = &description_;
    setup.capabilities = &*capabilities;
    setup.library = &library(name, *capabilities);
    setup.folder = unpacked_.root;
    setup.log = log_;
    return setup;
  }

  // Co-simulation and model exchange may have a library each (their own model identifiers).
  Library& library(const std::string& name, const Capabilities& interface) {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Library>& place = libraries_[interface.model_identifier];
    if (place) return *place;
    ProcessGuard guard;
    naming(name, [&] {
      place = std::make_unique<Library>(binary(name, interface), description_.version,
                                        interface.model_identifier, log_);
    });
    if (const std::string changed = guard.restore(); !changed.empty()) {
      log_.warning(name, fmt::format("loading the FMU's binary changed {}; restored", changed));
    }
    return *place;
  }

  /// The file to load. A compiled library is placed with the other files of the FMU if they are
  /// temporary, so that an FMU opened twice does not share a library; otherwise it is used from the
  /// cache.
  std::filesystem::path binary(const std::string& name, const Capabilities& interface) {
    if (const auto known = compiled_.find(interface.model_identifier); known != compiled_.end()) {
      return known->second;
    }
    const Log log([&](const LogRecord& record) {  // it knows the folder of the unpacked FMU only
      log_.warning(record.component, fmt::format("{}: {}", path_.filename().string(), record.text));
    });
    const BinarySearch search =
        find_binary(unpacked_.root, description_.version, interface.model_identifier, log);
    if (search.missing.empty()) return search.file;
    const bool sources = has_sources(unpacked_.root);
    if (!options_.compile.allowed || !sources) {
      throw Error(ErrorCode::binary, search.missing,
                  {.key = "compile", .hint = missing_advice(sources, options_.compile.allowed)});
    }
    const CompileTask task{unpacked_.root, name, description_.version, &interface, this_platform()};
    std::filesystem::path file;
    try {
      file = compile_sources(task, options_, log_);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::interrupted) throw;
      throw error.as(ErrorCode::binary).within(search.missing + " Its sources cannot be used");
    }
    if (unpacked_.temporary) {
      std::filesystem::create_directories(search.file.parent_path());
      std::filesystem::copy_file(file, search.file);
      file = search.file;
    }
    return compiled_[interface.model_identifier] = file;
  }

  std::string missing_advice(bool sources, bool compile) const {
    if (!sources) {
      return compile ? "It has no sources that could be compiled. Export the FMU again with this "
                       "platform."
                     : "Export the FMU again with this platform.";
    }
    if (description_.version == FmiVersion::v1) {
      return "It contains sources, but FMI 1.0 does not define how to compile them: compile them "
             "for this machine and put the library into that folder, or export the FMU again.";
    }
    return "It contains sources: add %key% to compile them for this machine, or export the FMU "
           "again with this platform.";
  }

  Error named(const std::string& name, const Error& error) const {
    return error
        .of(fmt::format("component \"{}\" ({}, FMI {})", name, path_.filename().string(),
                        to_string(description_.version)))
        .with({.component = name, .file = path_.string()});
  }

  std::filesystem::path path_;
  FmuOptions options_;
  Log log_;
  std::shared_ptr<const ModelDescription> shared_;
  const ModelDescription& description_ = *shared_;
  UnpackedFmu unpacked_;
  std::weak_ptr<InstancePool> pool_;
  std::mutex mutex_;
  std::map<std::string, std::filesystem::path> compiled_;
  std::map<std::string, std::unique_ptr<Library>>
      libraries_;  // closed before the files are removed
};

}  // namespace

std::shared_ptr<Fmu> Fmu::open(const std::filesystem::path& path, const FmuOptions& options,
                               const Log& log) {
  return std::make_shared<OpenFmu>(path, options, log);
}

const Variable* find_clocked(const ModelDescription& description) {
  if (!description.has_clocks()) return nullptr;
  const auto& variables = description.variables;
  const auto is_clock = [&](std::int32_t index) {
    return index >= 0 && variables[static_cast<std::size_t>(index)].type == Type::clock;
  };
  // A clock that another clock triggers is used only if something belongs to it.
  for (const Variable& variable : variables)
    if (variable.type != Type::clock && !variable.clocks.empty()) return &variable;
  const ModelStructure& structure = description.structure;
  for (const auto* rows : {&structure.outputs, &structure.derivatives, &structure.discrete_states,
                           &structure.clocked_states, &structure.event_indicators})
    for (const Unknown& row : *rows)
      if (!is_clock(row.variable) && row.variable >= 0 && row.dependencies &&
          std::any_of(row.dependencies->begin(), row.dependencies->end(), is_clock))
        return &variables[static_cast<std::size_t>(row.variable)];
  return nullptr;
}

}  // namespace tutti::fmi
