# SPDX-License-Identifier: BSD-2-Clause
"""Components over transmission lines: cost and savings of their own steps."""

import csv
import statistics

from measure import allocations, run, seconds, slopes

DELAY = 1e-3
LINKS = 1000
CALL = 200  # nanoseconds that an FMU of the long chain takes

CONSTANT_EFFORT = 'effort = "f{side}"\ninput = "constant"\n'
COARSE_WAVE = ('wave = "c{side}"\nwave-slope = "dc{side}"\nimpedance = "Z{side}"\n'
               'input = "coarse"\n')


def link(name, archive, rounds, driven, step=None, values=""):
    own = f"step = {step!r}\n" if step else ""
    sides = "".join(f'[components.{name}.ports.p{side}]\ndomain = "translational"\nflow = "v"\n'
                    + driven.format(side=side) for side in (1, 2))
    return (f'[components.{name}]\nfmu = "{archive}"\n{own}'
            f"set = {{ rounds = {rounds}{values} }}\n{sides}")


class Chain:
    """Masses in a row, over lines or by ordinary connections."""

    def __init__(self, build, folder, count, rounds, lines, threads=1):
        self.build, self.folder, self.count, self.rounds = build, folder, count, rounds
        self.lines, self.threads, self.step = lines, threads, DELAY / 8  # as it is by default

    def write(self, steps):
        archive = self.build / "fmus/2.0/Link.fmu"
        names = [f"c{i}" for i in range(self.count)]
        text = []
        for i, name in enumerate(names):
            # All move: numbers near zero, whose squares underflow, would take much longer.
            speed = 1.0 + i % 2
            if self.lines:
                text.append(link(name, archive, self.rounds, CONSTANT_EFFORT,
                                 values=f", v = {speed}"))
            else:
                text.append(f'[components.{name}]\nfmu = "{archive}"\n'
                            f"set = {{ rounds = {self.rounds}, v = {speed} }}\n")
        pairs = list(zip(names, names[1:]))
        if self.lines:
            text += [f'[[tlm]]\nbetween = ["{a}.p2", "{b}.p1"]\ndelay = {DELAY}\nimpedance = 1.0\n'
                     for a, b in pairs]
        else:
            both = [('v', a, b, 1, 1.0) for a, b in pairs] + [('v', b, a, 2, -1.0) for a, b in pairs]
            text.append("[connections]\nlist = [\n" + ",\n".join(
                f'{{ from = "{a}.{y}", to = "{b}.f{side}", factor = {factor}, units = "ignore" }}'
                for y, a, b, side, factor in both) + "\n]\n")
        # Points where all meet are rare, and nothing is recorded there.
        meeting = self.step * 100 if self.lines else self.step
        text.append(f"[simulation]\nstop = {steps * self.step!r}\nstep = {meeting!r}\n"
                    f'method = "jacobi"\nthreads = {self.threads}\n')
        file = self.folder / f"chain{self.count}-{self.lines}-{self.threads}-{steps}.toml"
        file.write_text("\n".join(text))
        return file

    def tutti(self, steps, output="none"):
        return [self.build / "tutti", "run", self.write(steps), "--quiet", "--output", output]


class Mixed:
    """One fast component, which needs steps of a microsecond, and 99 slow ones, which do not."""
    FAST, SLOW = 1e-6, 1e-3

    def __init__(self, build, folder, slow_step):
        self.build, self.folder, self.slow_step = build, folder, slow_step

    def write(self, stop):
        archive = self.build / "fmus/2.0/WaveLink.fmu"
        # The fast one swings with 20,000 rad/s: its error, (h w)^2/12 of each radian, is the
        # largest one of both runs. The slow ones swing with 1 rad/s, and the lines between them,
        # of 100 N/m, couple them strongly.
        text = [link("fast", archive, 500, COARSE_WAVE, self.FAST, ", m = 1.0, k = 4e8, v = 1.0")]
        names = ["fast"] + [f"s{i}" for i in range(99)]
        text += [link(name, archive, 500, COARSE_WAVE, self.slow_step,
                      f", m = 10.0, k = 10.0, v = {1.0 if name == 's0' else 0.5}")
                 for name in names[1:]]
        text += [f'[[tlm]]\nbetween = ["{a}.p2", "{b}.p1"]\ndelay = {self.SLOW}\n'
                 f"impedance = 0.1\n" for a, b in zip(names, names[1:])]
        text.append(f"[simulation]\nstop = {stop!r}\nstep = 0.01\n"
                    '[results]\nvariables = ["fast.v", "s0.x", "s1.x", "s98.x"]\n')
        file = self.folder / f"mixed-{self.slow_step}-{self.FAST}-{stop}.toml"
        file.write_text("\n".join(text))
        return file

    def tutti(self, stop, output):
        return [self.build / "tutti", "run", self.write(stop), "--quiet", "--output", output]

    def values(self, stop):
        out = self.folder / "mixed.csv"
        run(self.tutti(stop, out))
        rows = list(csv.reader(out.open()))[1:]
        return [[float(cell) for cell in row[1:]] for row in rows]


def worst(rows, reference):
    """The largest error of each column, relative to its largest value."""
    errors = []
    for column in range(len(rows[0])):
        size = max(abs(row[column]) for row in reference)
        errors.append(max(abs(a[column] - b[column]) for a, b in zip(rows, reference)) / size)
    return max(errors)


def rounds_for(nanoseconds, build, folder):
    """How many rounds of Link take so long on this machine."""
    few, many = ([time / LINKS for time in slopes(3, 200, 1200, Chain(
        build, folder, LINKS, rounds, False).tutti)][0] for rounds in (50, 250))
    return 50 + round((nanoseconds - few) * 200 / (many - few))


def tlm(build, repeat, folder):
    folder = folder / "tlm"
    folder.mkdir(parents=True, exist_ok=True)
    wrong = []
    rounds = rounds_for(CALL, build, folder)
    lines, plain = (Chain(build, folder, LINKS, rounds, on_lines) for on_lines in (True, False))
    both = slopes(repeat, 200, 2200, lines.tutti, plain.tutti)
    over_lines, by_jacobi = (time / LINKS for time in both)
    ratio = over_lines / by_jacobi
    print(f"\nchain of {LINKS} masses of {CALL} ns, nanoseconds per component and step: "
          f"lines {over_lines:.0f}, jacobi {by_jacobi:.0f}, ratio {ratio:.2f} (goal 2)")
    if ratio > 2:
        wrong.append(f"lines cost {ratio:.2f} times jacobi")
    few, many = (allocations(build, folder, lines.tutti(steps)) for steps in (200, 2200))
    print(f"allocations per component and step: {(many - few) / 2000 / LINKS:.4f}")

    rounds = 100 * rounds  # 20 us
    one, two = (Chain(build, folder, 100, rounds, True, threads) for threads in (1, 2))
    serial, parallel = slopes(repeat, 100, 600, one.tutti, two.tutti)
    gain = serial / parallel
    print(f"chain of 100 masses of 20 us: 2 threads {gain:.2f} times faster (goal 1.6)")
    if gain < 1.6:
        wrong.append(f"two threads are {gain:.2f} times faster")

    stop = 0.05
    own, common = Mixed(build, folder, Mixed.SLOW), Mixed(build, folder, Mixed.FAST)
    reference = Mixed(build, folder, Mixed.FAST)
    reference.FAST = reference.slow_step = Mixed.FAST / 4
    exact = reference.values(stop)
    error, common_error = (worst(system.values(stop), exact) for system in (own, common))
    times = [[seconds(system.tutti(stop, "none")) for system in (own, common)]
             for _ in range(min(repeat, 3))]
    fast, slow = (statistics.median(column) for column in zip(*times))
    print(f"one fast component and 99 slow ones, steps 1 : 1000: {slow / fast:.1f} times faster "
          f"than with one step for all (goal 20); errors {error:.4g} and {common_error:.4g}")
    if error > 1.05 * common_error:
        wrong.append(f"own steps have {error / common_error:.2f} times the error")
    if slow / fast < 20:
        wrong.append(f"own steps are {slow / fast:.1f} times faster")
    return "; ".join(wrong)
