# SPDX-License-Identifier: BSD-2-Clause
"""Checks the HTML of the built site: what it links to exists, and nothing is loaded from outside."""

from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

# What a browser loads by itself; a link to another site is only followed by a click.
LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loaded = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.ids.add(value)
            if (tag, name) in LOADED and value:
                self.loaded.append(value)
            if (tag, name) == ("a", "href") and value:
                self.links.append(value)


def faults_of_site(site):
    pages = {path: Page(path.read_text()) for path in sorted(site.rglob("*.html"))}
    faults = []
    for path, page in pages.items():
        def fault(text):
            faults.append(f"{path.relative_to(site)}: {text}")

        for address in page.loaded:
            parts = urlsplit(address)
            if parts.scheme not in ("", "data") or parts.netloc:
                fault(f"loads {address} from outside")
        for address in [*page.links, *page.loaded]:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc or path.name == "404.html":
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                fault(f"{address} leads nowhere")
            elif target in pages and parts.fragment and unquote(parts.fragment) not in pages[target].ids:
                if not parts.fragment.startswith("__"):  # lines of sources
                    fault(f"{address}: no such place on the page")
    return faults
