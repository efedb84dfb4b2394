# SPDX-License-Identifier: BSD-2-Clause
"""Sessions: the cost of Session::step and one get beyond the hand-written loop, and what
saving and restoring all components costs beyond the calls of the FMUs."""

import statistics
import sys

from coupled import Ring
from measure import H, Fmu, allocations, run, slopes

STEPS = 5_000_000
STATES = 200_000
COMPONENTS = 10
STEP_GOAL = 50  # nanoseconds, beside a step that in rings may cost 1.5 times that by hand


class Alone:
    """One FMU, driven by a ramp, as in the hand-written loop."""

    def __init__(self, fmu):
        self.fmu, self.count, self.title = fmu, 1, "one FMU, ramp"
        self.variable = f"c.{fmu.output}"

    def hand(self, steps):
        return self.fmu.hand(steps)

    def write(self, steps):
        end = steps * H
        ramp = self.fmu.folder / f"ramp{steps}.csv"
        ramp.write_text(f"time,c.{self.fmu.input}\n0,0\n{end!r},{end!r}\n")
        file = self.fmu.folder / f"alone{steps}.toml"
        file.write_text(f'[components.c]\nfmu = "{self.fmu.archive}"\n'
                        f'[inputs]\nfile = "{ramp}"\n'
                        f"[simulation]\nstop = {end!r}\nstep = {H}\n")
        return file


class InRing(Ring):
    def __init__(self, fmu, count):
        super().__init__(fmu, count, "ring")
        self.title, self.variable = f"ring of {count}", f"c{count - 1}.{fmu.output}"


def steps_of(system):
    """The command that takes so many steps."""
    program = system.fmu.build / "bench/session"
    return lambda steps: [program, "steps", system.write(steps), system.variable, steps]


def check(system, steps=1000):
    """Both must compute the same, or the comparison means nothing."""
    by_hand, by_session = float(run(system.hand(steps))), float(run(steps_of(system)(steps)))
    if abs(by_hand - by_session) > 1e-9 * abs(by_hand):
        sys.exit(f"{system.title}: the hand-written loop ends at {by_hand}, the session at "
                 f"{by_session}")


def steps(build, repeat, folder):
    print(f"\nSession::step and one get: nanoseconds per step, median of {repeat} runs")
    print(f"{'system':<24} {'FMI':>4} {'hand':>8} {'session':>8} {'beside':>7} {'goal':>5} "
          f"{'allocations':>12}", flush=True)
    for version in ("2.0", "3.0"):
        fmu = Fmu(build, version, "Trivial", folder / "session" / version)
        for system in (Alone(fmu), InRing(fmu, COMPONENTS)):
            check(system)
            command = steps_of(system)
            many = STEPS // system.count
            hand, session = slopes(repeat, many // 10, many, system.hand, command)
            goal = STEP_GOAL + (0.5 * hand if system.count > 1 else 0)
            few, more = (allocations(build, folder, command(n)) for n in (10_000, 20_000))
            print(f"{system.title:<24} {version:>4} {hand:>8.1f} {session:>8.1f} "
                  f"{session - hand:>7.1f} {goal:>5.0f} {(more - few) / 10_000:>12g}",
                  flush=True)


def states(build, repeat, folder):
    print(f"\nsave and restore of {COMPONENTS} components: nanoseconds, median of {repeat} runs")
    print(f"{'FMI':>4} {'hand':>8} {'session':>8} {'ratio':>6} {'save':>8} {'restore':>8}",
          flush=True)
    for version in ("2.0", "3.0"):
        fmu = Fmu(build, version, "Trivial", folder / "states" / version)
        file = InRing(fmu, COMPONENTS).write(STATES)
        hand, = slopes(repeat, STATES // 10, STATES,
                       lambda count: fmu.hand(count, "states", COMPONENTS))
        times = [[float(part) for part in
                  run([build / "bench/session", "states", file, STATES // 10]).split()]
                 for _ in range(repeat)]
        save, restore = (statistics.median(column) for column in zip(*times))
        print(f"{version:>4} {hand:>8.1f} {save + restore:>8.1f} {(save + restore) / hand:>6.2f} "
              f"{save:>8.1f} {restore:>8.1f}", flush=True)


def in_hand(build, repeat, folder):
    steps(build, repeat, folder)
    states(build, repeat, folder)
