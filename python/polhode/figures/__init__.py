"""Figures of result files. Reads and draws; never integrates."""

from .compare import compare_figure
from .converge import converge_figure
from .diagnose import diagnose_figure, read_diagnosis
from .experiment import experiment_figure, save_experiment
from .files import files_figure
from .results import ResultError, Run, attitude_error, energy_difference, read_result
from .run import run_figure
from .study import Comparison, Study, read_comparison, read_study
from .style import save
from .work_precision import work_precision_figure

__all__ = ["Comparison", "ResultError", "Run", "Study", "attitude_error", "compare_figure", "converge_figure",
           "diagnose_figure", "energy_difference", "experiment_figure", "files_figure", "read_comparison",
           "read_diagnosis", "read_result", "read_study", "run_figure", "save", "save_experiment",
           "work_precision_figure"]
