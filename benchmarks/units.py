"""The cost of the units: nanoseconds of processor time for a stereo frame at 48 kHz, in blocks of 64, 256 and
1024 frames, without the start of the process and without reading and writing the file. Each unit is compared
with a peer, which was chosen before the measurement. Plugins run in fxrun at the same block size; programs and
pedalboard run on their own. All inputs of a unit receive the same sound. Writes docs/unit-costs.md;
with names of units, only their rows are measured again.

usage: python3 benchmarks/units.py FXRUN [UNIT...]
"""

import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "sound"))

from bench import Bench, pedalboard, processor_seconds  # noqa: E402

PAGE = HERE.parent / "docs" / "unit-costs.md"
BLOCKS = (64, 256, 1024)
RATE, SECONDS, ROUNDS = 48000, 30, 3

CALF = "http://calf.sourceforge.net/plugins/"
LSP = "http://lsp-plug.in/plugins/lv2/"
METRO = "http://lv2plug.in/plugins/eg-metro"
BANDS = [{"frequency": 100 * 3 ** index, "gain": 3} for index in range(5)]
EDGES = [{"upTo": 250}, {"upTo": 2500}, {}]

# Unit: its node, the peer whose cost is the goal, and all peers by kind.
UNITS = {
    "gain": ({"parameters": {"gain": -3}}, "sox", {"sox": ["vol", "0.7"], "ffmpeg": "volume=0.7:precision=float"}),
    "highPass": ({}, "pedalboard", {
        "sox": ["highpass", "80"], "ffmpeg": "highpass=f=80:precision=f32",
        "pedalboard": lambda board: board.HighpassFilter(80)}),
    "equalizer": ({"bands": BANDS}, "calf", {
        "calf": CALF + "Equalizer5Band", "sox": [word for band in BANDS for word in ("equalizer", str(band["frequency"]), "0.7q", "3")]}),
    "compressor": ({}, "pedalboard", {
        "calf": CALF + "Compressor", "ZamCompX2": "urn:zamaudio:ZamCompX2", "ffmpeg": "acompressor=threshold=0.1",
        "pedalboard": lambda board: board.Compressor(-18, 4, 5, 100)}),
    "limiter": ({}, "calf", {
        "calf": CALF + "Limiter", "LSP": LSP + "limiter_stereo", "ffmpeg": "alimiter"}),
    "gate": ({}, "pedalboard", {
        "calf": CALF + "Gate", "LSP": LSP + "gate_stereo", "pedalboard": lambda board: board.NoiseGate(-40)}),
    "expander": ({}, "LSP", {"LSP": LSP + "expander_stereo"}),
    "deEsser": ({}, "calf", {"calf": CALF + "Deesser"}),
    "transient": ({"parameters": {"attack": 6}}, "calf", {"calf": CALF + "TransientDesigner"}),
    "multiband": ({"bands": EDGES}, "calf", {"calf": CALF + "MultibandCompressor"}),
    "saturator": ({}, "calf", {"calf": CALF + "Saturator", "ffmpeg": "asoftclip=type=tanh:oversample=8"}),
    "clipper": ({}, "ffmpeg", {"ffmpeg": "asoftclip=type=hard:oversample=8"}),
    "delay": ({}, "ZamDelay", {"ZamDelay": "urn:zamaudio:ZamDelay", "calf": CALF + "VintageDelay"}),
    "reverb": ({}, "Dragonfly", {
        "Dragonfly": "https://github.com/michaelwillis/dragonfly-reverb", "calf": CALF + "Reverb", "sox": ["reverb"],
        "pedalboard": lambda board: board.Reverb()}),
    "align": ({"parameters": {"time": 0.01}}, "LSP", {"LSP": LSP + "comp_delay_stereo"}),
    "denoise": ({"learn": "always"}, "ffmpeg", {"ffmpeg": "afftdn"}),
    "meter": ({}, "ffmpeg", {"ffmpeg": "ebur128=peak=true"}),
    "tremolo": ({}, "sox", {"sox": ["tremolo", "5", "50"], "ffmpeg": "tremolo=f=5:d=0.5"}),
    "autoPan": ({}, "calf", {"calf": CALF + "Pulsator", "ffmpeg": "apulsator=hz=1"}),
    "vibrato": ({}, "ffmpeg", {"ffmpeg": "vibrato=f=5:d=0.5"}),
    "chorus": ({}, "calf", {
        "calf": CALF + "MultiChorus", "sox": "chorus 0.7 0.9 20 0.4 0.25 2 -s 23 0.4 0.3 2 -s 26 0.4 0.35 2 -s".split(),
        "pedalboard": lambda board: board.Chorus()}),
    "flanger": ({}, "calf", {"calf": CALF + "Flanger", "sox": ["flanger"], "ffmpeg": "flanger"}),
    "phaser": ({}, "calf", {
        "calf": CALF + "Phaser", "sox": "phaser 0.8 0.74 3 0.4 0.5 -s".split(), "ffmpeg": "aphaser",
        "pedalboard": lambda board: board.Phaser()}),
    "ringModulator": ({}, "calf", {"calf": CALF + "RingModulator"}),
    "frequencyShifter": ({}, "ffmpeg", {"ffmpeg": "afreqshift=shift=100"}),
    "rotary": ({}, "calf", {"calf": CALF + "RotarySpeaker"}),
    "autoWah": ({}, "calf", {"calf": CALF + "EnvelopeFilter"}),
    "exciter": ({}, "calf", {"calf": CALF + "Exciter", "ffmpeg": "aexciter"}),
    "bitcrusher": ({}, "pedalboard", {
        "calf": CALF + "Crusher", "ffmpeg": "acrusher=bits=8", "pedalboard": lambda board: board.Bitcrush(8)}),
    "tape": ({}, "calf", {"calf": CALF + "TapeSimulator"}),
    "vinyl": ({}, "calf", {"calf": CALF + "Vinyl"}),
    "pitch": ({"parameters": {"shift": 4}}, "pedalboard", {
        "sox": ["pitch", "400"], "ffmpeg": "rubberband=pitch=1.26", "pedalboard": lambda board: board.PitchShift(4)}),
    "crossfeed": ({}, "ffmpeg", {"ffmpeg": "crossfeed"}),
    "haas": ({}, "calf", {"calf": CALF + "HaasEnhancer", "ffmpeg": "haas"}),
    "spatial": ({"parameters": {"azimuth": 60}}, "-", {}),
    "binaural": ({}, "-", {}),
    "echoCancel": ({}, "-", {}),
    "voiceActivity": ({}, "-", {}),
    "midSideEncode": ({}, "calf", {"calf": CALF + "StereoTools", "ffmpeg": "stereotools=mode=lr>ms"}),
    "midSideDecode": ({}, "calf", {"calf": CALF + "StereoTools", "ffmpeg": "stereotools=mode=ms>lr"}),
    "crossfade": ({"parameters": {"position": 0.3}}, "-", {}),
    "switch": ({"choices": {"one": {}, "two": {}}}, "-", {}),
    "metronome": ({}, "eg-metro", {"eg-metro": METRO}),
    "matrix": ({"routes": [{"from": 1, "to": 2}, {"from": 2, "to": 1}]}, "sox", {"sox": ["remix", "2", "1"], "ffmpeg": "pan=stereo|c0=c1|c1=c0"}),
    "channelMap": ({"to": "stereo", "map": "FL=FR; FR=FL"}, "ffmpeg", {"ffmpeg": "channelmap=1|0"}),
}


# The inputs of units that need several inputs, and so a graph.
INPUTS = {"voiceActivity": [""], "echoCancel": ["", ":reference"], "crossfade": [":a", ":b"], "switch": [":one", ":two"], "metronome": []}


def own_cost(bench, unit, node, options):
    """The cost of a unit in a chain, or in a graph that connects the sound to each of its inputs."""
    if unit not in INPUTS:
        return bench.cost([node], rate=RATE, seconds=SECONDS, options=options)
    nodes = {"in": {"source": "main"}, "unit": node, "out": {"sink": "main"}}
    connections = [*(f"in -> unit{bus}" for bus in INPUTS[unit]), "unit -> out"]
    if not INPUTS[unit]:
        nodes["mix"] = {"unit": "mixer"}
        connections = ["in -> mix", "unit -> mix", "mix -> out"]
    return bench.graph_cost({"nodes": nodes, "connections": connections}, RATE, SECONDS, options=options)


def process_cost(bench, command):
    """A program's cost from a long and a short file, with reading and writing included."""
    costs = []
    for _ in range(ROUNDS):
        times = [processor_seconds([str(word) for word in command(name)]) for name in ("long.wav", "short.wav")]
        costs.append((times[0] - times[1]) / (SECONDS * RATE - RATE // 10) * 1e9)
    return statistics.median(costs)


def program_cost(bench, program, what):
    """The cost of a program's effect; without an effect, the cost of reading and writing."""
    target = bench.folder / "other.wav"

    def command(name):
        source = bench.folder / name
        if program == "sox":
            return ["sox", "-D", source, "-e", "floating-point", "-b", "32", target, *(what or [])]
        return ["ffmpeg", "-y", "-v", "error", "-i", source, "-af", what or "anull", "-c:a", "pcm_f32le", target]

    return process_cost(bench, command)


def board_cost(make, block):
    board = pedalboard()
    if not board:
        return None
    sound = numpy.random.default_rng(1).uniform(-0.5, 0.5, (2, 5 * RATE)).astype(numpy.float32)
    plugin, costs = make(board), []
    for _ in range(ROUNDS):
        start = time.process_time()
        plugin.process(sound, RATE, buffer_size=block, reset=False)
        costs.append((time.process_time() - start) / (5 * RATE) * 1e9)
    return statistics.median(costs)


def row(bench, unit, base, plain):
    settings, chosen, peers = UNITS[unit]
    own, others = {}, {name: {} for name in peers}
    for block in BLOCKS:
        options = ("--block-size", str(block))
        own[block] = own_cost(bench, unit, {"unit": unit, **settings}, options) - base[block]
        for name, what in peers.items():
            if callable(what):
                others[name][block] = board_cost(what, block)
            elif isinstance(what, str) and ":" in what and name not in ("ffmpeg",):
                if bench.has_plugin(what):
                    others[name][block] = own_cost(bench, unit, bench.plugin(what), options) - base[block]
    for name, what in peers.items():
        if name in ("sox", "ffmpeg") and bench.has_program(name):
            cost = program_cost(bench, name, what) - plain[name]
            others[name] = {block: cost for block in BLOCKS}
    return own, others, chosen


def tenths(cost):
    """The printed cost; a negative cost is noise and counts as 0."""
    return round(max(cost or 0, 0), 1)


def shown(figures):
    values = [figures.get(block) for block in BLOCKS]
    if all(value is None for value in values):
        return "-"
    if len(set(values)) == 1:
        return f"{max(values[0], 0):.1f}"
    return " · ".join("-" if value is None else f"{max(value, 0):.1f}" for value in values)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    chosen = sys.argv[2:] or list(UNITS)
    lines = ["| Unit | fxrun | Peer | its cost | At or under it | Others |", "|---|---|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(sys.argv[1], folder)
        base = {}
        for block in BLOCKS:
            base[block] = bench.cost([{"unit": "gain"}], rate=RATE, seconds=SECONDS, options=("--block-size", str(block)))
        plain = {name: program_cost(bench, name, None) for name in ("sox", "ffmpeg") if bench.has_program(name)}
        for unit in chosen:
            own, others, peer = row(bench, unit, base, plain)
            known = others.get(peer, {})
            values = [value for value in known.values() if value is not None]
            met = "-" if not values else "yes" if all(tenths(own[block]) <= tenths(known.get(block)) for block in BLOCKS) else "**no**"
            rest = ", ".join(f"{name} {shown(figures)}" for name, figures in others.items() if name != peer)
            lines.append(f"| `{unit}` | {shown(own)} | {peer} | {shown(known)} | {met} | {rest or '-'} |")
            print(lines[-1], flush=True)
            rows = {line.split("`")[1]: line for line in [*known_rows(), *lines[2:]]}
            table = "\n".join([*lines[:2], *(rows[unit] for unit in UNITS if unit in rows)])
            PAGE.write_text(f"# What the units cost\n\n{description()}\n\n{table}\n")


def known_rows():
    """The rows of units in the existing page."""
    return [line for line in PAGE.read_text().splitlines() if line.startswith("| `")] if PAGE.exists() else []


def description():
    text = __doc__.split("Writes docs")[0].strip().replace("\n", " ")
    text += (
        " Three numbers are those of the three block sizes; a program has one. `gain` is compared with itself, so its row"
        " shows the noise of the measurement. `scripts/bench-units` measures the costs again. Compare costs only within a"
        " row: each row is from one run on one machine. Units without a peer have none that can be timed in the same way.")
    return text


if __name__ == "__main__":
    main()
