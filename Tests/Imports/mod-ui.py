"""The responses of pedalboards of mod-ui: fxrun hosts each plugin by itself, and the cables are added here."""
import json
import os
import re
import tempfile
import numpy
import rendering
from cookbook import SIZE

RATE = 48000
# No linear plugin; a plugin that is not there.
LEFT_OUT = ["drive", "refused"]


def statements(text):
    """Subjects with their predicates and objects, for the text that mod-ui writes."""
    found = {}
    for subject, body in re.findall(r"^(<[^>]*>|_:\w+)\n(.*?) \.$", text, re.M | re.S):
        name = subject.strip("<>")
        values = found.setdefault(name, {})
        for part in re.split(r" ;\n", re.sub(r"midi:binding \[.*?\] ;\n", "", body, flags=re.S)):
            key, _, objects = part.strip().partition(" ")
            values.setdefault(key, []).extend(item.strip().strip("<>") for item in objects.split(" ,\n"))
    return found


def ports(found, block, kinds):
    listed = found[block]["lv2:port"]
    classes = {port: found.get(port, {}).get("a", []) for port in listed}
    ins = [port for port in listed if "lv2:AudioPort" in classes[port] and "lv2:InputPort" in classes[port]]
    outs = [port for port in listed if "lv2:AudioPort" in classes[port] and port not in ins]
    # Older programs write no class for outputs.
    if block:
        outs += [port for port in listed if not classes[port]]
    return ins if kinds == "in" else outs


def plugin(program, found, block, folder):
    """The response of a plugin by itself: outputs × inputs."""
    ins, outs = ports(found, block, "in"), ports(found, block, "out")
    if found[block]["ingen:enabled"] == ["false"]:
        return {(o, i): numpy.full(SIZE // 2 + 1, float(a == b)) for a, o in enumerate(outs) for b, i in enumerate(ins)}
    values = {port.split("/")[1]: float(found[port]["ingen:value"][0]) for port in found[block]["lv2:port"]
              if "ingen:value" in found.get(port, {}) and "/:" not in port}
    node = {"lv2": found[block]["lv2:prototype"][0], "parameters": values}
    chain = os.path.join(folder, "plugin.json")
    with open(chain, "w") as file:
        json.dump({"version": 2, "channels": len(ins), "chain": [node]}, file)
    rows = rendering.responses(program, chain, len(ins), len(outs), RATE)
    return {(o, i): rows[a][b] for a, o in enumerate(outs) for b, i in enumerate(ins)}


def responses(path, program):
    if path.stem in LEFT_OUT:
        return None
    found = statements(path.read_text())
    blocks = [name for name, values in found.items() if "lv2:prototype" in values and name]
    cables = [(values["ingen:tail"][0], values["ingen:head"][0]) for values in found.values() if "ingen:tail" in values]
    captures, playbacks = ports(found, "", "in"), ports(found, "", "out")
    with tempfile.TemporaryDirectory() as folder:
        boxes = [plugin(program, found, block, folder) for block in blocks]
    rows = [[None] * len(captures) for _ in playbacks]
    for entry, capture in enumerate(captures):
        signal = {capture: numpy.ones(SIZE // 2 + 1, complex)}
        # Each round carries the sound one plugin further.
        for _ in range(len(blocks) + 1):
            heads = {}
            for tail, head in cables:
                heads[head] = heads.get(head, 0) + signal.get(tail, 0)
            for box in boxes:
                for output in {o for o, _ in box}:
                    signal[output] = sum(response * heads.get(i, 0) for (o, i), response in box.items() if o == output)
        for channel, playback in enumerate(playbacks):
            rows[channel][entry] = heads.get(playback, 0) + numpy.zeros(SIZE // 2 + 1, complex)
    return RATE, rows
