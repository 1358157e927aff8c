#!/usr/bin/env python3
"""Runs every installed LV2 effect with fxrun, and compares the sound with that of a bare loop.

Called by scripts/lv2-corpus, which installs the plugins and builds both programs. Each finding is a
file of its own, so that an interrupted run can continue.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
import threading

import audio
import latency
import peers
import presets
import report
import soundless
from audio import Sound
from hosts import Room, reason

LIMIT = 120


class Effect:
    """One plugin with audio inputs and outputs."""

    def __init__(self, fields, package):
        self.uri, self.bundle = fields[0], fields[1]
        self.main, self.side, self.outputs = (int(field) for field in fields[2:5])
        self.reports_latency = fields[5] == "1"
        self.name = fields[6]
        self.package = package
        self.presets = []

    @property
    def key(self):
        return hashlib.sha1(self.uri.encode()).hexdigest()[:16]

    @property
    def node(self):
        return {"lv2": self.uri}

    def chain(self, node=None):
        """The shortest chain that plays a stereo file through the plugin. A plugin that is neither
        stereo nor one channel in and out needs a downmix to one channel before it."""
        fits = self.main == 2 or (self.main == 1 and self.outputs == 1)
        nodes = ([] if fits else [{"unit": "downmix", "channels": 1}]) + [node or self.node]
        return {"version": 1, "tail": "none", "chain": nodes}


def effects(bare, lv2_path, pattern):
    listing = subprocess.run(
        [bare, "--list"], env={**os.environ, "LV2_PATH": lv2_path}, check=True, capture_output=True)
    found, packages = {}, {}
    for line in listing.stdout.decode("utf-8", "replace").splitlines():
        kind, *fields = line.split("\t")
        if kind == "effect":
            bundle = fields[1].rstrip("/")
            if bundle not in packages:
                packages[bundle] = package_of(bundle)
            found[fields[0]] = Effect(fields, packages[bundle])
        elif fields[0] in found:
            found[fields[0]].presets.append(fields[1])
    chosen = [effect for effect in found.values() if re.search(pattern, effect.uri + " " + effect.package)]
    return sorted(chosen, key=lambda effect: (effect.package, effect.uri))


def package_of(path):
    query = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True)
    return query.stdout.split(":")[0].split(",")[0] if query.returncode == 0 else "(no package)"


class Corpus:
    def __init__(self, options):
        self.options = options
        self.lv2_path = options.lv2_path
        self.effects = effects(options.bare, self.lv2_path, options.only)
        self.lock = threading.Lock()
        os.makedirs(options.out, exist_ok=True)

    def input(self, rate, kind="signal", seconds=5):
        path = os.path.join(self.options.out, f"{kind}-{rate}-{seconds}.wav")
        if not os.path.exists(path):
            make = {"signal": audio.signal, "passages": audio.passages, "impulse": audio.impulse}[kind]
            channels = make(rate, seconds)
            audio.write(path + ".new", rate, channels)
            os.replace(path + ".new", path)
        return path

    def sweep(self, name, work, items):
        """Calls `work` for every item without a finding, several at a time."""
        folder = os.path.join(self.options.out, name)
        os.makedirs(folder, exist_ok=True)
        findings, todo = [], []
        for item in items:
            path = os.path.join(folder, item[0] + ".json")
            if not self.options.fresh and os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    findings.append(json.load(file))
            else:
                todo.append((path, item[1]))
        done = 0

        def one(entry):
            nonlocal done
            path, item = entry
            finding = work(item)
            with open(path + ".new", "w", encoding="utf-8") as file:
                json.dump(finding, file, indent=1)
            os.replace(path + ".new", path)
            with self.lock:
                done += 1
                if sys.stderr.isatty() or done % 100 == 0 or done == len(todo):
                    print(f"{name}: {done} of {len(todo)}", file=sys.stderr)
            return finding

        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            findings += pool.map(one, todo)
        return sorted(findings, key=lambda finding: (finding["package"], finding["uri"]))

    def peers(self, effect):
        """The results of other hosts with one effect."""
        finding = {"uri": effect.uri, "package": effect.package}
        source = self.input(48000)
        with Room(self.lv2_path) as room:
            for name in peers.installed():
                finding[name] = peers.outcome(room, name, effect.uri, source, 48000 * 5, 60)
        return finding

    def render(self, effect, rate, block, seconds):
        """Renders one effect at one rate and block size; returns the finding."""
        finding = {"uri": effect.uri, "name": effect.name, "package": effect.package}
        source = self.input(rate, seconds=seconds)
        frames = rate * seconds
        with Room(self.lv2_path) as room:
            outcome, summary = room.fxrun(
                self.options.fxrun, effect.chain(), source, room.path("ours.wav"), block, LIMIT)
            first = room.bare(self.options.bare, effect.uri, source, room.path("bare.wav"), block, LIMIT)
            second = lambda: room.bare(
                self.options.bare, effect.uri, source, room.path("again.wav"), block, LIMIT, perturbed=True)
            finding.update(self.judge(frames, room, outcome, summary, first, second, always=seconds == 5))
        return finding

    @staticmethod
    def judge(frames, room, outcome, summary, first, second, always):
        """Compares the sounds of fxrun and the bare loop. A second bare loop shows whether the
        plugin repeats itself. It runs if `always` is set or if the sounds differ."""
        if outcome.code is None:
            return {"class": "failed", "detail": "did not end"}
        if outcome.crashed:
            lines = outcome.errors.strip().splitlines()
            return {"class": "crashed", "detail": outcome.ending + (": " + lines[-1] if lines else "")}
        if outcome.code != 0:
            kind = "refused" if outcome.code == 3 else "failed"
            return {"class": kind, "detail": reason(outcome, summary), "bare": bare_reason(first)}
        ours = Sound(room.path("ours.wav"))
        result = {
            "latency": summary.get("latencyFrames", 0), "peak": ours.peak, "channels": ours.channels,
            "warnings": summary.get("warnings", []),
        }
        if ours.frames != frames:
            return {**result, "class": "failed", "detail": f"{ours.frames} frames long"}
        if not ours.is_finite or summary["outputs"][0]["nonFiniteSamples"]:
            return {**result, "class": "failed", "detail": "samples that are no numbers"}
        if first.code != 0:
            return {**result, "class": "different", "detail": f"the bare loop failed: {bare_reason(first)}"}
        bare = Sound(room.path("bare.wav"))
        # If a plugin has several groups of outputs, the main group is first. A list uses only it.
        if ours.channels < bare.channels:
            bare.narrow(ours.channels)
        if ours.has_same_bits(bare) and not always:
            return {**result, "class": "silent" if ours.peak == 0 else "equal"}
        second = second()
        again = Sound(room.path("again.wav")) if second.code == 0 else None
        if again and again.channels > ours.channels:
            again.narrow(ours.channels)
        if ours.has_same_bits(bare):
            repeats = again is not None and bare.has_same_bits(again)
            if repeats:
                return {**result, "class": "silent" if ours.peak == 0 else "equal"}
        if again is None:
            return {**result, "class": "does not repeat itself", "detail": f"a second bare loop: {second.ending}"}
        if (ours.channels, ours.frames) != (bare.channels, bare.frames):
            return {**result, "class": "different", "detail": f"{bare.channels} channels in the bare loop"}
        largest, frame = bare.difference(again)
        if largest > 0 or not bare.has_same_bits(again):
            return {
                **result, "class": "does not repeat itself",
                "detail": f"two bare loops differ by {largest:.2g} from frame {frame} on",
                "sameBits": ours.has_same_bits(bare) or ours.has_same_bits(again)}
        largest, frame = ours.difference(bare)
        return {
            **result, "class": "different", "bareLatency": int(first.output.split()[0]),
            "detail": f"by {largest:.2g} from frame {frame} on"}


def bare_reason(outcome):
    if outcome.code == 0:
        return ""
    lines = outcome.errors.strip().splitlines()
    return lines[-1] if lines and outcome.code == 3 else outcome.ending


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/lv2-corpus", description=__doc__.splitlines()[0])
    numbers = lambda text: [int(word) for word in text.split(",")]
    parser.add_argument("--rates", type=numbers, default=[48000], help="sample rates, with commas between them (48000)")
    parser.add_argument("--blocks", type=numbers, default=[256], help="frames of a block (256)")
    parser.add_argument("--also", default="", metavar="RATES:BLOCKS", help="more rates and blocks, each with each, over two seconds instead of five")
    parser.add_argument("--only", default="", metavar="PATTERN", help="effects whose URI or package matches")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, help="how many at a time")
    parser.add_argument("--out", default=".build/lv2-corpus", metavar="FOLDER", help="where findings are kept")
    parser.add_argument("--fresh", action="store_true", help="forget earlier findings")
    parser.add_argument("--peers", action="store_true", help="also run lv2file, lv2apply and ffmpeg")
    parser.add_argument("--latency", action="store_true", help="measure where an impulse comes out of the effects that report latency")
    parser.add_argument("--presets", action="store_true", help="render with every preset of the effects")
    parser.add_argument("--write", metavar="FILE", help="write the report as Markdown")
    parser.add_argument("--fxrun", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--bare", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--lv2-path", required=True, help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    options = arguments()
    corpus = Corpus(options)
    combinations = [(rate, block, 5) for rate in options.rates for block in options.blocks]
    if options.also:
        rates, blocks = ([int(word) for word in words.split(",")] for words in options.also.split(":"))
        combinations += [(rate, block, 2) for rate in rates for block in blocks]
    sections = report.Findings(options)
    for rate, block, seconds in combinations:
        corpus.input(rate, seconds=seconds)
        work = lambda effect: corpus.render(effect, rate, block, seconds)
        found = corpus.sweep(f"{rate}-{block}-{seconds}", work, [(effect.key, effect) for effect in corpus.effects])
        sections.add(rate, block, found)
    if options.peers:
        corpus.input(48000)
        sections.peers = corpus.sweep("peers", corpus.peers, [(effect.key, effect) for effect in corpus.effects])
    if options.latency:
        corpus.input(48000, "impulse")
        late = [(effect.key, effect) for effect in corpus.effects if effect.reports_latency]
        sections.latencies = corpus.sweep("latency", lambda effect: latency.measure(corpus, effect), late)
    if options.presets:
        sections.presets = corpus.sweep(
            "presets", lambda pair: presets.check(corpus, *pair),
            [(hashlib.sha1(f"{effect.uri} {preset}".encode()).hexdigest()[:16], (effect, preset))
             for effect in corpus.effects for preset in effect.presets])
    sections.soundless = soundless.probe(options.fxrun, options.lv2_path)
    print(sections.text())
    if options.write:
        with open(options.write, "w", encoding="utf-8") as file:
            file.write(sections.markdown())
    sys.exit(1 if sections.crashed else 0)


if __name__ == "__main__":
    main()
