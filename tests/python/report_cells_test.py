"""The cells of the report against the results they come from: each number and verdict in the row and the column it
belongs to. The Markdown is read as text, the results from result.json and published.csv.

python3 tests/python/report_cells_test.py build/release/polhode
"""

import csv
import html
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path.insert(0, os.path.join(ROOT, "python", "polhode"))
sys.dont_write_bytecode = True

import reproduction

# A table as in the paper with misprints, one of other numbers, and claims by numbers and by tests.
CHOSEN = ("buss-figure-3", "buss-figure-4", "krysl-endres-figure-05", "romero-claims")
SIGNS = {"reproduced": "✓", "within tolerance": "≈", "misprint": "†", "solved": "+", "differs": "≠", "used": "=",
         "measured": "○", "not reproduced": "✗", "holds": "✓", "holds in part": "◐", "does not hold": "✗",
         "undecided": "±", "cannot be decided": "…"}


def text(cell):
    """A cell of Markdown as it is read."""
    return html.unescape(re.sub(r"\\([\\`*_\[\]|~$])", r"\1", cell)).strip()


def cells(line):
    return [part.strip() for part in re.split(r"(?<!\\)\|", line)[1:-1]]


def tables(section):
    """[(head, rows)] of the tables of a section."""
    found = []
    for block in re.findall(r"(?:^\|.*\n?)+", section, re.MULTILINE):
        lines = [cells(line) for line in block.splitlines()]
        found.append(([text(cell) for cell in lines[0]], lines[2:]))
    return found


class Cells(unittest.TestCase):
    program = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        run = subprocess.run([cls.program, "reproduce", *CHOSEN, "--quick", "--no-report", "--quiet", "--experiments",
                        os.path.join(ROOT, "experiments"), "-o", cls.folder.name], stderr=subprocess.PIPE, check=False)
        if run.returncode not in (0, 1):        # 1: numbers that moved, which is for others to say
            raise AssertionError(run.stderr.decode())
        page = reproduction.markdown_page(reproduction.document(reproduction.read_experiments(cls.folder.name), True),
                                          lambda name: ("", "no figure"))
        cls.sections = {name: cls.section(page, name) for name in CHOSEN}
        cls.results, cls.published = {}, {}
        for name in CHOSEN:
            with open(os.path.join(cls.folder.name, name, "result.json"), encoding="utf-8") as file:
                cls.results[name] = json.load(file)
            path = os.path.join(ROOT, "experiments", name, "published.csv")
            if os.path.exists(path):
                with open(path, encoding="utf-8", newline="") as file:
                    cls.published[name] = {row["item"]: row for row in csv.DictReader(file)}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @staticmethod
    def section(page, name):
        return re.split(r"^### |^## ", page[page.index(f"### {name}:") + 4:], maxsplit=1, flags=re.MULTILINE)[0]

    def assert_shows(self, shown, value):
        """The text is the number, rounded to the digits it has."""
        number = re.match(r"[-+]?[\d.]+(?:e[-+]?\d+)?", shown)
        self.assertIsNotNone(number, shown)
        mantissa, _, exponent = number[0].partition("e")
        unit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
        self.assertLessEqual(abs(float(number[0]) - value), 0.5 * unit * (1 + 1e-6) + 1e-12 * abs(value), shown)

    def assert_item(self, item, printed, measured, verdict, source):
        self.assertEqual(source["published"], item["published"])
        self.assertTrue(printed.startswith(source["published"] or "\u2013") or not source["published"], printed)
        if item["value"] is None:
            self.assertIn(measured, ("", "\u2013"))
        elif isinstance(item["value"], str):
            self.assertEqual(measured.split()[0], "failed" if item["value"] == "nan" else item["value"])
        else:
            self.assert_shows(measured, item["value"])
        self.assertIn(SIGNS[item["verdict"]], verdict)

    def test_tables_as_in_the_paper(self):
        seen = 0
        for name in CHOSEN:
            result = self.results[name]
            if not result.get("table"):
                continue
            rows, columns = result["table"]["rows"], result["table"]["columns"]
            head, body = next(table for table in tables(self.sections[name]) if table[0][0] == rows)
            for item in result["items"]:
                source = self.published[name][item["item"]]
                if not source[rows] or not source[columns]:
                    continue
                with self.subTest(f"{name}: {item['item']}"):
                    line = next(line for line in body if text(line[0]) == source[rows])
                    cell = line[head.index(source[columns])].split("<br>")
                    self.assertEqual(len(cell), 2, "one number in a cell")
                    printed, (measured, _, verdict) = text(cell[0]), text(cell[1]).partition(" ")
                    self.assert_item(item, printed, measured, verdict, source)
                    seen += 1
        self.assertGreater(seen, 40)

    def test_lists_of_numbers(self):
        seen = 0
        for name in CHOSEN:
            rows = self.results[name].get("table", {}).get("rows")
            listed = [table for table in tables(self.sections[name]) if table[0][0] == "number"]
            for item in self.results[name]["items"]:
                source = self.published[name][item["item"]]
                if rows and source[rows]:
                    continue
                with self.subTest(f"{name}: {item['item']}"):
                    head, body = listed[0]
                    line = next(line for line in body if re.split(r" \(", text(line[0]))[0] == item["item"])
                    cell = dict(zip(head, map(text, line)))
                    self.assert_item(item, cell.get("printed", ""), cell.get("measured", ""), cell["verdict"], source)
                    self.assertIn(item["verdict"], cell["verdict"])
                    seen += 1
        self.assertGreater(seen, 20)

    def test_claims(self):
        seen = 0
        for name in CHOSEN:
            result = self.results[name]
            if not result["claims"]:
                continue
            head, body = next(table for table in tables(self.sections[name]) if table[0][0] == "claim")
            self.assertEqual(len(body), len(result["claims"]))
            for claim, line in zip(result["claims"], body):
                with self.subTest(f"{name}: {claim['id']}"):
                    self.assertIn(f'id="{name}-{claim["id"]}"', line[0])
                    cell = dict(zip(head, map(text, line)))
                    self.assertEqual(cell["verdict"], f"**{SIGNS[claim['verdict']]} {claim['verdict']}**")
                    self.assertEqual(cell["place"], claim["place"])
                    if claim["test"]:
                        self.assertIn(f"`{claim['test']} {claim['filter']}`: {claim['test_outcome']}", cell["measured"])
                    values = [number["value"] for number in claim["measured"]]
                    shown = re.findall(r"(?:= |, )([-+]?(?:[\d.]+(?:e[-+]?\d+)?|nan|inf))(?=<|,|$)", cell["measured"])
                    self.assertEqual(len(shown), len(values), cell["measured"])
                    for said, value in zip(shown, values):
                        if isinstance(value, str):
                            self.assertEqual(said, value)
                        else:
                            self.assert_shows(said, value)
                    seen += 1
        self.assertGreater(seen, 10)


if __name__ == "__main__":
    Cells.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
