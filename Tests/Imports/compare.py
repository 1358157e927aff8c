#!/usr/bin/env python3
"""Imports the linear configurations of each format, renders an impulse in each channel through the chain, and compares
the responses with those that the format's own documents give. Prints a line for each; fails above 0.1 dB.

Usage: compare.py FXRUN FOLDER   (FOLDER has a folder for each format)
"""
import importlib
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import numpy
from cookbook import SIZE

LIMIT = 0.1


def write(path, samples, rate):
    """A WAV file of 32-bit floats: frames × channels."""
    data = samples.astype("<f4").tobytes()
    channels = samples.shape[1]
    with open(path, "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt ")
        file.write(struct.pack("<IHHIIHH", 16, 3, channels, rate, rate * channels * 4, channels * 4, 32))
        file.write(b"data" + struct.pack("<I", len(data)) + data)


def render(program, chain, source, channels, folder):
    raw = os.path.join(folder, "out.raw")
    subprocess.run([program, chain, source, "-o", raw, "--bits", "32", "-q"], check=True)
    return numpy.fromfile(raw, "<f4").reshape(-1, channels)[:SIZE]


def compare(program, module, path, folder):
    """The largest difference in dB where the reference is above -60 dB, and of a sample below."""
    chain = os.path.join(folder, "chain.json")
    subprocess.run([program, "import", str(path), "-o", chain], check=True, stderr=subprocess.DEVNULL)
    rate, reference = module.responses(path)
    worst = 0.0
    for entry in range(len(reference[0])):
        samples = numpy.zeros((SIZE, len(reference[0])))
        samples[0, entry] = 1
        source = os.path.join(folder, "in.wav")
        write(source, samples, rate)
        rendered = render(program, chain, source, len(reference), folder)
        for channel, row in enumerate(reference):
            frames = numpy.zeros(SIZE)
            frames[: len(rendered)] = rendered[:, channel]
            found = numpy.fft.rfft(frames)
            frequency = numpy.arange(SIZE // 2 + 1) * rate / SIZE
            audible = (frequency >= 20) & (frequency <= min(20000, 0.45 * rate))
            # The error relative to the response, which counts phase and delay too.
            floor = numpy.maximum(numpy.abs(row[entry]), 1e-3)
            error = numpy.abs(found - row[entry])[audible] / floor[audible]
            worst = max(worst, float(20 * numpy.log10(1 + error.max())))
    return worst


def main():
    program, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    failures = 0
    for form in ["camilladsp", "pipewire"]:
        module = importlib.import_module(form)
        for path in sorted((root / form).iterdir()):
            with tempfile.TemporaryDirectory() as folder:
                worst = compare(program, module, path, folder)
            failures += worst > LIMIT
            print(f"{form}/{path.name}: {worst:.4f} dB" + ("  TOO FAR" if worst > LIMIT else ""))
    sys.exit(f"{failures} configurations differ by more than {LIMIT} dB" if failures else 0)


if __name__ == "__main__":
    main()
