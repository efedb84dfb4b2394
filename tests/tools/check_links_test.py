# SPDX-License-Identifier: BSD-2-Clause
"""check_links.py finds dead links, headings that do not exist, and pages outside the navigation."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from check_links import anchors, broken_links, lists_without_gap, navigation_faults  # noqa: E402

PAGE = """# Here
A [link](there.md#part-one), a [dead one](nowhere.md), a [wrong heading](there.md#part-two),
one [of this page](#here), [one that is not](#there) and [the web](https://example.org#x).
<img height="9" src="none.svg">
In code, `[](int& i)` is no link.
"""


class CheckLinks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def test_follows_links_to_files_and_headings(self):
        (self.root / "there.md").write_text("# Part one\n```sh\n# Part two\n```\n")
        self.assertEqual(["none.svg does not exist", "nowhere.md does not exist", "there.md#part-two: there is no such heading",
                          "#there: there is no such heading"],
                         list(broken_links(self.root / "page.md", PAGE)))

    def test_makes_the_anchors_of_headings_with_markup(self):
        text = "# `auto`: the *coupling*, chosen\n## A [link](b.md) & x_1\n"
        self.assertEqual({"auto-the-coupling-chosen", "a-link--x_1"}, anchors(text))

    def test_sees_lists_that_the_site_would_join_to_a_paragraph(self):
        self.assertEqual(1, len(list(lists_without_gap("Three:\n- one\n"))))
        self.assertEqual([], list(lists_without_gap("Three:\n\n- one\n  more\n- two\n\n```\na\n- b\n```\n")))

    def test_compares_pages_with_the_navigation(self):
        (self.root / "docs" / "deep").mkdir(parents=True)
        for page in ("index.md", "deep/new.md"):
            (self.root / "docs" / page).touch()
        (self.root / "CHANGELOG.md").touch()
        (self.root / "mkdocs.yml").write_text(
            "site_name: T\nnav:\n  - Home: index.md\n  - Group:\n      - Old: old.md\n      - index.md\n  - CHANGELOG.md\n")
        faults = list(navigation_faults(self.root))
        self.assertEqual(3, len(faults), faults)
        self.assertIn("docs/deep/new.md is not in the list nav", faults[0])
        self.assertIn("docs/old.md is in the list nav, but does not exist", faults[1])
        self.assertIn("index.md is in the list nav twice", faults[2])


if __name__ == "__main__":
    unittest.main()
