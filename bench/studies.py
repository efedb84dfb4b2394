# SPDX-License-Identifier: BSD-2-Clause
"""Studies: many short runs of a system in warm workers (tutti::Cases)."""

import os

from measure import busy_machine, run

RUNS = 10_000
FULL, SHORT = 4.0, 0.004  # s: stop times of 4,000 steps and of 4
BESIDE_GOAL = 100  # microseconds per run beside its steps
BUSY_GOAL = 0.85  # of the cores


class Figures:
    """What the program printed of `count` runs."""

    def __init__(self, build, count, jobs, stop):
        system = build / "examples/quarter_car/system.toml"
        values = run([build / "bench/studies", system, "chassis.m_c", "chassis.x", count, jobs,
                      stop]).split()
        self.wall, self.workers, self.owner = (float(value) for value in values[:3])
        self.waits, self.before, self.after = (int(value) for value in values[3:])
        self.each = 1e6 * (self.workers + self.owner) / count  # microseconds of CPU time
        self.busy = self.workers / (jobs * self.wall)


def quarter_car(build):
    """The steps of a run cost the same in both lengths, so the rest of a run is what remains for
    no step at all. CPU times: other programs on the machine disturb them little."""
    jobs = len(os.sched_getaffinity(0))
    full, short = Figures(build, RUNS, jobs, FULL), Figures(build, RUNS, jobs, SHORT)
    beside = (short.each * FULL - full.each * SHORT) / (FULL - SHORT)
    print(f"\nstudies: {RUNS} runs of the quarter car by {jobs} workers, CPU times")
    if busy_machine():
        print("(other programs take cores: the busy fraction is too low)")
    print(f"{'steps':>6} {'us per run':>11} {'runs/s':>8} {'busy':>6} {'goal':>5} "
          f"{'owner us':>9} {'waits/run':>10} {'memory MB':>16}")
    for stop, figures in ((FULL, full), (SHORT, short)):
        print(f"{stop / 1e-3:>6.0f} {figures.each:>11.1f} {RUNS / figures.wall:>8.0f} "
              f"{figures.busy:>6.2f} {BUSY_GOAL:>5} {1e6 * figures.owner / RUNS:>9.1f} "
              f"{figures.waits / RUNS:>10.3f} "
              f"{figures.before / 1024:>7.1f} {figures.after / 1024:>8.1f}")
    print(f"beside the steps of a run: {beside:.1f} us (goal {BESIDE_GOAL})", flush=True)


# Each measures one kind of study.
PARTS = [quarter_car]


def studies(build):
    for part in PARTS:
        part(build)
