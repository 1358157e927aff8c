"""Where an impulse at frame 0 comes out of a plugin that reports latency: alone, half dry and half wet,
and beside a dry path."""

from audio import Sound

RATE, BLOCK, LIMIT = 48000, 256, 120


def chains(effect):
    """The same plugin three ways; each renders the impulse into a file as long as the input."""
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
    """The reported latency, and the frame where the peak is: 0 when the report is true.

    In parallel, the dry path has to stand at frame 0 (give or take nothing) whatever the plugin says: what
    is measured is the difference of the rendering with and without the plugin's branch.
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
    """Where the dry half stands: the largest of what is left when half of the wet is taken away."""
    left = [m - 0.5 * w for m, w in zip(mixed, wet)]
    return peak(left)
