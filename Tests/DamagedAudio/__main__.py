"""Damages sound files, and compares what fxrun decodes with what ffmpeg decodes.

    scripts/damage-audio [--seed N] [--count 30] [--codec mp3] [--only K] [--folder NEW]

FXRUN_BINARY names a built fxrun.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading

import kinds
import material

LOSS = re.compile(r"(damaged|truncated)( at [0-9.]+ s: .*([0-9.]+ s|[0-9]+ bytes?)|: .* [0-9.]+ s of [0-9.]+ s| at [0-9.]+ s: the end is missing)")
SHARE = 0.95
CHAIN = '{ "version": 1, "chain": [ { "unit": "gain" } ] }'


def main():
    parser = argparse.ArgumentParser(
        prog="scripts/damage-audio",
        description="Damages sound files and compares what fxrun decodes of them with what ffmpeg does.")
    parser.add_argument("--seed", type=int, default=1, help="another one, other damage")
    parser.add_argument("--count", type=int, default=30, help="files of each kind of damage (default 30)")
    parser.add_argument("--codec", choices=sorted(material.RECIPES), help="files of this codec alone")
    parser.add_argument("--kind", help="this kind of damage alone")
    parser.add_argument("--only", type=int, metavar="K", help="the file of this number alone")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="files at a time")
    parser.add_argument("--folder", help="where to work, and to keep the files")
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.folder or tempfile.mkdtemp(prefix="fxrun-damage-")).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "chain.json").write_text(CHAIN)
    is_good = True
    for codec in [arguments.codec] if arguments.codec else material.RECIPES:
        made = [material.make(folder, recipe) for recipe in material.RECIPES[codec]]
        jobs = [(codec, kind, number) for kind in kinds.KINDS[codec]
                if arguments.kind in (None, kind.__name__) for number in range(arguments.count)
                if arguments.only in (None, number)]
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            results = list(pool.map(
                lambda job: judged(folder, made, arguments.seed, *job), jobs))
        is_good = told(codec, results) and is_good
    if is_good and not arguments.folder:
        shutil.rmtree(folder)
    return 0 if is_good else 1


def judged(folder, made, seed, codec, kind, number):
    """The kind, and for a file and a pipe: whether enough was decoded and every loss reported."""
    draw = random.Random(f"{seed} {codec} {kind.__name__} {number}")
    which = number % len(made)
    recipe = material.RECIPES[codec][which]
    path = folder / f"{codec}-{kind.__name__}-{number}.{recipe.end}"
    path.write_bytes(kind(
        draw, made[which], kinds.HEADERS[codec], made[(which + 1 + number // len(made)) % len(made)]))
    wanted = frames(folder / f"{path.name}.ffmpeg.wav", [
        "ffmpeg", "-v", "quiet", "-y", "-i", path, "-c:a", "pcm_s16le",
        folder / f"{path.name}.ffmpeg.wav"])[0]
    whole = whole_frames(folder, made[which], recipe)
    whole += whole_frames(folder, made[which], recipe) // 10 if kind is kinds.joined else 0
    line = f"{path.name}: ffmpeg {wanted}"
    found = []
    for way in ("file", "pipe"):
        output = folder / f"{path.name}.{way}.wav"
        count, message, status = frames(output, [
            os.environ["FXRUN_BINARY"], "chain.json", path if way == "file" else "-", "-o", output,
            "--bits", "16"], folder, path if way == "pipe" else None)
        is_enough = count >= SHARE * wanted
        has_lost = count < whole - 200 and kind is not kinds.joined
        is_reported = not has_lost or LOSS.search(message) is not None
        is_clean = status == 0 and "mpg123" not in message
        found.append((is_enough, is_reported and is_clean))
        line += f", {way} {count}" + ("" if is_enough else " TOO FEW") + (
            "" if is_reported else " LOSS NOT REPORTED") + ("" if is_clean else f" STATUS {status}")
    if not all(map(all, found)):
        print(line, message.strip()[:300].replace("\n", " | "))
    return kind.__name__, found


def whole_frames(folder, content, recipe):
    """The number of frames that fxrun decodes from the undamaged file."""
    path = folder / recipe.name
    output = folder / f"{recipe.name}.{os.getpid()}.{id(content)}.wav"
    with whole_frames.lock:
        if recipe.name not in whole_frames.known:
            whole_frames.known[recipe.name] = frames(output, [
                os.environ["FXRUN_BINARY"], "chain.json", path, "-o", output, "--bits", "16"], folder)[0]
    return whole_frames.known[recipe.name]


whole_frames.known = {}
whole_frames.lock = threading.Lock()


def frames(output, command, folder=None, standard_input=None):
    """The number of frames in the WAV file that a command writes, its output, and its status."""
    with open(standard_input or os.devnull, "rb") as source:
        # `cat` makes standard input a pipe, which cannot seek.
        feeder = subprocess.Popen(["cat"], stdin=source, stdout=subprocess.PIPE)
        run = subprocess.run(
            list(map(str, command)), stdin=feeder.stdout, capture_output=True, cwd=folder, check=False,
            timeout=120)
        feeder.stdout.close()
        feeder.wait()
    message = (run.stdout + run.stderr).decode(errors="replace")
    if not output.exists():
        return 0, message, run.returncode
    header = output.read_bytes()[:4096]
    size = output.stat().st_size
    output.unlink()
    form, data = header.find(b"fmt "), header.find(b"data")
    block = struct.unpack_from("<H", header, form + 20)[0]
    return (size - data - 8) // block, message, run.returncode


def told(codec, results):
    """Prints one line per kind. Returns False if too few files are good."""
    is_good = True
    for name in dict.fromkeys(name for name, _ in results):
        found = [ways for kind, ways in results if kind == name]
        counts = collections.Counter()
        for ways in found:
            for way, (is_enough, is_reported) in zip(("file", "pipe"), ways):
                counts[way, "enough"] += is_enough
                counts[way, "reported"] += is_reported
        print(f"{codec:7} {name:12} {len(found)} files: " + ", ".join(
            f"{counts[way, 'enough']} enough and {counts[way, 'reported']} reported from a {way}"
            for way in ("file", "pipe")))
    for way in (0, 1):
        enough = sum(ways[way][0] for _, ways in results)
        is_good = is_good and enough >= SHARE * len(results) and all(ways[way][1] for _, ways in results)
    return is_good


if __name__ == "__main__":
    sys.exit(main())
