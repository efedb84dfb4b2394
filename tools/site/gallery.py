# SPDX-License-Identifier: BSD-2-Clause
"""Makes the gallery: a card for each example, with its plot, and a page with all its pictures."""

import html
import re
import subprocess
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

# By the beginning of the folder's name; without a system a folder is a program of an integrator.
PREFIXES = {"eas": "Test of co-simulation algorithms", "tlm": "Transmission lines",
            "init": "Order of initialization"}
GROUPS = ["Coupled systems", PREFIXES["tlm"], "Integrators", PREFIXES["eas"], PREFIXES["init"]]

INTRODUCTION = """---
hide:
  - navigation
  - toc
---

# Gallery of examples

Systems that come with Tutti. Each has a page with its equations, the figures that it is checked
against, and its files. `tutti examples copy NAME` makes a copy to change, `tutti examples run NAME`
runs one. [What they are for, and how to add one](examples.md).

"""


@dataclass
class Example:
    name: str
    title: str
    summary: str
    has_system: bool
    plots: list = field(default_factory=list)  # (file, title)
    graph: str = ""

    @property
    def group(self):
        other = "Coupled systems" if self.has_system else "Integrators"
        return PREFIXES.get(self.name.partition("_")[0], other)


def plain(markdown):
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", markdown)
    return " ".join(re.sub(r"[`*]", "", text).split())


def summary_of(readme, longest=230):
    """The first paragraph that is prose, cut after a sentence or a word."""
    prose = (plain(block) for block in readme.split("\n\n")[1:]
             if not re.match(r"[#|!`>]|    ", block.lstrip("\n")))
    text = next(prose, "")
    if len(text) <= longest:
        return text
    sentences = re.match(r".*[\w)]{2}\.(?= )", text[:longest])  # not behind an initial
    return sentences[0] if sentences else text[:longest].rpartition(" ")[0] + " ..."


def read_example(folder):
    readme = (folder / "README.md").read_text()
    title = plain(readme.partition("\n")[0].lstrip("# "))
    return Example(folder.name, title, summary_of(readme), (folder / "system.toml").exists())


class Painter:
    """Runs the program on the examples of a build; pictures go to a folder."""

    def __init__(self, build, pictures):
        self.tutti, self.examples, self.pictures = build / "tutti", build / "examples", pictures

    def call(self, *arguments, **options):
        done = subprocess.run([str(argument) for argument in arguments], capture_output=True,
                              text=True, timeout=300, **options)
        if done.returncode:
            words = " ".join(map(str, arguments))
            raise RuntimeError(f"{words}\nexit {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout

    def paint(self, example, expected):
        folder, name = self.examples / example.name, example.name
        if example.has_system:
            graph = self.pictures / f"{name}-graph.svg"
            self.call(self.tutti, "graph", folder / "system.toml", "--format", "svg", "-o", graph)
            example.graph = graph.name
        if "plots" in expected:
            example.plots = [(f"{plot['name']}.svg", plot["title"]) for plot in expected["plots"]]
            return
        rows = self.pictures.parent.parent / f"{name}.csv"
        program = next((run["program"] for run in expected.get("runs", []) if "program" in run), None)
        if example.has_system:
            self.call(self.tutti, "run", "--quiet", folder / "system.toml", "-o", rows)
        elif program:
            rows.write_text(self.call(folder / program[0], *program[1:], cwd=folder))
        else:
            return
        plot = self.pictures / f"{name}.svg"
        self.call(self.tutti, "plot", "--quiet", rows, "--title", example.title, "-o", plot)
        example.plots = [(plot.name, "Results of system.toml" if example.has_system else
                          f"Results of {' '.join(program)}")]

    def all_published(self):
        self.call(self.tutti, "examples", "plots", self.pictures)


def card(example):
    pictures = [picture for picture in (example.plots[0][0] if example.plots else "", example.graph) if picture]
    images = "".join(f'<img src="pictures/examples/{picture}" alt="" loading="lazy">' for picture in pictures)
    return (f'<a class="card" href="examples/{example.name}.html">'
            f'<span class="card-picture">{images}</span>'
            f'<span class="card-title">{html.escape(example.title)}</span>'
            f'<span class="card-text">{html.escape(example.summary)}</span></a>')


def gallery_page(examples):
    parts = [INTRODUCTION]
    for group in GROUPS:
        cards = [card(example) for example in examples if example.group == group]
        parts += [f"## {group}\n\n", '<div class="gallery">\n', "\n".join(cards), "\n</div>\n\n"]
    return "".join(parts)


def example_page(example, folder):
    """The README with pictures behind its first section, then the files, linked as in its folder."""
    first, heading, rest = (folder / "README.md").read_text().rstrip().partition("\n## ")
    parts = [first.rstrip(), "\n\n"]
    pictures = list(example.plots)
    if example.graph:
        pictures.append((example.graph, "What is coupled with what"))
    for picture, title in pictures:
        parts.append(f'<p><img src="../pictures/examples/{picture}" alt="{html.escape(title)}" '
                     'loading="lazy"></p>\n\n')
    files = [path.name for path in sorted(folder.iterdir())
             if path.name != "README.md" and path.suffix != ".csv"]
    parts += [heading.lstrip("\n"), rest, "\n\n## Files\n\n", "\n".join(f"- [{name}]({name})" for name in files),
              f"\n\n`tutti examples copy {example.name}` copies the folder with its FMUs.\n"]
    return "".join(parts)


def make_pages(root, build, pages):
    """Draws the pictures and writes the pages; returns their navigation."""
    pictures = pages / "pictures" / "examples"
    for folder in (pictures, pages / "examples"):
        folder.mkdir(parents=True, exist_ok=True)
    painter = Painter(build, pictures)
    painter.all_published()
    examples = []
    for expected in sorted((root / "examples").glob("*/expected.toml")):
        example = read_example(expected.parent)
        painter.paint(example, tomllib.loads(expected.read_text()))
        (pages / "examples" / f"{example.name}.md").write_text(example_page(example, expected.parent))
        examples.append(example)
    (pages / "gallery.md").write_text(gallery_page(examples))
    navigation = ["gallery.md"]
    for group in GROUPS:
        navigation.append({group: [{one.name: f"examples/{one.name}.md"}
                                   for one in examples if one.group == group]})
    return navigation
