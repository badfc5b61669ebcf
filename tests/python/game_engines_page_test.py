"""The numbers of docs/game-engines.md against what was measured: verdicts.csv of the experiment and the output of
bench/engine that is kept. Read on their own, and compared with what tools/update-game-engines writes.

python3 tests/python/game_engines_page_test.py
"""

import csv
import os
import re
import subprocess
import sys
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
# Where a cell has a word, and for which numbers.
WORDS = {"explodes": lambda value: value != value, "rounding": lambda value: value < 1e-10}


def contents(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def rows(block):
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()
            if line.startswith("|")]


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = contents("docs", "game-engines.md")
        record = contents("experiments", "extra-game-engines", "verdicts.csv").splitlines()
        cls.record = {(row["item"], row["number"]): float(row["measured"]) for row in csv.DictReader(record)}

    def part(self, name):
        found = re.search(rf"<!-- {name} -->\n(.*?)<!-- /{name} -->", self.page, re.DOTALL)
        self.assertIsNotNone(found, name)
        return found[1]

    def assert_says(self, text, value):
        """A word for it, or the number rounded to the digits that are there."""
        if text in WORDS:
            self.assertTrue(WORDS[text](value), f"{text}: {value}")
            return
        mantissa, exponent, unit = re.fullmatch(r"([\d.]+)(?:e(-?\d+))?( %|-fold)", text).groups()
        last = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
        shown = float(mantissa) * 10.0 ** int(exponent or 0)
        self.assertLessEqual(abs(shown - value * (100 if unit == " %" else 1)), 0.5 * last * (1 + 1e-6), text)

    def test_results(self):
        exact = self.record["polhode-turns-over-in-time", "exact"]
        head, _, *body = rows(self.part("results"))
        self.assertEqual(head[2:], ["energy left", "momentum astray", "turns over", "largest error"])
        methods = [re.fullmatch(r"`(.*)`", row[1])[1] for row in body]
        measured = {item[len("worst-"):] for item, _ in self.record if item.startswith("worst-")}
        self.assertEqual(set(methods), measured)
        for method, row in zip(methods, body):
            with self.subTest(method):
                self.assert_says(row[2], self.record[f"energy-{method}", ""])
                self.assert_says(row[3], self.record[f"momentum-{method}", ""])
                self.assert_says(row[5], self.record[f"worst-{method}", ""])
                flips = self.record[f"flips-{method}", ""]
                if row[4] == "explodes":
                    self.assertNotEqual(flips, flips)
                else:
                    self.assertEqual(row[4], f"{flips * exact:.0f} of {exact:.0f}")

    def test_numbers_in_sentences(self):
        astray, implicit = "no-term-smaller-steps-do-not-help", "implicit-loses-the-motion"
        clamp = "clamp-ends-at-the-middle-axis"
        said = {"wrong": [(astray, "book_0p01"), (implicit, "handle_momentum"), (implicit, "handle_energy"),
                          (implicit, "rod_momentum"), (implicit, "book_momentum"), (clamp, "book_end"),
                          (clamp, "rod_end")],
                "late": [("polhode-is-slowed-beyond", f"ratio_{n}") for n in (2, 5, 10)]}
        for part, numbers in said.items():
            shown = re.findall(r"[\d.]+ %", " ".join(self.part(part).split()))
            self.assertEqual(len(shown), len(numbers))
            for text, number in zip(shown, numbers):
                with self.subTest(number):
                    self.assert_says(text, self.record[number])

    def test_what_is_said_without_a_number_holds(self):
        holds = {item for item, *_, verdict in csv.reader(
            contents("experiments", "extra-game-engines", "verdicts.csv").splitlines()) if verdict == "holds"}
        self.assertLessEqual({"no-term-never-turns-over", "no-term-smaller-steps-do-not-help", "explicit-explodes",
                              "implicit-loses-the-motion", "clamp-ends-at-the-middle-axis", "polhode-keeps-both",
                              "polhode-turns-over-in-time"}, holds)

    def test_costs(self):
        kept = contents("bench", "engine", "measured.md")
        self.assertEqual(self.part("costs").strip(), kept.strip())
        self.assertRegex(kept, r"Measured on \d{4}-\d\d-\d\d")
        tables = [part for part in kept.split("\n\n") if part.startswith("|")]  # one for each processor
        self.assertGreaterEqual(len(tables), 1)
        for table in tables:
            _, _, *body = rows(table)
            implicit = next(row for row in body if row[0] == "implicit gyroscopic")
            for row in body:
                for cell, unit in zip(row[1:], implicit[1:]):
                    time, ratio = map(float, cell.split(", "))
                    self.assertAlmostEqual(time / float(unit.split(", ")[0]), ratio, delta=0.01)

    def test_the_tool_would_change_nothing(self):
        run = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "update-game-engines"), "--check"],
                             capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


if __name__ == "__main__":
    unittest.main()
