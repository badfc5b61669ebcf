"""Every example in a docstring of the module is run, everything public has one, and help() names everything."""

import doctest
import importlib
import inspect
import os
import pkgutil
import pydoc
import re
import tempfile
import unittest

import numpy as np

import polhode
import polhode.plot as plot
from polhode import display

try:
    import pandas
except ModuleNotFoundError:
    pandas = None
try:
    from matplotlib import pyplot
except ModuleNotFoundError:
    pyplot = None

# What has none, and why.
WITHOUT_EXAMPLE = {"plot": "a module; each of its pictures has an example"}
OF_A_PICTURE = ("polhode.pictures", "polhode.figures", "polhode.reproduction", "polhode.report")
NEEDS_PANDAS = "polhode.catalogue.Records"


def modules():
    """The package and all that is in it, but for the compiled part and, without matplotlib, for what draws."""
    names = [polhode.__name__] + [found.name for found in pkgutil.walk_packages(
        polhode.__path__, "polhode.", onerror=lambda name: None)]
    names = [name for name in names if name != "polhode._core"]
    if pyplot is None:
        names = [name for name in names if not name.startswith(OF_A_PICTURE)]
    return [importlib.import_module(name) for name in sorted(set(names))]


def examples():
    """Tests of doctest, one for each docstring that has an example."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    given = {"polhode": polhode, "np": np, "plot": plot, "solution_html": display.solution_html,
             "methods_html": display.methods_html}
    if pyplot is not None:
        given.update(
            solution=polhode.solve([1, 2, 2.5], start=[0.1, 1, 0.1], t_span=(0, 20), t_eval=np.linspace(0, 20, 60)),
            study=polhode.converge("asymmetric-top", ["lie-verlet", "rkmk-4"], [0.04, 0.02, 0.01]),
            comparison=polhode.compare("asymmetric-top", ["lie-verlet", "rkmk-4"], [0.04, 0.02], repeats=1))
    found = [test for module in modules() for test in finder.find(module, extraglobs=given) if test.examples]
    return sorted(test for test in found if pandas is not None or test.name != NEEDS_PANDAS)


def before(test):
    """In an empty folder, so that what an example writes is gone afterwards."""
    test.globs["back"], test.globs["kept"] = os.getcwd(), tempfile.TemporaryDirectory()
    test.globs["folder"] = test.globs["kept"].name
    os.chdir(test.globs["folder"])


def after(test):
    os.chdir(test.globs["back"])
    test.globs["kept"].cleanup()
    if pyplot is not None:
        pyplot.close("all")


def has_example(text):
    return any(True for _ in doctest.DocTestParser().get_examples(text or ""))


class Docstrings(unittest.TestCase):
    def test_everything_public_has_an_example(self):
        for name in polhode.__all__:
            with self.subTest(name=name):
                if name in WITHOUT_EXAMPLE:
                    continue
                text = inspect.getdoc(getattr(polhode, name))
                self.assertTrue(text, "no docstring")
                self.assertTrue(has_example(text), "no example")

    def test_reasons_are_needed(self):
        for name in WITHOUT_EXAMPLE:
            self.assertIn(name, polhode.__all__)
            self.assertFalse(has_example(inspect.getdoc(getattr(polhode, name))), name)

    @unittest.skipIf(pyplot is None, "no matplotlib (tools/bootstrap python)")
    def test_every_picture_has_an_example(self):
        for name in plot.__all__:
            with self.subTest(name=name):
                self.assertTrue(has_example(inspect.getdoc(getattr(plot, name))))

    def test_examples_that_are_found_are_all_of_them(self):
        # What the finder passes over, such as a class that says it is of another module, would never be run.
        run = {test.docstring for test in examples()}
        for name in polhode.__all__:
            if name not in WITHOUT_EXAMPLE:
                self.assertIn(getattr(polhode, name).__doc__, run, name)
        if pyplot is not None:
            for name in plot.__all__:
                self.assertIn(getattr(plot, name).__doc__, run, name)
        for module in modules():
            self.assertEqual(has_example(module.__doc__), module.__doc__ in run, module.__name__)

    def test_every_argument_is_mentioned(self):
        for name in polhode.__all__:
            taken = getattr(polhode, name)
            if inspect.ismodule(taken) or name == "Event":      # which solutions make
                continue
            if inspect.isclass(taken) and "__init__" not in vars(taken):
                continue                                        # exceptions, and what functions return
            if name in ("Solution", "Reproduction", "Loaded", "Bodies", "Ensemble"):
                continue                                        # what functions return
            text = inspect.getdoc(taken)
            if "what follows are as for :func:`solve`" in text:
                text += inspect.getdoc(polhode.solve)
            for argument in inspect.signature(taken).parameters:
                with self.subTest(name=name, argument=argument):
                    self.assertTrue(re.search(rf"\b{argument}\b", text), "not mentioned")


class Help(unittest.TestCase):
    def setUp(self):
        self.text = pydoc.plain(pydoc.render_doc(polhode))

    def test_names_everything(self):
        for name in polhode.__all__:
            self.assertRegex(self.text, rf"\b{name}\b")

    def test_has_an_entry_for_each(self):
        for name in polhode.__all__:
            taken = getattr(polhode, name)
            if inspect.isclass(taken):
                self.assertRegex(self.text, rf"(?m)^    class {name}\b")
            elif inspect.isfunction(taken):
                self.assertRegex(self.text, rf"(?m)^    {name}\(")

    def test_overview_names_what_there_is(self):
        listed = re.search(r"What else there is::\n\n(.*?)\n\n", inspect.getdoc(polhode), re.DOTALL).group(1)
        names = [name for line in listed.splitlines() for name in re.split(r", ", line.strip().split("  ")[0])]
        self.assertLessEqual(set(names), set(polhode.__all__))
        functions = {name for name in polhode.__all__ if inspect.isfunction(getattr(polhode, name))}
        self.assertLessEqual(functions - {"load_plugin"}, set(names))


def load_tests(loader, tests, pattern):
    """And every example, each a test of its own."""
    tests.addTests(doctest.DocTestCase(test, doctest.ELLIPSIS, before, after) for test in examples())
    return tests


if __name__ == "__main__":
    unittest.main()
