"""Rates come from the phase of what sways over a minute; delays from the phase of a tone of 400 Hz that goes through,
on the way alone (`"wet": 1`). The phaser stands still at 1 kHz with four stages; its notches are those
of its all-passes in closed form. Peers do the same with their own units."""

import numpy
from scipy import signal

from bench import Goal

TITLE = "Movement"
RATE = 48000

GOALS = [
    Goal("tremolo", "Rate of the tremolo, 5.37 Hz, off by", "%", at_most=0.1, digits=4),
    Goal("depth", "Its depth of 0.8, off by", "%", at_most=0.1, digits=3),
    Goal("autoPan", "Power of the auto-pan, sways by", "dB", at_most=0.01, digits=4),
    Goal("panRate", "Its rate, 3 Hz, off by", "%", at_most=0.1, digits=4),
    Goal("vibrato", "Rate of the vibrato, 5.37 Hz, off by", "%", at_most=0.1, digits=4),
    Goal("cents", "Its most shift of pitch, off by", "cents", at_most=1),
    Goal("chorus", "Ends of the chorus' delay, 10 to 14 ms, off by", "µs", at_most=20, digits=1),
    Goal("chorusRate", "Its rate, 0.5 Hz, off by", "%", at_most=0.1, digits=4),
    Goal("flanger", "Least delay of the flanger through zero", "µs", at_most=20, digits=1),
    Goal("flangerRate", "Rate of the flanger, 0.5 Hz, off by", "%", at_most=0.1, digits=4),
    Goal("notches", "Notches of the phaser, off by", "%", at_most=0.5),
    Goal("deep", "How deep they are", "dB", at_most=-50, digits=0),
    Goal("carrier", "Ring modulator: carrier and tone, against its sidebands", "dB", at_most=-90, digits=0),
    Goal("sidebands", "Level of its sidebands, off by", "dB", at_most=0.01, digits=4),
    *(Goal(f"cost{unit}", f"Cost, {unit}", "ns", digits=1) for unit in (
        "tremolo", "autoPan", "chorus", "vibrato", "flanger", "phaser", "ringModulator")),
]


def stereo(sound):
    return numpy.column_stack([sound, sound])


def tone(frequency, seconds):
    return stereo(0.5 * numpy.sin(2 * numpy.pi * frequency * numpy.arange(seconds * RATE) / RATE))


def rate_of(course, guess):
    """The frequency of a slow sway, from its phases in the first and the last third of a minute."""
    course = course - course.mean()
    third = len(course) // 3
    time = numpy.arange(len(course)) / RATE
    turned = course * numpy.exp(-2j * numpy.pi * guess * time)
    window = numpy.hanning(third)
    first, last = (turned[start : start + third] @ window for start in (0, len(course) - third))
    return guess + numpy.angle(last / first) / (2 * numpy.pi) / ((len(course) - third) / RATE)


def envelope(output):
    return numpy.abs(signal.hilbert(output[:, 0]))


def delay(output, frequency=400):
    """The delay at each frame, in seconds, from the phase; whole periods are those of the first frame."""
    time = numpy.arange(len(output)) / RATE
    phase = numpy.unwrap(numpy.angle(signal.hilbert(output[:, 0]) * numpy.exp(-2j * numpy.pi * frequency * time)))
    return -(phase + numpy.pi / 2) / (2 * numpy.pi * frequency)


def node(unit, wet=1, options=None, **parameters):
    return {"unit": unit, "wet": wet, "parameters": parameters, **(options or {})}


def measure(bench):
    figures = {goal.key: {} for goal in GOALS}
    sound = tone(1000, 60)
    shaking = {
        "fxrun": bench.render([node("tremolo", rate=5.37, depth=0.8)], sound),
        "sox": bench.sox(sound, "tremolo", "5.37", "80"),
        "ffmpeg": bench.ffmpeg(sound, "tremolo=f=5.37:d=0.8"),
    }
    for name, output in shaking.items():
        course = envelope(output)[RATE:-RATE]
        figures["tremolo"][name] = 100 * abs(rate_of(course, 5.37) / 5.37 - 1)
        figures["depth"][name] = 100 * abs((1 - course.min() / course.max()) / 0.8 - 1)
    panned = bench.render([node("autoPan", rate=3, depth=1)], sound)
    power = sum(numpy.abs(signal.hilbert(panned[:, side])) ** 2 for side in (0, 1))[RATE:-RATE]
    figures["autoPan"]["fxrun"] = 10 * numpy.log10(power.max() / power.min())
    figures["panRate"]["fxrun"] = 100 * abs(rate_of(envelope(panned)[RATE:-RATE], 3) / 3 - 1)

    swayed = {
        "fxrun": bench.render([node("vibrato", rate=5.37, depth=0.001)], sound),
        "ffmpeg": bench.ffmpeg(sound, "vibrato=f=5.37:d=0.5"),
    }
    for name, output in swayed.items():
        course = delay(output, 1000)[RATE:-RATE]
        figures["vibrato"][name] = 100 * abs(rate_of(course, 5.37) / 5.37 - 1)
    course = delay(swayed["fxrun"], 1000)[RATE:-RATE]
    slope = numpy.abs(numpy.gradient(signal.savgol_filter(course, 201, 3))).max() * RATE
    expected = 2 * numpy.pi * 5.37 * 0.001
    figures["cents"]["fxrun"] = abs(1200 * numpy.log2((1 + slope) / (1 + expected)))

    low = tone(40, 20)
    chorus = bench.render([node("chorus", options={"voices": 1}, rate=0.5, depth=0.002, time=0.012)], low)
    course = delay(chorus, 40)[RATE:-RATE]
    figures["chorus"]["fxrun"] = 1e6 * max(abs(course.max() - 0.014), abs(course.min() - 0.010))
    figures["chorusRate"]["fxrun"] = 100 * abs(rate_of(course, 0.5) / 0.5 - 1)
    swept = bench.render([node("flanger", rate=0.5, depth=0.002, time=0.003, feedback=0)], low)
    figures["flangerRate"]["fxrun"] = 100 * abs(rate_of(delay(swept, 40)[RATE:-RATE], 0.5) / 0.5 - 1)
    both = bench.render(
        {"version": 1, "tail": "none", "chain": [node("flanger", options={"throughZero": True}, rate=0.5, depth=0.003, feedback=0)]}, low)
    dry = bench.render([node("gain")], low)
    course = (delay(both[: len(dry)], 40) - delay(dry, 40))[RATE:-RATE]
    figures["flanger"]["fxrun"] = 1e6 * abs(numpy.abs(course).min())

    impulse = numpy.zeros((2 * RATE, 2))
    impulse[0] = 1
    still = bench.render([node("phaser", 0.5, {"stages": 4}, frequency=1000, depth=0, feedback=0)], impulse)
    level = 20 * numpy.log10(numpy.abs(numpy.fft.rfft(still[:, 0], 16 * RATE)) + 1e-30)
    hertz = numpy.fft.rfftfreq(16 * RATE, 1 / RATE)
    base = numpy.tan(numpy.pi * 1000 / RATE)
    off, depths = [], []
    for turn in (numpy.pi / 4, 3 * numpy.pi / 4):
        wanted = RATE / numpy.pi * numpy.arctan(base * numpy.tan(turn / 2))
        near = (hertz > 0.8 * wanted) & (hertz < 1.25 * wanted)
        place = numpy.argmin(numpy.where(near, level, 100))
        off.append(100 * abs(hertz[place] / wanted - 1))
        depths.append(level[place])
    figures["notches"]["fxrun"], figures["deep"]["fxrun"] = max(off), max(depths)

    ring = bench.render([node("ringModulator", frequency=300)], tone(1000, 3))[RATE : 2 * RATE, 0]
    spectrum = numpy.abs(numpy.fft.rfft(ring)) ** 2
    sidebands = spectrum[700] + spectrum[1300]
    figures["sidebands"]["fxrun"] = max(
        abs(20 * numpy.log10(numpy.sqrt(spectrum[place]) * 2 / RATE / 0.25)) for place in (700, 1300))
    figures["carrier"]["fxrun"] = 10 * numpy.log10(max(spectrum[300], spectrum[1000]) / sidebands)
    for unit in ("tremolo", "autoPan", "chorus", "vibrato", "flanger", "phaser", "ringModulator"):
        figures[f"cost{unit}"]["fxrun"] = bench.own_cost([{"unit": unit}])
    return figures
