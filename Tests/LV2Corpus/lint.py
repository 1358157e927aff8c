#!/usr/bin/env python3
"""Lints a chain with each installed LV2 effect, and lists those that do not repeat themselves.

Called by scripts/lv2-lint, which installs the plugins and builds fxrun. Each finding is a file of its
own, so that an interrupted run can continue.
"""

import argparse
import json
import os
import sys

import audio
import corpus
import determinism
from hosts import Room, run

LIMIT = 300


class Sweep(corpus.Corpus):
    """Every effect, with an input of tones and noise at -6 dBFS, pauses, quiet parts and bursts."""

    def lint(self, effect):
        finding = {"uri": effect.uri, "name": effect.name, "package": effect.package}
        with Room(self.lv2_path) as room:
            with open(room.path("chain.json"), "w", encoding="utf-8") as file:
                json.dump(effect.chain({**effect.node, "id": "plugin"}), file)
            command = [self.options.fxrun, "lint", room.path("chain.json"), self.input(48000, "passages")]
            command += ["--json", "--jobs", "1"]
            outcome = run(command, room.env(), LIMIT, room.folder)
        try:
            chain = json.loads(outcome.output)["chains"][0]
        except (ValueError, KeyError, IndexError):
            return {**finding, "failure": outcome.ending}
        if "findings" not in chain:
            return {**finding, "failure": failure(chain)}
        keep = ("code", "severity", "message", "difference", "seconds", "measured", "reported", "level", "node")
        finding["findings"] = [
            {key: found[key] for key in keep if key in found} for found in chain["findings"]]
        return finding


def failure(chain):
    if "error" in chain:
        return chain["error"].get("message", "")
    errors = [found["message"] for found in chain.get("diagnostics", []) if found.get("severity") == "error"]
    return errors[0] if errors else "no findings"


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/lv2-lint", description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", metavar="PATTERN", help="effects whose URI or package matches")
    parser.add_argument("--jobs", type=int, default=2 * (os.cpu_count() or 1), help="how many at a time")
    parser.add_argument("--out", default=".build/lv2-lint", metavar="FOLDER", help="where findings are kept")
    parser.add_argument("--fresh", action="store_true", help="forget earlier findings")
    parser.add_argument("--write", metavar="FILE", help="write the page as Markdown")
    parser.add_argument("--fxrun", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--bare", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--lv2-path", required=True, help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    options = arguments()
    sweep = Sweep(options)
    sweep.input(48000, "passages")
    found = sweep.sweep("effects", sweep.lint, [(effect.key, effect) for effect in sweep.effects])
    page = determinism.Page(found)
    print(page.summary())
    if options.write:
        with open(options.write, "w", encoding="utf-8") as file:
            file.write(page.markdown())


if __name__ == "__main__":
    main()
