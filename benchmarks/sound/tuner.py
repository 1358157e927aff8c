"""2,000 notes from 30.87 Hz (a bass's low B) to 1318.5 Hz (a guitar's 24th fret): six spectra, two of them with a weak and
with no fundamental, white noise 20 dB below, at sample rates from 8 to 192 kHz; a quarter each with a vibrato of 20 and of
50 cents at 5 Hz. The pitch is the last reading of 0.62 s; with a vibrato it is the mean of five readings, which are one
turn. At low rates only the second harmonic of some high notes lies below half the rate: then its pitch is expected. Octave errors: readings with a clarity above 0.9 that are more than half a semitone off, beyond the vibrato.
"""

import json
import math

import numpy
from bench import Goal, run

TITLE = "Tuner"
NOTES = 2000
GOALS = [
    Goal("octaves", "Octave errors above a clarity of 0.9", "", at_most=0, digits=0),
    Goal("steady", "Error of a steady note, worst", "cents", at_most=1),
    Goal("vibrato", "Error of the mean of a vibrato, worst", "cents", at_most=1),
    Goal("unheard", "Notes without a reading above a clarity of 0.9", "", digits=0),
    Goal("cost", "Cost, tuner", "ns", digits=1),
]
SPECTRA = {
    "guitar": [1, 0.8, 0.5, 0.35, 0.25, 0.2, 0.12], "bass": [0.3, 1, 0.7, 0.4, 0.2, 0.1],
    "weak": [0.01, 0.6, 1, 0.5, 0.4, 0.3], "missing": [0, 0.7, 1, 0.6, 0.5],
    "flute": [1, 0.1, 0.03], "clarinet": [1, 0.03, 0.7, 0.03, 0.4, 0.03, 0.2],
}
RATES = (8000, 11025, 16000, 22050, 44100, 48000, 96000, 192000)


def note(random, hertz, spectrum, rate, seconds, vibrato):
    times = numpy.arange(int(seconds * rate)) / rate
    cents = vibrato * numpy.sin(2 * numpy.pi * 5 * times + random.uniform(0, 2 * numpy.pi))
    turns = numpy.cumsum(hertz * 2 ** (cents / 1200)) / rate
    sound = numpy.zeros(len(times))
    for index, amplitude in enumerate(spectrum, 1):
        if index * hertz < 0.47 * rate:
            sound += amplitude * numpy.sin(2 * numpy.pi * (index * turns + random.uniform()))
    sound *= 0.2 / numpy.sqrt(numpy.mean(sound ** 2))
    return sound + 0.02 * random.standard_normal(len(times))


def pitch(hertz, spectrum, rate):
    """The pitch of the harmonics that can be heard in the noise."""
    heard = [
        index for index, amplitude in enumerate(spectrum, 1)
        if index * hertz < 0.47 * rate and amplitude > 0.02 * max(spectrum)]
    return hertz * math.gcd(*heard)


def reading(bench, sound, rate):
    """The pitch in hertz and the clarity at the end of a sound."""
    chain, source = bench.folder / "tuner.json", bench.write("note.wav", sound, rate)
    chain.write_text('{ "version": 1, "tail": "none", "chain": [{ "id": "t", "unit": "tuner" }] }')
    target = bench.folder / "tuner.wav"
    target.unlink(missing_ok=True)
    found = json.loads(run([bench.fxrun, chain, source, "-o", target, "--json"]).stdout)
    values = {entry["name"]: entry["value"] for entry in found["readings"]}
    return values["t.frequency"], values["t.clarity"]


def measure(bench, notes=NOTES):
    random = numpy.random.default_rng(7)
    worst = {"octaves": 0, "steady": 0.0, "vibrato": 0.0, "unheard": 0}
    for index in range(notes):
        name = list(SPECTRA)[index % len(SPECTRA)]
        rate = RATES[random.integers(len(RATES))]
        vibrato = (0, 0, 20, 50)[index // len(SPECTRA) % 4]
        hertz = 30.87 * (1318.51 / 30.87) ** random.uniform()
        expected = pitch(hertz, SPECTRA[name], rate)
        sound = note(random, hertz, SPECTRA[name], rate, 0.8 if vibrato else 0.62, vibrato)
        ends = [0.62 + 0.04 * part for part in range(5)] if vibrato else [0.62]
        found = [reading(bench, sound[:int(end * rate)], rate) for end in ends]
        cents = [1200 * numpy.log2(value / expected) for value, clarity in found if clarity > 0.9]
        if not cents:
            worst["unheard"] += 1
            continue
        wrong = sum(abs(value) > vibrato + 50 for value in cents)
        worst["octaves"] += wrong
        if wrong:
            print(f"{name}, {hertz:.2f} Hz at {rate} Hz, vibrato {vibrato}: {cents}", flush=True)
        elif not vibrato:
            worst["steady"] = max(worst["steady"], abs(cents[0]))
        elif len(cents) == len(ends):
            worst["vibrato"] = max(worst["vibrato"], abs(float(numpy.mean(cents))))
    worst["cost"] = bench.own_cost([{"unit": "tuner"}])
    return worst
