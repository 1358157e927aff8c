"""What the tests share."""

from __future__ import annotations

import os
import subprocess
import textwrap
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
    """Builds the plugin of Tests/Fixtures/own.c in a folder of bundles, and returns its URI."""
    uri = "urn:fxrun:test:own"
    bundle = folder / "own.lv2"
    bundle.mkdir(parents=True)
    command = ["cc", "-shared", "-fPIC", "-O1", *(f"-D{one}" for one in switches)]
    subprocess.run([*command, str(FIXTURES / "own.c"), "-o", str(bundle / "own.so")], check=True)
    (bundle / "manifest.ttl").write_text(
        textwrap.dedent(
            f"""\
            @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
            @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
            <{uri}> a lv2:Plugin ; lv2:binary <own.so> ; rdfs:seeAlso <own.ttl> .
            """
        )
    )
    (bundle / "own.ttl").write_text(
        textwrap.dedent(
            f"""\
            @prefix doap: <http://usefulinc.com/ns/doap#> .
            @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
            <{uri}> a lv2:Plugin ; doap:name "Own" ; lv2:port [
              a lv2:InputPort, lv2:AudioPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In"
            ] , [
              a lv2:OutputPort, lv2:AudioPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out"
            ] , [
              a lv2:InputPort, lv2:ControlPort ; lv2:index 2 ; lv2:symbol "amount" ; lv2:name "Amount" ;
              lv2:default 1.0 ; lv2:minimum 0.0 ; lv2:maximum 2.0
            ] , [
              a lv2:OutputPort, lv2:ControlPort ; lv2:index 3 ; lv2:symbol "latency" ; lv2:name "Latency" ;
              lv2:designation lv2:latency ; lv2:portProperty lv2:reportsLatency
            ] .
            """
        )
    )
    return uri


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
