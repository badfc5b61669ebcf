"""What notebooks show of solutions and methods: polhode.display.

python3 tests/python/display_test.py
"""

import os
import sys
import unittest
import unittest.mock
from html.parser import HTMLParser
from types import SimpleNamespace

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

try:
    from made_up_motions import Pictures, top
except unittest.SkipTest as absent:          # numpy or matplotlib
    print(f"skipped: {absent}")
    sys.exit(0)

from polhode import display


class Table(HTMLParser):
    """Cells of a page in order, and its images."""

    def __init__(self, page):
        super().__init__()
        self.cells, self.images, self.open = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        if tag == "img":
            self.images.append(dict(attributes)["src"])
        else:
            self.open.append(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        if self.open and self.open[-1] in ("td", "th"):
            self.cells[-1] += data


class Display(Pictures):
    def test_a_solution_is_a_table_with_a_picture(self):
        table = Table(display.solution_html(top(status="finished", steps=199, attitude_error=1.25e-9, title="<b>&",
                                                warnings=["a < b", "c"])))
        told = dict(zip(table.cells[::2], table.cells[1::2]))
        self.assertEqual((told["method"], told["steps"], told["status"]), ("closed-form", "199", "finished"))
        self.assertEqual((told["end"], told["attitude error"]), ("19.9 s, 200 rows", "1.25e-09 rad"))
        self.assertEqual(told["warnings"], "a < b; c")
        self.assertTrue(told["energy"].startswith("error of at most "))
        self.assertNotIn("momentum error", told)
        self.assertEqual(table.open, [])
        self.assertTrue(table.images[0].startswith("data:image/png;base64,iVBOR"))
        self.assertIn("does not conserve", display.solution_html(top(energy_conserved=False)))

    def test_it_never_raises(self):
        broken = top()
        del broken.energy
        for thing in (object(), None, 3, SimpleNamespace(t=[], energy="x", steps=object()), broken):
            self.assertEqual(Table(display.solution_html(thing)).open, [])
        with unittest.mock.patch.dict(sys.modules, {"matplotlib": None}):
            table = Table(display.solution_html(top()))
        self.assertEqual(table.images, [])
        self.assertIn("closed-form", table.cells)

    def test_methods_are_rows(self):
        records = [dict(name="a<b", order_attitude=2, order_momentum=2, order_attitude_free=4, order_momentum_free=6,
                        symmetric=True, symplectic=False, energy="no", energy_free="exact", torque_evaluations=24.25,
                        needs="values", good_for="games & more"),
                   dict(name="free", order_attitude="exact", order_momentum="exact", symplectic=True, energy="no",
                        energy_free="exact", torque_evaluations=0.0, needs="no torque", good_for=None)]
        cells = Table(display.methods_html(records)).cells
        width = len(display.METHOD_COLUMNS)
        self.assertEqual(cells[:width], list(display.METHOD_COLUMNS))
        self.assertEqual(cells[width:2 * width], ["a<b", "2, free 4/6", "no", "yes", "no, free exact", "24.25",
                                                  "values", "games & more"])
        self.assertEqual(cells[2 * width:], ["free", "exact", "yes", "", "exact", "0", "no torque", ""])


if __name__ == "__main__":
    unittest.main()
