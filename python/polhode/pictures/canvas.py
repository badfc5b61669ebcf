"""Axes to draw on: those that are given, in their own style, or new ones in the style of the figures."""

from contextlib import contextmanager

from matplotlib import pyplot, rc_context
from matplotlib.cbook import normalize_kwargs
from matplotlib.lines import Line2D

from ..figures.style import RC

FLAT, SQUARE, SPACE = (5.4, 3.0), (3.6, 3.6), (4.4, 4.2)      # inches


@contextmanager
def canvas(ax, picture, size=FLAT):
    """Flat axes, or those in space where the size is SPACE. Settings of matplotlib are as before afterwards."""
    if ax is not None:
        check(ax, picture, size is SPACE)
        yield ax
        return
    if size is SPACE:
        with new_figure(size) as figure:
            yield figure.add_axes([0.02, 0.05, 0.96, 0.94], projection="3d")
    else:
        with new_figure(size, layout="constrained") as figure:
            yield figure.add_subplot()


@contextmanager
def stacked(axes, picture, count):
    """As many flat axes, one above the other, with one axis of time."""
    if axes is not None:
        given = list(axes) if hasattr(axes, "__len__") else [axes]
        if len(given) != count:
            raise ValueError(f"{picture} draws {count} panels here and has {len(given)} axes; give as many, such as "
                             f"from pyplot.subplots({count}), or leave ax out.")
        for ax in given:
            check(ax, picture, False)
        yield given
        return
    with new_figure((FLAT[0], 0.6 + 1.9 * count), layout="constrained") as figure:
        yield list(figure.subplots(count, 1, sharex=True, squeeze=False)[:, 0])


@contextmanager
def new_figure(size, **how):
    """Of pyplot, which shows it; none is left of a picture that cannot be drawn."""
    # Loads the backend while settings are the user's: that of notebooks makes pyplot interactive, to stay so.
    pyplot.draw_if_interactive()
    with rc_context(RC):
        figure = pyplot.figure(figsize=size, **how)
        try:
            yield figure
        except BaseException:
            pyplot.close(figure)
            raise


def look(style, **usual):
    """The look of a line: what is usual, unless the user's style says otherwise by whatever name matplotlib knows."""
    style = normalize_kwargs(style, Line2D)
    if "linestyle" in style:
        usual.pop("dashes", None)
    return usual | style


def check(ax, picture, in_space):
    if not hasattr(ax, "get_xlim"):
        raise ValueError(f"ax is a {type(ax).__name__} and no axes of matplotlib; give those that pyplot.subplots or "
                         "figure.add_subplot made, or leave ax out.")
    if in_space and ax.name != "3d":
        raise ValueError(f"{picture} is drawn in space, and these axes are flat; give axes made with projection='3d', "
                         "or leave ax out.")
    if not in_space and ax.name == "3d":
        raise ValueError(f"{picture} is a flat picture, and these axes are in space; give axes made without "
                         "projection='3d', or leave ax out.")
