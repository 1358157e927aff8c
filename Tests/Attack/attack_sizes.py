"""Valid chains that are far too large: delays, channels, rates, latencies, blocks, nodes."""
import json

from sandbox import HANG, defects
from seeds import wav

RATES = (1000, 8000, 44100, 48000, 192000, 384000, 768000)
CHANNELS = (1, 2, 2, 6, 32, 64, 256)
COUNTS = (1, 3, 30, 300, 1000, 3000)
LATENCIES = (1, 480, 48000, 1_000_000, 10_000_000)
FEEDBACK = ("2 ms", "50 ms", "1 s", "20 s", "60 s")


def good(seeds):
    """A run of normal size that must succeed."""
    files = {"chain.json": json.dumps(_listed([{"unit": "delay"}])).encode(), "in.wav": seeds.wav}
    yield files, ["run", "chain.json", "in.wav", "-o", "out.wav"]


def attack(random, box, seeds):
    """A chain of an extreme size through one command."""
    shape = random.choice((_row, _row, _side_by_side, _loops, _sinks, _automated))
    chain = shape(random)
    for key, values in (("sampleRate", RATES), ("blockSize", (1, 64, 8192)), ("tail", ("auto", "none", "1 s"))):
        if random.random() < 0.4:
            chain[key] = random.choice(values)
    box.write("chain.json", json.dumps(chain).encode())
    box.write("in.wav", wav(0.02, random.choice((1, 2, 6)), random.choice((8000, 44100))))
    command = random.choice(("check", "plan", "run", "run"))
    if command == "run":
        arguments = ["run", "chain.json", "in.wav", "-o", "out.wav"]
        if random.random() < 0.2:
            arguments += ["--memory", random.choice(("1M", "100M", "1.5G", "100G"))]
        if random.random() < 0.2:
            arguments += ["--block-size", random.choice(("1", "8192"))]
        return _judged(box, arguments)
    return _judged(
        box, [command, "chain.json", "--input-channels", str(random.choice(CHANNELS)),
              "--sample-rate", str(random.choice(RATES))])


def _judged(box, arguments):
    """The faults of a run. A render that takes too long must end when it is stopped."""
    before = box.files()
    renders = arguments[0] == "run"
    outcome = box.run(*arguments, limit=4 if renders else HANG)
    if renders and outcome.hung and outcome.status in (0, 130):
        outcome.hung, outcome.was_stopped = False, True
    return defects(outcome, box.files() - before, {"out.wav", *(f"s{index}.wav" for index in range(40))})


def _listed(nodes):
    return {"version": 1, "chain": nodes}


def _unit(random):
    unit = {"unit": random.choice(("gain", "delay", "delay", "reverb", "limiter", "compressor", "equalizer", "meter"))}
    if unit["unit"] == "delay":
        unit["parameters"] = {"time": random.choice(("1 ms", "0.3 s", "5 s")), "feedback": random.choice((0, 0.98))}
    if unit["unit"] == "reverb":
        unit["size"] = random.choice((0.2, 2))
    if unit["unit"] == "compressor":
        unit["lookahead"] = "20 ms"
    if unit["unit"] == "equalizer":
        unit["bands"] = [{}] * random.choice((1, 64, 65))
    if random.random() < 0.3:
        unit["latency"] = random.choice(LATENCIES)
    if random.random() < 0.3:
        unit["wet"] = 0.5
    return unit


def _row(random):
    """One unit many times in series."""
    unit = _unit(random)
    # With more reverbs, one block would take longer than the time limit of a stop.
    nodes = [unit] * random.choice(COUNTS[:-1] if unit["unit"] == "reverb" else COUNTS)
    if random.random() < 0.5:
        nodes = [{"unit": "mixer", "channels": random.choice((1, 8, 32))}] + nodes
    return _listed(nodes)


def _side_by_side(random):
    """Many parallel units, summed."""
    nodes = {"in": {"source": "main"}, "out": {"sink": "main"}}
    ways = []
    for index in range(random.choice(COUNTS)):
        nodes[f"n{index}"] = _unit(random)
        ways.append(f"in -> n{index} -> out")
    return {"version": 1, "nodes": nodes, "connections": ways}


def _loops(random):
    """Many taps of long delays around one node."""
    nodes = {"in": {"source": "main"}, "sum": {"unit": "gain"}, "out": {"sink": "main"}}
    ways = ["in -> sum -> out"]
    for index in range(random.choice(COUNTS)):
        nodes[f"t{index}"] = {"unit": "gain"}
        ways += [{"from": "sum", "to": f"t{index}", "feedback": True, "delay": random.choice(FEEDBACK),
                  "gain": "-60 dB"}, f"t{index} -> sum"]
    return {"version": 1, "nodes": nodes, "connections": ways}


def _sinks(random):
    """Many files of one sound."""
    nodes = {"in": {"source": "main"}, "delay": _unit(random), "out": {"sink": "main"}}
    ways = ["in -> delay -> out"]
    for index in range(random.choice((1, 10, 40))):
        nodes[f"s{index}"] = {"sink": {"file": f"s{index}.wav"}}
        ways.append(f"delay -> s{index}")
    return {"version": 1, "nodes": nodes, "connections": ways}


def _automated(random):
    """Automation that makes the tail longer while it sounds."""
    chain = _listed([{"id": "room", "unit": "reverb"}, {"id": "echo", "unit": "delay"}])
    end = random.choice((1, 100, 1e6))
    chain["automation"] = [
        {"parameter": "room.decay", "points": [[0, 0.1], [end, 20, random.choice(("linear", "exponential"))]]},
        {"parameter": "echo.time", "points": [[0, 0.001], [end / 2, 5]]}]
    return chain
