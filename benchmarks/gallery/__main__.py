"""Runs the examples' commands, measures the results and writes the gallery; see scripts/gallery.

usage: benchmarks/gallery FXRUN [--check] [FOLDER] [CHAIN...]
"""

import json
import os
import pathlib
import re
import shlex
import struct
import subprocess
import sys
import tempfile

import numpy

import browser
import graph
import sources
from page import page
from spectrogram import draw

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOUNDS = {".wav", ".flac", ".ogg", ".mp3", ".opus"}
# Clicks, or noise up to the end, are intended in these examples.
ROUGH = {"old-record", "game", "drum-punch"}


def run(command, **settings):
    words = [str(word) for word in command]
    result = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120, **settings)
    if result.returncode != 0:
        raise RuntimeError(f"{shlex.join(words)}: {result.stderr.strip() or result.stdout.strip()}")
    return result.stdout


class Gallery:
    def __init__(self, fxrun, folder):
        self.fxrun = os.path.abspath(fxrun)
        self.folder = pathlib.Path(folder)
        for name in ("audio", "pictures"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        self.faults = []

    def examples(self, chosen):
        """The rows of the table: chain and command."""
        rows = re.findall(r"^\| \[([\w-]+)\]\(\1\.json\) \| .* \| `(fxrun .*)` \|$", (ROOT / "chains/README.md").read_text(), re.M)
        return [row for row in rows if not chosen or row[0] in chosen]

    def example(self, chain, command):
        document = json.loads((ROOT / f"chains/{chain}.json").read_text())
        found = {
            "file": chain, "name": document["name"], "comment": document["comment"], "command": command, "sounds": [],
            "graph": self.graph(chain),
        }
        if "--capture" in command:
            found["command"] += "\n# records from a sound card; not tried here"
            return found
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "chains").symlink_to(ROOT / "chains")
            words = shlex.split(command)
            given = self.provide(chain, words, folder)
            run([self.fxrun, *words[1:], "-q"], cwd=folder)
            made = sorted(path for path in folder.iterdir() if path.suffix in SOUNDS and path not in given)
            if not made:
                self.faults.append(f"{chain}: nothing was written")
            for path in given:
                found["sounds"].append(self.sound(chain, path, "Before: " + path.name))
            for path in made:
                found["sounds"].append(self.sound(chain, path, "After: " + path.name))
                self.judge(chain, path, found["sounds"][-1]["figures"])
        return found

    def provide(self, chain, words, folder):
        """Creates the input files of a command."""
        written = {words[index + 1].split("=")[-1] for index, word in enumerate(words) if word in ("-o", "--output")}
        given = []
        for word in words[1:]:
            name = word.split("=")[-1]
            path = folder / name
            if path.suffix not in SOUNDS or name in written or path in given:
                continue
            sound = sources.sound(chain, path.stem)
            if sound is None:
                self.faults.append(f"{chain}: there is no sound called {name}")
                continue
            self.write(path, sound)
            given.append(path)
        return given

    def write(self, path, sound):
        floats = path.with_suffix(".float.wav")
        floats.write_bytes(wave(sound))
        run([self.fxrun, "none", floats, "-o", path, "-q", *([] if path.suffix in (".mp3", ".ogg", ".opus") else ["--bits", "24"])])
        floats.unlink()

    def sound(self, chain, path, title):
        name = f"{chain}-{path.stem}"
        audio, picture = f"audio/{name}.mp3", f"pictures/{name}.png"
        (self.folder / audio).unlink(missing_ok=True)
        figures = self.figures(path)
        stereo = ["--channels", "1,2"] if figures["channels"] > 2 else []
        run([self.fxrun, "none", path, "-o", self.folder / audio, "-q", *stereo])
        draw(samples(path), sources.RATE, self.folder / picture)
        return {"title": title, "audio": audio, "picture": picture, "figures": figures}

    def figures(self, path):
        found = json.loads(run([self.fxrun, "stats", path, "--json"]))[0]
        return {
            "seconds": found["seconds"], "loudness": found["loudness"].get("integrated"),
            "truePeak": found["loudness"].get("truePeak", -200), "channels": len(found["channels"]),
            "clipped": sum(channel["clippedSamples"] for channel in found["channels"]),
            "dc": max(abs(channel["dc"]) for channel in found["channels"]),
        }

    def judge(self, chain, path, figures):
        """Checks for clipping, DC offset and clicks."""
        if figures["clipped"] or figures["truePeak"] > -0.5:
            self.faults.append(f"{chain}: {path.name} peaks at {figures['truePeak']:.1f} dB")
        if figures["dc"] > 10 ** (-50 / 20):
            self.faults.append(f"{chain}: {path.name} has a DC of {20 * numpy.log10(figures['dc']):.0f} dB")
        heard = samples(path)
        if chain in ROUGH:
            return
        if len(heard) and max(abs(heard[0]), abs(heard[-1])) > 0.02:
            self.faults.append(f"{chain}: {path.name} begins or ends in the middle of a sound")
        count = clicks(heard)
        if count:
            self.faults.append(f"{chain}: {path.name} has {count} clicks")

    def graph(self, chain):
        """Draws a chain from left to right, and from top to bottom for narrow screens."""
        try:
            return graph.draw(run([self.fxrun, "plan", "--dot", ROOT / f"chains/{chain}.json"]), self.folder, f"pictures/{chain}")
        except RuntimeError as error:
            self.faults.append(f"{chain}: {error}")
            return None


def wave(sound):
    """Writes a WAV file with 32-bit floats."""
    data = sound.astype("<f4").tobytes()
    width = sound.shape[1]
    form = struct.pack("<HHIIHH", 3, width, sources.RATE, 4 * width * sources.RATE, 4 * width, 32)
    chunks = b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(chunks)) + chunks


def samples(path):
    """Reads a sound as mono, at the sample rate of the sources."""
    command = ["ffmpeg", "-v", "error", "-i", path, "-f", "f32le", "-ac", "1", "-ar", str(sources.RATE), "-"]
    result = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, check=True)
    return numpy.frombuffer(result.stdout, numpy.float32)


def clicks(samples):
    """Counts samples whose third difference exceeds 15 times the RMS around it."""
    bend = numpy.abs(numpy.diff(samples.astype(float), 3))
    if len(bend) < 4096:
        return 0
    window = numpy.ones(481) / 481
    around = numpy.sqrt(numpy.convolve(bend ** 2, window, "same"))
    # For a single click in silence, the RMS itself is 1/22 of the click.
    return int(((bend > 15 * around) & (bend > 0.02)).sum())


def main():
    words = [word for word in sys.argv[2:] if word != "--check"]
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder = pathlib.Path(words[0]) if words else ROOT / "out/gallery"
    gallery = Gallery(sys.argv[1], folder)
    examples = []
    rows = gallery.examples(set(words[1:]))
    for number, (chain, command) in enumerate(rows):
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {len(rows)}: {chain}\033[K", end="", file=sys.stderr, flush=True)
        try:
            examples.append(gallery.example(chain, command))
        except RuntimeError as error:
            gallery.faults.append(f"{chain}: {error}")
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    (folder / "index.html").write_text(page(examples))
    if "--check" in sys.argv[2:]:
        gallery.faults += browser.check(folder)
    print(f"{folder / 'index.html'}: {len(examples)} examples")
    if gallery.faults:
        sys.exit("\n".join(gallery.faults))


main()
