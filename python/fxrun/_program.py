"""The program inside the package."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn


def program() -> str:
    """The path of the program: `FXRUN_BINARY`, or the one inside the package."""
    return os.environ.get("FXRUN_BINARY") or str(Path(__file__).parent / "program" / "bin" / "fxrun")


def main() -> NoReturn:
    """The command `fxrun`."""
    path = program()
    try:
        os.execv(path, [path, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"error: {path} cannot be started: {error.strerror}")
