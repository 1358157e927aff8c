"""Tape and record: the rate and the depth of their wow from the instantaneous frequency of a tone of 3.15 kHz (the
tone of IEC 60386), over a minute; the largest flutter, which is random, compared with the setting; components more
than 200 Hz away from that tone during wow; everything except the harmonics of 5 kHz at 44.1 kHz, driven by 18 dB, at
a constant speed; the level of a quiet tone at the treble limit; the levels of hiss and surface noise; and clicks per
second, counted over five minutes with a setting of twenty (by chance, one standard deviation is 1.8 %). Peers: calf's
Tape Simulator and Vinyl. Their documentation gives no depth of their wow and no level of their noise. The first does
not give its wow rate; the second has wow (`drone`) once per turn, here at 45 turns.

Stretch: sources at other speeds with `keepPitch`, for a tone of 997 Hz and for clicks, compared with ffmpeg's atempo
and sox's tempo: the frequency, everything except the tone and its skirt of 20 Hz, the length, and the distance from a
click's position that contains nine tenths of its energy at a speed of 75 %, for the worst and the best of sixteen
positions.

Noise colours: the slope of their octaves, fitted from 125 Hz to 8 kHz, and the deviation of an octave from the line
of its colour. Peers: ffmpeg's anoisesrc, and sox's synth, which has no blue or violet noise: the worst of the colours
that it has. The power of ffmpeg 5.1's blue and violet noise rises by 3 dB per octave, like that of white noise."""

import json

import numpy
from scipy import signal

from bench import Goal, run

TITLE = "Tape, record, speed and noise"
RATE = 48000
TURNS = 100 / 180
CALF = "http://calf.sourceforge.net/plugins/"

GOALS = [
    Goal("wowRate", "Record: rate of the wow at 33 turns a minute, off by", "%", at_most=0.1, digits=4),
    Goal("wowDepth", "Its depth, off by", "%", at_most=1, digits=2),
    Goal("wowPure", "Record: components other than the tone", "dB", digits=0),
    Goal("tapeRate", "Tape: rate of its wow, 0.8 Hz, off by", "%", at_most=0.1, digits=4),
    Goal("tapeDepth", "Depth of its wow, off by", "%", at_most=1, digits=2),
    Goal("flutter", "Tape: largest flutter, share of the set value", "%", at_least=50, at_most=101, digits=0),
    Goal("aliases", "Tape: inharmonic components", "dB", at_most=-90, digits=0),
    Goal("treble", "Tape: level at the end of its treble, 8 kHz, error against -3 dB", "dB", at_most=0.5),
    Goal("hiss", "Level of its hiss, off by", "dB", at_most=0.3),
    Goal("surface", "Level of a record's surface, off by", "dB", at_most=0.3),
    Goal("clicks", "Clicks a second, off by", "%", at_most=5, digits=1),
    Goal("cents", "Speed 75 % and 150 %, pitch kept: off by at most", "cent", at_most=1, digits=3),
    Goal("purity", "Components other than the tone, worst", "dB", at_most=-50, digits=0),
    Goal("length", "Length, off by at most", "ms", at_most=1, digits=2),
    Goal("click", "Range with nine tenths of a click at 75 %, worst position", "ms", at_most=20, digits=1),
    Goal("clickBest", "The same, best position", "ms", digits=1),
    Goal("slope", "Noise colours: slope of an octave, off by at most", "dB", at_most=0.2),
    Goal("octave", "Largest distance of an octave from the line", "dB"),
    *(Goal(f"cost{unit}", f"Cost, {unit}", "ns", digits=1) for unit in ("tape", "vinyl", "keepPitch")),
]


def stereo(sound):
    return numpy.column_stack([sound, sound])


def frequency(sound, centre):
    turning = signal.hilbert(sound) * numpy.exp(-2j * numpy.pi * centre * numpy.arange(len(sound)) / RATE)
    course = numpy.unwrap(numpy.angle(turning))
    return centre + numpy.gradient(signal.savgol_filter(course, 2401, 3)) * RATE / (2 * numpy.pi)


def swaying(output, guess):
    """The rate and the depth of a wow near `guess`, from its phases in the first and the last third of a minute."""
    sway = frequency(output[:, 0], 3150)[RATE : 61 * RATE] / 3150 - 1
    turned = sway * numpy.exp(-2j * numpy.pi * guess * numpy.arange(len(sway)) / RATE)
    third = int(round(round(18 * guess) / guess * RATE))
    window = numpy.hanning(third)
    ends = [turned[start : start + third] @ window for start in (0, len(sway) - third)]
    off = numpy.angle(ends[1] / ends[0]) / (2 * numpy.pi) / ((len(sway) - third) / RATE)
    return guess + off, 2 * abs(ends[0]) / window.sum()


def impurity(output):
    """The level of components more than 200 Hz away from 3.15 kHz, relative to the tone, in ten seconds."""
    part = output[10 * RATE : 20 * RATE, 0]
    spectrum = numpy.abs(numpy.fft.rfft(part * numpy.blackman(len(part)))) ** 2
    near = numpy.abs(numpy.fft.rfftfreq(len(part), 1 / RATE) - 3150) < 200
    return 10 * numpy.log10(max(spectrum[~near].sum(), 1e-30) / spectrum[near].sum())


def smear(stretch, place):
    """The distance from a click's position that contains nine tenths of its energy at a speed of 75 %, in milliseconds."""
    click = numpy.zeros((4 * RATE, 2))
    click[place] = 0.5
    energy = stretch(click, 0.75)[:, 0] ** 2
    away = numpy.abs(numpy.arange(len(energy)) - int(round(place / 0.75)))
    order = numpy.argsort(away, kind="stable")
    inside = numpy.cumsum(energy[order]) / max(energy.sum(), 1e-30)
    return 1000 * away[order][numpy.searchsorted(inside, 0.9)] / RATE


def recordings(bench, figures):
    time = numpy.arange(65 * RATE) / RATE
    quiet = {"clickLevel": -200, "noise": -200, "rumble": -200, "flutter": 0, "treble": 20000}
    even = {"drive": 0, "hiss": -200, "treble": 20000}
    tone = stereo(0.5 * numpy.sin(2 * numpy.pi * 3150 * time))
    output = bench.render([{"unit": "vinyl", "parameters": {**quiet, "wow": 0.004}}], tone)
    rate, depth = swaying(output, TURNS)
    figures["wowRate"]["fxrun"], figures["wowDepth"]["fxrun"] = 100 * abs(rate / TURNS - 1), 100 * abs(depth / 0.004 - 1)
    figures["wowPure"]["fxrun"] = impurity(output)
    if bench.has_plugin(CALF + "Vinyl"):
        output = bench.render([bench.plugin(CALF + "Vinyl", drone=0.5, speed=45)], tone)
        figures["wowRate"]["calf"] = 100 * abs(swaying(output, 0.75)[0] / 0.75 - 1)
        figures["wowPure"]["calf"] = impurity(output)
    output = bench.render([{"unit": "tape", "parameters": {**even, "wow": 0.004, "flutter": 0}}], tone)
    rate, depth = swaying(output, 0.8)
    figures["tapeRate"]["fxrun"], figures["tapeDepth"]["fxrun"] = 100 * abs(rate / 0.8 - 1), 100 * abs(depth / 0.004 - 1)
    output = bench.render([{"unit": "tape", "parameters": {**even, "wow": 0, "flutter": 0.004}}], tone)
    course = frequency(output[:, 0], 3150)[RATE : 61 * RATE] / 3150 - 1
    figures["flutter"]["fxrun"] = 100 * numpy.abs(course).max() / 0.004

    sound = 0.5 * numpy.sin(2 * numpy.pi * 929 * numpy.arange(8 * 8192) / 8192)
    tapes = {"fxrun": {"unit": "tape", "parameters": {"drive": 18, "wow": 0, "flutter": 0, "hiss": -200, "treble": 20000}}}
    if bench.has_plugin(CALF + "TapeSimulator"):
        tapes["calf"] = bench.plugin(
            CALF + "TapeSimulator", level_in=10 ** (18 / 20), level_out=0.1, noise=0, mechanical=0, lowpass=20000)
    for name, node in tapes.items():
        spectrum = numpy.abs(numpy.fft.rfft(bench.render([node], stereo(sound), 44100)[6 * 8192 : 7 * 8192, 0])) ** 2
        spectrum[0] = 0
        fundamental = spectrum[929]
        spectrum[929::929] = 0
        figures["aliases"][name] = 10 * numpy.log10(spectrum.sum() / fundamental)
    dull = {"fxrun": {"unit": "tape", "parameters": {**even, "wow": 0, "flutter": 0, "treble": 8000}}}
    if "calf" in tapes:
        dull["calf"] = bench.plugin(CALF + "TapeSimulator", level_in=1, noise=0, mechanical=0, magnetical=False, lowpass=8000)
    for name, node in dull.items():
        levels = []
        for place in (500, 8000):
            sound = stereo(0.01 * numpy.sin(2 * numpy.pi * place * numpy.arange(2 * RATE) / RATE))
            levels.append(10 * numpy.log10((bench.render([node], sound)[RATE // 2 : RATE * 3 // 2, 0] ** 2).mean()))
        figures["treble"][name] = abs(levels[1] - levels[0] + 3.01)

    silence = numpy.zeros((60 * 192000, 2))
    tape = {"unit": "tape", "parameters": {"hiss": -40, "treble": 20000, "level": 0}}
    hiss = bench.render([tape], silence[: 10 * 192000], 192000)
    # White noise below the treble limit, which is a second-order Butterworth filter.
    low, high = signal.butter(2, 20000, fs=192000)
    share = (numpy.abs(signal.freqz(low, high, 1 << 14)[1]) ** 2).mean()
    found = 10 * numpy.log10((hiss ** 2).mean() / share)
    figures["hiss"]["fxrun"] = abs(found + 40)
    silence = numpy.zeros((300 * RATE, 2))
    surface = bench.render([{"unit": "vinyl", "parameters": {**quiet, "noise": -40}}], silence[: 20 * RATE])
    figures["surface"]["fxrun"] = abs(10 * numpy.log10((surface ** 2).mean()) + 40)
    dirty = bench.render([{"unit": "vinyl", "parameters": {**quiet, "clicks": 20, "clickLevel": 0}}], silence)
    # Click levels are cubes of a uniform distribution; clicks above a tenth are counted.
    loud = numpy.flatnonzero(numpy.abs(dirty).max(1) > 0.1)
    starts = 1 + (numpy.diff(loud) > 48).sum()
    rate = starts / 300 / (1 - 0.1 ** (1 / 3))
    figures["clicks"]["fxrun"] = 100 * abs(rate / 20 - 1)


def stretchers(bench):
    def own(sound, speed):
        document = {
            "version": 1, "tail": "none", "nodes": {
                "in": {"source": {"input": "main", "speed": speed, "keepPitch": True}}, "out": {"sink": "main"}},
            "connections": ["in -> out"]}
        return bench.render(document, sound)

    return {
        "fxrun": own,
        "ffmpeg": lambda sound, speed: bench.ffmpeg(sound, f"atempo={speed}"),
        "sox": lambda sound, speed: bench.sox(sound, "tempo", str(speed)),
    }


def speeds(bench, figures):
    time = numpy.arange(12 * RATE) / RATE
    tone = stereo(0.5 * numpy.sin(2 * numpy.pi * 997 * time))
    for name, stretch in stretchers(bench).items():
        cents, purity, length = [], [], []
        for speed in (0.75, 1.5):
            output = stretch(tone, speed)
            length.append(abs(len(output) - len(tone) / speed) / RATE * 1000)
            middle = output[len(output) // 4 : len(output) // 4 + 3 * RATE, 0]
            spectrum = numpy.abs(numpy.fft.rfft(middle * numpy.blackman(len(middle)))) ** 2
            place = numpy.arange(len(spectrum)) / 3
            near = abs(place - 997) < 20
            centre = (place[near] * spectrum[near]).sum() / spectrum[near].sum()
            cents.append(abs(1200 * numpy.log2(centre / 997)))
            purity.append(10 * numpy.log10(spectrum[~near].sum() / spectrum[near].sum()))
        figures["cents"][name], figures["purity"][name], figures["length"][name] = max(cents), max(purity), max(length)
        smeared = [smear(stretch, 2 * RATE + 337 * index) for index in range(16)]
        figures["click"][name], figures["clickBest"][name] = max(smeared), min(smeared)


def noise_makers(bench):
    """Half a minute of a noise colour, or None if the program does not have it."""
    def own(kind):
        document = {
            "version": 1, "tail": "none", "nodes": {
                "in": {"source": {"signal": kind, "duration": 30, "channels": 2}}, "out": {"sink": "main"}},
            "connections": ["in -> out"]}
        path, target = bench.folder / "noise.json", bench.folder / "noise.wav"
        path.write_text(json.dumps(document))
        run([bench.fxrun, path, "-o", target, "-q", "--bits", "32"])
        return bench.read(target)

    def sox(kind):
        name = {"noise": "whitenoise", "pinkNoise": "pinknoise", "brownNoise": "brownnoise"}.get(kind)
        if not name:
            return None
        target = bench.folder / "noise.wav"
        run(["sox", "-R", "-D", "-n", "-r", RATE, "-c", 1, "-e", "floating-point", "-b", 32, target, "synth", 30, name, "vol", 0.5])
        return bench.read(target)

    def ffmpeg(kind):
        name = {"noise": "white"}.get(kind, kind.removesuffix("Noise"))
        target = bench.folder / "noise.wav"
        source = f"anoisesrc=c={name}:r={RATE}:d=30:a=0.5:seed=1"
        run(["ffmpeg", "-y", "-v", "error", "-f", "lavfi", "-i", source, "-c:a", "pcm_f32le", target])
        return bench.read(target)

    return {"fxrun": own, "ffmpeg": ffmpeg, "sox": sox}


def noises(bench, figures):
    centres = 125 * 2.0 ** numpy.arange(7)
    for name, make in noise_makers(bench).items():
        slopes, octaves = [], []
        for kind, slope in (("noise", 3.01), ("pinkNoise", 0), ("brownNoise", -3.01), ("blueNoise", 6.02), ("violetNoise", 9.03)):
            sound = make(kind)
            if sound is None:
                continue
            frequencies, power = signal.welch(sound[:, 0], RATE, nperseg=16384)
            levels = numpy.array([
                10 * numpy.log10(power[(frequencies > c / 2 ** 0.5) & (frequencies < c * 2 ** 0.5)].sum()) for c in centres])
            slopes.append(abs(numpy.polyfit(range(7), levels, 1)[0] - slope))
            line = levels - slope * numpy.arange(7)
            octaves.append(numpy.abs(line - line.mean()).max())
        figures["slope"][name], figures["octave"][name] = max(slopes), max(octaves)


def measure(bench):
    figures = {goal.key: {} for goal in GOALS}
    recordings(bench, figures)
    speeds(bench, figures)
    noises(bench, figures)
    for unit in ("tape", "vinyl"):
        figures[f"cost{unit}"]["fxrun"] = bench.own_cost([{"unit": unit}])
    plain = {"nodes": {"in": {"source": {"input": "main", "speed": 0.75}}, "out": {"sink": "main"}}, "connections": ["in -> out"]}
    kept = json.loads(json.dumps(plain))
    kept["nodes"]["in"]["source"]["keepPitch"] = True
    figures["costkeepPitch"]["fxrun"] = bench.graph_cost(kept)
    return figures
