#!/usr/bin/env python3
"""Figures of result files: plot.py files FILE ... -o FIGURE draws whatever the files hold; plot.py run RESULT.csv,
plot.py compare A.csv B.csv ..., plot.py converge STUDY.json, plot.py work-precision STUDY.json and plot.py diagnose
DIAGNOSIS.json insist on one kind.

As polhode.plot it has pictures of solutions and studies for Python: trajectory, errors, polhode, herpolhode, poinsot,
attitude, work_precision, convergence and animate. Each takes axes of matplotlib, or makes them, and returns them.

Exit codes: 0 drawn, 2 usage, 65 a result that cannot be drawn, 66 a file that is missing, 69 matplotlib, or
h5py for a result in HDF5, is not installed, 74 the figure cannot be written, 130 interrupted.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from typing import TYPE_CHECKING, Any, List, Sequence

if TYPE_CHECKING:
    from .pictures import (animate, attitude, convergence, errors, herpolhode, poinsot, polhode, trajectory,
                           work_precision)

KINDS = (".pdf", ".svg", ".png")
__all__ = ["animate", "attitude", "convergence", "errors", "herpolhode", "poinsot", "polhode", "trajectory",
           "work_precision"]
PICTURES = tuple(__all__)


if not TYPE_CHECKING:                   # a checker would believe that every name is here
    def __getattr__(name):
        """The pictures, and matplotlib with them, when the first is asked for."""
        if name not in PICTURES or not __package__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        try:
            from . import pictures
        except ModuleNotFoundError as error:
            missing = matplotlib_or_numpy(error)
            raise ModuleNotFoundError(f"polhode.plot.{name}: {missing}", name=error.name) from None
        return getattr(pictures, name)


def __dir__() -> List[str]:
    return sorted([*globals(), *PICTURES])


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="plot.py", description="Draw result files of polhode.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="files|run|compare|converge|work-precision|diagnose")
    files = commands.add_parser("files", help="whatever the files hold: runs, or one study")
    files.add_argument("results", metavar="FILE", nargs="+")
    files.add_argument("--labels", nargs="+", metavar="LABEL", help="one per run (default: the methods' names)")
    files.add_argument("--reference", metavar="REF.csv", help="a run that differences are taken to, at equal times")
    run = commands.add_parser("run", help="one run: polhode, angular velocity, energy, momentum")
    run.add_argument("results", metavar="RESULT.csv", nargs=1)
    compare = commands.add_parser("compare", help="several runs of one problem: polhodes and errors side by side")
    compare.add_argument("results", metavar="RESULT.csv", nargs="+")
    compare.add_argument("--labels", nargs="+", metavar="LABEL", help="one per result (default: the methods' names)")
    compare.add_argument("--reference", metavar="REF.csv", help="what attitudes are measured against, at equal times")
    converge = commands.add_parser("converge", help="errors against steps, from polhode converge --output FILE.json")
    converge.add_argument("results", metavar="STUDY.json", nargs=1)
    work = commands.add_parser("work-precision", help="errors against cost, from polhode compare --output FILE.json")
    work.add_argument("results", metavar="STUDY.json", nargs=1)
    diagnose = commands.add_parser("diagnose", help="one method against its claims, from polhode diagnose --json")
    diagnose.add_argument("results", metavar="DIAGNOSIS.json", nargs=1)
    for command in (files, run, compare, converge, work, diagnose):
        command.add_argument("-o", "--output", required=True, metavar="FIGURE", help="FILE.pdf, FILE.svg or FILE.png")
        command.add_argument("--title", help="heading (default: the problem's name)")
    options = parser.parse_args(arguments)
    if os.path.splitext(options.output)[1].lower() not in KINDS:
        parser.error(f"'{options.output}' does not show its format; end its name in .pdf, .svg or .png")
    if options.command == "compare" and options.labels and len(options.labels) != len(options.results):
        parser.error(f"{len(options.labels)} labels for {len(options.results)} results; give one label per result")
    return options


def load_figures() -> Any:
    """The package next to this file: matplotlib is needed from here on, not for --help."""
    for talkative in ("matplotlib", "fontTools"):       # remarks on font caches and dates are not for the user
        logging.getLogger(talkative).setLevel(logging.ERROR)
    if __package__:
        from . import figures
    else:
        import figures  # type: ignore[import, no-redef]
    return figures


def draw(figures: Any, options: argparse.Namespace) -> Any:
    if options.command == "files":
        return figures.files_figure(options.results, options.reference, options.labels, options.title)
    if options.command == "converge":
        return figures.converge_figure(figures.read_study(options.results[0]), options.title)
    if options.command == "work-precision":
        return figures.work_precision_figure(figures.read_comparison(options.results[0]), options.title)
    if options.command == "diagnose":
        return figures.diagnose_figure(figures.read_diagnosis(options.results[0]), options.title)
    runs = [figures.read_result(path) for path in options.results]
    if options.command == "run":
        return figures.run_figure(runs[0], options.title)
    reference = figures.read_result(options.reference) if options.reference else None
    return figures.compare_figure(runs, options.labels, reference, options.title)


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse(arguments)
    try:
        figures = load_figures()
    except ModuleNotFoundError as error:
        return fail(matplotlib_or_numpy(error), 69)
    try:
        figures.save(draw(figures, options), options.output)
    except figures.ResultError as error:
        return fail(error, error.code)
    except OSError as error:
        return fail(f"{options.output} cannot be written ({os.strerror(error.errno).lower()}); check the folder, its "
                    "permissions and free space.", 74)
    return 0


def matplotlib_or_numpy(error: ModuleNotFoundError) -> str:
    """What is missing and where to get it, in a sentence; raises again what is no affair of the user's."""
    missing = (error.name or "").split(".")[0]
    if missing not in ("matplotlib", "mpl_toolkits", "numpy"):
        raise error
    return (f"{missing} is not installed for {sys.executable}; install python3-matplotlib (apt install "
            "python3-matplotlib, or pip install matplotlib).")


def fail(sentence: object, code: int) -> int:
    print(f"polhode plot: {sentence}", file=sys.stderr)
    return code


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:                           # Ctrl-C while it draws: no traceback, as for any program
        sys.exit(130)
