"""Runs the tests of live playing: python3 Tests/Live/suite [--times N] [--long] [WORD ...]

The words choose tests whose names or sentences have one of them; each runs N times. With --long those that take many
minutes, and want a computer that does nothing else, run in place of the others. FXRUN_BINARY names a built fxrun,
FXRUN_LIVE_TOOLS the folder that Tests/Live/build has filled; scripts/test-live sets both.
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
    """The chosen tests, each anew for each time."""
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
    # Tests of time have the machine for themselves.
    with concurrent.futures.ThreadPoolExecutor(max_workers=12) as pool:
        list(pool.map(lambda test: test.run(table), patient))
    for test in chosen:
        if not any(test is other for other in patient):
            test.run(table)
    table.print_table()
    return 0 if table.is_good else 1


sys.exit(main())
