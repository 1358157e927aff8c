#!/usr/bin/env python3
"""Compares the time of fxrun batch with that of one process for each file, of fxrun and of sox.

    batch.py FXRUN [--short 2000] [--long 50] [--seconds 3] [--minutes 2] [--kills 0] [--runs 3]

Every program applies a gain of -3 dB and a high-pass filter at 80 Hz and writes FLAC with 16 bits. 'busy' is the
processor time divided by the time of all processors; 'machine' is the share that was not idle, other programs included.
--kills N kills a batch N times at random moments and counts the files that are rendered twice.
"""
import argparse
import collections
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import wave

CHAIN = {"version": 1, "tail": "none", "chain": [
    {"unit": "gain", "parameters": {"gain": "-3 dB"}},
    {"unit": "highPass", "parameters": {"frequency": "80 Hz"}}]}


def make(folder, count, seconds, randomness):
    """Makes loud sounds that are hard to compress; the files differ in their first samples."""
    os.makedirs(folder)
    noise = randomness.randbytes(44100 * 4)
    for index in range(count):
        with wave.open(f"{folder}/{index:04}.wav", "wb") as file:
            file.setparams((2, 2, 44100, 0, "NONE", ""))
            file.writeframes(randomness.randbytes(4000))
            for _ in range(seconds):
                file.writeframes(noise)


def idle():
    with open("/proc/stat") as file:
        ticks = [int(word) for word in file.readline().split()[1:9]]
    return ticks[3] + ticks[4], sum(ticks)


def timed(command, **options):
    before, start, used = idle(), time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **options)
    took, after, now = time.monotonic() - start, idle(), resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
    switches = now.ru_nvcsw + now.ru_nivcsw - used.ru_nvcsw - used.ru_nivcsw
    processors = len(os.sched_getaffinity(0))
    machine = 1 - (after[0] - before[0]) / max(1, after[1] - before[1])
    return took, cpu / took / processors, machine, switches, cpu


def measure(title, fxrun, count, seconds, work, runs):
    os.chdir(work)
    shutil.rmtree("in", ignore_errors=True)
    make("in", count, seconds, random.Random(1))
    processors = str(len(os.sched_getaffinity(0)))
    names = sorted(os.listdir("in"))
    listing = "\n".join(names).encode()
    sides = {
        "fxrun batch": [fxrun, "batch", "chain.json", "in", "-o", "out/{name}.flac", "--bits", "16",
                        "--quiet", "--again"],
        "xargs fxrun": ["xargs", "-P", processors, "-I@", fxrun, "-q", "chain.json", "in/@", "-o",
                        "out/@.flac", "--bits", "16"],
        "xargs sox": ["xargs", "-P", processors, "-I@", "sox", "in/@", "-b", "16", "out/@.flac", "gain",
                      "-3", "highpass", "80"],
    }
    found = collections.defaultdict(list)
    for _ in range(runs):
        for name, command in sides.items():
            shutil.rmtree("out", ignore_errors=True)
            os.makedirs("out")
            found[name].append(timed(command, **({"input": listing} if command[0] == "xargs" else {})))
    print(f"{title}: {count} files of {seconds} s, median of {runs}")
    for name, all_ in found.items():
        took, busy, machine, switches, cpu = sorted(all_)[len(all_) // 2]
        print(f"  {name:12} {took:7.2f} s  {count / took:7.1f} files/s  {count * seconds / took:7.0f}x  "
              f"busy {busy * 100:5.1f} %  machine {machine * 100:5.1f} %  cpu {cpu:6.1f} s  "
              f"{switches} switches")


def kill(fxrun, times, work, count=200, seconds=3):
    os.chdir(work)
    shutil.rmtree("in", ignore_errors=True)
    shutil.rmtree("out", ignore_errors=True)
    make("in", count, seconds, random.Random(2))
    command = [fxrun, "batch", "chain.json", "in", "-o", "out/{name}.flac", "--quiet"]
    start = time.monotonic()
    subprocess.run(command, check=True)
    whole = time.monotonic() - start
    shutil.copytree("out", "whole")
    workers, worst, randomness, left = len(os.sched_getaffinity(0)), 0, random.Random(3), 0
    for _ in range(times):
        shutil.rmtree("out", ignore_errors=True)
        process = subprocess.Popen(command)
        time.sleep(randomness.uniform(0, whole))
        process.send_signal(signal.SIGKILL)
        process.wait()
        time.sleep(0.05)
        written = {name for name in os.listdir("out") if name.endswith(".flac")} \
            if os.path.isdir("out") else set()
        written = {name for name in written if not name.startswith(".")}
        recorded = set()
        if os.path.exists("out/fxrun-batch.jsonl"):
            with open("out/fxrun-batch.jsonl") as file:
                for line in file.read().split("\n")[:-1]:
                    record = json.loads(line)
                    if "output" in record:
                        recorded.add(os.path.basename(record["output"]))
        worst = max(worst, len(written - recorded))
        subprocess.run(command, check=True)
        left += len([name for name in os.listdir("out") if name.startswith(".") or ".partial" in name])
        for name in os.listdir("whole"):
            if name.endswith(".flac"):
                with open(f"whole/{name}", "rb") as one, open(f"out/{name}", "rb") as other:
                    assert one.read() == other.read(), name
    shutil.rmtree("whole")
    print(f"killed {times} times in {count} files: complete each time, at most {worst} files rendered "
          f"twice by {workers} workers, {left} files left behind")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fxrun", type=os.path.abspath)
    for name, value in (("short", 2000), ("long", 50), ("seconds", 3), ("minutes", 2), ("kills", 0),
                        ("runs", 3)):
        parser.add_argument(f"--{name}", type=int, default=value)
    arguments = parser.parse_args()
    work = tempfile.mkdtemp(dir=os.environ.get("TMPDIR"))
    with open(f"{work}/chain.json", "w") as file:
        json.dump(CHAIN, file)
    try:
        if arguments.short:
            measure("short", arguments.fxrun, arguments.short, arguments.seconds, work, arguments.runs)
        if arguments.long:
            measure("long", arguments.fxrun, arguments.long, arguments.minutes * 60, work, arguments.runs)
        if arguments.kills:
            kill(arguments.fxrun, arguments.kills, work)
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
