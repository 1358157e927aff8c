#!/usr/bin/env python3
"""Draws the level curves of imported dynamics beside those of the originals: plugins that fxrun hosts, sox, ffmpeg and ecasound. A
tone of 1 kHz at levels from -60 to 0 dB, both channels alike, each level for 1.5 s; the level of the last 0.3 s is printed in dB. Fails
where they are farther from each other than the number beside the preset.

Usage: curves.py FXRUN FOLDER   (FOLDER has a folder for each format)
"""
import importlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import numpy
import rendering

RATE = 48000
LSP = "http://lsp-plug.in/plugins/lv2/"
LEVELS = list(range(-60, 1, 5))
# Presets, the largest difference where the output is above -70 dB, and a level that is not compared: the gate of LSP
# opens by degrees in a zone below its threshold, fxrun's at the threshold.
CASES = {
    "easyeffects/compressor.json": (0.5, None), "easyeffects/expander.json": (1, None),
    "easyeffects/gate.json": (1, -45), "easyeffects/limiter.json": (0.5, None),
    "sox/compand.txt": (1, None), "ffmpeg/compressor.txt": (1, None), "ffmpeg/gate.txt": (2, None),
    "ffmpeg/limiter.txt": (0.5, None), "ecasound/compressor.ecs": (1, None), "ecasound/gate.ecs": (0.5, None),
    "ecasound/clip.ecs": (0.1, None),
}

SIDECHAIN = {"mode": "scm", "source": "scs", "reactivity": "scr", "preamp": "scp", "lookahead": "sla"}
KEYS = {
    "compressor": {"attack": "at", "release": "rt", "threshold": "al", "release-threshold": "rrl", "ratio": "cr",
                   "knee": "kn", "makeup": "mk"},
    "expander": {"attack": "at", "release": "rt", "threshold": "al", "release-threshold": "rrl", "ratio": "er",
                 "knee": "kn", "makeup": "mk"},
    "gate": {"attack": "at", "release": "rt", "hysteresis": "gh", "curve-threshold": "gt", "curve-zone": "gz",
             "hysteresis-threshold": "ht", "hysteresis-zone": "hz", "reduction": "gr", "makeup": "mk"},
    "limiter": {"mode": "mode", "lookahead": "lk", "attack": "at", "release": "rt", "threshold": "th",
                "gain-boost": "boost", "alr": "alr", "stereo-link": "slink"},
}
DECIBELS = {"al", "rrl", "kn", "mk", "gt", "gz", "ht", "hz", "gr", "scp", "th"}
MILLISECONDS = {"at", "rt", "scr", "sla", "lk"}
# The plugin's words where they are not those of the preset, and its own defaults that a preset does not have.
WORDS = {"Low-Pass": "LPF", "Uniform": "SMA"}
FIXED = {"compressor": {"cm": "Down"}, "expander": {"em": "Down"}, "gate": {}, "limiter": {}}


def value(port, given):
    if port in DECIBELS:
        return f"{max(given, -120)} dB"
    if port in MILLISECONDS:
        return f"{given} ms"
    return given / 100 if port == "slink" else WORDS.get(given, given)


def original(preset):
    section = preset.get("output") or preset["input"]
    name = section["plugins_order"][0]
    kind, settings = name.partition("#")[0], section[name]
    parameters = dict(FIXED[kind])
    parameters.update({KEYS[kind][key]: value(KEYS[kind][key], given) for key, given in settings.items()
                       if key in KEYS[kind]})
    parameters.update({SIDECHAIN[key]: value(SIDECHAIN[key], given)
                       for key, given in settings.get("sidechain", {}).items() if key in SIDECHAIN})
    return [{"unit": "gain", "parameters": {"gain": f"{settings.get('input-gain', 0)} dB"}},
            {"lv2": f"{LSP}{kind}_stereo", "parameters": parameters},
            {"unit": "gain", "parameters": {"gain": f"{settings.get('output-gain', 0)} dB"}}]


def rendered(program, path, folder):
    """The output of an imported chain and of the original, and the names of both."""
    source = os.path.join(folder, "in.wav")
    ours, theirs = os.path.join(folder, "imported.json"), os.path.join(folder, "original.json")
    form = path.parent.name
    module = importlib.import_module(form)
    arguments = getattr(module, "arguments", lambda path: [str(path)])
    subprocess.run([program, "import", *arguments(path), "-o", ours], check=True, stderr=subprocess.DEVNULL)
    if form == "easyeffects":
        with open(theirs, "w") as file:
            json.dump({"version": 2, "sampleRate": RATE, "channels": 2, "chain": original(json.loads(path.read_text()))},
                      file)
        chains = [theirs, ours]
        files = []
    else:
        files = [os.path.join(folder, "original.wav")]
        if form == "ecasound":
            module.render(path, source, files[0])
        else:
            subprocess.run(module.command(path, source, files[0]), check=True, stdin=subprocess.DEVNULL)
        chains = [ours]
    for chain in chains:
        files.append(os.path.join(folder, f"{len(files)}.wav"))
        subprocess.run([program, chain, source, "-o", files[-1], "--bits", "32", "-q"], check=True)
    return [rendering.read(file)[:, 0] for file in files]


def signal():
    length = int(1.5 * RATE)
    tone = numpy.sin(2 * numpy.pi * 1000 * numpy.arange(length) / RATE)
    samples = numpy.concatenate([tone * 10 ** (level / 20) for level in LEVELS])
    return numpy.stack([samples, samples], 1)


def curve(samples):
    ends = [int(1.5 * RATE) * (index + 1) for index in range(len(LEVELS))]
    return [10 * numpy.log10(2 * numpy.mean(samples[end - int(0.3 * RATE):end] ** 2) + 1e-12) for end in ends]


def main():
    program, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    failures = 0
    print(f"{'level':22}" + "".join(f"{level:7}" for level in LEVELS))
    for name, (limit, without) in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            rendering.write(os.path.join(folder, "in.wav"), signal(), RATE)
            curves = [curve(samples) for samples in rendered(program, root / name, folder)]
        print(name)
        for who, levels in zip(["original", "imported"], curves):
            print(f"  {who:20}" + "".join(f"{level:7.2f}" for level in levels))
        worst = max(abs(a - b) for level, a, b in zip(LEVELS, *curves) if max(a, b) > -70 and level != without)
        failures += worst > limit
        print(f"  difference: {worst:.2f} dB" + ("  TOO FAR" if worst > limit else ""))
    sys.exit(f"{failures} curves are too far from the original" if failures else 0)


if __name__ == "__main__":
    main()
