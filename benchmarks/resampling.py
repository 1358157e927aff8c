#!/usr/bin/env python3
"""Compares the conversion from 44.1 to 48 kHz with sox and ffmpeg: time, and noise added to a sine.

    resampling.py FXRUN [--minutes 10] [--runs 5] [--hours 0]

Time is processor time for a stereo file, WAV to WAV in 32-bit float: the median of runs that take turns.
veryHigh, high, medium and low are qualities of fxrun. The noise is what remains of a sine of -1 dBFS after the
sine itself, fitted by least squares, has been subtracted: everything up to 24 kHz, relative to the sine. --hours N
also converts a file of that length and prints the memory use. Needs numpy, sox and ffmpeg with soxr.
"""
import argparse
import json
import os
import resource
import statistics
import struct
import subprocess
import tempfile
import time

import numpy as np

CHAIN = {"version": 1, "sampleRate": 48000, "tail": "none", "chain": []}
FLOAT = ["-acodec", "pcm_f32le"]


def write(path, rate, channels):
    samples = np.column_stack(channels).astype("<f4").tobytes()
    with open(path, "wb") as file:
        file.write(header(rate, len(channels), 3, 32, len(samples)))
        file.write(samples)


def header(rate, width, kind, bits, size):
    frame = width * bits // 8
    return (b"RIFF" + struct.pack("<I", size + 36) + b"WAVEfmt "
            + struct.pack("<IHHIIHH", 16, kind, width, rate, rate * frame, frame, bits)
            + b"data" + struct.pack("<I", size))


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    place, kind, bits, width = 12, 0, 0, 0
    while place < len(data):
        name, size = data[place:place + 4], struct.unpack("<I", data[place + 4:place + 8])[0]
        if name == b"fmt ":
            kind, width, _, _, _, bits = struct.unpack("<HHIIHH", data[place + 8:place + 24])
        if name == b"data":
            assert bits == 32, f"{path} has {bits} bits"
            body = np.frombuffer(data[place + 8:place + 8 + size], "<f4")
            return body.reshape(-1, width).astype(float)
        place += 8 + size + size % 2
    raise SystemExit(f"{path} has no sound")


def commands(fxrun, source, target):
    own = {
        name: [fxrun, "chain.json", source, "-o", target, "--bits", "32", "-q", "--resampling", name]
        for name in ("veryHigh", "high", "medium", "low")}
    return {
        **own,
        "sox -v": ["sox", "-V1", source, "-e", "float", "-b", "32", target, "rate", "-v", "48000"],
        "sox -l": ["sox", "-V1", source, "-e", "float", "-b", "32", target, "rate", "-l", "48000"],
        "ffmpeg soxr 28": ["ffmpeg", "-v", "error", "-nostdin", "-y", "-i", source, "-af",
                           "aresample=48000:resampler=soxr:precision=28", *FLOAT, target],
    }


def timed(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def noise(samples, frequency):
    """The noise relative to the sine, in dB; the ends, where filters begin and end, are left out."""
    sound = samples[4800:-4800, 0]
    angle = 2 * np.pi * frequency * np.arange(len(sound)) / 48000
    basis = np.column_stack([np.sin(angle), np.cos(angle)])
    share = np.linalg.lstsq(basis, sound, rcond=None)[0]
    rest = sound - basis @ share
    ratio = np.mean((basis @ share) ** 2) / np.mean(rest ** 2)
    return 10 * np.log10(ratio), 20 * np.log10(np.hypot(*share))


def memory(command):
    """The peak memory of a program, in KB."""
    highest = 0
    run = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    while run.poll() is None:
        try:
            with open(f"/proc/{run.pid}/status") as file:
                for line in file:
                    if line.startswith("VmHWM"):
                        highest = max(highest, int(line.split()[1]))
        except OSError:
            pass
        time.sleep(0.05)
    assert run.returncode == 0
    return highest


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("fxrun")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--hours", type=float, default=0)
    arguments = parser.parse_args()
    fxrun = os.path.abspath(arguments.fxrun)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("chain.json", "w") as file:
            json.dump(CHAIN, file)
        random = np.random.default_rng(1)
        count = int(arguments.minutes * 60 * 44100)
        write("music.wav", 44100, random.uniform(-0.5, 0.5, (2, count)))
        times = {name: [] for name in commands(fxrun, "", "")}
        for _ in range(arguments.runs):
            for name, command in commands(fxrun, "music.wav", "out.wav").items():
                times[name].append(timed(command))
        medians = {name: statistics.median(values) for name, values in times.items()}
        for name, median in medians.items():
            ratio = median / medians["sox -v"]
            print(f"{name:15} {median:6.2f} s of processors   {ratio:.2f} of sox -v")
        os.remove("music.wav")
        for frequency in (100, 997, 10000, 17500, 19500):
            seconds = np.arange(44100 * 4) / 44100
            level = 10 ** (-1 / 20)
            write("sine.wav", 44100, [level * np.sin(2 * np.pi * frequency * seconds)])
            row = []
            for name, command in commands(fxrun, "sine.wav", "out.wav").items():
                timed(command)
                below, gain = noise(read("out.wav"), frequency)
                row.append(f"{name} {below:6.1f} ({gain + 1:+.4f})")
            print(f"{frequency:6} Hz   " + "   ".join(row))
        if arguments.hours:
            frames = int(arguments.hours * 3600 * 44100)
            with open("long.wav", "wb") as file:
                file.write(header(44100, 2, 1, 16, frames * 4))
                # A sparse file: silence that uses no disk space.
                file.truncate(44 + frames * 4)
            command = commands(fxrun, "long.wav", "long.flac")["veryHigh"]
            command[command.index("32")] = "16"
            print(f"{arguments.hours:g} hours: {memory(command) / 1024:.0f} MB at most")


main()
