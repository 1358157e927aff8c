"""The cases of EBU Tech 3341 and 3342 that can be computed: 1 to 6 and 9 to 23, and 1 to 4. `fxrun stats`, the unit
`meter` and, for integrated loudness, the unit `loudness` read each at 44.1, 48 and 96 kHz. A figure is the reading that is
furthest from the expected value, in LU or dB; the aims are the tolerances of the documents. Cases 10 and 13 are twenty
sounds each. In cases 9 and 12 the meter is read at the ends of twenty lengths. Peer: ffmpeg's `ebur128` at the three
rates, which reads momentary and short-term loudness every 100 ms; cases 1, 2, 9 and 12 have no figure of it for these.
"""

import json
import re
import subprocess

import numpy
from bench import Goal, run

TITLE = "Loudness readings"
RATES = (44100, 48000, 96000)
CASE3 = [(-36, 10), (-23, 60), (-36, 10)]
INTEGRATED = [
    [(-23, 20)], [(-33, 20)], CASE3, [(-72, 10), *CASE3, (-72, 10)], [(-26, 20), (-20, 20.1), (-26, 20)]]
RANGES = [((-20, -30), 10), ((-20, -15), 5), ((-40, -20), 20), ((-50, -35, -20, -35, -50), 15)]


def goals():
    words = {
        1: "M, S and I of -23", 2: "M, S and I of -33", 3: "I of three levels", 4: "I of five levels",
        5: "I of levels that the gate keeps", 6: "I of five channels", 9: "S of levels that repeat every 3 s",
        10: "highest S of 3 s at 20 offsets", 11: "highest S of 20 levels", 12: "M of levels that repeat every 0.4 s",
        13: "highest M of 0.4 s at 20 offsets", 14: "highest M of 20 levels"}
    found = [
        Goal(f"3341-{case}", f"3341 case {case}: {what}", "LU", at_most=0.1, at_least=-0.1)
        for case, what in words.items()]
    found += [
        Goal(f"3341-{case}", f"3341 case {case}: true peak", "dB", at_most=0.2, at_least=-0.4)
        for case in range(15, 24)]
    return found + [
        Goal(f"3342-{case}", f"3342 case {case}: range", "LU", at_most=1, at_least=-1) for case in range(1, 5)]


GOALS = goals()


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


def stats(bench, path):
    return json.loads(run([bench.fxrun, "stats", path, "--json"]).stdout)[0]["loudness"]


def unit(bench, path, node):
    """The readings of a unit at the end of a sound, the highest of its channels."""
    chain, target = bench.folder / "unit.json", bench.folder / "unit.wav"
    chain.write_text(json.dumps({"version": 1, "tail": "none", "chain": [{"id": "m", **node}]}))
    target.unlink(missing_ok=True)
    found = json.loads(run([bench.fxrun, chain, path, "-o", target, "--json", "--bits", "32"]).stdout)

    def highest(value):
        numbers = value if isinstance(value, list) else [value]
        # JSON has no infinity: null is silence.
        return max(-numpy.inf if number is None else number for number in numbers)

    return {entry["name"].split(".")[-1]: highest(entry["value"]) for entry in found["readings"]}


def meter(bench, path):
    return unit(bench, path, {"unit": "meter"})


def ffmpeg(path):
    """ffmpeg's readings; the highest ones from its log."""
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


class Table:
    """The distance that is furthest beyond its tolerance, for each case and column."""

    def __init__(self):
        self.rows = {goal.key: {} for goal in GOALS}
        self.goals = {goal.key: goal for goal in GOALS}

    def add(self, case, column, distance):
        def share(value):
            goal = self.goals[case]
            return value / goal.at_most if value > 0 else value / goal.at_least

        row = self.rows[case]
        if column not in row or share(distance) > share(row[column]):
            row[column] = distance

    def own(self, case, rate, distance):
        self.add(case, "fxrun", distance)
        self.add(case, f"{rate / 1000:g} kHz", distance)


def measure(bench):
    table = Table()
    for rate in RATES:
        def check(case, reading, sound, expected):
            path = bench.write("case.wav", sound, rate)
            for reader in (stats, meter):
                table.own(case, rate, reader(bench, path)[reading] - expected)
            table.add(case, "ffmpeg", ffmpeg(path)[reading] - expected)
            if reading == "integrated":
                node = {"unit": "loudness", "parameters": {"target": -20, "ceiling": 0}}
                found = unit(bench, path, node)
                table.own(case, rate, found["loudness"] - expected)
                table.own(case, rate, -20 - found["gain"] - expected)

        for case, parts in enumerate(INTEGRATED, 1):
            check(f"3341-{case}", "integrated", stereo(parts, rate), -33 if case == 2 else -23)
        levels = (-28, -28, -24, -30, -30)
        surround = numpy.stack([tone([(level, 20)], rate) for level in levels], axis=1)
        check("3341-6", "integrated", surround, -23)
        for case, level in ((1, -23), (2, -33)):
            values = meter(bench, bench.write("case.wav", stereo([(level, 20)], rate), rate))
            for reading in ("momentary", "shortTerm"):
                table.own(f"3341-{case}", rate, values[reading] - level)
        slow = stereo([(-20, 1.34), (-30, 1.66)] * 5, rate)
        fast = stereo([(-20, 0.18), (-30, 0.22)] * 25, rate)
        for part in range(20):
            for case, reading, sound, first in ((9, "shortTerm", slow, 3), (12, "momentary", fast, 1)):
                path = bench.write("case.wav", sound[:int((first + part * 0.107) * rate)], rate)
                table.own(f"3341-{case}", rate, meter(bench, path)[reading] + 23)
            check("3341-10", "highestShortTerm", stereo([(None, part * 0.15), (-23, 3), (None, 1)], rate), -23)
            check("3341-13", "highestMomentary", stereo([(None, part * 0.02), (-23, 0.4), (None, 1)], rate), -23)
        check("3341-11", "highestShortTerm", stereo(steps(0.15, 3), rate), -19)
        check("3341-14", "highestMomentary", stereo(steps(0.02, 0.4), rate), -19)
        for case, (sound, peak) in enumerate(peaks(rate), 15):
            check(f"3341-{case}", "truePeak", numpy.stack([sound] * 2, axis=1), peak)
        for case, (levels, size) in enumerate(RANGES, 1):
            check(f"3342-{case}", "range", stereo([(level, 20) for level in levels], rate), size)
    return table.rows
