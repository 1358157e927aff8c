"""Frequency shifter: tones of 50 Hz to 15 kHz are shifted up and down. Measured: what remains at the tone's own
frequency and at the mirror frequency. Peer: ffmpeg's afreqshift with its default order.

Rotary: the pitch range of a tone of 3 kHz from its instantaneous frequency, compared with a horn of 18 cm at 6.7
turns per second and distant microphones; and the rate of its level. The time from slow to fast is that of a constant
acceleration that loses as many turns as the rotor does. The drum is measured with a tone of 150 Hz. Peer: calf's
Rotary Speaker, whose documentation gives neither a radius nor a time, so its times have no goal.

Exciter: everything except the harmonics of 5 kHz (44.1 kHz, driven by 18 dB), relative to the tone. Peers: ffmpeg's
aexciter and calf's Exciter from 3 kHz on, with their default drive.

Crusher: its error with eight bits, compared with the theory for a full-scale tone, 1.76 + 6.02 times the bits; and
the aliases of a tone of 1 kHz at 8 kHz, compared with those of a sample and hold. Peers: ffmpeg's acrusher and calf's
Crusher without their smoothing, and pedalboard's Bitcrush, which all have twice as many steps; and pedalboard's
Resample with a zero-order hold.

Auto-wah: the frequency of the loudest output tone, for tones far below the threshold and for tones at it, compared
with its frequency of 300 Hz and 2.5 octaves above; attack 0.5 ms, release 2 s. Peer: calf's Envelope Filter between
the same two frequencies.
"""

import numpy
from scipy import signal

from bench import Goal, pedalboard

TITLE = "Colour"
RATE = 48000
CALF = "http://calf.sourceforge.net/plugins/"
ROTARY = {"mod_depth": 1, "am_depth": 0.6, "reflection": 0, "level_out": 1}

GOALS = [
    Goal("carrier", "Frequency shifter: rest of the tone itself, worst", "dB", at_most=-80, digits=0),
    Goal("image", "Frequency shifter: opposite sideband, worst", "dB", at_most=-80, digits=0),
    Goal("level", "Frequency shifter: largest error of its level", "dB", at_most=0.01, digits=4),
    Goal("doppler", "Rotary: error of the Doppler shift", "%", at_most=2, digits=2),
    Goal("rate", "Rotary: error of the rate of its level", "%", at_most=0.1, digits=4),
    Goal("horn", "Rotary: horn, time from slow to fast", "s", at_least=0.9, at_most=1.1),
    Goal("drum", "Rotary: drum, time from slow to fast", "s", at_least=3.6, at_most=4.4),
    Goal("aliases", "Exciter: inharmonic components", "dB", at_most=-90, digits=0),
    Goal("below", "Exciter: change of a tone of 500 Hz, far below its range", "dB", at_most=0.1, digits=3),
    Goal("noise", "Crusher, eight bits: signal to noise, error against theory", "dB", at_most=0.5),
    Goal("hold", "Crusher at 8 kHz: first image of 1 kHz, error against sin(x)/x", "dB", at_most=0.1, digits=3),
    Goal("closed", "Auto-wah, closed: error of its frequency", "%", at_most=1),
    Goal("open", "Auto-wah, fully open: error of its frequency", "%", at_most=2),
    *(Goal(f"cost{unit}", f"Cost, {unit}", "ns", digits=1) for unit in (
        "frequencyShifter", "rotary", "autoWah", "exciter", "bitcrusher")),
]


def tone(frequency, seconds=3, level=0.5, rate=RATE):
    sound = level * numpy.sin(2 * numpy.pi * frequency * numpy.arange(seconds * rate) / rate)
    return numpy.column_stack([sound, sound])


def level_at(sound, frequency):
    """The spectrum of a second: each bin is one hertz."""
    window = numpy.blackman(RATE)
    spectrum = numpy.fft.rfft(sound[RATE : 2 * RATE, 0] * window)
    return 20 * numpy.log10(abs(spectrum[int(abs(frequency))]) / (0.25 * window.sum()) + 1e-12)


def loudest(bench, node, middle, level):
    """The frequency of the loudest output, for input tones within a tenth of `middle`."""
    places = middle * numpy.linspace(0.9, 1.1, 41)
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


def wahs(bench):
    wide = 300 * 2 ** 2.5
    found = {"fxrun": {"unit": "autoWah", "parameters": {"attack": 0.0005, "release": 2}}}
    if bench.has_plugin(CALF + "EnvelopeFilter"):
        found["calf"] = bench.plugin(
            CALF + "EnvelopeFilter", attack=0.001, release=5, lower=300, upper=wide, res=4, mix=1, gain=10 ** (12 / 20))
    return found


def rate_of(level, guess):
    """The frequency of a modulation near `guess`, from its phases in the first and the last third."""
    sway = level - level.mean()
    third = len(sway) // 3
    turned = sway * numpy.exp(-2j * numpy.pi * guess * numpy.arange(len(sway)) / RATE)
    ends = [turned[start : start + third] @ numpy.hanning(third) for start in (0, len(sway) - third)]
    return guess + numpy.angle(ends[1] / ends[0]) / (2 * numpy.pi) / ((len(sway) - third) / RATE)


def turns(output, speeds):
    """The times when a rotor passes its starting position, in seconds, from the level of the tone."""
    level = numpy.abs(signal.hilbert(output[:, 0]))
    level = signal.sosfiltfilt(signal.butter(2, [speeds[0] / 3, 1.2 * speeds[1]], "bandpass", fs=RATE, output="sos"), level)
    return numpy.flatnonzero((level[:-1] < 0) & (level[1:] >= 0)) / RATE


def starting(bench, node, parameter, values, frequency, switched=20, seconds=60):
    """Seconds from slow to fast, for a constant acceleration that loses as many turns as the rotor."""
    chain = {
        "version": 1, "tail": "none", "chain": [{"id": "rotor", **node}],
        "automation": [{"parameter": f"rotor.{parameter}", "points": [[0, values[0]], [switched, values[1], "step"]]}]}
    output = bench.render(chain, tone(frequency, seconds))
    times = turns(output, (0.6, 8))
    slow = times[(times > 8) & (times < switched - 0.1)]
    fast = times[(times > seconds - 15) & (times < seconds - 1)]
    before, after = ((len(part) - 1) / (part[-1] - part[0]) for part in (slow, fast))
    passed = (times > slow[-1]) & (times <= fast[-1])
    since = passed.sum() - (switched - slow[-1]) * before
    lost = (fast[-1] - switched) * after - since
    return 2 * lost / (after - before)


def rotaries(bench, figures):
    node = {"unit": "rotary", "parameters": {"fast": True, "fastRate": 6.7, "distance": 3, "drum": -24}}
    output = bench.render([node], tone(3000, 62))[RATE : 61 * RATE, 0]
    turning = signal.hilbert(output) * numpy.exp(-2j * numpy.pi * 3000 * numpy.arange(len(output)) / RATE)
    course = numpy.unwrap(numpy.angle(turning))
    frequency = numpy.gradient(signal.savgol_filter(course, 301, 3)) * RATE / (2 * numpy.pi)
    found = (frequency[RATE:-RATE].max() - frequency[RATE:-RATE].min()) / 2
    figures["doppler"]["fxrun"] = 100 * abs(found / (3000 * 2 * numpy.pi * 6.7 * 0.18 / 343) - 1)
    figures["rate"]["fxrun"] = 100 * abs(rate_of(numpy.abs(turning), 6.7) / 6.7 - 1)
    speaker = CALF + "RotarySpeaker"
    own = {"unit": "rotary", "parameters": {"distance": 3}}
    figures["horn"]["fxrun"] = starting(bench, own, "fast", (False, True), 3000)
    figures["drum"]["fxrun"] = starting(bench, own, "fast", (False, True), 150)
    if bench.has_plugin(speaker):
        output = bench.render([bench.plugin(speaker, treble_speed=402, bass_speed=300, **ROTARY)], tone(3000, 92))
        level = numpy.abs(signal.hilbert(output[:, 0]))[31 * RATE : 91 * RATE]
        figures["rate"]["calf"] = 100 * abs(rate_of(level, 6.7) / 6.7 - 1)
        other = bench.plugin(speaker, vib_speed="Chorale", **ROTARY)
        figures["horn"]["calf"] = starting(bench, other, "vib_speed", ("Chorale", "Tremolo"), 3000)
        figures["drum"]["calf"] = starting(bench, other, "vib_speed", ("Chorale", "Tremolo"), 150)


def exciters(bench):
    found = {
        "fxrun": lambda sound, rate, **parameters: bench.render([{"unit": "exciter", "parameters": parameters}], sound, rate),
        "ffmpeg": lambda sound, rate, **_: bench.ffmpeg(sound, "aexciter=freq=3000", rate)}
    if bench.has_plugin(CALF + "Exciter"):
        found["calf"] = lambda sound, rate, **_: bench.render([bench.plugin(CALF + "Exciter", freq=3000)], sound, rate)
    return found


def crushers(bench, bits, hold):
    """Crushers with this number of bits, each sample held `hold` times."""
    found = {
        "fxrun": lambda sound: bench.render(
            [{"unit": "bitcrusher", "parameters": {"bits": bits, "rate": RATE // hold}}], sound),
        "ffmpeg": lambda sound: bench.ffmpeg(sound, f"acrusher=bits={bits}:mix={int(hold > 1)}:aa=0.001:samples={hold}")}
    if bench.has_plugin(CALF + "Crusher"):
        plugin = bench.plugin(CALF + "Crusher", bits=min(bits, 16), morph=1, anti_aliasing=0.001, samples=hold)
        found["calf"] = lambda sound: bench.render([plugin], sound)
    board = pedalboard()
    if board:
        effect = board.Bitcrush(bits) if hold == 1 else board.Resample(RATE // hold, board.Resample.Quality.ZeroOrderHold)
        found["pedalboard"] = lambda sound: effect(sound.astype(numpy.float32).T, RATE).T.astype(float)
    return found


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

    rotaries(bench, figures)

    time = numpy.arange(8 * 8192)
    sound = 0.5 * numpy.sin(2 * numpy.pi * 929 * time / 8192)
    low = tone(500)
    for name, exciter in exciters(bench).items():
        output = exciter(numpy.column_stack([sound, sound]), 44100, drive=18, amount=0)
        spectrum = numpy.abs(numpy.fft.rfft(output[6 * 8192 : 7 * 8192, 0])) ** 2
        spectrum[0] = 0
        fundamental = spectrum[929]
        spectrum[929::929] = 0
        figures["aliases"][name] = 10 * numpy.log10(spectrum.sum() / fundamental)
        figures["below"][name] = abs(level_at(exciter(low, RATE), 500) - level_at(low, 500))

    wide = 300 * 2 ** 2.5
    for name, node in wahs(bench).items():
        figures["closed"][name] = 100 * abs(loudest(bench, node, 300, 1e-4) / 300 - 1)
        figures["open"][name] = 100 * abs(loudest(bench, node, wide, 10 ** (-12 / 20)) / wide - 1)

    full = tone(997, level=1 - 2 ** -8)
    for name, crusher in crushers(bench, 8, 1).items():
        error = (crusher(full)[: len(full)] - full)[RATE:]
        ratio = 10 * numpy.log10((full[RATE:] ** 2).mean() / (error ** 2).mean())
        figures["noise"][name] = abs(ratio - (1.76 + 6.02 * 8))
    # Held for six frames: the sum of six consecutive frames.
    held = [abs(numpy.sin(numpy.pi * f * 6 / RATE) / numpy.sin(numpy.pi * f / RATE)) for f in (7000, 1000)]
    for name, crusher in crushers(bench, 24, 6).items():
        output = crusher(tone(1000))
        ratio = level_at(output, 7000) - level_at(output, 1000)
        figures["hold"][name] = abs(ratio - 20 * numpy.log10(held[0] / held[1]))
    for unit in ("frequencyShifter", "rotary", "autoWah", "exciter", "bitcrusher"):
        figures[f"cost{unit}"]["fxrun"] = bench.own_cost([{"unit": unit}])
    return figures
