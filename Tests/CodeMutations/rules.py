"""The rules: each yields the places of a line that it changes, and what it writes there.

A rule gets the line without comments and texts, and yields (start, end, new code)."""
import re

STATEMENT_BEFORE = re.compile(r"[{};)\w\]]$|^$")


def swap(pattern, new):
    """Replaces every match; `new` is a text or makes one of the match."""
    pattern = re.compile(pattern)

    def rule(line, _context):
        for match in pattern.finditer(line):
            yield match.start(), match.end(), new if isinstance(new, str) else new(match)

    return rule


def table(pattern, words):
    return swap(pattern, lambda match: words[match[0]])


def comparison(line, _context):
    words = {" < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ", " == ": " != ", " != ": " == ", "..<": "..."}
    for match in re.finditer(r" <=? | >=? | [=!]= |\.\.<", line):
        # `a < b ? a : b` is the same with `<=`.
        if re.match(r"(\S+) [<>]=? (\S+) \? (?:\1 : \2|\2 : \1)(?!\w)", operands(line, match.start())):
            continue
        yield match.start(), match.end(), words[match[0]]


def operands(line, place):
    """The line from the operand before a place on."""
    return line[re.search(r"[^\s(]*$", line[:place]).start():]


def plus(line, _context):
    words = {"+": "-", "-": "+", "&+": "&-", "&-": "&+", "+=": "-=", "-=": "+="}
    for match in re.finditer(r"(?<= )(&?[+-]=?)(?= )", line):
        # Two texts are joined.
        if not line[:match.start()].rstrip().endswith('"') and not line[match.end():].lstrip().startswith('"'):
            yield match.start(), match.end(), words.get(match[0], match[0])


def constant(line, _context):
    for match in re.finditer(r"(?<![\w.$])(\d[\d_]*)(\.\d[\d_]*)?(?![\w.])(?! *:)", line):
        whole = int(match[1].replace("_", "")) + 1
        yield match.start(), match.end(), f"{whole}{match[2] or ''}"


def negation(line, context):
    for match in re.finditer(r"\b(?:if|guard) (.+?)(?= else \{| \{)", line):
        if not re.search(r"\b(?:let|var|case)\b|, ", match[1]) and balanced(match[1]):
            yield match.start(1), match.end(1), f"!({context.raw[match.start(1):match.end(1)]})"


def guarded(line, context):
    """The guard lets everything pass."""
    for match in re.finditer(r"\bguard (.+?)(?= else \{)", line):
        if not re.search(r"\b(?:let|var|case)\b|, ", match[1]) and balanced(match[1]):
            condition = context.raw[match.start(1):match.end(1)]
            # The compiler would complain about a condition that is always true.
            yield match.start(1), match.end(1), f"({condition}) || !({condition})"


def deleted(line, context):
    """A statement that only calls a function."""
    match = re.fullmatch(r"( *)((?:try |_ = )?[\w.]+(?:\[[^\]]*\])?(?:[\w.?]*)\(.*\))", line.rstrip())
    if not match or not balanced(match[2]) or not STATEMENT_BEFORE.search(context.before):
        return
    # An initializer makes a value, and a case has a payload.
    if re.match(r"(?:case|return|super|self\.init|init|throw|await|if|guard|while|switch)\b|[A-Z]\w*\(", match[2]):
        return
    # Freed or reserved memory cannot be seen from outside.
    if re.search(r"(?:deinitialize|deallocate|destroy|reserveCapacity)\(", match[2]):
        return
    if context.after.startswith((".", "?", "+", "-", "*", "/", "&", "|")):
        return
    yield match.start(2), match.end(2), "_ = ()"


def ignored(line, context):
    """The error of a call is ignored."""
    match = re.fullmatch(r" *(try )[\w.]+\(.*\)", line.rstrip())
    if match and balanced(line.strip()) and STATEMENT_BEFORE.search(context.before):
        yield match.start(1), match.end(1), "_ = try? "


def code(line, context):
    """Another error code or exit status."""
    if re.match(r" *case ", line):
        return
    for match in re.finditer(r"(?<=[(, ])\.(\w+)|\bExitStatus\.(\w+)", line):
        name = match[1] or match[2]
        if name in context.codes:
            yield match.end() - len(name), match.end(), context.codes[name]


def side(line, context):
    words = {"left": "right", "right": "left", "Left": "Right", "Right": "Left"}
    for match in re.finditer(r"\b(?:left|right)(?=\b|[A-Z])|(?<=[a-z])(?:Left|Right)\b", line):
        if re.search(r"\b(?:let|var|func|case) [\w, (]*$", line[:match.start()]) or re.match(
                r"\w*:", line[match.start():]):
            continue
        new = re.match(r"\w*", line[:match.start()][::-1])[0][::-1] + words[match[0]] + re.match(
            r"\w*", line[match.end():])[0]
        # The other name must exist.
        if re.search(rf"\b{new}\b", context.code):
            yield match.start(), match.end(), words[match[0]]


def balanced(code):
    depth = 0
    for sign in code:
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if depth < 0:
            return False
    return depth == 0


RULES = {
    "comparison changed": comparison,
    "plus and minus exchanged": plus,
    "constant plus one": constant,
    "and and or exchanged": table(r" && | \|\| ", {" && ": " || ", " || ": " && "}),
    "condition negated": negation,
    "guard lets everything pass": guarded,
    "call deleted": deleted,
    "error ignored": ignored,
    "another code": code,
    "first channel instead of the index": swap(r"\[channel\]", "[0]"),
    "left and right exchanged": side,
    "curve made linear": swap(r"\b(\w+) \* \1\b(?!\.)", lambda match: match[1]),
    "minimum and maximum exchanged": table(r"(?<![\w.])(?:min|max)(?=\()", {"min": "max", "max": "min"}),
    "ring wraps elsewhere": swap(
        r" & (\(\w+(?:\.\w+)* &- 1\)|\w*[mM]ask\b)| % (\w+(?:\.\w+)*)\b(?!\()",
        lambda match: f" & ({match[1]} >> 1)" if match[1] else f" % max({match[2]} - 1, 1)"),
    "true and false exchanged": table(r"(?<=return )(?:true|false)\b", {"true": "false", "false": "true"}),
}
