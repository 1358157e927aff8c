#!/usr/bin/env python3
"""Exports chains to each format and imports them again: the responses of both chains are the same to -100 dB where the
export is faithful. Prints a line for each pair; fails where one is not the same, and where a chain is exported faithfully
to no format.

Usage: roundtrip.py FXRUN FOLDER   (FOLDER has chains)
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import numpy
import rendering

RATE = 48000
FORMATS = {"apo": [], "camilladsp": [], "ffmpeg": ["--ffmpeg"], "pipewire": [], "sox": ["--sox"]}
LIMIT = 1e-5


def imported(program, form, file, folder):
    """The chain that an exported configuration becomes."""
    chain = os.path.join(folder, "imported.json")
    option = FORMATS[form]
    given = option + [pathlib.Path(file).read_text().strip()] if option else [file]
    subprocess.run([program, "import", *given, "-o", chain], check=True, stderr=subprocess.DEVNULL)
    return chain


def main():
    program, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    failures = 0
    for path in sorted(root.iterdir()):
        outputs = 1 if path.stem == "mono" else 2
        reference = rendering.responses(program, str(path), 2, outputs, RATE)
        faithful = 0
        for form in FORMATS:
            with tempfile.TemporaryDirectory() as folder:
                file = os.path.join(folder, "exported")
                command = [program, "export", str(path), "--to", form, "-o", file, "--strict"]
                status = subprocess.run(command, stderr=subprocess.DEVNULL).returncode
                if status == 7:
                    print(f"{path.stem} to {form}: not faithful")
                    continue
                if status != 0:
                    sys.exit(f"{path.stem} to {form}: exit status {status}")
                faithful += 1
                found = rendering.responses(program, imported(program, form, file, folder), 2, outputs, RATE)
            error = max(float(numpy.abs(one - other).max()) for rows in zip(reference, found) for one, other in zip(*rows))
            failures += error > LIMIT
            level = 20 * numpy.log10(error + 1e-12)
            print(f"{path.stem} to {form}: {level:.0f} dB" + ("  TOO FAR" if error > LIMIT else ""), flush=True)
        if faithful == 0:
            sys.exit(f"{path.stem}: faithful in no format")
    sys.exit(f"{failures} chains differ by more than -100 dB" if failures else 0)


if __name__ == "__main__":
    main()
