#!/usr/bin/env python3
"""Times fxrun against sox and ffmpeg with the same effects over the same MP3, in turn.

Prints the median processor time (all threads, user and system) and wall time of each program and
the median of the ratios round by round, which holds where the machine's speed drifts.

usage: compare.py FXRUN INPUT.mp3 FOLDER [ROUNDS]
"""

import os
import statistics
import subprocess
import sys
import time

BANDS = [(31, 2), (62, -2), (125, 1), (250, -1), (500, 2), (1000, -2), (2000, 1), (4000, -1), (8000, 2), (16000, -2)]
HERE = os.path.dirname(os.path.abspath(__file__))


def commands(fxrun, source, folder):
    """The programs' command lines by name. sox has no brick-wall limiter and ffmpeg no reverb: each
    does its nearest (a gain with a limiter; three echoes, which are cheaper than a reverb)."""
    sox_bands = [word for hertz, gain in BANDS for word in ("equalizer", str(hertz), "1.41q", str(gain))]
    ffmpeg_bands = ",".join(f"equalizer=f={hertz}:t=q:w=1.41:g={gain}" for hertz, gain in BANDS)
    ffmpeg_filter = (
        f"highpass=f=80,{ffmpeg_bands},acompressor=threshold=0.1:ratio=4:attack=5:release=100,"
        "aecho=0.8:0.7:43|61|79:0.3|0.25|0.2,alimiter=limit=0.891"
    )
    out = lambda name: os.path.join(folder, name + ".wav")
    chain = lambda name: os.path.join(HERE, name + "-chain.json")
    return {
        "fxrun": [fxrun, chain("voice"), source, "-o", out("fxrun"), "--bits", "16", "-q"],
        "sox": ["sox", "-V1", source, "-b", "16", out("sox"), "highpass", "80", *sox_bands,
                "compand", "0.005,0.1", "6:-70,-20,-5", "0", "-90", "reverb", "30", "gain", "-l", "1"],
        "ffmpeg": ["ffmpeg", "-v", "error", "-nostdin", "-y", "-i", source, "-af", ffmpeg_filter,
                   "-c:a", "pcm_s16le", out("ffmpeg")],
        "fxrun, empty chain": [fxrun, chain("empty"), source, "-o", out("empty"), "--bits", "16", "-q"],
        "mpg123 -w": ["mpg123", "-q", "-w", out("mpg123"), source],
    }


def measure(command):
    """Processor and wall seconds of one run."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    if status != 0:
        sys.exit(f"failed: {' '.join(command)}")
    return usage.ru_utime + usage.ru_stime, wall


def main():
    fxrun, source, folder = sys.argv[1:4]
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    programs = commands(fxrun, source, folder)
    for command in programs.values():
        measure(command)  # a warm-up
    cpu = {name: [] for name in programs}
    wall = {name: [] for name in programs}
    for _ in range(rounds):
        for name, command in programs.items():
            seconds = measure(command)
            cpu[name].append(seconds[0])
            wall[name].append(seconds[1])
    print(f"{rounds} rounds, medians; ratios are fxrun's processor time over the other's")
    print(f"{'':20}{'CPU s':>8}{'wall s':>8}{'ratio':>8}{'min':>7}{'max':>7}")
    for name in programs:
        base = "fxrun, empty chain" if name == "mpg123 -w" else "fxrun"
        ratios = sorted(a / b for a, b in zip(cpu[base], cpu[name]))
        row = f"{name:20}{statistics.median(cpu[name]):8.2f}{statistics.median(wall[name]):8.2f}"
        if not name.startswith("fxrun"):
            row += f"{statistics.median(ratios):8.2f}{ratios[0]:7.2f}{ratios[-1]:7.2f}"
        print(row)
    print("(the last ratio is that of the empty chain)")


main()
