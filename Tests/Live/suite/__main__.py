"""Runs the tests of live playing: python3 Tests/Live/suite [WORD ...]

The words choose tests whose names or sentences have one of them. FXRUN_BINARY names a built fxrun,
FXRUN_LIVE_TOOLS the folder that Tests/Live/build has filled; scripts/test-live sets both.
"""
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


def main(words):
    folder = pathlib.Path(__file__).parent
    found = unittest.defaultTestLoader.discover(str(folder), top_level_dir=str(folder))
    chosen = [
        test for test in all_tests(found)
        if not words or any(word in f"{test.id()} {test.shortDescription()}" for word in words)]
    if not chosen:
        print("no test has such a name")
        return 2
    table = Table()
    patient = [test for test in chosen if getattr(test, "is_patient", False)]
    # Tests of time have the machine for themselves.
    with concurrent.futures.ThreadPoolExecutor(max_workers=12) as pool:
        list(pool.map(lambda test: test.run(table), patient))
    for test in chosen:
        if test not in patient:
            test.run(table)
    table.print_table()
    return 0 if table.is_good else 1


sys.exit(main(sys.argv[1:]))
