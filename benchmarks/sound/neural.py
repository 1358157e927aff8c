"""Models of each size that neural-amp-modeler trains, with random weights, driven by a sweep with noise: the largest
difference from the same model computed with NumPy in doubles, relative to the peak. The column beside the cost is the
number of multiplications and additions that one frame needs. A model that leaves the sound as it is, at a rate other than
the chain's, shows the error of both conversions below 20 kHz."""

import json
import pathlib
import sys

import numpy

from bench import Goal, decibels

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tests" / "NeuralModels"))
import networks  # noqa: E402

TITLE = "Neural amplifier"
RATE = 48000
SIZES = [f"wavenet {name}" for name in networks.WAVENETS] + list(networks.LSTMS)
RATES = [44100, 88200, 96000]

GOALS = [
    *(Goal(f"{name} error", f"Error, {name}", "dB", at_most=-100, digits=0) for name in SIZES),
    *(Goal(f"{name} cost", f"Cost of one channel, {name}", "ns", at_most=5000, digits=0) for name in SIZES),
    *(Goal(f"{rate}", f"Error of the conversions at {rate / 1000:g} kHz", "dB", at_most=-90, digits=0) for rate in RATES),
]


def products(config):
    """The products of a frame."""
    if "layers" not in config:
        hidden, layers = config["hidden_size"], config["num_layers"]
        return 4 * hidden * (1 + hidden) + (layers - 1) * 8 * hidden * hidden + hidden
    count = 0
    for stack in config["layers"]:
        channels = stack["channels"]
        layer = channels * (channels * stack["kernel_size"] + 1 + channels)
        count += channels * stack["input_size"] + len(stack["dilations"]) * layer + channels * stack["head_size"]
    return count


def swept(frames):
    time = numpy.arange(frames) / RATE
    noise = 0.1 * numpy.random.default_rng(1).standard_normal(frames)
    sound = 0.5 * numpy.sin(2 * numpy.pi * (80 + 2000 * time) * time) + noise
    return sound.astype(numpy.float32).astype(float)


def tones(rate):
    """Tones up to 20 kHz that begin and end softly."""
    time = numpy.arange(rate // 2) / rate
    sound = sum(numpy.sin(2 * numpy.pi * frequency * time) for frequency in (55, 997, 5003, 12007, 19001)) / 10
    return sound * numpy.sin(numpy.pi * time / time[-1]) ** 2


def measure(bench):
    figures = {}
    node = {"unit": "neuralAmp", "model": "model.nam"}
    sound = swept(RATE // 4)
    for name, model in networks.published().items():
        (bench.folder / "model.nam").write_text(model.text())
        output = bench.render([node], sound[:, None])[: len(sound), 0]
        expected = model.output(sound)
        figures[f"{name} error"] = decibels(numpy.abs(output - expected).max() / numpy.abs(expected).max())
        cost = bench.own_cost([node], seconds=10) / 2
        figures[f"{name} cost"] = {
            "fxrun": cost, "multiply-adds": products(model.document["config"]),
        }
    plain = {
        "version": "0.5.4", "architecture": "Linear", "config": {"receptive_field": 1, "bias": False}, "weights": [1.0],
        "sample_rate": RATE,
    }
    (bench.folder / "model.nam").write_text(json.dumps(plain))
    for rate in RATES:
        sound = tones(rate)
        output = bench.render([node], sound[:, None], rate)[: len(sound), 0]
        figures[f"{rate}"] = decibels(numpy.abs(output - sound).max() / numpy.abs(sound).max())
    return figures
