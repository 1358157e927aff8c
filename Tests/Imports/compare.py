#!/usr/bin/env python3
"""Imports the linear configurations of each format, renders an impulse in each channel through the chain, and compares
the responses with those that the format's own documents give, or the original program. Prints a line for each; fails
above 0.1 dB.

Usage: compare.py FXRUN FOLDER [FORMAT…]   (FOLDER has a folder for each format)
"""
import importlib
import os
import pathlib
import subprocess
import sys
import tempfile
import numpy
import rendering
from cookbook import SIZE

LIMIT = 0.1
FORMATS = ["apo", "audacity", "brutefir", "camilladsp", "easyeffects", "ecasound", "ffmpeg", "jconvolver", "mod-ui", "pipewire", "sox"]


def compare(program, module, path, folder):
    """The largest difference in dB where the reference is above -60 dB or the format's floor, and relative to that
    below; None if there is no reference."""
    reference = module.responses(path, program)
    if reference is None:
        return None
    rate, reference = reference
    chain = os.path.join(folder, "chain.json")
    arguments = getattr(module, "arguments", lambda path: [str(path)])
    subprocess.run([program, "import", *arguments(path), "-o", chain], check=True, stderr=subprocess.DEVNULL)
    found = rendering.responses(program, chain, len(reference[0]), len(reference), rate)
    worst = 0.0
    frequency = numpy.arange(SIZE // 2 + 1) * rate / SIZE
    audible = (frequency >= 20) & (frequency <= min(20000, 0.45 * rate))
    for row, rendered in zip(reference, found):
        for one, other in zip(row, rendered):
            # The error relative to the response, which counts phase and delay too.
            floor = numpy.maximum(numpy.abs(one), getattr(module, "FLOOR", 1e-3))
            error = numpy.abs(other - one)[audible] / floor[audible]
            worst = max(worst, float(20 * numpy.log10(1 + error.max())))
    return worst


def main():
    program, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    failures = 0
    for form in sys.argv[3:] or FORMATS:
        module = importlib.import_module(form)
        for path in sorted(path for path in (root / form).iterdir() if path.is_file()):
            with tempfile.TemporaryDirectory() as folder:
                worst = compare(program, module, path, folder)
            if worst is None:
                continue
            failures += worst > LIMIT
            print(f"{form}/{path.name}: {worst:.4f} dB" + ("  TOO FAR" if worst > LIMIT else ""), flush=True)
    sys.exit(f"{failures} configurations differ by more than {LIMIT} dB" if failures else 0)


if __name__ == "__main__":
    main()
