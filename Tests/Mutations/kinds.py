"""The kinds of mutations, with the expected reports.

Each kind draws a change of a case. By construction it knows the cause, the first node or
connection, and the change of the level, the time or the order of the channels there."""
import copy
import dataclasses
import re

from cases import FRAMES, builds
from chain import kind_of, name_of, node_of, port_of

KINDS = {}
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@dataclasses.dataclass
class Mutation:
    """One change of a case, and the expected report."""
    what: str
    case: object
    """The changed case."""
    cause: str
    """The kind of change in the environment."""
    node: str = None
    """The node that the cause names."""
    words: tuple = ()
    """Words that the message must have."""
    first: tuple = ()
    """Where the sound may begin to differ, as (place, node); empty if nowhere."""
    effect: str = None
    """The category of the change at `place`; None if only the renders show it."""
    place: object = None
    """A node, or the index of a connection; None for the whole sound."""
    lags: tuple = ()
    builds: dict = dataclasses.field(default_factory=builds)
    also: tuple = ()
    """Other kinds of causes that may be reported."""
    warning: str = None
    others: tuple = ()
    """Other places after the first where a difference may be reported to begin."""
    is_noise: bool = False
    """True if no simple category can explain the change."""
    input: tuple = None
    """The name of an input with one changed sample, and the frame of that sample."""


def kind(title):
    def mark(function):
        KINDS[title] = function
        return function
    return mark


def changed(case, **changes):
    """A copy of a case that can be changed."""
    return dataclasses.replace(
        case, chain=case.chain.copied(), others=copy.deepcopy(case.others),
        settings=copy.deepcopy(case.settings), signal=copy.deepcopy(case.signal), **changes)


# Values

def scaled(value, change):
    """A value with its first number changed; None if it has no such number."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return change(value) if value else None
    if not isinstance(value, str) or "/" in value or "$" in value:
        return None
    found = NUMBER.search(value)
    if found is None or float(found[0]) == 0 or "inf" in value:
        return None
    return value[:found.start()] + f"{change(float(found[0])):.10g}" + value[found.end():]


def louder(value):
    """A level plus 0.1 dB; None if the value is not a level."""
    if value is None:
        return "0.1 dB"
    if isinstance(value, (int, float)):
        return value + 0.1
    if not value.endswith("dB"):
        return None
    return f"{float(value[:-2]) + 0.1:.10g} dB"


def values(node):
    """The values that a node sets, as (path, object, key)."""
    for key in node.get("parameters", {}):
        yield key, node["parameters"], key
    if "wet" in node:
        yield "wet", node, "wet"
    for number, band in enumerate(node.get("bands", []), 1):
        for key in ("frequency", "gain", "q"):
            if key in band:
                yield f"bands.{band.get('id', number)}.{key}", band, key
    for name, strip in node.get("strips", {}).items():
        for key in strip:
            yield f"strips.{name}.{key}", strip, key


def is_overruled(case, name, path):
    """True if the value has no effect: the case sets another one, or it is automated."""
    automated = {line["parameter"] for line in case.chain.document.get("automation", [])}
    return f"{name}.{path}" in {*case.settings.get("set", {}), *automated}


def pick(generator, things):
    things = list(things)
    return generator.choice(things) if things else None


def effect_of(chain, node, path):
    """The category of a changed level, and the place of the change."""
    name, kind = node, kind_of(chain.nodes[node])
    if (kind, path) in (("gain", "gain"), ("mixer", "gain"), ("equalizer", "gain")) or (
            kind in ("TRIM", "LATENT") and path == "amount"):
        return "gain", name
    if kind == "mixer" and path.startswith("strips.") and path.endswith(".gain"):
        strip = path.split(".")[1]
        for index, (start, end, port) in enumerate(chain.ways()):
            if end == name and (port or start) == strip:
                return "gain", index
    return None, name


def set_value(case, generator, keep, change, what):
    """Changes one value that a node sets."""
    case = changed(case)
    choices = [(name, *value) for name in case.chain.units() for value in values(case.chain.nodes[name])
               if keep(case.chain.nodes[name], value[0])]
    chosen = pick(generator, choices)
    if chosen is None:
        return None
    name, path, owner, key = chosen
    before = owner[key]
    after = change(before)
    if after is None or is_overruled(case, name, path):
        return None
    owner[key] = after
    effect, place = effect_of(case.chain, name, path)
    return Mutation(
        f"{what}: {name}.{path} is {after}, was {before}", case, "chain", name, (f"{name}.{path} is",),
        (("node", name),), effect, place)


# Values of nodes

@kind("a coefficient off by a ten-thousandth")
def coefficient(case, generator):
    return set_value(
        case, generator, lambda node, path: True,
        lambda value: scaled(value, lambda number: number * 1.0001), "off by 1e-4")


@kind("a node louder by 0.1 dB")
def node_gain(case, generator):
    def is_level(node, path):
        unit = kind_of(node)
        return unit == "gain" and path == "gain" or path == "makeup" or (
            unit in ("mixer", "limiter") and path.endswith("gain"))
    return set_value(case, generator, is_level, louder, "0.1 dB louder")


@kind("a value left out")
def default(case, generator):
    case = changed(case)
    choices = [(name, key) for name in case.chain.units()
               for key in case.chain.nodes[name].get("parameters", {})]
    chosen = pick(generator, choices)
    if chosen is None:
        return None
    name, key = chosen
    if is_overruled(case, name, key):
        return None
    before = case.chain.nodes[name]["parameters"].pop(key)
    effect, place = effect_of(case.chain, name, key)
    if key == "invert":
        effect = "polarity"
    return Mutation(
        f"the default in place of {name}.{key} {before}", case, "chain", name, (f"{name}.{key} is",),
        (("node", name),), effect, place)


@kind("polarity turned over")
def polarity(case, generator):
    case = changed(case)
    name = pick(generator, [
        name for name in case.chain.units() if kind_of(case.chain.nodes[name]) == "gain"])
    if name is None:
        return None
    parameters = case.chain.nodes[name].setdefault("parameters", {})
    parameters["invert"] = not parameters.get("invert", False)
    return Mutation(
        f"{name}.invert is {parameters['invert']}", case, "chain", name, (f"{name}.invert is",),
        (("node", name),), "polarity", name)


@kind("a node bypassed")
def bypass(case, generator):
    case = changed(case)
    name = pick(generator, [
        name for name in case.chain.units()
        if kind_of(case.chain.nodes[name]) not in ("mixer", "use", "downmix", "pan")])
    if name is None:
        return None
    case.chain.nodes[name]["bypass"] = True
    return Mutation(
        f"{name} is bypassed", case, "chain", name, (f"{name}.bypass is",), (("node", name),),
        place=name)


@kind("another share of the dry signal")
def wet(case, generator):
    case = changed(case)
    name = pick(generator, [
        name for name in case.chain.units()
        if kind_of(case.chain.nodes[name]) not in ("mixer", "use", "downmix", "pan")])
    if name is None:
        return None
    case.chain.nodes[name]["wet"] = 0.77
    return Mutation(
        f"{name}.wet is 0.77", case, "chain", name, (f"{name}.wet is",), (("node", name),), place=name)


@kind("an option")
def option(case, generator):
    case = changed(case)
    choices = []
    for name in case.chain.units():
        node = case.chain.nodes[name]
        unit = kind_of(node)
        if unit in ("highPass", "lowPass"):
            choices.append((name, node, "order", 6 if node.get("order") != 6 else 2))
        if unit == "compressor":
            choices.append((name, node, "detector", "peak" if node.get("detector") == "rms" else "rms"))
        if unit == "delay":
            choices.append((name, node, "pingPong", not node.get("pingPong", False)))
        if unit == "reverb":
            choices.append((name, node, "size", 0.9))
        for band in node.get("bands", []):
            choices.append((name, band, "type", "peak" if band.get("type") != "peak" else "highShelf"))
    chosen = pick(generator, choices)
    if chosen is None:
        return None
    name, owner, key, value = chosen
    owner[key] = value
    return Mutation(
        f"{key} of {name} is {value}", case, "chain", name, (f"{name}.",), (("node", name),),
        place=name)


@kind("a band taken out")
def band(case, generator):
    case = changed(case)
    choices = [
        (name, node) for name, node in case.chain.nodes.items() if len(node.get("bands", [])) > 1]
    chosen = pick(generator, choices)
    if chosen is None:
        return None
    name, node = chosen
    index = generator.randrange(len(node["bands"]))
    if any(f"{name}.bands" in target for target in map(str, case.chain.document.get("expose", {}).values())):
        return None
    del node["bands"][index]
    return Mutation(
        f"band {index + 1} of {name} is gone", case, "chain", name, (f"{name}.",), (("node", name),),
        place=name)


@kind("another value of a variable")
def variable(case, generator):
    case = changed(case)
    choices = list(case.chain.document.get("variables", {}))
    name = pick(generator, choices)
    if name is None:
        return None
    before = case.chain.document["variables"][name]
    after = scaled(before, lambda number: number * 1.05)
    users = [user for user in case.chain.units() if "${" + name + "}" in str(case.chain.nodes[user])]
    if after is None or not users:
        return None
    case.chain.document["variables"][name] = after
    return Mutation(
        f"the variable {name} is {after}, was {before}", case, "chain", None, (" is ", ", was "),
        tuple(("node", user) for user in users))


@kind("a value that the case sets")
def case_setting(case, generator):
    case = changed(case)
    name = pick(generator, case.settings.get("set", {}))
    if name is None:
        return None
    before = case.settings["set"][name]
    case.settings["set"][name] = scaled(before, lambda number: number + generator.uniform(0.1, 2))
    node = name.split(".")[0]
    return Mutation(
        f"the case sets {name} to {case.settings['set'][name]}, was {before}", case, "chain", node,
        (f"{name} is",), (("node", node),), place=node)


@kind("a value in a chain that is used")
def inner(case, generator):
    case = changed(case)
    users = [name for name in case.chain.units() if "use" in case.chain.nodes[name]]
    user = pick(generator, users)
    if user is None:
        return None
    document = case.others[case.chain.nodes[user]["use"]]
    choices = [(node, *value) for node in document["chain"] for value in values(node)]
    node, path, owner, key = pick(generator, choices)
    before = owner[key]
    owner[key] = scaled(before, lambda number: number * 1.01)
    if owner[key] is None:
        return None
    name = f"{user}/{name_of(node)}"
    return Mutation(
        f"{name}.{path} is {owner[key]}, was {before}", case, "chain", name, (f"{name}.{path} is",),
        (("node", name),))


@kind("automation moved")
def automation(case, generator):
    case = changed(case)
    line = pick(generator, case.chain.document.get("automation", []))
    if line is None:
        return None
    point = generator.choice(line["points"][1:] or line["points"])
    part = generator.choice([0, 1])
    before = point[part]
    point[part] = scaled(before, lambda number: number * generator.choice([0.99, 1.02]))
    if point[part] is None:
        return None
    name, key = line["parameter"].split(".", 1)
    return Mutation(
        f"a point of {line['parameter']} is {point}", case, "chain", name,
        (f"automation of {key}",), (("node", name),), place=name)


@kind("an echo later by a frame")
def echo_time(case, generator):
    case = changed(case)
    name = pick(generator, [
        name for name in case.chain.units()
        if kind_of(case.chain.nodes[name]) == "delay" and "ms" in case.chain.nodes[name]["parameters"]["time"]])
    if name is None:
        return None
    parameters = case.chain.nodes[name]["parameters"]
    frames = generator.choice([1, 2, 5, 31])
    parameters["time"] = f"{float(parameters['time'].split()[0]) / 1000 + frames / 48000:.12f} s"
    return Mutation(
        f"{name}.time is {frames} frames longer", case, "chain", name, (f"{name}.time is",),
        (("node", name),), "latency", name, (frames,))


# Connections

def edge_words(case, index):
    start, end, _ = case.chain.ways()[index]
    return start, end


@kind("a connection louder by 0.1 dB")
def edge_gain(case, generator):
    case = changed(case)
    index = pick(generator, range(len(case.chain.edges)))
    if index is None:
        return None
    edge = case.chain.edges[index]
    before = edge.get("gain", "0 dB")
    edge["gain"] = louder(before)
    start, end = edge_words(case, index)
    return Mutation(
        f"the gain of {start} -> {end} is {edge['gain']}, was {before}", case, "chain", end,
        ("gain of", f"{start} -> {end}"), (("connection", end),), "gain", index)


@kind("channels swapped")
def swapped_channels(case, generator):
    case = changed(case)
    index = pick(generator, [
        index for index, edge in enumerate(case.chain.edges) if "channels" not in edge])
    if index is None:
        return None
    case.chain.edges[index]["channels"] = [2, 1]
    start, end = edge_words(case, index)
    return Mutation(
        f"the channels of {start} -> {end} are swapped", case, "chain", end,
        ("channels of", f"{start} -> {end}"), (("connection", end),), "channelOrder", index)


@kind("a connection dropped")
def dropped(case, generator):
    case = changed(case)
    ways = case.chain.ways()
    choices = [
        index for index, (start, end, _) in enumerate(ways) if index < len(case.chain.edges)
        and sum(way[0] == start for way in ways) > 1 and sum(way[1] == end for way in ways) > 1]
    index = pick(generator, choices)
    if index is None:
        return None
    start, end = edge_words(case, index)
    del case.chain.edges[index]
    return Mutation(
        f"{start} -> {end} is dropped", case, "chain", end, ("connection", start, "is gone"),
        (("connection", end),))


@kind("a connection added")
def added(case, generator):
    case = changed(case)
    if case.chain.is_list:
        return None
    names = list(case.chain.nodes)
    taken = {way[:2] for way in case.chain.ways()}
    choices = [
        (start, end) for start in names for end in names
        if start != end and (start, end) not in taken and start not in case.chain.behind([end])
        and "sink" not in case.chain.nodes[start] and "source" not in case.chain.nodes[end]]
    chosen = pick(generator, choices)
    if chosen is None:
        return None
    start, end = chosen
    port = ":more" if kind_of(case.chain.nodes[end]) == "mixer" else ""
    case.chain.edges.append({"from": start, "to": end + port, "gain": "-6 dB"})
    return Mutation(
        f"{start} -> {end} is added", case, "chain", end, ("connection", start, "is new"),
        (("connection", end),))


@kind("a loop longer by a frame")
def loop_delay(case, generator):
    case = changed(case)
    index = pick(generator, [
        index for index, edge in enumerate(case.chain.edges) if str(edge.get("delay", "")).endswith("ms")])
    if index is None:
        return None
    edge = case.chain.edges[index]
    frames = generator.choice([-3, -1, 1, 2])
    edge["delay"] = f"{float(edge['delay'].split()[0]) / 1000 + frames / 48000:.12f} s"
    start, end = edge_words(case, index)
    return Mutation(
        f"the loop {start} -> {end} is longer by {frames} frames", case, "chain", end,
        ("delay of", f"{start} -> {end}"), (("connection", end),))


# Nodes

@kind("a node taken out")
def removed(case, generator):
    case = changed(case)
    name = pick(generator, [
        name for name in case.chain.units()
        if kind_of(case.chain.nodes[name]) != "use" and is_named_once(case, name)])
    if name is None:
        return None
    if case.chain.is_list:
        case.chain.document["chain"] = [
            node for node in case.chain.document["chain"] if name_of(node) != name]
    else:
        coming = [edge for edge in case.chain.edges if node_of(edge["to"]) == name]
        if len(coming) != 1 or port_of(coming[0]["to"]):
            return None
        del case.chain.nodes[name]
        case.chain.edges.remove(coming[0])
        for edge in case.chain.edges:
            if node_of(edge["from"]) == name:
                end = node_of(edge["to"])
                if kind_of(case.chain.nodes[end]) == "mixer" and not port_of(edge["to"]):
                    edge["to"] = f"{end}:{name}"
                edge["from"] = coming[0]["from"]
    return Mutation(
        f"{name} is taken out", case, "chain", name, (f"'{name}' is gone",), (("structure", name),))


def is_named_once(case, name):
    """False if another part of the chain or the case refers to the node."""
    rest = {key: value for key, value in case.chain.document.items()
            if key not in ("nodes", "connections", "chain")}
    return f"{name}." not in f"{rest} {case.settings}"


@kind("a node put in")
def inserted(case, generator):
    case = changed(case)
    node = generator.choice([
        {"unit": "gain", "parameters": {"gain": "-0.5 dB"}},
        {"unit": "highPass", "parameters": {"frequency": "40 Hz"}},
        {"unit": "peak", "parameters": {"frequency": "1.2 kHz", "gain": "1 dB"}}])
    if case.chain.is_list:
        nodes = case.chain.document["chain"]
        nodes.insert(generator.randrange(len(nodes) + 1), {"id": "more", **node})
    else:
        edge = generator.choice(case.chain.edges)
        end = node_of(edge["to"])
        after = {**edge, "from": "more"}
        if kind_of(case.chain.nodes[end]) == "mixer" and not port_of(edge["to"]):
            after["to"] = f"{end}:{node_of(edge['from'])}"
        after.pop("channels", None)
        case.chain.nodes["more"] = node
        case.chain.edges.append(after)
        for key in ("gain", "feedback", "delay"):
            edge.pop(key, None)
        edge["to"] = "more"
    return Mutation(
        f"a {node['unit']} is put in", case, "chain", "more", ("'more'", "is new"),
        (("structure", "more"),))


@kind("another unit in a node's place")
def other_unit(case, generator):
    case = changed(case)
    others = {"lowPass": "highPass", "highPass": "lowPass", "peak": "bandPass",
              "lowShelf": "highShelf", "highShelf": "lowShelf", "gain": "meter"}
    name = pick(generator, [
        name for name in case.chain.units()
        if kind_of(case.chain.nodes[name]) in others and is_named_once(case, name)
        # Without an id, a new unit would change the node's name.
        and ("id" in case.chain.nodes[name] or not case.chain.is_list)])
    if name is None:
        return None
    node = case.chain.nodes[name]
    unit = others[kind_of(node)]
    node["unit"] = unit
    if unit in ("bandPass", "meter"):
        node.pop("parameters", None)
    return Mutation(
        f"{name} is a {unit}", case, "chain", name, (f"{name}.unit is {unit}",),
        (("structure", name),))


@kind("two nodes swapped")
def swapped_nodes(case, generator):
    case = changed(case)
    ways = case.chain.ways()
    units = set(case.chain.units())
    choices = []
    for start, end, port in ways:
        if {start, end} <= units and not port and sum(way[0] == start for way in ways) == 1 and sum(
                way[1] == end for way in ways) == 1 and sum(way[1] == start for way in ways) == 1:
            choices.append((start, end))
    chosen = pick(generator, choices)
    if chosen is None:
        return None
    one, other = chosen
    # The nodes after the two also receive from a different node.
    after = [end for start, end, _ in ways if start == other]
    if case.chain.is_list:
        nodes = case.chain.document["chain"]
        place = [name_of(node) for node in nodes].index(one)
        nodes[place], nodes[place + 1] = nodes[place + 1], nodes[place]
    else:
        for edge in case.chain.edges:
            edge["from"] = exchanged(edge["from"], one, other)
            end = node_of(edge["to"])
            if end in case.chain.nodes and kind_of(case.chain.nodes[end]) == "mixer":
                continue
            edge["to"] = exchanged(edge["to"], one, other)
    # Both receive a different input. Either may differ first: the input of one may be the same as
    # before for a while.
    return Mutation(
        f"{one} and {other} are swapped", case, "chain", other, ("is new",),
        (("connection", other), ("connection", one)),
        others=tuple(("connection", name) for name in after))


def exchanged(endpoint, one, other):
    name = node_of(endpoint)
    return {one: other, other: one}.get(name, name) + endpoint[len(name):]


# Plugins

def rebuilt(case, generator, what, models=None, **changes):
    """A mutation with a different build of a plugin that the case names, and the plugin's model."""
    names = [name for name in case.chain.units() if "lv2" in case.chain.nodes[name]
             and (models is None or kind_of(case.chain.nodes[name]) in models)]
    name = pick(generator, names)
    if name is None:
        return None, None
    model = kind_of(case.chain.nodes[name])
    mutation = Mutation(
        f"{what}: {name}", changed(case), "plugin", name, (name,), (("node", name),), place=name)
    mutation.builds[model] = mutation.builds[model].changed(**changes)
    return mutation, model


@kind("another version of a plugin")
def plugin_version(case, generator):
    version = generator.choice([(2, 1), (2, 2), (3, 0), (4, 7)])
    mutation, _ = rebuilt(
        case, generator, f"version {version[0]}.{version[1]} of its plugin", version=version,
        coefficient=generator.choice([1.0001, 0.999, 1.02]))
    if mutation:
        mutation.words += (f"version {version[0]}.{version[1]}", "had 2.0")
        mutation.effect = "gain"
    return mutation


@kind("another build of the same version of a plugin")
def plugin_build(case, generator):
    mutation, _ = rebuilt(
        case, generator, "another build of its plugin",
        coefficient=generator.choice([1.0001, 0.9999, 0.97]))
    if mutation:
        mutation.words += ("another build",)
        mutation.effect = "gain"
    return mutation


@kind("a plugin late by a sample")
def plugin_late(case, generator):
    frames = generator.choice([1, 1, 2, 7])
    mutation, _ = rebuilt(case, generator, f"its plugin is late by {frames}", late=frames)
    if mutation:
        mutation.effect, mutation.lags = "latency", (frames,)
    return mutation


@kind("a plugin that swaps its channels")
def plugin_flipped(case, generator):
    mutation, _ = rebuilt(case, generator, "its plugin swaps its channels", flipped=True)
    if mutation:
        mutation.effect = "channelOrder"
    return mutation


@kind("a plugin that no longer repeats itself")
def plugin_unsteady(case, generator):
    mutation, _ = rebuilt(case, generator, "its plugin never does the same twice", unsteady=True)
    if mutation:
        mutation.warning = "does not repeat itself"
    return mutation


@kind("another default in a plugin's description")
def plugin_default(case, generator):
    names = [name for name in case.chain.units() if "lv2" in case.chain.nodes[name]
             and "amount" not in case.chain.nodes[name].get("parameters", {})
             and "preset" not in case.chain.nodes[name]]
    name = pick(generator, names)
    if name is None:
        return None
    model = kind_of(case.chain.nodes[name])
    amount = generator.choice([0.74, 0.8, 1.1])
    effect, place = effect_of(case.chain, name, "amount")
    mutation = Mutation(
        f"the default of {name}.amount is {amount}", changed(case), "chain", name,
        (f"{name}.amount is",), (("node", name),), effect, place)
    mutation.builds[model] = mutation.builds[model].changed(amount=amount)
    return mutation


@kind("another preset")
def preset(case, generator):
    names = [name for name in case.chain.units() if "preset" in case.chain.nodes[name]]
    name = pick(generator, names)
    if name is None:
        return None
    model = kind_of(case.chain.nodes[name])
    amount = generator.choice([0.39, 0.45, 0.9])
    effect, place = effect_of(case.chain, name, "amount")
    mutation = Mutation(
        f"the preset of {name} sets {amount}", changed(case), "state", name, (name,),
        (("node", name),), effect, place, also=("chain",))
    mutation.builds[model] = mutation.builds[model].changed(preset_amount=amount)
    return mutation


# What goes in, how long and how fast

@kind("a tail cut")
def tail(case, generator):
    case = changed(case)
    if "tail" not in case.chain.document:
        return None
    before = case.chain.document["tail"]
    case.chain.document["tail"] = generator.choice(["none", "10 ms", "30 ms", "0.3 s"])
    return Mutation(
        f"the tail is {case.chain.document['tail']}, was {before}", case, "chain", None, ("tail is",),
        effect="length")


@kind("a sample of the input")
def input_sample(case, generator):
    if case.signal:
        return None
    name = pick(generator, sorted(case.chain.inputs()))
    frame = generator.randrange(FRAMES)
    source = case.chain.inputs()[name]
    return Mutation(
        f"frame {frame} of the input {name} is another one", changed(case), "input", source,
        (f"'{source}'",), (("source", source),), input=(name, frame), place=source)


@kind("a seed")
def seed(case, generator):
    case = changed(case)
    if not case.signal:
        return None
    case.signal["seed"] += generator.randrange(1, 1000)
    return Mutation(
        f"the seed of the noise is {case.signal['seed']}", case, "input", "input", ("'input'",),
        (("source", "input"),), is_noise=True)


@kind("a louder signal")
def signal_level(case, generator):
    case = changed(case)
    if not case.signal:
        return None
    case.signal["level"] = f"{generator.choice([-9.9, -10.1, -4])} dB"
    return Mutation(
        f"the signal has {case.signal['level']}", case, "input", "input", ("'input'",),
        (("source", "input"),), "gain", "input")


@kind("a sample rate")
def sample_rate(case, generator):
    case = changed(case)
    rate = generator.choice([44100, 96000, 47999])
    case.chain.document["sampleRate"] = rate
    return Mutation(
        f"the sample rate is {rate}", case, "sampleRate", None, (str(rate),),
        tuple(("source", name) for name in case.chain.sources()), "sampleRate")


@kind("a block size")
def block_size(case, generator):
    case = changed(case)
    names = [name for name in case.chain.units() if kind_of(case.chain.nodes[name]) == "BLOCKY"]
    if not names:
        return None
    size = generator.choice([32, 96, 128, 256, 480])
    if generator.random() < 0.5:
        case.chain.document["blockSize"] = size
    else:
        case.settings["blockSize"] = size
    return Mutation(
        f"blocks of {size} frames", case, "blockSize", None, (str(size),),
        tuple(("node", name) for name in names), place=names[0])
