"""Tones of 110 Hz to 3.5 kHz, shifted by -12, -5, 3, 7 and 12 semitones at 48 kHz. Measured: the deviation of the
output from the wanted pitch, and all components more than 10 % away from it, relative to the tone. Click: the time
that contains 90 % of the energy of a shifted click, at the worst of sixteen positions. Late: the latency of a live
chain; files have no latency.

Formants kept: a buzz of 100 Hz through a resonance of 700, 1500 or 2600 Hz, shifted by -5, 4 and 7 semitones with the
formants kept. The frequency of the resonance is found from the levels of the harmonics around it, in the input and in
the output. The figure is the largest shift of the resonance. A resonance that follows the pitch would move by 700
cents at most.

Peers: pedalboard's PitchShift (Rubber Band), ffmpeg's filter (Rubber Band; `formant=preserved` for the formants),
sox's pitch, which cannot keep formants, and Rubber Band's own LV2 plugin."""

import numpy
from scipy import signal

from bench import Goal, pedalboard, run

TITLE = "Pitch shifter"
RATE = 48000
RUBBER_BAND = "http://breakfastquay.com/rdf/lv2-rubberband#stereo"
SHIFTS = [-12, -5, 3, 7, 12]
TONES = [110, 440, 997, 3520]

GOALS = [
    Goal("cents", "Largest error of the pitch, cents", "", at_most=1, digits=3),
    Goal("purity", "Everything but the tone, worst, dB", "", at_most=-50, digits=0),
    Goal("level", "Level of the tone, off by at most, dB", "", at_most=0.5),
    *(Goal(f"click{shift}", f"Click shifted by {shift}: 90 % of its energy within, ms", "", digits=1) for shift in (3, 7, 12)),
    Goal("clickshort", "Click shifted by 7, short window, ms", "", digits=1),
    Goal("formant", "Formants kept: a resonance moves by at most, cents", "", at_most=50, digits=0),
    Goal("formantMoved", "The same, formants not kept, cents", "", digits=0),
    Goal("late", "Latency live, ms", "", digits=1),
    Goal("cost", "Cost, ns", "", digits=0),
]


def tone(frequency, seconds=3):
    time = numpy.arange(seconds * RATE) / RATE
    sound = 0.5 * numpy.sin(2 * numpy.pi * frequency * time)
    return numpy.column_stack([sound, sound])


def click(place=0):
    """A millisecond of noise near the middle of a second."""
    sound = numpy.zeros((RATE, 2))
    noise = numpy.random.default_rng(3).uniform(-0.5, 0.5, 48) * numpy.hanning(48)
    start = RATE // 2 + 337 * place
    sound[start : start + 48] = noise[:, None]
    return sound


def buzz(resonance):
    """Three seconds of pulses at 100 Hz through a resonance with a width of 150 Hz."""
    pulses = numpy.zeros(3 * RATE)
    pulses[::RATE // 100] = 1
    radius = numpy.exp(-numpy.pi * 150 / RATE)
    poles = [1, -2 * radius * numpy.cos(2 * numpy.pi * resonance / RATE), radius ** 2]
    sound = signal.lfilter([1], poles, pulses)
    sound *= 0.25 / numpy.abs(sound).max()
    return numpy.column_stack([sound, sound])


def resonance_of(output, pitch):
    """The frequency of the strongest resonance of a buzz, from the inverse power of its harmonics around it."""
    spectrum = numpy.abs(numpy.fft.rfft(output[RATE : 2 * RATE, 0] * numpy.blackman(RATE), 4 * RATE)) ** 2
    harmonics = pitch * numpy.arange(1, int(6000 / pitch))
    # The power of a harmonic, at its frequency or nearby.
    powers = numpy.array([spectrum[int(4 * (place - 12)) : int(4 * (place + 12))].sum() for place in harmonics])
    top = numpy.argmax(powers)
    near = numpy.arange(max(top - 3, 0), min(top + 4, len(powers)))
    # The inverse power of a resonance is a parabola.
    fit = numpy.polyfit(harmonics[near] - harmonics[top], powers[top] / powers[near], 2, w=(powers[near] / powers[top]) ** 0.5)
    return harmonics[top] - fit[1] / (2 * fit[0])


def formants(shifter):
    """The largest shift of a resonance in cents when the pitch is shifted."""
    moved = []
    for resonance in (700, 1500, 2600):
        sound = buzz(resonance)
        own = resonance_of(sound, 100)
        for shift in (-5, 4, 7):
            found = resonance_of(shifter(sound, shift), 100 * 2 ** (shift / 12))
            moved.append(abs(1200 * numpy.log2(found / own)))
    return max(moved)


def formant_keepers(bench):
    found = {
        "fxrun": lambda sound, shift: bench.render([{"unit": "pitch", "formants": "keep", "parameters": {"shift": shift}}], sound),
        "ffmpeg": lambda sound, shift: bench.ffmpeg(sound, f"rubberband=pitch={2 ** (shift / 12)}:formant=preserved")}
    if bench.has_plugin(RUBBER_BAND):
        found["Rubber Band LV2"] = lambda sound, shift: bench.render([bench.plugin(RUBBER_BAND, semitones=shift, formant=True)], sound)
    return found


def judge(output, wanted):
    """The error in cents, the level of everything but the tone, and the tone's level, for the middle second."""
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
    if bench.has_plugin(RUBBER_BAND):
        found["Rubber Band LV2"] = lambda sound, shift: bench.render([bench.plugin(RUBBER_BAND, semitones=shift)], sound)
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
            figures[f"click{shift}"][name] = max(width(shifter(click(place), shift)) for place in range(16))
        figures["formantMoved"][name] = formants(shifter)
    for name, shifter in formant_keepers(bench).items():
        figures["formant"][name] = formants(shifter)
    short = [{"unit": "pitch", "window": "short", "parameters": {"shift": 7}}]
    figures["clickshort"]["fxrun"] = max(width(bench.render(short, click(place))) for place in range(16))
    figures["late"]["fxrun"] = 1000 * (1024 + 512 + 32) / RATE
    figures["cost"]["fxrun"] = bench.own_cost([{"unit": "pitch", "parameters": {"shift": 5}}])
    return figures
