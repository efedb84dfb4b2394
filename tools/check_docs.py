#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs the commands that the documentation shows, and follows its links.

In every Markdown file, the lines of ```console blocks that begin with "$ " are run one after the
other, as if from the root of the repository with build/ on the PATH; what they write goes to a
temporary folder. A command must end with status 0, or N where "# exit N" stands behind it.
Links to files of the repository must lead somewhere.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*?)(?:\s+# exit (\d+))?$", re.MULTILINE)
LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)[^)]*\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def pages(root):
    yield from sorted(root.glob("*.md"))
    for folder in ("docs", "examples", "fmukit"):
        yield from sorted((root / folder).rglob("*.md"))


def commands(text):
    for block in BLOCK.finditer(text):
        joined = block[1].replace("\\\n", "")
        for match in COMMAND.finditer(joined):
            yield match[1], int(match[2] or 0)


def broken_links(page, text):
    for match in LINK.finditer(CODE.sub("", text)):
        if not (page.parent / match[1]).exists():
            yield f"{match[1]} does not exist"


def failing_commands(root, build, text):
    environment = dict(os.environ, PATH=f"{build}:{os.environ['PATH']}", COLUMNS="100")
    with tempfile.TemporaryDirectory() as folder:
        for entry in root.iterdir():
            if not entry.name.startswith("build"):
                (Path(folder) / entry.name).symlink_to(entry)
        (Path(folder) / "build").symlink_to(build)
        for command, expected in commands(text):
            done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
                                  stdin=subprocess.DEVNULL)
            if done.returncode != expected:
                yield f"$ {command}\nexit {done.returncode}, not {expected}:\n{done.stdout}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("--build", type=Path, required=True)
    arguments = parser.parse_args()
    root, build = arguments.root.resolve(), arguments.build.resolve()
    faults = count = 0
    for page in pages(root):
        text = page.read_text()
        count += len(list(commands(text)))
        for fault in [*broken_links(page, text), *failing_commands(root, build, text)]:
            print(f"{page.relative_to(root)}: {fault}")
            faults += 1
    print(f"docs: {count} commands, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
