"""Changes a sound in known ways, and compares the causes from fxrun diff with the changes.

    scripts/mutate-sounds --seed N [--count 64] [--only K] [--sound FILE.wav] [--folder FOLDER]

FXRUN_BINARY names a built fxrun.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np

import kinds
import music


def main():
    parser = argparse.ArgumentParser(
        prog="scripts/mutate-sounds",
        description="Changes a sound in known ways and says whether fxrun diff names the cause of each.")
    parser.add_argument("--seed", type=int, default=1, help="another one, other changes and another sound")
    parser.add_argument("--count", type=int, default=64, help="changes (default 64)")
    parser.add_argument("--only", type=int, metavar="K", help="the change of this number alone")
    parser.add_argument("--sound", help="a WAV file (16 bits or floats) in place of music that is made")
    parser.add_argument("--speech", action="store_true", help="speech in place of music")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="changes at a time")
    parser.add_argument("--least", type=int, help="named rightly at least (default 9 of 10 with a known cause)")
    parser.add_argument("--folder", help="where to work, and to keep what was wrong")
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.folder or tempfile.mkdtemp(prefix="fxrun-sounds-"))
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        parser.error(f"{folder} is not empty")
    if arguments.sound:
        sound, rate = music.read(arguments.sound)
    else:
        make = music.speech if arguments.speech else lambda seed: music.Music(seed).make()
        sound, rate = make(arguments.seed), music.RATE
    music.write(folder / "sound.wav", sound, rate)
    order = drawn(arguments.seed, arguments.count, kinds.usable(sound.shape[1]))
    numbers = range(arguments.count) if arguments.only is None else [arguments.only]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(
            lambda number: judged(folder, sound, rate, arguments.seed, number, order[number]), numbers))
    words = [word for word, _ in results]
    counts = collections.Counter(words)
    claims = sum(word != "right" and claimed for word, claimed in results)
    print(f"\nseed {arguments.seed}: {counts['right']} of {len(words)} named first with the right cause, "
          f"{counts['FALSE']} false causes, {counts['unknown']} cause unknown; "
          f"{claims} false claims of \"nothing else\"")
    # Of the kinds that need not be known, none can be right.
    known = sum(bool(order[number].causes) for number in numbers)
    least = arguments.least if arguments.least is not None else known * 9 // 10
    is_good = counts["FALSE"] == 0 and (arguments.only is not None or counts["right"] >= least)
    if is_good and not arguments.folder:
        shutil.rmtree(folder)
    return 0 if is_good else 1


def drawn(seed, count, usable):
    """The same number of every kind, in a random order."""
    random = np.random.default_rng([seed, 1])
    order = []
    while len(order) < count:
        order += [usable[index] for index in random.permutation(len(usable))]
    return order


def judged(folder, sound, rate, seed, number, kind):
    path = folder / f"{number}-{kind.__name__}.wav"
    for attempt in range(16):
        draw = kinds.Draw(np.random.default_rng([seed, 2, number, attempt]), rate, sound)
        made = kind(sound, draw)
        if draw.among("stored as", "floats", "24 bits") == "24 bits":
            made = music.recorded(made)
        made = np.asarray(made, np.float32)
        # A change without effect is drawn again, for example 16 bits of a sound with 16 bits.
        if not np.array_equal(made, sound):
            break
    music.write(path, made, rate)
    run = subprocess.run(
        [os.environ["FXRUN_BINARY"], "diff", "--json", str(folder / "sound.wav"), str(path)],
        capture_output=True, text=True, check=False)
    if run.returncode != 7:
        told, line = f"exit status {run.returncode}", run.stderr.strip()
    else:
        value = json.loads(run.stdout)
        told, line = next((cause["kind"] for cause in value["causes"]), "unknown"), value["lines"][0]
    word = "right" if told in kind.causes else told if told == "unknown" else "FALSE"
    print(f"{number:4} {word:8} {kind.__name__} ({', '.join(draw.words)}): {told} | {line}", flush=True)
    if word != "FALSE":
        path.unlink()
    return word, "nothing else" in line


sys.exit(main())
