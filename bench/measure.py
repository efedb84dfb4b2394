# SPDX-License-Identifier: BSD-2-Clause
"""Measurements: processes run alternately, and the medians of their times."""

import os
import statistics
import subprocess
import sys
import time
import zipfile
from xml.etree import ElementTree

H = 1e-5  # small enough that rings, whose values grow as e^t, stay finite
FOLDERS = {"2.0": "linux64", "3.0": "x86_64-linux"}


class Fmu:
    """An FMU, and what the hand-written loop needs to know of it."""

    def __init__(self, build, version, model, folder):
        self.build, self.folder, self.version = build, folder, version
        self.archive = build / "fmus" / version / f"{model}.fmu"
        zipfile.ZipFile(self.archive).extractall(folder)
        root = ElementTree.parse(folder / "modelDescription.xml").getroot()
        first = {v.get("causality"): v for v in reversed(root.find("ModelVariables"))}
        identifier = root.find("CoSimulation").get("modelIdentifier")
        self.input, self.output = first["input"].get("name"), first["output"].get("name")
        self.known = [version[0], folder / "binaries" / FOLDERS[version] / f"{identifier}.so",
                      root.get("guid") or root.get("instantiationToken"),
                      first["input"].get("valueReference"), first["output"].get("valueReference")]

    def hand(self, steps, *shape):
        return [self.build / "bench/hand_loop", *self.known, steps, H, *shape]


def run(command, **options):
    return subprocess.run([str(part) for part in command], check=True, text=True,
                          stdout=subprocess.PIPE, **options).stdout


def seconds(command):
    start = time.perf_counter()
    run(command)
    return time.perf_counter() - start


def alternate(repeat, steps, *commands):
    """Median nanoseconds per step; the commands take turns, so that a slow moment meets all."""
    times = [[seconds(c) for c in commands] for _ in range(repeat)]
    return [1e9 * statistics.median(column) / steps for column in zip(*times)]


def slopes(repeat, few, many, *commands):
    """Median nanoseconds per step, from the difference between a short and a long run, so that
    start and end do not count. Commands are functions of the number of steps."""
    times = [[seconds(c(many)) - seconds(c(few)) for c in commands] for _ in range(repeat)]
    return [1e9 * statistics.median(column) / (many - few) for column in zip(*times)]


def peak_memory(build, command):
    """Megabytes that the process, or a child that it waited for, had at most."""
    return int(run([build / "bench/peak_memory", *command])) / 1024


def allocations(build, folder, command):
    """Of the process that has the FMUs: the last one. The counter is preloaded."""
    counts = folder / "allocations"
    counts.write_bytes(bytes(16))
    run(command, env=dict(os.environ, ALLOCATION_COUNTS=str(counts),
                          LD_PRELOAD=str(build / "bench/libcount_allocations.so")))
    both = counts.read_bytes()
    found = int.from_bytes(both[8:], sys.byteorder) or int.from_bytes(both[:8], sys.byteorder)
    if found == 0:
        sys.exit("nothing was counted: a run without any allocation cannot be")
    return found


def busy_machine():
    """Others at work spoil the figures, and medians do not help where they are always there."""
    return os.getloadavg()[0] > 0.5 * os.cpu_count()
