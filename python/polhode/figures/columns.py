"""What the columns of a run are called on axes and in legends."""

ENERGY = "energy", "J"
VELOCITY = "angular velocity", "rad/s"
SPATIAL = "momentum in space", "kg m\u00b2/s"
BODY = "momentum in body axes", "kg m\u00b2/s"
LENGTH = "length of the momentum", "kg m\u00b2/s"
DIRECTION = "direction of the third axis", ""
ROTATION = "rotation vector", "rad"
ATTITUDE = "quaternion of the attitude", ""
CONTACT = "1/(m \u221akg)"

NAMES = {                   # symbol, quantity, unit
    "t": ("t", "time", "s"),
    "E": ("E", *ENERGY),
    "energy_error": ("E - E(0)", "energy error", "J"),
    "energy_error_relative": ("(E - E(0))/E(0)", "relative energy error", ""),
    "energy_ratio": ("E/E(0)", "energy over its first value", ""),
    "mid_energy": ("E at mid-step", "energy at mid-step", "J"),
    "mid_energy_ratio": ("E/E(0) at mid-step", "energy over its first value", ""),
    "p_norm": ("|P|", *LENGTH),
    "mid_p_norm": ("|P| at mid-step", *LENGTH),
    "mid_p_ratio": ("|P|/|P(0)| at mid-step", "length of the momentum over its first", ""),
    "L_change": ("|L - L(0)|", "change of momentum", "kg m\u00b2/s"),
    "L_change_relative": ("|L - L(0)|/|L(0)|", "relative change of momentum", ""),
    "momentum_along_axis": ("P along the axis", "momentum along the body's axis", "kg m\u00b2/s"),
    "momentum_along_field": ("L along the field", "momentum along the field", "kg m\u00b2/s"),
    "increment_deg": ("rotation of a step", "rotation of a step", "deg"),
    "matrix_axis_momentum_error": ("error of P along the axis", "error of the momentum along the axis",
                                   "kg m\u00b2/s"),
    "matrix_defect": ("defect of R", "largest entry of $R^T R - 1$", ""),
    **{f"q{i}": (f"q_{i}", *ATTITUDE) for i in "wxyz"},
    **{f"w{i}_B": (rf"\omega_{i}", *VELOCITY) for i in "xyz"},
    **{f"L{i}_S": (f"L_{i}", *SPATIAL) for i in "xyz"},
    **{f"mid_L{i}_S": (f"L_{i}", "momentum in space, mid-step", SPATIAL[1]) for i in "xyz"},
    **{f"mean_L{i}_S": (f"L_{i}", "momentum in space, mid-step", SPATIAL[1]) for i in "xyz"},
    **{f"p{i}_B": (f"P_{i}", *BODY) for i in "xyz"},
    **{f"mid_p{i}_B": (f"P_{i}", "momentum in body axes, mid-step", BODY[1]) for i in "xyz"},
    **{f"d{i}": (f"d_{i}", *DIRECTION) for i in "xyz"},
    **{f"rv{i}": (f"r_{i}", *ROTATION) for i in "xyz"},
    **{f"polhode_{i}_B": (rf"\rho_{i}", "polhode", CONTACT) for i in "xyz"},
    **{f"herpolhode_{i}_S": (rf"\sigma_{i}", "herpolhode", CONTACT) for i in "xyz"},
    "attitude_error": ("attitude error", "attitude error", "rad"),
    "momentum_error": ("momentum error", "momentum error", "kg m\u00b2/s"),
    "rotation_vector_error": ("error of the rotation vector", "error of the rotation vector", "rad"),
    "attitude_norm_error": ("attitude error, spectral norm", "attitude error, spectral norm", ""),
    "attitude_frobenius_error": ("attitude error, Frobenius norm", "attitude error, Frobenius norm", ""),
    "velocity_error": ("error of the angular velocity", "error of the angular velocity", "rad/s"),
}


def symbol(column):
    """For legends: letters with an index in italics, words as they are."""
    name = NAMES.get(column, (column,))[0]
    return f"${name}$" if "_" in name and column in NAMES else name


def axis_words(columns):
    """For an axis that shows these columns: the quantity they share, with its unit."""
    known = [NAMES.get(column, (column, column, "")) for column in columns]
    units = {unit for _, _, unit in known}
    words = symbol(columns[0]) if len(known) == 1 else ", ".join(dict.fromkeys(quantity for _, quantity, _ in known))
    unit = units.pop() if len(units) == 1 else ""
    return words + (f" [{unit}]" if unit else "")


def plain(text):
    """Text of others in a figure: a dollar sign is a dollar sign."""
    return text.replace("$", r"\$")
