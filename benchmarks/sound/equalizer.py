"""Peaks, shelves and passes at 60 frequencies from 100 Hz to 16 kHz, with gains of 6, 12 and 18 dB up and down and a
Q of 0.5, 0.707 and 1, at 44.1 kHz: the largest difference from the analog prototype up to 18 kHz, for the response
`analog` and for the default (bilinear). Steeper filters have their own rows. A file: ten bands as AutoEq writes them,
compared with the cookbook formulas that Equalizer APO uses. Peers: pedalboard's filters if it is installed, and LSP's
parametric equalizer."""

import json

import numpy

from bench import Goal, pedalboard

TITLE = "Equalizer"
RATE = 44100
KINDS = ["peak", "lowShelf", "highShelf", "lowPass", "highPass"]

GOALS = [
    *(Goal(kind, f"{kind}, q ≤ 1: off the analog level by", "dB", at_most=0.3) for kind in KINDS),
    *(Goal(kind + "Steep", f"{kind}, q 2 and 4", "dB") for kind in KINDS),
    Goal("file", "A file of AutoEq: off the cookbook by", "dB", at_most=0.1, digits=4),
    Goal("curve", "GraphicEQ: off its lines at ten frequencies by", "dB", at_most=0.1, digits=3),
    Goal("cost", "Cost, five bands", "ns", digits=1),
    Goal("analogCost", "Cost, five analog bands", "ns", digits=1),
]


def power(n2, n1, n0, x):
    return (n0 - n2 * x * x) ** 2 + (n1 * x) ** 2


def analog(kind, frequency, gain, q, hertz):
    a, x = 10 ** (gain / 40), hertz / frequency
    if kind == "peak":
        top, bottom = power(1, a / q, 1, x), power(1, 1 / (a * q), 1, x)
    elif kind == "lowShelf":
        top, bottom = a * a * power(1, a ** 0.5 / q, a, x), power(a, a ** 0.5 / q, 1, x)
    elif kind == "highShelf":
        top, bottom = a * a * power(a, a ** 0.5 / q, 1, x), power(1, a ** 0.5 / q, a, x)
    elif kind == "lowPass":
        top, bottom = numpy.ones_like(x), power(1, 1 / q, 1, x)
    else:
        top, bottom = power(1, 0, 0, x), power(1, 1 / q, 1, x)
    return 10 * numpy.log10(top / bottom)


def cookbook(kind, frequency, gain, q, hertz):
    a, w = 10 ** (gain / 40), 2 * numpy.pi * frequency / RATE
    alpha, c = numpy.sin(w) / (2 * q), numpy.cos(w)
    root = 2 * a ** 0.5 * alpha
    if kind == "peak":
        b, d = [1 + alpha * a, -2 * c, 1 - alpha * a], [1 + alpha / a, -2 * c, 1 - alpha / a]
    elif kind == "lowShelf":
        b = [a * (a + 1 - (a - 1) * c + root), 2 * a * (a - 1 - (a + 1) * c), a * (a + 1 - (a - 1) * c - root)]
        d = [a + 1 + (a - 1) * c + root, -2 * (a - 1 + (a + 1) * c), a + 1 + (a - 1) * c - root]
    else:
        b = [a * (a + 1 + (a - 1) * c + root), -2 * a * (a - 1 + (a + 1) * c), a * (a + 1 + (a - 1) * c - root)]
        d = [a + 1 - (a - 1) * c + root, 2 * (a - 1 - (a + 1) * c), a + 1 - (a - 1) * c - root]
    z = numpy.exp(-2j * numpy.pi * hertz / RATE)
    return 20 * numpy.log10(numpy.abs(numpy.polyval(b[::-1], z) / numpy.polyval(d[::-1], z)))


def level(response, hertz):
    spectrum = numpy.fft.rfft(response, 1 << 17)
    return numpy.interp(hertz, numpy.fft.rfftfreq(1 << 17, 1 / RATE), 20 * numpy.log10(numpy.abs(spectrum) + 1e-30))


def batch(bench, bands, options):
    """The responses of many one-band equalizers in one render, one for each channel."""
    impulse = numpy.zeros((16384, 1))
    impulse[0] = 1
    answers = []
    for kind, frequency, gain, q in bands:
        values = {"type": kind, "frequency": frequency, "q": q}
        if not kind.endswith("Pass"):
            values["gain"] = gain
        node = {"unit": "equalizer", "bands": [values], **options}
        answers.append(bench.render([node], impulse, RATE)[:, 0])
    return answers


def worst(bench, kind, qualities, options):
    hertz = numpy.arange(20, 18001, 20.0)
    random = numpy.random.default_rng(5)
    bands = []
    for frequency in numpy.geomspace(100, 16000, 12):
        for q in qualities:
            gain = float(random.choice([-18, -12, -6, 6, 12, 18]))
            bands.append((kind, float(frequency), gain, q))
    error = 0
    for (kind, frequency, gain, q), answer in zip(bands, batch(bench, bands, options)):
        wanted = analog(kind, frequency, gain, q, hertz)
        heard = wanted > -60
        error = max(error, numpy.abs(level(answer, hertz) - wanted)[heard].max())
    return error


AUTOEQ = [
    ("LSC", 105, 6.1, 0.7), ("PK", 62, -2.2, 0.9), ("PK", 190, -3.1, 0.55), ("PK", 812, 1.9, 1.4),
    ("PK", 1620, -1.7, 2.1), ("PK", 2950, 3.6, 2.9), ("PK", 4410, -2.8, 4.2), ("PK", 6120, 4.4, 3.8),
    ("PK", 8840, -1.2, 1.9), ("HSC", 10000, -4.9, 0.7),
]


def file_error(bench):
    kinds = {"LSC": "lowShelf", "PK": "peak", "HSC": "highShelf"}
    lines = ["Preamp: -6.3 dB"]
    for index, (kind, frequency, gain, q) in enumerate(AUTOEQ):
        lines.append(f"Filter {index + 1}: ON {kind} Fc {frequency} Hz Gain {gain} dB Q {q}")
    (bench.folder / "auto.txt").write_text("\n".join(lines))
    impulse = numpy.zeros((32768, 1))
    impulse[0] = 1
    answer = bench.render([{"unit": "equalizer", "file": "auto.txt"}], impulse, RATE)[:, 0]
    hertz = numpy.geomspace(20, 20000, 400)
    wanted = -6.3 + sum(cookbook(kinds[kind], f, gain, q, hertz) for kind, f, gain, q in AUTOEQ)
    return numpy.abs(level(answer, hertz) - wanted).max()


def curve_error(bench):
    points = [(20, -3), (60, 2), (150, 0), (400, -2.5), (1000, 1), (2500, -4), (6000, 3), (12000, -1), (20000, -6)]
    (bench.folder / "curve.txt").write_text("GraphicEQ: " + "; ".join(f"{f} {g}" for f, g in points))
    impulse = numpy.zeros((65536, 1))
    impulse[0] = 1
    answer = bench.render([{"unit": "equalizer", "file": "curve.txt"}], impulse, RATE)[:, 0]
    hertz = numpy.array([25, 45, 100, 250, 700, 1600, 4000, 9000, 15000, 19000.0])
    wanted = numpy.interp(numpy.log(hertz), numpy.log([f for f, _ in points]), [g for _, g in points])
    return numpy.abs(level(answer, hertz) - wanted).max()


def measure(bench):
    figures = {goal.key: {} for goal in GOALS}
    for kind in KINDS:
        for name, response in (("fxrun", "analog"), ("bilinear", "bilinear")):
            options = {"response": response}
            figures[kind][name] = worst(bench, kind, [0.5, 0.707, 1], options)
            figures[kind + "Steep"][name] = worst(bench, kind, [2, 4], options)
    board = pedalboard()
    if board:
        hertz = numpy.arange(20, 18001, 20.0)
        impulse = numpy.zeros((16384, 1), numpy.float32)
        impulse[0] = 1
        makers = {"peak": board.PeakFilter, "lowShelf": board.LowShelfFilter, "highShelf": board.HighShelfFilter}
        for kind, make in makers.items():
            error = 0
            for frequency in numpy.geomspace(100, 16000, 12):
                answer = make(cutoff_frequency_hz=float(frequency), gain_db=12, q=0.707)(impulse.T, RATE)[0]
                error = max(error, numpy.abs(level(answer, hertz) - analog(kind, frequency, 12, 0.707, hertz)).max())
            figures[kind]["pedalboard"] = error
    figures["file"]["fxrun"] = file_error(bench)
    figures["curve"]["fxrun"] = curve_error(bench)
    bands = [{"frequency": 100 * 3 ** index, "gain": 3} for index in range(5)]
    figures["cost"]["fxrun"] = bench.own_cost([{"unit": "equalizer", "bands": bands}])
    figures["analogCost"]["fxrun"] = bench.own_cost([{"unit": "equalizer", "bands": bands, "response": "analog"}])
    return figures
