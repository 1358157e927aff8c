"""The modules of the package, and what a line of their source consists of."""
import pathlib
import re

# What tests a module besides its own target, which not every module has: another target, or a suite of it.
# What a module computes is often heard only where chains are rendered, in FxKitTests.
OTHER_TESTS = {
    "FxAudio": ["FxEngineTests", "FxPlayingTests", "FxMediaTests", "FxKitTests"],
    "FxChain": ["FxKitTests"],
    "FxEngine": ["FxKitTests"],
    "FxLV2": ["FxKitTests", "FxRunTests.LintTests"],
    "FxMedia": ["FxPlayingTests", "FxKitTests"],
    "FxPlaying": ["FxKitTests"],
    "FxChecks": ["FxRunTests.LintTests", "FxRunTests.PlotTests"],
}

# Their arguments are mistakes of the programmer, texts, or facts about versions.
SKIPPED_CALL = re.compile(r"(?<![\w.])(?:precondition|preconditionFailure|assert|fatalError|@available|#available)\(")
QUOTE = re.compile(r'(#*)("""|")')


def modules(root):
    """The modules written in Swift, with the folder of each."""
    folders = sorted((root / "Sources").iterdir())
    found = {folder.name: folder for folder in folders if any(folder.rglob("*.swift"))}
    unknown = sorted(set(OTHER_TESTS) - set(found))
    if unknown:
        raise SystemExit(f"Tests/CodeMutations/sources.py: OTHER_TESTS names no module of Sources: {', '.join(unknown)}")
    return found


def tests(root, module):
    """The names of the test targets and suites that test a module."""
    names = [f"{module}Tests"] + OTHER_TESTS.get(module, [])
    return [name for name in names if (root / "Tests" / name.split(".")[0]).is_dir()]


def masked(text):
    """The text with blanks in place of comments, texts, and calls of SKIPPED_CALL. Every column stays the same.

    The quotes of a text stay, so that a rule can see that there is one."""
    out = list(text)
    place = 0
    while place < len(text):
        if text.startswith("//", place):
            end = text.find("\n", place)
            place = _blank(out, place, len(text) if end < 0 else end)
        elif quote := QUOTE.match(text, place):
            place = _text(text, out, quote)
        else:
            place += 1
    code = "".join(out)
    for call in SKIPPED_CALL.finditer(code):
        _blank(out, call.start(), closing(code, call.end() - 1) + 1)
    return "".join(out)


def _blank(out, start, end):
    for place in range(start, end):
        if out[place] != "\n":
            out[place] = " "
    return end


def _text(text, out, quote):
    """Blanks a text with all its interpolations. Returns the place after it."""
    closing_quote = quote[2] + quote[1]
    escape = "\\" + quote[1]
    place = quote.end()
    while place < len(text) and not text.startswith(closing_quote, place):
        if text.startswith(escape + "(", place):
            place = _interpolation(text, place + len(escape))
        else:
            place += len(escape) + 1 if text.startswith(escape, place) else 1
    _blank(out, quote.end(), min(place, len(text)))
    return place + len(closing_quote)


def _interpolation(text, place):
    """The place after the bracket that closes an interpolation."""
    depth = 0
    while place < len(text):
        if text[place] == '"':
            place = _text(text, list(text), QUOTE.match(text, place))
            continue
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        place += 1
        if depth == 0:
            break
    return place


def closing(code, place):
    """The place of the bracket that closes the one at a place; the end of the code without one."""
    pairs = {"(": ")", "[": "]", "{": "}"}
    depth = 0
    for index in range(place, len(code)):
        if code[index] in pairs:
            depth += 1
        elif code[index] in pairs.values():
            depth -= 1
            if depth == 0:
                return index
    return len(code) - 1


def error_codes(root):
    """For each case of an enum of error codes, the next case: how one error becomes another.

    A case whose name is in several enums, or that has a payload, is left out."""
    following = {}
    for path in sorted((root / "Sources").rglob("*.swift")):
        code = masked(path.read_text())
        for enum in re.finditer(r"\benum \w*(?:Code|ExitStatus|Failure)\b[^{\n]*\{", code):
            body = code[enum.end():closing(code, enum.end() - 1)]
            cases = []
            for line in re.finditer(r"^ *case ([^.(:]+)$", body, re.M):
                cases += [name.split("=")[0].strip() for name in line[1].split(",")]
            cases = [case for case in cases if re.fullmatch(r"\w+", case)]
            for case, other in zip(cases, cases[1:] + cases[:1]):
                following.setdefault(case, set()).add(other)
    return {case: others.pop() for case, others in following.items() if len(others) == 1 and case not in others}
