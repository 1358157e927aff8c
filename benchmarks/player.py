#!/usr/bin/env python3
"""Compares schedules of files that have other sample rates with a mix made by scipy.

Each schedule has random files (noise below 70 % of half the lower rate), positions and gains. The
reference is scipy.signal.resample_poly with a linear-phase filter whose stop band is at -160 dB, and a
sum, both in double precision. Prints the largest difference, which must stay below -110 dBFS.

usage: benchmarks/player.py FXRUN [SCHEDULES]
"""

import json
import math
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
    band = signal.firwin(1001, 0.7 * min(1, RATE / rate), window=("kaiser", 14))
    sound = signal.fftconvolve(generator.standard_normal(frames), band, "same")
    # Fades in and out so slowly that the band hardly becomes wider.
    edge = int(rate * 0.1)
    rise = numpy.blackman(2 * edge)[:edge]
    sound[:edge] *= rise
    sound[-edge:] *= rise[::-1]
    return (0.25 * sound / numpy.abs(sound).max()).astype(numpy.float32)


def resampled(sound, rate):
    divisor = math.gcd(rate, RATE)
    up, down = RATE // divisor, rate // divisor
    # The transition band is 0.8 to 1 of half the lower rate.
    taps, beta = signal.kaiserord(160, 0.2 / max(up, down))
    window = signal.firwin(taps | 1, 0.9 / max(up, down), window=("kaiser", beta))
    return signal.resample_poly(sound.astype(float), up, down, window=window)


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
                frames = int(generator.integers(rate // 2, 2 * rate))
                sound = noise(generator, rate, frames)
                wavfile.write(path, rate, sound)
                begin = int(generator.integers(0, 2 * RATE))
                gain = float(generator.integers(-20, 1))
                regions.append({"file": path.name, "at": f"{begin} frames", "gain": gain})
                length = round(frames * RATE / rate)
                mix[begin:begin + length] += resampled(sound, rate)[:length] * 10 ** (gain / 20)
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
    sys.exit(1 if worst > -110 else 0)


main()
