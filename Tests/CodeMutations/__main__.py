"""Changes one line of the source at a time, and counts the changes that the module's tests notice.

    scripts/mutate-code [--seed N] [--count 60] [--module NAME] [--list] [--only NAME:K]

FXRUN_BUILD_PATH names the build folder; the changes are made in a copy there.
"""
import argparse
import collections
import os
import pathlib
import random
import re
import sys
import typing

import rules
import sources
import workshop

LEAST_PER_MODULE = 5
LEAST_SHARE = 0.95


class Context(typing.NamedTuple):
    """What a rule knows besides the code of a line: its text, the code around it, the file's code, and the error codes."""
    raw: str
    before: str
    after: str
    code: str
    codes: dict


class Mutant(typing.NamedTuple):
    module: str
    path: pathlib.Path
    line: int
    rule: str
    old: str
    new: str

    def diff(self):
        return f"{self.path}:{self.line}: {self.rule}\n  - {self.old.strip()}\n  + {self.new.strip()}"


def main():
    arguments = parsed()
    root = pathlib.Path(__file__).resolve().parents[2]
    folders = sources.modules(root)
    chosen = arguments.module or ([arguments.only.split(":")[0]] if arguments.only else list(folders))
    for name in chosen:
        if name not in folders:
            raise SystemExit(f"there is no module {name}; there are {', '.join(folders)}")
    codes = sources.error_codes(root)
    order = {name: mutants(root, name, folders[name], codes, arguments.seed) for name in chosen}
    count = max(LEAST_PER_MODULE, -(-arguments.count // len(chosen)))
    if arguments.list:
        for name in chosen:
            for number, mutant in enumerate(order[name][:count]):
                print(f"{name}:{number} {mutant.diff()}")
        return 0
    build_folder = pathlib.Path(os.environ.get("FXRUN_BUILD_PATH") or root / ".build").absolute()
    place = workshop.Workshop(root, build_folder / "mutants")
    place.synchronize()
    print("building the unchanged package", flush=True)
    if message := place.build():
        raise SystemExit(f"the unchanged package does not build:\n{message}")
    only = int(arguments.only.split(":")[1]) if arguments.only else None
    results = {name: judged_module(place, name, order[name], count, only) for name in chosen}
    return report(results, arguments.seed)


def parsed():
    parser = argparse.ArgumentParser(
        prog="scripts/mutate-code",
        description="Changes one line of the source at a time and says whether the module's tests fail.")
    parser.add_argument("--seed", type=int, default=1, help="another one, other changes")
    parser.add_argument(
        "--count", type=int, default=60, help="mutants at least (default 60), the same number for every module")
    parser.add_argument("--module", action="append", metavar="NAME", help="this module alone; may be repeated")
    parser.add_argument("--only", metavar="NAME:K", help="the mutant of this name alone, as --list prints it")
    parser.add_argument("--list", action="store_true", help="print the mutants, and build none")
    arguments = parser.parse_args()
    if arguments.only and not re.fullmatch(r"\w+:\d+", arguments.only):
        parser.error("--only needs a name from --list, such as FxAudio:3")
    return arguments


def mutants(root, module, folder, codes, seed):
    """All mutants of a module in a random order, in which every rule comes as often as the others."""
    generator = random.Random(f"{seed} {module}")
    by_rule = collections.defaultdict(list)
    for path in sorted(folder.rglob("*.swift")):
        text = path.read_text()
        file_code = sources.masked(text)
        lines, code = text.splitlines(), file_code.splitlines()
        for number, line in enumerate(code):
            context = Context(
                lines[number], neighbour(code[:number][::-1]), neighbour(code[number + 1:]), file_code, codes)
            for name, rule in rules.RULES.items():
                for start, end, new in rule(line, context):
                    changed = lines[number][:start] + new + lines[number][end:]
                    by_rule[name].append(
                        Mutant(module, path.relative_to(root), number + 1, name, lines[number], changed))
    queues = [generator.sample(found, len(found)) for _, found in sorted(by_rule.items())]
    generator.shuffle(queues)
    order, lines_used = [], set()
    while any(queues):
        for queue in queues:
            if queue:
                mutant = queue.pop()
                if (mutant.path, mutant.line) not in lines_used:
                    lines_used.add((mutant.path, mutant.line))
                    order.append(mutant)
    return order


def neighbour(lines):
    """The nearest line with code."""
    return next((line.strip() for line in lines if line.strip()), "")


def judged_module(place, module, order, count, only):
    """Tests mutants until `count` of them have been built. Returns the words and the mutants."""
    targets = sources.tests(place.root, module)
    results = []
    if not targets:
        print(f"{module}: no tests: all its mutants survive", flush=True)
        return [("survived", mutant) for mutant in order[:count]]
    if message := place.build():
        raise SystemExit(f"the unchanged package does not build:\n{message}")
    failure, known, seconds = place.test(targets, 3600, known=None)
    if failure:
        raise SystemExit(f"{module}: the tests of the unchanged package do not end: {failure}")
    print(f"{module}: {', '.join(targets)} take {seconds:.0f} s", flush=True)
    for name in sorted(known):
        print(f"{module}: {name} fails without a change, and counts for nothing", flush=True)
    for number, mutant in enumerate(order):
        if only is not None and number != only:
            continue
        word, reason = judged(place, mutant, targets, 3 * seconds + 60, known)
        print(f"{word:13} {module}:{number} {mutant.diff()}\n  {reason}", flush=True)
        results.append((word, mutant))
        if only is not None or sum(word != "did not build" for word, _ in results) >= count:
            break
    return results


def judged(place, mutant, targets, seconds, known):
    path = place.source / mutant.path
    original = path.read_text()
    lines = original.splitlines(keepends=True)
    lines[mutant.line - 1] = mutant.new + "\n"
    path.write_text("".join(lines))
    try:
        if message := place.build():
            return "did not build", message.splitlines()[0]
        failure, _, took = place.test(targets, seconds, known)
        if failure:
            return "killed", f"by {failure} in {took:.0f} s"
        return "survived", f"all tests pass in {took:.0f} s"
    finally:
        path.write_text(original)


def report(results, seed):
    print(f"\n{'module':16} {'mutants':>7} {'killed':>7} {'survived':>8} {'did not build':>13}")
    counts = {name: collections.Counter(word for word, _ in found) for name, found in results.items()}
    for name, words in counts.items():
        built = words["killed"] + words["survived"]
        print(f"{name:16} {built:7} {words['killed']:7} {words['survived']:8} {words['did not build']:13}")
    killed = sum(words["killed"] for words in counts.values())
    survivors = [mutant for found in results.values() for word, mutant in found if word == "survived"]
    built = killed + len(survivors)
    share = killed / built if built else 1
    print(f"\nseed {seed}: {killed} of {built} killed ({100 * share:.1f} %)")
    for mutant in survivors:
        print(f"survived {mutant.diff()}")
    return 0 if share >= LEAST_SHARE else 1


sys.exit(main())
