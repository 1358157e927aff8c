#!/usr/bin/env python3
"""Measures the start of a chain with one LV2 plugin: with every installed plugin in LV2_PATH, and with
only that plugin's bundle.

Prints medians of wall and processor time of runs that take turns, for a tenth of a second of sound.

usage: startup.py FXRUN [URI] [ROUNDS]
"""

import json
import os
import statistics
import struct
import subprocess
import sys
import tempfile
import time

URI = "http://gareus.org/oss/lv2/fil4#stereo"
INSTALLED = "/usr/local/lib/lv2:/usr/lib/lv2:/usr/lib/x86_64-linux-gnu/lv2"


def sound(path, frames=4800):
    """Writes silence: stereo, 16 bits, 48000 Hz."""
    data = bytes(4 * frames)
    form = struct.pack("<HHIIHH", 1, 2, 48000, 192000, 4, 16)
    with open(path, "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt " + struct.pack("<I", 16) + form)
        file.write(b"data" + struct.pack("<I", len(data)) + data)


def bundle_of(fxrun, uri):
    """The plugin's bundle, and the number of installed plugins."""
    env = {**os.environ, "LV2_PATH": INSTALLED}
    found = json.loads(subprocess.run([fxrun, "plugins", "--json"], env=env, capture_output=True, check=True).stdout)
    # The JSON is the list itself or an object that contains it.
    plugins = found if isinstance(found, list) else found.get("plugins", [])
    bundles = [plugin["bundle"] for plugin in plugins if plugin["uri"] == uri]
    if not bundles:
        sys.exit(f"{uri} is not installed")
    return bundles[0].rstrip("/"), len(plugins)


def measure(command, path):
    """The wall and processor time of one run, in milliseconds."""
    start = time.perf_counter()
    process = subprocess.Popen(command, env={**os.environ, "LV2_PATH": path}, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    if status != 0:
        sys.exit(f"failed: {' '.join(command)}")
    return wall * 1000, (usage.ru_utime + usage.ru_stime) * 1000


def main():
    fxrun = sys.argv[1]
    uri = sys.argv[2] if len(sys.argv) > 2 else URI
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 40
    bundle, count = bundle_of(fxrun, uri)
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(f"{folder}/lv2")
        os.symlink(bundle, f"{folder}/lv2/{os.path.basename(bundle)}")
        sound(f"{folder}/in.wav")
        chains = {}
        for name, nodes in (("plugin", [{"lv2": uri}]), ("empty", [])):
            chains[name] = [fxrun, f"{folder}/{name}.json", f"{folder}/in.wav", "-o", f"{folder}/out.wav", "-q"]
            with open(f"{folder}/{name}.json", "w", encoding="utf-8") as file:
                json.dump({"version": 1, "tail": "none", "chain": nodes}, file)
        cases = {
            f"{count} plugins installed": (chains["plugin"], INSTALLED),
            "its bundle alone": (chains["plugin"], f"{folder}/lv2"),
            "an empty chain": (chains["empty"], INSTALLED),
        }
        figures = {name: [] for name in cases}
        for index in range(rounds + 2):
            for name, case in cases.items():
                figure = measure(*case)
                if index >= 2:  # two rounds to warm up
                    figures[name].append(figure)
    print(f"{uri}, {rounds} rounds, medians")
    print(f"{'':28}{'wall ms':>9}{'CPU ms':>9}")
    for name, values in figures.items():
        wall, processor = (statistics.median(column) for column in zip(*values))
        print(f"{name:28}{wall:9.1f}{processor:9.1f}")


main()
