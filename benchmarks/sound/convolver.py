"""Noise convolved with decaying noise of 1, 5 and 27 s in stereo, compared with scipy's convolution in double
precision. Costs are those of the whole process for a minute of sound. fconvolver 1.1 accepts impulse responses of at
most 21.8 s, so it uses 21 s in place of 27.
"""

import statistics

import numpy
from scipy.signal import fftconvolve

from bench import Goal, decibels, processor_seconds

TITLE = "Convolver"
RATE = 48000
GOALS = [
    Goal("error", "Largest difference to direct convolution, full scale 1", "dBFS", at_most=-130,
         digits=1),
    Goal("splits", "Samples that differ at blocks of 1, 32, 441 and 1024 frames", "", at_most=0,
         digits=0),
    Goal("ratio1", "1 s: cost against the cheaper of ffmpeg and fconvolver", "x", at_most=1),
    Goal("ratio5", "5 s: the same", "x", at_most=1),
    Goal("ratio27", "27 s: the same", "x", at_most=1),
    Goal("cost1", "1 s: processor time a minute", "s"),
    Goal("cost5", "5 s: processor time a minute", "s"),
    Goal("cost27", "27 s: processor time a minute", "s"),
]


def impulse(seconds, level=0.02):
    noise = numpy.random.default_rng(3).standard_normal((seconds * RATE, 2))
    decay = numpy.exp(-6.9 * numpy.arange(seconds * RATE) / (seconds * RATE))
    return (noise * decay[:, None] * level).astype(numpy.float32)


def chain(path):
    return [{"unit": "convolver", "impulse": str(path)}]


def costs(bench, seconds, sound):
    """Medians of three rounds in turn, by program."""
    path = bench.write(f"impulse{seconds}.wav", impulse(seconds), RATE)
    short = bench.write("shorter.wav", impulse(min(seconds, 21)), RATE)
    configuration = bench.folder / "fconvolver.conf"
    configuration.write_text(
        f"/convolver/new 2 2 256 {min(seconds, 21) * RATE}\n"
        f"/impulse/read 1 1 1 0 0 0 1 {short}\n/impulse/read 2 2 1 0 0 0 2 {short}\n")
    document = bench.folder / "convolver.json"
    document.write_text(
        '{ "version": 1, "tail": "none", "chain": [{ "unit": "convolver", "impulse": "%s" }] }' % path)
    commands = {
        "fxrun": [bench.fxrun, document, sound, "-o", bench.folder / "a.wav", "-q"],
        "ffmpeg afir": [
            "ffmpeg", "-nostdin", "-y", "-v", "error", "-threads", "1", "-filter_complex_threads",
            "1", "-i", sound, "-i", path, "-filter_complex", "[0][1]afir=gtype=none", "-c:a",
            "pcm_s24le", bench.folder / "b.wav"],
        "fconvolver": ["fconvolver", configuration, sound, bench.folder / "c.wav"],
    }
    rounds = {name: [] for name in commands}
    for _ in range(3):
        for name, command in commands.items():
            rounds[name].append(processor_seconds(command))
    return {name: statistics.median(times) for name, times in rounds.items()}


def measure(bench):
    generator = numpy.random.default_rng(1)
    sound = generator.uniform(-0.25, 0.25, (4 * RATE, 2)).astype(numpy.float32)
    response = impulse(2, 0.004)
    path = bench.write("response.wav", response, RATE)
    output = bench.render({"version": 1, "tail": "none", "chain": chain(path)}, sound)
    wanted = numpy.stack(
        [fftconvolve(sound[:, side].astype(float), response[:, side].astype(float))[: len(output)]
         for side in (0, 1)], axis=1)
    figures = {"error": decibels(numpy.max(numpy.abs(output - wanted)))}
    differing = 0
    for size in (1, 32, 441, 1024):
        document = {"version": 1, "tail": "none", "blockSize": size, "chain": chain(path)}
        differing += int(numpy.sum(bench.render(document, sound[:RATE]) != output[:RATE]))
    figures["splits"] = differing
    minute = bench.write("minute.wav", generator.uniform(-0.5, 0.5, (60 * RATE, 2)), RATE)
    for seconds in (1, 5, 27):
        found = costs(bench, seconds, minute)
        figures[f"cost{seconds}"] = found
        best = min(found["ffmpeg afir"], found["fconvolver"])
        figures[f"ratio{seconds}"] = found["fxrun"] / best
    return figures
