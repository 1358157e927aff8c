#!/usr/bin/env python3
"""Measures the cost of "isolated": true for a block: renders a WAV file through an LV2 plugin with and
without it, in turn, at several block sizes.

Processor time is user and system time of all threads of fxrun and of the plugin's process. Wall time is
that of the render. Offline, the render waits for every answer, so the additional time is what it takes to
send a block to the other process, render it there and get it back. Prints medians over the rounds, per
block, in microseconds.

usage: isolation.py FXRUN FOLDER [ROUNDS [SECONDS [URI]]]
"""

import json
import os
import statistics
import subprocess
import sys
import time
import wave

BLOCKS = [64, 256]
RATE = 48000


def write_input(path, seconds):
    state, samples = 1, bytearray()
    for _ in range(2 * RATE):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        samples += ((state >> 18) - 8192).to_bytes(2, "little", signed=True)
    with wave.open(path, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        for _ in range(seconds):
            file.writeframes(samples)


def measure(command):
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    # Includes the child processes that fxrun has waited for.
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"failed: {' '.join(command)}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - start


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, folder = sys.argv[1:3]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    seconds = int(sys.argv[4]) if len(sys.argv) > 4 else 60
    uri = sys.argv[5] if len(sys.argv) > 5 else "http://gareus.org/oss/lv2/fil4#stereo"
    os.makedirs(folder, exist_ok=True)
    source = os.path.join(folder, "in.wav")
    write_input(source, seconds)
    for isolated in [False, True]:
        chain = {"version": 1, "tail": "none", "chain": [{"lv2": uri, "isolated": isolated}]}
        with open(os.path.join(folder, f"{isolated}.json"), "w", encoding="utf-8") as file:
            json.dump(chain, file)
    print(f"{uri}, {seconds} s of stereo at {RATE} Hz, {rounds} rounds; microseconds a block")
    print(f"{'block':>6} {'':>10} {'in fxrun':>10} {'isolated':>10} {'more':>10}")
    for block in BLOCKS:
        blocks = seconds * RATE / block
        times = {False: [], True: []}
        for _ in range(rounds):
            for isolated in [False, True]:
                times[isolated].append(
                    measure([
                        program, os.path.join(folder, f"{isolated}.json"), source, "-q",
                        "-o", os.path.join(folder, "out.wav"), "--block-size", str(block),
                    ]))
        for index, name in enumerate(["processor", "wall"]):
            near, far = (
                statistics.median(t[index] for t in times[isolated]) / blocks * 1e6
                for isolated in [False, True])
            print(f"{block:>6} {name:>10} {near:>10.2f} {far:>10.2f} {far - near:>10.2f}")


if __name__ == "__main__":
    main()
