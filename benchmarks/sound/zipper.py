"""Each parameter of each unit jumps after half a second from a quarter to three quarters of its range, on the
parameter's own scale, while a tone of 200 Hz at -20 dBFS plays. Only the unit's own smoothing is active. A click is a
component above 10 kHz that is louder than -90 dBFS within 60 ms of the jump and is absent before and after it. The
worst parameter of each unit counts. Units that distort receive a tone of -80 dBFS; their clicks are scaled as if the
tone had the usual level. Hiss, crackle and wavering are switched off. An azimuth goes from left to right, a period
from one beat to three. A second input receives a tone of 310 Hz. Switches, modulators, generators and the parameters
of bands are left out. A delay with a changing time bends the pitch like a tape; with `"change": "crossfade"` it does
not."""

import json
import math

import numpy
from scipy import signal

from bench import Goal, run

TITLE = "Steps of parameters"
RATE = 48000
LISTS = {
    "equalizer": [{"type": "peak"}],
    "crossover": None, "linearCrossover": None, "mixer": None, "convolver": None, "matrix": None,
    "multiband": [{"upTo": 300}, {"upTo": 3000}, {}],
    "dynamicEqualizer": [{"frequency": 300}],
}
# Switches off hiss, crackle and wavering.
STILL = {
    "tape": {"hiss": -200, "wow": 0, "flutter": 0},
    "vinyl": {"noise": -200, "rumble": -200, "clicks": 0, "wow": 0, "flutter": 0},
}
OPTIONS = {"channelMap": {"to": "stereo"}, "pitch": {"formants": "keep"}}
# The signal of a second input: a tone of 310 Hz.
OTHER = {"source": {"signal": "tone", "frequency": 310, "level": -23, "channels": 2, "duration": "1 s"}}
GOALS = []


def units(bench):
    """Each unit, the level of a tone for it, and its further inputs."""
    for unit in json.loads(run([bench.fxrun, "units", "--json"]).stdout):
        name = unit["id"]
        if unit["category"] in ("modulation", "measurement", "generator") or LISTS.get(name, []) is None:
            continue
        # A unit that makes harmonics makes some above 10 kHz too.
        bends = unit["category"] == "distortion" or name == "tape"
        more = [bus["name"] for bus in unit["inputs"][1:] if not bus["optional"]]
        yield unit, 1e-4 if bends else 0.1, more


PLACES = {"select": (1, 2), "azimuth": (-90, 90), "period": (1, 3)}


def places(parameter):
    if parameter["id"] in PLACES:
        return PLACES[parameter["id"]]
    low, high = float(parameter["minimum"]), float(parameter["maximum"])
    low, high = max(low, -60), min(high, 20000)
    if low > 0 and high / low > 20:
        return [math.exp(math.log(low) + share * (math.log(high) - math.log(low))) for share in (0.25, 0.75)]
    return [low + share * (high - low) for share in (0.25, 0.75)]


def click(bench, name, parameter, level, more):
    first, second = places(parameter)
    still = {key: value for key, value in STILL.get(name, {}).items() if key != parameter["id"]}
    node = {"unit": name, **OPTIONS.get(name, {}), "parameters": {**still, parameter["id"]: first}}
    if LISTS.get(name):
        node["bands"] = LISTS[name]
    nodes = {"in": {"source": "main"}, "x": node, "out": {"sink": "main"}}
    connections = ["in -> x -> out", *(f"other -> x:{bus}" for bus in more)]
    if name == "switch":
        connections.append("other -> x")
    if len(connections) > 1:
        nodes["other"] = OTHER
    chain = {
        "version": 1, "tail": "none", "nodes": nodes, "connections": connections,
        "automation": [{"parameter": f"x.{parameter['id']}", "points": [[0, first], [0.5, second, "step"]]}]}
    time = numpy.arange(RATE) / RATE
    tone = level * numpy.sin(2 * numpy.pi * 200 * time)
    output = bench.render(chain, numpy.column_stack([tone, tone]), RATE)[:RATE, 0]
    high = numpy.abs(signal.sosfilt(signal.butter(8, 10000, "high", fs=RATE, output="sos"), output))
    steady = max(high[RATE // 4: RATE // 2 - 3000].max(), high[RATE // 2 + 12000: -3000].max())
    during = high[RATE // 2 - 2880: RATE // 2 + 2880].max()
    return 20 * numpy.log10(max(0.1 / level * (during - steady), 1e-9))


def measure(bench):
    figures = {}
    for unit, level, more in units(bench):
        name, worst = unit["id"], None
        for parameter in unit["parameters"]:
            if parameter.get("toggle"):
                continue
            value = click(bench, name, parameter, level, more)
            if worst is None or value > worst[0]:
                worst = (value, parameter["id"])
        if worst:
            GOALS.append(Goal(name, f"`{name}`: {worst[1]}", "dBFS", at_most=-90, digits=0))
            figures[name] = worst[0]
    return figures
