"""The responses that PipeWire's documents and sources give a filter chain: outputs × inputs, at 48 kHz."""
import re
import numpy
from cookbook import Grid


def parse(text):
    """SPA-JSON as dictionaries, lists and texts."""
    text = re.sub(r'#[^\n"]*$', "", text, flags=re.M)
    tokens = re.findall(r'"(?:[^"\\]|\\.)*"|[{}\[\]]|[^\s,:={}\[\]"]+', text)

    def value(at):
        token = tokens[at]
        if token == "{":
            result, at = {}, at + 1
            while tokens[at] != "}":
                key = tokens[at].strip('"')
                result[key], at = value(at + 1)
            return result, at + 1
        if token == "[":
            result, at = [], at + 1
            while tokens[at] != "]":
                item, at = value(at)
                result.append(item)
            return result, at + 1
        return token.strip('"'), at + 1

    tokens.insert(0, "{")
    tokens.append("}")
    return value(0)[0]


def responses(path, _):
    with open(path) as file:
        arguments = parse(file.read())["context.modules"][0]["args"]
    graph = arguments["filter.graph"]
    grid = Grid(48000)
    nodes = {node["name"]: node for node in graph["nodes"]}
    links = [(link["output"], link["input"]) for link in graph.get("links", [])]
    names = list(nodes)
    inputs = graph.get("inputs") or [names[0] + ":In"]
    outputs = graph.get("outputs") or [names[-1] + ":Out"]

    def output(name, entry):
        """The response from an input of the graph to the output of a node."""
        node = nodes[name]
        total = 0
        for port in inputs + [end for _, end in links]:
            if port.split(":")[0] != name:
                continue
            gain = 1.0
            if node["label"] == "mixer":
                gain = float(node.get("control", {}).get("Gain " + port[-1], 1))
            if port == entry:
                total = total + gain
            for start, end in links:
                if end == port:
                    total = total + gain * output(start.split(":")[0], entry)
        return total * node_response(grid, node)

    if len(inputs) == 1:
        response = output(outputs[0].split(":")[0], inputs[0])
        silent = numpy.zeros_like(grid.z)
        return 48000, [[response, silent], [silent, response]]
    return 48000, [[output(end.split(":")[0], entry) + 0 * grid.z for entry in inputs] for end in outputs]


def node_response(grid, node):
    control = {key: float(value) for key, value in node.get("control", {}).items()}
    config = node.get("config", {})
    label = node["label"]
    if label == "bq_raw":
        given = next(part for part in config["coefficients"] if float(part["rate"]) == grid.rate)
        return grid.ratio(*([float(given[side + number]) for number in "012"] for side in "ba"))
    if label.startswith("bq_"):
        return biquad(grid, label[3:], control["Freq"], control.get("Q", 0), control.get("Gain", 0))
    if label in ("copy", "mixer"):
        return 1
    if label == "invert":
        return -1 + 0 * grid.z
    if label == "linear":
        return control["Mult"] + 0 * grid.z
    if label == "delay":
        return grid.delay(int(control["Delay (s)"] * grid.rate))
    if label == "dcblock":
        return grid.ratio([1, -1], [1, -control["R"]])
    if label == "param_eq":
        response = 1
        for part in config["filters"]:
            response = response * biquad(
                grid, part["type"][3:], float(part["freq"]), float(part["q"]), float(part["gain"]))
        return response
    if label == "convolver":
        return impulse(grid, config)
    raise ValueError(label)


def biquad(grid, kind, frequency, q, gain):
    if kind in ("lowpass", "highpass"):
        resonance = 10 ** (0.05 * q)
        q = 1 / numpy.sqrt((4 - numpy.sqrt(16 - 16 / resonance ** 2)) / 2)
    elif kind in ("lowshelf", "highshelf") and q <= 0:
        q = numpy.sqrt(0.5)
    return grid.biquad(kind, frequency, q, gain)


def impulse(grid, config):
    gain = float(config.get("gain", 1))
    if config["filename"].startswith("/ir:"):
        return gain * grid.fir([float(tap) for tap in config["filename"][4:].split(",")[1:]])
    length = int(config["length"])
    half = length // 2
    taps = numpy.zeros(length)
    for index in range(1, half, 2):
        tap = gain * 2 / numpy.pi / index * (0.43 + 0.57 * numpy.cos(index * numpy.pi / half))
        taps[half + index], taps[half - index] = -tap, tap
    return grid.fir(taps)
