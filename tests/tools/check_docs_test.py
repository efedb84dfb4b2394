# SPDX-License-Identifier: BSD-2-Clause
"""check_docs.py finds commands, and sees one that fails."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from check_docs import commands, conflicts, failing_commands  # noqa: E402

PAGE = """
```console
$ echo one \\
    two
one two
$ false  # exit 1
```
```sh
not run
```
"""


class CheckDocs(unittest.TestCase):
    def test_takes_the_dollar_lines_of_console_blocks(self):
        self.assertEqual([("echo one     two", 0), ("false", 1)], list(commands(PAGE)))

    def test_sees_a_merge_that_was_not_finished(self):
        self.assertEqual([], list(conflicts(PAGE + "a heading\n=======\n")))
        self.assertEqual(1, len(list(conflicts(PAGE + "<<<<<<< HEAD\n"))))

    def test_runs_in_order_and_compares_the_exit_status(self):
        with tempfile.TemporaryDirectory() as folder:
            root, build = Path(folder) / "root", Path(folder) / "build"
            root.mkdir()
            build.mkdir()
            good = "```console\n$ echo x > made.txt\n$ grep x made.txt\n$ exit 3  # exit 3\n```\n"
            self.assertEqual([], list(failing_commands(root, build, good)))
            self.assertEqual(1, len(list(failing_commands(root, build, "```console\n$ false\n```\n"))))
            self.assertEqual([], list(root.iterdir()))

    def test_takes_over_the_pictures_that_a_page_makes(self):
        with tempfile.TemporaryDirectory() as folder:
            root, build = Path(folder) / "root", Path(folder) / "build"
            root.mkdir()
            build.mkdir()
            text = "```console\n$ echo new > a.svg; mkdir f; echo b > f/b.svg\n```\n![A](p/a.svg) ![C](p/c.svg)\n"
            (root / "p").mkdir()
            for name in ("a.svg", "c.svg"):
                (root / "p" / name).write_text("old\n")
            self.assertEqual([], list(failing_commands(root, build, text, root / "page.md")))
            contents = {entry.name: entry.read_text() for entry in (root / "p").iterdir()}
            self.assertEqual({"a.svg": "new\n", "c.svg": "old\n"}, contents)


if __name__ == "__main__":
    unittest.main()
