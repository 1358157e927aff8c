#!/usr/bin/env python3
"""Counts the instructions of eight renders under callgrind, and compares them with the counts in
benchmarks/instructions/counts.json: those of each unit, of steps between units, of reading and of writing.

A count that has grown by more than 3 % is an error and is reported with its node. Counts are valid for one
compiler and one kind of processor: on others they are printed but not compared. --update stores new counts.

    benchmarks/instructions.py FXRUN [--update] [NAME…]
"""

import argparse
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE / "instructions"
COUNTS = FOLDER / "counts.json"
VOICE = HERE.parent / "Tests/Fixtures/audio/voice.mp3"
TOLERANCE = 0.03
# Fewer instructions than this are noise from locks and the memory allocator.
LEAST = 1_000_000

# A thread that waits for another thread counts more instructions, so the lowest of several runs is used.
ATTEMPTS = 3

# The prefix of functions that call units, and the mangled name of a unit's entry: $s7FxUnits6ReverbV5entry….
ENGINE = "$s8FxEngine"
ENTRY = re.compile(r"\$s7FxUnits(\d+)")
# Functions whose whole cost is a separate part.
PARTS = [
    ("filters in one pass", "$s8FxEngine13JoinedFiltersV6render"),
    ("reading", "$s9FxPlaying10SourceFeedC9readAhead"),
    ("reading", "$s9FxPlaying10SourceFeedC4read33_"),
    ("writing", "$s9FxPlaying8SinkFeedC11writeBehind"),
    ("writing", "$s9FxPlaying8SinkFeedC8writeAll"),
]


def unit_of(function):
    """The type of a unit's entry function, such as `Reverb`; None for other functions."""
    found = ENTRY.match(function)
    if not found or "entry" not in function:
        return None
    length = int(found[1])
    return function[found.end():found.end() + length]


def calls(path):
    """The caller, the callee and the instructions of every call in a callgrind file, and the total."""
    names, caller, callee, follows, total = {}, None, None, False, 0

    def name(text):
        number, _, rest = text.partition(" ")
        if rest:
            names[number] = rest
        return names[number]

    for line in open(path, encoding="utf-8", errors="replace"):
        line = line.rstrip("\n")
        if line.startswith("fn="):
            caller = name(line[3:])
        elif line.startswith("cfn="):
            callee = name(line[4:])
        elif line.startswith("calls="):
            follows = True
        elif line.startswith("totals:"):
            total = int(line.split()[1])
        elif follows and line[:1] and line[0] in "+-*0123456789":
            follows = False
            yield caller, callee, int(line.split()[-1])
    yield None, None, total


def profiled(fxrun, chain, folder, *options):
    """Runs a render under callgrind and returns the path of the profile."""
    profile = folder / "callgrind.out"
    command = [fxrun, chain]
    if '"source": "main"' in chain.read_text():
        command.append(VOICE)
    subprocess.run(
        ["valgrind", "--quiet", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={profile}",
         *command, "-o", folder / "out.wav", "--bits", "16", "-q", *options],
        check=True, stdin=subprocess.DEVNULL, env={**os.environ, "XDG_CACHE_HOME": "/dev/null"})
    return profile


def count(fxrun, chain, folder):
    """The instructions of each part of a render on one thread."""
    parts = {}
    for caller, callee, cost in calls(profiled(fxrun, chain, folder, "--threads", "1")):
        if caller is None:
            parts["all"] = cost
            continue
        unit = unit_of(callee)
        if unit and caller.startswith(ENGINE):
            parts[unit] = parts.get(unit, 0) + cost
        for part, function in PARTS:
            if callee.startswith(function) and not caller.startswith(function):
                parts[part] = parts.get(part, 0) + cost
    parts["start and the rest"] = parts["all"] - sum(
        cost for part, cost in parts.items() if part != "all")
    return {part: cost for part, cost in parts.items() if cost >= LEAST}


def conditions():
    """The conditions of the counts: the compiler and the instruction sets of the processor."""
    version = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    swift = re.search(r"Swift version ([\d.]+)", version)
    flags = pathlib.Path("/proc/cpuinfo").read_text()
    vectors = "AVX2" if re.search(r"\bavx2\b", flags) else "no AVX2"
    return f"Swift {swift[1] if swift else 'unknown'}, {platform.machine()}, {vectors}"


def grown(found, before):
    """The parts whose counts have grown, with the growth."""
    return {
        part: cost / before[part] - 1 for part, cost in found.items()
        if part in before and cost > before[part] * (1 + TOLERANCE)}


def least(fxrun, chain, folder, before):
    """The counts of a render. Counts again if a count has grown or if there are no counts to compare with."""
    found = count(fxrun, chain, folder)
    for _ in range(ATTEMPTS - 1):
        if before and not grown(found, before):
            break
        again = count(fxrun, chain, folder)
        found = {part: min(cost, again[part]) for part, cost in found.items() if part in again}
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("fxrun", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    kept = json.loads(COUNTS.read_text()) if COUNTS.exists() else {"renders": {}}
    here = conditions()
    compares = kept.get("conditions") == here and not arguments.update
    if not compares and not arguments.update:
        print(f"the counts are of {kept.get('conditions')}, this is {here}: they are not compared")
    renders, sentences = kept["renders"], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # Without debug information Valgrind starts much faster.
        fxrun = folder / "fxrun"
        subprocess.run(["strip", "-g", "-o", fxrun, arguments.fxrun], check=True)
        for chain in sorted(FOLDER.glob("*.json")):
            if chain == COUNTS or arguments.names and chain.stem not in arguments.names:
                continue
            before = renders.get(chain.stem, {}) if compares else {}
            found = least(fxrun, chain, folder, before)
            print(chain.stem)
            for part, cost in sorted(found.items(), key=lambda item: -item[1]):
                ratio = cost / before[part] if part in before else None
                change = "new" if ratio is None else f"{100 * (ratio - 1):+.2f} %"
                print(f"  {part:24}{cost:14,}  {change}")
            for part, more in grown(found, before).items():
                sentences.append(f"{chain.stem}: {part} takes {100 * more:.1f} % more instructions")
            renders[chain.stem] = found
    if arguments.update:
        document = {"conditions": here, "renders": renders}
        COUNTS.write_text(json.dumps(document, indent=2, sort_keys=True) + "\n")
        return
    for sentence in sentences:
        print(f"error: {sentence}", file=sys.stderr)
    if sentences:
        sys.exit("counts have grown by more than 3 %; where that is meant, scripts/count-instructions --update")


main()
