"""Bands at 120, 600, 2500 and 8000 Hz. The sum is that of all bands' impulse responses, from 20 Hz to 20 kHz at 48
kHz. The reference for the slope is the formula of a Linkwitz-Riley filter. Linear phase: white noise compared with
the sum of its bands. Peer: LSP's crossover of the same order."""

import json

import numpy

from bench import Goal, run

TITLE = "Crossovers and multiband compressor"
EDGES = [120, 600, 2500, 8000]
LSP = "http://lsp-plug.in/plugins/lv2/mb_compressor_stereo"
CALF = "http://calf.sourceforge.net/plugins/MultibandCompressor"

GOALS = [
    *(Goal(f"sum{order}", f"Sum of five bands, order {order}, off by", "dB", at_most=0.01, digits=4) for order in (2, 4, 6, 8)),
    Goal("edge", "Level of both bands at an edge of order 4, error against -6.02 dB", "dB", at_most=0.02, digits=3),
    Goal("linear", "Linear phase: sum against the delayed signal", "dB", at_most=-120, digits=0),
    Goal("multiband", "Multiband with a ratio of 1: error of its level", "dB", at_most=0.01, digits=4),
    Goal("cost", "Cost, crossover of three bands", "ns", digits=1),
    Goal("linearCost", "Cost, linear phase, three bands from 250 Hz", "ns", digits=1),
    Goal("multibandCost", "Cost, multiband of three bands", "ns", digits=1),
]


def bands(edges):
    return [{"id": f"b{index}", "upTo": edge} for index, edge in enumerate(edges)] + [{"id": f"b{len(edges)}"}]


def split(bench, unit, order, edges, sound, rate=48000):
    """Renders each band as a sound."""
    nodes = {"in": {"source": "main"}, "split": {"unit": unit, "order": order, "bands": bands(edges)}}
    connections = ["in -> split"]
    for index in range(len(edges) + 1):
        nodes[f"o{index}"] = {"sink": {"output": f"b{index}"}}
        connections.append(f"split:b{index} -> o{index}")
    path = bench.folder / "split.json"
    path.write_text(json.dumps({"version": 1, "nodes": nodes, "connections": connections}))
    source = bench.write("in.wav", sound, rate)
    outputs = []
    for index in range(len(edges) + 1):
        outputs += ["--output", f"b{index}={bench.folder / f'b{index}.wav'}"]
    run([bench.fxrun, path, source, *outputs, "-q", "--bits", "32"])
    return [bench.read(bench.folder / f"b{index}.wav") for index in range(len(edges) + 1)]


def levels(response):
    spectrum = numpy.fft.rfft(response, 1 << 18)
    hertz = numpy.fft.rfftfreq(1 << 18, 1 / 48000)
    heard = (hertz >= 20) & (hertz <= 20000)
    return hertz[heard], 20 * numpy.log10(numpy.abs(spectrum[heard]) + 1e-30)


def measure(bench):
    impulse = numpy.zeros((65536, 1))
    impulse[0] = 1
    figures = {goal.key: {} for goal in GOALS}
    for order in (2, 4, 6, 8):
        parts = split(bench, "crossover", order, EDGES, impulse)
        length = min(len(part) for part in parts)
        whole = sum(part[:length, 0] for part in parts)
        figures[f"sum{order}"]["fxrun"] = numpy.abs(levels(whole)[1]).max()
    low, high = split(bench, "crossover", 4, [1000], impulse)
    figures["edge"]["fxrun"] = max(
        abs(numpy.interp(1000, *levels(part[:, 0])) + 20 * numpy.log10(2)) for part in (low, high))
    noise = numpy.random.default_rng(3).uniform(-0.5, 0.5, (96000, 1))
    parts = split(bench, "linearCrossover", 4, EDGES, noise)
    whole = sum(part[:96000, 0] for part in parts)
    error = numpy.abs(whole - noise[:, 0].astype(numpy.float32)).max()
    figures["linear"]["fxrun"] = 20 * numpy.log10(error)
    open_bands = [{**band, "ratio": 1} for band in bands(EDGES)]
    output = bench.render([{"unit": "multiband", "bands": open_bands}], impulse)[:, 0]
    figures["multiband"]["fxrun"] = numpy.abs(levels(output)[1]).max()

    def chain(unit):
        return {"nodes": {
            "in": {"source": "main"}, "split": {"unit": unit, "bands": bands([250, 2500])},
            "sum": {"unit": "mixer"}, "out": {"sink": "main"}}, "connections": [
                "in -> split", "split:b0 -> sum:a", "split:b1 -> sum:b", "split:b2 -> sum:c", "sum -> out"]}

    def cost(unit):
        return bench.graph_cost(chain(unit)) - bench.cost([{"unit": "gain"}])

    figures["cost"]["fxrun"] = cost("crossover")
    figures["linearCost"]["fxrun"] = cost("linearCrossover")
    figures["multibandCost"]["fxrun"] = bench.own_cost([{"unit": "multiband", "bands": bands([250, 2500])}])
    for name, uri in (("LSP", LSP), ("calf", CALF)):
        if bench.has_plugin(uri):
            figures["multibandCost"][name] = bench.own_cost([bench.plugin(uri)])
    return figures
