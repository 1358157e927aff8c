"""Only the reverb (`"wet": 1`), at 48 kHz. Smoothness of the tail: an impulse into both channels with decay 1.8 s and
no damping. The 1.4 s after 0.1 s are multiplied by the inverse of the decay and by a Hann window. Flatness (geometric
divided by arithmetic mean of the power) and deviation (in dB) are computed from the bins from 400 Hz to 4 kHz, as
means of six impulses and both channels. Gaussian noise gives 0.56 and 5.6 dB. RT60: in octaves, from the backward
integral of six impulses between -5 and -35 dB; the largest deviation from `decay` for 0.8, 1.8 and 4 s at sizes 0.5
and 1. Echo density: Abel and Huang (AES 121, 2006), windows of 20 ms. Level: pink noise; the largest change for
decays of 0.3 to 15 s and damping from 500 Hz to 20 kHz. The peers have a hall of about the same decay, and no damping
if it can be set."""

import numpy
from scipy import signal

from bench import Goal, decibels, pedalboard

TITLE = "Reverb"
RATE = 48000
DRAGONFLY = "https://github.com/michaelwillis/dragonfly-reverb"
SIZES = (0.3, 0.5, 1, 2)
OCTAVES = (63, 125, 250, 500, 1000, 2000, 4000)

GOALS = [
    *[Goal(f"flatness {size}", f"Flatness at size {size}", "", at_least=0.45) for size in SIZES],
    *[Goal(f"deviation {size}", f"Deviation at size {size}", "dB", at_most=6.5) for size in SIZES],
    Goal("decay", "RT60, 63 Hz to 4 kHz, from `decay`", "%", at_most=5, digits=1),
    Goal("density", "Echo density 0.9 after", "ms", at_most=50, digits=0),
    Goal("correlation", "Correlation of the channels of the tail", "", at_most=0.1, digits=3),
    Goal("onset", "Start of the response after `preDelay`", "ms", at_most=1),
    Goal("level", "Level of noise, change by decay and damping", "dB", at_most=1.5),
    Goal("ratio", "Cost beside revision 2", "×", at_most=2.2),
    Goal("cost", "Cost", "ns", digits=1),
]


def node(name="reverb", size=1, **parameters):
    settings = {"decay": 1.8, "preDelay": 0, "damping": 20000, "lowCut": 10, **parameters}
    return {"unit": name, "wet": 1, "size": size, "parameters": settings}


def impulses(seconds=2.5, count=6):
    """Impulses far apart, so that the modulation has a different phase at each."""
    step = int(seconds * RATE) + 1009
    sound = numpy.zeros((count * step, 2))
    sound[::step] = 1
    return sound, step


def responses(render, seconds=2.5, count=6):
    """The response to each impulse in each channel; the previous tail is below -80 dB."""
    sound, step = impulses(seconds, count)
    output = render(sound)
    return [output[start : start + step, channel]
            for start in range(0, len(sound), step) for channel in (0, 1)]


def smoothness(response, decay=1.8):
    frames = int(1.4 * RATE)
    start = int(0.1 * RATE)
    part = response[start : start + frames]
    time = numpy.arange(len(part)) / RATE
    part = part * 10 ** (3 * time / decay) * numpy.hanning(len(part))
    power = numpy.abs(numpy.fft.rfft(part)) ** 2
    bins = numpy.fft.rfftfreq(len(part), 1 / RATE)
    power = power[(bins >= 400) & (bins <= 4000)] + 1e-30
    flatness = numpy.exp(numpy.mean(numpy.log(power))) / numpy.mean(power)
    return flatness, numpy.std(10 * numpy.log10(power))


def decay_time(found, octave):
    """RT60 of the energy of several responses in an octave."""
    edges = [octave / 2 ** 0.5, octave * 2 ** 0.5]
    sections = signal.butter(4, edges, "bandpass", fs=RATE, output="sos")
    energy = sum(signal.sosfilt(sections, response) ** 2 for response in found)
    level = 10 * numpy.log10(numpy.cumsum(energy[::-1])[::-1] / energy.sum() + 1e-30)
    used = (level <= -5) & (level >= -35)
    slope = numpy.polyfit(numpy.flatnonzero(used) / RATE, level[used], 1)[0]
    return -60 / slope


def density_time(response):
    """Seconds until the echo density is 0.9."""
    half = RATE // 100
    window = numpy.hanning(2 * half + 1)
    window /= window.sum()
    padded = numpy.concatenate([numpy.zeros(half), response[: RATE // 2]])
    for center in range(half, RATE // 2, RATE // 1000):
        part = padded[center - half : center + half + 1]
        deviation = numpy.sqrt(numpy.sum(window * part ** 2))
        if deviation == 0:
            continue
        beyond = numpy.sum(window * (numpy.abs(part) > deviation))
        if beyond / 0.3173 >= 0.9:
            return (center - half) / RATE
    return numpy.inf


def pink(seconds):
    random = numpy.random.default_rng(3)
    spectrum = numpy.fft.rfft(random.standard_normal((seconds * RATE, 2)), axis=0)
    hertz = numpy.fft.rfftfreq(seconds * RATE, 1 / RATE)
    spectrum *= (1 / numpy.sqrt(numpy.maximum(hertz, 20)))[:, None]
    sound = numpy.fft.irfft(spectrum, axis=0)
    return 0.1 * sound / numpy.std(sound)


def level_spread(bench):
    sound = pink(20)
    levels = []
    for decay in (0.3, 1, 4, 15):
        for damping in (500, 3000, 20000):
            output = bench.render([node(decay=decay, damping=damping, lowCut=20)], sound)
            levels.append(decibels(numpy.std(output[10 * RATE : 20 * RATE])))
    return max(levels) - min(levels)


def peers(bench):
    """Renders by name."""
    found = {"revision 1": lambda size: lambda sound: bench.render([node("reverb@1", size)], sound)}
    if bench.has_plugin(DRAGONFLY):
        dragonfly = bench.plugin(
            DRAGONFLY, dry_level=0, early_level=0, late_level=1, decay=1.8, delay=0,
            high_mult=1, low_mult=1, high_cut=16000, low_cut=0)
        found["Dragonfly hall"] = lambda size: lambda sound: bench.render([dragonfly], sound)
    if bench.has_program("sox"):
        found["sox"] = lambda size: lambda sound: bench.sox(
            0.1 * sound, "reverb", "-w", "70", "0", "100", "100", "0", "0")
    if pedalboard() is not None:
        board = pedalboard().Pedalboard([
            pedalboard().Reverb(room_size=0.7, damping=0, wet_level=1, dry_level=0)])
        found["pedalboard"] = lambda size: lambda sound: board(
            sound.T.astype(numpy.float32), RATE).T
    return found


def measure(bench):
    figures = {goal.key: {} for goal in GOALS}
    own = lambda size: lambda sound: bench.render([node(size=size)], sound)
    for name, render in {"fxrun": own, **peers(bench)}.items():
        for size in SIZES if name in ("fxrun", "revision 1") else (1,):
            found = responses(render(size))
            values = numpy.mean([smoothness(response) for response in found], axis=0)
            figures[f"flatness {size}"][name], figures[f"deviation {size}"][name] = values
            if size == 1:
                figures["density"][name] = 1000 * max(density_time(each) for each in found)
                late = [each[RATE // 5 :] for each in found]
                figures["correlation"][name] = abs(numpy.mean([
                    numpy.corrcoef(late[i], late[i + 1])[0, 1] for i in range(0, len(late), 2)]))
    departures = []
    for decay in (0.8, 1.8, 4):
        for size in (0.5, 1):
            render = lambda sound: bench.render([node(size=size, decay=decay)], sound)
            found = responses(render, seconds=1.4 * decay)
            departures += [abs(decay_time(found, octave) / decay - 1) for octave in OCTAVES]
    figures["decay"]["fxrun"] = 100 * max(departures)
    for name in ("reverb", "reverb@1"):
        key = "fxrun" if name == "reverb" else "revision 1"
        first = responses(lambda sound: bench.render([node(name)], sound), count=1)[0]
        loud = numpy.abs(first) > 0.001 * numpy.max(numpy.abs(first))
        figures["onset"][key] = 1000 * numpy.argmax(loud) / RATE
        figures["cost"][key] = bench.own_cost([node(name)])
    figures["level"]["fxrun"] = level_spread(bench)
    figures["ratio"]["fxrun"] = figures["cost"]["fxrun"] / figures["cost"]["revision 1"]
    return figures
