"""Damage to bytes, as from a bad disk, an interrupted connection or a hostile author."""
import struct

NUMBERS = (0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE,
           0xFFFFFFFF)
"""Values at the edges of integer types."""


def damaged(random, content, others=()):
    """A copy with one to four kinds of damage. `others` are contents to splice with."""
    result = bytearray(content)
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4))):
        random.choice(KINDS)(random, result, others)
    return bytes(result)


def _place(random, content):
    """A position: half of the draws are in the header, half anywhere."""
    if not content:
        return 0
    return random.randrange(min(len(content), 96) if random.random() < 0.5 else len(content))


def _flip(random, content, _):
    for _ in range(random.choice((1, 1, 4, 32))):
        if content:
            content[_place(random, content)] ^= 1 << random.randrange(8)


def _overwrite(random, content, _):
    at = _place(random, content)
    count = min(random.choice((1, 4, 100, 500)), len(content) - at)
    content[at:at + count] = random.randbytes(count)


def _zero(random, content, _):
    at = _place(random, content)
    count = min(random.choice((1, 8, 500, 4096)), len(content) - at)
    content[at:at + count] = bytes(count)


def _number(random, content, _):
    """An impossible number in a field."""
    size, order = random.choice((1, 2, 4, 8)), random.choice("<>")
    if len(content) < size:
        return
    at = min(_place(random, content), len(content) - size)
    value = random.choice(NUMBERS) & (256 ** size - 1)
    content[at:at + size] = struct.pack(order + {1: "B", 2: "H", 4: "I", 8: "Q"}[size], value)


def _cut(random, content, _):
    del content[_place(random, content):]


def _remove(random, content, _):
    at = _place(random, content)
    del content[at:at + random.choice((1, 7, 100, 1000))]


def _insert(random, content, _):
    at = _place(random, content)
    content[at:at] = random.randbytes(random.choice((1, 7, 100, 3000)))


def _repeat(random, content, _):
    at = _place(random, content)
    part = content[at:at + random.choice((1, 16, 200, 2000))]
    content[at:at] = part * random.choice((1, 2, 20))


def _append(random, content, _):
    content += random.choice((bytes(random.choice((1, 100, 5000))), random.randbytes(3000)))


def _splice(random, content, others):
    if not others:
        return
    other = random.choice(others)
    at = _place(random, content)
    start = _place(random, other)
    content[at:] = other[start:]


def _precede(random, content, others):
    """Inserts another file, a tag or random bytes before the content."""
    other = random.choice(others) if others else b""
    content[0:0] = random.choice((
        other, bytes(1000), b"ID3\x04\x00\x00" + bytes((0, 0, 7, 118)) + bytes(1014),
        b"ID3\x03\x00\x00\x7f\x7f\x7f\x7f", random.randbytes(200)))


KINDS = (_flip, _overwrite, _zero, _number, _cut, _remove, _insert, _repeat, _append, _splice,
         _precede)
