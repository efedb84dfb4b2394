# SPDX-License-Identifier: BSD-2-Clause
"""Coupled systems: the cost of `tutti run` beyond the FMUs."""

import json
import statistics
import sys

from measure import H, Fmu, allocations, peak_memory, run, slopes

FMU_STEPS = 20_000_000  # of the long run with trivial FMUs
SIZES = [2, 10, 100, 1000, 10_000]


class Ring:
    """FMUs in a ring or a chain, by gauss-seidel in the order of the hand-written loop."""

    def __init__(self, fmu, count, shape, settings=""):
        self.fmu, self.count, self.shape, self.settings = fmu, count, shape, settings

    def hand(self, steps):
        return self.fmu.hand(steps, self.shape, self.count)

    def write(self, steps):
        names = [f"c{i}" for i in range(self.count)]
        u, y = self.fmu.input, self.fmu.output
        start = f"set.{y} = 1.0" if self.shape == "ring" else f"set.{u} = 1.0"
        lines = [f'[components.{name}]\nfmu = "{self.fmu.archive}"' for name in names]
        lines[0] += "\n" + start
        pairs = list(zip(names, names[1:])) + [(names[-1], names[0])] * (self.shape == "ring")
        links = ",\n".join(f'"{a}.{y} -> {b}.{u}"' for a, b in pairs)
        lines.append(f"[connections]\nlist = [\n{links}\n]")
        lines.append(f"[simulation]\nstop = {steps * H!r}\nstep = {H}\n" +
                     (self.settings or 'method = "gauss-seidel"'))
        if self.shape == "ring" and not self.settings:
            members = json.dumps(names)
            lines.append(f"[[cycles]]\nof = {members}\norder = {members}")
        lines.append(f'[results]\nvariables = ["{names[-1]}.{y}"]')
        file = self.fmu.folder / f"{self.shape}{self.count}-{steps}-{abs(hash(self.settings))}.toml"
        file.write_text("\n".join(lines) + "\n")
        return file

    def tutti(self, steps, output="none"):
        return [self.fmu.build / "tutti", "run", self.write(steps), "--quiet", "--output", output]

    def check(self, steps=100):
        """Both must compute the same, or the comparison means nothing."""
        csv = self.fmu.folder / "check.csv"
        hand = float(run(self.hand(steps)))
        run(self.tutti(steps, csv))
        tutti = float(csv.read_text().splitlines()[-1].split(",")[1])
        if abs(hand - tutti) > 1e-9 * abs(hand):
            sys.exit(f"{self.shape} of {self.count}: the hand-written loop ends at {hand}, "
                     f"tutti at {tutti}")


class RaceCar:
    """The example, whose models take as long as in the thesis: 31 % chassis, 16 % each wheel."""

    WORK = {"chassis": 310, "front_left": 160, "front_right": 160, "rear_left": 160,
            "rear_right": 160}
    STEP = 1e-3  # as in its file

    def __init__(self, build, threads):
        self.build, self.threads = build, threads

    def tutti(self, steps):
        settings = [f"{name}.work={time}" for name, time in self.WORK.items()]
        settings += [f"simulation.stop={steps * self.STEP}", f"simulation.threads={self.threads}"]
        return [self.build / "tutti", "run", self.build / "examples/race_car/system.toml",
                "--quiet", "--output", "none", *(p for s in settings for p in ("--set", s))]


class Bench:
    def __init__(self, build, folder, repeat):
        self.build, self.folder, self.repeat = build, folder, repeat

    def fmu(self, version, model):
        return Fmu(self.build, version, model, self.folder / "coupled" / version / model)

    def against_hand(self):
        """Nanoseconds per FMU-step."""
        print(f"\nnanoseconds per FMU and step in a coupled system, loading left out, median of "
              f"{self.repeat} runs")
        print(f"{'FMU':<8} {'FMI':>4} {'system':>12} {'hand':>8} {'tutti':>8} {'ratio':>6} "
              f"{'goal':>5}", flush=True)
        rows = [("Trivial", "2.0", shape, n, FMU_STEPS, 1.5) for shape in ("ring", "chain")
                for n in SIZES]
        rows += [("Trivial", "3.0", "ring", 100, FMU_STEPS, 1.5)]
        rows += [("Busy", "2.0", shape, 10, 300_000, 1.05) for shape in ("ring", "chain")]
        for model, version, shape, count, fmu_steps, goal in rows:
            ring = Ring(self.fmu(version, model), count, shape)
            ring.check()
            many = fmu_steps // count
            hand, tutti = slopes(self.repeat, many // 10, many, ring.hand, ring.tutti)
            print(f"{model:<8} {version:>4} {shape:>6}{count:>6} {hand / count:>8.1f} "
                  f"{tutti / count:>8.1f} {tutti / hand:>6.2f} {goal:>5}", flush=True)

    def pair(self, title, goal, count, fmu_steps, first, second):
        """Two ways against each other, each a Ring."""
        many = fmu_steps // count
        a, b = slopes(self.repeat, many // 10, many, first.tutti, second.tutti)
        print(f"{title:<48} {a / count:>9.1f} {b / count:>9.1f} {b / a:>6.2f} {goal:>7}",
              flush=True)

    def pairs(self):
        print(f"\nthe same in two ways: nanoseconds per FMU and step, median of {self.repeat} runs")
        print(f"{'':<48} {'first':>9} {'second':>9} {'ratio':>6} {'goal':>7}", flush=True)
        narrow, wide = self.fmu("2.0", "Wide17"), self.fmu("2.0", "Wide2000")
        self.pair("17 and 2,000 variables that are not connected", "<= 1.1", 10, FMU_STEPS // 2,
                  Ring(narrow, 10, "ring"), Ring(wide, 10, "ring"))

        def jacobi(threads):
            return f'method = "jacobi"\nthreads = {threads}'
        busy = self.fmu("2.0", "Busy20")
        self.pair("1 and 2 threads, 8 FMUs of 20 microseconds", f"<= {1 / 1.7:.2f}", 8, 24_000,
                  Ring(busy, 8, "ring", jacobi(1)), Ring(busy, 8, "ring", jacobi(2)))
        self.pair("1 and 2 threads, the race car", "<= 0.70", 5, 5 * 600,
                  RaceCar(self.build, 1), RaceCar(self.build, 2))
        trivial = self.fmu("2.0", "Trivial")
        for count in (8, 1000):
            self.pair(f"1 and 2 threads, {count} trivial FMUs", "<= 1.1", count, FMU_STEPS // 2,
                      Ring(trivial, count, "ring", jacobi(1)),
                      Ring(trivial, count, "ring", jacobi(2)))

    def allocations(self):
        print(f"\n{'allocations':<58} {'in all':>9} {'per step':>9} {'goal':>5}")
        loop = ('method = "newton"', 'method = "iterated"\ninputs.inside = "linear"',
                'method = "jacobi"\nthreads = 2')
        for version in ("2.0", "3.0"):
            for settings in ("", *loop):
                ring = Ring(self.fmu(version, "Trivial"), 10, "ring", settings)
                few, many = (allocations(self.build, self.folder, ring.tutti(steps))
                             for steps in (10_000, 20_000))
                name = f"ring of 10, FMI {version}, {(settings or 'gauss-seidel')}"
                name = name.replace('method = ', "").replace('"', "").replace("\n", ", ")
                print(f"{name:<58} {many:>9} {(many - few) / 10_000:>9g} {'0':>5}", flush=True)

    def loading(self, count=1000):
        print(f"\nload and initialization of {count} FMUs, median of {self.repeat} runs")
        for version in ("2.0", "3.0"):
            ring = Ring(self.fmu(version, "Trivial"), count, "ring")
            times, memory = [], []
            for _ in range(self.repeat):
                spent = json.loads(run(ring.tutti(1) + ["--json"]))["statistics"]["seconds"]
                times.append(spent["load"] + spent["initialize"])
                memory.append(peak_memory(self.build, ring.tutti(1)) -
                              peak_memory(self.build, ring.hand(1)))
            print(f"FMI {version}: {statistics.median(times):.3f} s (goal 0.5), "
                  f"{statistics.median(memory):.1f} MB beyond the hand-written loop (goal 10)",
                  flush=True)
