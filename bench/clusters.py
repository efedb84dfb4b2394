# SPDX-License-Identifier: BSD-2-Clause
"""Clusters: a chain of masses and springs as one FMU per mass, solved together, against one FMU that
holds the whole chain, with the same solver and tolerance. The floor is what the calls across the
boundaries of FMUs cost alone: the time of one FMU, and in each evaluation the difference between the
two when a hand-written loop makes the calls (hand_chain.c)."""

import json
import math
import subprocess
import zipfile
from xml.etree import ElementTree

COUNTS = (10, 100, 1000)
RATIO_GOAL = 1.5
FLOOR_GOAL = 2  # times the floor, where that is above the other goal
GROWTH_GOAL = 1.3  # exponent of the time over the number of masses, for equal work of the solver
SOLVERS = (("cvode", 1e-6), ("dopri5", 1e-6))


def together(element, count, solver, rtol):
    text = "".join(f'[components.m{i}]\nfmu = "{element}"\n' for i in range(1, count + 1))
    wires = []
    for i in range(1, count):
        wires += [f'"m{i}.x -> m{i + 1}.x_left"', f'"m{i}.v -> m{i + 1}.v_left"',
                  f'"m{i + 1}.s -> m{i}.pull"']
    names = ", ".join(f'"m{i}"' for i in range(1, count + 1))
    return (text + f"[components.m1.set]\nx = 1.0\n[connections]\nlist = [{', '.join(wires)}]\n"
            f"[[clusters]]\nof = [{names}]\nsolver = {{ name = \"{solver}\", rtol = {rtol} }}\n"
            + tail("m5.x"))


def whole(fmu, count, solver, rtol):
    return (f'[components.chain]\nfmu = "{fmu}"\nas = "me"\nset = {{ x1 = 1.0 }}\n'
            f'solver = {{ name = "{solver}", rtol = {rtol} }}\n' + tail("chain.x5"))


def tail(variable):
    return f'[simulation]\nstop = 2.0\nstep = 2.0\n[results]\nvariables = ["{variable}"]\n'


def unpacked(archive, folder):
    """Library and token of an FMU, and its value references by name."""
    zipfile.ZipFile(archive).extractall(folder)
    root = ElementTree.parse(folder / "modelDescription.xml").getroot()
    references = {v.get("name"): v.get("valueReference") for v in root.find("ModelVariables")}
    return [folder / "binaries/linux64" / f"{archive.stem}.so", root.get("guid")], references


def price_of_calls(build, folder, count):
    """Seconds of one evaluation that one FMU per mass needs more than one for all."""
    element, references = unpacked(build / "fmus/2.0/BenchElement.fmu", folder / "element")
    whole, _ = unpacked(build / f"fmus/2.0/BenchChain{count}.fmu", folder / f"chain{count}")
    command = [build / "bench/hand_chain", count, max(300000 // count, 1), *element,
               *(references[name] for name in ("x_left", "v_left", "pull", "s")), *whole]
    out = subprocess.run([str(part) for part in command], check=True, text=True,
                         stdout=subprocess.PIPE).stdout
    members, one = (float(part) for part in out.split())
    return (members - one) * 1e-9 * count


def measure(build, folder, text):
    """Seconds in steps, the solver's counts and the last value."""
    file, results = folder / "chain.toml", folder / "chain.csv"
    file.write_text(text)
    out = subprocess.run([build / "tutti", "run", file, "--json", "-q", "-o", results], check=True,
                         text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    found = json.loads(out)["statistics"]
    counts = [c["solver"] for c in found["components"].values() if "solver" in c][0]
    last = float(results.read_text().split()[-1].split(",")[1])
    return found["seconds"]["step"], found["seconds"]["load"], counts, last


def clusters(build, repeat, folder):
    """Answers what is wrong with the figures, if something is."""
    print(f"\nchains of masses: milliseconds of a run, fastest of {repeat}; goal: ratio <= {RATIO_GOAL}, "
          f"or {FLOOR_GOAL} times the floor")
    print(f"{'solver':<8} {'masses':>7} {'cluster':>10} {'one FMU':>10} {'ratio':>6} "
          f"{'floor':>6} {'steps':>7} {'one':>7} {'us/step/mass':>13} {'load':>8} {'difference':>11}", flush=True)
    wrong = []
    prices = {count: price_of_calls(build, folder, count) for count in COUNTS}
    for solver, rtol in SOLVERS:
        costs = {}
        for count in COUNTS:
            texts = (together(build / "fmus/2.0/BenchElement.fmu", count, solver, rtol),
                     whole(build / f"fmus/2.0/BenchChain{count}.fmu", count, solver, rtol))
            runs = [[measure(build, folder, text) for text in texts] for _ in range(repeat)]
            # The fastest: a run can be disturbed, but not be too fast.
            ours, one = (min(r[k][0] for r in runs) for k in (0, 1))
            load = min(r[0][1] for r in runs)
            (_, _, us, a), (_, _, them, b) = runs[0]
            costs[count] = ours / us["steps"]
            floor = 1 + us["rightHandSides"] * prices[count] / one
            print(f"{solver:<8} {count:>7} {1e3 * ours:>10.2f} {1e3 * one:>10.2f} "
                  f"{ours / one:>6.2f} {floor:>6.2f} {us['steps']:>7} {them['steps']:>7} "
                  f"{1e6 * costs[count] / count:>13.3f} {1e3 * load:>8.1f} {abs(a - b):>11.1e}",
                  flush=True)
            if ours > max(RATIO_GOAL, FLOOR_GOAL * floor) * one:
                wrong.append(f"{solver}, {count} masses: {ours / one:.2f} times one FMU, with a floor "
                             f"of {floor:.2f}")
            # Both compute the same: their difference is that of two runs of this tolerance.
            if abs(a - b) > 100 * rtol:
                wrong.append(f"{solver}, {count} masses: the results differ by {abs(a - b):.1e}")
        growth = math.log(costs[COUNTS[-1]] / costs[COUNTS[0]]) / math.log(COUNTS[-1] / COUNTS[0])
        print(f"{solver:<8} a step costs masses^{growth:.2f}, goal <= {GROWTH_GOAL}")
        if growth > GROWTH_GOAL:
            wrong.append(f"{solver}: a step costs masses^{growth:.2f}")
    return wrong and "clusters: " + "; ".join(wrong)
