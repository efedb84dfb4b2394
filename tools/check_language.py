#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Fails when a page breaks the rules for text, or a text has a word of tools/language.toml.

A page begins with a paragraph below its title. Its lines have at most 100 columns, and the cells of
its tables at most 200 characters, except in generated tables (GENERATED). Code is exempt from all
rules: a message of the program in a code span or block is quoted as it is.
"""

import argparse
import re
import sys
import tomllib
from pathlib import Path

COLUMNS, CELL = 100, 200
FENCE = re.compile(r"^\s*(```|~~~)")
SPAN = re.compile(r"(`+)(?:(?!\1).)+?\1|\"[^\"`]*\"", re.DOTALL)
TARGET = re.compile(r"\]\([^)]*\)")
TITLE = re.compile(r"^# \S")
OTHER_THAN_TEXT = re.compile(r"^(#|\||!\[|```|~~~|[-*+] |\d+[.)] |    )")
# Comments and string literals of C++.
SOURCE = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"", re.DOTALL)
# Tables that the program prints; the tests of their own compare them.
GENERATED = {"docs/system-file.md", "docs/check.md"}


def lines_outside_code(text):
    """Number and text of each line; inside code the text is None."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        mark = FENCE.match(line)
        if mark and fence in (None, mark[1]):
            fence = None if fence else mark[1]
            yield number, None
        else:
            yield number, None if fence or line.startswith("    ") else line


def blank(text, pattern):
    """The text with spaces in place of what matches, so that lines keep their numbers."""
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def prose_of_page(text):
    """Text outside of code, quotations and addresses."""
    lines = [line or "" for _, line in lines_outside_code(text)]
    paragraphs = re.split(r"(\n\s*\n)", "\n".join(lines))
    return "".join(blank(blank(paragraph, SPAN), TARGET) for paragraph in paragraphs)


def prose_of_source(text):
    """Comments and string literals."""
    kept, end = [], 0
    for match in SOURCE.finditer(text):
        kept += [re.sub(r"[^\n]", " ", text[end:match.start()]), match[0]]
        end = match.end()
    return "".join(kept)


def word_faults(words, text):
    for pattern, instead in words.items():
        # A blank of the pattern may be a line end, with the mark of a comment behind it.
        spaced = pattern.replace(" ", r"(?: +|\s*\n[\s/*]*)")
        for match in re.finditer(rf"\b(?:{spaced})\b", text, re.IGNORECASE):
            found = " ".join(match[0].split())
            yield text.count("\n", 0, match.start()) + 1, f'"{found}": write {instead}'


def first_paragraph_faults(text):
    content = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not content or not TITLE.match(content[0][1]):
        yield 1, "a page begins with its title"
    elif len(content) < 2 or OTHER_THAN_TEXT.match(content[1][1]):
        yield content[0][0], "no paragraph below the title: say what the page is for and who needs it"


def layout_faults(text, has_generated_table=False):
    for number, line in lines_outside_code(text):
        if line is None:
            continue
        if not line.lstrip().startswith("|"):
            if len(line) > COLUMNS and " " in line.strip() and not line.startswith("!["):
                yield number, f"{len(line)} columns, more than {COLUMNS}"
        elif not has_generated_table:
            for cell in re.split(r"(?<!\\)\|", line):
                shown = TARGET.sub("]", cell.strip())
                if len(shown) > CELL:
                    yield number, f"a table cell of {len(shown)} characters, more than {CELL}"


def file_faults(words, path, text):
    """Line and message of every fault; path is relative to the root."""
    if Path(path).suffix != ".md":
        yield from word_faults(words, prose_of_source(text))
        return
    yield from first_paragraph_faults(text)
    yield from layout_faults(text, path in GENERATED)
    prose = prose_of_page(text)
    if path in GENERATED:
        prose = re.sub(r"^\|.*$", "", prose, flags=re.MULTILINE)
    yield from word_faults(words, prose)


def check(root):
    rules = tomllib.loads((root / "tools/language.toml").read_text())
    faults, seen = [], 0
    for top, patterns in rules["roots"].items():
        place = root / top
        for file in sorted({f for p in patterns for f in place.rglob(p)}) if patterns else [place]:
            seen += 1
            path = file.relative_to(root).as_posix()
            found = file_faults(rules["words"], path, file.read_text())
            faults += [f"{path}:{line}: {text}" for line, text in sorted(found)]
    return seen, faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[1])
    seen, faults = check(parser.parse_args().root.resolve())
    print(*faults, f"language: {seen} files, {len(faults)} faults", sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
