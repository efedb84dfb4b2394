# SPDX-License-Identifier: BSD-2-Clause
"""Curves over logarithmic axes as SVG: panels in a row, points marked."""

import math
from html import escape

WIDTH, HEIGHT, LEFT, TOP, BOTTOM, GAP = 380, 330, 62, 40, 48, 20
LEGEND = 150
COLOURS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#e377c2", "#17becf",
           "#7f7f7f", "#bcbd22"]


def decades(values):
    low, high = (math.log10(bound(values)) for bound in (min, max))
    return math.floor(low + 1e-9), max(math.ceil(high - 1e-9), math.floor(low + 1e-9) + 1)


class Panel:
    """Maps numbers to places of the picture."""

    def __init__(self, left, x_values, y_values):
        self.left, self.right = left + LEFT, left + WIDTH - GAP
        self.x_range, self.y_range = decades(x_values), decades(y_values)

    def x(self, value):
        low, high = self.x_range
        return self.left + (math.log10(value) - low) / (high - low) * (self.right - self.left)

    def y(self, value):
        low, high = self.y_range
        return HEIGHT - BOTTOM - (math.log10(value) - low) / (high - low) * (HEIGHT - BOTTOM - TOP)

    def axes(self, x_title, y_title):
        top, bottom = TOP, HEIGHT - BOTTOM
        for power in range(self.x_range[0], self.x_range[1] + 1):
            x = self.x(10.0 ** power)
            yield f'<path d="M{x:.1f} {top}V{bottom}" class="grid"/>'
            if (self.x_range[1] - power) % max(1, (self.x_range[1] - self.x_range[0]) // 6) == 0:
                yield label(x, bottom + 16, power)
        for power in range(self.y_range[0], self.y_range[1] + 1):
            y = self.y(10.0 ** power)
            yield f'<path d="M{self.left} {y:.1f}H{self.right}" class="grid"/>'
            yield label(self.left - 18, y + 4, power)
        middle = (self.left + self.right) / 2
        yield f'<text x="{middle:.0f}" y="{HEIGHT - 10}" class="middle">{escape(x_title)}</text>'
        across = (top + bottom) / 2
        yield (f'<text transform="translate({self.left - 42},{across:.0f}) rotate(-90)" '
               f'class="middle">{escape(y_title)}</text>')

    def curve(self, points, colour):
        places = [(self.x(x), self.y(y)) for x, y in points]
        line = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        yield f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
        for x, y in places:
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.2" fill="{colour}"/>'


def label(x, y, power):
    return (f'<text x="{x:.1f}" y="{y:.1f}" class="middle">10<tspan dy="-4" font-size="8">{power}'
            f'</tspan></text>')


def draw(path, title, panels):
    """Each panel: (title of x, title of y, {name of a curve: [(x, y), ...]})."""
    names = sorted({name for _, _, curves in panels for name in curves})
    colours = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(names)}
    width = WIDTH * len(panels) + LEGEND
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT}" '
             f'viewBox="0 0 {width} {HEIGHT}">',
             "<style>text{font:11px sans-serif;fill:#222}.middle{text-anchor:middle}"
             ".grid{stroke:#ddd}</style>",
             f'<rect width="{width}" height="{HEIGHT}" fill="white"/>',
             f'<text x="{width / 2:.0f}" y="20" class="middle" style="font-size:14px">'
             f"{escape(title)}</text>"]
    for i, (x_title, y_title, curves) in enumerate(panels):
        every = [point for points in curves.values() for point in points]
        panel = Panel(i * WIDTH, [x for x, _ in every], [y for _, y in every])
        lines += panel.axes(x_title, y_title)
        for name in names:
            if curves.get(name):
                lines += panel.curve(curves[name], colours[name])
    for i, name in enumerate(names):
        y = TOP + 8 + 17 * i
        left = WIDTH * len(panels)
        lines.append(f'<path d="M{left} {y}h18" stroke="{colours[name]}" stroke-width="2"/>')
        lines.append(f'<text x="{left + 24}" y="{y + 4}">{escape(name)}</text>')
    path.write_text("\n".join(lines + ["</svg>"]) + "\n")
