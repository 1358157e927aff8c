"""One truth for a sound: every way to read the same bytes gives the same frames, or a warning names the loss."""
import struct

from damage import damaged
from sandbox import defects

# Places of a length in a header, by the first bytes: a mark, the offset behind it, and the bytes of the number.
LENGTHS = {
    b"RIFF": [(b"data", 4, "<I"), (b"RIFF", 4, "<I")], b"FORM": [(b"SSND", 4, ">I"), (b"COMM", 10, ">I")],
    b"caff": [(b"data", 4, ">Q")], b"riff": [(b"data", 16, "<Q")], b".snd": [(b".snd", 8, ">I")],
    b"fLaC": [(b"fLaC", 22, ">I")], b"ID3": [(b"Xing", 8, ">I"), (b"Info", 8, ">I")],
    b"\xff\xfb": [(b"Xing", 8, ">I"), (b"Info", 8, ">I"), (b"Xing", 12, ">I"), (b"Info", 12, ">I")],
}
CHANGES = (lambda n: n * 1000, lambda n: n + 1, lambda n: n // 2, lambda n: n - 1, lambda n: 0, lambda n: -1)


def attack(random, box, seeds):
    """A join, a header that lies, bytes around a sound, or damage, read in every way."""
    name, content = _made(random, seeds)
    box.write(name, content)
    before = box.files()
    whole = _render(box, ["none", name, "-o", "whole.wav"], None, "whole.wav")
    if whole is None:
        return []
    found = []
    for way, arguments, stdin, factor in (
            ("a pipe", ["none", "-", "-o", "pipe.wav"], content, 1),
            ("--reverse", ["none", name, "-o", "reverse.wav", "--reverse"], None, 1),
            ("--repeat 2", ["none", name, "-o", "repeat.wav", "--repeat", "2"], None, 2)):
        other = _render(box, arguments, stdin, arguments[3])
        if other is None:
            continue
        frames, warned = other
        # A conversion of the rate may round each repetition.
        if abs(frames - factor * whole[0]) > factor - 1 and not (warned if frames < factor * whole[0] else whole[1]):
            found.append(f"two truths: {way} has {frames} frames, the file {whole[0]}, without a warning")
    outcome = box.run("info", name, "--exact", "--json")
    found += defects(outcome, box.files() - before, {"whole.wav", "pipe.wav", "reverse.wav", "repeat.wav"}, False)
    return found


def _made(random, seeds):
    names = sorted(seeds.sounds)
    name = random.choice(names)
    content = seeds.sounds[name]
    kind = random.randrange(4)
    if kind == 0:
        content = content + seeds.sounds[name if random.random() < 0.5 else random.choice(names)]
    elif kind == 1:
        content = _lie(random, content)
    elif kind == 2:
        tag = b"ID3\x04\x00\x00\x00\x00\x02\x00" + bytes(256)
        content = random.choice((tag + content, content + b"TAG" + b" " * 125, content + bytes(4096),
                                 content + random.randbytes(3000), content[:len(content) * 7 // 10]))
    else:
        content = damaged(random, content, list(seeds.sounds.values()))
    return "made." + name.rpartition(".")[2], content


def _lie(random, content):
    places = [place for start, places in LENGTHS.items() if content.startswith(start) for place in places]
    random.shuffle(places)
    for mark, offset, code in places:
        at = content.find(mark, 0, 4096) + offset
        if at < offset or at + struct.calcsize(code) > len(content):
            continue
        size = struct.calcsize(code)
        value = random.choice(CHANGES)(struct.unpack_from(code, content, at)[0]) % (1 << 8 * size)
        return content[:at] + struct.pack(code, value) + content[at + size:]
    return content


def _render(box, arguments, stdin, target):
    """The frames of a render and whether it warned; None without a sound."""
    outcome = box.run(*arguments, stdin=stdin)
    path = box.folder / target
    if outcome.status != 0 or outcome.was_stopped or not path.exists():
        return None
    content = path.read_bytes()
    at = content.find(b"data")
    block = struct.unpack_from("<H", content, content.find(b"fmt ") + 20)[0]
    return struct.unpack_from("<I", content, at + 4)[0] // block, b"warning:" in outcome.errors + outcome.output
