"""A room of 0.15 s (noise that decays by 60 dB), 12 dB below the loudspeaker. espeak-ng plays speech through the
loudspeaker for fifteen seconds, and a second voice speaks in the middle third. Everything runs at 16 kHz, as in
calls, and again at 48 kHz with the same voices, room and proportions. Down by: the echo's power relative to the
remaining power, in the third before the second voice and in the third after it. The row of the filter excludes the
suppression of the filter's residual. Second voice: SI-SDR of J. Le Roux and others (ICASSP 2019), compared with the
clean voice. The cost is that of a stereo frame at 48 kHz.

There is no peer: sox, ffmpeg, pedalboard and the LV2 plugins have no echo canceller, and the unit itself uses that of
libspeexdsp."""

import numpy
from scipy import signal
from scipy.io import wavfile

from bench import Goal, run

TITLE = "Echo canceller"
RATES = {16000: "", 48000: "48"}

ROWS = [
    ("before", "Echo, down by, before the second voice", 25),
    ("after", "Echo, down by, after it", 25),
    ("filter", "By the filter alone, after it", None),
    ("double", "Second voice: SI-SDR beside the echo", None),
    ("untreated", "The same untreated", None),
    ("alone", "The same without an echo in the room", None),
    ("level", "Second voice: its level changes by", None),
]

GOALS = [
    *(Goal(key + ending, f"{rate // 1000} kHz: {what[0].lower()}{what[1:]}", "dB", at_least=least, digits=1)
      for rate, ending in RATES.items() for key, what, least in ROWS),
    Goal("cost", "Cost", "ns", digits=0),
]


def voice(bench, name, text, to):
    path = bench.folder / f"{name}.wav"
    run(["espeak-ng", "-v", name, "-s", "150", "-w", path, text])
    rate, sound = wavfile.read(path)
    sound = signal.resample_poly(sound / 32768.0, to, rate)
    return 0.5 * sound / numpy.abs(sound).max()


def si_sdr(clean, output):
    scale = numpy.dot(output, clean) / numpy.dot(clean, clean)
    return 10 * numpy.log10((scale * clean) @ (scale * clean) / ((output - scale * clean) @ (output - scale * clean)))


def power(sound):
    return 10 * numpy.log10(numpy.mean(sound ** 2) + 1e-20)


def at(bench, rate, ending, figures):
    text = "The quick brown fox jumps over the lazy dog, while seven wizards mix a strange potion. " * 4
    far = voice(bench, "en-us", text, rate)[: 15 * rate]
    far = numpy.concatenate([far, numpy.zeros(15 * rate - len(far))])
    near = voice(bench, "en-gb", "She had your dark suit in greasy wash water all year, and nobody asked her why.", rate)
    near = numpy.concatenate([numpy.zeros(5 * rate), near[: 5 * rate]])
    near = 0.5 * numpy.concatenate([near, numpy.zeros(15 * rate - len(near))])
    random = numpy.random.default_rng(5)
    time = numpy.arange(int(0.15 * rate)) / rate
    room = random.normal(0, 1, len(time)) * 10 ** (-3 * time / 0.15)
    room[: 3 * rate // 1000] = 0
    echo = signal.fftconvolve(far, room)[: len(far)]
    echo *= 0.25 * numpy.sqrt((far @ far) / (echo @ echo))
    hiss = random.normal(0, 1e-4, len(far))

    def cancelled(microphone, **parameters):
        reference = bench.write("far.wav", far[:, None], rate)
        chain = {
            "version": 1,
            "nodes": {
                "microphone": {"source": "main"}, "far": {"source": "far"},
                "cancel": {"unit": "echoCancel", "parameters": parameters}, "out": {"sink": "main"},
            },
            "connections": ["microphone -> cancel -> out", "far -> cancel:reference"],
        }
        options = ["--input", f"far={reference}"]
        return bench.render(chain, microphone[:, None], rate, options)[: len(far), 0]

    both = echo + near + hiss
    treated = cancelled(both)
    plain = cancelled(both, suppression=0, speechSuppression=0)
    thirds = {"before": slice(2 * rate, 5 * rate), "double": slice(5 * rate, 10 * rate), "after": slice(11 * rate, 15 * rate)}
    for key in ("before", "after"):
        figures[key + ending]["fxrun"] = power(echo[thirds[key]]) - power(treated[thirds[key]])
    figures["filter" + ending]["fxrun"] = power(echo[thirds["after"]]) - power(plain[thirds["after"]])
    middle = thirds["double"]
    alone = cancelled(near + hiss)
    figures["double" + ending]["fxrun"] = si_sdr(near[middle], treated[middle])
    figures["untreated" + ending]["fxrun"] = si_sdr(near[middle], both[middle])
    figures["level" + ending]["fxrun"] = power(treated[middle]) - power(near[middle])
    figures["alone" + ending]["fxrun"] = si_sdr(near[middle], alone[middle])


def measure(bench):
    figures = {goal.key: {} for goal in GOALS}
    for rate, ending in RATES.items():
        at(bench, rate, ending, figures)
    figures["cost"]["fxrun"] = bench.graph_cost(
        {
            "nodes": {
                "in": {"source": "main"}, "cancel": {"unit": "echoCancel"}, "out": {"sink": "main"},
            },
            "connections": ["in -> cancel -> out", "in -> cancel:reference"],
        })
    return figures
