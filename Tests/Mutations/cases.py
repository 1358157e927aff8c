"""The chains that are changed, each with its input: own chains, and examples from chains/."""
import dataclasses
import json
import pathlib

from chain import Chain
from plugins import MODELS, Plugin, uri

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "chains"
FRAMES = 19200
"""The length of the input: 0.4 s."""


@dataclasses.dataclass
class Case:
    """A chain with its case file and inputs."""
    name: str
    chain: Chain
    others: dict = dataclasses.field(default_factory=dict)
    """Included chains by file name."""
    settings: dict = dataclasses.field(default_factory=dict)
    """Further members of its case file."""
    signal: dict = None
    """The test signal if the input is not a file."""
    channels: int = 2

    @property
    def models(self):
        """The plugins that it names."""
        return [model for model in MODELS if uri(model) in self.chain.text()]

    def input_file(self, name):
        return f"{self.name}-{name}.wav"

    def case_file(self):
        """The text of NAME.test.json."""
        document = {"version": 1, **self.settings}
        if self.signal:
            document["input"] = self.signal
        else:
            document["inputs"] = {name: self.input_file(name) for name in self.chain.inputs()}
        return json.dumps(document, indent=2) + "\n"


def builds():
    """The plugins before any change."""
    return {model: Plugin(model) for model in MODELS}


def plugin(model, **keys):
    return {"lv2": uri(model), **keys}


def listed(*nodes, **keys):
    return Chain({"version": 1, **keys, "chain": list(nodes)})


def graph(nodes, connections, **keys):
    return Chain({"version": 1, **keys, "nodes": {
        "in": {"source": "main"}, **nodes, "out": {"sink": "main"}}, "connections": connections})


def gain(level, **keys):
    return {"unit": "gain", "parameters": {"gain": level}, **keys}


def own():
    yield Case("straight", listed(
        gain("-3 dB", id="first"),
        {"id": "tone", "unit": "equalizer", "bands": [
            {"id": "bass", "type": "lowShelf", "frequency": "150 Hz", "gain": "3 dB"},
            {"id": "middle", "type": "peak", "frequency": "900 Hz", "gain": "-4 dB", "q": 1.2},
            {"type": "highShelf", "frequency": "6 kHz", "gain": "2 dB"}]},
        {"id": "low", "unit": "lowPass", "parameters": {"frequency": "9 kHz", "q": 0.8}},
        gain("-1.5 dB", id="last"), tail="0.1 s"))
    yield Case("driven", listed(
        gain("6 dB", id="push"), plugin("DRIVE", id="drive", parameters={"colour": 0.5}),
        {"id": "comp", "unit": "compressor", "parameters": {
            "threshold": "-30 dB", "ratio": 6, "attack": "2 ms", "release": "50 ms"}},
        gain("-3 dB", id="trim"), tail="50 ms"))
    yield Case("parallel", graph({
        "body": {"unit": "peak", "parameters": {"frequency": "400 Hz", "gain": "5 dB"}},
        "squash": {"unit": "compressor", "lookahead": "2 ms", "parameters": {
            "threshold": "-36 dB", "ratio": "8:1", "makeup": "6 dB"}},
        "air": {"unit": "highShelf", "parameters": {"frequency": "5 kHz", "gain": "4 dB"}},
        "sum": gain("-4 dB"), "level": gain("1 dB")}, [
        "in -> body -> sum", {"from": "in", "to": "squash", "gain": "3 dB"}, "squash -> air",
        {"from": "air", "to": "sum", "gain": "-5 dB"}, {"from": "in", "to": "sum", "gain": "-9 dB"},
        "sum -> level -> out"]))
    yield Case("ducked", graph({
        "music": {"source": "music"},
        "voice": {"unit": "highPass", "parameters": {"frequency": "120 Hz"}},
        "key": gain("4 dB"),
        "duck": {"unit": "compressor", "parameters": {
            "threshold": "-40 dB", "ratio": 5, "attack": "5 ms", "release": "90 ms"}},
        "mix": {"unit": "mixer", "strips": {"voice": {"gain": "-1 dB"}, "duck": {"gain": "-4 dB"}}}},
        ["in -> voice -> mix", "in -> key -> duck:sidechain", "music -> duck -> mix", "mix -> out"]))
    yield Case("loop", graph({
        "loop": {"unit": "mixer"},
        "dark": {"unit": "lowPass", "parameters": {"frequency": "2.2 kHz", "q": 0.9}},
        "thin": {"unit": "highPass", "parameters": {"frequency": "200 Hz"}},
        "mix": {"unit": "mixer"}, "end": gain("-2 dB")}, [
        "in -> mix", "in -> loop -> dark -> thin -> mix",
        {"from": "thin", "to": "loop:echo", "feedback": True, "delay": "30 ms", "gain": "-5 dB"},
        "mix -> end -> out"], tail="0.2 s"))
    yield Case("sends", graph({
        "warm": {"unit": "lowShelf", "parameters": {"frequency": "250 Hz", "gain": "3 dB"}},
        "clear": {"unit": "highShelf", "parameters": {"frequency": "3 kHz", "gain": "4 dB"}},
        "bus": {"unit": "mixer", "strips": {"warm": {"gain": "-8 dB"}, "clear": {"gain": "-6 dB"}}},
        "room": {"unit": "reverb", "wet": 1, "size": 0.4, "parameters": {"decay": "0.4 s"}},
        "mix": {"unit": "mixer", "strips": {
            "warm": {"gain": "-3 dB", "pan": -0.4}, "clear": {"gain": "-4 dB", "pan": 0.4}}}}, [
        "in -> warm -> mix", "in -> clear -> mix", "warm -> bus", "clear -> bus",
        "bus -> room -> mix", "mix -> out"], tail="0.2 s"))
    inner = {
        "version": 1, "variables": {"amount": "-28 dB"}, "chain": [
            {"id": "cut", "unit": "highPass", "parameters": {"frequency": "90 Hz"}},
            {"id": "comp", "unit": "compressor", "parameters": {
                "threshold": "${amount}", "ratio": 4, "makeup": "3 dB"}}],
        "expose": {"ratio": "comp.ratio"}}
    yield Case("nested", graph(
        {"voice": {"use": "inner.json", "variables": {"amount": "-34 dB"}}, "after": gain("-2 dB"),
         "side": {"unit": "bandPass", "parameters": {"frequency": "1.5 kHz", "q": 0.7}},
         "sum": {"unit": "mixer"}},
        ["in -> voice -> after -> sum", "in -> side -> sum", "sum -> out"]), {"inner.json": inner})
    yield Case("stems", graph({
        "low": {"unit": "lowPass", "order": 4, "parameters": {"frequency": "300 Hz"}},
        "high": {"unit": "highPass", "order": 4, "parameters": {"frequency": "300 Hz"}},
        "bottom": {"sink": "low"}, "tame": {
            "unit": "limiter", "parameters": {"ceiling": "-24 dB", "release": "30 ms"}},
        "top": {"sink": "high"}}, [
        "in -> low -> bottom", "in -> high -> tame -> top",
        {"from": "in", "to": "out", "gain": "-3 dB"}], tail="50 ms"))
    yield Case("late", listed(
        gain("-2 dB", id="first"), plugin("LATENT", id="late"), gain("1 dB", id="last"), tail="20 ms"))
    yield Case("beside", graph({
        "late": plugin("LATENT", parameters={"amount": 0.5}),
        "crush": plugin("DRIVE", parameters={"amount": 1.1}), "level": gain("-4 dB")}, [
        "in -> late -> level", "in -> crush -> level", "level -> out"], tail="30 ms"))
    yield Case("blocky", listed(
        gain("-1 dB", id="first"), plugin("BLOCKY", id="slow"),
        {"id": "cut", "unit": "highPass", "parameters": {"frequency": "60 Hz"}}, blockSize=64, tail="50 ms"))
    yield Case("moving", listed(
        gain("-20 dB", id="fade"),
        {"id": "sweep", "unit": "lowPass", "parameters": {"frequency": "500 Hz"}},
        {"id": "grip", "unit": "compressor", "parameters": {"threshold": "-34 dB", "ratio": 3}},
        automation=[
            {"parameter": "fade.gain", "points": [
                [0, "-20 dB"], ["0.1 s", "-6 dB", "linear"], ["0.3 s", "0 dB", "linear"]]},
            {"parameter": "sweep.frequency", "points": [
                [0, "500 Hz"], ["0.35 s", "8 kHz", "exponential"]]}]))
    yield Case("preset", listed(
        plugin("TRIM", id="trim", preset="soft"), plugin("DRIVE", id="drive", preset="soft"),
        {"id": "low", "unit": "lowShelf", "parameters": {"frequency": "200 Hz", "gain": "2 dB"}},
        tail="none"))
    yield Case("signal", listed(
        {"id": "tone", "unit": "peak", "parameters": {"frequency": "2 kHz", "gain": "6 dB"}},
        gain("-3 dB", id="level")), settings={"duration": 0.3},
        signal={"signal": "noise", "level": "-10 dB", "seed": 3})
    yield Case("wide", graph({
        "place": {"unit": "pan", "parameters": {"pan": 0.3}}, "open": {
            "unit": "width", "parameters": {"width": 1.3}}, "last": gain("-3 dB")}, [
        "in -> place -> open -> last",
        {"from": "last", "to": "out", "gain": "0 dB"}]), channels=1)
    yield Case("switched", graph({
        "trim": plugin("TRIM", parameters={"amount": 0.9}),
        "tone": {"unit": "peak", "parameters": {"frequency": "${hertz}", "gain": "4 dB", "q": 2}},
        "out2": {"sink": "second"}}, [
        "in -> trim -> tone -> out", "trim -> out2"], variables={"hertz": "1.1 kHz"}, tail="20 ms"),
        settings={"set": {"tone.gain": "5 dB"}})
    yield Case("echo", listed(
        {"id": "echo", "unit": "delay", "wet": 1, "parameters": {"time": "10 ms", "feedback": 0}},
        plugin("TRIM", id="trim"), gain("2 dB", id="last"), tail="0.1 s"))


def examples():
    """The chains of chains/ that need nothing that is not installed."""
    for name in (
            "de-harsh", "headphones", "karaoke", "mastering", "night-listening", "podcast-voice",
            "publish", "radio", "three-way-crossover", "vocal-parallel-compression",
            "voice-over-music", "dub-delay", "opening"):
        document = json.loads((EXAMPLES / f"{name}.json").read_text())
        document["tail"] = "0.2 s"
        others = {}
        for node in document.get("nodes", {}).values():
            if "use" in node:
                others[node["use"]] = json.loads((EXAMPLES / node["use"]).read_text())
        yield Case(name, Chain(document), others)


def all_cases():
    return {case.name: case for case in (*own(), *examples())}
