"""The report of polhode reproduce: what it says of results, what it draws, and what is said when it cannot.

python3 tests/python/report_test.py
"""

import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from contextlib import redirect_stderr
from html.parser import HTMLParser

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python", "polhode")
sys.path.insert(0, SOURCE)
sys.dont_write_bytecode = True

import report
from reproduction import reading, words
from reproduction.to_markdown import code, plain

try:
    import numpy as np
    from figures import experiment_figure
    from figures.curves import read_panels
    from figures.experiment import curve_styles
    from figures.scales import log_range, magnitude, value_range, with_power
except ModuleNotFoundError as absent:
    if __name__ == "__main__":
        print(f"skipped: {absent.name} is not installed")
        sys.exit(0)
    raise unittest.SkipTest(f"{absent.name} is not installed")

VOID = {"meta", "img", "br"}


def item(name, published, measured, verdict, **more):
    return dict(dict(item=name, published=published, measured=measured, unit="J", place="Fig. 4", verdict=verdict,
                     tolerance="the digits printed", reason="", command=f"polhode run --number {name}", fields={},
                     note=""), **more)


def claim(name, text, verdict, measured=(), **more):
    return dict(dict(id=name, claim=text, place="Sec. 3", command=f"polhode run --claim {name}", verdict=verdict,
                     measured=[dict(name=key, value=value, expression="a / b") for key, value in measured],
                     criterion="about a third", holds_if="ratio < 0.42", note="", test=""), **more)


def panel(kind, files, **more):
    curves = [dict(label=f"curve {i}", method=f"m{i}", step=0.1, file=file, failure="", reference=False)
              for i, file in enumerate(files)]
    return dict(dict(title=f"({kind})", kind=kind, columns=["energy_error"], x_label="", y_label="", log="none",
                     reference_slope=None, curves=curves), **more)


def result(**more):
    return dict(dict(experiment="x", title="A title", paper="B01", place="Fig. 4", set="quick", about="What is shown.",
                     command="polhode reproduce x", version="0.1.0", digest="d", run_set="default", seconds=1.5,
                     items=[], claims=[], table=None, figure=None, left_out=0), **more)


class Outline(HTMLParser):
    """Every tag closed in its turn; ids, links, and addresses of whatever a browser would fetch."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links, self.fetched, self.alts, self.tags, self.text = [], [], [], [], [], [], ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.tags.append(tag)
        self.ids += [given["id"]] if "id" in given else []
        self.links += [given["href"]] if tag == "a" else []
        self.fetched += [given[key] for key in ("src", "srcset", "data", "poster") if key in given]
        self.fetched += [given["href"]] if "href" in given and tag != "a" else []
        self.alts += [given.get("alt")] if tag == "img" else []
        if tag == "th" and given.get("scope") not in ("row", "col"):
            raise AssertionError("a head without scope")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            raise AssertionError(f"</{tag}> closes nothing")

    def handle_data(self, data):
        self.text += data if not self.open or self.open[-1] != "style" else ""


class Reports(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, data):
        os.makedirs(self.path(name), exist_ok=True)
        with open(self.path(name, "result.json"), "w", encoding="utf-8") as file:
            file.write(data if isinstance(data, str) else json.dumps(data))

    def curve(self, name, file, rows, header="t,energy_error"):
        os.makedirs(self.path(name), exist_ok=True)
        with open(self.path(name, file), "w", encoding="utf-8") as out:
            out.write("\n".join([header] + [",".join(f"{x:.17g}" for x in row) for row in rows]) + "\n")
        return file

    def report(self, *arguments):
        said = io.StringIO()
        with redirect_stderr(said):
            try:
                code = report.main([self.folder, *arguments])
            except SystemExit as leave:
                code = leave.code
        return code, said.getvalue()

    def read(self, *names):
        with open(self.path(*names), encoding="utf-8") as file:
            return file.read()

    def pages(self, *arguments):
        self.assertEqual(self.report(*arguments), (0, ""))
        return self.read("report.html"), self.read("report.md")


class Saying(Reports):
    def test_numbers_and_verdicts(self):
        self.write("buss-figure-4", result(
            items=[item("one", "82.1053", "82.105263", "reproduced"),
                   item("two", "82.1177", "82.11750344", "misprint", reason="A digit was misread"),
                   item("three", "5.0", "7.25", "not reproduced"), item("four", "0.25", "", "used"),
                   item("five", "", "3.14", "measured"), item("six", "15356", "15346", "within tolerance")],
            claims=[claim("third", "Cut to a third", "holds", [("ratio", 1.0 / 3.0), ("rate", -3.88123e-6)]),
                    claim("drift", "No drift", "does not hold", note="It drifts."),
                    claim("size", "About equal", "holds in part", [("x", "nan")]),
                    claim("tested", "It is symplectic", "does not hold", test="claims_symplectic_test")]))
        html, markdown = self.pages()
        text = Outline(html).text
        for page in (text, markdown.replace("\\_", "_")):
            for words_said in ("4 printed numbers: 1 reproduced to the digits printed, 1 within the tolerance stated, "
                               "1 off for a known reason (misprint, solved, differs), 1 not reproduced.",
                               "Statements of the papers: 4: 1 hold, 1 in part, 2 do not.", "82.1053", "82.105263", "82.117503",
                               "A digit was misread.", "ratio = 0.3333", "rate = -3.881e-6", "x = nan", "It drifts.",
                               "claims_symplectic_test", "polhode reproduce x", "polhode run --claim third",
                               "Buss, Fig. 4", "Polhode 0.1.0", "set default"):
                self.assertIn(words_said, page)
        self.assertIn("1.5 s", text)
        self.assertNotIn("1.5 s", markdown)
        self.assertNotIn("time", markdown.lower())
        row = next(line for line in markdown.splitlines() if line.startswith("| [buss-figure-4]"))
        self.assertEqual(row.split(" | ")[2:], ["1", "1", "1", "1", "1", "1", "2", "\u2013", "\u2013 |"])

    def test_claims_are_counted_by_whose_they_are_and_what_they_hang_on(self):
        self.write("a", result(claims=[claim("x", "A", "holds"), claim("y", "B", "cannot be decided", missing="The body."),
                                       claim("z", "C", "undecided"), claim("t", "D", "does not hold", timed=True),
                                       claim("o", "E", "does not hold", place="ours, on Sec. 3")]))
        self.write("b", result(paper="", claims=[claim("p", "F", "holds")]))
        html, markdown = self.pages()
        for page in (Outline(html).text, markdown):
            for said in ("Statements of the papers: 3: 1 hold, 1 undecided, 1 cannot be decided.",
                         "which hang on the processor: 1: 1 do not.", "Our own questions and experiments: 2: 1 hold, 1 do not.",
                         "missing: The body.", "without their pictures"):
                self.assertIn(said, page)
        row = next(line for line in markdown.splitlines() if line.startswith("| [a]"))
        self.assertEqual(row.split(" | ")[6:], ["1", "\u2013", "2", "1", "1 |"])

    def test_numbers_of_one_family_stand_in_one_line(self):
        self.write("a", result(claims=[claim("x", "Falls", "holds", [("r_0", 4.0), ("r_1", 2e-7), ("late", 1.0),
                                                                    ("h05", 1.0), ("h01", 2.0), ("late2", 3.0)])]))
        html, markdown = self.pages()
        self.assertIn("r_0\u20261 = 4, 2e-7", Outline(html).text)
        self.assertIn("| r\\_0\u20261 = 4, 2e-7<br>late = 1<br>h05, 01 = 1, 2<br>late2 = 3 |", markdown)

    def test_claims_that_do_not_hold_are_listed_and_linked(self):
        self.write("a", result(claims=[claim("good", "Fine", "holds"), claim("bad one", "Wrong", "does not hold")]))
        html, markdown = self.pages()
        start = html.index("Claims that do not hold")
        listed = html[start:html.index("<h2", start)]
        self.assertIn('<a href="#a-bad-one">Wrong</a>', listed)
        self.assertNotIn("Fine", listed)
        self.assertIn("does not hold", listed)
        self.assertIn("[Wrong](#a-bad-one)", markdown)
        self.assertIn('<a id="a-bad-one"></a>', markdown)
        self.write("a", result(claims=[claim("good", "Fine", "holds")]))
        self.assertRegex(self.pages()[1], r"## Claims that do not hold\n\nNone\.")

    def test_a_table_is_shown_as_one(self):
        cells = [item(f"{row}{column}", "1.25", "1.251", verdict, reason=reason, fields=dict(label=row, column=column))
                 for row, column, verdict, reason in (
                     ("a", "h = 1", "reproduced", ""), ("a", "h = 2", "differs", "why"),
                     ("b", "h = 1", "differs", "why"), ("b", "h = 2", "solved", "how"))]
        self.write("a", result(items=cells + [item("alone", "7", "7", "reproduced")],
                               table=dict(rows="label", columns="column")))
        html, markdown = self.pages()
        self.assertIn("| label | h = 1 | h = 2 |", markdown)
        self.assertIn("| a | 1.25<br>1.251 \u2713 | 1.25<br>1.251 **\u2260 differs** |", markdown)
        self.assertIn("a, h = 2: printed 1.25, measured 1.251; b, h = 1: printed 1.25, measured 1.251. Tolerance: the "
                      "digits printed. why.", Outline(html).text)
        listed = markdown[markdown.index("Not reproduced to the digit"):]
        self.assertNotIn("a, h = 1: printed", listed[:listed.index("<details>")])
        self.assertRegex(html, r'<td role="cell" class="aside" data-label="h = 2">')
        self.assertIn("alone", markdown)

    def test_text_of_others_is_only_text(self):
        nasty = "a < b & c > d | e_f *g* `h < |i|` [j] $k$ \"l\" <script>"
        self.write("a", result(title=nasty, about=nasty, items=[item(nasty, "1", "1", "reproduced", command="a | b")],
                               claims=[claim("n", nasty, "does not hold", note=nasty, criterion=nasty)]))
        html, markdown = self.pages()
        outline = Outline(html)
        self.assertNotIn("script", outline.tags)
        self.assertIn("a < b & c > d | e_f *g* h < |i| [j] $k$ \"l\" <script>", outline.text)
        self.assertIn("<code>h &lt; |i|</code>", html)
        tables = [part.splitlines() for part in markdown.split("\n\n") if part.startswith("|")]
        self.assertEqual(len(tables), 3)
        for table in tables:
            self.assertEqual(len({len(re.findall(r"(?<!\\)\|", line)) for line in table}), 1, table)
        self.assertNotIn("<script>", markdown)
        self.assertIn(r"`a \| b`", markdown)
        self.assertEqual(plain("a_b|<c>&$"), r"a\_b\|&lt;c&gt;&amp;\$")
        self.assertEqual(code("a|`b", True), r"``a\|`b``")

    def test_numbers_are_short(self):
        self.assertEqual([words.number(x) for x in (1 / 3, -3.88123e-6, 1e300, 0.0, 12345.678, float("inf"))],
                         ["0.3333", "-3.881e-6", "1e300", "0", "1.235e4", "inf"])
        def measured(text, published, value=None):
            return words.measured(reading.Item("x", published, text, "reproduced", value=value))

        self.assertEqual(measured("82.10535366781114", "82.1054"), "82.105354")
        self.assertEqual(measured("15346", "15356"), "15346")
        self.assertEqual(measured("failed", "3"), "failed")
        self.assertEqual(measured("0.25", ""), "0.25")
        self.assertEqual(measured("82.1052635", "82.1053", 82.10526345), "82.105263", "rounded once")
        self.assertEqual(words.with_unit("3", "kg m^2"), "3 kg m\u00b2")
        self.assertEqual(words.with_unit("failed", "s"), "failed")

    def test_experiments_in_the_order_of_the_papers(self):
        for name, paper in (("zz", "B01"), ("aa", ""), ("mm", "KE05"), ("kk", "NEW99")):
            self.write(name, result(paper=paper))
        html, _ = self.pages()
        places = [html.index(f'<h3 id="{name}"') for name in ("zz", "mm", "kk", "aa")]
        self.assertEqual(places, sorted(places))

    def test_every_link_leads_somewhere_and_nothing_is_fetched(self):
        self.curve("a", "c.csv", [(0, 0), (1, 1)])
        self.write("a", result(figure=dict(caption="A <caption>", columns=1, panels=[panel("time-series", ["c.csv"])]),
                               claims=[claim("one", "Wrong", "does not hold")], left_out=2))
        html, markdown = self.pages()
        outline = Outline(html)
        self.assertEqual(outline.open, [])
        self.assertEqual(len(outline.ids), len(set(outline.ids)))
        self.assertEqual([link for link in outline.links if link[1:] not in outline.ids], [])
        self.assertEqual([address[:26] for address in outline.fetched], ["data:image/svg+xml;base64,"])
        self.assertNotIn("script", outline.tags)
        self.assertIsNone(re.search(r"https?://|@import|url\(", html))
        self.assertTrue(all("(time-series): curve 0" in alt for alt in outline.alts))
        self.assertIn("2 numbers and claims left out", outline.text)
        self.assertIn("A <caption>", outline.text)
        self.assertIn("](<a/figure.png>)", markdown)
        self.assertTrue(os.path.exists(self.path("a", "figure.png")))


class Drawing(Reports):
    def experiment(self, name, panels, **more):
        self.write(name, result(figure=dict(caption="", columns=2, panels=panels), **more))

    def every_kind(self, name):
        t = np.linspace(0.0, 50.0, 3000)
        wave = self.curve(name, "wave.csv", np.column_stack([t, np.sin(9.0 * t)]))
        three = self.curve(name, "three.csv", np.column_stack([t, np.cos(t), np.sin(t), t / 50.0]), "t,rvx,rvy,rvz")
        h = 0.5 ** np.arange(6)
        order = self.curve(name, "order.csv", [*np.column_stack([h, h ** 2]), (2.0, np.nan)], "step,error")
        columns = (("3.5", "reproduced"), ("failed", "solved"))
        table = [item(f"{i}{j}", published, "3.5", verdict, fields=dict(label=f"row {i}", column=f"h = {j}"))
                 for i in range(3) for j, (published, verdict) in enumerate(columns)]
        three_columns = dict(columns=["rvx", "rvy", "rvz"])
        self.experiment(name, [
            panel("time-series", [wave, wave]), panel("time-series", [wave], log="y"),
            panel("time-series", [three, three], **three_columns), panel("time-series", [three], **three_columns),
            panel("space-curve", [three], **three_columns), panel("convergence", [order], reference_slope=2),
            panel("scan", [order], log="both", x_label="$x", y_label="y [J]"), panel("scan", [order]),
            panel("table-dots", [], log="x"), panel("time-series", [])],
            items=table, table=dict(rows="label", columns="column"))

    def test_every_kind_and_the_same_bytes_again(self):
        self.every_kind("a")
        self.every_kind("b")                  # two at once: drawn by two processes where there are two
        self.pages()
        for kind, magic in (("pdf", b"%PDF"), ("svg", b"<?xml"), ("png", b"\x89PNG")):
            drawn = []
            for name in ("a", "b"):
                with open(self.path(name, f"figure.{kind}"), "rb") as file:
                    drawn.append(file.read())
            self.assertTrue(drawn[0].startswith(magic))
            self.assertEqual(*drawn)

    def test_drawn_again_only_where_the_result_is_newer(self):
        self.curve("a", "c.csv", [(0, 0), (1, 1)])
        self.experiment("a", [panel("time-series", ["c.csv"])])
        self.pages()
        before = os.stat(self.path("a", "figure.svg")).st_mtime_ns
        self.pages("--figures-only")
        self.assertEqual(os.stat(self.path("a", "figure.svg")).st_mtime_ns, before)
        os.utime(self.path("a", "result.json"), ns=(before + 10 ** 9, before + 10 ** 9))
        self.report()
        self.assertNotEqual(os.stat(self.path("a", "figure.svg")).st_mtime_ns, before)

    def test_a_large_figure_is_shown_as_png(self):
        self.curve("a", "c.csv", [(0, 0), (1, 1)])
        self.experiment("a", [panel("time-series", ["c.csv"])])
        with unittest.mock.patch("reproduction.drawing.LARGEST", 100):
            html, _ = self.pages()
        self.assertTrue(Outline(html).fetched[0].startswith("data:image/png;base64,"))

    def test_figures_alone(self):
        self.curve("a", "c.csv", [(0, 0), (1, 1)])
        self.experiment("a", [panel("time-series", ["c.csv"])])
        self.assertEqual(self.report("--figures-only"), (0, ""))
        self.assertEqual(sorted(os.listdir(self.path("a"))),
                         ["c.csv", "figure.pdf", "figure.png", "figure.svg", "result.json"])
        self.assertEqual(os.listdir(self.folder), ["a"])

    def test_the_twin_and_its_previews(self):
        self.curve("a", "c.csv", [(0, 0), (1, 1)])
        self.experiment("a", [panel("time-series", ["c.csv"])])
        with tempfile.TemporaryDirectory() as docs:
            twin, images = os.path.join(docs, "reproduction.md"), os.path.join(docs, "images", "reproduction")
            self.assertEqual(self.report("--markdown", twin, "--images", images), (0, ""))
            with open(twin, encoding="utf-8") as file:
                self.assertIn("](<images/reproduction/a.png>)", file.read())
            with open(os.path.join(images, "a.png"), "rb") as file:
                preview = file.read()
            self.assertTrue(preview.startswith(b"\x89PNG"))
            self.assertEqual(int.from_bytes(preview[16:20], "big"), 710)       # pixels across: 7.1 inches at 100
            self.assertLess(len(preview), os.path.getsize(self.path("a", "figure.png")) / 2)

    def test_hard_cases_are_drawn_without_a_word(self):
        t = np.arange(400.0)
        cases = {"diverges": np.exp(0.5 * t), "infinite": np.where(t < 100, t, np.inf), "zero": 0.0 * t,
                 "constant": 0.0 * t + 3.0, "tiny": 1e-17 * np.sin(t), "one": [1.0], "none": [], "all nan": t * np.nan}
        for name, y in cases.items():
            own = self.curve(name, "c.csv", np.column_stack([t[:len(y)], y]))
            other = self.curve(name, "o.csv", np.column_stack([t, np.sin(t)]))
            error = self.curve(name, "e.csv", np.column_stack([t[:len(y)] + 1.0, y]), "step,error")
            space = self.curve(name, "s.csv", np.column_stack([t[:len(y)], y, y, y]), "t,rvx,rvy,rvz")
            self.experiment(name, [panel("time-series", [own]), panel("time-series", [own, other], log="y"),
                                   panel("time-series", [other, own], columns=["$5", "no <such> column"]),
                                   panel("convergence", [error], reference_slope=2), panel("scan", [error]),
                                   panel("space-curve", [space], columns=["rvx", "rvy", "rvz"])], title="$5 & <b>")
        with unittest.mock.patch("reproduction.drawing.KINDS", ("svg",)):
            self.assertEqual(self.report("--figures-only"), (0, ""))

    def legend(self, panels, **more):
        self.experiment("a", panels, **more)
        figure = experiment_figure(json.loads(self.read("a", "result.json")), self.path("a"))
        return [text.get_text() for legend in figure.legends for text in legend.get_texts()], figure

    def test_what_is_not_drawn_is_said(self):
        t = np.arange(100.0)
        self.curve("a", "good.csv", np.column_stack([t, np.sin(t)]))
        self.curve("a", "grown.csv", np.column_stack([t, np.exp(t)]))
        self.curve("a", "short.csv", np.column_stack([t[:10], np.sin(t[:10])]))
        self.curve("a", "none.csv", [])
        failing = panel("time-series", ["good.csv", "grown.csv", "short.csv", "none.csv"])
        failing["curves"][2]["failure"] = "no root"
        said, figure = self.legend([failing])
        self.assertEqual(said, ["curve 0", "curve 1 (leaves the panel)", "curve 2 (fails after t = 9)",
                                "curve 3 (failed)"])
        self.assertLess(figure.axes[0].get_ylim()[1], 1.2)
        self.curve("a", "e.csv", [(1.0, np.nan), (0.5, 0.25), (0.25, 0.0)], "step,error")
        said, figure = self.legend([panel("convergence", ["e.csv"], reference_slope=2)])
        self.assertEqual(said, ["curve 0 (1 of 3 failed, 1 of 3 exact)", "slope 2"])
        line = figure.axes[0].lines[-1].get_xydata()
        self.assertAlmostEqual(np.log(line[1, 1] / line[0, 1]) / np.log(line[1, 0] / line[0, 0]), 2.0)

    def test_one_legend_where_panels_agree_and_one_look_per_method(self):
        self.curve("a", "c.csv", [(0, 0), (1, 1)])
        same = [panel("time-series", ["c.csv", "c.csv"]), panel("time-series", ["c.csv", "c.csv"])]
        self.assertEqual(self.legend(same)[0], ["curve 0", "curve 1"])
        same[1]["curves"][0].update(method="other", label="other")
        self.assertEqual(len(self.legend(same)[0]), 4)
        panels = read_panels(dict(panels=same), self.path("a"))
        looks = curve_styles(panels)
        self.assertEqual(looks[0][1], looks[1][1])
        self.assertNotEqual(looks[0][0], looks[1][0])

    def test_ranges_and_labels(self):
        small, grown = np.sin(np.arange(100.0)), np.logspace(0, 30, 100)
        low, high, gone = value_range([small, grown])
        self.assertEqual((gone, high <= 1.0), ([False, True], True))
        self.assertEqual(value_range([1e-15 * small, small])[2], [False, False])    # rounding is no measure
        self.assertLess(log_range(np.array([1e-3, 1e-2, 1e-1, 1.0, 1e90]))[1], 1.0)
        self.assertEqual(with_power("E [J]", -3), "E [$10^{-3}$ J]")
        self.assertEqual(with_power("ratio", 6), "ratio [$10^{6}$]")
        self.assertEqual(magnitude("E - E(0) [J]"), "|E - E(0)| [J]")


class Refusing(Reports):
    def refuses(self, code, sentence, *arguments):
        got, said = self.report(*arguments)
        self.assertEqual(got, code, said)
        self.assertIn(sentence, said)
        self.assertEqual(said.count("\n"), 1, said)

    def test_folders_and_results(self):
        self.refuses(66, "holds no result.json")
        self.write("good", result())
        for damaged in ("{", "[]", json.dumps(dict(result(), items=[{}])), json.dumps(dict(result(), seconds="x")),
                        json.dumps(dict(result(), figure=dict(panels=[7])))):
            self.write("bad", damaged)
            self.refuses(65, os.path.join("bad", "result.json"))
            self.assertFalse(os.path.exists(self.path("report.html")))
        self.folder = self.path("none")
        self.refuses(66, "is not a folder")

    def test_usage(self):
        self.write("a", result())
        self.assertEqual(self.report("--markdown", "x.md")[0], 2)
        self.assertEqual(self.report("--figures-only", "--markdown", "x.md", "--images", "x")[0], 2)

    def test_a_curve_that_is_missing_or_damaged_costs_one_figure_only(self):
        self.curve("good", "c.csv", [(0, 0), (1, 1)])
        self.write("good", result(figure=dict(caption="", columns=1, panels=[panel("time-series", ["c.csv"])])))
        self.write("bad", result(figure=dict(caption="", columns=1, panels=[panel("time-series", ["none.csv"])])))
        self.refuses(66, os.path.join("bad", "none.csv"))
        outline = Outline(self.read("report.html"))
        self.assertEqual(len(outline.fetched), 1)
        self.assertIn("Without figure", outline.text)
        for content, words_said in (("t,e\n0,x\n", "is damaged"), ("t,e\n0,1,2\n", "is damaged")):
            with open(self.path("bad", "none.csv"), "w", encoding="utf-8") as file:
                file.write(content)
            self.refuses(65, words_said)
        self.write("bad", result(figure=dict(caption="", columns=1, panels=[panel("pie", ["none.csv"])])))
        self.curve("bad", "none.csv", [(0, 0), (1, 1)])
        self.refuses(65, "of kind 'pie' cannot be drawn")
        self.write("bad", result(figure=dict(caption="", columns=1, panels=[panel("scan", ["none.csv"], columns=7)])))
        self.refuses(65, "its figure cannot be drawn")

    def test_a_report_that_cannot_be_written(self):
        self.write("a", result())
        os.mkdir(self.path("report.html"))
        self.refuses(74, "cannot be written")
        self.assertFalse([name for name in os.listdir(self.folder) if name.endswith(".part")])

    def test_without_matplotlib(self):
        self.curve("a", "c.csv", [(0, 0), (1, 1)])
        self.write("a", result(figure=dict(caption="", columns=1, panels=[panel("time-series", ["c.csv"])]),
                               items=[item("one", "82.1053", "82.105263", "reproduced")]))
        program = "import sys; sys.modules['matplotlib'] = None; import report; sys.exit(report.main(sys.argv[1:]))"
        done = subprocess.run([sys.executable, "-B", "-c", program, self.folder], cwd=SOURCE, capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 69, done.stderr)
        self.assertIn("install python3-matplotlib", done.stderr)
        outline = Outline(self.read("report.html"))
        self.assertIn("82.105263", outline.text)
        self.assertIn("no figures were drawn", outline.text)
        self.assertEqual(outline.fetched, [])


if __name__ == "__main__":
    unittest.main()
