"""The exceptions of the module."""

from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass
from typing import Any


class FxrunError(Exception):
    """Every error of this module except wrong arguments, which are a TypeError or a ValueError."""


class FxrunWarning(UserWarning):
    """A warning about a chain, a file or a plugin; the result is there."""


class WorkerError(FxrunError):
    """The process of fxrun ended, is busy with another thread, or belongs to the process before a fork."""


@dataclass(frozen=True)
class Diagnostic:
    """A mistake, a warning or a note about a chain, and where it is."""

    severity: str
    """`error`, `warning` or `note`."""
    code: str
    """A stable name of the kind of mistake."""
    message: str
    file: str | None = None
    line: int | None = None
    """From 1."""
    column: int | None = None
    """In characters, from 1."""
    path: str | None = None
    """The JSON Pointer of the value."""
    hints: tuple[str, ...] = ()

    @classmethod
    def _of(cls, value: dict[str, Any]) -> Diagnostic:
        known = ("severity", "code", "message", "file", "line", "column", "path")
        return cls(**{name: value.get(name) for name in known}, hints=tuple(value.get("hints", ())))  # type: ignore[arg-type]

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return f"{place}: {self.severity}: {self.message}" if place else f"{self.severity}: {self.message}"


class RequestError(FxrunError):
    """fxrun refused the request, or it failed while it rendered."""

    kind: str
    """`chain`, `plugin`, `input`, `output`, `request` or `internalError`."""
    code: str
    """A stable name, as in docs/diagnostics.md."""
    path: str | None
    """The file that it is about."""
    hints: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]
    """The mistakes of a chain, in the order of its text; empty for other errors."""

    def __init__(self, value: dict[str, Any]) -> None:
        message = str(value.get("message", "")).rstrip("\n")
        self.kind = str(value.get("kind", "internalError"))
        self.code = str(value.get("code", ""))
        self.path = value.get("path")
        self.hints = tuple(value.get("hints", ()))
        self.diagnostics = tuple(Diagnostic._of(one) for one in value.get("diagnostics", ()))
        # The text of diagnostics has their hints already.
        super().__init__("\n  ".join((message, *self.hints)) if not self.diagnostics else message)


class ChainError(RequestError):
    """The chain has mistakes."""


def refusal(value: dict[str, Any]) -> RequestError:
    """The exception for an error of the program."""
    return (ChainError if value.get("kind") == "chain" else RequestError)(value)


def warn(message: str) -> None:
    """Warns at the line outside of this package that led here."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, FxrunWarning, stacklevel=level)
