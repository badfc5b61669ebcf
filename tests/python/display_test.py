"""What notebooks show: polhode.display and polhode.display_studies.

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

from polhode import display, display_studies


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

    def test_problems_are_rows(self):
        records = [dict(name="a<b", cite="KE05", about="tops & more", inertia=[1.0, 2.5, 3.0], torque=[{"kind": "heavy-top"}, {"kind": "x"}],
                        step=0.05, duration=100.0), dict(name="tensor", inertia=[[1, 0, 0], [0, 1, 0], [0, 0, 1]], torque=[])]
        cells = Table(display_studies.problems_html(records)).cells
        self.assertEqual(cells[7:14], ["a<b", "1, 2.5, 3", "heavy-top, x", "0.05", "100", "KE05", "tops & more"])
        self.assertEqual(cells[14:17], ["tensor", "tensor", "none"])

    def test_orders(self):
        rows = [dict(method="m", step=h, steps=1, attitude_error=h**2, momentum_error=h**2, attitude_floor=1e-15, momentum_floor=1e-15,
                     torque_evaluations=1, converged=True, attitude_standing="fitted", momentum_standing="fitted") for h in (0.1, 0.05, 0.025)]
        fit = dict(method="m", attitude=2.004, attitude_uncertainty=0.061, momentum=None, momentum_uncertainty=None, claimed_attitude=2,
                   claimed_momentum=4, reason="too <few>", from_step=0.1, to_step=0.025, momentum_from_step=None, momentum_to_step=None)
        study = dict(problem="<top>", rows=rows, orders=[fit], schema_version=1, version="0", scalar="double", reference="it", duration=1)
        table = Table(display_studies.convergence_html(study))
        self.assertEqual(table.cells[6:], ["m", "2", "2.00 ± 0.06", "4", "", "too <few>"])
        self.assertEqual((table.open, len(table.images)), ([], 1))
        self.assertIn("<strong>Convergence: &lt;top&gt;</strong>", display_studies.convergence_html(study))

    def test_costs(self):
        rows = [dict(method="m", step=1 / (i + 1), attitude_error=1e-3, cost=2e-3, torque_evaluations=7) for i in range(display_studies.LONGEST + 3)]
        rows[0].update(cost=None, attitude_error=None, failure="it & failed")
        page = display_studies.comparison_html({"title": "mine", "rows": rows})
        cells = Table(page).cells
        self.assertEqual(cells[6:18], ["m", "1", "", "", "7", "it & failed", "m", "0.5", "0.001", "2", "7", ""])
        self.assertEqual(len(cells), 6 * (display_studies.LONGEST + 1))
        self.assertIn("and 3 more rows", page)

    def test_verdicts(self):
        findings = [dict(about="order", claimed="2", measured="1.00", zero="within 0.25", verdict="disagrees", note=None),
                    dict(about="energy", claimed="no", measured="1", zero=None, verdict="agrees", note="so so")]
        page = display_studies.diagnosis_html(dict(diagnosis_of="m", problem="top", disagree=1, findings=findings))
        self.assertEqual(Table(page).cells[6:], ["order", "2", "1.00", "within 0.25", "disagrees", "", "energy", "no", "1", "", "agrees", "so so"])
        self.assertIn("1 of its claims does not hold", page)
        self.assertEqual(page.count("color:"), 1)
        verdicts = [dict(experiment="e", item="i", published="16.3", measured="16.2", unit="deg", verdict="reproduced"),
                    dict(experiment="e", id="c", claim="it <holds>", measured=[{}], verdict="does not hold")]
        page = display_studies.reproduction_html(verdicts)
        self.assertEqual(Table(page).cells[6:], ["e", "i", "16.3", "16.2", "deg", "reproduced", "e", "c", "it <holds>", "", "", "does not hold"])
        self.assertEqual(page.count("color:"), 1)

    def test_ensembles(self):
        info = dict(title="<debris>", method="m", followed=30, steps=10, step=0.1, seconds=0.25, threads=2, instruction_set="avx2", failed=1,
                    statistics=[dict(quantity="energy", time="end", least=1.0, mean=2.0, largest=3.0, deviation=None)])
        page = display_studies.ensemble_html(info)
        self.assertEqual(Table(page).cells[6:], ["energy", "end", "1", "2", "3", ""])
        self.assertIn("30 bodies by m; 10 steps of 0.1 s; 0.25 s on 2 threads, packs: avx2; 1 failed", page)
        self.assertIn("on a card", display_studies.ensemble_html(dict(info, card="a card")))

    def test_nothing_raises_where_something_lacks(self):
        for kind in ("convergence", "comparison", "diagnosis", "ensemble"):
            self.assertEqual(Table(getattr(display_studies, f"{kind}_html")({})).open, [])
        for kind in ("problems", "reproduction"):
            self.assertEqual(Table(getattr(display_studies, f"{kind}_html")([{}])).open, [])


if __name__ == "__main__":
    unittest.main()
