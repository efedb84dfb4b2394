# SPDX-License-Identifier: BSD-2-Clause
"""Where files of the repository are in the site, and links to them.

Pages keep the links that work in the repository. The site has a page for each file that they lead
to: its own page of a header or an example, otherwise the highlighted source.
"""

import posixpath
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from check_links import CODE, LINK, OUTSIDE  # noqa: E402

ROOT = Path(__file__).parents[2]
# [session.md](session.md), [docs/session.md](session.md#states)
FILE_NAME_LINK = re.compile(r"\[[\w./-]+\.md" + LINK.pattern)
INDENTED = re.compile(r"(?:^|\n\n)(?: {4}.*\n?)+")


def origin(uri):
    """The file of the repository that a page shows, or None for a page that is generated."""
    if uri in OUTSIDE:
        return uri
    example = re.fullmatch(r"examples/(\w+)\.md", uri)
    if example:
        return f"examples/{example[1]}/README.md"
    return f"docs/{uri}" if (ROOT / "docs" / uri).is_file() else None


def uri_of(path):
    """The page or file of the site for a file or folder of the repository."""
    if path in ("README.md", "."):
        return "index.md"
    if path in OUTSIDE:
        return path
    if path.startswith("docs/") and path.endswith((".md", ".svg")):
        return path.removeprefix("docs/")
    example = re.fullmatch(r"examples/(\w+)(?:/README\.md)?", path)
    if example and (ROOT / "examples" / example[1] / "README.md").exists():
        return f"examples/{example[1]}.md"
    header = re.fullmatch(r"include/tutti/(\w+)\.hpp", path)
    if header:
        return f"api/{header[1]}.md"
    return f"source/{path}.md"


def outside_code(text, action):
    """Applies action to all of a text that is not code."""
    parts, end = [], 0
    for match in sorted([*CODE.finditer(text), *INDENTED.finditer(text)], key=lambda m: m.start()):
        if match.start() < end:
            continue
        parts += [action(text[end:match.start()]), match[0]]
        end = match.end()
    return "".join([*parts, action(text[end:])])


def links_of(text, source):
    """The files and folders of the repository that the text of one of its files leads to."""
    found = []
    folder = posixpath.dirname(source)

    def collect(part):
        for match in LINK.finditer(part):
            if match["path"]:
                found.append(posixpath.normpath(posixpath.join(folder, match["path"])))
        return part

    outside_code(text, collect)
    return found


def to_site(text, source, uri, titles=None):
    """The text of a file of the repository as a page of the site: its links lead to pages.

    A link whose words are a file name gets the title of the page instead, if `titles` has its uri.
    """
    def target_of(match):
        return uri_of(posixpath.normpath(posixpath.join(posixpath.dirname(source), match["path"])))

    def replace(match):
        if not match["path"]:
            return match[0]
        target = posixpath.relpath(target_of(match), posixpath.dirname(uri) or ".")
        return match[0].replace(match["path"], target, 1)

    def name(match):
        title = (titles or {}).get(target_of(match)) if match["path"] else None
        return f"[{title}{match[0][match[0].index(']('):]}" if title else match[0]

    return outside_code(text, lambda part: LINK.sub(replace, FILE_NAME_LINK.sub(name, part)))
