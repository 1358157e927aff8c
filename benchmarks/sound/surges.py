"""Each parameter of each unit jumps after 1.5 s from one end of its range to the other, in both directions, while
periodic pink noise of -20 dBFS plays: its period is 50 ms, so that the level of every 50 ms is the same. Only the
unit's own smoothing is active. A surge is the level of the loudest 50 ms after the jump, minus the level of the
loudest 50 ms of two renders that have the value from before or from after the jump throughout. The other parameters
have their defaults, then one of them at a time one end of its range; options such as `size` too. The worst jump of
each unit counts. Ranges are cut at -60 dB and 20 kHz. Noises of the unit itself are switched off. Switches, modulators,
generators and the parameters of bands are left out.

These units have no aim. Pass filters, `peak` and `autoWah` move through frequencies that are louder than both ends, and
a resonance rings on. `lowShelf` raises the bass that it holds: by 96 dB at 10 Hz. `limiter` limits peaks at once and the loudness within its release. `tremolo` may pause at its loudest. `delay`, `chorus`
and `vibrato` bend the pitch while their time changes, and the bass of the noise with it. The feedback of `phaser` rings
on."""

import json
import re

import numpy

from bench import Goal, decibels, run
from zipper import LISTS, OPTIONS, STILL, units

TITLE = "Levels after steps of parameters"
RATE = 48000
PERIOD = RATE // 20
STEP = 30 * PERIOD
FRAMES = 60 * PERIOD
EXPLAINED = {
    "lowPass", "highPass", "bandPass", "peak", "autoWah", "lowShelf", "limiter", "tremolo", "delay", "chorus",
    "vibrato", "phaser"}
# Options whose numbers decide whether there is a parameter.
SKIPPED = {"order", "channels"}
GOALS = []


def noise(seed):
    """Periodic pink noise: every window of a period has the same level."""
    random = numpy.random.default_rng(seed)
    hertz = numpy.fft.rfftfreq(PERIOD, 1 / RATE)
    lines = numpy.exp(2j * numpy.pi * random.uniform(size=hertz.size))
    lines[1:] /= numpy.sqrt(hertz[1:])
    lines[0] = lines[-1] = 0
    period = numpy.fft.irfft(lines)
    return numpy.tile(0.1 * period / numpy.std(period), FRAMES // PERIOD)


def ends(parameter):
    low, high = float(parameter["minimum"]), float(parameter["maximum"])
    return max(low, -60), min(high, 20000)


def contexts(unit):
    """Settings of the other parameters and options, one away from its default at a time."""
    yield {}, {}
    for parameter in unit["parameters"]:
        if not parameter.get("toggle"):
            for value in ends(parameter):
                yield {parameter["id"]: value}, {}
    for option in unit["options"]:
        if option["key"] in SKIPPED:
            continue
        found = re.match(r"([\d.]+)…([\d.]+)", option["values"])
        for value in found.groups() if found else ():
            yield {}, {option["key"]: float(value)}


def levels(output):
    """The level of every period, as the power of all channels."""
    frames = output[: len(output) // PERIOD * PERIOD]
    return numpy.sqrt(numpy.mean(frames.reshape(-1, PERIOD * frames.shape[1]) ** 2, axis=1))


def surges(bench, unit, values, options, more):
    """The surge of each parameter and direction with these settings."""
    name = unit["id"]
    nodes = {"in": {"source": "main"}, "other": {"source": {"input": "other"}}}
    connections, automation, cases = [], [], []
    for parameter in unit["parameters"]:
        if parameter.get("toggle") or parameter["id"] in values:
            continue
        first, last = ends(parameter)
        renders = [(first, first), (last, last), (first, last), (last, first)]
        cases.append(parameter["id"])
        for index, (before, after) in enumerate(renders):
            key = f"{parameter['id']}{index}"
            still = {**STILL.get(name, {}), **values, parameter["id"]: before}
            node = {"unit": name, **OPTIONS.get(name, {}), **options, "parameters": still}
            if LISTS.get(name):
                node["bands"] = LISTS[name]
            if unit.get("wet") is not None:
                node["wet"] = 1
            nodes[key] = node
            nodes[f"{key}Out"] = {"sink": {"file": str(bench.folder / f"{key}.wav"), "bits": 32}}
            connections += [f"in -> {key} -> {key}Out", *(f"other -> {key}:{bus}" for bus in more)]
            if before != after:
                automation.append({
                    "parameter": f"{key}.{parameter['id']}",
                    "points": [[0, before], [STEP / RATE, after, "step"]]})
    if not cases:
        return
    if not more:
        del nodes["other"]
    path = bench.folder / "chain.json"
    path.write_text(json.dumps({
        "version": 1, "tail": "none", "nodes": nodes, "connections": connections, "automation": automation}))
    sounds = [bench.write("in.wav", numpy.column_stack([noise(1), noise(2)]), RATE)]
    if "other" in nodes:
        sounds += ["--input", f"other={bench.write('other.wav', numpy.column_stack([noise(3), noise(4)]), RATE)}"]
    run([bench.fxrun, path, *sounds, "-q"])
    for case in cases:
        low, high, up, down = (
            levels(bench.read(bench.folder / f"{case}{index}.wav"))[20:] for index in range(4))
        loudest = max(low.max(), high.max())
        for direction, output in (("up", up), ("down", down)):
            yield case, direction, decibels(output[9:].max()) - decibels(loudest)


def measure(bench):
    figures = {}
    for unit, _, more in units(bench):
        name, worst = unit["id"], None
        if name in ("switch", "align"):
            continue
        for values, options in contexts(unit):
            for case, direction, surge in surges(bench, unit, values, options, more):
                if worst is None or surge > worst[0]:
                    worst = (surge, case, direction, values, options)
        if worst:
            surge, case, direction, values, options = worst
            others = "".join(f", `{key}` {value:g}" for key, value in {**values, **options}.items())
            aim = None if name in EXPLAINED else 1.5
            GOALS.append(Goal(name, f"`{name}`: {case} {direction}{others}", "dB", at_most=aim, digits=1))
            figures[name] = surge
    return figures
