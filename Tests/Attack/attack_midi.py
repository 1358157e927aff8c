"""MIDI files: damaged, or with an extreme number of tracks."""
import struct

from damage import damaged
from sandbox import defects

CHAIN = b"""{ "version": 1, "tail": "none", "chain": [
  { "lv2": "urn:fxrun:test:midi", "midi": "song.mid" }, { "unit": "downmix", "channels": 1 } ] }"""
EVENTS = b"""{ "version": 1, "tempo": "90 bpm", "tail": "none", "chain": [
  { "lv2": "urn:fxrun:test:midi", "midi": { "file": "song.mid", "channel": 1 } }, { "unit": "downmix", "channels": 1 } ] }"""


def good(seeds):
    """Runs that must succeed before anything is damaged, each as files and arguments."""
    for content in seeds.midi:
        for chain in (CHAIN, EVENTS):
            yield {"chain.json": chain, "song.mid": content}, ["chain.json", "-o", "out.wav"]


def attack(random, box, seeds):
    """A damaged MIDI file for an instrument."""
    content = damaged(random, random.choice(seeds.midi), seeds.midi)
    if random.random() < 0.1:
        content = b"MThd" + struct.pack(">IHHH", 6, 1, 0xFFFF, 1) + b"MTrk\x00\x00\x00\x00" * random.choice(
            (10, 70_000))
    box.write("song.mid", content)
    box.write("chain.json", random.choice((CHAIN, EVENTS)))
    box.environment["LV2_PATH"] = str(seeds.bundles)
    arguments = random.choice((
        ["check", "chain.json"],
        ["chain.json", "-o", "out.wav"], ["chain.json", "-o", "out.wav", "--duration", "0.2"]))
    before = box.files()
    outcome = box.run(*arguments)
    found = defects(outcome, box.files() - before, {"out.wav"})
    if outcome.status == 0 and "out.wav" in arguments and not (box.folder / "out.wav").exists():
        found.append("empty success: there is no file")
    return found
