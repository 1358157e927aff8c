#!/usr/bin/env python3
"""Measures the cost of hosting an LV2 plugin. Compares fxrun, a bare loop over the same plugin, the empty
chain and lv2file in turn. Each renders a WAV file to a WAV file; the bare loop renders in memory.

The bare loop measures only its run() calls. All other times are processor time (user and system, all
threads) of the whole process for the whole file. "start" is fxrun with a tenth of a second of the file.
"over run" is the cost of fxrun for a block in nanoseconds, without the run() calls, the empty chain and
the start.
Ratios are computed within a round; the printed values are their medians.

usage: lv2.py FXRUN FOLDER [ROUNDS [SECONDS]]
"""

import json
import os
import shutil
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGINS = [
    ("x42 fil4, stereo", "http://gareus.org/oss/lv2/fil4#stereo"),
    ("LSP compressor, stereo", "http://lsp-plug.in/plugins/lv2/compressor_stereo"),
    ("Calf reverb", "http://calf.sourceforge.net/plugins/Reverb"),
]
BLOCKS = [64, 256, 1024]
RATE = 48000


def processor_seconds(command):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise RuntimeError(f"failed: {' '.join(command)}")
    return usage.ru_utime + usage.ru_stime


def run_seconds(command):
    """The output of a bare loop about its run() calls."""
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(result.stdout.split()[-1])


def attempt(measure, command):
    try:
        return measure(command)
    except (RuntimeError, subprocess.CalledProcessError, OSError, IndexError, ValueError):
        return None


def is_installed(uri):
    known = subprocess.run(["lv2ls"], capture_output=True, text=True, check=False).stdout
    return uri in known.split()


def build(folder):
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "lilv-0", "sndfile"],
        capture_output=True, text=True, check=True).stdout.split()
    program = os.path.join(folder, "bare-loop")
    subprocess.run(
        ["cc", "-O2", os.path.join(HERE, "bare-loop.c"), "-o", program, *flags], check=True)
    return program


def measure(programs, rounds):
    """Seconds by program and round; none for a program that fails."""
    found = {name: [] for name in programs}
    for number in range(rounds + 1):
        for name, (how, command) in programs.items():
            seconds = attempt(how, command)
            if number > 0 and seconds is not None:  # the first is a warm-up
                found[name].append(seconds)
    return found


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    fxrun, folder = sys.argv[1:3]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    seconds = int(sys.argv[4]) if len(sys.argv) > 4 else 600
    plugins = [plugin for plugin in PLUGINS if is_installed(plugin[1])]
    if not plugins:
        print("none of the measured LV2 plugins is installed")
        return
    bare = build(folder)
    source = os.path.join(folder, "noise.wav")
    subprocess.run(
        ["sox", "-n", "-r", str(RATE), "-c", "2", "-b", "24", source, "synth", str(seconds),
         "pinknoise", "vol", "0.3"], check=True)
    short = os.path.join(folder, "short.wav")
    subprocess.run(["sox", source, short, "trim", "0", "0.1"], check=True)
    print(f"{seconds} s of stereo at {RATE} Hz, {rounds} rounds, medians; times in s of processor")
    print(f"{'':24}{'block':>6}{'run()':>8}{'empty':>8}{'start':>8}{'fxrun':>8}{'lv2file':>9}"
          f"{'over run':>10}{'/run()':>8}{'-empty/run()':>14}")
    output = os.path.join(folder, "out.wav")
    chain = os.path.join(folder, "plugin.json")
    empty = os.path.join(folder, "empty.json")
    with open(empty, "w", encoding="utf-8") as file:
        json.dump({"version": 1, "chain": [], "tail": "none"}, file)
    for name, uri in plugins:
        with open(chain, "w", encoding="utf-8") as file:
            json.dump({"version": 1, "chain": [{"lv2": uri}], "tail": "none"}, file)
        for block in BLOCKS:
            def render(path, sound=source):
                return [fxrun, path, sound, "-o", output, "-q", "--block-size", str(block)]
            programs = {
                "run()": (run_seconds, [bare, uri, source, str(block)]),
                "empty": (processor_seconds, render(empty)),
                "start": (processor_seconds, render(chain, short)),
                "fxrun": (processor_seconds, render(chain)),
            }
            if shutil.which("lv2file"):
                programs["lv2file"] = (
                    processor_seconds,
                    ["lv2file", "-i", source, "-o", output, "-b", str(block), uri])
            found = measure(programs, rounds)
            row = f"{name:24}{block:6}"
            for program, width in (
                    ("run()", 8), ("empty", 8), ("start", 8), ("fxrun", 8), ("lv2file", 9)):
                times = found.get(program)
                row += f"{statistics.median(times):{width}.2f}" if times else f"{'-':>{width}}"
            turns = list(
                zip(found["run()"], found["empty"], found["start"], found["fxrun"]))
            if turns:
                blocks = seconds * RATE / block
                over = statistics.median(
                    (all_ - start - run - none) / blocks for run, none, start, all_ in turns)
                whole = statistics.median(all_ / run for run, _, _, all_ in turns)
                bare_share = statistics.median((all_ - none) / run for run, none, _, all_ in turns)
                row += f"{over * 1e9:7.0f} ns{whole:8.2f}{bare_share:14.2f}"
            print(row, flush=True)


main()
