"""Frequency shifter: tones of 50 Hz to 15 kHz, moved up and down; what is left at the tone's own place and on
the other side. Peer: ffmpeg's afreqshift at its usual order. Rotary: the pitch of a tone of 3 kHz, as the horn
of 18 cm at 6.7 turns a second moves it, from the ends of its instantaneous frequency, microphones far away; and the
rate of its level. Exciter: all that is no harmonic of 5 kHz (44.1 kHz, driven by 18 dB), against the
tone. Crusher: its error at eight bits against the theory of a full tone, 1.76 + 6.02 times the bits; and the aliases of a
tone of 1 kHz at 8 kHz against those of a sample and hold. Auto-wah: the tone that comes out loudest, of tones far below its
threshold and of tones at it, beside its frequency of 300 Hz and 2.5 octaves above; attack 0.5 ms, release 2 s."""

import numpy
from scipy import signal

from bench import Goal

TITLE = "Colour"
RATE = 48000

GOALS = [
    Goal("carrier", "Frequency shifter: the tone itself, worst", "dB", at_most=-80, digits=0),
    Goal("image", "The other side, worst", "dB", at_most=-80, digits=0),
    Goal("level", "Its level, off by at most", "dB", at_most=0.01, digits=4),
    Goal("doppler", "Rotary: its Doppler, off by", "%", at_most=2, digits=2),
    Goal("rate", "Rate of its level, off by", "%", at_most=0.1, digits=4),
    Goal("aliases", "Exciter: what is no harmonic", "dB", at_most=-90, digits=0),
    Goal("below", "Exciter: a tone of 500 Hz, far below its range, changes by", "dB", at_most=0.1, digits=3),
    Goal("noise", "Crusher, eight bits: signal to noise, off theory by", "dB", at_most=0.5),
    Goal("hold", "Crusher at 8 kHz: first image of 1 kHz, off sin(x)/x by", "dB", at_most=0.1, digits=3),
    Goal("closed", "Auto-wah, in silence: its frequency, off by", "%", at_most=1),
    Goal("open", "Auto-wah, all the way open: the same", "%", at_most=2),
    *(Goal(f"cost{unit}", f"Cost, {unit}", "ns", digits=1) for unit in (
        "frequencyShifter", "rotary", "autoWah", "exciter", "bitcrusher")),
]


def tone(frequency, seconds=3, level=0.5, rate=RATE):
    sound = level * numpy.sin(2 * numpy.pi * frequency * numpy.arange(seconds * rate) / rate)
    return numpy.column_stack([sound, sound])


def level_at(sound, frequency):
    """Of a second: whole hertz are bins."""
    window = numpy.blackman(RATE)
    spectrum = numpy.fft.rfft(sound[RATE : 2 * RATE, 0] * window)
    return 20 * numpy.log10(abs(spectrum[int(abs(frequency))]) / (0.25 * window.sum()) + 1e-12)


def loudest(bench, middle, level):
    """The frequency of the tone that comes out loudest, of tones within a tenth of one."""
    places = middle * numpy.linspace(0.9, 1.1, 41)
    node = {"unit": "autoWah", "parameters": {"attack": 0.0005, "release": 2}}
    time = numpy.arange(RATE) / RATE
    levels = []
    for place in places:
        sound = level * numpy.sin(2 * numpy.pi * place * time)
        output = bench.render([node], numpy.column_stack([sound, sound]))
        levels.append(numpy.std(output[RATE // 2 : RATE, 0]))
    fit = numpy.polyfit(places / middle - 1, numpy.log(levels), 2)
    return middle * (1 - fit[1] / (2 * fit[0]))


def shifters(bench):
    return {
        "fxrun": lambda sound, shift: bench.render(
            [{"unit": "frequencyShifter", "parameters": {"shift": shift}}], sound),
        "ffmpeg": lambda sound, shift: bench.ffmpeg(sound, f"afreqshift=shift={shift}"),
    }


def measure(bench):
    figures = {goal.key: {} for goal in GOALS}
    for name, shifter in shifters(bench).items():
        carrier, image, level = [], [], []
        for frequency in (50, 440, 3000, 15000):
            for shift in (-31, 170, 700):
                if frequency + shift < 20:
                    continue
                output = shifter(tone(frequency), shift)
                wanted = level_at(output, frequency + shift)
                level.append(abs(wanted))
                carrier.append(level_at(output, frequency) - wanted)
                if abs(frequency - shift) > 20:
                    image.append(level_at(output, frequency - shift) - wanted)
        figures["carrier"][name], figures["image"][name] = max(carrier), max(image)
        figures["level"][name] = max(level)

    node = {"unit": "rotary", "parameters": {"fast": True, "fastRate": 6.7, "distance": 3, "drum": -24}}
    output = bench.render([node], tone(3000, 62))[RATE : 61 * RATE, 0]
    turning = signal.hilbert(output) * numpy.exp(-2j * numpy.pi * 3000 * numpy.arange(len(output)) / RATE)
    course = numpy.unwrap(numpy.angle(turning))
    frequency = numpy.gradient(signal.savgol_filter(course, 301, 3)) * RATE / (2 * numpy.pi)
    found = (frequency[RATE:-RATE].max() - frequency[RATE:-RATE].min()) / 2
    figures["doppler"]["fxrun"] = 100 * abs(found / (3000 * 2 * numpy.pi * 6.7 * 0.18 / 343) - 1)
    sway = numpy.abs(turning) - numpy.abs(turning).mean()
    third = len(sway) // 3
    turned = sway * numpy.exp(-2j * numpy.pi * 6.7 * numpy.arange(len(sway)) / RATE)
    ends = [turned[start : start + third] @ numpy.hanning(third) for start in (0, len(sway) - third)]
    off = numpy.angle(ends[1] / ends[0]) / (2 * numpy.pi) / ((len(sway) - third) / RATE)
    figures["rate"]["fxrun"] = 100 * abs(off / 6.7)

    time = numpy.arange(8 * 8192)
    sound = 0.5 * numpy.sin(2 * numpy.pi * 929 * time / 8192)
    output = bench.render(
        [{"unit": "exciter", "parameters": {"drive": 18, "amount": 0}}], numpy.column_stack([sound, sound]), 44100)
    spectrum = numpy.abs(numpy.fft.rfft(output[6 * 8192 : 7 * 8192, 0])) ** 2
    spectrum[0] = 0
    fundamental = spectrum[929]
    spectrum[929::929] = 0
    figures["aliases"]["fxrun"] = 10 * numpy.log10(spectrum.sum() / fundamental)

    low = tone(500)
    output = bench.render([{"unit": "exciter"}], low)
    figures["below"]["fxrun"] = abs(level_at(output, 500) - level_at(low, 500))
    figures["closed"]["fxrun"] = 100 * abs(loudest(bench, 300, 1e-4) / 300 - 1)
    wide = 300 * 2 ** 2.5
    figures["open"]["fxrun"] = 100 * abs(loudest(bench, wide, 10 ** (-12 / 20)) / wide - 1)

    full = tone(997, level=1 - 2 ** -8)
    output = bench.render([{"unit": "bitcrusher", "parameters": {"bits": 8, "rate": 48000}}], full)
    error = (output[: len(full)] - full)[RATE:]
    ratio = 10 * numpy.log10((full[RATE:] ** 2).mean() / (error ** 2).mean())
    figures["noise"]["fxrun"] = abs(ratio - (1.76 + 6.02 * 8))
    output = bench.render([{"unit": "bitcrusher", "parameters": {"bits": 24, "rate": 8000}}], tone(1000))
    ratio = level_at(output, 7000) - level_at(output, 1000)
    # Held for six frames: the sum of six in a row.
    held = [abs(numpy.sin(numpy.pi * f * 6 / RATE) / numpy.sin(numpy.pi * f / RATE)) for f in (7000, 1000)]
    figures["hold"]["fxrun"] = abs(ratio - 20 * numpy.log10(held[0] / held[1]))
    for unit in ("frequencyShifter", "rotary", "autoWah", "exciter", "bitcrusher"):
        figures[f"cost{unit}"]["fxrun"] = bench.own_cost([{"unit": unit}])
    return figures
