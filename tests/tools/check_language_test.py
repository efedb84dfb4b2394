# SPDX-License-Identifier: BSD-2-Clause
"""check_language.py on pages and sources that keep or break the rules."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from check_language import check, file_faults  # noqa: E402

WORDS = {"go(es)? back": "roll back", "at once": "immediately"}
TITLE = "# A page\n\nThis page shows something.\n\n"


class CheckLanguage(unittest.TestCase):
    def lines(self, text, path="docs/page.md"):
        return [line for line, _ in file_faults(WORDS, path, text)]

    def test_accepts_a_page_that_keeps_the_rules(self):
        self.assertEqual([], self.lines(TITLE + "## Details\n\n- One item.\n\n| a | b |\n"))

    def test_needs_a_paragraph_below_the_title(self):
        for second in ("| a |", "```sh\nls\n```", "## Next", "![a](b.svg)", "- item", "    x = 1", ""):
            with self.subTest(second):
                self.assertEqual([1], self.lines("# A page\n\n" + second + "\n"))
        self.assertEqual([1], self.lines("No title.\n"))

    def test_limits_lines_outside_of_code_and_tables(self):
        wide = "word " * 21
        self.assertEqual([5], self.lines(TITLE + wide + "\n"))
        for code in (f"```\n{wide}\n```\n", f"    {wide}\n", f"| {wide} |\n",
                     f"- Code:\n\n  ```\n  {wide}\n  ```\n"):
            with self.subTest(code):
                self.assertEqual([], self.lines(TITLE + code))

    def test_limits_cells_of_tables_without_the_address_of_a_link(self):
        self.assertEqual([5], self.lines(TITLE + f"| {'x' * 201} | y |\n"))
        self.assertEqual([], self.lines(TITLE + f"| {'x' * 150} | {'y' * 150} |\n"))
        self.assertEqual([], self.lines(TITLE + f"| [{'x' * 150}]({'y' * 150}) |\n"))
        self.assertEqual([5], self.lines(TITLE + f"| {'x' * 150}\\|{'y' * 150} |\n"))

    def test_names_line_word_and_replacement(self):
        fault, = file_faults(WORDS, "docs/page.md", TITLE + "It\nGoes back.\n")
        self.assertEqual((6, '"Goes back": write roll back'), fault)

    def test_finds_a_phrase_across_the_end_of_a_line(self):
        self.assertEqual([5], self.lines(TITLE + "It does so at\nonce.\n"))

    def test_looks_for_whole_words_only(self):
        self.assertEqual([], self.lines(TITLE + "Argo back, at onced.\n"))

    def test_exempts_code_quotations_and_addresses(self):
        self.assertEqual([], self.lines(
            TITLE + "`at once` and \"at once\", [x](at once.md)\n\n```\nat once\n```\n\n    at once\n"))

    def test_goes_on_after_a_block_of_code(self):
        self.assertEqual([8], self.lines(TITLE + "```\n~~~\n```\nat once\n"))

    def test_checks_comments_and_messages_of_sources_only(self):
        self.assertEqual([1, 2, 4, 6], self.lines(
            '// at once\nf("at once");\nint at once;\n// at\n// once\n/* at\n * once */ at(once);\n',
            "src/a.cpp"))

    def test_reports_files_by_their_path_from_the_root(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for path, text in {"tools/language.toml": '[roots]\n"docs" = ["*.md"]\n"A.md" = []\n'
                                                      '[words]\n"at once" = "immediately"\n',
                               "docs/deep/page.md": TITLE + "at once\n", "A.md": TITLE,
                               "docs/other.txt": "at once"}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            self.assertEqual((2, ['docs/deep/page.md:5: "at once": write immediately']), check(root))


if __name__ == "__main__":
    unittest.main()
