#!/usr/bin/env python3
"""Compares schedules of files with other sample rates with a mix of what sox makes of the files.

Each schedule has random files (noise below 80 % of half their rate), places and gains. The reference is
`sox FILE -r RATE` at its very high quality, and a sum in double precision. Prints the largest
difference, which has to stay below -110 dBFS.

usage: benchmarks/player.py FXRUN [SCHEDULES]
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import numpy
from scipy import signal
from scipy.io import wavfile

RATE = 48000
RATES = [8000, 16000, 22050, 32000, 44100, 96000]


def noise(generator, rate, frames):
    band = signal.firwin(1001, 0.8, window=("kaiser", 14))
    sound = signal.fftconvolve(generator.standard_normal(frames), band, "same")
    edge = int(rate * 0.02)
    window = numpy.ones(frames)
    window[:edge] = numpy.sin(numpy.linspace(0, numpy.pi / 2, edge)) ** 2
    window[-edge:] = window[:edge][::-1]
    # The window widens the band a little, so it comes before the filter a second time.
    sound = signal.fftconvolve(sound * window, band, "same")
    return (0.25 * sound / numpy.abs(sound).max()).astype(numpy.float32)


def main():
    fxrun = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    worst = -400.0
    for seed in range(count):
        generator = numpy.random.default_rng(seed)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            regions, mix = [], numpy.zeros(RATE * 6)
            for index in range(int(generator.integers(2, 7))):
                rate = int(generator.choice(RATES))
                path = folder / f"{index}.wav"
                wavfile.write(path, rate, noise(generator, rate, int(generator.integers(rate // 2, 2 * rate))))
                begin = int(generator.integers(0, 2 * RATE))
                gain = float(generator.integers(-20, 1))
                regions.append({"file": path.name, "at": f"{begin} frames", "gain": gain})
                converted = folder / "converted.wav"
                subprocess.run(
                    ["sox", "-D", path, "-r", str(RATE), "-e", "float", "-b", "32", converted,
                     "rate", "-v", str(RATE)], check=True)
                sound = wavfile.read(converted)[1].astype(float) * 10 ** (gain / 20)
                mix[begin:begin + len(sound)] += sound
            chain = {
                "version": 1, "sampleRate": RATE, "tail": "none",
                "nodes": {"show": {"source": {"player": regions}}, "out": {"sink": "main"}},
                "connections": ["show -> out"],
            }
            (folder / "chain.json").write_text(json.dumps(chain))
            subprocess.run(
                [fxrun, folder / "chain.json", "-o", folder / "out.wav", "--bits", "32", "--quiet"],
                check=True)
            heard = wavfile.read(folder / "out.wav")[1].astype(float)
            error = numpy.abs(heard - mix[:len(heard)]).max()
            level = 20 * numpy.log10(max(error, 1e-20))
            worst = max(worst, level)
            print(f"schedule {seed}: {len(regions)} regions, {level:.1f} dBFS")
    print(f"largest difference: {worst:.1f} dBFS")
    sys.exit(worst > -110)


main()
