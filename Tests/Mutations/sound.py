"""Makes, reads and compares sounds for the mutations.

fxrun's reports are compared with the results here, so none of its code is used."""
import array
import itertools
import math
import pathlib
import random
import struct

LIMIT = 2.0 ** -20
"""What is left of a difference that is explained, against the sound's peak."""


def make(path, seed, frames, rate=48000, channels=2):
    """Writes a sound with tones that fade in and out, noise and a pause."""
    generator = random.Random(seed)
    rows = []
    for channel in range(channels):
        tones = [(generator.uniform(60, 4000), generator.uniform(0.04, 0.12), generator.uniform(0, 6))
                 for _ in range(5)]
        row = array.array("f")
        for frame in range(frames):
            time = frame / rate
            swell = 0.15 + 0.85 * max(0.0, math.sin(7 * math.pi * time + channel)) ** 2
            value = sum(level * math.sin(2 * math.pi * hertz * time + phase)
                        for hertz, level, phase in tones)
            row.append(swell * (value + generator.uniform(-0.05, 0.05)))
        rows.append(row)
    write(path, rows, rate)


def write(path, rows, rate=48000):
    """Writes a WAV file of 32-bit floats."""
    data = array.array("f", itertools.chain.from_iterable(zip(*rows))).tobytes()
    channels = len(rows)
    header = struct.pack("<4sI4s4sIHHIIHH", b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, 3, channels,
                         rate, 4 * channels * rate, 4 * channels, 32)
    pathlib.Path(path).write_bytes(header + b"data" + struct.pack("<I", len(data)) + data)


class Sound:
    """The samples of a WAV file of 32-bit floats, as bytes and by channel."""
    latency = 0
    """The chain's latency in frames. These frames were removed from the start."""

    def __init__(self, path):
        text = pathlib.Path(path).read_bytes()
        place = 12
        while place + 8 <= len(text):
            name, size = struct.unpack_from("<4sI", text, place)
            if name == b"fmt ":
                _, self.channel_count, self.rate = struct.unpack_from("<HHI", text, place + 8)
            if name == b"data":
                self.data = text[place + 8:place + 8 + size]
                break
            place += 8 + size + size % 2
        samples = array.array("f", self.data)
        self.channels = [samples[index::self.channel_count] for index in range(self.channel_count)]
        self.frame_count = len(self.channels[0]) if self.channels else 0

    def has_bits_of(self, other):
        return self.rate == other.rate and self.channel_count == other.channel_count \
            and self.data == other.data

    @property
    def peak(self):
        return max((max(abs(min(row)), abs(max(row))) for row in self.channels if row), default=0.0)

    def first_difference(self, other):
        """The first frame that differs, or None."""
        frames = (index for one, two in zip(self.channels, other.channels)
                  for index in [next((i for i, (a, b) in enumerate(zip(one, two)) if a != b), None)]
                  if index is not None)
        return min(frames, default=None)


def categories(expected, actual, lags=()):
    """The categories that fxrun may report: usually one, several if rounding decides between them.

    `lags` are the possible delays in frames."""
    if expected.rate != actual.rate:
        return {"sampleRate"}
    if expected.channel_count != actual.channel_count:
        return {"channelCount"}
    if expected.first_difference(actual) is None:
        return {"length"} if expected.frame_count != actual.frame_count else {"same"}
    if any(not math.isfinite(value) for row in actual.channels for value in row):
        return {"nonFinite"}
    if actual.peak == 0:
        return {"silent"}
    doubtful = set()
    for lag in (0, *lags):
        found = explained(expected, actual, lag)
        if not found:
            continue
        # The simplest explanations. With equal channels there may be several.
        fewest = min(len(words) for words, _ in found)
        simple = [(words, is_sure) for words, is_sure in found if len(words) == fewest]
        doubtful |= {"combined" if len(words) > 1 else min(words) for words, _ in simple}
        if any(is_sure for _, is_sure in simple):
            return doubtful
        doubtful.add("content")
    return doubtful or {"content"}


def explained(expected, actual, lag):
    """The orders of channels in which gains, polarity and the lag explain the difference. For each:
    the categories, and whether the explanation is certain."""
    limit = LIMIT * max(expected.peak, actual.peak)
    aligned = [(row[lag:] if lag > 0 else row) for row in actual.channels]
    sources = [(row[-lag:] if lag < 0 else row) for row in expected.channels]
    length = min(len(aligned[0]), len(sources[0]))
    if lag > 0 and any(abs(value) > limit for row in actual.channels for value in row[:lag]):
        return []
    if length < expected.frame_count // 2:
        return []
    change = math.sqrt(max(
        sum((a - e) ** 2 for a, e in zip(one, two)) / max(len(one), 1)
        for one, two in zip(actual.channels, expected.channels)))
    surplus = actual.frame_count - expected.frame_count
    found = []
    for order in itertools.permutations(range(actual.channel_count)):
        gains, worst, rest = [], 0.0, 0.0
        for new, source in zip(aligned, order):
            gain, peak, rms = fit(new[:length], sources[source][:length])
            gains.append(gain)
            worst, rest = max(worst, peak), max(rest, rms)
        if worst > 4 * limit or rest > 0.2 * change:
            continue
        words = set()
        if lag:
            words.add("latency")
        if any(gain < 0 for gain in gains):
            words.add("polarity")
        if any(abs(abs(gain) - 1) > 2e-6 for gain in gains):
            words.add("gain")
        if list(order) != sorted(order):
            words.add("channelOrder")
        if surplus not in (0, lag):
            words.add("length")
        if words:
            found.append((words, worst < limit / 4 and rest < 0.0125 * change))
    return found


def fit(new, old):
    """The gain that fits one channel to another, and the peak and RMS of the rest."""
    power = sum(e * e for e in old)
    gain = sum(a * e for a, e in zip(new, old)) / power if power > 0 else 1.0
    if abs(abs(gain) - 1) < 1e-6:
        gain = math.copysign(1.0, gain)
    left = [a - gain * e for a, e in zip(new, old)]
    peak = max((abs(value) for value in left), default=0.0)
    return gain, peak, math.sqrt(sum(value * value for value in left) / max(len(left), 1))
