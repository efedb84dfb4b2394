// SPDX-License-Identifier: BSD-2-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tutti/sweep.hpp>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

// A run that takes 0.2 s at least: meanwhile, rows of others are written.
TEST(WaitingSweep, LetsItsOwnerWork) {
  const Workplace work;
  work.write("slow.toml", "[components.f]\nfmu = \"" + fmu("2.0", "faulty_slow_step") +
                              "\"\n[simulation]\nstop = 1\nstep = 1\n");
  const Study study =
      read_study(work.write("s.toml",
                            "system = \"slow.toml\"\noutputs = [\"f.y\"]\n[set]\n\"f.at\" = 0\n"
                            "[[parameters]]\nname = \"f.u\"\nvalues = [1]\n[sweep]\n"));
  int count = 0;
  SweepOptions options;
  options.jobs = 1;
  options.waiting = [&] { ++count; };
  EXPECT_EQ(run_sweep(study, options, {}).failed, 0);
  EXPECT_GT(count, 0);
}

// Failures at different times are of one kind.
TEST(FailedRuns, AreCountedWithoutTheirTimes) {
  const Workplace work;
  work.write("late.toml", "[components.f]\nfmu = \"" + fmu("2.0", "faulty_error_in_step") +
                              "\"\n[simulation]\nstop = 1\nstep = 0.125\n");
  const Study study = read_study(
      work.write("s.toml",
                 "system = \"late.toml\"\noutputs = [\"f.y\"]\n[[parameters]]\nname = \"f.at\"\n"
                 "values = [0.25, 0.5, 10]\n[sweep]\n"));
  SweepOptions options;
  options.jobs = 1;
  const SweepReport report = run_sweep(study, options, {});
  EXPECT_EQ(report.failed, 2);
  EXPECT_EQ(report.same_error, 2) << report.message;
}

}  // namespace
}  // namespace tutti::testing
