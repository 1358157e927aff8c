"""The functions of the module."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict, cast

from fxrun._errors import Diagnostic, warn
from fxrun._samples import planar
from fxrun._worker import Link

if TYPE_CHECKING:
    import numpy.typing as npt

    from fxrun._samples import Samples

    Value: TypeAlias = float | str | bool
    Chain: TypeAlias = str | os.PathLike[str] | Mapping[str, Any]
    Input: TypeAlias = npt.ArrayLike | str | os.PathLike[str]


class ChannelStatistics(TypedDict):
    """The figures of a channel; levels in dB of full scale, None for silence."""

    peak: float | None
    rms: float | None
    crest: float | None
    dc: float
    clippedSamples: int
    nonFiniteSamples: int


class LoudnessStatistics(TypedDict):
    """Loudness after EBU R 128: LUFS, LU for the range, dBTP; None if the sound is too short or too quiet."""

    integrated: float | None
    range: float
    highestMomentary: float | None
    highestShortTerm: float | None
    truePeak: float | None


class SilenceStatistics(TypedDict):
    """Seconds below -60 dB."""

    start: float
    end: float
    total: float
    longest: float


class _Statistics(TypedDict):
    file: str
    seconds: float
    frames: int
    sampleRate: float
    channels: list[ChannelStatistics]
    noiseFloor: float | None
    silence: SilenceStatistics
    bandwidth: float
    warnings: list[str]


class Statistics(_Statistics, total=False):
    """The figures of `fxrun stats --json`."""

    loudness: LoudnessStatistics
    """Missing for a format that EBU R 128 does not measure."""


@dataclass(frozen=True)
class Output:
    """The sound of one output of a chain."""

    samples: Samples
    """Channels × frames, full scale at ±1."""
    rate: float
    """Frames a second."""


@dataclass(frozen=True)
class Rendering:
    """A rendered chain."""

    outputs: dict[str, Output]
    """By the name of the output: `main`, or its own; for a file that the chain names, its name."""
    warnings: tuple[str, ...]
    readings: dict[str, float | None | list[float | None]]
    """Measurements at the end, such as `comp.gainReduction`: one number, or one for each channel; None for the
    level of silence."""
    latency: int
    """Frames by which the chain delays; the outputs do not have them."""
    summary: dict[str, Any]
    """Everything that `fxrun run --json` reports."""

    @property
    def main(self) -> Output:
        """The output `main`, or the only one."""
        if "main" in self.outputs:
            return self.outputs["main"]
        if len(self.outputs) == 1:
            return next(iter(self.outputs.values()))
        raise ValueError(f"the chain has no output 'main': {', '.join(self.outputs) or 'it has none'}")


class Worker:
    """A process of fxrun for one thread. `with Worker() as worker:` ends it."""

    def __init__(self) -> None:
        self._link = Link()

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the process. The next call starts another, which loads plugins and files again.

        A fork needs this before its first call.
        """
        self._link.close()

    @property
    def pid(self) -> int | None:
        """The identifier of the process; None before the first call."""
        return self._link.pid

    def render(
        self,
        chain: Chain,
        samples: Input | Mapping[str, Input] | None = None,
        rate: float | None = None,
        *,
        set: Mapping[str, Value] | None = None,
        define: Mapping[str, Value] | None = None,
        bypass: Iterable[str] = (),
        scene: str | None = None,
        start: float = 0,
        duration: float | None = None,
        sample_rate: float | None = None,
        block_size: int | None = None,
        threads: int | None = None,
        loudness: float | None = None,
    ) -> Samples:
        """Renders samples through a chain, with the chain's latency removed and its tail included.

        chain: a file, the name of an installed chain, or the object that a chain file has.
        samples: channels × frames of floats with full scale at ±1, or frames of one channel; the path of a
            sound file; or a mapping with one of these for each input of the chain. None for a chain without
            inputs.
        rate: frames a second; for arrays.
        set, define, bypass, scene, start, duration, sample_rate, block_size, threads, loudness: the options
            of `fxrun run` with these names.

        Returns channels × frames of the output `main`, at `rate`; one dimension if the samples have one and
        one channel comes out. Raises ChainError, RequestError or WorkerError. Writes no file.
        """
        rendering = self.render_all(
            chain,
            samples,
            rate,
            set=set,
            define=define,
            bypass=bypass,
            scene=scene,
            start=start,
            duration=duration,
            sample_rate=sample_rate,
            block_size=block_size,
            threads=threads,
            loudness=loudness,
        )
        output = rendering.main
        wanted = sample_rate or rate
        if wanted is not None and output.rate != wanted:
            raise ValueError(
                f"the chain renders at {output.rate:g} Hz, not at {wanted:g} Hz: "
                "render_all says the rate, and sample_rate= sets it"
            )
        is_flat = not isinstance(samples, Mapping) and not _is_path(samples) and _dimensions(samples) == 1
        return output.samples.reshape(-1) if is_flat and len(output.samples) == 1 else output.samples

    def render_all(
        self,
        chain: Chain,
        samples: Input | Mapping[str, Input] | None = None,
        rate: float | None = None,
        *,
        set: Mapping[str, Value] | None = None,
        define: Mapping[str, Value] | None = None,
        bypass: Iterable[str] = (),
        scene: str | None = None,
        start: float = 0,
        duration: float | None = None,
        sample_rate: float | None = None,
        block_size: int | None = None,
        threads: int | None = None,
        loudness: float | None = None,
    ) -> Rendering:
        """Like `render`, with every output, its rate, and what was measured."""
        named: dict[str, Any] = dict(samples) if isinstance(samples, Mapping) else {"main": samples}
        inputs: dict[str, Any] = {}
        arrays: list[Samples] = []
        for name, value in named.items():
            if value is None:
                continue
            inputs[name], held = _source(value, rate, f"the input {name!r}")
            arrays += held
        options = {
            "set": _texts(set or {}),
            "bypass": [bypass] if isinstance(bypass, str) else list(bypass),
            "scene": scene,
            "start": start,
            "duration": duration,
            "sampleRate": sample_rate,
            "blockSize": block_size,
            "threads": threads,
            "loudness": loudness,
        }
        request = {
            "do": "render",
            "chain": _chain(chain, define),
            "inputs": inputs,
            "options": {name: value for name, value in options.items() if value is not None},
        }
        result, outputs = self._link.ask(request, arrays)
        summary = result["summary"]
        for warning in summary["warnings"]:
            warn(warning)
        for one in summary["diagnostics"]:
            if one["severity"] == "warning":
                warn(str(Diagnostic._of(one)))
        return Rendering(
            outputs={
                facts["name"]: Output(array, facts["sampleRate"])
                for facts, array in zip(result["outputs"], outputs, strict=True)
            },
            warnings=tuple(summary["warnings"]),
            readings={reading["name"]: reading["value"] for reading in summary.get("readings", ())},
            latency=summary["latencyFrames"],
            summary=summary,
        )

    def check(
        self,
        chain: Chain,
        rate: float = 48000,
        channels: int = 2,
        *,
        define: Mapping[str, Value] | None = None,
    ) -> list[Diagnostic]:
        """Every mistake, warning and note about a chain, in the order of its text; empty if there is none.

        rate, channels: of its inputs. Raises ChainError if the file cannot be read.
        """
        request = {
            "do": "check",
            "chain": _chain(chain, define),
            "sampleRate": rate,
            "channels": channels,
        }
        result, _ = self._link.ask(request)
        return [Diagnostic._of(one) for one in result["diagnostics"]]

    def stats(self, sound: Input, rate: float | None = None) -> Statistics:
        """The levels, loudness, silence, noise floor and bandwidth of samples or of a sound file.

        sound: channels × frames with a `rate`, or the path of a file.
        """
        source, arrays = _source(sound, rate, "the sound")
        result, _ = self._link.ask({"do": "stats", "input": source}, arrays)
        return cast(Statistics, result)

    def _test(
        self, file: str, text: str | None, *, record: str | None, folder: str
    ) -> list[dict[str, Any]]:
        """The results of the cases of a case file, or of its text."""
        request = {"do": "test", "file": file, "text": text, "record": record, "folder": folder}
        result, _ = self._link.ask({key: value for key, value in request.items() if value is not None})
        return cast("list[dict[str, Any]]", result)


# The functions of the module are those of one worker.
_worker = Worker()
render = _worker.render
render_all = _worker.render_all
check = _worker.check
stats = _worker.stats
restart = _worker.close


def _is_path(value: Any) -> bool:
    return isinstance(value, str | os.PathLike)


def _dimensions(samples: Any) -> int:
    import numpy as np

    return np.ndim(samples)


def _source(value: Any, rate: float | None, name: str) -> tuple[dict[str, Any], list[Samples]]:
    if _is_path(value):
        return {"file": os.path.abspath(os.fspath(value))}, []
    if rate is None:
        raise TypeError(f"{name} is an array: give its rate in frames a second")
    samples = planar(value, name)
    channels, frames = samples.shape
    return {"sampleRate": rate, "channels": channels, "frames": frames}, [samples]


def _chain(chain: Chain, define: Mapping[str, Value] | None) -> dict[str, Any]:
    variables = {"define": _texts(define)} if define else {}
    if isinstance(chain, Mapping):
        # Files that it names are relative to the current folder.
        return {"text": json.dumps(chain), "path": os.path.abspath("chain.json"), **variables}
    if not _is_path(chain):
        raise TypeError(f"a chain is a path or an object, not {type(chain).__name__}")
    word = os.fspath(chain)
    is_file = os.path.isfile(word) or "/" in word or word.endswith(".json")
    return {"name": os.path.abspath(word) if is_file else word, **variables}


def _texts(values: Mapping[str, Value]) -> dict[str, str]:
    return {
        name: json.dumps(value) if isinstance(value, bool) else str(value) for name, value in values.items()
    }
