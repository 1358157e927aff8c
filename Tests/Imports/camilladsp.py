"""The responses that CamillaDSP's documents give a configuration: outputs × inputs."""
import numpy
import yaml
from cookbook import Grid, shelf_q, width_q


def responses(path, _):
    with open(path) as file:
        configuration = yaml.safe_load(file)
    rate = configuration["devices"]["samplerate"]
    width = configuration["devices"]["capture"]["channels"]
    grid = Grid(rate)
    one = numpy.ones_like(grid.z)
    paths = [[one if row == column else 0 * one for column in range(width)] for row in range(width)]
    for step in configuration["pipeline"]:
        if step.get("bypassed"):
            continue
        if step["type"] == "Mixer":
            paths = mixed(configuration["mixers"][step["name"]], paths, one)
            continue
        channels = step.get("channels")
        if channels is None:
            channels = [step["channel"]] if "channel" in step else range(len(paths))
        for name in step["names"]:
            response = filtered(grid, configuration["filters"][name])
            for channel in channels:
                paths[channel] = [response * part for part in paths[channel]]
    return rate, paths


def factor(part):
    if part.get("mute"):
        return 0.0
    gain = part.get("gain", 0.0)
    value = gain if part.get("scale") == "linear" else 10 ** (gain / 20)
    return -value if part.get("inverted") else value


def mixed(mixer, paths, one):
    result = [[0 * one for _ in paths[0]] for _ in range(mixer["channels"]["out"])]
    for mapping in mixer["mapping"]:
        if mapping.get("mute"):
            continue
        for source in mapping["sources"]:
            for column, part in enumerate(paths[source["channel"]]):
                result[mapping["dest"]][column] = result[mapping["dest"]][column] + factor(source) * part
    return result


def general_notch(grid, p):
    zero, pole = (numpy.tan(numpy.pi * p[key] / grid.rate) for key in ("freq_z", "freq_p"))
    gain = (pole / zero) ** 2 if p.get("normalize_at_dc") else 1
    return grid.ratio(
        [gain * (1 + zero**2), -2 * gain * (1 - zero**2), gain * (1 + zero**2)],
        [1 + pole / p["q_p"] + pole**2, 2 * pole**2 - 2, 1 - pole / p["q_p"] + pole**2])


def linkwitz_transform(grid, p):
    """The analog transfer function at the frequencies of the bilinear transform, which keeps the middle of both."""
    middle = numpy.pi * (p["freq_act"] + p["freq_target"])
    with numpy.errstate(all="ignore"):
        s = middle / numpy.tan(middle / (2 * grid.rate)) * (1 - grid.z) / (1 + grid.z)
        side = lambda end: numpy.polyval(
            [1, 2 * numpy.pi * p["freq_" + end] / p["q_" + end], (2 * numpy.pi * p["freq_" + end]) ** 2], s)
        return side("act") / side("target")


COEFFICIENTS = {
    "Free": lambda grid, p: grid.ratio([p["b0"], p["b1"], p["b2"]], [1, p["a1"], p["a2"]]),
    "GeneralNotch": general_notch, "LinkwitzTransform": linkwitz_transform,
}


def filtered(grid, definition):
    p = definition["parameters"]
    kind = p.get("type", "")
    if definition["type"] == "Gain":
        return factor(p) * numpy.ones_like(grid.z)
    if definition["type"] == "Delay":
        seconds = {"ms": 1e-3, "us": 1e-6, "mm": 1e-3 / 343, "samples": 1 / grid.rate}
        return grid.delay(p["delay"] * seconds[p.get("unit", "ms")] * grid.rate)
    if definition["type"] == "Conv":
        return grid.fir(p["values"])
    if definition["type"] == "DiffEq":
        return grid.ratio(p["b"], p["a"])
    if kind in COEFFICIENTS:
        return COEFFICIENTS[kind](grid, p)
    if definition["type"] == "Biquad":
        if kind.endswith("FO"):
            return grid.first_order(kind[:-2].lower(), p["freq"], p.get("gain", 0))
        if "q" in p:
            q = p["q"]
        elif "slope" in p:
            q = shelf_q(p["slope"] / 12, p["gain"])
        else:
            q = width_q(p["bandwidth"], p["freq"], grid.rate)
        return grid.biquad(kind.lower(), p["freq"], q, p.get("gain", 0))
    return combined(grid, kind, p)


def combined(grid, kind, p):
    if kind == "Tilt":
        return (grid.biquad("lowshelf", 110, 0.35, -p["gain"] / 2)
                * grid.biquad("highshelf", 3500, 0.35, p["gain"] / 2))
    if kind == "FivePointPeq":
        response = 1
        for end, shape in [("ls", "lowshelf"), ("p1", "peaking"), ("p2", "peaking"), ("p3", "peaking"),
                           ("hs", "highshelf")]:
            response = response * grid.biquad(shape, p["f" + end], p["q" + end], p["g" + end])
        return response
    if kind == "GraphicEqualizer":
        low, high = numpy.log2(p["freq_min"]), numpy.log2(p["freq_max"])
        octaves = (high - low) / len(p["gains"])
        response = 1
        for index, gain in enumerate(p["gains"]):
            frequency = 2 ** (low + (index + 0.5) * octaves)
            q = width_q(octaves, frequency, grid.rate)
            response = response * grid.biquad("peaking", frequency, q, gain)
        return response
    shape = "highpass" if kind.endswith("Highpass") else "lowpass"
    if kind.startswith("LinkwitzRiley"):
        return butterworth(grid, shape, p["freq"], p["order"] // 2) ** 2
    return butterworth(grid, shape, p["freq"], p["order"])


def butterworth(grid, shape, frequency, order):
    response = grid.first_order(shape, frequency) if order % 2 else 1
    for index in range(order // 2):
        q = 1 / (2 * numpy.sin(numpy.pi / order * (index + 0.5)))
        response = response * grid.biquad(shape, frequency, q)
    return response
