"""Chords: 18 triads, roots of 110 to 440 Hz in steps of three semitones, major and minor, three harmonics a note, 4 s at
44.1 kHz. They are shifted by -12, -5, -3, 4, 7 and 12 semitones, and stretched by speeds of 0.5, 0.8, 1.25 and 2.
Measured: how many of the 54 fundamentals are out of tune, from the loudest frequency within 80 cents, for the worst
shift and the worst speed; and the power more than 4 Hz away from all partials, relative to the whole, as a mean of the
chords in dB, for the worst shift and the worst speed.

Click: the time that contains 90 % of the energy of a click, at the worst of sixteen positions, shifted by 7 semitones
and at a speed of 0.75.

Music: five computed pieces (`benchmarks/sound/pieces.py`), stretched and back to their length. The figure is the
log-spectral distance from the original in dB: the RMS of the difference of the levels of all bins, as a mean of pieces
of 46 ms, at the best delay. Levels 70 dB below the loudest are cut off. `sox` and `ffmpeg` cut and join the sound
instead of changing its spectrum; that keeps levels better, and phases and attacks worse.

Peers: Rubber Band R3 and R2 (`rubberband -3` and `-2`), sox (`tempo -m`, `pitch`) and ffmpeg (`atempo`, `rubberband`).
The aims are R3's notes and one more, and the figures of R2. Live: `"quality": "live"`. Cost: processor time for a
second of stereo sound."""

import json
import warnings

import numpy
from scipy import signal
from scipy.io import wavfile

from bench import Goal, processor_seconds, run
from pieces import PIECES, RATE

TITLE = "Chords and music, shifted and stretched"
SHIFTS = [-12, -5, -3, 4, 7, 12]
SPEEDS = [0.5, 0.8, 1.25, 2]
LIVE = "fxrun, live"

# R2's distances.
DISTANCES = {
    ("band", 1.25): 3.65, ("band", 2): 3.75, ("guitar", 1.25): 4.30, ("guitar", 2): 4.30, ("voice", 1.25): 2.36,
    ("voice", 2): 2.62, ("piano", 1.25): 3.15, ("piano", 2): 3.27, ("orchestra", 1.25): 3.39, ("orchestra", 2): 3.58}

GOALS = [
    Goal("shift10", "Notes off by more than 10 cents, of 54, worst shift", "", at_most=4, digits=0),
    Goal("shift20", "Notes off by more than 20 cents, of 54, worst shift", "", at_most=3, digits=0),
    Goal("speed10", "Notes off by more than 10 cents, of 54, worst speed", "", at_most=4, digits=0),
    Goal("speed20", "Notes off by more than 20 cents, of 54, worst speed", "", at_most=3, digits=0),
    Goal("shiftRest", "Everything but the notes, worst shift", "dB", at_most=-30, digits=0),
    Goal("speedRest", "Everything but the notes, worst speed", "dB", at_most=-30, digits=0),
    Goal("shiftClick", "Click shifted by 7: 90 % of its energy within", "ms", at_most=13.3, digits=1),
    Goal("speedClick", "Click at a speed of 0.75: 90 % of its energy within", "ms", at_most=17.6, digits=1),
    *(Goal(f"{piece}{factor}", f"{piece.capitalize()}, {factor:g} times as long and back: distance", "dB", at_most=most)
      for (piece, factor), most in DISTANCES.items()),
    Goal("shiftCost", "Cost, shifted by 4, a second of sound", "ms", digits=1),
    Goal("shiftRatio", "Cost beside R3", "×", at_most=1),
    Goal("speedCost", "Cost, at a speed of 0.8, a second of sound", "ms", digits=1),
    Goal("speedRatio", "Cost beside R3", "×", at_most=1),
]


class Programs:
    """Shifts by semitones and changes of speed in several programs, of stereo sounds at 44.1 kHz."""

    def __init__(self, bench):
        self.bench = bench
        self.source, self.target = bench.folder / "source.wav", bench.folder / "target.wav"
        rubber, sox, ffmpeg = self.rubber_band, self.sox, self.ffmpeg
        self.shifters = {
            "fxrun": lambda shift: self.own({"chain": [{"unit": "pitch", "parameters": {"shift": shift}}]}),
            LIVE: lambda shift: self.own({"chain": [{"unit": "pitch", "quality": "live", "parameters": {"shift": shift}}]}),
            "R3": lambda shift: rubber("-3", "-p", shift),
            "R2": lambda shift: rubber("-2", "-p", shift),
            "sox": lambda shift: sox("pitch", 100 * shift),
            "ffmpeg": lambda shift: ffmpeg(f"rubberband=pitch={2 ** (shift / 12)}"),
        }
        self.stretchers = {
            "fxrun": lambda speed: self.own({
                "nodes": {"in": {"source": {"input": "main", "speed": speed, "keepPitch": True}}, "out": {"sink": "main"}},
                "connections": ["in -> out"]}),
            "R3": lambda speed: rubber("-3", "-T", speed),
            "R2": lambda speed: rubber("-2", "-T", speed),
            "sox": lambda speed: sox("tempo", "-m", speed),
            "ffmpeg": lambda speed: ffmpeg(f"atempo={speed}"),
        }

    def own(self, document):
        path = self.bench.folder / "chain.json"
        path.write_text(json.dumps({"version": 1, "tail": "none", **document}))
        return [self.bench.fxrun, path, self.source, "-o", self.target, "-q", "--bits", 32]

    def rubber_band(self, *options):
        return ["rubberband", "-q", *options, self.source, self.target]

    def sox(self, *effects):
        return ["sox", "-D", self.source, "-e", "floating-point", "-b", 32, self.target, *effects]

    def ffmpeg(self, filters):
        return ["ffmpeg", "-y", "-v", "error", "-i", self.source, "-af", filters, "-c:a", "pcm_f32le", self.target]

    def render(self, sound, command):
        wavfile.write(self.source, RATE, sound.astype(numpy.float32))
        self.target.unlink(missing_ok=True)
        run(command)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", wavfile.WavFileWarning)
            return self.bench.read(self.target)

    def seconds(self, sound, command):
        """Processor time for a second of the sound."""
        wavfile.write(self.source, RATE, sound.astype(numpy.float32))
        return min(processor_seconds(command) for _ in range(3)) / (len(sound) / RATE)


def chords():
    time = numpy.arange(4 * RATE) / RATE
    for step in range(0, 25, 3):
        for third in (4, 3):
            notes = [110 * 2 ** ((step + steps) / 12) for steps in (0, third, 7)]
            sound = sum(
                0.1 / harmonic * numpy.sin(2 * numpy.pi * note * harmonic * time + number + harmonic)
                for number, note in enumerate(notes) for harmonic in (1, 2, 3))
            yield notes, numpy.column_stack([sound, sound])


def judge(output, notes):
    """The errors of the fundamentals in cents, and the power of everything but the partials."""
    part = output[RATE : RATE + RATE * 3 // 2, 0]
    size = 1 << 18
    level = numpy.abs(numpy.fft.rfft(part * signal.windows.kaiser(len(part), 12), size))
    hertz = numpy.fft.rfftfreq(size, 1 / RATE)
    errors = []
    for note in notes:
        near = numpy.abs(numpy.log2(numpy.maximum(hertz, 1) / note)) < 80 / 1200
        errors.append(abs(1200 * numpy.log2(hertz[near][numpy.argmax(level[near])] / note)))
    partials = numpy.zeros(len(hertz), bool)
    for note in notes:
        for harmonic in (1, 2, 3):
            partials |= numpy.abs(hertz - note * harmonic) < 4
    power = level ** 2
    return errors, 10 * numpy.log10(power[~partials].sum() / power.sum())


def tune(programs, figures):
    for kind, commands, values, ratio in (
            ("shift", programs.shifters, SHIFTS, lambda shift: 2 ** (shift / 12)),
            ("speed", programs.stretchers, SPEEDS, lambda speed: 1)):
        for name, command in commands.items():
            off10, off20, rests = [], [], []
            for value in values:
                results = [
                    judge(programs.render(sound, command(value)), [note * ratio(value) for note in notes])
                    for notes, sound in chords()]
                errors = numpy.concatenate([errors for errors, _ in results])
                off10.append((errors > 10).sum())
                off20.append((errors > 20).sum())
                rests.append(numpy.mean([rest for _, rest in results]))
            figures[f"{kind}10"][name], figures[f"{kind}20"][name] = max(off10), max(off20)
            figures[f"{kind}Rest"][name] = max(rests)


def width(output):
    """The shortest time that contains 90 % of the energy, in milliseconds."""
    energy = numpy.concatenate([[0], numpy.cumsum(output[:, 0] ** 2)])
    ends = numpy.searchsorted(energy, energy + 0.9 * energy[-1])
    return 1000 * min(end - start for start, end in enumerate(ends) if end < len(energy)) / RATE


def clicks(programs, figures):
    sounds = []
    for place in range(16):
        sound = numpy.zeros((RATE, 2))
        sound[RATE // 2 + 337 * place] = 0.5
        sounds.append(sound)
    for kind, commands, value in (("shift", programs.shifters, 7), ("speed", programs.stretchers, 0.75)):
        for name, command in commands.items():
            figures[f"{kind}Click"][name] = max(width(programs.render(sound, command(value))) for sound in sounds)


def levels(sound):
    pieces = numpy.lib.stride_tricks.sliding_window_view(sound, 2048)[::512]
    return numpy.abs(numpy.fft.rfft(pieces * numpy.hanning(2048), axis=1)) ** 2


def distance(original, found):
    """The log-spectral distance at the best delay."""
    edge = 8192
    wanted = levels(original[edge:-edge])
    floor = wanted.max() * 1e-7
    padded = numpy.concatenate([numpy.zeros(edge), found, numpy.zeros(2 * edge)])

    def at(delay):
        given = levels(padded[2 * edge + delay :][: len(original) - 2 * edge])
        return numpy.sqrt(((10 * numpy.log10((wanted + floor) / (given + floor))) ** 2).mean(1)).mean()

    near = min(range(-2048, 2049, 256), key=at)
    return min(at(delay) for delay in range(near - 256, near + 257, 32))


def music(programs, figures):
    for piece, make in PIECES.items():
        sound = make()
        for name, command in programs.stretchers.items():
            for factor in (1.25, 2):
                longer = programs.render(sound, command(1 / factor))
                back = programs.render(longer, command(factor))
                figures[f"{piece}{factor}"][name] = distance(sound[:, 0], back[:, 0])


def costs(programs, figures):
    sound = numpy.tile(PIECES["band"](), (4, 1))
    for kind, commands, value in (("shift", programs.shifters, 4), ("speed", programs.stretchers, 0.8)):
        for name, command in commands.items():
            figures[f"{kind}Cost"][name] = 1000 * programs.seconds(sound, command(value))
        for name, cost in list(figures[f"{kind}Cost"].items()):
            figures[f"{kind}Ratio"][name] = cost / figures[f"{kind}Cost"]["R3"]


def measure(bench):
    figures = {goal.key: {} for goal in GOALS}
    programs = Programs(bench)
    tune(programs, figures)
    clicks(programs, figures)
    music(programs, figures)
    costs(programs, figures)
    return figures
