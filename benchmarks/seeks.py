#!/usr/bin/env python3
"""Compares the sound after random jumps with a full decode, sample by sample.

    benchmarks/seeks.py FXRUN FILE… [--seeks 1000] [--seed 1]

Every jump is a render with --start; its samples must be identical to those of the whole render.
"""

import argparse
import json
import pathlib
import random
import struct
import subprocess
import tempfile


def samples(path):
    """The sample rate, the bytes of a frame, and all sample bytes of a float WAV file."""
    data = path.read_bytes()
    place, rate, frame = 12, 0, 0
    while place + 8 <= len(data):
        name, size = data[place:place + 4], struct.unpack_from("<I", data, place + 4)[0]
        if name == b"fmt ":
            rate = struct.unpack_from("<I", data, place + 12)[0]
            frame = struct.unpack_from("<H", data, place + 20)[0]
        if name == b"data":
            return rate, frame, data[place + 8:place + 8 + size]
        place += 8 + size + size % 2
    raise SystemExit(f"{path}: no samples")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fxrun")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--seeks", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    program = pathlib.Path(options.fxrun).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        chain = folder / "chain.json"
        chain.write_text(json.dumps({"version": 1, "tail": "none", "chain": [{"unit": "gain"}]}))

        def render(file, output, *more):
            subprocess.run(
                [program, chain, file, "-o", output, "-q", "--bits", "32", "--no-tags", *more],
                check=True)
            return samples(output)

        for file in options.files:
            rate, size, whole = render(file, folder / "whole.wav")
            count = len(whole) // size
            generator = random.Random(options.seed)
            wrong = 0
            for _ in range(options.seeks):
                start = generator.randrange(count - 1)
                _, _, part = render(
                    file, folder / "part.wav", "--start", f"{start / rate:.9f}",
                    "--duration", "0.05")
                wanted = whole[start * size:start * size + len(part)]
                wrong += not part or part[:len(wanted)] != wanted
            print(f"{file}: {options.seeks - wrong} of {options.seeks} jumps give the same samples",
                  flush=True)


if __name__ == "__main__":
    main()
