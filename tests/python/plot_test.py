"""Figures: what is read, what is drawn from it, and what is said when it cannot be.

python3 tests/python/plot_test.py
"""

import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from contextlib import redirect_stderr

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python", "polhode")
sys.path.insert(0, SOURCE)
sys.dont_write_bytecode = True

import plot

try:
    import numpy as np
    from figures import attitude_error, read_comparison, read_result, read_study, work_precision_figure
    from figures.run import facts
    from figures.sphere import pieces, polhode_through, without_repeats
    from figures.style import envelope, thin
except ModuleNotFoundError as absent:
    if __name__ == "__main__":
        print(f"skipped: {absent.name} is not installed")
        sys.exit(0)
    raise unittest.SkipTest(f"{absent.name} is not installed")

HEADER = ("t[s],qw,qx,qy,qz,wx_B[rad/s],wy_B[rad/s],wz_B[rad/s],Lx_S[kg m^2/s],Ly_S[kg m^2/s],Lz_S[kg m^2/s],E[J]")
INERTIA = np.array([1.0, 2.0, 3.0])


def steady_rows(count, rate=2.0, step=0.1):
    """Exact free rotation of a body with moments 1, 2, 3 about its third axis."""
    t = step * np.arange(count)
    zero, one = np.zeros(count), np.ones(count)
    return np.column_stack([t, np.cos(0.5 * rate * t), zero, zero, np.sin(0.5 * rate * t), zero, zero, rate * one,
                            zero, zero, 3.0 * rate * one, 1.5 * rate * rate * one])


def polhode_rows(count):
    """Attitude and momentum of points along one polhode; not a motion, but every identity a result obeys holds."""
    p = polhode_through(INERTIA, (0.2, 0.9, 0.3))[np.arange(count) % 240]
    q = np.zeros((count, 4))
    for row, v in enumerate(p):                       # the rotation that takes p to (0, 0, 1)
        q[row] = np.append(1.0 + v[2], np.cross(v, (0.0, 0.0, 1.0)))
    q /= np.linalg.norm(q, axis=1)[:, None]
    L = np.tile((0.0, 0.0, 1.0), (count, 1))
    return np.column_stack([0.1 * np.arange(count), q, p / INERTIA, L, 0.5 * np.sum(p * p / INERTIA, axis=1)])


class Figures(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, rows, about="# method: m\n# step: 0.1\n", header=HEADER, end="\n"):
        with open(self.path(name), "w", encoding="utf-8") as file:
            lines = [row if isinstance(row, str) else ",".join(f"{x:.17g}" for x in row) for row in rows]
            file.write(about + "\n".join([header] + lines) + end)
        return self.path(name)

    def plot(self, *arguments):
        said = io.StringIO()
        with redirect_stderr(said):
            try:
                code = plot.main(list(arguments))
            except SystemExit as leave:
                code = leave.code
        return code, said.getvalue()

    def refuses(self, code, words, *arguments):
        figure = self.path("refused.pdf")
        got, said = self.plot(*arguments, "-o", figure)
        self.assertEqual(got, code, said)
        self.assertIn(words, said)
        self.assertEqual(said.count("\n"), 1, said)
        self.assertFalse(os.path.exists(figure))


class Reading(Figures):
    def test_columns_units_and_provenance(self):
        run = read_result(self.write("a.csv", polhode_rows(240)))
        self.assertEqual(run.about, {"method": "m", "step": "0.1"})
        self.assertEqual(run.units["Lx_S"], "kg m^2/s")
        np.testing.assert_allclose(run.pi_B, polhode_rows(240)[:, 5:8] * INERTIA, atol=1e-14)
        np.testing.assert_allclose(run.inertia, INERTIA, rtol=1e-12)
        self.assertTrue(run.free)

    def test_columns_in_another_order_and_more_of_them(self):
        rows, names = steady_rows(3), HEADER.split(",")
        path = self.write("a.csv", np.column_stack([rows[:, ::-1], rows[:, 0]]),
                          header=",".join(names[::-1] + ["rotation_increment"]))
        np.testing.assert_array_equal(read_result(path).E, rows[:, 11])

    def test_stops_where_numbers_stop_being_finite(self):
        rows = steady_rows(5)
        rows[3, 7] = np.nan
        run = read_result(self.write("a.csv", rows))
        self.assertEqual((len(run.t), run.lost), (3, True))

    def test_leaves_out_a_last_line_that_was_cut(self):
        run = read_result(self.write("a.csv", [*steady_rows(5), "0.5,0.3"], end=""))
        self.assertEqual((len(run.t), run.lost), (5, False))

    def test_a_run_that_was_interrupted_says_so_below_its_rows(self):
        mark = "# incomplete: interrupted by SIGINT after 4 of 9 steps, at t = 0.4 s; 5 rows"
        for end in ("\n", ""):
            run = read_result(self.write("a.csv", [*steady_rows(5), mark], end=end))
            self.assertEqual((len(run.t), run.lost), (5, False))
            self.assertEqual(run.about["incomplete"], mark[len("# incomplete: "):])
            self.assertIn("incomplete, to t = 0.4 s", facts(run))
        self.assertNotIn("incomplete", facts(read_result(self.write("b.csv", steady_rows(5)))))
        self.assertEqual(self.plot("run", self.path("a.csv"), "-o", self.path("a.svg")), (0, ""))
        self.refuses(65, "'x' is not a number", "run", self.write("c.csv", ["x" + ",1" * 11, mark]))

    def test_a_direction_without_spin_is_on_the_sphere(self):
        angle = 0.1 * np.arange(30)                       # about x, which takes e3 to (0, -sin, cos)
        zero, one = np.zeros(30), np.ones(30)
        d = np.column_stack([zero, -np.sin(angle), np.cos(angle)])
        rows = np.column_stack([angle, np.cos(angle / 2), np.sin(angle / 2), zero, zero, one, zero, zero,
                                2.0 * one, zero, zero, one, d])
        path = self.write("d.csv", rows, header=HEADER + ",dx,dy,dz")
        run = read_result(path)
        self.assertTrue(run.on_sphere)
        np.testing.assert_allclose(run.direction, d, atol=1e-15)
        self.assertFalse(read_result(self.write("s.csv", steady_rows(10))).on_sphere)

    def test_energy_zero_at_the_start_is_no_scale(self):
        rows = steady_rows(4)
        rows[:, 11] = (0.0, 1e-9, 2e-9, 3e-9)
        error, relative = read_result(self.write("a.csv", rows)).energy_change
        self.assertFalse(relative)
        self.assertEqual(error[3], 3e-9)

    def test_attitude_error_is_blind_to_the_sign_of_q(self):
        slow, fast = steady_rows(11, rate=2.0), steady_rows(11, rate=2.0 + 1e-9)
        fast[:, 1:5] *= -1.0
        t, angle = attitude_error(read_result(self.write("a.csv", fast[::2])), read_result(self.write("b.csv", slow)))
        np.testing.assert_array_equal(t, slow[::2, 0])
        np.testing.assert_allclose(angle, 1e-9 * t, atol=1e-15)


class Drawing(Figures):
    def test_every_format_and_the_same_bytes_again(self):
        a, b = self.write("a.csv", polhode_rows(300)), self.write("b.csv", polhode_rows(200), "# method: n\n")
        for kind, magic in (("pdf", b"%PDF"), ("svg", b"<?xml"), ("png", b"\x89PNG")):
            for command in (("run", a), ("compare", a, b, "--reference", a)):
                drawn = []
                for name in ("one", "two"):
                    figure = self.path(f"{name}.{kind}")
                    self.assertEqual(self.plot(*command, "-o", figure), (0, ""))
                    with open(figure, "rb") as file:
                        drawn.append(file.read())
                self.assertTrue(drawn[0].startswith(magic))
                self.assertEqual(*drawn)
        self.assertFalse([name for name in os.listdir(self.folder) if name.endswith(".part")])

    def test_hard_cases_are_drawn_without_a_word(self):
        grown = polhode_rows(400)
        grown[:, 5:] *= np.logspace(0, 300, 400)[:, None]
        lost = polhode_rows(50)
        lost[20:, 1:] = np.inf
        rest = steady_rows(10, rate=0.0)
        cases = {"single": steady_rows(1), "steady": steady_rows(20), "long": polhode_rows(9000), "grown": grown,
                 "lost": lost, "rest": rest, "back": steady_rows(20, step=-0.1), "coarse": polhode_rows(240)[::40]}
        files = {name: self.write(name + ".csv", rows) for name, rows in cases.items()}
        for name, file in files.items():
            with self.subTest(name):
                self.assertEqual(self.plot("run", file, "-o", self.path("f.png")), (0, ""))
                self.assertEqual(self.plot("compare", file, files["long"], "-o", self.path("f.svg")), (0, ""))
        everything = ("compare", *files.values(), "-o", self.path("f.pdf"), "--title", "$5 & <b>")
        self.assertEqual(self.plot(*everything), (0, ""))

    def test_a_vector_figure_of_many_rows_stays_small(self):
        self.plot("run", self.write("a.csv", polhode_rows(60000)), "-o", self.path("f.pdf"))
        self.assertLess(os.path.getsize(self.path("f.pdf")), 1_000_000)

    def test_thinning_keeps_ends_and_extremes(self):
        y = np.sin(np.arange(50001) * 0.7)
        y[31234], y[777] = 9.0, -9.0
        t, kept = thin(np.arange(50001.0), y)
        self.assertLessEqual(len(t), 4002)
        self.assertEqual((t[0], t[-1], kept.max(), kept.min()), (0.0, 50000.0, 9.0, -9.0))
        self.assertTrue(np.all(np.diff(t) > 0.0))
        middle, low, high = envelope(np.arange(50001.0), y)
        self.assertEqual((low.min(), high.max(), middle[0], middle[-1]), (-9.0, 9.0, 0.0, 50000.0))

    def test_polhodes_lie_on_sphere_and_ellipsoid(self):
        for moments in ((1.0, 2.0, 3.0), (3.0, 1.0, 2.0), (2.0, 2.0, 3.0), (1.0, 2.0, 2.0), (2.0, 2.0, 2.0)):
            for start in ((0.2, 0.9, -0.3), (-0.8, 0.1, 0.2), (0.1, 0.1, 0.9), (0.0, 1.0, 0.0)):
                with self.subTest(moments=moments, start=start):
                    p0 = np.array(start) / np.linalg.norm(start)
                    curve = polhode_through(moments, p0)
                    np.testing.assert_allclose(np.sum(curve ** 2, axis=1), 1.0, atol=1e-12)
                    np.testing.assert_allclose(np.sum(curve ** 2 / moments, axis=1), np.sum(p0 ** 2 / moments),
                                               atol=1e-12)
                    self.assertLess(np.min(np.linalg.norm(curve - p0, axis=1)), 0.03)

    def test_repeats_are_drawn_once(self):
        s = np.arange(40000) * 0.01
        points, keep = without_repeats(np.column_stack([np.cos(s), np.sin(s), 0.0 * s]))
        self.assertLess(np.count_nonzero(keep), 12000)
        drawn = pieces(points, keep)
        angle = np.sort(np.arctan2(drawn[:, 1], drawn[:, 0])[~np.isnan(drawn[:, 0])])
        self.assertLess(np.max(np.diff(angle)), 0.02)


class Refusing(Figures):
    def test_files(self):
        good = steady_rows(3)
        self.refuses(66, "does not exist", "run", self.path("none.csv"))
        self.refuses(66, "cannot be read", "run", self.folder)
        self.refuses(65, "is empty", "run", self.write("a.csv", [], about="", header="", end=""))
        self.refuses(65, "no rows", "run", self.write("a.csv", []))
        self.refuses(65, "no column 'E'", "run", self.write("a.csv", good[:, :11], header=HEADER[:-5]))
        self.refuses(65, "line 7: 'x' is not a number", "run", self.write("a.csv", [*good, "x" + 11 * ",1"]))
        self.refuses(65, "line 4 has 2 fields, the header 12", "run", self.write("a.csv", ["1,2", *good]))
        self.refuses(65, "not finite from its first row", "run", self.write("a.csv", good * np.nan))
        late = steady_rows(3)
        late[:, 0] += 0.05
        self.refuses(65, "no time in common", "compare", self.write("a.csv", good), "--reference",
                     self.write("b.csv", late))
        with open(self.path("a.h5"), "wb") as file:
            file.write(b"\x89HDF\r\n\x1a\n\xff\xfe")
        self.refuses(65, "a.h5 is damaged", "run", self.path("a.h5"))
        with open(self.path("a.bin"), "wb") as file:
            file.write(b"\xff\xfe\xfd")
        self.refuses(65, "not a text file", "run", self.path("a.bin"))
        with unittest.mock.patch.dict(sys.modules, {"h5py": None}):
            self.refuses(69, "python3-h5py", "run", self.path("a.h5"))

    def test_usage(self):
        good = self.write("a.csv", steady_rows(3))
        self.assertEqual(self.plot("run", good, "-o", self.path("f.jpg"))[0], 2)
        self.assertEqual(self.plot("compare", good, "--labels", "a", "b", "-o", self.path("f.pdf"))[0], 2)

    def test_a_figure_that_cannot_be_written(self):
        code, said = self.plot("run", self.write("a.csv", steady_rows(3)), "-o", self.path("no/such/folder.pdf"))
        self.assertEqual(code, 74)
        self.assertIn("cannot be written", said)

    def test_a_failed_write_leaves_the_old_figure(self):
        good, figure = self.write("a.csv", steady_rows(3)), self.path("f.svg")
        self.plot("run", good, "-o", figure)
        before = os.stat(figure)
        with unittest.mock.patch("os.replace", side_effect=OSError(28, "full")):
            self.assertEqual(self.plot("run", good, "-o", figure)[0], 74)
        self.assertEqual(os.stat(figure).st_mtime_ns, before.st_mtime_ns)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.csv", "f.svg"])

    def test_an_interrupt_ends_it_quietly(self):
        rows = self.path("rows.csv")
        os.mkfifo(rows)
        program = subprocess.Popen([sys.executable, "-B", os.path.join(SOURCE, "plot.py"), "run", rows, "-o",
                                    self.path("f.pdf")], stderr=subprocess.PIPE, text=True)
        with open(rows, "w", encoding="utf-8"):         # opens when the script does, which then waits for rows
            program.send_signal(signal.SIGINT)
            said = program.communicate()[1]
        self.assertEqual(program.returncode, 130)
        self.assertEqual(said, "")
        self.assertEqual(os.listdir(self.folder), ["rows.csv"])

    def test_without_matplotlib(self):
        program = "import sys; sys.modules['matplotlib'] = None; import plot; sys.exit(plot.main(sys.argv[1:]))"
        done = subprocess.run([sys.executable, "-B", "-c", program, "run", self.write("a.csv", steady_rows(3)), "-o",
                               self.path("f.pdf")], cwd=SOURCE, capture_output=True, text=True)
        self.assertEqual(done.returncode, 69)
        self.assertIn("install python3-matplotlib", done.stderr)



def study(**methods):
    """A convergence study as polhode converge writes it: per method a dict of errors, standings and orders."""
    rows, orders = [], []
    for name, given in methods.items():
        count = len(given["errors"])
        order = given.get("order", 2.0)
        for i, error in enumerate(given["errors"]):
            standing = "failed" if error is None else given.get("standing", ["fitted"] * count)[i]
            rows.append(dict(method=name, step=given.get("first", 0.1) / 2 ** i, steps=100 * 2 ** i,
                             attitude_error=error, momentum_error=error, torque_evaluations=0,
                             converged=error is not None, attitude_floor=1e-13 * 2 ** (0.5 * i),
                             momentum_floor=2e-13 * 2 ** (0.5 * i), attitude_standing=standing,
                             momentum_standing=standing))
        orders.append(dict(method=name, attitude=order, momentum=order, attitude_uncertainty=order and 0.01,
                           momentum_uncertainty=order and 0.01, claimed_attitude=2, claimed_momentum=2))
    return dict(schema_version=1, problem="made-up", scalar="double", reference="known", duration=10, rows=rows,
                orders=orders)


GOOD = dict(errors=[1e-2 / 4 ** i for i in range(6)])
ROUNDING = dict(errors=[1e-14, 0.0, 3e-14, 2e-14, 1e-14, 0.0], standing=["rounding"] * 6, order=None)
FAILED = dict(errors=[None, None, 1e-1, 2e-2, 5e-3, 1e-3], standing=["failed"] * 2 + ["unsettled"] * 4, order=None)


class Studies(Figures):
    def write_study(self, name, data):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(data if isinstance(data, str) else json.dumps(data))
        return self.path(name)

    def draws_the_same_bytes_in_every_format(self, command, path):
        for kind, magic in (("pdf", b"%PDF"), ("svg", b"<?xml"), ("png", b"\x89PNG")):
            drawn = []
            for name in ("one", "two"):
                figure = self.path(f"{name}.{kind}")
                self.assertEqual(self.plot(command, path, "-o", figure), (0, ""))
                with open(figure, "rb") as file:
                    drawn.append(file.read())
            self.assertTrue(drawn[0].startswith(magic))
            self.assertEqual(*drawn)

    def draws_without_a_word(self, command, cases):
        for name, data in cases.items():
            with self.subTest(name):
                path = self.write_study("a.json", data)
                self.assertEqual(self.plot(command, path, "-o", self.path("f.svg")), (0, ""))


class Converging(Studies):
    def test_errors_and_orders_are_read(self):
        read = read_study(self.write_study("a.json", study(good=GOOD, failed=FAILED)))
        self.assertEqual((read.problem, read.scalar, read.duration), ("made-up", "double", 10.0))
        good, failed = read.attitude
        np.testing.assert_array_equal(good.error, GOOD["errors"])
        np.testing.assert_array_equal(good.step, 0.1 / 2.0 ** np.arange(6))
        self.assertTrue(good.fitted.all())
        self.assertEqual((good.order, good.claimed), (2.0, 2))
        self.assertTrue(np.isnan(failed.order))
        np.testing.assert_array_equal(np.isnan(failed.error), [True, True, False, False, False, False])
        self.assertEqual(read.momentum[0].floor[0], 2e-13)

    def test_every_format_and_the_same_bytes_again(self):
        path = self.write_study("a.json", study(good=GOOD, rounding=ROUNDING, failed=FAILED))
        self.draws_the_same_bytes_in_every_format("converge", path)

    def test_hard_cases_are_drawn_without_a_word(self):
        nothing = dict(errors=[None] * 3, order=None)
        long = {f"a-method-with-a-very-long-name-{i}@kahan-li-8+energy/100": GOOD for i in range(15)}
        cases = {"one step": study(a=dict(errors=[1e-3], order=None)), "all failed": study(a=nothing),
                 "all zero": study(a=dict(ROUNDING, errors=[0.0] * 6)), "many": study(**long),
                 "huge": study(a=dict(errors=[1e300, 1e280, 1e200, 1e-300])),
                 "other steps": study(a=GOOD, b=dict(errors=[0.1, 0.05], first=1e-7, order=1.0)),
                 "name": study(**{"$5 & <b>": GOOD})}
        self.draws_without_a_word("converge", cases)

    def test_what_is_no_study_is_refused(self):
        whole = study(good=GOOD)
        self.refuses(66, "does not exist", "converge", self.path("none.json"))
        self.refuses(66, "cannot be read", "converge", self.folder)
        self.refuses(65, "is not JSON", "converge", self.write_study("a.json", "{"))
        self.refuses(65, "is not JSON", "converge", self.write("a.csv", steady_rows(3)))
        self.refuses(65, "not a convergence study", "converge", self.write_study("a.json", "[1, 2]"))
        self.refuses(65, "not a convergence study (KeyError: 'orders')", "converge",
                     self.write_study("a.json", {key: whole[key] for key in whole if key != "orders"}))
        self.refuses(65, "let the study finish", "converge", self.write_study("a.json", dict(whole, orders=[])))


def comparison(calls=2, **methods):
    """A comparison as polhode compare writes it: per method its errors, each step twice as dear as the one before."""
    rows = []
    for name, errors in methods.items():
        for i, error in enumerate(errors):
            cost = None if error is None else 1e-5 * 2 ** i
            rows.append(dict(method=name, step=0.1 / 2 ** i, steps=100 * 2 ** i, attitude_error=error, cost=cost,
                             cost_spread=cost and 0.2 * cost, cost_quartiles=cost and [0.9 * cost, 1.1 * cost],
                             timings=5, torque_evaluations=calls * 100 * 2 ** i, converged=error is not None))
    at_error = [dict(attitude_error=1e-3, costs=[dict(method=name, cost=3e-5, ratio=1.0) for name in methods],
                     more_accurate=[], less_accurate=[])]
    return dict(schema_version=1, problem="made-up", scalar="double", reference="known", duration=10, unit_of_cost="s",
                repeats=5, choice=None, rows=rows, at_error=at_error)


class Comparing(Studies):
    def test_errors_and_costs_are_read(self):
        read = read_comparison(self.write_study("a.json", comparison(good=GOOD["errors"], failed=FAILED["errors"])))
        self.assertEqual((read.problem, read.duration, read.unit, read.repeats), ("made-up", 10.0, "s", 5))
        good, failed = read.methods
        np.testing.assert_array_equal(good.error, GOOD["errors"])
        np.testing.assert_array_equal(good.cost, 1e-5 * 2.0 ** np.arange(6))
        np.testing.assert_allclose(good.quartiles[2], (3.6e-5, 4.4e-5))
        np.testing.assert_array_equal(good.calls, 2 * good.steps)
        np.testing.assert_array_equal(np.isnan(failed.cost), [True, True, False, False, False, False])
        self.assertTrue(np.isnan(failed.quartiles[0]).all())
        self.assertEqual(read.at_error, {1e-3: {"good": 3e-5, "failed": 3e-5}})

    def test_without_a_torque_steps_are_drawn(self):
        for calls, words in ((2, "torque evaluations"), (0, "steps")):
            read = read_comparison(self.write_study("a.json", comparison(calls, good=GOOD["errors"])))
            self.assertTrue(work_precision_figure(read).axes[1].get_xlabel().startswith(words))

    def test_every_format_and_the_same_bytes_again(self):
        path = self.write_study("a.json", comparison(good=GOOD["errors"], failed=FAILED["errors"]))
        self.draws_the_same_bytes_in_every_format("work-precision", path)

    def test_hard_cases_are_drawn_without_a_word(self):
        errors = GOOD["errors"]
        long = {f"a-method-with-a-very-long-name-{i}@kahan-li-8+energy/100": errors for i in range(15)}
        interrupted = comparison(a=errors)
        interrupted["rows"][-1].update(cost=None, cost_spread=None, cost_quartiles=None)
        alone = dict(comparison(a=errors), repeats=1, at_error=[])
        failed = comparison(0, a=[None, 1e-3])
        failed["rows"][0].update(steps=0)
        self.draws_without_a_word("work-precision", {
            "one step": comparison(a=[1e-3]), "all zero": comparison(a=[0.0] * 4), "many": comparison(**long),
            "huge": comparison(a=[1e300, 1e200, 1e-300]), "name": comparison(**{"$5 & <b>": errors}),
            "interrupted": interrupted, "alone": alone, "failed": failed, "free": comparison(0, a=errors, exact=[1e-15])})

    def test_what_is_no_comparison_is_refused(self):
        whole = comparison(good=GOOD["errors"])
        self.refuses(66, "does not exist", "work-precision", self.path("none.json"))
        self.refuses(65, "is not JSON", "work-precision", self.write_study("a.json", "{"))
        self.refuses(65, "polhode compare --output FILE.json", "work-precision",
                     self.write_study("a.json", study(good=GOOD)))
        self.refuses(65, "not a comparison of methods (KeyError: 'unit_of_cost')", "work-precision",
                     self.write_study("a.json", {key: whole[key] for key in whole if key != "unit_of_cost"}))
        self.refuses(65, "let the comparison finish", "work-precision",
                     self.write_study("a.json", comparison(a=[None, None])))
        self.refuses(65, "not a convergence study", "converge", self.write_study("a.json", whole))


if __name__ == "__main__":
    unittest.main()
