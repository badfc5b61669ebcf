"""docs/python.md, block by block: what it shows works, and what it asserts holds."""

import os
import pathlib
import re
import unittest

HERE = pathlib.Path(__file__).resolve().parents[2]
PAGE = HERE / "docs" / "python.md"


class Page(unittest.TestCase):
    def test_blocks(self):
        text = PAGE.read_text(encoding="utf-8")
        blocks = [(text[:found.start()].count("\n") + 2, found.group(1))
                  for found in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)]
        self.assertGreater(len(blocks), 5)
        os.chdir(HERE)  # it names scenarios
        names = {}
        for line, block in blocks:
            with self.subTest(line=line):
                exec(compile("\n" * (line - 1) + block, str(PAGE), "exec"), names)

    def test_every_name_is_mentioned(self):
        import polhode
        text = PAGE.read_text(encoding="utf-8")
        results = {"Comparison", "Convergence", "Diagnosis", "Reproduction", "Event", "Loaded", "PolhodeWarning", "Solution",
                   "Torque", "method", "plot", "Bodies", "Ensemble"}
        for name in polhode.__all__:
            if name not in results:
                self.assertRegex(text, rf"\b{name}\b", name)


if __name__ == "__main__":
    unittest.main()
