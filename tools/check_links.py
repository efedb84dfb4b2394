#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Follows the links of the documentation, and compares its pages with the navigation of the site.

Links to files of the repository must lead somewhere, links to headings (page.md#heading) to one
that exists. Every page below docs/ is in the list `nav` of mkdocs.yml, and every page of that list
exists. Needs no package: the site itself is built by ./dev docs --site.
"""

import argparse
import re
import sys
import unicodedata
from pathlib import Path

LINK = re.compile(r"\]\((?!\w+:)(?P<path>[^)#\s]*)(?P<anchor>#[^)\s]*)?[^)]*\)")
PICTURE = re.compile(r'<img [^>]*src="(?!\w+:)([^"]+)"')
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#{1,6} +(.*?)[ #]*$", re.MULTILINE)
NAV_PAGE = re.compile(r"^ +- (?:.*: )?(\S+\.md)$", re.MULTILINE)
TIGHT_LIST = re.compile(r"^(?![-*|#>] |\d+\. |[ \t]|\|)\S.*\n(?=(?:[-*]|\d+\.) )", re.MULTILINE)
# Made when the site is built.
GENERATED = {"gallery.md", "api/index.md"}
# Pages of the site that stand outside of docs/.
OUTSIDE = {"CHANGELOG.md", "CONTRIBUTING.md"}


def pages(root):
    yield from sorted(root.glob("*.md"))
    for folder in ("docs", "examples", "fmukit"):
        yield from sorted((root / folder).rglob("*.md"))


def slug(heading):
    """The anchor of a heading, as code-hosting sites and the site make it."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = unicodedata.normalize("NFC", re.sub(r"[`*\\]", "", text))
    return re.sub(r"[^\w\- ]", "", text).strip().lower().replace(" ", "-")


def anchors(text):
    """Headings that occur twice have no anchor that works everywhere: only the first one counts."""
    return {slug(match[1]) for match in HEADING.finditer(FENCE.sub("", text))}


def broken_links(page, text):
    text_without_code = CODE.sub("", text)
    for match in PICTURE.finditer(text_without_code):
        if not (page.parent / match[1]).exists():
            yield f"{match[1]} does not exist"
    for match in LINK.finditer(text_without_code):
        path, anchor = match["path"], (match["anchor"] or "")[1:]
        target = page.parent / path
        if not target.exists():
            yield f"{path} does not exist"
        elif anchor and (not path or target.suffix == ".md"):
            if anchor not in anchors(target.read_text() if path else text):
                yield f"{path}#{anchor}: there is no such heading"


def lists_without_gap(text):
    """Markdown of code-hosting sites takes such a list, that of the site makes it a paragraph."""
    for match in TIGHT_LIST.finditer(FENCE.sub("", text)):
        yield f"an empty line is missing before the list after \"{match[0].strip()[-40:]}\""


def navigation_faults(root):
    """Pages of docs/ that the site would not show, and entries without a page."""
    _, _, nav = (root / "mkdocs.yml").read_text().partition("\nnav:")
    listed = NAV_PAGE.findall(nav)
    there = {page.relative_to(root / "docs").as_posix() for page in (root / "docs").rglob("*.md")}
    for page in sorted(there - set(listed)):
        yield f"docs/{page} is not in the list nav; add it under Tutorial, Guides, Reference or Explanation"
    for page in sorted(set(listed) - there - GENERATED):
        if page not in OUTSIDE or not (root / page).exists():
            yield f"docs/{page} is in the list nav, but does not exist"
    for page in sorted({page for page in listed if listed.count(page) > 1}):
        yield f"{page} is in the list nav twice"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[1])
    root = parser.parse_args().root.resolve()
    faults = [f"mkdocs.yml: {fault}" for fault in navigation_faults(root)]
    for page in pages(root):
        text = page.read_text()
        for fault in [*broken_links(page, text), *lists_without_gap(text)]:
            faults.append(f"{page.relative_to(root)}: {fault}")
    print("\n".join([*faults, f"links: {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
