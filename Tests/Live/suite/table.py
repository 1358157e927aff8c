"""The table of results, and tests that a busy machine may disturb."""
import functools
import time
import unittest


def retried(times=3):
    """Runs a test again if it raises Disturbed: the machine was late, not the program."""
    def mark(function):
        @functools.wraps(function)
        def run(test):
            for attempt in range(times):
                try:
                    return function(test)
                except Disturbed as disturbance:
                    if attempt == times - 1:
                        test.skipTest(f"this machine is too busy: {disturbance}")
                    test.renew()
        return run
    return mark


class Disturbed(Exception):
    """The machine was too late; the test proves nothing about the program."""


class Table(unittest.TestResult):
    """Prints a line when a test ends, and all results as a table."""

    def __init__(self):
        super().__init__()
        self.rows = []
        self._starts = {}

    def startTest(self, test):
        super().startTest(test)
        self._starts[id(test)] = time.monotonic()

    def _add(self, test, verdict, note=""):
        sentence = (test.shortDescription() or str(test)).rstrip(".")
        seconds = time.monotonic() - self._starts[id(test)]
        area = type(test).__doc__.splitlines()[0].rstrip(".") if type(test).__doc__ else ""
        self.rows.append((area, sentence, verdict, seconds, note))
        print(f"{verdict:9} {seconds:5.1f} s  {sentence}{': ' + note if note else ''}", flush=True)

    @staticmethod
    def _last_line(error):
        return str(error[1]).strip().split("\n")[-1][:300]

    def addSuccess(self, test):
        super().addSuccess(test)
        self._add(test, "pass")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._add(test, "FAIL", self._last_line(err))

    def addError(self, test, err):
        super().addError(test, err)
        self._add(test, "ERROR", f"{err[0].__name__}: {self._last_line(err)}")

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err:
            self._add(test, "FAIL", f"{subtest._subDescription()} {self._last_line(err)}")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._add(test, "skipped", reason)

    @property
    def is_good(self):
        return not (self.failures or self.errors)

    def print_table(self):
        area = None
        for row_area, sentence, verdict, seconds, note in sorted(
                self.rows, key=lambda row: row[0]):
            if row_area != area:
                area = row_area
                print(f"\n{area}\n")
                print("| | result | s | |\n|---|---|---|---|")
            print(f"| {sentence} | {verdict} | {seconds:.1f} | {note.replace('|', '/')} |")
        counts = {}
        for row in self.rows:
            counts[row[2]] = counts.get(row[2], 0) + 1
        print("\n" + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
