"""A room of 0.15 s (noise that decays by 60 dB), 12 dB below the loudspeaker; espeak-ng reads to the
loudspeaker for a quarter of a minute, and a second voice speaks in the middle third. Down by: the
echo's power against what is left, in the third before the second voice and in the one after it; the row of the
filter is without the suppression of what the filter leaves. Second voice: SI-SDR of J. Le Roux and others
(ICASSP 2019) against it as it was spoken."""

import numpy
from scipy import signal

from bench import Goal, run

TITLE = "Echo canceller"
RATE = 16000

GOALS = [
    Goal("before", "Echo, down by, before the second voice", "dB", at_least=25, digits=1),
    Goal("after", "Echo, down by, after it", "dB", at_least=25, digits=1),
    Goal("filter", "By the filter alone, after it", "dB", digits=1),
    Goal("double", "Second voice: SI-SDR beside the echo", "dB", digits=1),
    Goal("untreated", "The same untreated", "dB", digits=1),
    Goal("alone", "The same without an echo in the room", "dB", digits=1),
    Goal("level", "Second voice: its level changes by", "dB", digits=1),
    Goal("cost", "Cost", "ns", digits=0),
]


def voice(bench, name, text):
    path = bench.folder / f"{name}.wav"
    run(["espeak-ng", "-v", name, "-s", "150", "-w", path, text])
    rate, sound = __import__("scipy.io.wavfile", fromlist=["x"]).read(path)
    sound = signal.resample_poly(sound / 32768.0, RATE, rate)
    return 0.5 * sound / numpy.abs(sound).max()


def si_sdr(clean, output):
    scale = numpy.dot(output, clean) / numpy.dot(clean, clean)
    return 10 * numpy.log10((scale * clean) @ (scale * clean) / ((output - scale * clean) @ (output - scale * clean)))


def power(sound):
    return 10 * numpy.log10(numpy.mean(sound ** 2) + 1e-20)


def measure(bench):
    text = "The quick brown fox jumps over the lazy dog, while seven wizards mix a strange potion. " * 4
    far = voice(bench, "en-us", text)[: 15 * RATE]
    far = numpy.concatenate([far, numpy.zeros(15 * RATE - len(far))])
    near = voice(bench, "en-gb", "She had your dark suit in greasy wash water all year, and nobody asked her why.")
    near = numpy.concatenate([numpy.zeros(5 * RATE), near[: 5 * RATE]])
    near = 0.5 * numpy.concatenate([near, numpy.zeros(15 * RATE - len(near))])
    random = numpy.random.default_rng(5)
    time = numpy.arange(int(0.15 * RATE)) / RATE
    room = random.normal(0, 1, len(time)) * 10 ** (-3 * time / 0.15)
    room[:48] = 0
    echo = signal.fftconvolve(far, room)[: len(far)]
    echo *= 0.25 * numpy.sqrt((far @ far) / (echo @ echo))
    hiss = random.normal(0, 1e-4, len(far))

    def cancelled(microphone, **parameters):
        reference = bench.write("far.wav", far[:, None], RATE)
        chain = {
            "version": 1,
            "nodes": {
                "microphone": {"source": "main"}, "far": {"source": "far"},
                "cancel": {"unit": "echoCancel", "parameters": parameters}, "out": {"sink": "main"},
            },
            "connections": ["microphone -> cancel -> out", "far -> cancel:reference"],
        }
        options = ["--input", f"far={reference}"]
        return bench.render(chain, microphone[:, None], RATE, options)[: len(far), 0]

    figures = {goal.key: {} for goal in GOALS}
    both = echo + near + hiss
    treated = cancelled(both)
    plain = cancelled(both, suppression=0, speechSuppression=0)
    thirds = {"before": slice(2 * RATE, 5 * RATE), "double": slice(5 * RATE, 10 * RATE), "after": slice(11 * RATE, 15 * RATE)}
    for key in ("before", "after"):
        figures[key]["fxrun"] = power(echo[thirds[key]]) - power(treated[thirds[key]])
    figures["filter"]["fxrun"] = power(echo[thirds["after"]]) - power(plain[thirds["after"]])
    middle = thirds["double"]
    alone = cancelled(near + hiss)
    figures["double"]["fxrun"] = si_sdr(near[middle], treated[middle])
    figures["untreated"]["fxrun"] = si_sdr(near[middle], both[middle])
    figures["level"]["fxrun"] = power(treated[middle]) - power(near[middle])
    figures["alone"]["fxrun"] = si_sdr(near[middle], alone[middle])
    figures["cost"]["fxrun"] = bench.graph_cost(
        {
            "nodes": {
                "in": {"source": "main"}, "cancel": {"unit": "echoCancel"}, "out": {"sink": "main"},
            },
            "connections": ["in -> cancel -> out", "in -> cancel:reference"],
        })
    return figures
