# SPDX-License-Identifier: BSD-2-Clause
"""Studies: many short runs of a system in warm workers (tutti::Cases)."""

import json
import os
import subprocess
import tempfile
import time
import venv
from pathlib import Path

from measure import busy_machine, run

RUNS = 10_000
FULL, SHORT = 4.0, 0.004  # s: stop times of 4,000 steps and of 4
BESIDE_GOAL = 100  # microseconds per run beside its steps
BUSY_GOAL = 0.85  # of the cores
FIT_TOLERANCE = 1e-6
FIT_GOAL = 20


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


def fmpy_python(build):
    """An interpreter that has FMPy and scipy, in a folder of its own. None: none."""
    place = build / "bench/fmpy"
    python = place / "bin/python"
    try:
        if not python.exists():
            venv.create(place, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "fmpy", "scipy"], check=True,
                       timeout=600)
        return python
    except (subprocess.SubprocessError, OSError) as error:
        print(f"\nFMPy cannot be installed, the estimation is compared with nothing: {error}")
        return None


def fitted_by_fmpy(python, example, way):
    """Outlets, simulations and seconds."""
    with tempfile.TemporaryDirectory() as folder:  # FMPy writes below HOME
        script = Path(__file__).parent / "fmpy_fit.py"
        text = run([python, script, example, FIT_TOLERANCE, way],
                   env=dict(os.environ, HOME=folder))
    return json.loads(text.splitlines()[-1])


def fitted(build, example, method):
    """The same by the whole command, with its start."""
    command = [build / "tutti", "estimate", example / "perturbed.toml", "--method", method,
               "--tolerance", FIT_TOLERANCE, "-o", "none", "--json", "-q"]
    for setting in ("components.tank.as=cs", "simulation.inputs.inside=constant"):
        command += ["--set", setting]
    start = time.perf_counter()
    report = json.loads(run(command))
    wall = time.perf_counter() - start
    return [1e6 * one["value"] for one in report["parameters"]], report["runs"], wall


def tank(build):
    """The disturbed measurements of the quadruple tank, with the same method and tolerance, and
    the same FMU for co-simulation, whose inputs are constant over the 60 steps: FMPy does not
    interpolate them. The start of Python is not counted."""
    example = build / "examples/quadruple_tank"
    python = fmpy_python(build)
    if python is None:
        return
    rows = {"FMPy, simulate_fmu": fitted_by_fmpy(python, example, "file"),
            "the same, unpacked": fitted_by_fmpy(python, example, "simulate"),
            "FMPy, single calls": fitted_by_fmpy(python, example, "calls"),
            "tutti": fitted(build, example, "nelder-mead"),
            "tutti, its default": fitted(build, example, "levenberg-marquardt")}
    print("\nstudies: the outlets of the quadruple tank by nelder-mead")
    if busy_machine():
        print("(other programs take cores: the times are too long)")
    print(f"{'':<20}{'simulations':>11} {'seconds':>8} {'us each':>8} {'ratio':>6}   "
          "outlets, 1e-6 m2")
    ours = rows["tutti"][2]
    for name, (outlets, count, seconds) in rows.items():
        print(f"{name:<20}{count:>11} {seconds:>8.3f} {1e6 * seconds / count:>8.0f} "
              f"{seconds / ours:>6.1f}   " + " ".join(f"{value:.6f}" for value in outlets))
    print(f"goal: {FIT_GOAL} times faster than the loop over simulate_fmu", flush=True)


# Each measures one kind of study.
PARTS = [quarter_car, tank]


def studies(build):
    for part in PARTS:
        part(build)
