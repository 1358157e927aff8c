"""Tools for all measurements of units: renders by fxrun and by peers, and their costs.

Sounds are arrays of frames × channels in doubles.
"""

import dataclasses
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import typing

import numpy
from scipy.io import wavfile


@dataclasses.dataclass(frozen=True)
class Goal:
    """A figure that a unit should reach, defined before the measurement."""

    key: str
    what: str
    unit: str
    at_most: typing.Optional[float] = None
    at_least: typing.Optional[float] = None
    digits: int = 2

    def is_met(self, value):
        if value is None or value != value:
            return False
        if self.at_most is not None and value > self.at_most:
            return False
        return self.at_least is None or value >= self.at_least

    @property
    def words(self):
        parts = []
        if self.at_least is not None:
            parts.append(f"≥ {self.at_least:g}")
        if self.at_most is not None:
            parts.append(f"≤ {self.at_most:g}")
        return ", ".join(parts) or "-"


class Bench:
    """Renders sounds through chains and peers in its own folder."""

    def __init__(self, fxrun, folder):
        self.fxrun = os.path.abspath(fxrun)
        self.folder = pathlib.Path(folder)
        self._plugins = None
        # Disables caches, so that everything is measured each time.
        os.environ["XDG_CACHE_HOME"] = "/dev/null"

    # Sounds in files

    def write(self, name, sound, rate=48000):
        path = self.folder / name
        wavfile.write(path, rate, numpy.atleast_2d(sound.T).T.astype(numpy.float32))
        return path

    def read(self, path):
        _, sound = wavfile.read(path)
        sound = sound.astype(float) / (1 if sound.dtype.kind == "f" else 2.0 ** 31)
        return sound.reshape(len(sound), -1)

    # fxrun and the plugins that it hosts

    def render(self, chain, sound, rate=48000, options=()):
        """Renders a sound through a chain: a list of nodes or a whole document."""
        document = chain if isinstance(chain, dict) else {"version": 1, "chain": chain}
        path = self.folder / "chain.json"
        path.write_text(json.dumps(document))
        source, target = self.write("in.wav", sound, rate), self.folder / "out.wav"
        target.unlink(missing_ok=True)
        run([self.fxrun, path, source, "-o", target, "-q", "--bits", "32", *options])
        return self.read(target)

    def has_plugin(self, uri):
        if self._plugins is None:
            known = subprocess.run(["lv2ls"], capture_output=True, text=True, check=False).stdout
            self._plugins = set(known.split())
        return uri in self._plugins

    def plugin(self, uri, **parameters):
        return {"lv2": uri, "parameters": parameters}

    def cost(self, chain, rate=48000, seconds=30, rounds=3, options=()):
        """The processor time for a stereo frame in nanoseconds, without the start of the process."""
        return self.graph_cost({"chain": chain}, rate, seconds, rounds, options)

    def graph_cost(self, document, rate=48000, seconds=30, rounds=3, options=()):
        """The same for a whole chain document."""
        noise = numpy.random.default_rng(1).uniform(-0.5, 0.5, (seconds * rate, 2))
        document = {"version": 1, "tail": "none", **document}
        path = self.folder / "cost.json"
        path.write_text(json.dumps(document))
        long = self.write("long.wav", noise, rate)
        short = self.write("short.wav", noise[: rate // 10], rate)
        costs = []
        for _ in range(rounds):
            times = []
            for source in (long, short):
                command = [self.fxrun, path, source, "-o", self.folder / "cost.wav", "-q", *options]
                times.append(processor_seconds(command))
            costs.append((times[0] - times[1]) / (len(noise) - rate // 10) * 1e9)
        return statistics.median(costs)

    def own_cost(self, chain, **settings):
        """The cost of a chain minus that of a chain with a single gain."""
        return self.cost(chain, **settings) - self.cost([{"unit": "gain"}], **settings)

    # Other programs

    def sox(self, sound, *effects, rate=48000):
        source, target = self.write("in.wav", sound, rate), self.folder / "sox.wav"
        run(["sox", "-D", source, "-e", "floating-point", "-b", "32", target, *effects])
        return self.read(target)

    def ffmpeg(self, sound, filters, rate=48000):
        source, target = self.write("in.wav", sound, rate), self.folder / "ffmpeg.wav"
        run(["ffmpeg", "-y", "-v", "error", "-i", source, "-af", filters, "-c:a", "pcm_f32le", target])
        return self.read(target)

    def has_program(self, name):
        return shutil.which(name) is not None


def run(command):
    words = [str(word) for word in command]
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}: {result.stderr.strip()}")
    return result


def processor_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def pedalboard():
    """The peer from PyPI, or None if it is not installed."""
    try:
        import pedalboard as module
    except ImportError:
        return None
    return module


def decibels(value):
    return 20 * numpy.log10(max(float(value), 1e-30))
