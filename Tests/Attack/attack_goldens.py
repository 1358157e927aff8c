"""Cases, manifests and golden sounds: damaged, then tested, linted and updated."""
import json
import shutil

from damage import damaged
from sandbox import defects
from trees import changed, names_outside

CHAIN = b"""{ "version": 1, "chain": [ { "id": "tone", "unit": "lowPass" }, { "id": "level", "unit": "gain" } ] }"""
CASE = {"version": 1, "duration": "0.1 s", "cases": {
    "plain": {"tolerance": {"peak": "-90 dB", "spectral": "0.5 dB"}},
    "set": {"set": {"tone.frequency": "3 kHz"}, "input": {"signal": "impulse", "level": "-6 dB"}}}}


def attack(random, box, seeds):
    """Damages one file of a suite that passes."""
    source = seeds.folder / "suite"
    if not source.exists():
        _make_suite(box, source)
    for path in source.rglob("*"):
        if path.is_file():
            box.write("suite/" + str(path.relative_to(source)), path.read_bytes())
    path = random.choice(sorted(path for path in (box.folder / "suite").rglob("*") if path.is_file()))
    content = path.read_bytes()
    if path.suffix == ".json" and random.random() < 0.7:
        content = changed(random, json.loads(content), [CASE])
        if names_outside(content):
            return []
    else:
        content = damaged(random, content)
    path.write_bytes(content)
    arguments = random.choice((
        ["test", "suite"], ["test", "suite", "--json"], ["test", "suite", "--update"],
        ["test", "suite", "--list"], ["lint", "suite"], ["test", "suite", "--junit", "report.xml"]))
    before = box.files()
    outcome = box.run(*arguments)
    new = box.files() - before
    expected = {name for name in new if name == "report.xml" or name.startswith("suite/golden/")
                and "/." not in name}
    found = defects(outcome, new - expected, (), "--json" not in arguments)
    if outcome.status in (0, 7) and not outcome.output.strip() and arguments[0] == "test":
        found.append("empty success: nothing was printed")
    return found


def _make_suite(box, source):
    box.write("suite/voice.json", CHAIN)
    box.write("suite/voice.test.json", json.dumps(CASE).encode())
    outcome = box.run("test", "suite", "--update", limit=60)
    if outcome.status != 0:
        raise RuntimeError(f"no suite: {outcome.output}{outcome.errors}")
    shutil.copytree(box.folder / "suite", source.with_suffix(".new"))
    try:
        source.with_suffix(".new").rename(source)
    except OSError:
        # Another worker was faster.
        shutil.rmtree(source.with_suffix(".new"))
