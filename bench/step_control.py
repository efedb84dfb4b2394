# SPDX-License-Identifier: BSD-2-Clause
"""Cost and accuracy of step size control on Math003, in calls of doStep."""

import csv
import json

from measure import run

# MASTERSIM's with the tolerances of its own test: calls of part 1, and of parts 2 and 3.
GOAL = 2.1e-5, 1229, 1496
ITERATED = {"method": "iterated", "step": "0.14", "control.max": "0.14"}
TESTED = ITERATED | {"control.name": "richardson", "control.at-min": "continue",
                     "control.atol": "1e-5", "control.rtol": "1e-5", "control.min": "1e-5",
                     "control.fall-back": "1e-4"}


def tested(variant, rtol="1e-5", least="1e-5", fall_back="1e-4", **more):
    return TESTED | {"control.variant": variant, "control.rtol": rtol, "tolerance.rel": rtol,
                     "control.min": least, "control.fall-back": fall_back} | {
        f"control.{key}": value for key, value in more.items()}


ROWS = [
    ("gauss-seidel, h = 0.001", {"step": "0.001"}),
    ("gauss-seidel, h = 1e-5", {"step": "1e-5"}),
    ("convergence", ITERATED | {"control.name": "convergence", "control.min": "1e-6",
                                "control.fall-back": "5e-6"}),
    ("eas, linear, rtol 1e-5", TESTED | {"control.variant": "eas", "control.estimator": "linear"}),
    ("mastersim-2018, rtol 1e-5", tested("mastersim-2018")),
    ("mastersim, rtol 1e-5", tested("mastersim")),
    ("mastersim, rtol 1e-4", tested("mastersim", "1e-4")),
    ("tutti, shrink 0.2, rtol 1e-5", tested("tutti", shrink="0.2")),
    ("tutti, rtol 1e-5", tested("tutti")),
    ("tutti, rtol 1e-4", tested("tutti", "1e-4")),
    ("tutti, rtol 1e-5, min 3e-6", tested("tutti", least="3e-6", fall_back="1.5e-5")),
    ("tutti, rtol 1e-4, min 3e-6", tested("tutti", "1e-4", "3e-6", "1.5e-5")),
    ("tutti, rtol 1e-5, min 1e-6", tested("tutti", least="1e-6", fall_back="5e-6")),
]


def solution(t):
    if t <= 3:
        return max(0, min(2.5, 6 * (t - 1)))
    return max(-2.5, 2.5 - 6 * (t - 3)) if t <= 5 else min(2.5, -2.5 + 6 * (t - 5))


def measure(build, folder, settings):
    result = folder / "math003.csv"
    command = [build / "tutti", "run", build / "examples/math003/system.toml", "--quiet", "--json",
               "--output", result]
    for key, value in settings.items():
        command += ["--set", f"simulation.{key}={value}"]
    statistics = json.loads(run(command))["statistics"]
    with open(result, newline="") as file:
        error = max(abs(float(row["part3.x4"]) - solution(float(row["time"])))
                    for row in csv.DictReader(file))
    return statistics, error


def math003(build, folder):
    error_goal, first_goal, other_goal = GOAL
    print("\nstep control on Math003: calls of doStep and largest error of x4; at an error of "
          f"{error_goal} or less,\nMASTERSIM needs {first_goal}, {other_goal} and {other_goal}")
    print(f"{'control':<30} {'steps':>7} {'failures':>8} {'part1':>8} {'part2':>8} {'part3':>8} "
          f"{'error':>9}  goal", flush=True)
    for name, settings in ROWS:
        statistics, error = measure(build, folder, settings)
        failures = statistics.get("failures", {})
        calls = [component["doStep"] for component in statistics["components"].values()]
        fine = error <= error_goal and calls[0] < first_goal and max(calls[1:]) < other_goal
        print(f"{name:<30} {statistics['steps']:>7} "
              f"{failures.get('convergence', 0) + failures.get('errorTest', 0):>8} "
              f"{calls[0]:>8} {calls[1]:>8} {calls[2]:>8} {error:>9.2e}  {'met' if fine else ''}",
              flush=True)
