"""Pictures of solutions and studies, on axes of matplotlib. polhode.plot has them; matplotlib is needed from here
on."""

from .moving import animate
from .over_time import errors, trajectory
from .rolling import herpolhode, poinsot, polhode
from .studies import convergence, work_precision
from .traces import attitude

__all__ = ["animate", "attitude", "convergence", "errors", "herpolhode", "poinsot", "polhode", "trajectory",
           "work_precision"]
