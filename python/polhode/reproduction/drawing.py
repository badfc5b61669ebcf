"""Figures of experiments: drawn where results are newer, and as they are shown in a page."""

import base64
import io
import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from .reading import ReportError
from .words import source

KINDS = ("pdf", "png", "svg")
LARGEST = 400_000             # bytes of an SVG that is put into a page; of a larger figure the PNG is
PREVIEW_COLOURS = 64


def path(experiment, kind):
    return os.path.join(experiment.folder, f"figure.{kind}")


def is_drawn(experiment):
    """Whether its figures are there and not older than the result."""
    try:
        written = os.stat(os.path.join(experiment.folder, "result.json")).st_mtime_ns
        return all(os.stat(path(experiment, kind)).st_mtime_ns >= written for kind in KINDS)
    except FileNotFoundError:
        return False


def draw_figures(experiments, save, refusal):
    """Draw each with save(result, folder, paths); what could not be drawn, by experiment, as ReportError.

    `refusal` is the exception that carries a sentence on a result that cannot be drawn."""
    task = partial(draw, save=save, refusal=refusal)
    workers = min(os.cpu_count() or 1, len(experiments))
    if workers < 2:
        said = list(map(task, experiments))
    else:
        with ProcessPoolExecutor(workers) as pool:
            said = list(pool.map(task, experiments))
    return {experiment.name: answer for experiment, answer in zip(experiments, said) if answer}


def draw(experiment, save, refusal):
    try:
        save(dict(experiment.written, source=source(experiment)), experiment.folder,
             [path(experiment, kind) for kind in KINDS])
    except refusal as error:
        return ReportError(str(error), error.code)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        return ReportError(f"{os.path.join(experiment.folder, 'result.json')}: its figure cannot be drawn "
                           f"({type(error).__name__}: {error}); run the experiment again.")
    except OSError as error:
        return unwritten(path(experiment, "svg"), error)
    return None


def unwritten(target, error):
    return ReportError(f"{target} cannot be written ({os.strerror(error.errno).lower()}); check the folder, its "
                       "permissions and free space.", 74)


def data_uri(experiment):
    """The figure as part of a page."""
    kind = "svg" if os.path.getsize(path(experiment, "svg")) <= LARGEST else "png"
    with open(path(experiment, kind), "rb") as file:
        content = base64.b64encode(file.read()).decode("ascii")
    return f"data:image/{'svg+xml' if kind == 'svg' else 'png'};base64,{content}"


def preview(experiment):
    """The PNG at a third of its size and in few colours: small enough for a repository."""
    from PIL import Image         # comes with matplotlib
    with Image.open(path(experiment, "png")) as image:
        small = image.convert("RGB").reduce(3).quantize(PREVIEW_COLOURS, dither=Image.Dither.NONE)
    buffer = io.BytesIO()
    small.save(buffer, format="PNG", optimize=True)
    return buffer.getvalue()
