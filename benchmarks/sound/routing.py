"""Crossfade: its two gains, measured with a constant in one input and silence in the other, while the position goes
from 0 to 1 within a second. Peer: ffmpeg's acrossfade, which fades automatically, with the curves qsin and tri.
Switch: the duration of a fade of 50 ms, down to a ten-thousandth of the level, and what remains of the other input.
Peer: ffmpeg's astreamselect, which has no fade. Middle and sides: noise that is encoded and decoded again. Peers:
ffmpeg's and calf's stereo tools. Matrix and channel map: noise, the channels where it arrives, and what other
channels receive. Peers: ffmpeg's pan and channelmap and sox's remix, which knows channels only by number. Metronome
at 97 beats per minute in 3/4: the positions where clicks begin, found one period before the end of their first; the
level of their accents from 5 to 25 ms; and the frequency, from their zero crossings. Peer: eg-metro, the example of
LV2, with clicks of 880 Hz and without accents, in the same chain: the positions where its clicks become audible,
relative to the first."""

import numpy

from bench import Goal, run

TITLE = "Routing and metronome"
RATE = 48000
STEREO_TOOLS = "http://calf.sourceforge.net/plugins/StereoTools"
METRO = "http://lv2plug.in/plugins/eg-metro"

GOALS = [
    Goal("power", "Crossfade with constant power: variation of the sum's power", "dB", at_most=0.01, digits=4),
    Goal("linear", "Crossfade with the linear law: variation of the sum", "dB", at_most=0.01, digits=4),
    Goal("fade", "Switch: error of the time of its fade", "ms", at_most=0.5, digits=3),
    Goal("left", "Switch: rest of the other input", "dB", at_most=-140, digits=0),
    Goal("sides", "Middle and sides, encoded and decoded, off by", "dB", at_most=-140, digits=0),
    Goal("middle", "Level of the middle for one side alone, off by", "dB", at_most=0.001, digits=5),
    Goal("matrix", "Matrix: gains of 0, -6 and 3 dB, off by at most", "dB", at_most=0.001, digits=5),
    Goal("leak", "Matrix: signal in a channel without a route", "dB", at_most=-140, digits=0),
    Goal("map", "Channel map, 7.1 to 5.1(side): difference from the channel of the same name", "dB", at_most=-140, digits=0),
    Goal("order", "Channel map: channels in the places that `map` gives", "of 3", at_least=3, digits=0),
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


def by_ffmpeg(bench, graph, *sounds):
    """Several sounds through a graph of ffmpeg."""
    paths = [bench.write(f"input{index}.wav", sound) for index, sound in enumerate(sounds)]
    target = bench.folder / "ffmpeg.wav"
    inputs = [word for path in paths for word in ("-i", path)]
    run(["ffmpeg", "-y", "-v", "error", *inputs, "-filter_complex", graph, "-c:a", "pcm_f32le", target])
    return bench.read(target)


def ffmpeg_crossfade(bench, curve):
    constant, silence = numpy.full((RATE, 2), 0.5), numpy.zeros((RATE, 2))
    return [
        by_ffmpeg(bench, f"acrossfade=d=1:c1={curve}:c2={curve}", *sounds)[:RATE, 0] / 0.5
        for sounds in ((constant, silence), (silence, constant))]


def ffmpeg_switch(bench):
    """What remains of the other input after the switch."""
    graph = "[0]asendcmd=c='0.5 astreamselect map 1'[a];[a][1]astreamselect=inputs=2:map=0"
    output = by_ffmpeg(bench, graph, numpy.full((RATE, 2), 0.5), numpy.zeros((RATE, 2)))[:, 0] / 0.5
    return decibels(numpy.abs(output[RATE * 3 // 5:]).max())


def matrices(bench, routes):
    def gain(target, source):
        return sum(10 ** (route["gain"] / 20) for route in routes if (route["to"], route["from"]) == (target, source))

    def remixed(target):
        return ",".join(f"{source}v{gain(target, source)}" for source in (1, 2) if gain(target, source)) or "0"

    panned = "|".join(f"c{target - 1}=" + "+".join(f"{gain(target, source)}*c{source - 1}" for source in (1, 2)) for target in (1, 2, 3, 4))
    return {
        "fxrun": lambda sound: bench.render([{"unit": "matrix", "channels": 4, "routes": routes}], sound),
        "ffmpeg": lambda sound: bench.ffmpeg(sound, f"pan=4c|{panned}"),
        "sox": lambda sound: bench.sox(sound, "remix", *(remixed(target) for target in (1, 2, 3, 4)))}


def switch(bench):
    chain = two_inputs("switch", ("one", "two"), {"parameter": "x.select", "points": [[0, 1], [0.5, 2, "step"]]}, 0, {
        "fade": 0.05, "choices": {"one": {}, "two": {}}})
    gain = bench.render(chain, numpy.full((RATE, 2), 0.5))[:RATE, 0] / 0.5
    found = 1000 * (numpy.argmax(gain < 1e-4) - numpy.argmax(gain < 1 - 1e-4)) / RATE
    return abs(found - 50), decibels(numpy.abs(gain[RATE * 3 // 5:]).max())


def clicks(bench, node):
    """The start frames, the levels and the frequencies of clicks, and the first audible frame of each."""
    chain = {
        "version": 1, "tail": "none", "tempo": 97, "metre": "3/4",
        "nodes": {
            "in": {"source": "main"}, "click": node, "mix": {"unit": "mixer"}, "out": {"sink": "main"}},
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
    return numpy.array(begins), numpy.array(levels), numpy.array(pitches), starts


def measure(bench):
    figures = {goal.key: {} for goal in GOALS}
    for name, fade, laws in (("fxrun", crossfade, ("constantPower", "linear")), ("ffmpeg", ffmpeg_crossfade, ("qsin", "tri"))):
        first, second = fade(bench, laws[0])
        power = first ** 2 + second ** 2
        figures["power"][name] = 10 * numpy.log10(power.max() / power.min())
        first, second = fade(bench, laws[1])
        figures["linear"][name] = decibels((first + second).max() / (first + second).min())
    figures["fade"]["fxrun"], figures["left"]["fxrun"] = switch(bench)
    figures["left"]["ffmpeg"] = ffmpeg_switch(bench)

    random = numpy.random.default_rng(4)
    noise = random.uniform(-0.5, 0.5, (RATE, 2))
    kept = noise.astype(numpy.float32).astype(float)
    encode, decode = {"unit": "midSideEncode"}, {"unit": "midSideDecode"}
    alone = numpy.column_stack([kept[:, 0], numpy.zeros(RATE)])
    ways = {
        "fxrun": lambda sound, *modes: bench.render([{"ms": decode, "lr": encode}[mode[:2]] for mode in modes], sound),
        "ffmpeg": lambda sound, *modes: bench.ffmpeg(sound, ",".join(f"stereotools=mode={mode}" for mode in modes))}
    if bench.has_plugin(STEREO_TOOLS):
        names = {"lr>ms": "LR > MS (Stereo to Mid-Side)", "ms>lr": "MS > LR (Mid-Side to Stereo)"}
        ways["calf"] = lambda sound, *modes: bench.render([bench.plugin(STEREO_TOOLS, mode=names[mode]) for mode in modes], sound)
    for name, way in ways.items():
        back = way(noise, "lr>ms", "ms>lr")
        figures["sides"][name] = decibels(numpy.abs(back[:RATE] - kept).max() / 0.5)
        middle = way(alone, "lr>ms")[:RATE, 0]
        figures["middle"][name] = abs(decibels(numpy.std(middle) / numpy.std(0.5 * alone[:, 0])))

    routes = [{"from": 1, "to": 2, "gain": 0}, {"from": 1, "to": 3, "gain": -6}, {"from": 2, "to": 3, "gain": 3}]
    for name, matrix in matrices(bench, routes).items():
        gains = []
        for channel, target, wanted in ((0, 1, 0), (0, 2, -6), (1, 2, 3)):
            sound = numpy.zeros((RATE, 2))
            sound[:, channel] = kept[:, channel]
            output = matrix(sound)[:RATE]
            gains.append(abs(decibels(numpy.std(output[:, target]) / numpy.std(sound[:, channel])) - wanted))
        figures["matrix"][name] = max(gains)
        figures["leak"][name] = decibels(max(numpy.abs(output[:, 0]).max(), numpy.abs(output[:, 3]).max()))

    # FL, FR, FC, LFE, BL, BR, SL, SR; the sides come last in both.
    eight = random.uniform(-0.5, 0.5, (RATE, 8))
    wanted = eight.astype(numpy.float32).astype(float)
    for name, output in (
        ("fxrun", bench.render([{"unit": "channelMap", "to": "5.1(side)"}], eight)),
        ("ffmpeg", bench.ffmpeg(eight, "channelmap=map=FL|FR|FC|LFE|SL|SR:channel_layout=5.1(side)"))):
        figures["map"][name] = decibels(numpy.abs(output[:RATE] - wanted[:, [0, 1, 2, 3, 6, 7]]).max())
    for name, output in (
        ("fxrun", bench.render([{"unit": "channelMap", "to": "3.0", "map": "FL=SR; FR=4; FC=none"}], eight)),
        ("ffmpeg", bench.ffmpeg(eight, "pan=3.0|FL=SR|FR=LFE|FC=0*FL")),
        ("sox", bench.sox(eight, "remix", "8", "4", "0"))):
        output = output[:RATE]
        places = numpy.column_stack([wanted[:, 7], wanted[:, 3], numpy.zeros(RATE)])
        figures["order"][name] = (numpy.abs(output - places).max(axis=0) < 1e-7).sum()

    if bench.has_plugin(METRO):
        _, _, pitches, first = clicks(bench, {"lv2": METRO})
        figures["beats"]["eg-metro"] = numpy.abs(first - first[0] - numpy.arange(len(first)) * 60 / 97 * RATE).max()
        figures["pitch"]["eg-metro"] = 100 * numpy.abs(pitches / 880 - 1).max()
    starts, levels, pitches, _ = clicks(bench, {"unit": "metronome"})
    beats = numpy.arange(len(starts)) * 60 / 97 * RATE
    figures["beats"]["fxrun"] = numpy.abs(starts - beats).max()
    accents = numpy.arange(len(starts)) % 3 == 0
    figures["accent"]["fxrun"] = abs(decibels(levels[accents].mean() / levels[~accents].mean()) - 6)
    figures["pitch"]["fxrun"] = 100 * numpy.abs(pitches / numpy.where(accents, 1000 * 2 ** 0.5, 1000) - 1).max()
    return figures
