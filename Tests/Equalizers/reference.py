"""Writes the equalizer texts and the levels that they must have.

    python3 Tests/Equalizers/reference.py

The texts are in cases.py with their meaning, written by hand from the documents of the formats: no program reads them here.
"""
import json
import pathlib

import numpy as np

from cases import CASES

FOLDER = pathlib.Path(__file__).parent
# Bins of a transform of this many frames, twelve to the octave from 20 Hz to 20 kHz.
LENGTH = 65536


def bins(rate):
    hertz = np.append(20 * 2 ** (np.arange(0, 119) / 12), 20000)
    return sorted({int(round(value * LENGTH / rate)) for value in hertz if value < 0.46 * rate})


def unused(case):
    """The numbers of the lines that are not used."""
    lines = case["text"].splitlines()
    numbers = []
    for wanted in case["unused"]:
        found = [index + 1 for index, line in enumerate(lines) if line == wanted]
        assert len(found) == 1, (case["name"], wanted, found)
        numbers += found
    return sorted(numbers)


def main():
    texts = FOLDER / "texts"
    texts.mkdir(exist_ok=True)
    for old in texts.iterdir():
        old.unlink()
    entries = []
    for case in CASES:
        (texts / f"{case['name']}.txt").write_bytes(case["text"].encode(case["encoding"]))
        rate = case["rate"]
        used = bins(rate)
        hertz = np.array(used) * rate / LENGTH
        levels = []
        for filters in case["channels"]:
            level = sum((one(hertz, rate) for one in filters), np.zeros(len(hertz)))
            levels.append([round(float(max(value, -300)), 4) for value in level])
        entries.append({
            "name": case["name"], "rate": rate, "unused": unused(case), "bins": used, "levels": levels})
    assert len({entry["name"] for entry in entries}) == len(entries)
    reference = json.dumps({"length": LENGTH, "cases": entries}, separators=(",", ":"))
    (FOLDER / "reference.json").write_text(reference.replace('{"name"', '\n{"name"') + "\n")
    print(len(entries), "texts")


if __name__ == "__main__":
    main()
