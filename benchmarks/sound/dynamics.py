"""Gate: tones that begin suddenly while the gate is closed. The figure is the energy loss in the first 2 ms, the mean
for tones of 200 Hz to 5 kHz, with an attack of 1 ms. Static curves are measured after two seconds, with tones of 60
Hz to 7.9 kHz. (8 kHz divides the sample rate, so its samples miss its peaks.) A null is the peak of the difference
from the dry sound, relative to the dry sound's peak, for noise below the threshold; -600 dB means that no bit
differs. The transient unit is measured with the same tone burst at -20 and at -60 dBFS, and with steady tones of 50
Hz to 7.9 kHz, with 12 dB of attack and of sustain. Peers, rendered by fxrun: ZamGateX2, LSP's gate and expander,
calf's gate, de-esser and transient designer, and ZamDynamicEQ.
"""

import numpy
from bench import Goal, decibels

TITLE = "Dynamics"

GOALS = [
    Goal("onset", "Gate: an onset's first 2 ms lose", "dB", at_most=1.0),
    Goal("gateShare", "Gate: cost beside LSP's", "", at_most=1.0),
    Goal("gateCost", "Gate: cost", "ns a frame", digits=1),
    Goal("curve", "Expander: largest error of a tone's level on the curve", "dB", at_most=0.3),
    Goal("expanderShare", "Expander: cost beside LSP's", "", at_most=1.0),
    Goal("expanderCost", "Expander: cost", "ns a frame", digits=1),
    Goal("key", "Compressor: 50 Hz counts quieter by, key high-pass at 200 Hz", "dB", at_least=22),
    Goal("lone", "Compressor: half the reduction of a single peak is gone after, auto release of 400 ms", "ms", at_most=60),
    Goal("lasting", "Compressor: 63 % of a lasting reduction is gone after", "ms", at_least=320, at_most=440),
    Goal("null", "De-esser: null under the threshold", "dB", at_most=-120, digits=1),
    Goal("ess", "De-esser: a 7.9 kHz tone 12 dB above the threshold ends above it by", "dB", at_least=-0.5, at_most=0.5),
    Goal("voice", "De-esser: change of a 500 Hz tone at the same time", "dB", at_most=0.2),
    Goal("essShare", "De-esser: cost beside calf's", "", at_most=1.0),
    Goal("essCost", "De-esser: cost", "ns a frame", digits=1),
    Goal("boost", "Transient: a burst's first 5 ms rise by, attack of 12 dB", "dB", at_least=10),
    Goal("same", "Transient: difference of the rise for a burst of -60 dBFS", "dB", at_most=0.01, digits=3),
    Goal("steady", "Transient: a steady tone changes by at most", "dB", at_most=0.5),
    Goal("transientShare", "Transient: cost beside calf's", "", at_most=1.0),
    Goal("transientCost", "Transient: cost", "ns a frame", digits=1),
    Goal("bandNull", "Dynamic equalizer: null under the thresholds", "dB", at_most=-120, digits=1),
    Goal("band", "Dynamic equalizer: error of a tone in the band on the curve", "dB", at_most=0.3),
    Goal("beside", "Dynamic equalizer: a tone three octaves away changes by", "dB", at_most=0.3),
    Goal("bandShare", "Dynamic equalizer: cost of one band beside two ZamDynamicEQ", "", at_most=1.0),
    Goal("bandCost", "Dynamic equalizer: cost of one band", "ns a frame", digits=1),
]

RATE = 48000
ZAM_GATE = "urn:zamaudio:ZamGateX2"
LSP_GATE = "http://lsp-plug.in/plugins/lv2/gate_stereo"
CALF_GATE = "http://calf.sourceforge.net/plugins/Gate"
LSP_EXPANDER = "http://lsp-plug.in/plugins/lv2/expander_stereo"
CALF_DEESSER = "http://calf.sourceforge.net/plugins/Deesser"
CALF_TRANSIENT = "http://calf.sourceforge.net/plugins/TransientDesigner"
ZAM_DYNAMIC = "urn:zamaudio:ZamDynamicEQ"


def amplitude(level):
    return 10 ** (level / 20)


def stereo(signal):
    return numpy.stack([signal, signal], 1)


def tone(frequency, level, seconds):
    time = numpy.arange(int(seconds * RATE)) / RATE
    return amplitude(level) * numpy.sin(2 * numpy.pi * frequency * time)


def level_of(signal, frequency):
    """The level of a tone in a signal with whole periods."""
    time = numpy.arange(len(signal)) / RATE
    window = numpy.hanning(len(signal))
    product = (signal * window * numpy.exp(-2j * numpy.pi * frequency * time)).sum()
    return decibels(2 * abs(product) / window.sum())


def unit(name, options=None, **parameters):
    return {"unit": name, **(options or {}), "parameters": parameters}


def cost(bench, node):
    """The cost of a node; a long sound, because some plugins start slowly."""
    return bench.own_cost([node], seconds=120)


def peers(bench, *named):
    """The installed plugins of `named`, by name."""
    return {
        name: bench.plugin(uri, **parameters) for name, uri, parameters in named
        if bench.has_plugin(uri)
    }


# Gate


def gates(bench):
    settings = {"threshold": -40, "range": 60, "attack": 0.001}
    return {
        "fxrun": unit("gate", **settings),
        "gate@1": unit("gate@1", **settings),
        **peers(
            bench,
            ("Zam", ZAM_GATE, {"thr": -40, "att": 0.001, "close": -50}),
            ("LSP", LSP_GATE, {
                "gt": amplitude(-40), "at": 0.001, "gr": amplitude(-60), "scm": 0, "scr": 0}),
            ("calf", CALF_GATE, {
                "threshold": amplitude(-40), "attack": 0.001, "range": amplitude(-60),
                "ratio": 20, "detection": 1})),
    }


def onset(bench, node):
    """The loss of the first 2 ms of a tone in decibels."""
    losses = []
    for frequency in (200, 500, 1000, 2000, 5000):
        quiet = numpy.zeros(RATE)
        burst = tone(frequency, -12, 0.1)
        output = bench.render([node], stereo(numpy.concatenate([quiet, burst])))[:, 0]
        span = RATE // 500
        got = output[RATE:RATE + span]
        losses.append(10 * numpy.log10((burst[:span] ** 2).sum() / max((got ** 2).sum(), 1e-30)))
    return numpy.mean(losses)


def measure_gate(bench, figures):
    for name, node in gates(bench).items():
        figures["onset"][name] = onset(bench, node)
        figures["gateCost"][name] = cost(bench, node)
    share(figures, "gateShare", "gateCost", "LSP")


# Expander


def measure_expander(bench, figures):
    threshold, ratio = -30.0, 2.0
    nodes = {
        "fxrun": unit("expander", threshold=threshold, ratio=ratio, knee=0, range=96),
        **peers(bench, ("LSP", LSP_EXPANDER, {
            "em": 0, "al": amplitude(threshold), "er": ratio, "kn": 1, "scm": 0})),
    }
    for name, node in nodes.items():
        errors = []
        for frequency in (60, 250, 1000, 7900):
            for level in (-45, -38, -33, -20):
                output = bench.render([node], stereo(tone(frequency, level, 3)))[2 * RATE:, 0]
                expected = level - max(0, (threshold - level) * (ratio - 1))
                errors.append(abs(level_of(output, frequency) - expected))
        figures["curve"][name] = max(errors)
        figures["expanderCost"][name] = cost(bench, node)
    share(figures, "expanderShare", "expanderCost", "LSP")


# Compressor


def measure_compressor(bench, figures):
    settings = {"threshold": -30, "ratio": 100, "knee": 0, "attack": 0.001}
    low = stereo(tone(50, -3, 3))
    levels = [
        level_of(bench.render([unit("compressor", **settings, **key)], low)[2 * RATE:, 0], 50)
        for key in ({}, {"keyHighPass": 200})
    ]
    figures["key"]["fxrun"] = levels[1] - levels[0]
    node = unit("compressor", {"autoRelease": True}, **settings, release=0.4)
    for key, seconds, share_left in (("lone", 0.005, 0.5), ("lasting", 4, 1 - 0.632)):
        loud = numpy.full(int(seconds * RATE), 1.0)
        sound = numpy.concatenate([numpy.full(RATE, 0.001), loud, numpy.full(2 * RATE, 0.001)])
        gain = bench.render([node], stereo(sound))[RATE + len(loud):, 0] / 0.001
        reduction = -20 * numpy.log10(gain)
        left = numpy.flatnonzero(reduction <= share_left * reduction[0])
        figures[key]["fxrun"] = left[0] / RATE * 1000


# De-esser


def measure_deesser(bench, figures):
    noise = numpy.random.default_rng(3).normal(0, 1, (RATE, 2))
    noise *= amplitude(-34) / numpy.abs(noise).max()
    nodes = {
        "fxrun": unit("deEsser", threshold=-30, ratio=100, range=36),
        **peers(bench, ("calf", CALF_DEESSER, {
            "threshold": amplitude(-30), "mode": 1, "ratio": 20, "detection": 1})),
    }
    for name, node in nodes.items():
        difference = bench.render([node], noise)[:RATE] - noise.astype(numpy.float32)
        figures["null"][name] = decibels(
            numpy.abs(difference).max() / numpy.abs(noise).max())
        figures["essCost"][name] = cost(bench, node)
        both = stereo(tone(7900, -18, 3) + tone(500, -18, 3))
        output = bench.render([node], both)[2 * RATE:, 0]
        figures["ess"][name] = level_of(output, 7900) + 30
        figures["voice"][name] = abs(level_of(output, 500) + 18)
    share(figures, "essShare", "essCost", "calf")


# Transient


def burst_gain(bench, node, level):
    """The gain of the first 5 ms of a burst, from the input to the output."""
    before, burst = tone(1000, level - 40, 1), tone(1000, level, 0.5)
    sound = numpy.concatenate([before, burst])
    output = bench.render([node], stereo(sound))[:, 0]
    span = slice(RATE + RATE // 1000, RATE + RATE // 200)
    return 10 * numpy.log10((output[span] ** 2).sum() / (sound[span] ** 2).sum())


def measure_transient(bench, figures):
    nodes = {
        "fxrun": unit("transient", attack=12, sustain=0),
        **peers(bench, ("calf", CALF_TRANSIENT, {"attack_boost": 1})),
    }
    for name, node in nodes.items():
        loud, soft = (burst_gain(bench, node, level) for level in (-20, -60))
        figures["boost"][name] = loud
        figures["same"][name] = abs(soft - loud)
        figures["transientCost"][name] = cost(bench, node)
    both = {
        "fxrun": unit("transient", attack=12, sustain=12),
        **peers(bench, ("calf", CALF_TRANSIENT, {"attack_boost": 1, "release_boost": 1})),
    }
    for name, node in both.items():
        steady = []
        for frequency in (50, 100, 1000, 7900):
            output = bench.render([node], stereo(tone(frequency, -18, 3)))[2 * RATE:, 0]
            steady.append(abs(level_of(output, frequency) + 18))
        figures["steady"][name] = max(steady)
    share(figures, "transientShare", "transientCost", "calf")


# Dynamic equalizer


def measure_dynamic_equalizer(bench, figures):
    band = {"frequency": 1000, "q": 1, "threshold": -30, "ratio": 2, "range": -12}
    node = {"unit": "dynamicEqualizer", "bands": [band]}
    noise = numpy.random.default_rng(3).normal(0, 1, (RATE, 2))
    noise *= amplitude(-34) / numpy.abs(noise).max()
    difference = bench.render([node], noise)[:RATE] - noise.astype(numpy.float32)
    figures["bandNull"]["fxrun"] = decibels(numpy.abs(difference).max() / numpy.abs(noise).max())
    output = bench.render([node], stereo(tone(1000, -18, 3)))[2 * RATE:, 0]
    figures["band"]["fxrun"] = abs(level_of(output, 1000) + 18 + 6)
    both = stereo(tone(1000, -18, 3) + tone(7900, -18, 3))
    output = bench.render([node], both)[2 * RATE:, 0]
    figures["beside"]["fxrun"] = abs(level_of(output, 7900) + 18)
    figures["bandCost"]["fxrun"] = cost(bench, node)
    peer = {"togglepeak": 1, "thr": -30, "rat": 2}
    for name, found in peers(bench, ("Zam", ZAM_DYNAMIC, peer)).items():
        figures["bandCost"][name] = cost(bench, found)
    share(figures, "bandShare", "bandCost", "Zam")


def share(figures, key, costs, peer):
    if peer in figures[costs]:
        figures[key]["fxrun"] = figures[costs]["fxrun"] / figures[costs][peer]


def measure(bench):
    figures = {goal.key: {} for goal in GOALS}
    measure_gate(bench, figures)
    measure_expander(bench, figures)
    measure_compressor(bench, figures)
    measure_deesser(bench, figures)
    measure_transient(bench, figures)
    measure_dynamic_equalizer(bench, figures)
    return figures
