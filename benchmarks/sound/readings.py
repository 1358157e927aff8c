"""The cases of EBU Tech 3341 and 3342 that can be computed (1 to 6 and 9 to 23; 1 to 4), at 44.1, 48 and 96 kHz, through
`fxrun stats` and the unit `meter`. Cases 10 and 13 have twenty offsets each. The figure is the largest distance from
the expected value, in LU or dB. The documents allow 0.1 LU, 1 LU for the range, and +0.2 or -0.4 dB for true peaks. The
meter is read at the end of a render, so it shows the momentary loudness of cases 9 and 12 at the end only. Peer: ffmpeg's
`ebur128`, which measures momentary loudness every 100 ms.
"""

import json
import re
import subprocess

import numpy
from bench import Goal, run

TITLE = "Loudness readings"
RATES = (44100, 48000, 96000)
GOALS = [
    Goal("integrated", "Integrated loudness (1 to 6)", "LU", at_most=0.1),
    Goal("course", "Momentary and short-term loudness (1, 2, 9, 12)", "LU", at_most=0.1),
    Goal("short", "Highest short-term loudness (10, 11)", "LU", at_most=0.1),
    Goal("momentary", "Highest momentary loudness (13, 14)", "LU", at_most=0.1),
    Goal("over", "True peak, too high (15 to 23)", "dB", at_most=0.2),
    Goal("under", "True peak, too low (15 to 23)", "dB", at_most=0.4),
    Goal("range", "Loudness range (3342: 1 to 4)", "LU", at_most=1),
]
CASE3 = [(-36, 10), (-23, 60), (-36, 10)]


def tone(parts, rate):
    """A sine of 1 kHz with levels in dBFS (None is silence) and seconds."""
    ends = numpy.round(numpy.cumsum([part[1] for part in parts]) * rate).astype(int)
    gains = numpy.zeros(ends[-1])
    for (level, _), start, end in zip(parts, [0, *ends], ends):
        gains[start:end] = 0 if level is None else 10 ** (level / 20)
    return gains * numpy.sin(2 * numpy.pi * 1000 * numpy.arange(ends[-1]) / rate)


def stereo(parts, rate):
    return numpy.stack([tone(parts, rate)] * 2, axis=1)


def steps(unit, length):
    """Cases 11 and 14: twenty levels, each after a longer silence."""
    parts = []
    for index in range(20):
        parts += [(None, index * unit), (index - 38, length), (None, length - index * unit)]
    return parts


def peaks(rate):
    """Cases 15 to 23: tones near the sample rate, and their peaks in dBTP."""
    count, cases = rate // 2, []
    edge = numpy.minimum(1, numpy.minimum(numpy.arange(count), numpy.arange(count)[::-1]) / (rate / 20))
    for divisor, phase, level, peak in [
            (4, 0, 0.5, -6), (4, 45, 0.5, -6), (6, 60, 0.5, -6), (8, 67.5, 0.5, -6), (4, 45, 1.41, 3)]:
        turns = numpy.arange(count) / divisor + phase / 360
        cases.append((level * edge * numpy.sin(2 * numpy.pi * turns), peak))
    for offset in range(4):
        # At four times the rate: a tone of a sixth of the rate, with one period of twice its level and
        # a quarter of the rate.
        times = numpy.arange(4 * count)
        whole = 0.5 * numpy.sin(2 * numpy.pi * times / 24)
        middle = 24 * (len(times) // 48)
        whole[middle:middle + 16] = numpy.sin(2 * numpy.pi * numpy.arange(16) / 16)
        whole[middle + 16:] = 0.5 * numpy.sin(2 * numpy.pi * numpy.arange(len(times) - middle - 16) / 24)
        cases.append((edge * decimated(whole, offset), 0))
    return cases


def decimated(sound, offset):
    """Every fourth sample, behind the low-pass of the document's files: a long windowed sinc."""
    taps = numpy.arange(-512, 513)
    low = numpy.sinc(taps / 4) / 4 * numpy.kaiser(len(taps), 9)
    return numpy.convolve(sound, low, "same")[offset::4]


def stats(bench, sound, rate):
    path = bench.write("case.wav", sound, rate)
    return json.loads(run([bench.fxrun, "stats", path, "--json"]).stdout)["loudness"]


def meter(bench, sound, rate):
    chain, source = bench.folder / "meter.json", bench.write("case.wav", sound, rate)
    chain.write_text('{ "version": 1, "tail": "none", "chain": [{ "id": "m", "unit": "meter" }] }')
    target = bench.folder / "meter.wav"
    target.unlink(missing_ok=True)
    found = json.loads(run([bench.fxrun, chain, source, "-o", target, "--json", "--bits", "32"]).stdout)
    values = {entry["name"].split(".")[-1]: entry["value"] for entry in found["readings"]}
    return {key: max(value) if isinstance(value, list) else value for key, value in values.items()}


def peer(bench, sound, rate):
    """ffmpeg's readings; the highest ones from its log."""
    path = bench.write("case.wav", sound, rate)
    words = subprocess.run(
        ["ffmpeg", "-nostdin", "-hide_banner", "-v", "verbose", "-i", path, "-af",
         "ebur128=peak=true", "-f", "null", "-"], capture_output=True, text=True, check=True).stderr
    momentary = [float(value) for value in re.findall(r"M:\s*(-?[\d.]+)", words)]
    short = [float(value) for value in re.findall(r"S:\s*(-?[\d.]+)", words)]
    return {
        "integrated": float(re.findall(r"I:\s+(-?[\d.]+) LUFS", words)[-1]),
        "range": float(re.findall(r"LRA:\s+(-?[\d.]+) LU", words)[-1]),
        "truePeak": float(re.findall(r"Peak:\s+(-?[\d.]+|-inf) dBFS", words)[-1]),
        "highestMomentary": max(momentary, default=-120.0),
        "highestShortTerm": max(short, default=-120.0),
    }


def measure(bench):
    readers = {"fxrun stats": stats, "fxrun": meter, "ffmpeg": peer}
    worst = {goal.key: {} for goal in GOALS}

    def add(key, name, distance):
        worst[key][name] = max(worst[key].get(name, 0.0), distance)

    for rate in RATES:
        def check(key, reading, sound, expected):
            for name, reader in readers.items():
                add(key, name, abs(reader(bench, sound, rate)[reading] - expected))

        for parts, level in [
                ([(-23, 20)], -23), ([(-33, 20)], -33), (CASE3, -23),
                ([(-72, 10), *CASE3, (-72, 10)], -23), ([(-26, 20), (-20, 20.1), (-26, 20)], -23)]:
            check("integrated", "integrated", stereo(parts, rate), level)
        surround = numpy.stack([tone([(level, 20)], rate) for level in (-28, -28, -24, -30, -30)], axis=1)
        for name, reader in readers.items():
            if name != "ffmpeg":
                add("integrated", name, abs(reader(bench, surround, rate)["integrated"] + 23))
        for level in (-23, -33):
            values = meter(bench, stereo([(level, 20)], rate), rate)
            for reading in ("momentary", "shortTerm"):
                add("course", "fxrun", abs(values[reading] - level))
        slow = stereo([(-20, 1.34), (-30, 1.66)] * 5, rate)
        fast = stereo([(-20, 0.18), (-30, 0.22)] * 25, rate)
        for part in range(20):
            for reading, sound, first in (("shortTerm", slow, 3), ("momentary", fast, 1)):
                end = int((first + part * 0.107) * rate)
                add("course", "fxrun", abs(meter(bench, sound[:end], rate)[reading] + 23))
        for offset in range(20):
            check("short", "highestShortTerm", stereo([(None, offset * 0.15), (-23, 3), (None, 1)], rate), -23)
            check("momentary", "highestMomentary", stereo([(None, offset * 0.02), (-23, 0.4), (None, 1)], rate), -23)
        check("short", "highestShortTerm", stereo(steps(0.15, 3), rate), -19)
        check("momentary", "highestMomentary", stereo(steps(0.02, 0.4), rate), -19)
        for sound, peak in peaks(rate):
            for name, reader in readers.items():
                distance = reader(bench, numpy.stack([sound] * 2, axis=1), rate)["truePeak"] - peak
                add("over", name, distance)
                add("under", name, -distance)
        for levels, size in [((-20, -30), 10), ((-20, -15), 5), ((-40, -20), 20), ((-50, -35, -20, -35, -50), 15)]:
            check("range", "range", stereo([(level, 20) for level in levels], rate), size)
    return worst
