#!/usr/bin/env python3
"""Compares the time of a suite of 100 golden cases of ten seconds with the same renders without a suite.

Prints the processor time of `fxrun test` and of 100 runs of `fxrun CHAIN in.wav -o out.wav`, in turn, and
the median of their ratios.

usage: suite.py FXRUN [ROUNDS]
"""

import glob
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

CASES = 100


def chains():
    """Examples with one input and one output and without plugins."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "chains")
    found = []
    for path in sorted(glob.glob(f"{folder}/*.json")):
        text = open(path, encoding="utf-8").read()
        if ".test." in path or '"lv2"' in text or '"output"' in text or text.count('"source"') > 1:
            continue
        found.append(os.path.abspath(path))
    return found


def spent(command, cwd):
    """The processor and wall seconds of a command and its child processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    run = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode != 0:
        sys.exit(f"failed: {' '.join(command)}\n{run.stdout[-2000:]}{run.stderr[-2000:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def main():
    fxrun = os.path.abspath(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    found = chains()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["sox", "-n", "-r", "48000", "-c", "2", "-b", "24", f"{folder}/in.wav", "synth", "10", "pinknoise", "vol", "0.3"],
            check=True, stderr=subprocess.DEVNULL)
        used = [found[index % len(found)] for index in range(CASES)]
        for index, chain in enumerate(used):
            with open(f"{folder}/case{index:03}.test.json", "w", encoding="utf-8") as file:
                json.dump({"version": 1, "chain": os.path.relpath(chain, folder), "input": "in.wav"}, file)
        spent([fxrun, "test", "--update", "--jobs", "2"], folder)
        bare = "\n".join(f'"{fxrun}" -q "{chain}" in.wav -o out{index % 2}.wav --bits 32 || exit 1' for index, chain in enumerate(used))
        with open(f"{folder}/bare.sh", "w", encoding="utf-8") as file:
            file.write(bare + "\n")
        figures = []
        for index in range(rounds + 1):
            suite = spent([fxrun, "test", "--jobs", "2"], folder)
            plain = spent(["sh", "bare.sh"], folder)
            if index:  # a round to warm up
                figures.append((suite, plain))
                print(f"suite {suite[0]:.2f} s ({suite[1]:.2f} s wall), bare {plain[0]:.2f} s: {suite[0] / plain[0]:.3f}", flush=True)
    ratios = [suite[0] / plain[0] for suite, plain in figures]
    print(f"{CASES} cases of 10 s from {len(found)} chains, {rounds} rounds: {statistics.median(ratios):.3f} of the processor time "
          f"of the bare renders ({min(ratios):.3f} to {max(ratios):.3f})")


if __name__ == "__main__":
    main()
