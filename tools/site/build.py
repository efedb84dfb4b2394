#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Builds the documentation as a site in build/site, or serves it on 127.0.0.1.

Draws the examples with the built program, reads the public headers with Doxygen, and hands docs/
and what was made to MkDocs, which runs with this Python. Needs the packages of requirements.txt.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import api
import gallery
from check_site import faults_of_site

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "site-work"


def make_pages(build):
    """What is not in docs/: pages and pictures in build/site-work, which hooks.py reads."""
    shutil.rmtree(WORK, ignore_errors=True)
    pages = WORK / "pages"
    pages.mkdir(parents=True)
    navigation = {"Gallery": gallery.make_pages(ROOT, build, pages)}
    subprocess.run(["doxygen", "tools/site/Doxyfile"], cwd=ROOT, check=True)
    navigation["API"], undocumented = api.make_pages(WORK / "headers", pages / "api", ROOT)
    (WORK / "nav.json").write_text(json.dumps(navigation))
    return undocumented


def mkdocs(command, *options):
    # Without the theme's banner about a later version of MkDocs; the versions here are pinned.
    environment = dict(os.environ, NO_MKDOCS_2_WARNING="true")
    return subprocess.run([sys.executable, "-m", "mkdocs", command, "--config-file",
                           ROOT / "mkdocs.yml", *options], env=environment).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="has tutti and the examples")
    parser.add_argument("--serve", metavar="PORT", type=int, nargs="?", const=8000,
                        help="on 127.0.0.1, and build again when a page changes")
    arguments = parser.parse_args()
    undocumented = make_pages(arguments.build.resolve())
    if arguments.serve:
        return mkdocs("serve", "--dev-addr", f"127.0.0.1:{arguments.serve}")
    if mkdocs("build", "--strict", "--quiet"):
        return 1
    faults = faults_of_site(ROOT / "build" / "site")
    for place in undocumented:
        print(f"{place} has no comment")
    for fault in faults:
        print(fault)
    print(f"site: build/site/index.html, {len(undocumented)} public functions without a comment, "
          f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
