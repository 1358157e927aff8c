"""Runs the tests of live playing: python3 Tests/Live/suite [--times N] [--long] [WORD ...]

Only tests with one of the words in their names or sentences run, each N times. With --long only the
tests that take many minutes run; they need an otherwise idle computer. FXRUN_BINARY names a built
fxrun, FXRUN_LIVE_TOOLS the folder that Tests/Live/build has filled; scripts/test-live sets both.
"""
import argparse
import concurrent.futures
import pathlib
import sys
import unittest

from table import Table


def all_tests(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from all_tests(test)
        else:
            yield test


def load(words, times, long):
    """The chosen tests, with a new instance for each time."""
    folder = str(pathlib.Path(__file__).parent)
    for _ in range(times):
        for test in all_tests(unittest.defaultTestLoader.discover(folder, top_level_dir=folder)):
            if getattr(test, "is_long", False) != long:
                continue
            text = f"{test.id()} {test.shortDescription()}"
            if not words or any(word in text for word in words):
                yield test


def main():
    parser = argparse.ArgumentParser(prog="scripts/test-live")
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("words", nargs="*")
    arguments = parser.parse_args()
    chosen = list(load(arguments.words, arguments.times, arguments.long))
    if not chosen:
        print("no test has such a name")
        return 2
    table = Table()
    patient = [test for test in chosen if getattr(test, "is_patient", False)]
    # Patient tests run in parallel. The others depend on timing, so each runs alone.
    with concurrent.futures.ThreadPoolExecutor(max_workers=12) as pool:
        list(pool.map(lambda test: test.run(table), patient))
    for test in chosen:
        if not any(test is other for other in patient):
            test.run(table)
    table.print_table()
    return 0 if table.is_good else 1


sys.exit(main())
