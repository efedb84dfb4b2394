# SPDX-License-Identifier: BSD-2-Clause
"""Integrators: the cost of the interface relative to CVODE in C, errors against work beside scipy's, and
how the cost grows with the size of a sparse problem."""

import csv
import importlib.util
import json
import re
import shutil
import statistics
import subprocess
import sys
import venv
from pathlib import Path

from measure import run
from picture import draw
from work_precision import Problem, Run, ratios, slope, work_at

OVERHEAD_GOAL, SCIPY_GOAL, EXPONENT_GOAL = 1.05, 1.2, 1.2
TOLERANCES = [10 ** (-k / 2) for k in range(6, 21)]  # 1e-3 to 1e-10
LARGE_TOLERANCES = TOLERANCES[:13:2]  # of the problem with 10,000 states: 1e-3 to 1e-9...
LARGE_FIXED = LARGE_TOLERANCES[:3]  # ...and as few where each step is solved for
MOST_SECONDS = 120  # of a solver on a problem
FEWEST_RUNS = 3
MOST_CURVES, SHOWN_ERROR = 8, 1e-5  # in a picture: the cheapest for this error
COUNTERPARTS = [("radau5", "Radau"), ("cvode", "BDF"), ("cvode", "LSODA"), ("auto", "LSODA"),
                ("dopri5", "RK45"), ("dop853", "DOP853")]
STIFF, SMOOTH = ("van-der-pol", "robertson", "heat"), ("kepler", "ball")
COMPARED = {"Radau": STIFF, "BDF": STIFF, "LSODA": STIFF[:2] + SMOOTH, "RK45": SMOOTH,
            "DOP853": SMOOTH}
REFERENCES = ["radau5", "cvode", "rodas"]  # where no exact solution is known
REFERENCE_TOLERANCES = {"van-der-pol": 1e-12, "robertson": 1e-12}
SIZES = [100, 1_000, 10_000, 100_000]
GROWING = ["cvode", "radau5", "rodas", "ida"]


def instructions(command):
    """Counted by valgrind, which is exact where the machine's own counters are not to be had."""
    done = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no",
                           "--cachegrind-out-file=/dev/null", *map(str, command)], check=True,
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return int(re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)[1].replace(",", "")), done.stdout


def overhead(build):
    """From the difference of two intervals, so that start and end do not count."""
    if shutil.which("valgrind") is None:
        print("\nvalgrind is missing: instructions are not counted (apt-get install valgrind)")
        return []
    print("\ninstructions of tutti::integrate() and of the same calls of CVODE in C")
    print(f"{'problem':<14} {'states':>6} {'steps':>7} {'C':>12} {'tutti':>12} {'ratio':>7} "
          f"{'goal':>5}")
    wrong = []
    for name, states, short, end in (("van-der-pol", 2, 2, 40), ("brusselator", 100, 10, 60)):
        both = []
        for program in (["plain_cvode"], ["integrators", "steps"]):
            command = [build / "bench" / program[0], *program[1:], name, states]
            counts = [instructions([*command, t]) for t in (short, end)]
            both.append((counts[1][0] - counts[0][0], counts[1][1].split()))
        (by_hand, hand_end), (whole, end_here) = both
        apart = abs(float(hand_end[2]) / float(end_here[2]) - 1)
        if hand_end[0] != end_here[0] or apart > 1e-10:  # 1e-10: rounding errors of differences
            wrong.append(f"{name}: CVODE in C takes {hand_end[0]} steps to {hand_end[2]}, "
                         f"tutti {end_here[0]} to {end_here[2]}")
        ratio = whole / by_hand
        print(f"{name:<14} {states:>6} {end_here[0]:>7} {by_hand:>12} {whole:>12} {ratio:>7.3f} "
              f"{OVERHEAD_GOAL:>5}", flush=True)
        if ratio > OVERHEAD_GOAL:
            wrong.append(f"{name}: {ratio:.3f} times the instructions of CVODE in C")
    return wrong


class Diagrams:
    """Runs of all solvers, by problem and solver; those of scipy as "scipy METHOD"."""

    def __init__(self, build, folder, pictures):
        self.build, self.folder, self.pictures = build, folder, pictures
        self.program = build / "bench/integrators"
        rows = [line.split() for line in run([self.program, "solvers"]).splitlines()]
        self.solvers = [row[0] for row in rows]
        self.fixed = {row[0] for row in rows if row[2] == "1"}
        self.problems, self.runs, self.failures = {}, {}, []

    def measure(self):
        for name in run([self.program, "problems"]).split():
            problem = Problem.parsed(name, run([self.program, "problem", name]))
            self.problems[name] = problem
            if not problem.reference:
                self.find_reference(problem)
            for solver in self.solvers:
                found = self.of_solver(problem, solver)
                if len(found) >= FEWEST_RUNS:
                    self.runs[name, solver] = found

    def lines(self, problem, solver, tolerances):
        command = [self.program, "run", problem.name, solver, *map(repr, tolerances)]
        try:
            text = run(command, timeout=MOST_SECONDS)
        except subprocess.TimeoutExpired as late:
            self.failures.append((problem.name, solver, "all", f"not done in {MOST_SECONDS} s"))
            text = (late.stdout or b"").decode()
            text = text[:text.rfind("\n") + 1]
        return [line.split() for line in text.splitlines()]

    def find_reference(self, problem):
        """The first solver at the tightest tolerance, compared with the second one."""
        found = []
        for solver in REFERENCES:
            if solver not in self.solvers:
                continue
            line, = self.lines(problem, solver, [REFERENCE_TOLERANCES[problem.name]])
            if line[1] != "failed:":
                found.append((solver, [float(word) for word in line[5:]]))
        (best, problem.reference), (other, values) = found[:2]
        problem.source = (f"{best} at {REFERENCE_TOLERANCES[problem.name]:g}; {other} differs by "
                          f"{problem.error(values):.1e}")

    def of_solver(self, problem, solver):
        tolerances = TOLERANCES
        if problem.size > 1000:
            tolerances = LARGE_FIXED if solver in self.fixed else LARGE_TOLERANCES
        found = []
        for line in self.lines(problem, solver, tolerances):
            if line[1] == "failed:":
                self.failures.append((problem.name, solver, line[0], " ".join(line[2:])))
                continue
            error = problem.error([float(word) for word in line[5:]])
            if 0 < error < 1:
                found.append(Run(float(line[0]), error, int(line[2]), float(line[4]), int(line[1])))
        return found

    def write(self):
        table = self.folder / "integrators.csv"
        with table.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["problem", "solver", "tolerance", "error", "evaluations", "steps",
                             "seconds"])
            for (problem, solver), runs in self.runs.items():
                for r in runs:
                    writer.writerow([problem, solver, f"{r.rtol:.3g}", f"{r.error:.3g}",
                                     r.evaluations, r.steps, f"{r.seconds:.3g}"])
        print(f"all runs in {table}")

    def table(self):
        """Cheapest way to an error, in evaluations and milliseconds."""
        print("\nevaluations (those for Jacobians too) and milliseconds for an error, interpolated")
        for name, problem in self.problems.items():
            errors = (1e-4, 1e-6, 1e-8)
            print(f"{name} (reference: {problem.source})")
            print(f"{'':<16}" + "".join(f"{error:>20g}" for error in errors))
            for solver in self.solvers:
                here = self.runs.get((name, solver))
                if not here:
                    continue
                print(f"{solver:<16}" + "".join(f"{self.cell(here, error):>20}" for error in errors),
                      flush=True)

    @staticmethod
    def cell(runs, error):
        calls = work_at(runs, error, lambda run: run.evaluations)
        seconds = work_at(runs, error, lambda run: run.seconds)
        if calls and seconds:
            return f"{calls:.0f} {1e3 * seconds:9.3g}"
        loosest = max(runs, key=lambda run: run.rtol)
        if loosest.error < error:  # it cannot be had cheaper
            return f"<{loosest.evaluations} {1e3 * loosest.seconds:9.3g}"
        return "-"

    def shown(self, problem):
        """The cheapest, for more curves hide each other; not `auto`, which is one of the others."""
        cost = {}
        for solver in self.solvers:
            runs = [r for r in self.runs.get((problem, solver), []) if r.error < SHOWN_ERROR]
            if runs and solver != "auto":
                cost[solver] = min(r.evaluations for r in runs)
        return sorted(cost, key=cost.get)[:MOST_CURVES]

    def print_failures(self):
        """One of each solver on each problem: the others are like it."""
        first = {}
        for problem, solver, tolerance, text in self.failures:
            first.setdefault((problem, solver), []).append((tolerance, text))
        for (problem, solver), found in first.items():
            tolerance, text = found[0]
            text = text.split(": ", 2)[-1]
            print(f"{problem}: {solver} fails at {len(found)} tolerances; at {tolerance}: {text}")

    def draw(self):
        self.pictures.mkdir(parents=True, exist_ok=True)
        for name in self.problems:
            panels, shown = [], self.shown(name)
            for title, measure in (("right-hand sides", lambda r: r.evaluations),
                                   ("seconds", lambda r: r.seconds)):
                curves = {solver: [(measure(r), r.error) for r in self.runs[name, solver]
                                   if measure(r) > 0] for solver in shown}
                panels.append((title, "error", curves))
            if shown:
                draw(self.pictures / f"integrators-{name}.svg", name, panels)
        print(f"pictures in {self.pictures}/integrators-*.svg")


def scipy_python(build):
    """An interpreter that has scipy: this one, or one in a folder of its own. None: none."""
    if importlib.util.find_spec("scipy"):
        return sys.executable
    place = build / "bench/scipy"
    python = place / "bin/python"
    if subprocess.run([python, "-c", "import scipy"], stderr=subprocess.DEVNULL).returncode == 0 \
            if python.exists() else False:
        return python
    try:
        venv.create(place, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "scipy"], check=True,
                       timeout=300)
        return python
    except (subprocess.SubprocessError, OSError) as error:
        print(f"\nscipy cannot be installed, nothing is compared with it: {error}")
        return None


def scipy_runs(diagrams, python, problem, method):
    job = diagrams.folder / "job.json"
    job.write_text(json.dumps({
        "name": problem.name, "size": problem.size, "stride": problem.stride, "method": method,
        "points": problem.points, "start": problem.start, "atol": problem.atol,
        "tolerances": LARGE_TOLERANCES if problem.size > 1000 else TOLERANCES}))
    script = [python, Path(__file__).parent / "scipy_solvers.py",
              diagrams.build / "bench/libode_problems.so", job]
    found = []
    for line in run(script, stderr=subprocess.DEVNULL).splitlines():
        rtol, calls, values = json.loads(line)
        if isinstance(values, list):
            found.append(Run(rtol, problem.error(values), calls))
    return found


def beside_scipy(diagrams):
    python = scipy_python(diagrams.build)
    if python is None:
        return []
    print(f"\nevaluations at equal error over those of scipy, tolerances 1e-4 to 1e-9: medians "
          f"(goal {SCIPY_GOAL})")
    methods = {method for _, method in COUNTERPARTS}
    for method in sorted(methods):
        for name in COMPARED[method]:
            diagrams.runs[name, f"scipy {method}"] = scipy_runs(
                diagrams, python, diagrams.problems[name], method)
    wrong = []
    for solver, method in COUNTERPARTS:
        if solver not in diagrams.solvers:
            print(f"{solver:<8} {method:<7} there is no {solver}")
            continue
        found = {name: ratios(diagrams.runs.get((name, solver), []),
                              diagrams.runs[name, f"scipy {method}"]) for name in COMPARED[method]}
        every = [ratio for here in found.values() for ratio in here]
        if not every:
            continue
        median = statistics.median(every)
        print(f"{solver:<8} {method:<7} {median:>5.2f}   " + "  ".join(
            f"{name} {statistics.median(here):.2f}" for name, here in found.items() if here),
            flush=True)
        if median > SCIPY_GOAL:
            wrong.append(f"{solver} needs {median:.2f} times the evaluations of scipy's {method}")
    return wrong


def growth(diagrams):
    print(f"\nBrusselator on a line, tolerance 1e-6: seconds, and the exponent of the cost "
          f"(goal {EXPONENT_GOAL})")
    print(f"{'states':<10}" + "".join(f"{size:>10}" for size in SIZES) + f"{'exponent':>10}")
    curves, wrong = {}, []
    for solver in GROWING:
        if solver not in diagrams.solvers:
            continue
        seconds = [float(run([diagrams.program, "size", solver, size]).split()[2])
                   for size in SIZES]
        curves[solver] = list(zip(SIZES, seconds))
        exponent = slope(curves[solver])
        print(f"{solver:<10}" + "".join(f"{s:>10.3g}" for s in seconds) + f"{exponent:>10.2f}",
              flush=True)
        if exponent > EXPONENT_GOAL:
            wrong.append(f"{solver}: the cost grows with exponent {exponent:.2f}")
    if curves:
        draw(diagrams.pictures / "integrators-size.svg", "Brusselator on a line",
             [("states", "seconds", curves)])
    return wrong


def integrators(build):
    """Returns what misses its goal, if something does."""
    wrong = overhead(build)
    diagrams = Diagrams(build, build / "bench", build / "bench/pictures")
    diagrams.measure()
    diagrams.table()
    diagrams.print_failures()
    diagrams.draw()
    wrong += beside_scipy(diagrams)
    diagrams.write()
    wrong += growth(diagrams)
    return "; ".join(wrong)
