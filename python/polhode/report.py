#!/usr/bin/env python3
"""Figures and report of polhode reproduce: report.py DIR [--figures-only] [--markdown FILE.md --images FOLDER].

Reads DIR/*/result.json. Writes figures beside them, DIR/report.html and DIR/report.md.

Exit codes: 0 written, 2 usage, 65 a result that cannot be read or drawn, 66 a file that is missing, 69 matplotlib is
not installed (the report is written without figures), 74 a file cannot be written.
"""

import argparse
import os
import sys
from urllib.parse import quote

if __package__:
    from . import plot, reproduction
    from .reproduction import drawing
else:
    import plot
    import reproduction
    from reproduction import drawing


def parse(arguments):
    parser = argparse.ArgumentParser(prog="report.py", description="Figures and report of polhode reproduce.")
    parser.add_argument("folder", metavar="DIR", help="what polhode reproduce --output DIR wrote")
    parser.add_argument("--figures-only", action="store_true", help="draw figures, write no report")
    parser.add_argument("--markdown", metavar="FILE.md", help="write the Markdown twin here as well, without times")
    parser.add_argument("--images", metavar="FOLDER", help="previews of the figures for --markdown")
    options = parser.parse_args(arguments)
    if bool(options.markdown) != bool(options.images):
        parser.error("--markdown and --images belong together; give both or neither")
    if options.figures_only and options.markdown:
        parser.error("--figures-only writes no report; leave out --markdown and --images")
    return options


def main(arguments=None):
    options = parse(arguments)
    try:
        experiments = reproduction.read_experiments(options.folder)
        problems = draw(experiments)
        if not options.figures_only:
            write_reports(experiments, options, problems)
    except reproduction.ReportError as error:
        return fail(error, error.code)
    said = {str(error): error.code for error in problems.values()}
    return max((fail(sentence, code) for sentence, code in said.items()), default=0)


def draw(experiments):
    """What could not be drawn, by experiment. Matplotlib is loaded only where something is due."""
    due = [experiment for experiment in experiments if experiment.figure and not drawing.is_drawn(experiment)]
    if not due:
        return {}
    try:
        figures = plot.load_figures()
    except ModuleNotFoundError as error:
        missing = (error.name or "").split(".")[0]
        if missing not in ("matplotlib", "numpy"):
            raise
        sentence = (f"no figures were drawn: {missing} is not installed for {sys.executable}; install "
                    "python3-matplotlib (apt install python3-matplotlib, or pip install matplotlib).")
        return {experiment.name: reproduction.ReportError(sentence, 69) for experiment in due}
    return drawing.draw_figures(due, figures.save_experiment, figures.ResultError)


def write_reports(experiments, options, problems):
    known = {experiment.name: experiment for experiment in experiments}

    def shown(name, address):
        """The address of a figure, or why there is none."""
        return ("", f"Without figure: {problems[name]}") if name in problems else (address(known[name]), "")

    blocks = reproduction.document(experiments)
    write(os.path.join(options.folder, "report.html"),
          reproduction.html_page(blocks, lambda name: shown(name, drawing.data_uri)))
    blocks = reproduction.document(experiments, twin=True)
    write(os.path.join(options.folder, "report.md"), reproduction.markdown_page(
        blocks, lambda name: shown(name, lambda experiment: relative(drawing.path(experiment, "png"), options.folder))))
    if options.markdown:
        write(options.markdown, reproduction.markdown_page(
            blocks, lambda name: shown(name, lambda experiment: write_preview(experiment, options))))


def write_preview(experiment, options):
    target = os.path.join(options.images, f"{experiment.name}.png")
    write(target, drawing.preview(experiment))
    return relative(target, os.path.dirname(options.markdown))


def relative(path, folder):
    return quote(os.path.relpath(path, folder or ".").replace(os.sep, "/"))


def write(path, content):
    """The whole file or nothing."""
    target = os.path.realpath(path)
    partial = f"{target}.{os.getpid()}.part"
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(partial, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode("utf-8"))
        os.replace(partial, target)
    except OSError as error:
        raise drawing.unwritten(path, error) from None
    finally:
        if os.path.exists(partial):
            os.remove(partial)


def fail(sentence, code):
    print(f"polhode report: {sentence}", file=sys.stderr)
    return code


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:                           # as in plot.py
        sys.exit(130)
