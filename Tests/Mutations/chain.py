"""A chain file that can be changed: its nodes and connections, and the nodes after a place."""
import copy
import json

LINEAR = {
    "gain", "pan", "width", "mixer", "downmix", "meter", "highPass", "lowPass", "bandPass", "notch",
    "allPass", "peak", "lowShelf", "highShelf", "dcBlock", "equalizer", "delay", "reverb", "TRIM",
    "LATENT"}
"""What makes a louder sound of a louder one, a later one of a later one, an inverted one of an
inverted one."""
ALIKE = LINEAR - {"pan", "reverb", "downmix"}
"""Of these, what treats its channels alike."""


class Chain:
    """A chain file with one object per connection."""

    def __init__(self, document):
        self.document = copy.deepcopy(document)
        if not self.is_list:
            self.document["connections"] = list(self._connections())

    @property
    def is_list(self):
        return isinstance(self.document.get("chain"), list)

    def copied(self):
        return Chain(self.document)

    def text(self):
        return json.dumps(self.document, indent=2, ensure_ascii=False) + "\n"

    def _connections(self):
        for connection in self.document["connections"]:
            if isinstance(connection, dict):
                yield connection
                continue
            stops = connection.split(" -> ")
            for start, end in zip(stops, stops[1:]):
                # In the middle of a path, `node:port` names an input port.
                yield {"from": start.split(":")[0] if start != stops[0] else start, "to": end}

    @property
    def edges(self):
        return self.document.get("connections", [])

    @property
    def nodes(self):
        """The nodes by id."""
        if self.is_list:
            return {name_of(node): node for node in self.document["chain"]}
        return self.document["nodes"]

    def units(self):
        """The ids of nodes that are neither a source nor a sink."""
        return [name for name, node in self.nodes.items() if "source" not in node and "sink" not in node]

    def ways(self):
        """Every connection as (from, to, port), also those of a list."""
        if self.is_list:
            row = ["input", *self.nodes, "output"]
            return [(start, end, "") for start, end in zip(row, row[1:])]
        return [(node_of(edge["from"]), node_of(edge["to"]), port_of(edge["to"]))
                for edge in self.edges]

    def sources(self):
        if self.is_list:
            return ["input"]
        return [name for name, node in self.nodes.items() if "source" in node]

    def outputs(self):
        """The sinks' nodes, by the name of the output."""
        if self.is_list:
            return {"main": "output"}
        outputs = {}
        for name, node in self.nodes.items():
            if "sink" in node:
                sink = node["sink"]
                outputs[sink if isinstance(sink, str) else sink["output"]] = name
        return outputs

    def inputs(self):
        if self.is_list:
            return {"main": "input"}
        return {node["source"]: name for name, node in self.nodes.items() if "source" in node}

    # What lies behind

    def behind(self, names, without=None):
        """These nodes and all nodes that receive their output, directly or not."""
        reached, waiting = set(), list(names)
        ways = [way for index, way in enumerate(self.ways()) if index != without]
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                waiting += [end for start, end, _ in ways if start == name]
        return reached

    def changes_at(self, place, output):
        """How a change of level at a place changes an output.

        `plain`: the whole sound of the output goes through the place, and the nodes after it are
        linear. `alike`: they also treat all channels alike. `other`: neither. None: the output does
        not depend on the place.

        A place is the name of a node or the index of a connection."""
        sink = self.outputs()[output]
        if isinstance(place, int):
            start = [self.ways()[place][1]]
            others = self.behind(self.sources(), without=place)
        else:
            start = [place]
            # The nodes that receive a source without this node.
            others = self.without(place).behind(self.sources())
        behind = self.behind(start)
        if sink not in behind:
            return None
        if sink in others or self.is_in_loop(place):
            return "other"
        rest = {name for name in behind if name != place}
        on_way = {name for name in rest if sink in self.behind([name])}
        kinds = {kind_of(self.nodes[name]) for name in on_way if name in self.nodes}
        kinds -= {"source", "sink"}
        if any(port == "sidechain" and (end in on_way) for _, end, port in self.ways()):
            return "other"
        moved = {point["parameter"].split(".")[0] for point in self.document.get("automation", [])}
        if not kinds <= LINEAR or moved & on_way:
            return "other"
        if any("channels" in edge for edge, way in zip(self.edges, self.ways()) if way[1] in on_way):
            return "plain"
        is_alike = kinds <= ALIKE and not any(
            self.nodes[name].get("pingPong") or "pan" in str(self.nodes[name].get("strips", ""))
            for name in on_way if name in self.nodes)
        return "alike" if is_alike else "plain"

    def is_in_loop(self, place):
        if isinstance(place, int):
            start, end, _ = self.ways()[place]
            return start in self.behind([end])
        following = [end for start, end, _ in self.ways() if start == place]
        return place in self.behind(following)

    def without(self, name):
        """The chain without the connections to and from a node."""
        rest = _Ways([way for way in self.ways() if name not in way[:2]], self)
        return rest


class _Ways:
    """Some of the connections of a chain."""

    def __init__(self, ways, chain):
        self._ways = ways
        self._chain = chain

    def behind(self, names):
        reached, waiting = set(), list(names)
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                waiting += [end for start, end, _ in self._ways if start == name]
        return reached


def node_of(endpoint):
    return endpoint.split(":")[0].split("[")[0]


def port_of(endpoint):
    return endpoint.partition(":")[2]


def kind_of(node):
    """`gain`, a plugin's model, `source`, `sink` or `use`."""
    if "unit" in node:
        return node["unit"].split("@")[0]
    if "lv2" in node:
        return node["lv2"].rsplit(":", 1)[1].upper()
    return next(key for key in ("source", "sink", "use") if key in node)


def name_of(node):
    """The id of a node in a list."""
    if "id" in node:
        return node["id"]
    if "unit" in node:
        return node["unit"]
    return node["lv2"].rsplit(":", 1)[1] if "lv2" in node else node["use"].removesuffix(".json")
