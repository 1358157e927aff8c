"""Chains with typing mistakes, cut off, with extreme values, or combined from two."""
import json
import os

from sandbox import defects
from seeds import REPOSITORY, wav
from trees import changed, names_outside

OWN = {
    "version": 2, "name": "everything", "seed": 3, "tempo": "120 bpm", "tail": "auto",
    "variables": {"cut": "200 Hz"},
    "nodes": {
        "in": {"source": "main", "tap": "dry.wav"},
        "talk": {"source": {"input": "talk"}},
        "eq": {"unit": "equalizer", "bands": [
            {"id": "low", "type": "lowShelf", "frequency": "${cut}", "gain": "3 dB"},
            {"type": "peak", "frequency": "1 kHz", "gain": -4, "q": 2}]},
        "comp": {"unit": "compressor", "parameters": {"threshold": "-20 dB", "ratio": "3:1"}, "wet": "80 %"},
        "echo": {"unit": "delay", "parameters": {"time": "1/8", "feedback": "30 %"}, "bypass": False},
        "tone": {"unit": "lowPass", "order": 4, "parameters": {"frequency": "3 kHz"}},
        "mix": {"unit": "mixer", "strips": {"a": {"gain": "0 dB"}, "b": {"gain": "-6 dB"}}},
        "space": {"unit": "reverb", "wet": "20 %"},
        "out": {"sink": "main"}, "take": {"sink": {"file": "take.wav", "bits": 24}}},
    "connections": [
        "in -> eq -> comp", {"from": "talk", "to": "comp:sidechain", "gain": "-3 dB"}, "comp -> mix:a",
        "eq -> echo -> mix:b", {"from": "mix", "to": "tone", "gain": "-9 dB", "feedback": True, "delay": "90 ms"},
        "tone -> mix", "mix -> space -> out", "mix -> take"],
    "automation": [{"parameter": "comp.threshold", "points": [["0:00", "-12 dB"], [0.1, "-24 dB", "linear"]]}],
    "scenes": {"clean": {"parameters": {"comp.ratio": 8}, "bypass": {"echo": True}}},
    "midi": {"from": "nothing:0", "map": [{"cc": 74, "channel": 1, "parameter": "tone.frequency",
                                           "range": ["200 Hz", "8 kHz"]}]},
    "expose": {"warmth": {"parameter": "eq.bands.low.gain", "range": ["0 dB", "6 dB"]}}}


def _trees():
    """The examples, and one chain with most features."""
    trees = [OWN, OWN]
    for path in sorted((REPOSITORY / "chains").glob("*.json")):
        if not path.name.endswith(".test.json"):
            trees.append(json.loads(path.read_text()))
    return trees


TREES = _trees()


def good(seeds):
    """Runs that must succeed before anything is damaged, each as files and arguments."""
    files = {"chain.json": json.dumps(OWN).encode(), "in.wav": seeds.wav, "talk.wav": wav(0.1, 1)}
    yield files, ["run", "chain.json", "in.wav", "--input", "talk=talk.wav", "-o", "out.wav"]
    yield files, ["plan", "chain.json", "--json"]


COMMANDS = (
    ("check",), ("check", "--json"), ("plan",), ("plan", "--json"), ("run",), ("run",), ("run", "--json"))


def attack(random, box, seeds):
    """A changed chain through one command."""
    tree = random.choice(TREES)
    content = changed(random, tree, TREES)
    if names_outside(content):
        return []
    box.write("chain.json", content)
    box.write("in.wav", random.choice((seeds.wav, wav(0.05, 1, 8000), seeds.sounds["extensible.wav"])))
    box.write("talk.wav", wav(0.1, 1))
    command = random.choice(COMMANDS)
    if command[0] != "run":
        return _judged(box, [command[0], "chain.json", *command[1:]])
    arguments = ["run", "chain.json", "in.wav", "-o", "out.wav", *command[1:]]
    for name in ("talk", "music"):
        if name in json.dumps(tree):
            arguments += ["--input", f"{name}=talk.wav"]
    if random.random() < 0.3:
        arguments += random.choice(OPTIONS)
    return _judged(box, arguments)


OPTIONS = (
    ["--set", "comp.threshold=-30 dB"], ["--set", "x.y=\u001b[31m"], ["--start", "0.1"], ["--duration", "0.05"],
    ["--start", "1e9"], ["--duration", "-1"], ["--block-size", "1"], ["--block-size", "8192"], ["--bits", "16"],
    ["--bypass", "comp"], ["--tap", "comp=tap.wav"], ["--define", "cut=\u202e"], ["--scene", "clean"],
    ["--profile"], ["--loop", "0-0.1"], ["--set", "a" * 3000 + "=1"])


def attack_files(random, box, seeds):
    """Chain paths that are not regular files, and chains that include each other."""
    names = []
    kind = random.randrange(6)
    if kind == 0:
        (box.folder / "chain.json").mkdir()
    elif kind == 1:
        (box.folder / "chain.json").symlink_to("chain.json")
    elif kind == 2:
        box.write("chain.json", b'{ "version": 1, "chain": [ { "use": "chain.json" } ] }')
    elif kind == 3:
        (box.folder / "chain.json").symlink_to(random.choice(("/dev/null", "/dev/full", "/dev/zero")))
    elif kind == 4:
        # fxrun must not wait for an included chain on a pipe without a writer.
        os.mkfifo(box.folder / "inner.json")
        box.write("chain.json", b'{ "version": 1, "chain": [ { "use": "inner.json" } ] }')
    else:
        inner = changed(random, random.choice(TREES), TREES)
        if names_outside(inner):
            return []
        box.write("inner.json", inner)
        box.write("chain.json", b'{ "version": 1, "chain": [ { "use": "inner.json" }, { "use": "inner.json" } ] }')
    box.write("in.wav", seeds.wav)
    arguments = random.choice((
        ["check", "chain.json"], ["plan", "chain.json"], ["run", "chain.json", "in.wav", "-o", "out.wav"]))
    return _judged(box, arguments, names)


def _judged(box, arguments, _=()):
    before = box.files()
    outcome = box.run(*arguments)
    new = box.files() - before
    # A chain may write the files that it names. A hidden name is an unfinished file.
    expected = {name for name in new if not os.path.basename(name).startswith(".")}
    found = defects(outcome, new, expected, is_text="--json" not in arguments)
    if outcome.status == 0 and not outcome.was_stopped:
        if arguments[0] == "run" and not any(
                (box.folder / name).stat().st_size > 44 for name in expected):
            found.append("empty success: no sound was written")
        if arguments[0] != "run" and not outcome.output.strip():
            found.append("empty success: nothing was printed")
    if "--json" in arguments and outcome.json is None and not outcome.was_stopped and not outcome.hung:
        found.append("what --json printed is no JSON")
    return found
