"""Changes of JSON: typing mistakes, errors of programs, and hostile values."""
import copy
import json

from damage import damaged

TEXTS = (
    "", " ", "main", "-inf dB", "inf dB", "nan", "1e400 dB", "-1e400 Hz", "0 Hz", "1e-400 s", "-5 s",
    "1e9 s", "99:99:99", "1/0", "-1/8", "100000 %", "3:1", "-16 LUFS", "${v}", "${v", "a" * 5000,
    "\u001b[31merror:", "line\nerror: forged", "\u009b1m", "\u202eevil", "\u0000", "\ud83c\udfb8",
    "e\u0301" * 50, "node:port", "a -> b -> a", "->", "in -> in", "../x", ".", "x/y", "%s%n%d")
NUMBERS = (0, -0.0, -1, 1, 2, 3, 1e-320, 1e-9, 1e9, 1e18, 1e300, -1e300, 2 ** 31, 2 ** 53, -2 ** 63,
           2 ** 64, 0.1, 48000)
LITERALS = (None, True, False, [], {}, [[]], [None], {"": None})


def changed(random, tree, others=()):
    """The text of a copy with one to four changes. `others` are trees that supply parts."""
    tree = copy.deepcopy(tree)
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4))):
        places = list(_places(tree))
        if places:
            random.choice(KINDS)(random, *random.choice(places), tree, others)
    text = json.dumps(tree, ensure_ascii=random.random() < 0.5, indent=random.choice((None, 1)))
    if random.random() < 0.15:
        return _as_text(random, text)
    return text.encode("utf-8", "surrogatepass")


def names_outside(content):
    """Whether a text may name a file outside of the current folder."""
    text = content.decode("utf-8", "replace")
    return any(part in text for part in ('"/', "../..", ":/", "\\u002f", "\\u002F", "~", '"//'))


def _places(tree):
    """Every container with every key or index in it."""
    if isinstance(tree, (dict, list)):
        for key in list(tree) if isinstance(tree, dict) else range(len(tree)):
            yield tree, key
            yield from _places(tree[key])


def _as_text(random, text):
    """Damage after which the text is usually not valid JSON."""
    kind = random.randrange(6)
    if kind == 0:
        depth = random.choice((100, 3000, 100_000))
        return (random.choice(("[", '{"a":')) * depth).encode()
    if kind == 1:
        return b"\xef\xbb\xbf" + text.encode("utf-8", "surrogatepass")
    if kind == 2:
        return text.encode("utf-16", "surrogatepass")
    if kind == 3:
        return text.replace("1", random.choice(("01", "1.", "+1", "1e999", "0x1", "1" * 400)), 1).encode(
            "utf-8", "surrogatepass")
    return damaged(random, text.encode("utf-8", "surrogatepass"))


def _value(random):
    return copy.deepcopy(random.choice((
        random.choice(TEXTS), random.choice(TEXTS), random.choice(NUMBERS), random.choice(LITERALS))))


def _replace(random, container, key, *_):
    container[key] = _value(random)


def _remove(_, container, key, *__):
    del container[key]


def _scale(random, container, key, *_):
    value = container[key]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        container[key] = value * random.choice((-1, 0, 10, 1000, 1e12))
    elif isinstance(value, str):
        container[key] = value + random.choice(("0", " dB", " Hz", "s", "\n", "%", "x" * 300))
    else:
        container[key] = [value]


def _rename(random, container, key, *_):
    if isinstance(container, dict):
        value = container.pop(key)
        container[random.choice((key + "x", key.upper(), key[:-1], random.choice(TEXTS)))] = value


def _move(random, container, key, tree, others):
    """Puts a part of this tree or of another tree in the wrong place."""
    source = random.choice([tree, *others])
    places = list(_places(source))
    if places:
        other, place = random.choice(places)
        container[key] = copy.deepcopy(other[place])


def _double(random, container, key, *_):
    value = copy.deepcopy(container[key])
    if isinstance(container, list):
        container[key:key] = [value] * random.choice((1, 2, 50))
    else:
        for number in range(random.choice((1, 2, 50))):
            container[f"{key}{number}"] = copy.deepcopy(value)


def _shuffle(random, container, *_):
    if isinstance(container, list):
        random.shuffle(container)
    else:
        items = list(container.items())
        random.shuffle(items)
        container.clear()
        container.update(items)


KINDS = (_replace, _replace, _remove, _scale, _rename, _move, _move, _double, _shuffle)
