# SPDX-License-Identifier: BSD-2-Clause
"""Hooks of MkDocs: adds the pages that are not in docs/, and rewrites links that lead out of it.

build.py has made the pages of examples and headers before; sources get a page when one leads there.
"""

import json
import sys
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, InclusionLevel

sys.path.insert(0, str(Path(__file__).parent))
from links import OUTSIDE, ROOT, links_of, origin, to_site, uri_of  # noqa: E402

WORK = ROOT / "build" / "site-work"
ASSETS = Path(__file__).parent / "assets"
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".py": "python", ".toml": "toml", ".txt": "cmake"}


def on_config(config):
    if not (WORK / "nav.json").exists():
        raise PluginError("build/site-work is missing: run ./dev docs --site or ./dev docs --serve")
    more = json.loads((WORK / "nav.json").read_text())
    config.nav = [{title: more.get(title, pages)} for entry in config.nav
                  for title, pages in entry.items()]
    return config


def source_page(path, uri):
    """A file of the repository, highlighted, or what a folder has."""
    head = f"---\nsearch:\n  exclude: true\n---\n\n# {path}\n\n"
    place = ROOT / path
    if place.is_dir():
        names = sorted(f"{entry.name}/" if entry.is_dir() else entry.name for entry in place.iterdir())
        return to_site(head + "\n".join(f"- [{name}]({name})" for name in names), f"{path}/x", uri)
    language = LANGUAGES.get(place.suffix, "text")
    return f"{head}~~~~~~ {{.{language} linenums=\"1\"}}\n{place.read_text()}\n~~~~~~\n"


def add_source(path, uri, files, config):
    files.append(File.generated(config, uri, content=source_page(path, uri),
                                inclusion=InclusionLevel.NOT_IN_NAV))


def add_sources(files, config):
    """A page for each file that a page of the site leads to, and for each header."""
    for header in sorted((ROOT / "include" / "tutti").iterdir()):
        path = header.relative_to(ROOT).as_posix()
        add_source(path, f"source/{path}.md", files, config)
    add_source("include/tutti", uri_of("include/tutti"), files, config)
    todo = [(source, file.content_string) for file in files
            if file.is_documentation_page() and (source := origin(file.src_uri))]
    while todo:
        source, text = todo.pop()
        for path in links_of(text, source):
            uri = uri_of(path)
            if files.get_file_from_path(uri) or not uri.startswith("source/"):
                continue
            add_source(path, uri, files, config)
            if (ROOT / path).is_dir():
                todo += [(f"{path}/x", "".join(f"[]({entry.name})" for entry in (ROOT / path).iterdir()))]


def on_files(files, config):
    places = [(path, uri) for folder, prefix in ((WORK / "pages", ""), (ASSETS, "assets/"))
              for path in sorted(folder.rglob("*")) if path.is_file()
              for uri in [prefix + path.relative_to(folder).as_posix()]]
    places += [(ROOT / name, name) for name in sorted(OUTSIDE)]
    for path, uri in places:
        files.append(File.generated(config, uri, abs_src_path=str(path)))
    add_sources(files, config)
    return files


def titles_of(nav):
    """Pages and their titles in the navigation, in which the first of a group is its index."""
    for entry in nav:
        for title, pages in entry.items() if isinstance(entry, dict) else ():
            if isinstance(pages, str):
                yield pages, title
            else:
                yield from titles_of(pages)


def on_page_markdown(markdown, page, config, files):
    source = origin(page.file.src_uri)
    if page.is_homepage:
        page.meta["hide"] = ["navigation", "toc"]
    if not source:
        return markdown
    return to_site(markdown, source, page.file.src_uri, dict(titles_of(config.nav)))
