#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs the commands that the documentation shows, and follows its links.

In every Markdown file, the lines of ```console blocks that begin with "$ " are run one after the
other, as if from the root of the repository with build/ on the PATH; what they write goes to a
temporary folder. A command must end with status 0, or N where "# exit N" stands behind it.
Links must lead somewhere (check_links.py), and no mark of a merge may be left.
With --pictures, pictures of a page that its own commands make, under the same name, take the place
of those in docs/pictures.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from check_links import broken_links, pages

BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*?)(?:\s+# exit (\d+))?$", re.MULTILINE)
CONFLICT = re.compile(r"^(?:<{7}|>{7}) .*", re.MULTILINE)
PICTURE = re.compile(r"!\[[^\]]*\]\(([^)]+\.svg)\)")


def commands(text):
    for block in BLOCK.finditer(text):
        joined = block[1].replace("\\\n", "")
        for match in COMMAND.finditer(joined):
            yield match[1], int(match[2] or 0)


def conflicts(text):
    for match in CONFLICT.finditer(text):
        yield f"a merge was not finished: {match[0]}"


def take_pictures(folder, page, text):
    """Whatever commands left in a folder or below; links lead to the repository."""
    made = {name: Path(place) / name for place, _, names in os.walk(folder) for name in names}
    for match in PICTURE.finditer(text):
        picture = page.parent / match[1]
        if picture.name in made:
            shutil.copyfile(made[picture.name], picture)


def failing_commands(root, build, text, page=None):
    """Takes the pictures over if it gets their page."""
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
        if page:
            take_pictures(folder, page, text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--pictures", action="store_true", help="renew them")
    parser.add_argument("pages", nargs="*", type=Path, help="only these [all]")
    arguments = parser.parse_args()
    root, build = arguments.root.resolve(), arguments.build.resolve()
    faults = count = 0
    for page in [page.resolve() for page in arguments.pages] or pages(root):
        text = page.read_text()
        count += len(list(commands(text)))
        found = failing_commands(root, build, text, page if arguments.pictures else None)
        for fault in [*found, *broken_links(page, text), *conflicts(text)]:
            print(f"{page.relative_to(root)}: {fault}")
            faults += 1
    print(f"docs: {count} commands, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
