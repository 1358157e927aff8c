"""What the tests share."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import fxrun

pytest_plugins = ["pytester"]

Samples = npt.NDArray[np.float32]

# The tests may run elsewhere than beside the sources.
ROOT = Path(os.environ.get("FXRUN_ROOT", Path(__file__).parents[2]))
FIXTURES = ROOT / "Tests" / "Fixtures"
GAIN = {"version": 2, "chain": [{"id": "fader", "unit": "gain", "parameters": {"gain": "-6 dB"}}]}


@pytest.fixture
def noise() -> Samples:
    return 0.1 * np.random.default_rng(1).standard_normal((2, 9600)).astype(np.float32)


@pytest.fixture
def worker() -> Iterator[fxrun.Worker]:
    with fxrun.Worker() as worker:
        yield worker


def build_plugin(folder: Path, *switches: str) -> str:
    """Builds the plugin of Tests/Fixtures/own.lv2 in a folder of bundles, and returns its URI."""
    source, bundle = FIXTURES / "own.lv2", folder / "own.lv2"
    shutil.copytree(source, bundle)
    command = ["cc", "-shared", "-fPIC", "-O1", *(f"-D{one}" for one in switches)]
    subprocess.run([*command, str(source / "own.c"), "-o", str(bundle / "own.so")], check=True)
    return "urn:fxrun:test:own"


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
