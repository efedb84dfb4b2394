# SPDX-License-Identifier: BSD-2-Clause
"""Errors of integrators against their work, and the ratio of work at equal error."""

import math
import statistics
from dataclasses import dataclass


@dataclass
class Problem:
    name: str
    size: int
    stride: int
    points: list
    start: list
    atol: list  # for rtol = 1
    reference: list  # row after row, components 0, stride, ...
    source: str  # of the reference

    @staticmethod
    def parsed(name, text):
        lines = [line.split() for line in text.splitlines()]
        size, stride = (int(word) for word in lines[0])
        numbers = [[float(word) for word in line] for line in lines[1:]]
        exact = numbers[3] if len(numbers) > 3 else []
        return Problem(name, size, stride, *numbers[:3], exact, "exact" if exact else "")

    def error(self, values):
        """Root mean square over points and components, relative to the size of the component: at
        the point for Robertson, whose components span decades, elsewhere at most in time."""
        width = len(self.reference) // len(self.points)
        largest = [max(map(abs, self.reference[i::width])) for i in range(width)]
        if self.name == "robertson":
            sizes = [abs(value) for value in self.reference]
        elif self.size > 100:  # a field: one size for all
            sizes = [max(largest)] * len(self.reference)
        else:
            sizes = largest * len(self.points)
        squares = [((value - right) / size) ** 2
                   for value, right, size in zip(values, self.reference, sizes)]
        return math.sqrt(sum(squares) / len(squares))


@dataclass
class Run:
    rtol: float
    error: float
    evaluations: int
    seconds: float = 0
    steps: int = 0


def monotone(pairs):
    """(log of error, log of work), by falling error: neighbours where more work made the error
    larger share their means (pool adjacent violators), so that luck counts for neither side."""
    pools = []
    for work, error in sorted(pairs):
        pools.append([error, work, 1])
        while len(pools) > 1 and pools[-2][0] <= pools[-1][0]:
            error, work, count = pools.pop()
            before = pools[-1]
            total = before[2] + count
            pools[-1] = [(before[0] * before[2] + error * count) / total,
                         (before[1] * before[2] + work * count) / total, total]
    return [(error, work) for error, work, _ in pools]


def work_at(runs, error, measure):
    """Interpolated in logarithms; None outside of what the runs reach."""
    curve = monotone([(math.log(measure(run)), math.log(run.error)) for run in runs
                      if run.error > 0 and measure(run) > 0])
    wanted = math.log(error)
    for (above, less), (below, more) in zip(curve, curve[1:]):
        if below <= wanted <= above:
            part = (above - wanted) / (above - below)
            return math.exp(less + part * (more - less))
    return None


def ratios(ours, theirs):
    """Our evaluations at the error of each of their runs with tolerances 1e-4 to 1e-9, over theirs."""
    found = []
    for run in theirs:
        if not 0.9e-9 < run.rtol < 1.1e-4 or not run.error > 0:
            continue
        here = work_at(theirs, run.error, lambda r: r.evaluations) or run.evaluations
        mine = work_at(ours, run.error, lambda r: r.evaluations)
        if mine:
            found.append(mine / here)
    return found


def slope(pairs):
    """Of the straight line through the logarithms, by least squares."""
    x, y = ([math.log(value) for value in column] for column in zip(*pairs))
    middle = statistics.fmean(x)
    return (sum((a - middle) * b for a, b in zip(x, y)) /
            sum((a - middle) ** 2 for a in x))
