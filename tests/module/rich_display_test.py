"""What a notebook shows of results says what the results say."""

import re
import unittest
from html import unescape

import polhode
from motions import MOMENTS, START, TOP


def cells(result):
    """Of all tables of its page."""
    return [unescape(re.sub("<.*?>", "", one)) for one in re.findall(r"<t[dh]\b.*?>(.*?)</t[dh]>", result._repr_html_())]


class Shown(unittest.TestCase):
    def test_studies(self):
        study = polhode.converge("asymmetric-top", ["lie-verlet", "mclachlan-reich-231@suzuki"])
        found = cells(study)
        for fit in study.orders:
            at = found.index(fit["method"])
            self.assertEqual(found[at + 1], str(fit["claimed_attitude"]))
            self.assertEqual(float(found[at + 2].split()[0]), round(fit["attitude"], 2))
        study = polhode.compare("asymmetric-top", ["lie-verlet"], [0.02, 0.01], repeats=1)
        found = cells(study)
        for row in study.rows:
            at = found.index(f"{row['step']:g}")
            self.assertAlmostEqual(float(found[at + 1]) / row["attitude_error"], 1, delta=0.01)
            self.assertEqual(int(found[at + 3]), row["torque_evaluations"])
        for study in (study, polhode.converge("asymmetric-top", ["lie-verlet"], [0.02, 0.01, 0.005])):
            self.assertIn('<img alt="errors against', study._repr_html_())
        study = polhode.diagnose("lie-verlet")
        found = cells(study)
        for finding in study.findings:
            self.assertEqual(found[found.index(finding["about"]):][1:3], [finding["claimed"], finding["measured"]])
        papers = polhode.reproduce("buss-figure-5")
        self.assertEqual(cells(papers).count("reproduced"), sum(one["verdict"] == "reproduced" for one in papers.verdicts))

    def test_lists(self):
        for records in (polhode.problems(), polhode.methods()):
            found = cells(records)
            for one in records:
                self.assertIn(one["name"], found)
        self.assertNotIn("moments [kg m²]", found)

    def test_ensembles(self):
        many = polhode.ensemble(MOMENTS, TOP, START, (0, 1), step=0.1, bodies=20, draw={"attitude": "uniform"})
        found = cells(many)
        self.assertAlmostEqual(float(found[found.index("energy") + 3]) / many.end.energy.mean(), 1, delta=1e-5)
        self.assertIn("20 bodies by mclachlan-reich-231; 10 steps of 0.1 s", many._repr_html_())


if __name__ == "__main__":
    unittest.main()
