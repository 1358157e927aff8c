"""Compares the times of fxrun and its peers, in turn, and writes docs/benchmarks.md.

    benchmarks/peers FXRUN PYTHON MUSIC_FOLDER [--rounds 7] [--minutes 10] [--task NAME…]

PYTHON is an interpreter with pedalboard; MUSIC_FOLDER contains stereo sound files.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import page
from tasks import tasks

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"


def measure(command, written):
    """The processor seconds, wall seconds and peak resident set in bytes of one run; None if it fails.

    `written` is the folder that programs write to. It is emptied first, outside of the measured time. fxrun
    writes a new file before it removes the old one, so that no partial file is visible. This needs new memory,
    which a virtual machine may have to request from its host. A program that truncates the old file does not.
    """
    for path in written.iterdir():
        path.unlink()
    start = time.monotonic()
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    if status != 0:
        return None
    return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024


def run(task, rounds, written):
    """The runs of all rounds, by program. A program that fails is left out, with a message."""
    runs = {}
    for program, command in task.installed().items():
        if measure(command, written) is None:
            print(f"{task.title}: {program} fails: {' '.join(command)}", file=sys.stderr)
        else:
            runs[program] = []
    # Short tasks are noisy.
    for _ in range(rounds if task.name != "second" else 5 * rounds):
        for program in runs:
            runs[program].append(measure(task.commands[program], written))
    return page.Result(task, {program: found for program, found in runs.items() if None not in found})


def prepare(music, minutes, folder):
    """Makes the sounds: music as MP3 and as WAV, and one second of it."""
    files = sorted(path for path in music.rglob("*") if path.suffix in (".ogg", ".flac", ".mp3", ".wav"))
    if not files:
        sys.exit(f"no sound files in {music}")
    sound = folder / "music.wav"
    subprocess.run(
        ["sox", "-V1", *files, "-b", "16", "-r", "44100", "-c", "2", sound, "trim", "0", str(60 * minutes)],
        check=True)
    subprocess.run(["lame", "-S", "-V", "2", sound, folder / "music.mp3"], check=True)
    second = folder / "one-second.wav"
    subprocess.run(["sox", "-V1", sound, second, "trim", str(20 * minutes), "1"], check=True)
    return folder / "music.mp3", sound, second


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("fxrun")
    parser.add_argument("python")
    parser.add_argument("music", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--task", action="append")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sounds = prepare(arguments.music, arguments.minutes, folder)
        written = folder / "written"
        written.mkdir()
        results = []
        for task in tasks(arguments.fxrun, arguments.python, *sounds, folder):
            if arguments.task and task.name not in arguments.task:
                continue
            result = run(task, arguments.rounds, written)
            print(f"\n{task.title}\n{page.table(result)}", flush=True)
            results.append(result)
    if not arguments.task:
        page.write(
            DOCS, results, arguments.rounds, 60 * arguments.minutes, arguments.fxrun, arguments.python)


main()
