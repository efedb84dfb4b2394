// SPDX-License-Identifier: BSD-2-Clause
#include "fuzz/targets.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <tutti/error.hpp>
#include <tutti/fmu.hpp>

#include "base/csv.hpp"
#include "fmi/archive.hpp"
#include "fmi/compile/build_description.hpp"
#include "fmi/description/reader.hpp"
#include "formats/eas/parse.hpp"
#include "formats/msim/parse.hpp"
#include "formats/osp/structure.hpp"
#include "formats/ssp/read_structure.hpp"
#include "formats/ssp/structure.hpp"
#include "formats/toml/read.hpp"
#include "formats/toml/write.hpp"
#include "models/input_table.hpp"
#include "results/result_format.hpp"
#include "studies/file/parse_study.hpp"
#include "support/small_description.hpp"

namespace tutti::fuzz {
namespace {

template <class Action>
void expect_an_error_at_most(const Action& action) {
  try {
    action();
  } catch (const Error&) {
  }
}

/// Small, so that a bomb shows as a refusal and not as a slow run.
ArchiveLimits small_limits() {
  ArchiveLimits limits;
  limits.total_bytes = 1u << 20;
  limits.entries = 100;
  limits.description_elements = 10'000;
  return limits;
}

/// A file in memory with a path.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written <= 0) break;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

/// Inputs of every kind of value, an array among them.
const ModelDescription& model() {
  static const ModelDescription description = [] {
    tutti::testing::SmallDescription small;
    small.add("u", Type::float64, Causality::input);
    small.add("f", Type::float32, Causality::input);
    small.add("i", Type::int8, Causality::input, Variability::discrete);
    small.add("n", Type::uint64, Causality::input, Variability::discrete);
    small.add("b", Type::boolean, Causality::input, Variability::discrete);
    small.add("s", Type::string, Causality::input, Variability::discrete);
    small.add("x", Type::binary, Causality::input, Variability::discrete);
    small.add("a", Type::float64, Causality::input).dimensions = {{2, {}}, {2, {}}};
    return small.description;
  }();
  return description;
}

}  // namespace

void archive(std::string_view bytes) {
  const MemoryFile file(bytes);
  FmuOptions options;
  options.limits = small_limits();
  expect_an_error_at_most([&] { list_contents(file.path(), options); });
  expect_an_error_at_most([&] { read_description(file.path(), options); });
  expect_an_error_at_most([&] { fmi::unpack(file.path(), options, {}); });
}

void description(std::string_view bytes) {
  const Log log([](const LogRecord&) {}, Severity::debug);  // so that the messages are made
  expect_an_error_at_most([&] {
    ModelDescription result =
        fmi::read_model_description(std::string(bytes), "fuzz.xml", log, small_limits());
    fmi::read_terminals(std::string(bytes), "fuzz.xml", log, result, small_limits());
    for (const Variable& variable : result.variables) {
      expect_an_error_at_most([&] { models::shape_of(result, variable, {}); });
      if (!variable.name.empty() && result.find(variable.name) == nullptr) std::abort();
    }
  });
}

void csv(std::string_view bytes) {
  expect_an_error_at_most([&] {
    const CsvTable table = CsvTable::parse(bytes, "fuzz.csv", {.bytes = 1u << 20, .cells = 10'000});
    models::InputTable inputs(table, model(), {});
    models::ValueSet values(model(), inputs.variables(), {});
    for (const double t : {-1.0, 0.0, 0.5, 1e300}) {
      inputs.write(t, values);
      inputs.write_before(t, values);
      if (inputs.next_jump(t) <= t) std::abort();
    }
  });
}

void build(std::string_view bytes) {
  expect_an_error_at_most([&] {
    const auto all = fmi::read_build_description(std::string(bytes), "fuzz.xml");
    for (const fmi::BuildConfiguration& one : all) {
      for (const fmi::SourceFileSet& set : one.sets) {
        for (const std::string& file : set.files) {
          const std::filesystem::path path = file;
          const bool leaves = path.is_absolute() || file.starts_with('-') ||
                              std::find(path.begin(), path.end(), "..") != path.end();
          if (leaves) std::abort();
        }
      }
    }
    fmi::choose_configuration(all, "m", "x86_64-linux", {});
  });
}

void system(std::string_view bytes) {
  const formats::Words words{
      {"gauss-seidel", "jacobi", "newton"}, {"cvode"}, {"fixed", "richardson"}};
  expect_an_error_at_most([&] {
    System result = formats::read_toml(bytes, "fuzz.toml", words);
    for (const Connection& connection : result.connections)
      if (result.find(connection.from.component) < 0 || result.find(connection.to.component) < 0)
        std::abort();
    const std::string text = formats::toml_text(result);
    if (formats::toml_text(formats::read_toml(text, "written.toml", words)) != text) std::abort();
    formats::assign(result, bytes.substr(0, bytes.find('\n')), words);
  });
}

void eas(std::string_view bytes) {
  formats::eas::recognizes(bytes);
  expect_an_error_at_most([&] {
    const formats::eas::Configuration file = formats::eas::parse(bytes, "fuzz.eas");
    for (const formats::eas::Edge& edge : file.edges)
      if (edge.value >= file.value_count || edge.simulator >= file.simulators.size()) std::abort();
    System result;
    result.components.resize(file.simulators.size());
    system::Problems problems;
    formats::eas::add_order(file, result, {}, problems);
  });
}

void mat(std::string_view bytes) {
  const MemoryFile file(bytes);
  expect_an_error_at_most([&] {
    const ResultTable table = results::read_mat_results(file.path());
    for (const ResultColumn& column : table.columns)
      if (column.numbers.size() != table.times.size()) std::abort();
    if (results::mat_result_columns(file.path()).size() < table.columns.size()) std::abort();
  });
}

void msim(std::string_view bytes) {
  expect_an_error_at_most([&] { formats::msim::parse(bytes, "fuzz.msim"); });
}

void osp(std::string_view bytes) {
  const Log log([](const LogRecord&) {}, Severity::debug);  // so that the messages are made
  formats::osp::recognizes(bytes);
  expect_an_error_at_most([&] {
    const auto file = formats::osp::parse(std::string(bytes), "fuzz.xml", small_limits(), log);
    for (const formats::osp::OspConnection& connection : file.connections)
      if (connection.a.is_signal && connection.b.is_signal) std::abort();
  });
  expect_an_error_at_most(
      [&] { formats::osp::parse_groups(std::string(bytes), "fuzz.xml", small_limits()); });
}

void ssd(std::string_view bytes) {
  const formats::Words words{
      {"gauss-seidel", "jacobi", "newton"}, {"cvode"}, {"fixed", "richardson"}};
  formats::Surroundings surroundings{words};
  surroundings.open.limits = small_limits();
  expect_an_error_at_most([&] {
    formats::ssp::StructureReader reader(
        surroundings, [](const std::filesystem::path& file) { return file / "no folder"; });
    const formats::Base nowhere{"/nowhere/at/all", "/nowhere"};
    const System result = formats::ssp::flatten(
        reader.read(std::string(bytes), "fuzz.ssd", nowhere), nowhere.folder, surroundings);
    for (const Connection& connection : result.connections)
      if (result.find(connection.from.component) < 0 || result.find(connection.to.component) < 0)
        std::abort();
    const std::string text = formats::toml_text(result);
    if (formats::toml_text(formats::read_toml(text, "written.toml", words)) != text) std::abort();
  });
}

void study(std::string_view bytes) {
  expect_an_error_at_most([&] {
    studies::KeyPlaces places;
    const Study result = studies::parse_study(bytes, "fuzz.toml", places);
    if (result.system.empty() || result.parameters.empty()) std::abort();
    for (const StudyParameter& parameter : result.parameters)
      if (parameter.min && parameter.max && !(*parameter.min < *parameter.max)) std::abort();
  });
}

std::span<const Target> targets() {
  static constexpr Target all[] = {
      {"archive", archive}, {"build", build}, {"csv", csv},      {"description", description},
      {"eas", eas},         {"mat", mat},     {"msim", msim},    {"osp", osp},
      {"ssd", ssd},         {"study", study}, {"system", system}};
  return all;
}

}  // namespace tutti::fuzz
