#!/usr/bin/env python3
"""Puts the numbers that `fxrun plugins show` prints for each parameter (minimum, maximum, default)
into a chain, for every installed plugin, and counts the refused ones.

usage: bounds.py FXRUN [PATTERN]
"""

import json
import re
import subprocess
import sys
import tempfile

# `gain  -90…24 dB  default 0  Gain`: the columns are two spaces apart or more. A linear gain has a default with a unit,
# `al  -60…0 dB  default -12 dB  Attack threshold`, and takes a plain number as a factor.
ROW = re.compile(r"^  (\S+) +(\S+)…(\S+)(?: \S+)*? {2,}default (\S+)( dB)?")

VALUE_CODES = {"out-of-range", "not-an-integer", "not-a-choice", "invalid-value", "wrong-type"}


def parameters(text):
    """Symbols with their minimum, maximum and default, as numbers or as levels of a linear gain."""
    rows = text.split("\nparameters:\n", 1)
    if len(rows) < 2:
        return []
    found = []
    for line in rows[1].split("\n"):
        if not line.startswith("  "):
            break
        if match := ROW.match(line):
            symbol, low, high, default, unit = match.groups()
            numbers = [
                f"{text}{unit}" if unit else float(text)
                for text in (low, high, default) if re.fullmatch(r"-inf|-?[0-9][0-9.e+-]*", text) and (unit or text != "-inf")]
            found.append((symbol, numbers))
    return found


def refused(fxrun, nodes, folder):
    """The messages of `fxrun check` about refused values."""
    path = f"{folder}/chain.json"
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"version": 1, "sampleRate": 48000, "chain": nodes}, file)
    run = subprocess.run([fxrun, "check", "--json", path], capture_output=True, check=False)
    if not run.stdout.startswith(b"{"):
        return [f"no report, exit status {run.returncode}: {run.stderr.decode(errors='replace')[-200:]!r}"]
    # Missing connections and libraries are ignored: they do not concern the numbers.
    return [
        entry["message"] for entry in json.loads(run.stdout).get("diagnostics", [])
        if entry["code"] in VALUE_CODES or "is outside of" in entry["message"]]


def main():
    fxrun = sys.argv[1]
    pattern = sys.argv[2] if len(sys.argv) > 2 else ""
    plugins = json.loads(subprocess.run([fxrun, "plugins", "--usable", "--json"], capture_output=True, check=True).stdout)
    typed = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for uri in [plugin["uri"] for plugin in plugins if pattern in plugin["uri"]]:
            text = subprocess.run([fxrun, "plugins", "show", uri], capture_output=True, check=True).stdout.decode()
            found = parameters(text)
            typed += sum(len(numbers) for _, numbers in found)
            # One chain with all minimums, one with all maximums and one with all defaults. Each has
            # one node, even for a plugin with hundreds of parameters.
            problems = []
            for index in range(3):
                values = {symbol: numbers[index] for symbol, numbers in found if index < len(numbers)}
                if values:
                    problems += refused(fxrun, [{"lv2": uri, "parameters": values}], folder)
            count += len(problems)
            for problem in problems:
                print(f"{uri}: {problem}")
    print(f"{typed} printed numbers typed, {count} refused")
    sys.exit(count > 0)


main()
