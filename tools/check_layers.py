#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Fails when a folder includes one that tools/layers.toml does not list for it."""

import argparse
import re
import sys
import tomllib
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]')
SOURCES = {".c", ".h", ".cpp", ".hpp", ".in"}


def folder_of(path, folders):
    """The longest listed folder that holds the path; None: outside all of them."""
    holders = [f for f in folders if path.startswith(f + "/")]
    return max(holders, key=len, default=None)


def resolve(root, source, name, roots):
    """Path of an included file relative to root; None if it is not one of ours."""
    for base in [source.parent, *(root / r for r in roots)]:
        target = (base / name).resolve()
        if target.is_file() and target.is_relative_to(root):
            return target.relative_to(root).as_posix()
    return None


def rule_faults(rules, root):
    """Folders of src that nobody listed, and rows that look at a folder listed after them."""
    listed = list(rules["folders"])
    for folder in sorted((root / "src").glob("*/")):
        if folder.is_dir() and f"src/{folder.name}" not in listed:
            yield f"src/{folder.name} has no row in layers.toml"
    for i, (folder, uses) in enumerate(rules["folders"].items()):
        for used in uses:
            if used not in listed[:i]:
                yield f'layers.toml: "{folder}" uses "{used}", which is not listed before it'


def include_faults(rules, root, source, name):
    path = source.relative_to(root).as_posix()
    for header, users in rules["confined"].items():
        if (name == header or header.endswith("/") and name.startswith(header)) and not any(
                path.startswith(u) for u in users):
            yield f"<{name}> is confined to {', '.join(users) or 'no file yet'}"
    target = resolve(root, source, name, rules["roots"])
    if target is None:
        return
    here, there = (folder_of(p, rules["folders"]) for p in (path, target))
    if there is None:
        yield f"includes {target}, which is in no listed folder"
    elif there != here and there not in rules["everyone"] + rules["folders"][here]:
        allowed = ", ".join(rules["folders"][here]) or "only itself and the public headers"
        yield f'"{here}" includes {target}, but may use: {allowed}'


def check(root):
    rules = tomllib.loads((root / "tools/layers.toml").read_text())
    faults = list(rule_faults(rules, root))
    seen = 0
    for source in sorted({f for d in rules["folders"] for f in (root / d).rglob("*")}):
        if source.suffix not in SOURCES or not source.is_file():
            continue
        seen += 1
        for number, line in enumerate(source.read_text().splitlines(), 1):
            if match := INCLUDE.match(line):
                for fault in include_faults(rules, root, source, match[1]):
                    faults.append(f"{source.relative_to(root)}:{number}: {fault}")
    return seen, faults


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[1])
    seen, faults = check(parser.parse_args().root.resolve())
    print(*faults, f"layers: {seen} files, {len(faults)} faults", sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
