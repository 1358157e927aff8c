"""Crossfade: its two gains, of a constant in one input and silence in the other, while the position goes from 0 to 1
within a second. Switch: how long a fade of 50 ms takes, to a ten-thousandth of the level, and what the other input
leaves behind it. Middle and sides: noise that is encoded and decoded again, beside ffmpeg's stereotools. Matrix and channel
map: noise, where it arrives, and what other channels get. Metronome at 97 beats a minute in 3/4: where clicks begin, a
period before the end of their first; the level of their accents from 5 to 25 ms; and the frequency, from their zero
crossings."""

import numpy

from bench import Goal

TITLE = "Routing and metronome"
RATE = 48000

GOALS = [
    Goal("power", "Crossfade by constant power: the sum's power sways by", "dB", at_most=0.01, digits=4),
    Goal("linear", "By the linear law: the sum sways by", "dB", at_most=0.01, digits=4),
    Goal("fade", "Switch: its fade takes longer or shorter by", "ms", at_most=0.5, digits=3),
    Goal("left", "Switch: what the other input leaves", "dB", at_most=-140, digits=0),
    Goal("sides", "Middle and sides, there and back, off by", "dB", at_most=-140, digits=0),
    Goal("middle", "Level of the middle of one side alone, off by", "dB", at_most=0.001, digits=5),
    Goal("matrix", "Matrix: gains of 0, -6 and 3 dB, off by at most", "dB", at_most=0.001, digits=5),
    Goal("leak", "Matrix: what a channel gets that no route leads to", "dB", at_most=-140, digits=0),
    Goal("map", "Channel map, 7.1 to 5.1(side): what is not the channel of its name", "dB", at_most=-140, digits=0),
    Goal("order", "Its channels by name, in places that `map` gives", "of 3", at_least=3, digits=0),
    Goal("beats", "Metronome: clicks off their beats by at most", "frames", at_most=1, digits=2),
    Goal("accent", "Level of the accents, 6 dB, off by", "dB", at_most=0.1, digits=3),
    Goal("pitch", "Frequency of the clicks, off by", "%", at_most=0.5, digits=3),
]


def decibels(value):
    return 20 * numpy.log10(abs(value) + 1e-12)


def two_inputs(unit, buses, automation, level, options=None):
    """A constant in one of two inputs, silence in the other."""
    nodes = {
        "in": {"source": "main"}, "none": {"source": {"signal": "silence", "channels": 2, "duration": "1 s"}},
        "x": {"unit": unit, **(options or {})}, "out": {"sink": "main"}}
    ends = [f"x:{bus}" if bus else "x" for bus in buses]
    return {
        "version": 1, "tail": "none", "nodes": nodes,
        "connections": [f"in -> {ends[level]}", f"none -> {ends[1 - level]}", "x -> out"],
        "automation": [automation]}


def crossfade(bench, law):
    automation = {"parameter": "x.position", "points": [[0, 0], [1, 1, "linear"]]}
    constant = numpy.full((RATE, 2), 0.5)
    return [
        bench.render(two_inputs("crossfade", ("a", "b"), automation, place, {"law": law}), constant)[:RATE, 0] / 0.5
        for place in (0, 1)]


def switch(bench):
    chain = two_inputs("switch", ("one", "two"), {"parameter": "x.select", "points": [[0, 1], [0.5, 2, "step"]]}, 0, {
        "fade": 0.05, "choices": {"one": {}, "two": {}}})
    gain = bench.render(chain, numpy.full((RATE, 2), 0.5))[:RATE, 0] / 0.5
    found = 1000 * (numpy.argmax(gain < 1e-4) - numpy.argmax(gain < 1 - 1e-4)) / RATE
    return abs(found - 50), decibels(numpy.abs(gain[RATE * 3 // 5:]).max())


def clicks(bench):
    """Beginnings in frames, levels and frequencies of clicks."""
    chain = {
        "version": 1, "tail": "none", "tempo": 97, "metre": "3/4",
        "nodes": {
            "in": {"source": "main"}, "click": {"unit": "metronome"}, "mix": {"unit": "mixer"}, "out": {"sink": "main"}},
        "connections": ["in -> mix", "click -> mix", "mix -> out"]}
    sound = bench.render(chain, numpy.zeros((12 * RATE, 2)))[:, 0]
    frames = numpy.flatnonzero(numpy.abs(sound) > 1e-6)
    starts = frames[numpy.insert(numpy.diff(frames) > RATE // 10, 0, True)]
    begins, levels, pitches = [], [], []
    for start in starts:
        part = sound[start : start + RATE // 5]
        levels.append(numpy.sqrt((part[RATE // 200 : RATE // 40] ** 2).mean()))
        loud = part[: numpy.flatnonzero(numpy.abs(part) > 0.1 * numpy.abs(part).max())[-1]]
        places = numpy.flatnonzero((loud[:-1] < 0) & (loud[1:] >= 0))
        places = places + loud[places] / (loud[places] - loud[places + 1])
        pitches.append((len(places) - 1) / (places[-1] - places[0]) * RATE)
        begins.append(start + places[0] - RATE / pitches[-1])
    return numpy.array(begins), numpy.array(levels), numpy.array(pitches)


def measure(bench):
    figures = {goal.key: {} for goal in GOALS}
    first, second = crossfade(bench, "constantPower")
    power = first ** 2 + second ** 2
    figures["power"]["fxrun"] = 10 * numpy.log10(power.max() / power.min())
    first, second = crossfade(bench, "linear")
    figures["linear"]["fxrun"] = decibels((first + second).max() / (first + second).min())
    figures["fade"]["fxrun"], figures["left"]["fxrun"] = switch(bench)

    random = numpy.random.default_rng(4)
    noise = random.uniform(-0.5, 0.5, (RATE, 2))
    kept = noise.astype(numpy.float32).astype(float)
    encode, decode = {"unit": "midSideEncode"}, {"unit": "midSideDecode"}
    for name, back in (
        ("fxrun", bench.render([encode, decode], noise)),
        ("ffmpeg", bench.ffmpeg(noise, "stereotools=mode=lr>ms,stereotools=mode=ms>lr"))):
        figures["sides"][name] = decibels(numpy.abs(back[:RATE] - kept).max() / 0.5)
    alone = numpy.column_stack([kept[:, 0], numpy.zeros(RATE)])
    middle = bench.render([encode], alone)[:RATE, 0]
    figures["middle"]["fxrun"] = abs(decibels(numpy.std(middle) / numpy.std(0.5 * alone[:, 0])))

    routes = [{"from": 1, "to": 2, "gain": 0}, {"from": 1, "to": 3, "gain": -6}, {"from": 2, "to": 3, "gain": 3}]
    gains = []
    for channel, target, wanted in ((0, 1, 0), (0, 2, -6), (1, 2, 3)):
        sound = numpy.zeros((RATE, 2))
        sound[:, channel] = kept[:, channel]
        output = bench.render([{"unit": "matrix", "channels": 4, "routes": routes}], sound)[:RATE]
        gains.append(abs(decibels(numpy.std(output[:, target]) / numpy.std(sound[:, channel])) - wanted))
    figures["matrix"]["fxrun"] = max(gains)
    figures["leak"]["fxrun"] = decibels(max(numpy.abs(output[:, 0]).max(), numpy.abs(output[:, 3]).max()))

    # FL, FR, FC, LFE, BL, BR, SL, SR; the sides come last in both.
    eight = random.uniform(-0.5, 0.5, (RATE, 8))
    output = bench.render([{"unit": "channelMap", "to": "5.1(side)"}], eight)[:RATE]
    wanted = eight.astype(numpy.float32).astype(float)[:, [0, 1, 2, 3, 6, 7]]
    figures["map"]["fxrun"] = decibels(numpy.abs(output - wanted).max())
    output = bench.render([{"unit": "channelMap", "to": "3.0", "map": "FL=SR; FR=4; FC=none"}], eight)[:RATE]
    wanted = eight.astype(numpy.float32).astype(float)
    found = [output[:, 0] == wanted[:, 7], output[:, 1] == wanted[:, 3], output[:, 2] == 0]
    figures["order"]["fxrun"] = sum(part.all() for part in found)

    starts, levels, pitches = clicks(bench)
    beats = numpy.arange(len(starts)) * 60 / 97 * RATE
    figures["beats"]["fxrun"] = numpy.abs(starts - beats).max()
    accents = numpy.arange(len(starts)) % 3 == 0
    figures["accent"]["fxrun"] = abs(decibels(levels[accents].mean() / levels[~accents].mean()) - 6)
    figures["pitch"]["fxrun"] = 100 * numpy.abs(pitches / numpy.where(accents, 1000 * 2 ** 0.5, 1000) - 1).max()
    return figures
