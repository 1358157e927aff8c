"""Draws a spectrogram: time from left to right, 40 Hz to 20 kHz from bottom to top, 100 dB from dark to bright."""

import struct
import zlib

import numpy

SIZE = (640, 200)
LENGTH = 4096
RANGE = 100
FREQUENCIES = (40, 20000)
# The colours from the lowest to the highest level, as red, green, blue.
COLOURS = numpy.array([(0, 0, 4), (59, 15, 112), (140, 41, 129), (222, 73, 104), (254, 159, 109), (252, 253, 191)])


def draw(samples, rate, path):
    """Writes a PNG of a mono sound."""
    width, height = SIZE
    padded = numpy.concatenate([numpy.zeros(LENGTH // 2), samples, numpy.zeros(LENGTH)])
    starts = numpy.linspace(0, max(len(samples) - 1, 0), width).astype(int)
    window = numpy.hanning(LENGTH)
    rows = numpy.abs(numpy.fft.rfft(padded[starts[:, None] + numpy.arange(LENGTH)] * window)) / window.sum() * 2
    # The loudest bin of each row of the picture.
    edges = numpy.geomspace(*FREQUENCIES, height + 1) * LENGTH / rate
    low = edges[:-1].astype(int)
    high = numpy.maximum(numpy.ceil(edges[1:]).astype(int), low + 1)
    levels = numpy.stack([rows[:, a:b].max(1) for a, b in zip(low, high)][::-1])
    decibels = 20 * numpy.log10(numpy.maximum(levels, 1e-9))
    place = numpy.clip(1 + decibels / RANGE, 0, 1) * (len(COLOURS) - 1)
    pixels = numpy.stack([numpy.interp(place, range(len(COLOURS)), colour) for colour in COLOURS.T], -1)
    path.write_bytes(png(pixels.round().astype(numpy.uint8)))


def gradient():
    """The colours for a style sheet."""
    return f"linear-gradient(90deg, {', '.join('rgb({}, {}, {})'.format(*colour) for colour in COLOURS)})"


def png(pixels):
    height, width, _ = pixels.shape
    lines = b"".join(b"\0" + line.tobytes() for line in pixels)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in (
            (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(lines)), (b"IEND", b"")))
