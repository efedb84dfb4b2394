# SPDX-License-Identifier: BSD-2-Clause
"""check_layers.py on small trees that keep or break the rules."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from check_layers import check  # noqa: E402

RULES = """
everyone = ["include/tutti"]
roots = ["include", "src"]
[folders]
"include/tutti" = []
"src/base" = []
"src/fmi/abi" = []
"src/fmi" = ["src/base", "src/fmi/abi"]
"apps" = []
"fmukit" = ["src/fmi/abi"]
[confined]
"CLI/" = ["apps/main.cpp"]
"""


class CheckLayers(unittest.TestCase):
    def faults(self, files, rules=RULES):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder).resolve()
            tree = {"tools/layers.toml": rules, "include/tutti/a.hpp": "", "src/base/b.hpp": "",
                    "src/fmi/f.hpp": "", "src/fmi/abi/fmi2.hpp": "", **files}
            for name, text in tree.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            return check(root)[1]

    def test_accepts_what_is_listed(self):
        self.assertEqual([], self.faults({
            "src/fmi/x.cpp": '#include <tutti/a.hpp>\n#include <vector>\n'
                             '#include "base/b.hpp"\n#include "fmi/f.hpp"\n#include "f.hpp"\n',
            "apps/main.cpp": '#include <tutti/a.hpp>\n#include <CLI/CLI.hpp>\n',
            "fmukit/k.cpp": '#include "fmi/abi/fmi2.hpp"\n'}))

    def test_names_file_line_and_what_is_allowed(self):
        fault, = self.faults({"src/base/x.cpp": '// one\n#include "fmi/f.hpp"\n'})
        self.assertTrue(fault.startswith('src/base/x.cpp:2: "src/base" includes src/fmi/f.hpp'))

    def test_catches_every_way_around(self):
        for name, line in {"apps/main.cpp": '#include "base/b.hpp"',
                           "apps/cli.cpp": '  #  include <../src/base/b.hpp>',
                           "src/base/deep/x.hpp": '#include "../../fmi/f.hpp"',
                           "fmukit/k.cpp": '#include "fmi/f.hpp"',
                           "src/fmi/abi/x.hpp": '#include "base/b.hpp"',
                           "src/fmi/x.cpp": '#include <CLI/CLI.hpp>',
                           "src/new/x.cpp": ''}.items():
            with self.subTest(name):
                self.assertEqual(1, len(self.faults({name: line + "\n"})))

    def test_refuses_a_cycle_in_the_rules(self):
        self.assertEqual(1, len(self.faults(
            {}, RULES.replace('"src/base" = []', '"src/base" = ["src/fmi"]'))))


if __name__ == "__main__":
    unittest.main()
