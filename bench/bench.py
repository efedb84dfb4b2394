#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Measures Tutti against the same loops written by hand in C (hand_loop.c).

One FMU: `tutti simulate`, whole processes: start, load, run, end. Coupled systems: `tutti run`.
Both sides alternate, and the medians are compared. Step control: calls and errors on Math003.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from accuracy import accuracy
from clusters import clusters
from coupled import Bench
from integrators import integrators
from measure import FOLDERS, H, Fmu, alternate, busy_machine, run
from results import result_formats
from session import in_hand
from step_control import math003
from studies import studies
from tlm import tlm
from zoo import zoo

ROWS = [  # model, whether a table drives its input, steps, goal for tutti : hand
    ("Trivial", True, 10_000_000, 1.5),
    ("Trivial", False, 10_000_000, 1.5),
    ("Busy", True, 500_000, 1.05),
]


def tutti(fmu, steps, output, driven):
    command = [fmu.build / "tutti", "simulate", fmu.archive, "--quiet", "--stop", steps * H,
               "--step", H, "--output", output]
    if not driven:
        return command
    ramp = fmu.folder / f"ramp{steps}.csv"
    ramp.write_text(f"time,{fmu.input}\n0,0\n{steps * H},{steps * H}\n")
    return command + ["--input", ramp]


def by_hand_loop(fmu, steps, driven):
    return fmu.hand(steps) if driven else fmu.hand(steps, "free", 1)


def check(fmu, driven, steps=1000):
    """Both must compute the same, or the comparison means nothing."""
    csv = fmu.folder / "check.csv"
    by_hand = float(run(by_hand_loop(fmu, steps, driven)))
    run(tutti(fmu, steps, csv, driven))
    by_tutti = float(csv.read_text().splitlines()[-1].split(",")[1])
    if abs(by_hand - by_tutti) > 1e-9 * abs(by_hand):
        sys.exit(f"{fmu.archive}: the hand-written loop ends at {by_hand}, tutti at {by_tutti}")


def one_fmu(build, repeat, folder):
    print(f"nanoseconds per step, whole processes, median of {repeat} runs")
    print(f"{'FMU':<8} {'FMI':>4} {'input':>6} {'steps':>9} {'hand':>8} {'tutti':>8} {'ratio':>6} "
          f"{'goal':>5} {'recording':>10}", flush=True)
    for model, driven, steps, goal in ROWS:
        for version in FOLDERS:
            fmu = Fmu(build, version, model, folder / version / model)
            check(fmu, driven)
            hand, whole = alternate(repeat, steps, by_hand_loop(fmu, steps, driven),
                                    tutti(fmu, steps, "none", driven))
            fewer = steps // 10
            none, csv = alternate(repeat, fewer, tutti(fmu, fewer, "none", driven),
                                  tutti(fmu, fewer, fmu.folder / "out.csv", driven))
            print(f"{model:<8} {version:>4} {'table' if driven else 'none':>6} {steps:>9} "
                  f"{hand:>8.1f} {whole:>8.1f} {whole / hand:>6.2f} {goal:>5} {csv - none:>10.1f}",
                  flush=True)


def zoo_options(arguments):
    named = {"--systems": arguments.systems, "--classes": arguments.classes,
             "--tolerances": arguments.tolerances, "--seconds": arguments.seconds,
             "-j": arguments.j}
    options = [part for name, value in named.items() if value for part in (name, value)]
    return options + ["--best"] * arguments.best


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--repeat", type=int, default=5, help="runs of each [5]")
    parts = {"one": "one FMU", "coupled": "systems against the hand-written loop",
             "session": "steps, saving and restoring in a program of the user",
             "workers": "what it costs to have FMUs in a process of their own",
             "pairs": "variables, threads", "allocations": "per step", "loading": "1,000 FMUs",
             "description": "reading a large model description",
             "control": "calls and errors of step control",
             "tlm": "components over transmission lines",
             "studies": "many runs in warm workers, a minute",
             "results": "writing 1e8 numbers in each format, two minutes",
             "clusters": "chains of FMUs solved together against one FMU",
             "accuracy": "calls that each way of coupling needs for an error, some minutes",
             "integrators": "work of integrators for an error, some minutes; only if asked for",
             "zoo": "how often auto keeps its tolerance, some minutes; only if asked for"}
    parser.add_argument("--only", choices=parts, action="append",
                        help="; ".join(f"{name}: {text}" for name, text in parts.items()))
    choice = parser.add_argument_group("zoo")
    choice.add_argument("--systems", help="Names separated by commas, with * at the end as a wildcard [all]")
    choice.add_argument("--classes", help="Classes of FMUs: all,values,forward,neither [all of them]")
    choice.add_argument("--tolerances", help="Tolerances of 1e-3,1e-5,1e-7 [all of them]")
    choice.add_argument("--seconds", help="Time limit of one run [30]")
    choice.add_argument("-j", help="Number of parallel processes [1]")
    choice.add_argument("--best", action="store_true",
                        help="Compare with the best fixed-step method (an hour)")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    if busy_machine():
        print("Other programs are running: these figures are no measure of anything.\n")
    with tempfile.TemporaryDirectory() as temporary:
        bench = Bench(build, Path(temporary), arguments.repeat)
        actions = {"one": lambda: one_fmu(build, arguments.repeat, Path(temporary)),
                   "coupled": bench.against_hand, "pairs": bench.pairs,
                   "session": lambda: in_hand(build, arguments.repeat, Path(temporary)),
                   "workers": lambda: print(run([build / "bench/workers",
                                                 build / "fmus/2.0/Trivial.fmu",
                                                 arguments.repeat]), end=""),
                   "allocations": bench.allocations, "loading": bench.loading,
                   "control": lambda: math003(build, Path(temporary)),
                   "tlm": lambda: tlm(build, arguments.repeat, Path(temporary)),
                   "studies": lambda: studies(build),
                   "results": lambda: result_formats(build, Path(temporary)),
                   "clusters": lambda: clusters(build, arguments.repeat, Path(temporary)),
                   "accuracy": lambda: accuracy(build, build / "bench/pictures"),
                   "integrators": lambda: integrators(build),
                   "zoo": lambda: zoo(build, zoo_options(arguments)),
                   "description": lambda: print("\n" + run([build / "bench/description"]), end="")}
        # These measure results and take minutes: only if asked for.
        wanted = arguments.only or [name for name in parts if name not in ("integrators", "zoo")]
        wrong = [text for name in wanted if (text := actions[name]())]
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
