"""Makes, reads and compares sounds: interleaved 32-bit floats, as bytes."""
import array
import math
import random
import struct

FLOAT_BYTES = 4


def noise(seconds, rate=48000, channels=2, seed=1, level=0.25):
    """Noise with a tone; no two parts of it are the same."""
    generator = random.Random(seed)
    step = 2 * math.pi * 997 / rate
    samples = array.array("f")
    for frame in range(int(seconds * rate)):
        tone = 0.5 * math.sin(step * frame)
        for _ in range(channels):
            samples.append(level * (tone + generator.uniform(-1, 1)))
    return samples.tobytes()


def write_wav(path, data, rate=48000, channels=2):
    """A WAV of 32-bit floats."""
    width = channels * FLOAT_BYTES
    form = struct.pack("<HHIIHH", 3, channels, rate, rate * width, width, 32)
    body = b"fmt " + struct.pack("<I", len(form)) + form
    body += b"data" + struct.pack("<I", len(data)) + data
    path.write_bytes(b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WAVE" + body)


def read_wav(path):
    """The samples of a WAV of 32-bit floats; raises ValueError for any other file."""
    content = path.read_bytes()
    if content[:4] not in (b"RIFF", b"RF64") or content[8:12] != b"WAVE":
        raise ValueError(f"{path.name} is no WAV")
    at, format_tag, bits = 12, None, None
    while at + 8 <= len(content):
        name, size = content[at:at + 4], struct.unpack_from("<I", content, at + 4)[0]
        if name == b"fmt ":
            format_tag, bits = struct.unpack_from("<H12xH", content, at + 8)
        elif name == b"data":
            data = content[at + 8:at + 8 + size]
            if len(data) != size:
                raise ValueError(f"{path.name} is cut off: {len(data)} of {size} bytes")
            if bits != 32 or format_tag not in (3, 0xFFFE):
                raise ValueError(f"{path.name} is not of 32-bit floats")
            return data
        at += 8 + size + size % 2
    raise ValueError(f"{path.name} has no data")


def floats(data, sample_format):
    """Samples of a card as floats between -1 and 1."""
    if sample_format == "FLOAT_LE":
        return array.array("f", data)
    if sample_format == "S16_LE":
        return array.array("f", (value / 2**15 for value in array.array("h", data)))
    if sample_format == "S32_LE":
        return array.array("f", (value / 2**31 for value in array.array("i", data)))
    if sample_format == "S24_LE":
        shifted = ((value << 8 & 0xFFFFFFFF) for value in array.array("i", data))
        return array.array("f", ((value - (value >> 31 << 32)) / 2**31 for value in shifted))
    assert sample_format == "S24_3LE"
    return array.array("f", (
        int.from_bytes(data[at:at + 3], "little", signed=True) / 2**23
        for at in range(0, len(data), 3)))


def first_difference(left, right, width):
    """The first frame in which two sounds differ within their common length, or None."""
    length = min(len(left), len(right))
    if left[:length] == right[:length]:
        return None
    at = next(i for i in range(length) if left[i] != right[i])
    return at // width


def is_silent(data):
    """Whether all samples are zero, of either sign."""
    return not data.strip(b"\0\x80") or not any(array.array("f", data))
