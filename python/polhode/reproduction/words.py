"""Words that the page and its Markdown twin share: names of papers, verdicts, numbers."""

import math
import re

PAPERS = {                  # heading, short name, reference
    "B01": ("Buss 2000", "Buss",
            "S. R. Buss, Accurate and efficient simulation of rigid-body rotations, Journal of Computational Physics "
            "164 (2000), 377\u2013406; cited after the revision of 2001."),
    "S11": ("Buss 2011, slides", "Buss, slides",
            "S. R. Buss, Accurate simulation of rigid body rotation and extensions to Lie groups, slides of a talk at "
            "the University of Swansea (2011)."),
    "KE05": ("Krysl & Endres 2005", "Krysl & Endres",
             "P. Krysl and L. Endres, Explicit Newmark/Verlet algorithm for time integration of the rotational "
             "dynamics of rigid bodies, International Journal for Numerical Methods in Engineering 62 (2005), "
             "2154\u20132177; cited after the manuscript of 2004."),
    "R08": ("Romero 2008", "Romero",
            "I. Romero, Formulation and performance of variational integrators for rotating bodies, Computational "
            "Mechanics 42 (2008), 825\u2013836."),
    "BOS09": ("Bou-Rabee, Ortolan & Saccon 2009", "Bou-Rabee et al.",
              "N. Bou-Rabee, G. Ortolan and A. Saccon, A counterexample showing the semi-explicit Lie-Newmark "
              "algorithm is not variational, arXiv 1005.3078 (2009)."),
    "": ("Beyond the papers", "our own", "Experiments of our own."),
}

# Sign, and the tone in which a verdict is coloured: good, near, aside (explained), bad, plain.
VERDICTS = {
    "reproduced": ("\u2713", "good"), "within tolerance": ("\u2248", "near"), "misprint": ("\u2020", "aside"),
    "solved": ("+", "aside"), "differs": ("\u2260", "aside"), "not reproduced": ("\u2717", "bad"),
    "used": ("=", "plain"), "measured": ("\u25cb", "plain"),
    "holds": ("\u2713", "good"), "holds in part": ("\u25d0", "near"), "does not hold": ("\u2717", "bad"),
    "undecided": ("\u00b1", "aside"), "cannot be decided": ("\u2026", "aside"), "not proved": ("?", "bad"),
}
EXPLAINED = ("misprint", "solved", "differs")
TO_THE_DIGIT = ("reproduced", "used", "measured")
MEANING = {
    "reproduced": "rounds to the digits printed", "within tolerance": "not to the digit, but within the bound stated",
    "misprint": "the printed number is in error", "solved": "printed as failed, but it has a solution",
    "differs": "off for a known reason", "not reproduced": "off, and not explained",
    "used": "data of the experiment, taken over", "measured": "nothing printed to compare with",
}


def sign(verdict):
    return VERDICTS.get(verdict, ("?", "bad"))[0]


def tone(verdict):
    return VERDICTS.get(verdict, ("?", "bad"))[1]


def paper(key):
    """Heading of its section, and the reference."""
    heading, _, reference = PAPERS.get(key, (key, key, ""))
    return heading, reference


def short_name(key):
    return PAPERS.get(key, (None, key))[1]


def source(experiment):
    """'Buss, Fig. 4'."""
    name = short_name(experiment.paper)
    return ", ".join(part for part in (name, experiment.place) if part)


def paper_order(key):
    order = list(PAPERS)
    return order.index(key) if key in order else len(order) - 1.5        # before our own


def number(value):
    """Four digits: 0.3333, -3.881e-6, nan."""
    if not math.isfinite(value):
        return str(value)
    return re.sub(r"e([+-])0*(\d)", lambda part: "e" + part[1].replace("+", "") + part[2], f"{value:.4g}")


def measured(item):
    """A measured number at two digits more than the paper prints, at least five in all."""
    text, published = item.measured, item.published
    try:
        value = float(text) if item.value is None else item.value       # rounded once, not twice
    except ValueError:
        return text
    printed = re.sub(r"e.*|[^0-9]", "", published.lower()).lstrip("0")
    shorter = f"{value:.{max(len(printed) + 2, 5)}g}"
    return shorter if math.isfinite(value) and len(shorter) < len(text) else text


def with_unit(text, unit):
    """A number with its unit; words ('failed') stand alone."""
    is_number = bool(re.match(r"[-+.\d]", text))
    return f"{text} {unit_text(unit)}".strip() if is_number else text or "none"


def unit_text(unit):
    return unit.replace("^2", "\u00b2").replace("^3", "\u00b3")


def seconds(value):
    return f"{value:.2g}" if value < 10.0 else f"{value:.0f}"


def duration(value):
    minutes, rest = divmod(round(value), 60)
    return f"{seconds(value)} s" if not minutes else f"{minutes} min {rest} s"


def plural(count, one, many=None):
    return f"{count} {one if count == 1 else many or one + 's'}"


def sentence(*parts):
    """Parts that are there, each ending like a sentence."""
    ended = (part.strip() + ("" if part.strip()[-1] in ".!?:" else ".") for part in parts if part.strip())
    return " ".join(ended)
