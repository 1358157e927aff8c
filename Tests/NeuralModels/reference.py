#!/usr/bin/env python3
"""Writes reference.json: small models, a sound, and what each model makes of it. Needs NumPy.

usage: python3 Tests/NeuralModels/reference.py
"""

import json
import pathlib

import networks
import numpy

COUNT = 150


def main():
    time = numpy.arange(COUNT)
    sound = 0.6 * numpy.sin(0.002 * time * time) + 0.2 * numpy.random.default_rng(1).standard_normal(COUNT)
    sound[:5] = 0
    sound = numpy.round(sound, 6).astype(numpy.float32).astype(float)
    cases = [
        {
            "name": name, "model": model.document,
            "output": [float(f"{sample:.8g}") for sample in model.output(sound)],
        }
        for name, model in networks.others().items()
    ]
    text = json.dumps({"input": [float(f"{sample:.9g}") for sample in sound], "cases": cases}, separators=(",", ":"))
    target = pathlib.Path(__file__).resolve().parent / "reference.json"
    target.write_text(text.replace('{"name"', '\n{"name"') + "\n")
    print(f"{len(cases)} models, {target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
