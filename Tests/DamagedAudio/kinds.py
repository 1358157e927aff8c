"""The kinds of damage: functions of a random generator, the bytes, and another file's bytes."""

HEADERS = {"mp3": 64, "flac": 8300, "vorbis": 6000, "opus": 1000}
"""The damage begins after this many bytes, because a damaged header is not tested."""


def _place(random, content, start, length=0):
    return random.randrange(start, max(start + 1, len(content) - length))


def _places(random):
    return range(random.choice((1, 1, 2, 5)))


def _size(random):
    return random.choice((1, 30, 100, 200, 500, 2000))


def cut(random, content, start, _):
    result = bytearray(content)
    for _ in _places(random):
        size = _size(random)
        at = _place(random, result, start, size)
        del result[at:at + size]
    return bytes(result)


def zeroed(random, content, start, _):
    result = bytearray(content)
    for _ in _places(random):
        size = _size(random)
        at = _place(random, result, start, size)
        result[at:at + size] = bytes(size)
    return bytes(result)


def overwritten(random, content, start, _):
    result = bytearray(content)
    for _ in _places(random):
        size = _size(random)
        at = _place(random, result, start, size)
        result[at:at + size] = random.randbytes(size)
    return bytes(result)


def appended(random, content, _start, _):
    return content + random.randbytes(random.choice((10, 500, 3000, 3000, 20000)))


def truncated(random, content, start, _):
    return content[:_place(random, content, max(start, len(content) // 10))]


def inserted(random, content, start, _):
    result = bytearray(content)
    for _ in _places(random):
        at = _place(random, result, start)
        result[at:at] = random.randbytes(_size(random))
    return bytes(result)


def joined(_random, content, _start, other):
    return content + other


KINDS = {
    "mp3": (cut, zeroed, overwritten, appended, truncated, inserted, joined),
    "flac": (cut, zeroed, truncated),
    "vorbis": (cut, zeroed, truncated),
    "opus": (cut, zeroed, truncated),
}
