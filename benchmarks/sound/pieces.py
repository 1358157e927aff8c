"""Five short pieces of music, computed: a band, a guitar, a voice, a piano and an orchestra. The same numbers give the
same sounds. Stereo at 44.1 kHz, with peaks of 0.5."""

import numpy
from scipy import signal

RATE = 44100
SECONDS = 8


def hertz(note):
    return 440 * 2 ** ((note - 69) / 12)


def place(track, sound, start, gain=1.0, pan=0.0):
    """Adds a mono sound to a stereo track at a time in seconds."""
    first = int(start * RATE)
    count = max(min(len(sound), len(track) - first), 0)
    angle = (pan + 1) * numpy.pi / 4
    track[first : first + count] += gain * sound[:count, None] * [numpy.cos(angle), numpy.sin(angle)]


def empty():
    return numpy.zeros((SECONDS * RATE, 2))


def finished(track):
    return 0.5 * track / numpy.abs(track).max()


def clock(seconds):
    return numpy.arange(int(seconds * RATE)) / RATE


def partials(frequency, seconds, levels, decay=0.0, stretch=0.0, vibrato=None, rng=None):
    """Harmonics with levels; `decay` per second and number of the harmonic, `stretch` as of a stiff string."""
    time = clock(seconds)
    bend = numpy.zeros(len(time)) if vibrato is None else vibrato(time)
    turns = 2 * numpy.pi * numpy.cumsum(frequency * (1 + bend)) / RATE
    sound = numpy.zeros(len(time))
    for number, level in enumerate(levels, 1):
        ratio = number * numpy.sqrt(1 + stretch * number * number)
        if frequency * ratio > 0.45 * RATE:
            break
        phase = rng.uniform(0, 6) if rng is not None else number
        sound += level * numpy.exp(-decay * (1 + 0.3 * number) * time) * numpy.sin(ratio * turns + phase)
    return sound


def faded(sound, rise, fall):
    rise, fall = int(rise * RATE), int(fall * RATE)
    sound = sound.copy()
    sound[:rise] *= numpy.linspace(0, 1, rise)
    sound[-fall:] *= numpy.linspace(1, 0, fall)
    return sound


def kick():
    time = clock(0.35)
    return numpy.sin(2 * numpy.pi * (48 * time + 110 / 30 * (1 - numpy.exp(-30 * time)))) * numpy.exp(-9 * time)


def snare(rng):
    time = clock(0.25)
    noise = signal.lfilter(*signal.butter(2, [300, 9000], "bandpass", fs=RATE), rng.standard_normal(len(time)))
    return 0.6 * noise * numpy.exp(-18 * time) + 0.5 * numpy.sin(2 * numpy.pi * 190 * time) * numpy.exp(-25 * time)


def hat(rng, decay):
    time = clock(0.2)
    noise = signal.lfilter(*signal.butter(3, 7000, "highpass", fs=RATE), rng.standard_normal(len(time)))
    return noise * numpy.exp(-decay * time)


def pluck(note, seconds, rng, bright=0.5):
    """A plucked string: K. Karplus and A. Strong, Computer Music Journal 7 (1983)."""
    period = RATE / hertz(note)
    whole = int(period - bright)
    excitation = signal.lfilter([bright, 1 - bright], [1], rng.uniform(-1, 1, whole))
    source = numpy.zeros(int(seconds * RATE))
    source[:whole] = excitation
    feedback = numpy.zeros(whole + 2)
    feedback[0] = 1
    fraction = period - bright - whole
    low = 0.996 * numpy.convolve([1 - bright * 0.9, bright * 0.9], [1 - fraction, fraction])
    denominator = numpy.zeros(whole + 3)
    denominator[0] = 1
    denominator[whole : whole + 3] -= low
    return faded(signal.lfilter([1], denominator, source), 0.001, 0.02)


def band():
    rng = numpy.random.default_rng(1)
    track = empty()
    beat = 60 / 112
    for step in range(int(SECONDS / beat * 2)):
        start = step * beat / 2
        if step % 4 == 0 or step % 16 == 7:
            place(track, kick(), start, 1.0)
        if step % 4 == 2:
            place(track, snare(rng), start, 0.7, 0.1)
        place(track, hat(rng, 30 if step % 4 == 3 else 70), start, 0.2, -0.3)
    chords = [(57, 60, 64, 67), (53, 57, 60, 64), (48, 55, 60, 64), (55, 59, 62, 67)]
    saw = 1 / numpy.arange(1, 40)
    for bar in range(4):
        start = bar * 4 * beat
        root = chords[bar][0] - 24 + (12 if chords[bar][0] < 52 else 0)
        for eighth in range(8):
            sound = partials(hertz(root + (12 if eighth % 4 == 3 else 0)), beat / 2, saw[:14], decay=2)
            place(track, faded(sound, 0.004, 0.03), start + eighth * beat / 2, 0.35)
        for voice, note in enumerate(chords[bar]):
            for detune, pan in ((-0.002, -0.6), (0.002, 0.6)):
                sound = partials(hertz(note) * (1 + detune), 4 * beat, saw[:24] * numpy.exp(-numpy.arange(24) / 8), rng=rng)
                place(track, faded(sound, 0.05, 0.1), start, 0.08, pan)
    return finished(track)


def guitar():
    rng = numpy.random.default_rng(2)
    track = empty()
    chords = [(40, 47, 52, 56, 59, 64), (45, 52, 57, 61, 64), (50, 57, 62, 66), (47, 54, 59, 63, 66)]
    for bar, chord in enumerate(chords):
        for stroke, start in enumerate((0, 0.75, 1, 1.5)):
            order = chord if stroke % 2 == 0 else chord[::-1]
            for string, note in enumerate(order):
                place(track, pluck(note, 1.2, rng, 0.5), 2 * bar + start + 0.012 * string, 0.4, -0.2 + 0.08 * string)
        for eighth, note in enumerate((64, 68, 71, 76, 75, 71, 68, 66)):
            place(track, pluck(note + bar % 2 * 5, 0.5, rng, 0.3), 2 * bar + 0.25 * eighth, 0.3, 0.5)
    return finished(track)


def voice():
    rng = numpy.random.default_rng(3)
    track = empty()
    vowels = {"a": (730, 1090, 2440), "i": (270, 2290, 3010), "u": (300, 870, 2240), "o": (570, 840, 2410)}
    line = [("a", 57), ("o", 60), ("i", 62), ("u", 64), ("a", 62), ("i", 60), ("o", 59), ("a", 57)]
    for step, (vowel, note) in enumerate(line):
        for part, pan in ((0, 0), (-5, -0.5)):
            sway = lambda time, shift=part: 0.012 * numpy.minimum(time / 0.4, 1) * numpy.sin(2 * numpy.pi * 5.3 * time + shift)
            frequency = hertz(note + part)
            source = partials(frequency, 0.85, numpy.ones(int(5500 / frequency)), vibrato=sway) / 10
            for formant, width in zip(vowels[vowel], (80, 90, 140)):
                radius = numpy.exp(-numpy.pi * width / RATE)
                turn = 2 * numpy.pi * formant / RATE
                source = signal.lfilter([1 - radius], [1, -2 * radius * numpy.cos(turn), radius ** 2], source) * 3
            source *= 1 / numpy.abs(source).max()
            place(track, faded(source, 0.04, 0.1), step + 0.12, 0.5, pan)
        time = clock(0.12)
        noise = signal.lfilter(*signal.butter(2, [3500, 9000], "bandpass", fs=RATE), rng.standard_normal(len(time)))
        place(track, faded(noise, 0.02, 0.05), step + 0.02, 0.25)
    return finished(track)


def piano():
    rng = numpy.random.default_rng(4)
    track = empty()

    def key(note, seconds):
        levels = 1 / numpy.arange(1, 30) ** 1.2 * numpy.abs(numpy.sin(numpy.pi * numpy.arange(1, 30) / 8.3))
        sound = partials(hertz(note), seconds, levels, decay=0.9, stretch=0.0004, rng=rng)
        knock = rng.standard_normal(len(sound)) * numpy.exp(-numpy.arange(len(sound)) / RATE * 250) * 0.08
        return faded(sound + knock, 0.002, 0.08)

    bass = [33, 40, 38, 31]
    runs = [(57, 60, 64, 69, 72, 76, 72, 69), (56, 59, 64, 68, 71, 76, 71, 68), (57, 62, 65, 69, 74, 77, 74, 69), (55, 59, 62, 67, 71, 74, 71, 67)]
    for bar in range(4):
        place(track, key(bass[bar], 2), 2 * bar, 0.9, -0.4)
        place(track, key(bass[bar] + 12, 2), 2 * bar, 0.6, -0.3)
        for step, note in enumerate(runs[bar]):
            place(track, key(note, 0.9), 2 * bar + 0.25 * step, 0.5, 0.3)
        for note in runs[bar][:3]:
            place(track, key(note, 1.0), 2 * bar + 1, 0.4, 0.0)
    return finished(track)


def orchestra():
    rng = numpy.random.default_rng(5)
    track = empty()
    chords = [(36, 48, 55, 60, 64, 67), (41, 48, 53, 60, 65, 69), (43, 50, 55, 59, 65, 71), (36, 48, 55, 60, 64, 72)]
    for bar, chord in enumerate(chords):
        for note in chord:
            for player in range(3):
                rate, depth, phase = rng.uniform(4.5, 6), rng.uniform(0.002, 0.006), rng.uniform(0, 6)
                sway = lambda time, r=rate, d=depth, p=phase: d * numpy.sin(2 * numpy.pi * r * time + p)
                frequency = hertz(note) * 2 ** (rng.normal(0, 4) / 1200)
                levels = 1 / numpy.arange(1, 30) * numpy.exp(-numpy.arange(1, 30) * frequency / 4000)
                place(track, faded(partials(frequency, 2, levels, vibrato=sway, rng=rng), 0.09, 0.15), 2 * bar, 0.1, rng.uniform(-0.8, 0.8))
        time = clock(1.5)
        drum = sum(level * numpy.sin(2 * numpy.pi * 73 * ratio * time) for ratio, level in ((1, 1), (1.5, 0.6), (1.98, 0.4), (2.44, 0.3)))
        drum = drum * numpy.exp(-4 * time) + 0.2 * rng.standard_normal(len(time)) * numpy.exp(-80 * time)
        place(track, faded(drum, 0.001, 0.1), 2 * bar, 0.5, -0.1)
        brass = [chord[-1], chord[-1] + 2, chord[-1] + 4, chord[-1] + 7]
        for step, note in enumerate(brass):
            sound = partials(hertz(note), 0.3, numpy.exp(-numpy.arange(16) / 6), rng=rng)
            place(track, faded(sound, 0.02, 0.06), 2 * bar + 1 + 0.25 * step, 0.12, 0.4)
    return finished(track)


PIECES = {"band": band, "guitar": guitar, "voice": voice, "piano": piano, "orchestra": orchestra}
