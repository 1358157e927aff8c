"""The position of an impulse at frame 0 after a plugin that reports latency: alone, half dry and
half wet, and with a parallel dry path."""

from audio import Sound

RATE, BLOCK, LIMIT = 48000, 256, 120


def chains(effect):
    """Chains with the plugin alone and with a parallel dry path."""
    node = effect.node
    first = [] if effect.main == 2 or (effect.main == 1 and effect.outputs == 1) else ["fold"]
    nodes = {"in": {"source": {"input": "main"}}, "plugin": node, "out": {"sink": {"output": "main"}}}
    nodes["dry"] = {"unit": "downmix", "channels": 1}
    nodes["wet"] = {"unit": "downmix", "channels": 1}
    if first:
        nodes["fold"] = {"unit": "downmix", "channels": 1}
    path = " -> ".join(["in", *first, "plugin", "wet", "out"])
    return {
        "alone": effect.chain(),
        "parallel": {
            "version": 1, "tail": "none", "nodes": nodes,
            "connections": [path, "in -> dry -> out"]},
    }


def peak(channel, start=0):
    return max(range(start, len(channel)), key=lambda n: abs(channel[n]), default=0)


def measure(corpus, effect):
    """Measures the reported latency and the positions of the impulse.

    `alone` is the frame of the peak: 0 if the reported latency is correct. `mixed` is the frame of
    the dry half, `parallel` the peak with a parallel dry path, and `dry` the level at frame 0
    there. The dry sound must stay at frame 0, whatever latency the plugin reports.
    """
    from hosts import Room

    finding = {"uri": effect.uri, "name": effect.name, "package": effect.package}
    source = corpus.input(RATE, "impulse")
    with Room(corpus.lv2_path) as room:
        for name, chain in chains(effect).items():
            target = room.path(name + ".wav")
            outcome, summary = room.fxrun(corpus.options.fxrun, chain, source, target, BLOCK, LIMIT)
            if outcome.code != 0:
                return {**finding, "class": "failed", "detail": f"{name}: {outcome.ending}"}
            sound = Sound(target)
            finding["latency"] = summary["latencyFrames"]
            channel = sound.channel(0)
            finding[name] = peak(channel)
            if name == "alone":
                finding["peak"] = abs(channel[finding[name]])
                finding["mixed"] = None
                mixed = {**chain, "chain": chain["chain"][:-1] + [{**effect.node, "wet": 0.5}]}
                if effect.main == effect.outputs:
                    outcome, _ = room.fxrun(
                        corpus.options.fxrun, mixed, source, room.path("mixed.wav"), BLOCK, LIMIT)
                    if outcome.code == 0:
                        finding["mixed"] = dry_frame(Sound(room.path("mixed.wav")).channel(0), channel)
            else:
                finding["dry"] = abs(channel[0])
    finding["class"] = "measured"
    return finding


def dry_frame(mixed, wet):
    """The frame of the dry half: the peak of the mix minus half of the wet sound."""
    left = [m - 0.5 * w for m, w in zip(mixed, wet)]
    return peak(left)
