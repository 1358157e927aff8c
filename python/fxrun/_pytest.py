"""The pytest fixture `fxrun_golden`."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fxrun._errors import FxrunError

if TYPE_CHECKING:
    from fxrun._api import Value, Worker


class _State:
    """What a run of pytest knows."""

    def __init__(self) -> None:
        self.worker: Worker | None = None
        self.written: list[str] = []
        self.cases: dict[str, str] = {}
        """The text of the case of each golden."""


_state = pytest.StashKey[_State]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("fxrun")
    group.addoption(
        "--fxrun-record",
        choices=("missing", "all"),
        help="write goldens that are missing, or replace all that differ",
    )
    group.addoption(
        "--fxrun-report",
        metavar="FOLDER",
        help="the folder for the sounds and pages of goldens that differ (default: a temporary one)",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_state] = _State()


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    written = config.stash[_state].written
    if written:
        terminalreporter.section("goldens written by fxrun")
        for path in written:
            terminalreporter.line(path)


class GoldenCheck:
    """Renders chains and compares them with goldens, as `fxrun test` does."""

    def __init__(self, request: pytest.FixtureRequest, report: Path) -> None:
        self._config = request.config
        self._folder = request.path.parent
        self._report = report

    def __call__(
        self,
        chain: str | os.PathLike[str],
        *,
        name: str | None = None,
        golden: str | os.PathLike[str] | None = None,
        input: str | Mapping[str, Any] | None = None,
        inputs: Mapping[str, str | Mapping[str, Any]] | None = None,
        duration: float | None = None,
        rate: float | None = None,
        channels: int | None = None,
        block_size: int | None = None,
        set: Mapping[str, Value] | None = None,
        define: Mapping[str, Value] | None = None,
        scene: str | None = None,
        tolerance: str | float | Mapping[str, Any] | None = None,
    ) -> None:
        """Fails the test unless a chain sounds like its golden.

        chain: relative to the folder of the test. `voice.json` stands for `voice.test.json` beside it,
            if there is such a file and nothing else is given. A case file is possible too.
        name: of the golden, `voice` for `voice.json`; a chain with several goldens needs it.
        golden: its file, relative to the folder of the test, in place of `golden/NAME.wav` beside the
            chain.
        input, inputs, duration, rate, channels, block_size, set, define, scene, tolerance: as in a case
            file; files are relative to the folder of the test.
        """
        keys = {
            "expect": None if golden is None else self._path(golden),
            "input": None if input is None else self._input(input),
            "inputs": None if inputs is None else {key: self._input(one) for key, one in inputs.items()},
            "duration": duration,
            "sampleRate": rate,
            "channels": channels,
            "blockSize": block_size,
            "set": None if set is None else dict(set),
            "define": None if define is None else dict(define),
            "scene": scene,
            "tolerance": tolerance,
        }
        keys = {key: value for key, value in keys.items() if value is not None}
        path = self._path(chain)
        if path.endswith(".test.json"):
            if keys or name is not None:
                raise TypeError("a case file says everything about its cases")
            return self._check(path, None)
        stem = path.removesuffix(".json")
        case_file = f"{stem}.test.json"
        if not keys and name is None and os.path.exists(case_file):
            return self._check(case_file, None)
        file = case_file if name is None else os.path.join(os.path.dirname(path), f"{name}.test.json")
        text = json.dumps({"version": 1, "chain": path, **keys})
        self._refuse_twice(file if golden is None else self._path(golden), text)
        return self._check(file, text)

    def _path(self, path: str | os.PathLike[str]) -> str:
        return os.path.abspath(self._folder / path)

    def _input(self, value: str | Mapping[str, Any]) -> Any:
        return dict(value) if isinstance(value, Mapping) else self._path(value)

    def _refuse_twice(self, golden: str, text: str) -> None:
        if self._config.stash[_state].cases.setdefault(golden, text) != text:
            raise ValueError("another call has this golden with other values: give it a name of its own")

    def _check(self, file: str, text: str | None) -> None:
        __tracebackhide__ = True
        try:
            results = self._test(file, text)
        except FxrunError as error:
            pytest.fail(str(error), pytrace=False)
        bad = [one for one in results if not one["isGood"]]
        if bad:
            pytest.fail("\n".join(self._words(one) for one in bad), pytrace=False)

    def _test(self, file: str, text: str | None) -> list[dict[str, Any]]:
        state = self._config.stash[_state]
        if state.worker is None:
            from fxrun._api import Worker

            state.worker = Worker()
            self._config.add_cleanup(state.worker.close)
        record = self._config.getoption("--fxrun-record")
        results = state.worker._test(file, text, record=record, folder=str(self._report))
        state.written += [path for one in results for path in one["written"]]
        return results

    @staticmethod
    def _is_new(result: Mapping[str, Any]) -> bool:
        return bool(result.get("outcome") == "new")

    def _words(self, result: Mapping[str, Any]) -> str:
        lines = [f"{result['name']}: {result['headline']}", *result["details"]]
        if self._is_new(result):
            lines.append("listen to the rendered sound, and record it with pytest --fxrun-record=missing")
        for ending in (".html", ".actual.wav"):
            path = self._report / (result["name"].replace("/", "-") + ending)
            if path.exists():
                lines.append(f"see {path}")
        return "\n  ".join(lines)


@pytest.fixture
def fxrun_golden(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> GoldenCheck:
    """Compares what a chain renders with its golden: `fxrun_golden("voice.json")`."""
    asked = request.config.getoption("--fxrun-report")
    report = Path(asked).absolute() if asked else tmp_path_factory.getbasetemp() / "fxrun"
    return GoldenCheck(request, report)
