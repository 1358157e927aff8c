"""An independent oversampler measures true peaks: 16 times, with a windowed sinc (Kaiser, β 14) of 10 input samples
on each side; a result with 64 on each side is given too. The sounds are 1,000 sounds with fixed seeds: noise, bursts
at a quarter of the rate, impulses, clipped and driven music, all up to 12 dB above the ceiling of -1 dB. Distortion
is measured after one second at 6 dB of reduction with the default release. The hole is the time from a sample of +12
dB until the gain is back within 3 dB. Peers, rendered by fxrun: x42 dpl with its true-peak detector, calf's limiter
at four times the rate, and LSP's limiter.
"""

import json
import pathlib

import numpy
from bench import Goal, decibels, run

TITLE = "Limiter"

GOALS = [
    Goal("excess", "True peak over the ceiling, largest of 1,000", "dB", at_most=0.05, digits=3),
    Goal("excess64", "The same, 64 samples a side", "dB", digits=3),
    Goal("music", "The same, 10 a side, of ten minutes of music", "dB", at_most=0.05, digits=3),
    Goal("hole", "A single peak of +12 dB: recovered within 3 dB after", "ms", at_most=10),
    Goal("thd30", "THD at 30 Hz, 6 dB of reduction", "%", at_most=0.85, digits=4),
    Goal("thd50", "THD at 50 Hz", "%", at_most=0.10, digits=4),
    Goal("thd100", "THD at 100 Hz", "%", at_most=0.0005, digits=4),
    Goal("latency", "Latency at 48 kHz", "ms", at_most=1.5),
    Goal("share", "Cost beside dpl's with true peak", "", at_most=0.5),
    Goal("cost", "Cost", "ns a frame", digits=1),
]

RATE = 44100
CEILING = -1.0
DPL = "http://gareus.org/oss/lv2/dpl#stereo"
CALF = "http://calf.sourceforge.net/plugins/Limiter"
MUSIC = pathlib.Path("/usr/share/games/singularity/music")
LSP = "http://lsp-plug.in/plugins/lv2/limiter_stereo"


def kernel(side, times=16, beta=14.0):
    places = numpy.arange(-side * times, side * times + 1) / times
    return numpy.sinc(places) * numpy.kaiser(len(places), beta)


def true_peak(sound, side, times=16):
    """The largest magnitude of the oversampled signal, computed phase by phase."""
    taps = kernel(side, times)
    return max(
        numpy.abs(numpy.convolve(channel, taps[phase::times])).max()
        for channel in sound.T for phase in range(times))


def music(random, count):
    """A few notes with harmonics and a drum."""
    time = numpy.arange(count) / RATE
    sound = numpy.zeros(count)
    for _ in range(5):
        pitch = random.uniform(60, 1200)
        for harmonic in range(1, 12):
            sound += numpy.sin(
                2 * numpy.pi * pitch * harmonic * time + random.uniform(0, 7)) / harmonic
    sound += random.normal(0, 2, count) * numpy.exp(-(time % 0.05) * 200)
    return sound / numpy.abs(sound).max()


def one(kind, random, count):
    if kind == 0:
        return random.uniform(-1, 1, count)
    if kind == 1:
        burst = numpy.sin(numpy.pi / 2 * numpy.arange(count) + random.uniform(0, 7))
        return burst * (random.uniform(0, 1, count // 200 + 1) > 0.5).repeat(200)[:count]
    if kind == 2:
        sound = numpy.zeros(count)
        sound[random.integers(0, count, count // 300)] = random.uniform(-1, 1, count // 300)
        return sound
    if kind == 3:
        return numpy.clip(4 * music(random, count), -1, 1)
    return music(random, count)


def sounds(total=1000, count=2205):
    """All sounds one after another with silence between, and their positions."""
    random = numpy.random.default_rng(14)
    gap = 4410
    sound = numpy.zeros((total * (count + gap), 2))
    for index in range(total):
        level = 10 ** (random.uniform(0, 12) / 20)
        start = index * (count + gap)
        for channel in range(2):
            sound[start:start + count, channel] = level * one(index % 5, random, count)
    return sound, count + gap


def limiters(bench):
    own = {"unit": "limiter", "parameters": {"ceiling": CEILING}}
    found = {"fxrun": own, "limiter@1": {"unit": "limiter@1", "parameters": {"ceiling": CEILING}}}
    if bench.has_plugin(DPL):
        found["x42 dpl"] = bench.plugin(DPL, threshold=CEILING, truepeak=1)
    if bench.has_plugin(CALF):
        found["calf"] = bench.plugin(CALF, limit=10 ** (CEILING / 20), oversampling=4, auto_level=0)
    if bench.has_plugin(LSP):
        found["LSP"] = bench.plugin(LSP, th=10 ** (CEILING / 20), boost=0)
    return found


def excess(output, length, side):
    ceiling = 10 ** (CEILING / 20)
    return max(
        decibels(true_peak(output[start:start + length], side) / ceiling)
        for start in range(0, len(output) - length + 1, length))


def hole(bench, node):
    """Milliseconds from a single peak until a quiet constant is back within 3 dB."""
    sound = numpy.full((RATE, 2), 0.1)
    sound[RATE // 2] = 10 ** ((CEILING + 12) / 20)
    output = bench.render([node], sound, RATE)[:, 0]
    low = numpy.flatnonzero(numpy.abs(output) < 0.1 * 10 ** (-3 / 20))
    low = low[low > RATE // 4]
    peak = numpy.abs(output).argmax()
    return max(0, (low.max() - peak) / RATE * 1000) if len(low) else 0


def distortion(bench, node, frequency):
    time = numpy.arange(3 * RATE) / RATE
    tone = 10 ** ((CEILING + 6) / 20) * numpy.sin(2 * numpy.pi * frequency * time)
    output = bench.render([node], numpy.stack([tone, tone], 1), RATE)[RATE:2 * RATE, 0]
    spectrum = numpy.abs(numpy.fft.rfft(output))
    harmonics = spectrum[2 * frequency::frequency][:40]
    return 100 * numpy.sqrt((harmonics ** 2).sum()) / spectrum[frequency]


def measure(bench):
    sound, length = sounds()
    figures = {goal.key: {} for goal in GOALS}
    for name, node in limiters(bench).items():
        output = bench.render([node], sound, RATE)
        figures["excess"][name] = excess(output, length, 10)
        figures["excess64"][name] = excess(output, length, 64)
        figures["hole"][name] = hole(bench, node)
        for frequency in (30, 50, 100):
            figures[f"thd{frequency}"][name] = distortion(bench, node, frequency)
        figures["cost"][name] = bench.own_cost([node])
    figures["music"]["fxrun"] = music_excess(bench, limiters(bench)["fxrun"])
    costs = figures["cost"]
    if "x42 dpl" in costs:
        figures["share"]["fxrun"] = costs["fxrun"] / costs["x42 dpl"]
    figures["latency"]["fxrun"] = latency(bench)
    return figures


def music_excess(bench, node):
    """A minute of each of ten pieces of Debian's singularity-music, 9 dB louder."""
    ceiling = 10 ** (CEILING / 20)
    peaks = []
    for path in sorted(MUSIC.glob("*.ogg"))[:10]:
        target = bench.folder / "music.wav"
        run(["ffmpeg", "-y", "-nostdin", "-v", "error", "-i", path, "-t", "60", "-ar", str(RATE), "-c:a", "pcm_f32le", target])
        output = bench.render([node], 10 ** (9 / 20) * bench.read(target), RATE)
        peaks.append(true_peak(output, 10) / ceiling)
    return decibels(max(peaks)) if peaks else None


def latency(bench):
    """The latency that fxrun removes, in milliseconds at 48 kHz."""
    path = bench.folder / "latency.json"
    path.write_text(json.dumps({"version": 1, "chain": [{"unit": "limiter"}]}))
    plan = run([bench.fxrun, "plan", path, "--json", "--sample-rate", "48000"]).stdout
    return json.loads(plan)["latency"] / 48
