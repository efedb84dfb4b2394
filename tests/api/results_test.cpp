// SPDX-License-Identifier: BSD-2-Clause
// <tutti/results.hpp>: where rows go.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tutti/cases.hpp>
#include <tutti/results.hpp>
#include <tutti/system_run.hpp>

#include "api/systems.hpp"
#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

const std::vector<Column> columns_of_all_kinds = {{"x", Type::float64, "m"},
                                                  {"n", Type::int32, "", true},
                                                  {"b", Type::boolean, "", true},
                                                  {"word", Type::string, "", true}};

/// Two rows of every kind of value, and a third one that is taken back where that is possible.
void fill(Observer& sink) {
  sink.begin(columns_of_all_kinds);
  for (int n = 0; n < 3; ++n) {
    const Cell cells[] = {
        {.real = 0.1 * n}, {.integer = -n}, {.natural = n % 2 == 0 ? 1u : 0u}, {.natural = 0}};
    const std::string_view texts[] = {"a, \"b\""};
    sink.row({0.5 * n, cells, texts});
  }
  sink.flush();
}

TEST(CsvWriter, WritesNumbersThatReadBackAndTakesRowsBack) {
  const Workplace place;
  const auto writer = make_csv_writer(place.path() / "r.csv");
  fill(*writer);
  EXPECT_TRUE(writer->rewind(2));
  writer->finish();
  EXPECT_EQ(place.read("r.csv"),
            "time,x,n,b,word\n0,0,0,1,\"a, \"\"b\"\"\"\n0.5,0.1,-1,0,\"a, \"\"b\"\"\"\n");
  EXPECT_EQ(error_of([&] {
              const auto nowhere = make_csv_writer(place.path() / "no/such/r.csv");
              fill(*nowhere);
              nowhere->finish();
            }).code(),
            ErrorCode::file);
}

TEST(Sinks, ThatCannotTakeRowsBackSaySo) {
  class Counter final : public Observer {
   public:
    void begin(std::span<const Column>) override {}
    void row(const Row&) override { ++rows; }
    void finish() override {}
    int rows = 0;
  } counter;
  fill(counter);
  EXPECT_EQ(counter.rows, 3);
  EXPECT_FALSE(counter.rewind(1));
}

TEST(Gnuplot, DrawsAPlotForEveryUnit) {
  const Workplace place;
  const auto file = place.path() / "r.csv";
  EXPECT_THAT(gnuplot_text(file, columns_of_all_kinds), HasSubstr("r.csv"));
  write_gnuplot(file, columns_of_all_kinds);
  EXPECT_EQ(place.read("r.gnuplot"), gnuplot_text(file, columns_of_all_kinds));
  EXPECT_EQ(gnuplot_path(file), place.path() / "r.gnuplot");
  EXPECT_EQ(error_of([&] { write_gnuplot("no/such/r.csv", columns_of_all_kinds); }).code(),
            ErrorCode::file);
}

TEST(TerminalPlot, DrawsWhatItWasGiven) {
  TerminalPlot plot({.width = 60, .height = 10, .curves = 2});
  fill(plot);
  EXPECT_TRUE(plot.rewind(2));
  plot.finish();
  const std::string text = plot.draw();
  EXPECT_THAT(text, HasSubstr("x"));
  EXPECT_THAT(text, HasSubstr("[m]"));
}

TEST(Cells, AreNumbersWhateverTheirTypeIs) {
  EXPECT_EQ(as_real(Type::float32, {.real = 0.5}), 0.5);
  EXPECT_EQ(as_real(Type::enumeration, {.integer = -3}), -3);
  EXPECT_EQ(as_real(Type::uint64, {.natural = 7}), 7);
  EXPECT_EQ(as_real(Type::boolean, {.natural = 1}), 1);
}

TEST(ResultWriter, HasTheFormatOfTheExtension) {
  const Workplace place;
  for (const char* const name : {"r.csv", "r.mat"}) {
    const auto writer = make_result_writer(place.path() / name);
    fill(*writer);
    EXPECT_TRUE(writer->rewind(2));
    writer->finish();
    const ResultTable table = read_results(place.path() / name);
    EXPECT_EQ(table.times, (std::vector<double>{0, 0.5}));
    EXPECT_EQ(table.find("x")->numbers, (std::vector<double>{0, 0.1}));
    EXPECT_EQ(table.find("n")->numbers, (std::vector<double>{0, -1}));
    EXPECT_EQ(writer->notes().size(), table.find("word") == nullptr ? 1u : 0u);
  }
}

TEST(ResultWriter, PutsGroupsIntoFilesOfTheirOwn) {
  const Workplace place;
  const auto file = place.path() / "r.csv";
  const auto writer = make_result_writer(file, {.groups = {{"rare", {"n", "b"}, 2}}});
  fill(*writer);
  writer->finish();
  EXPECT_EQ(result_columns(file), (std::vector<std::string>{"x", "word"}));
  EXPECT_EQ(part_of_results(file, "rare"), place.path() / "r-rare.csv");
  EXPECT_EQ(place.read("r-rare.csv"), "time,n,b\n0,0,1\n1,-2,1\n");
}

TEST(ResultTable, IsWrittenWithUnitsAndTimesInSeconds) {
  const Workplace place;
  ResultTable table = read_results(place.write("ms.csv", "time [ms],x [m],s\n0,1,a\n500,2,b\n"));
  const std::vector<std::string> notes = write_results(table, place.path() / "s.csv", {});
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0], HasSubstr("converted from ms to s"));
  EXPECT_EQ(place.read("s.csv"), "time,x,s\n0,1,a\n0.5,2,b\n");
  EXPECT_EQ(read_results(place.path() / "s.csv").find("x")->unit, "m");
}

// As the writer of HDF5 is.
TEST(Observers, ThatNeedAProcessOfTheirOwnAreRefusedBesideFmus) {
  class Apart final : public Observer {
   public:
    void begin(std::span<const Column>) override {}
    void row(const Row&) override { ++rows; }
    void finish() override {}
    std::string_view needs_own_process() const override { return "a reason"; }
    int rows = 0;
  };
  Apart apart;
  SystemRunOptions options;
  options.own_process = false;
  const Error error = error_of([&] { run(oscillator(), options, &apart, {}); });
  EXPECT_EQ(error.code(), ErrorCode::usage);
  EXPECT_EQ(error.details().key, "in-process");
  EXPECT_THAT(error.what(), HasSubstr("a reason"));
  run(oscillator(), {}, &apart, {});
  EXPECT_EQ(apart.rows, 101);
  Session session(oscillator());
  const Handle x = session.find("position.y");
  EXPECT_THAT(refusal_of([&] {
                session.observe(std::make_shared<Apart>(), {&x, 1});
              }),
              HasSubstr("a reason"));
}

}  // namespace
}  // namespace tutti::testing
