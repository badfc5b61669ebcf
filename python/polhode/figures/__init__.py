"""Figures of result files. Reads and draws; never integrates."""

from .compare import compare_figure
from .results import ResultError, Run, attitude_error, read_result
from .run import run_figure
from .style import save

__all__ = ["ResultError", "Run", "attitude_error", "compare_figure", "read_result", "run_figure", "save"]
