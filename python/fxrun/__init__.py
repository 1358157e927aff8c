"""Renders NumPy arrays and sound files through effect chains of fxrun.

The functions of this module ask one process of fxrun, which the first call starts. A `Worker` is a process
of one's own, for another thread.
"""

from fxrun._api import (
    ChannelStatistics,
    LoudnessStatistics,
    Output,
    Rendering,
    SilenceStatistics,
    Statistics,
    Worker,
    check,
    render,
    render_all,
    restart,
    stats,
)
from fxrun._errors import ChainError, Diagnostic, FxrunError, FxrunWarning, RequestError, WorkerError
from fxrun._program import program

__all__ = [
    "ChainError",
    "ChannelStatistics",
    "Diagnostic",
    "FxrunError",
    "FxrunWarning",
    "LoudnessStatistics",
    "Output",
    "Rendering",
    "RequestError",
    "SilenceStatistics",
    "Statistics",
    "Worker",
    "WorkerError",
    "check",
    "program",
    "render",
    "render_all",
    "restart",
    "stats",
]
