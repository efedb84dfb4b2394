// SPDX-License-Identifier: BSD-2-Clause
// Former names of keys and words: read in files, assignments and SSP, with a note; never written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <tutti/system_file.hpp>
#include <vector>

#include "formats/toml/former_names.hpp"
#include "formats/toml/keys.hpp"
#include "formats/toml/read.hpp"
#include "formats/toml/write.hpp"
#include "support/command.hpp"

namespace tutti::formats {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const Words former_words{.methods = {"gauss-seidel"},
                         .solvers = {"cvode"},
                         .controls = {"fixed"},
                         .built_ins = {"table"}};

/// Keeps the notes; a message of another severity is a failure.
Log log_into(std::vector<std::string>& notes) {
  return Log([&notes](const LogRecord& record) {
    EXPECT_EQ(record.severity, Severity::info) << record.text;
    notes.emplace_back(record.text);
  });
}

std::string with_words(const std::string& constant, const std::string& sample) {
  return "[components.a]\ntype = \"table\"\nfile = \"a.csv\"\ninterpolation = \"" + constant +
         "\"\n[components.b]\nfmu = \"b.fmu\"\n[connections]\nlist = [{ from = \"a.y\", to = "
         "\"b.u\", inside = \"" +
         constant + "\" }]\n[[inputs.tables]]\nfile = \"t.csv\"\ncolumns = { \"b.v\" = \"v\" }\n" +
         sample + " = \"end\"\n[simulation]\ninputs.inside = \"" + constant + "\"\n";
}

TEST(FormerNames, AreOfKeysThatExist) {
  for (const FormerName& former : former_names) {
    const bool is_key = former.word.empty();
    const std::string part(former.key.substr(0, former.key.rfind('.') + 1));
    const Key* const key = find_key(is_key ? part + std::string(former.now) : former.key);
    ASSERT_NE(key, nullptr) << former.key;
    if (is_key)
      EXPECT_EQ(find_key(former.key), nullptr) << former.key;
    else
      EXPECT_THAT(allowed_words(*key, former_words), Contains(former.now)) << former.key;
    EXPECT_THAT(allowed_words(*key, former_words), Not(Contains(former.word))) << former.key;
  }
}

TEST(FormerNames, AreReadFromFilesAndNotedOnce) {
  std::vector<std::string> notes;
  const System now =
      read_toml(with_words("constant", "sample"), "new.toml", former_words, log_into(notes));
  EXPECT_THAT(notes, IsEmpty());
  const System old =
      read_toml(with_words("hold", "hold"), "old.toml", former_words, log_into(notes));
  EXPECT_THAT(
      notes,
      ElementsAre("old.toml:4:17: components.a.interpolation: \"hold\" is now called \"constant\"",
                  "old.toml:12:1: inputs.tables: \"hold\" is now called \"sample\""));
  EXPECT_EQ(old.components[0].built_in.interpolation, Interpolation::constant);
  EXPECT_EQ(old.connections[0].inputs.inside, InsideStep::constant);
  EXPECT_EQ(old.inputs.tables[0].sample, SamplePoint::end);
  EXPECT_EQ(toml_text(old), toml_text(now));
  EXPECT_THAT(toml_text(old), Not(HasSubstr("hold")));
}

TEST(FormerNames, AreReadInAssignments) {
  std::vector<std::string> notes;
  const std::string text =
      "[components.a]\ntype = \"table\"\nfile = \"a.csv\"\n"
      "[simulation]\ninputs.inside = \"linear\"\n";
  System system = read_toml(text, "a.toml", former_words);
  tutti::assign(system, "simulation.inputs.inside=hold", log_into(notes));
  EXPECT_EQ(system.simulation.inputs.inside, InsideStep::constant);
  tutti::assign(system, "components.a.interpolation=hold", log_into(notes));
  EXPECT_EQ(system.components[0].built_in.interpolation, Interpolation::constant);
  tutti::assign(system, "simulation.inputs=hold", log_into(notes));  // the short form
  EXPECT_THAT(notes, ElementsAre("simulation.inputs.inside: \"hold\" is now called \"constant\"",
                                 EndsWith("interpolation: \"hold\" is now called \"constant\""),
                                 EndsWith("inside: \"hold\" is now called \"constant\"")));
}

TEST(FormerNames, AreReadFromAnnotationsOfSsp) {
  const testing::Workplace work;
  System system;
  system.components.push_back({.name = "a", .fmu = testing::fmu("2.0", "Gain")});
  system.simulation.inputs.inside = InsideStep::linear;
  write_system(system, work.path() / "s.ssd");
  std::string text = work.read("s.ssd");
  const std::string written = "inputs.inside = \"linear\"";
  const std::size_t place = text.find(written);
  ASSERT_NE(place, std::string::npos) << text;
  text.replace(place, written.size(), "inputs.inside = \"hold\"");
  std::vector<std::string> notes;
  const System read = read_system(work.write("old.ssd", text), {}, log_into(notes));
  EXPECT_EQ(read.simulation.inputs.inside, InsideStep::constant);
  EXPECT_THAT(notes, Contains(HasSubstr("\"hold\" is now called \"constant\"")));
}

}  // namespace
}  // namespace tutti::formats
