"""Tones of 110 Hz to 3.5 kHz, shifted by -12, -5, 3, 7 and 12 semitones at 48 kHz: how far what comes out is
off the wanted pitch, and all that is more than 10 % from it, against the tone. Click: the time within which 90 %
of the energy of a shifted click lies. Late: how long a live chain holds a sound back; files have none of
it. Peers: pedalboard's PitchShift (Rubber Band) and the filter of ffmpeg (Rubber Band), sox's pitch."""

import numpy

from bench import Goal, pedalboard, run

TITLE = "Pitch shifter"
RATE = 48000
SHIFTS = [-12, -5, 3, 7, 12]
TONES = [110, 440, 997, 3520]

GOALS = [
    Goal("cents", "Off the pitch at most, cents", "", at_most=1, digits=3),
    Goal("purity", "All but the tone, worst, dB", "", at_most=-50, digits=0),
    Goal("level", "Level of the tone, off by at most, dB", "", at_most=0.5),
    *(Goal(f"click{shift}", f"Click shifted by {shift}: 90 % of its energy within, ms", "", digits=1) for shift in (3, 7, 12)),
    Goal("clickshort", "Click shifted by 7, short window, ms", "", digits=1),
    Goal("late", "Late, ms", "", digits=1),
    Goal("cost", "Cost, ns", "", digits=0),
]


def tone(frequency, seconds=3):
    time = numpy.arange(seconds * RATE) / RATE
    sound = 0.5 * numpy.sin(2 * numpy.pi * frequency * time)
    return numpy.column_stack([sound, sound])


def click():
    """A millisecond of noise in the middle of a second."""
    sound = numpy.zeros((RATE, 2))
    noise = numpy.random.default_rng(3).uniform(-0.5, 0.5, 48) * numpy.hanning(48)
    sound[RATE // 2 : RATE // 2 + 48] = noise[:, None]
    return sound


def judge(output, wanted):
    """Cents off, what is not the tone, and the tone's level, of the second in the middle."""
    sound = output[RATE : 2 * RATE, 0] * numpy.blackman(RATE)
    spectrum = numpy.abs(numpy.fft.rfft(sound, 8 * RATE)) ** 2
    hertz = numpy.fft.rfftfreq(8 * RATE, 1 / RATE)
    near = numpy.abs(hertz / wanted - 1) < 0.1
    top = numpy.argmax(numpy.where(near, spectrum, 0))
    left, peak, right = numpy.log(spectrum[top - 1 : top + 2])
    found = hertz[top] + 0.5 * (left - right) / (left - 2 * peak + right) * hertz[1]
    purity = 10 * numpy.log10(spectrum[~near].sum() / spectrum[near].sum())
    level = 10 * numpy.log10(spectrum[near].sum() / (8 * RATE * (0.5 ** 2) / 4 * (numpy.blackman(RATE) ** 2).sum()))
    return abs(1200 * numpy.log2(found / wanted)), purity, abs(level)


def width(output):
    """The shortest time that holds 90 % of the energy, in milliseconds."""
    energy = numpy.concatenate([[0], numpy.cumsum(output[:, 0] ** 2)])
    wanted = 0.9 * energy[-1]
    ends = numpy.searchsorted(energy, energy + wanted)
    spans = [end - start for start, end in enumerate(ends) if end < len(energy)]
    return min(spans) / RATE * 1000


def shifters(bench):
    def own(sound, shift):
        return bench.render([{"unit": "pitch", "parameters": {"shift": shift}}], sound)

    def sox(sound, shift):
        return bench.sox(sound, "pitch", str(100 * shift))

    def ffmpeg(sound, shift):
        return bench.ffmpeg(sound, f"rubberband=pitch={2 ** (shift / 12)}")

    found = {"fxrun": own, "sox": sox, "ffmpeg": ffmpeg}
    board = pedalboard()
    if board:
        found["pedalboard"] = lambda sound, shift: board.PitchShift(shift)(
            sound.astype(numpy.float32).T, RATE).T
    return found


def measure(bench):
    figures = {goal.key: {} for goal in GOALS}
    for name, shifter in shifters(bench).items():
        results = []
        for shift in SHIFTS:
            for frequency in TONES:
                results.append(judge(shifter(tone(frequency), shift), frequency * 2 ** (shift / 12)))
        for key, column in zip(("cents", "purity", "level"), zip(*results)):
            figures[key][name] = max(column)
        for shift in (3, 7, 12):
            figures[f"click{shift}"][name] = width(shifter(click(), shift))
    short = [{"unit": "pitch", "window": "short", "parameters": {"shift": 7}}]
    figures["clickshort"]["fxrun"] = width(bench.render(short, click()))
    figures["late"]["fxrun"] = 1000 * (2048 + 32) / RATE
    figures["cost"]["fxrun"] = bench.own_cost([{"unit": "pitch", "parameters": {"shift": 5}}])
    return figures
