// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/support/fixture.hpp"
#include "support/places.hpp"

#include <algorithm>
#include <cstdlib>

namespace tutti::fmi::test {

Lines::Lines(Severity least) : shared_(std::make_shared<Shared>()) {
  log_ = Log(
      [shared = shared_](const LogRecord& record) {
        constexpr const char* names[] = {"debug", "info", "warning", "error"};
        const std::lock_guard lock(shared->mutex);
        shared->lines.push_back(names[static_cast<int>(record.severity)] + std::string("|") +
                                std::string(record.component) + "|" + std::string(record.category) +
                                "|" + std::string(record.text));
      },
      least);
}

std::vector<std::string> Lines::all() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->lines;
}

std::size_t Lines::count(const std::string& part) const {
  const std::vector<std::string> lines = all();
  return static_cast<std::size_t>(
      std::count_if(lines.begin(), lines.end(),
                    [&](const std::string& line) { return line.find(part) != std::string::npos; }));
}

std::filesystem::path fmu_file(const std::string& version, const std::string& model) {
  return tutti::places::fmu_folder() / version / (model + ".fmu");
}

std::shared_ptr<Fmu> open_fmu(const std::string& version, const std::string& model,
                              const Log& log) {
  return Fmu::open(fmu_file(version, model), {}, log);
}

CoSimulationOptions named(const std::string& instance) {
  CoSimulationOptions options;
  options.name = instance;
  return options;
}

ValueReference reference(const FmuInstance& instance, const std::string& variable) {
  const Variable* const found = instance.description().find(variable);
  if (!found) throw std::runtime_error("the FMU has no variable " + variable);
  return found->value_reference;
}

double real(FmuInstance& instance, const std::string& variable) {
  const ValueReference references[] = {reference(instance, variable)};
  double value = 0;
  instance.get(Type::float64, references, &value, 1);
  return value;
}

void set_real(FmuInstance& instance, const std::string& variable, double value) {
  const ValueReference references[] = {reference(instance, variable)};
  instance.set(Type::float64, references, &value, 1);
}

std::int32_t integer(FmuInstance& instance, const std::string& variable) {
  const ValueReference references[] = {reference(instance, variable)};
  std::int32_t value = 0;
  instance.get(Type::int32, references, &value, 1);
  return value;
}

void set_integer(FmuInstance& instance, const std::string& variable, std::int32_t value) {
  const ValueReference references[] = {reference(instance, variable)};
  instance.set(Type::int32, references, &value, 1);
}

void initialize(CoSimulation& instance, const Experiment& experiment) {
  instance.enter_initialization(experiment);
  instance.exit_initialization();
  if (!instance.event_mode_used()) return;
  iterate_events(instance);
  instance.enter_step_mode();
}

ScratchFolder::ScratchFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "tutti-test-XXXXXX").string();
  if (!::mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace tutti::fmi::test
