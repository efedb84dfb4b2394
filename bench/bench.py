#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Measures `tutti simulate` against the same loop written by hand in C (hand_loop.c).

Both are whole processes: start, load, run, end. They alternate, and the medians are compared.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from xml.etree import ElementTree

H = 1e-3
ROWS = [  # model, steps, goal for tutti : hand
    ("Trivial", 10_000_000, 1.5),
    ("Busy", 500_000, 1.05),
]
FOLDERS = {"2.0": "linux64", "3.0": "x86_64-linux"}


class Fmu:
    """An FMU, and what the hand-written loop needs to know of it."""

    def __init__(self, build, version, model, folder):
        self.build, self.folder = build, folder
        self.archive = build / "fmus" / version / f"{model}.fmu"
        zipfile.ZipFile(self.archive).extractall(folder)
        root = ElementTree.parse(folder / "modelDescription.xml").getroot()
        first = {v.get("causality"): v for v in reversed(root.find("ModelVariables"))}
        identifier = root.find("CoSimulation").get("modelIdentifier")
        self.input = first["input"].get("name")
        self.known = [version[0], folder / "binaries" / FOLDERS[version] / f"{identifier}.so",
                      root.get("guid") or root.get("instantiationToken"),
                      first["input"].get("valueReference"), first["output"].get("valueReference")]

    def hand(self, steps):
        return [self.build / "bench/hand_loop", *self.known, steps, H]

    def tutti(self, steps, output):
        ramp = self.folder / f"ramp{steps}.csv"
        ramp.write_text(f"time,{self.input}\n0,0\n{steps * H},{steps * H}\n")
        return [self.build / "tutti", "simulate", self.archive, "--quiet", "--stop", steps * H,
                "--step", H, "--input", ramp, "--output", output]

    def check(self, steps=1000):
        """Both must compute the same, or the comparison means nothing."""
        csv = self.folder / "check.csv"
        hand = float(run(self.hand(steps)))
        run(self.tutti(steps, csv))
        tutti = float(csv.read_text().splitlines()[-1].split(",")[1])
        if abs(hand - tutti) > 1e-9 * abs(hand):
            sys.exit(f"{self.archive}: the hand-written loop ends at {hand}, tutti at {tutti}")


def run(command):
    return subprocess.run([str(part) for part in command], check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def seconds(command):
    start = time.perf_counter()
    run(command)
    return time.perf_counter() - start


def alternate(repeat, steps, *commands):
    """Median nanoseconds per step; the commands take turns, so that a slow moment meets all."""
    times = [[seconds(c) for c in commands] for _ in range(repeat)]
    return [1e9 * statistics.median(column) / steps for column in zip(*times)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--repeat", type=int, default=7)
    arguments = parser.parse_args()
    build, repeat = arguments.build.resolve(), arguments.repeat

    print(f"nanoseconds per step, whole processes, median of {repeat} runs")
    print(f"{'FMU':<8} {'FMI':>4} {'steps':>9} {'hand':>8} {'tutti':>8} {'ratio':>6} {'goal':>5}"
          f" {'recording':>10}", flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        for model, steps, goal in ROWS:
            for version in FOLDERS:
                fmu = Fmu(build, version, model, Path(temporary) / version / model)
                fmu.check()
                hand, tutti = alternate(repeat, steps, fmu.hand(steps), fmu.tutti(steps, "none"))
                fewer = steps // 10
                none, csv = alternate(repeat, fewer, fmu.tutti(fewer, "none"),
                                      fmu.tutti(fewer, fmu.folder / "out.csv"))
                print(f"{model:<8} {version:>4} {steps:>9} {hand:>8.1f} {tutti:>8.1f} "
                      f"{tutti / hand:>6.2f} {goal:>5} {csv - none:>10.1f}", flush=True)
    print(run([build / "bench/description"]), end="")


if __name__ == "__main__":
    main()
