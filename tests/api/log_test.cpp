// SPDX-License-Identifier: BSD-2-Clause
// <tutti/log.hpp>: where messages go.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <tutti/log.hpp>
#include <vector>

namespace tutti::testing {
namespace {

/// What a log wrote, one text for each record.
struct Written {
  std::vector<std::string> texts;
  Log log(Severity least = Severity::info) {
    return Log(
        [this](const LogRecord& record) {
          texts.push_back(std::string(record.component) + "|" + std::string(record.category) + "|" +
                          std::string(record.text));
        },
        least);
  }
};

TEST(LogMessages, GoToTheSink) {
  Written written;
  const Log log = written.log();
  log.info("a", "one");
  log.warning("", "two");
  log.write({Severity::error, "b", "logAll", "three"});
  EXPECT_EQ(written.texts, (std::vector<std::string>{"a||one", "||two", "b|logAll|three"}));
}

TEST(LogMessages, BelowTheLeastSeverityAreDropped) {
  Written written;
  const Log log = written.log(Severity::warning);
  EXPECT_FALSE(log.wants(Severity::info));
  EXPECT_TRUE(log.wants(Severity::error));
  log.info("", "one");
  log.warning("", "two");
  EXPECT_EQ(written.texts, (std::vector<std::string>{"||two"}));
}

TEST(LogMessages, WithoutASinkAreDropped) {
  const Log log;
  EXPECT_FALSE(log.wants(Severity::error));
  log.warning("", "nobody reads this");
}

TEST(LogMessages, OfTheLibraryComeOnceWhereThatIsAskedFor) {
  Written written;
  const Log log = written.log().once();
  for (int again = 0; again < 2; ++again) {
    log.warning("a", "one");
    log.write({Severity::warning, "a", "logAll", "the FMU's"});
  }
  EXPECT_EQ(written.texts,
            (std::vector<std::string>{"a||one", "a|logAll|the FMU's", "a|logAll|the FMU's"}));
}

TEST(LogMessages, OfSeveralThreadsComeOneAfterTheOther) {
  Written written;  // a vector that is not protected: the log must do that
  const Log log = written.log();
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([copy = log] {
      for (int n = 0; n < 100; ++n) copy.info("t", "x");
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(written.texts.size(), 400u);
}

}  // namespace
}  // namespace tutti::testing
