// SPDX-License-Identifier: BSD-2-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tutti/error.hpp>
#include <tutti/results.hpp>

#include "support/command.hpp"

namespace tutti::results {
namespace {

using ::testing::ElementsAre;

const std::vector<Column> all_columns = {{"a.x", Type::float64, "m", false, ""},
                                         {"b.x", Type::float64, "m", false, ""},
                                         {"b.n", Type::int32, "", true, ""},
                                         {"c[1]", Type::string, "", true, ""}};

class Groups : public ::testing::TestWithParam<std::string> {
 protected:
  std::filesystem::path file(const std::string& part = "") const {
    const auto whole = place_.path() / ("r" + GetParam());
    return part.empty() ? whole : part_of_results(whole, part);
  }
  std::unique_ptr<Observer> writer() const {
    return make_result_writer(file(), {.groups = {{"slow", {"b.*"}, 3}, {"texts", {"c"}, 2}}});
  }
  /// Row k is at k/2 s, and everything in it is k.
  struct Numbered {
    explicit Numbered(int k, double time)
        : text(std::to_string(k)), texts{text}, row{time, cells, texts} {
      cells[0].real = cells[1].real = k;
      cells[2].integer = k;
      cells[3].natural = 0;
    }
    Numbered(const Numbered&) = delete;
    Numbered& operator=(const Numbered&) = delete;
    Cell cells[4];
    std::string text;
    std::string_view texts[1];
    Row row;
  };
  static void put(Observer& to, int first, int last) {
    for (int k = first; k < last; ++k) to.row(Numbered(k, 0.5 * k).row);
  }
  void expect_column(const std::string& part, const std::string& name,
                     const std::vector<double>& expected) const {
    const ResultTable table = read_results(file(part));
    ASSERT_NE(table.find(name), nullptr);
    EXPECT_EQ(table.find(name)->numbers, expected) << part << " " << name;
  }
  testing::Workplace place_;
};
INSTANTIATE_TEST_SUITE_P(Results, Groups, ::testing::Values(".csv", ".h5", ".mat"),
                         [](const auto& tested) { return tested.param.substr(1); });

TEST_P(Groups, AreStoredAtEveryNthPointInFilesOfTheirOwn) {
  const auto to = writer();
  to->begin(all_columns);
  put(*to, 0, 8);
  to->finish();
  EXPECT_THAT(result_columns(file()), ElementsAre("a.x"));
  EXPECT_THAT(result_columns(file("slow")), ElementsAre("b.x", "b.n"));
  expect_column("", "a.x", {0, 1, 2, 3, 4, 5, 6, 7});
  expect_column("slow", "b.x", {0, 3, 6});
  expect_column("slow", "b.n", {0, 3, 6});
  EXPECT_THAT(read_results(file("slow")).times, ElementsAre(0, 1.5, 3));
  EXPECT_THAT(read_results(file("texts")).times, ElementsAre(0, 1, 2, 3));
}

TEST_P(Groups, CountTheTwoRowsOfAnEventAsOnePoint) {
  const auto to = writer();
  to->begin(all_columns);
  const double times[] = {0, 1, 2, 3, 3, 4, 5, 6};
  for (int k = 0; k < 8; ++k) to->row(Numbered(k, times[k]).row);
  EXPECT_TRUE(to->rewind(4));  // between the two sides of the event at 3 s
  for (int k = 4; k < 8; ++k) to->row(Numbered(k, times[k]).row);
  to->finish();
  EXPECT_THAT(read_results(file("slow")).times, ElementsAre(0, 3, 3, 6));
  expect_column("slow", "b.x", {0, 3, 4, 7});
}

TEST_P(Groups, RemoveRowsAfterARollback) {
  const auto to = writer();
  to->begin(all_columns);
  put(*to, 0, 8);
  EXPECT_FALSE(to->rewind(9));
  EXPECT_TRUE(to->rewind(5));
  put(*to, 5, 7);
  EXPECT_TRUE(to->rewind(0));
  put(*to, 0, 4);
  to->finish();
  expect_column("", "a.x", {0, 1, 2, 3});
  expect_column("slow", "b.x", {0, 3});
}

TEST_P(Groups, ContinueAnEarlierRun) {
  {
    const auto to = writer();
    to->begin(all_columns);
    put(*to, 0, 8);
    to->finish();
  }
  const Numbered wrong(9, 2), last(4, 2);
  EXPECT_FALSE(writer()->resume(all_columns, 5, wrong.row));
  const auto to = writer();
  ASSERT_TRUE(to->resume(all_columns, 5, last.row));
  put(*to, 5, 10);
  to->finish();
  expect_column("", "a.x", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  expect_column("slow", "b.x", {0, 3, 6, 9});
  EXPECT_THAT(read_results(file("texts")).times, ElementsAre(0, 1, 2, 3, 4));
}

TEST_P(Groups, AreRefusedIfTheirNamesOrNumbersAreWrong) {
  const std::vector<ResultGroup> wrong[] = {
      {{"", {"a"}, 2}},      {{"a/b", {"a"}, 2}},
      {{"ports", {"a"}, 2}}, {{"a", {"a"}, 2}, {"a", {"b"}, 3}},
      {{"a", {}, 2}},        {{"a", {"a"}, 0}}};
  for (const std::vector<ResultGroup>& groups : wrong) {
    try {
      make_result_writer(file(), {.groups = groups});
      ADD_FAILURE() << groups[0].name;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      EXPECT_EQ(error.details().key, "results.groups");
    }
  }
}

}  // namespace
}  // namespace tutti::results
