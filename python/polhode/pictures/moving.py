"""Motion as motion: animations, and the files they are written to."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

import numpy as np
from matplotlib import rc_context
from matplotlib.animation import FFMpegWriter, FuncAnimation, PillowWriter

from ..figures.style import RC
from . import rolling, solids, traces
from .canvas import SPACE, canvas
from .sources import run_of

if TYPE_CHECKING:
    from ..hints import MotionSource, Path

FRAMES = 150
DPI = 110
WRITERS = {".gif": PillowWriter, ".mp4": FFMpegWriter}


def animate(solution: MotionSource, path: Path | None = None, kind: Literal["poinsot", "attitude"] = "poinsot",
            frames: int | None = None, fps: float = 25) -> FuncAnimation:
    """An animation of the whole solution: "poinsot", the ellipsoid that rolls, or "attitude", the body's axes.

    With a `path` that ends in .gif or .mp4 it is written there, whole or not at all; an .mp4 is made by ffmpeg.
    `frames` are at equal distances of time (150, or as many as there are rows), each of the row next to it. In a
    notebook, `HTML(animation.to_jshtml())` shows it.

    >>> animation = plot.animate(solution, folder + "/top.gif", frames=3)
    """
    if kind not in SCENES:
        raise ValueError(f"kind is {kind!r}; a motion is shown as {' or '.join(map(repr, SCENES))}.")
    if frames is not None and frames < 1 or not fps > 0:
        raise ValueError(f"{frames} frames, {fps} a second, are no animation; give one frame or more, and a positive "
                         "fps.")
    writer = writer_for(path, fps)
    run = run_of(solution)
    rows = frame_rows(run.t, frames or min(FRAMES, len(run.t)))
    with whole_file(path) as partial:
        with canvas(None, kind, SPACE) as ax:
            update = SCENES[kind](ax, run)
            update(rows[0])

        def show(row):
            with rc_context(RC):
                return update(row)

        animation = FuncAnimation(ax.figure, show, frames=rows, interval=1000.0 / fps, init_func=lambda: [])
        if partial:
            animation.save(partial, writer=writer, dpi=DPI)
    return animation


def writer_for(path, fps):
    """Found before anything is drawn."""
    if path is None:
        return None
    ending = os.path.splitext(os.fspath(path))[1].lower()
    if ending not in WRITERS:
        raise ValueError(f"'{os.fspath(path)}' does not show its format; end its name in {' or '.join(WRITERS)}.")
    if not WRITERS[ending].isAvailable():
        raise RuntimeError("ffmpeg is not installed, and an .mp4 is made by it; install it (Debian: apt install "
                           "ffmpeg), or write a .gif.")
    return WRITERS[ending](fps=fps)


def frame_rows(t, count):
    times = np.linspace(t[0], t[-1], count)
    return [int(np.argmin(np.abs(t - time))) for time in times]


@contextmanager
def whole_file(path):
    """Another name to write to, which takes the place of `path` when all went well; None where there is no path."""
    if path is None:
        yield None
        return
    target = os.path.realpath(path)
    stem, ending = os.path.splitext(target)
    partial = f"{stem}.{os.getpid()}.part{ending}"
    try:
        with open(partial, "wb"):                       # what cannot be written fails before it is drawn
            pass
        yield partial
        os.replace(partial, target)
    finally:
        if os.path.exists(partial):
            os.remove(partial)


def rolling_scene(ax, run):
    """What stays is drawn; the function that is returned draws the rest anew."""
    place = rolling.places(run)
    first = place(0)
    rolling.stage(ax, first)
    rolling.draw_herpolhode(ax, first, first.herpolhode, alpha=0.35)
    clock = clock_of(ax)
    moving = []

    def update(row):
        made = place(row)
        clear(moving)
        moving.extend(rolling.draw_body(ax, made))
        if row > 0:
            moving.append(rolling.draw_herpolhode(ax, made, made.herpolhode[:row + 1]))
        clock.set_text(time_words(run, row))
        return moving

    rolling.key(ax)
    return update


def attitude_scene(ax, run):
    traces.globe(ax)
    axes = traces.axes_of(run)
    clock = clock_of(ax)
    moving = []

    def update(row):
        clear(moving)
        for path, colour, name in axes:
            if row > 0:
                moving.append(traces.draw_trace(ax, path[:row + 1], color=colour))
            moving.extend(solids.draw_arrow(ax, path[row], f"${name}$", color=colour, linewidth=1.6))
        clock.set_text(time_words(run, row))
        return moving

    return update


def clear(artists):
    for artist in artists:
        artist.remove()
    artists.clear()


def clock_of(ax):
    return ax.text2D(0.03, 0.96, "", transform=ax.transAxes, va="top")


def time_words(run, row):
    return f"$t$ = {run.t[row]:.2f} {run.units['t'] or 's'}"


SCENES = {"poinsot": rolling_scene, "attitude": attitude_scene}
