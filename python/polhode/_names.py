"""Names that more than one file needs."""

__version__ = "0.1.0"

COLUMNS = ("qw", "qx", "qy", "qz", "wx", "wy", "wz")
