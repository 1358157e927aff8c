"""WAV files of floats: the input signals of plugins, and their outputs."""

import array
import math
import struct

FLOAT = 3


def write(path, rate, channels):
    """Writes channels of equal length to a WAV of 32-bit floats."""
    interleaved = array.array("f", bytes(4 * len(channels) * len(channels[0])))
    for index, channel in enumerate(channels):
        interleaved[index::len(channels)] = array.array("f", channel)
    data = interleaved.tobytes()
    block = 4 * len(channels)
    form = struct.pack("<HHIIHH", FLOAT, len(channels), rate, rate * block, block, 32)
    with open(path, "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", 20 + 8 + len(form) + len(data)) + b"WAVE")
        file.write(b"fmt " + struct.pack("<I", len(form)) + form)
        file.write(b"fact" + struct.pack("<II", 4, len(channels[0])))
        file.write(b"data" + struct.pack("<I", len(data)) + data)


def signal(rate, seconds=5.0, seed=1):
    """Stereo: five sines and noise per channel, different in both; peaks near -6 dBFS."""
    count = int(rate * seconds)
    channels = []
    for side in range(2):
        state = seed * 2 + side
        tones = [(110 * (1 + side) * k * k + 37 * k, 0.06) for k in range(1, 6)]
        steps = [2 * math.pi * hertz / rate for hertz, _ in tones]
        channel = []
        for n in range(count):
            # Knuth's multiplicative congruential noise: the same numbers on every machine.
            state = (state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
            noise = ((state >> 33) / 2**30 - 1) * 0.2
            channel.append(noise + sum(a * math.sin(s * n) for s, (_, a) in zip(steps, tones)))
        channels.append(channel)
    return channels


def passages(rate, seconds):
    """Stereo: the signal above for two of five seconds, then silence, the same 24 dB quieter,
    silence with single samples in it, and short bursts. It tests gates, followers and tails."""
    channels = signal(rate, seconds)
    second = rate * seconds // 5
    for channel in channels:
        for frame in range(len(channel)):
            if frame < 2 * second:
                continue
            place = frame - 2 * second
            if place < second // 2:
                gain = 0.0
            elif place < second:
                gain = 0.063
            elif place < 2 * second:
                gain = 1.0 if place % (second // 4) == 0 else 0.0
            else:
                gain = 1.0 if place % (second // 4) < second // 16 else 0.0
            channel[frame] *= gain
    return channels


def impulse(rate, seconds, height=0.5):
    """Stereo: one sample at frame 0, then silence."""
    count = int(rate * seconds)
    return [[height] + [0.0] * (count - 1) for _ in range(2)]


class Sound:
    """The samples of a WAV, interleaved. Other formats are converted to 32-bit floats."""

    def __init__(self, path):
        with open(path, "rb") as file:
            content = file.read()
        if content[:4] not in (b"RIFF", b"RF64") or content[8:12] != b"WAVE":
            raise ValueError("no WAV file")
        position, form, data = 12, None, b""
        while position + 8 <= len(content):
            name, size = content[position:position + 4], struct.unpack_from("<I", content, position + 4)[0]
            body = content[position + 8:position + 8 + size]
            if name == b"fmt ":
                form = body
            elif name == b"data":
                data = body
                break
            position += 8 + size + size % 2
        if form is None:
            raise ValueError("no format")
        tag, self.channels, self.rate, _, block, bits = struct.unpack_from("<HHIIHH", form)
        if tag == 0xFFFE:
            tag = struct.unpack_from("<H", form, 24)[0]
        data = data[:len(data) // block * block]
        self.samples = self._floats(tag, bits, data)
        self.frames = len(self.samples) // self.channels

    @staticmethod
    def _floats(tag, bits, data):
        if (tag, bits) == (FLOAT, 32):
            samples = array.array("f")
            samples.frombytes(data)
            return samples
        if (tag, bits) == (1, 16):
            whole = array.array("h")
            whole.frombytes(data)
            return array.array("f", (n / 32768 for n in whole))
        if (tag, bits) == (1, 24):
            numbers = (int.from_bytes(data[i:i + 3], "little", signed=True) for i in range(0, len(data), 3))
            return array.array("f", (n / 8388608 for n in numbers))
        if (tag, bits) == (1, 32):
            whole = array.array("i")
            whole.frombytes(data)
            return array.array("f", (n / 2147483648 for n in whole))
        raise ValueError(f"format {tag} of {bits} bits")

    @property
    def peak(self):
        return max(max(self.samples, default=0), -min(self.samples, default=0))

    @property
    def is_finite(self):
        return math.isfinite(sum(self.samples))

    def narrow(self, channels):
        """Keeps only the first channels."""
        kept = array.array("f", bytes(4 * channels * self.frames))
        for index in range(channels):
            kept[index::channels] = self.channel(index)
        self.samples, self.channels = kept, channels

    def channel(self, index):
        return self.samples[index::self.channels]

    def has_same_bits(self, other):
        return self.channels == other.channels and self.samples.tobytes() == other.samples.tobytes()

    def difference(self, other):
        """The largest difference of two samples, and the first frame with one, of equal lengths."""
        largest, first = 0.0, None
        for index, (a, b) in enumerate(zip(self.samples, other.samples)):
            if a != b:
                first = index // self.channels if first is None else first
                largest = max(largest, abs(a - b))
        return largest, first
