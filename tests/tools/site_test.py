# SPDX-License-Identifier: BSD-2-Clause
"""The parts of tools/site that need no packages: links, cards of examples, pages of headers."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools" / "site"))
from api import Reference, tidy_type  # noqa: E402
from check_site import faults_of_site  # noqa: E402
from gallery import summary_of  # noqa: E402
from links import links_of, origin, to_site, uri_of  # noqa: E402

HEADER_XML = """<doxygen><compounddef id="c" kind="class" prot="public">
<compoundname>tutti::Car</compoundname>
<memberdef kind="function" id="f" prot="public" virt="non-virtual"><type>void</type><name>drive</name>
<argsstring>(int)</argsstring><param><type>std::span&lt; const Car &gt; </type><declname>others</declname></param>
<briefdescription><para>Drives, <computeroutput>a*b</computeroutput> and a*b.</para></briefdescription>
<location file="tutti/car.hpp" line="3"/></memberdef>
<memberdef kind="function" id="g" prot="public" virt="virtual"><type>int</type><name>stop</name>
<argsstring>()=0</argsstring><location file="tutti/car.hpp" line="4"/></memberdef>
<memberdef kind="function" id="h" prot="public" virt="non-virtual"><type></type><name>Car</name>
<param><type>Car &amp;&amp;</type></param><location file="tutti/car.hpp" line="5"/></memberdef>
<location file="tutti/car.hpp" line="1"/></compounddef></doxygen>"""


class Links(unittest.TestCase):
    def test_lead_to_pages_of_the_site(self):
        self.assertEqual("api/session.md", uri_of("include/tutti/session.hpp"))
        self.assertEqual("examples/quarter_car.md", uri_of("examples/quarter_car"))
        self.assertEqual("source/src/master/loop.cpp.md", uri_of("src/master/loop.cpp"))
        self.assertEqual("index.md", uri_of("README.md"))
        self.assertEqual("examples/quarter_car/README.md", origin("examples/quarter_car.md"))
        self.assertIsNone(origin("gallery.md"))

    def test_are_rewritten_outside_of_code_only(self):
        text = "[loop](../../src/master/loop.cpp#L1), `[a](../../x)`, [here](#there)\n\n    [b](../../y)\n"
        self.assertEqual("[loop](../source/src/master/loop.cpp.md#L1), `[a](../../x)`, [here](#there)\n\n"
                         "    [b](../../y)\n", to_site(text, "docs/algorithms/a.md", "algorithms/a.md"))
        self.assertEqual(["src/master/loop.cpp"], links_of(text, "docs/algorithms/a.md"))

    def test_whose_words_are_file_names_get_titles(self):
        self.assertEqual("[Step a run](session.md#states), [states](session.md)",
                         to_site("[session.md](session.md#states), [states](session.md)", "docs/a.md", "a.md",
                                 {"session.md": "Step a run"}))


class Cards(unittest.TestCase):
    def test_show_the_first_paragraph_of_prose(self):
        self.assertEqual("A car, cut in two.",
                         summary_of("# Car\n\n    x' = v\n\nA *car*, [cut](a.md)\nin two.\n\nMore.\n"))

    def test_cut_long_paragraphs_behind_a_sentence(self):
        self.assertEqual("One. Two.", summary_of("# Car\n\nOne. Two. Three four.", longest=14))
        self.assertEqual("One.", summary_of("# Car\n\nOne. Two of C. Andersson.", longest=16))
        self.assertEqual("One two ...", summary_of("# Car\n\nOne two three", longest=10))


class Headers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "include/tutti").mkdir(parents=True)
        (self.root / "include/tutti/car.hpp").write_text("/// Cars.\nnamespace tutti {\n")
        (self.root / "car.xml").write_text(HEADER_XML)
        self.reference = Reference(self.root, self.root)

    def test_become_pages_with_declarations_and_comments(self):
        page = self.reference.page("car", self.reference.headers()["car"])
        self.assertIn("void <b>drive</b>(std::span&lt;const Car&gt; others)", page)
        self.assertIn("Drives, `a*b` and a\\*b.", page)
        self.assertIn("virtual int <b>stop</b>() = 0", page)
        self.assertIn("\nCars.\n", page)
        self.assertNotIn("Car&amp;&amp;", page)

    def test_report_functions_without_a_comment(self):
        self.assertEqual(["include/tutti/car.hpp:4: Car::stop"], list(self.reference.undocumented()))

    def test_lose_the_blanks_of_doxygen(self):
        self.assertEqual("const std::vector<std::optional<int>>& x", tidy_type(
            "const std::vector< std::optional< int > > & x"))


class BuiltSite(unittest.TestCase):
    def test_is_checked_for_dead_links_and_requests_to_others(self):
        with tempfile.TemporaryDirectory() as folder:
            site = Path(folder)
            (site / "a.html").write_text('<h1 id="x"></h1><a href="b.html#y"></a><a href="a.html#x"></a>'
                                         '<a href="https://example.org">')
            (site / "b.html").write_text('<script src="https://cdn.example.org/x.js"></script>'
                                         '<img src="none.svg">')
            self.assertEqual(["a.html: b.html#y: no such place on the page",
                              "b.html: loads https://cdn.example.org/x.js from outside",
                              "b.html: none.svg leads nowhere"], faults_of_site(site))


if __name__ == "__main__":
    unittest.main()
