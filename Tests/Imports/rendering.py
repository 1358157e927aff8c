"""Renders impulses through a chain with fxrun, for the responses of the chain."""
import os
import struct
import subprocess
import tempfile
import numpy
from cookbook import SIZE


def write(path, samples, rate):
    """A WAV file of 32-bit floats: frames × channels."""
    data = samples.astype("<f4").tobytes()
    channels = samples.shape[1]
    with open(path, "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt ")
        file.write(struct.pack("<IHHIIHH", 16, 3, channels, rate, rate * channels * 4, channels * 4, 32))
        file.write(b"data" + struct.pack("<I", len(data)) + data)


def read(path):
    """The samples of a WAV file of 32-bit floats: frames × channels."""
    with open(path, "rb") as file:
        data = file.read()
    place = 12
    while data[place:place + 4] != b"data":
        if data[place:place + 4] == b"fmt ":
            channels = struct.unpack_from("<H", data, place + 10)[0]
        place += 8 + struct.unpack_from("<I", data, place + 4)[0]
    size = struct.unpack_from("<I", data, place + 4)[0]
    frames = min(size, len(data) - place - 8) // (4 * channels)
    return numpy.frombuffer(data, "<f4", frames * channels, place + 8).reshape(-1, channels).astype(float)


def responses(program, chain, inputs, outputs, rate):
    """The complex responses of a chain: outputs × inputs × frequencies, from one impulse in each input."""
    rows = [[None] * inputs for _ in range(outputs)]
    with tempfile.TemporaryDirectory() as folder:
        source, raw = os.path.join(folder, "in.wav"), os.path.join(folder, "out.raw")
        for entry in range(inputs):
            samples = numpy.zeros((SIZE, inputs))
            samples[0, entry] = 1
            write(source, samples, rate)
            subprocess.run([program, chain, source, "-o", raw, "--bits", "32", "-q"], check=True)
            rendered = numpy.fromfile(raw, "<f4").reshape(-1, outputs)[:SIZE]
            for channel in range(outputs):
                frames = numpy.zeros(SIZE)
                frames[: len(rendered)] = rendered[:, channel]
                rows[channel][entry] = numpy.fft.rfft(frames)
    return rows
