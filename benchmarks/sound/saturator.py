"""Tones of 5 and 9 kHz at full scale, driven by 12 dB, at 44.1 kHz: everything except the harmonics below half the
rate, relative to the tone. Peers: ffmpeg's asoftclip with its oversampling of 8, sox's overdrive and calf's
saturator, with the same drive; and pedalboard's Distortion if it is installed. The clipper cuts 12 dB off the same
tones. The amplifier gets them with -6 dBFS, at its defaults and with its preset `lead`, which drives by 42 dB; its
offset is that under the tone of 5 kHz. At other rates the harmonics between 0.45 and 0.55 × the rate leave aliases
above 0.45 × the rate in `saturator` and `clipper`: at 48 kHz the fifth harmonic of 5 kHz is one."""

import numpy

from bench import Goal, pedalboard

TITLE = "Saturator, clipper and amplifier"
RATE = 44100
CURVES = ["tape", "tube", "transistor", "soft", "hard", "fold"]
CALF = "http://calf.sourceforge.net/plugins/Saturator"

GOALS = [
    *(Goal(f"{curve}5", f"Aliases of 5 kHz, {curve}", "dB", at_most=-90, digits=0) for curve in CURVES),
    *(Goal(f"{curve}9", f"Aliases of 9 kHz, {curve}", "dB", at_most=-70, digits=0) for curve in CURVES),
    Goal("clipper5", "Aliases of 5 kHz, clipper", "dB", at_most=-90, digits=0),
    Goal("clipper9", "Aliases of 9 kHz, clipper", "dB", at_most=-70, digits=0),
    Goal("amp5", "Aliases of 5 kHz, amplifier", "dB", at_most=-80, digits=0),
    Goal("amp9", "Aliases of 9 kHz, amplifier", "dB", at_most=-80, digits=0),
    Goal("lead5", "Aliases of 5 kHz, amplifier, lead", "dB", at_most=-70, digits=0),
    Goal("ampOffset", "Offset of the amplifier", "dBFS", at_most=-100, digits=0),
    Goal("cost", "Cost, soft curve", "ns", digits=1),
    Goal("clipperCost", "Cost, clipper", "ns", digits=1),
    Goal("ampCost", "Cost, amplifier", "ns", digits=1),
    Goal("cabinetCost", "Cost, cabinet", "ns", digits=1),
]


def tone(cycles):
    time = numpy.arange(8 * 8192)
    sound = numpy.sin(2 * numpy.pi * cycles * time / 8192)
    return numpy.column_stack([sound, sound])


def aliases(output, cycles):
    """8192 frames hold whole cycles, so a harmonic is one bin."""
    spectrum = numpy.abs(numpy.fft.rfft(output[6 * 8192 : 7 * 8192, 0])) ** 2
    spectrum[0] = 0
    fundamental = spectrum[cycles]
    spectrum[cycles::cycles] = 0
    return 10 * numpy.log10(max(spectrum.sum(), 1e-30) / fundamental)


def measure(bench):
    figures = {goal.key: {} for goal in GOALS}
    for cycles, key in ((929, "5"), (1671, "9")):
        sound = tone(cycles)
        for curve in CURVES:
            node = {"unit": "saturator", "curve": curve, "parameters": {"drive": 12}}
            figures[curve + key]["fxrun"] = aliases(bench.render([node], sound, RATE), cycles)
        node = {"unit": "clipper", "parameters": {"drive": 11, "threshold": -1}}
        figures["clipper" + key]["fxrun"] = aliases(bench.render([node], sound, RATE), cycles)
        driven = bench.render([{"unit": "amp"}], 0.5 * sound, RATE)
        figures["amp" + key]["fxrun"] = aliases(driven, cycles)
        if key == "5":
            offset = abs(driven[6 * 8192 : 7 * 8192, 0].mean())
            figures["ampOffset"]["fxrun"] = 20 * numpy.log10(max(offset, 1e-12))
            lead = bench.render([{"unit": "amp", "preset": "lead"}], 0.5 * sound, RATE)
            figures["lead5"]["fxrun"] = aliases(lead, cycles)
        driven = bench.ffmpeg(sound, "volume=12dB:precision=double,asoftclip=type=tanh:oversample=8", RATE)
        figures["soft" + key]["ffmpeg asoftclip"] = aliases(driven, cycles)
        figures["soft" + key]["sox overdrive"] = aliases(bench.sox(sound, "overdrive", "12", "0", rate=RATE), cycles)
        if bench.has_plugin(CALF):
            plugin = bench.plugin(CALF, drive=5, mix=1, lp_pre_freq=20000, lp_post_freq=20000)
            figures["tube" + key]["calf"] = aliases(bench.render([plugin], sound, RATE), cycles)
        board = pedalboard()
        if board:
            output = board.Distortion(12)(sound.astype(numpy.float32).T, RATE).T
            figures["soft" + key]["pedalboard"] = aliases(output, cycles)
    for key, unit in (("cost", "saturator"), ("clipperCost", "clipper"), ("ampCost", "amp"), ("cabinetCost", "cabinet")):
        figures[key]["fxrun"] = bench.own_cost([{"unit": unit}])
    if bench.has_plugin(CALF):
        figures["cost"]["calf"] = bench.own_cost([bench.plugin(CALF)])
    return figures
