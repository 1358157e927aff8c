"""Sounds: damaged files in every format, as files, on a pipe, and compared."""
import os
import struct

from damage import damaged
from sandbox import defects
from seeds import GAIN


def _damaged(random, seeds):
    name = random.choice(sorted(seeds.sounds))
    content = damaged(random, seeds.sounds[name], list(seeds.sounds.values()))
    return "bad." + name.rpartition(".")[2], content


def good(seeds):
    """Runs that must succeed before anything is damaged, each as files and arguments."""
    for name, content in seeds.sounds.items():
        yield {"chain.json": GAIN, name: content}, ["chain.json", name, "-o", "out.wav"]
    yield {"a.wav": seeds.wav}, ["diff", "a.wav", "a.wav"]


def attack_file(random, box, seeds):
    """A damaged file through a chain with only a gain."""
    name, content = _damaged(random, seeds)
    return _rendered(random, box, name, box.write(name, content), None)


def attack_pipe(random, box, seeds):
    """The same on standard input, as fast as fxrun reads or in small pieces."""
    name, content = _damaged(random, seeds)
    return _rendered(random, box, "-", None, content)


def attack_header(random, box, seeds):
    """A header without an end: fxrun must limit what it reads before the sound."""
    size = random.choice((1000, 100_000, 1_000_000))
    content = random.choice((
        bytes(size), b"RIFF\xff\xff\xff\xffWAVE" + bytes(size), b"ID3\x03\x00\x00\x00\x7f\x7f\x7f" + bytes(size),
        b"RIFF\xff\xff\xff\xffWAVE" + (b"JUNK\x00\x00\x00\x00" * (size // 8)),
        b"\xff\xfb" * (size // 2), b"OggS" * (size // 4), b"fLaC" + bytes(size), random.randbytes(size)))
    if random.random() < 0.5:
        return _rendered(random, box, "bad.wav", box.write("bad.wav", content), None)
    return _rendered(random, box, "-", None, content)


def attack_diff(random, box, seeds):
    """Two sounds, one or both of them damaged."""
    first, second = _damaged(random, seeds), _damaged(random, seeds)
    if random.random() < 0.5:
        first = ("good.wav", seeds.wav)
    box.write("a-" + first[0], first[1])
    box.write("b-" + second[0], second[1])
    arguments = ["diff", "a-" + first[0], "b-" + second[0]]
    is_text = random.random() < 0.7
    if not is_text:
        arguments.append("--json")
    expected = set()
    if random.random() < 0.2:
        arguments += ["--report", "page.html"]
        expected.add("page.html")
    before = box.files()
    outcome = box.run(*arguments)
    found = defects(outcome, box.files() - before, expected, is_text)
    if outcome.status in (0, 7) and not outcome.output.strip():
        found.append("empty success: nothing was printed")
    return found


def _rendered(random, box, name, path, stdin):
    box.write("chain.json", GAIN)
    is_json = random.random() < 0.3
    before = box.files()
    target = random.choice(("out.wav", "out.wav", "out.wav", "out.flac"))
    outcome = box.run(
        "chain.json", name, "-o", target, *(["--json"] if is_json else []), stdin=stdin,
        pace=random.choice((None, 512, 4000)) if stdin and len(stdin) < 50_000 else None)
    found = defects(outcome, box.files() - before, {target}, not is_json)
    if outcome.status == 0 and not outcome.was_stopped:
        found += _incomplete(box.folder / target)
    return found


def _incomplete(path):
    """The faults of a file that was reported as complete."""
    if not path.exists():
        return ["empty success: there is no file"]
    content = path.read_bytes()
    if path.suffix == ".flac":
        frames = struct.unpack(">Q", content[18:26])[0] & (1 << 36) - 1 if content[:4] == b"fLaC" else 0
        return [] if frames else ["empty success: the file has no frames"]
    at = content.find(b"data")
    if content[:4] not in (b"RIFF", b"RF64") or at < 0 or len(content) <= at + 8:
        return ["empty success: the file has no frames"]
    declared = struct.unpack_from("<I", content, 4)[0]
    if content[:4] == b"RIFF" and declared != len(content) - 8:
        return [f"half written: the header says {declared + 8} bytes, the file has {len(content)}"]
    return []
