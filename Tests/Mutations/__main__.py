"""Changes chains and plugins one at a time, and compares fxrun test's report with the expected one.

    scripts/mutate-goldens --seed N [--count 200] [--only K] [--jobs 2] [--repeat N] [--folder FOLDER]

FXRUN_BINARY names a built fxrun.
"""
import argparse
import concurrent.futures
import os
import pathlib
import shutil
import sys
import tempfile

from kinds import KINDS
from load import repeat
from program import Fxrun
from workshop import Workshop

ASPECTS = {"caught": "caught", "cause": "cause right", "category": "category right",
           "first": "first node right"}


def main():
    parser = argparse.ArgumentParser(
        prog="scripts/mutate-goldens",
        description="Changes chains and plugins one at a time and says whether fxrun test catches "
        "each change and explains it rightly.")
    parser.add_argument("--seed", default="1", help="another one, other mutations")
    parser.add_argument("--count", type=int, default=200, help="mutations (default 200)")
    parser.add_argument("--only", type=int, metavar="K", help="the mutation of this number alone")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="mutations at a time")
    parser.add_argument(
        "--repeat", type=int, metavar="N",
        help="in place of mutations: the unchanged suite N times on a busy machine")
    parser.add_argument("--folder", help="where to work, and to keep what was wrong")
    parser.add_argument("--quiet", action="store_true", help="no line for what is right")
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.folder or tempfile.mkdtemp(prefix="fxrun-mutations-"))
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        parser.error(f"{folder} is not empty")
    workshop = Workshop(Fxrun(os.environ["FXRUN_BINARY"]), folder, arguments.seed)
    workshop.prepare(arguments.jobs)
    if arguments.repeat is not None:
        is_good = tell_alarms(repeat(workshop, arguments.repeat, arguments.jobs), arguments.repeat)
    else:
        is_good = tell_mutations(workshop, arguments)
    if is_good and not arguments.folder:
        shutil.rmtree(folder)
    return 0 if is_good else 1


def tell_alarms(alarms, times):
    for alarm in alarms:
        print(alarm)
    print(f"{len(alarms)} false alarms in {times} runs")
    return not alarms


def tell_mutations(workshop, arguments):
    numbers = [arguments.only] if arguments.only is not None else range(arguments.count)
    results = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for result in pool.map(workshop.mutate, numbers):
            results.append(result)
            tell(result, workshop, arguments.quiet and arguments.only is None)
    print_table(results)
    counts = {
        title: sum(1 for result in results if result.judgement and result.judgement.caught == []
                   and not getattr(result.judgement, aspect))
        for aspect, title in ASPECTS.items()}
    unsure = sum(1 for result in results if result.judgement and result.judgement.construction)
    words = [f"{counts['caught']} of {len(results)} caught"]
    words += [f"{title} {counts[title]}" for title in list(ASPECTS.values())[1:]]
    print("\n" + ", ".join(words))
    if unsure:
        print(f"{unsure} are not what they should be: a mistake of the mutations themselves")
    return all(not result.mistakes for result in results)


def tell(result, workshop, isQuiet):
    if result.mistakes:
        print(f"{result.number:4} WRONG  {result.kind} | {result.case}: {result.what}")
        for aspect, text in result.mistakes:
            print(f"            {aspect}: {text}")
        if result.told:
            print(f"            told: {result.told}")
        print(f"            again: scripts/mutate-goldens --seed {workshop.seed} --only {result.number} "
              f"--folder NEW; its files: {workshop.folder}/mutations/{result.number}-*")
    elif not isQuiet:
        begins = ", ".join(f"{place} {node}" for place, node, _ in result.told.divergences) or "nowhere"
        said = "; ".join(f"{name} {word or 'same'}" for name, word in result.told.outputs.items())
        print(f"{result.number:4} right  {result.kind} | {result.case}: {result.what} | {said} | {begins}")
    sys.stdout.flush()


def print_table(results):
    print("\n| kind | mutations | " + " | ".join(ASPECTS.values()) + " |")
    print("|---|---|" + "---|" * len(ASPECTS))
    for kind in KINDS:
        rows = [result for result in results if result.kind == kind]
        if not rows:
            continue
        judged = [result.judgement for result in rows if result.judgement]
        columns = [
            sum(1 for one in judged if not one.caught and not getattr(one, aspect))
            for aspect in ASPECTS]
        print(f"| {kind} | {len(rows)} | " + " | ".join(map(str, columns)) + " |")


sys.exit(main())
