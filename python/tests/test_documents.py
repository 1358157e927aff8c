"""The Python code of docs/python.md."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import FIXTURES, ROOT

import fxrun

BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "python.md").read_text(), re.S)
VOICE = {"version": 2, "chain": [{"id": "comp", "unit": "compressor"}]}


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    examples = [block for block in BLOCKS if "fxrun_golden" not in block]
    assert len(examples) >= 3
    monkeypatch.chdir(tmp_path)
    Path("voice.json").write_text(json.dumps(VOICE))
    voice = str(FIXTURES / "audio" / "voice.mp3")
    for name in ("take.wav", "mix.wav", "episode.mp3"):
        command = [fxrun.program(), "none", voice, "-o", name, "--duration", "4", "--quiet"]
        subprocess.run(command, check=True)
    values: dict[str, object] = {}
    for block in examples:
        exec(compile(block, "docs/python.md", "exec"), values)
    room = values["room"]
    assert isinstance(room, np.ndarray) and room.shape[0] == 2
    assert values["loudness"] is not None and values["peak"] is not None


def test_the_example_of_goldens_runs(pytester: pytest.Pytester) -> None:
    (block,) = [block for block in BLOCKS if "fxrun_golden" in block]
    pytester.path.joinpath("voice.json").write_text(json.dumps(VOICE))
    voice = str(FIXTURES / "audio" / "voice.mp3")
    take = str(pytester.path / "quiet take.wav")
    subprocess.run([fxrun.program(), "none", voice, "-o", take, "--duration", "1", "--quiet"], check=True)
    pytester.makepyfile(block)
    pytester.runpytest_subprocess("-p", "no:cacheprovider", "--fxrun-record=missing").assert_outcomes(passed=2)
    pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=2)
