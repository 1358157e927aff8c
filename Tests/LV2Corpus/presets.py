"""Renders with every preset of an effect, and compares with the bare loop. There lilv restores the
preset."""

import os

from audio import Sound
from hosts import Room, reason

RATE, BLOCK, LIMIT = 48000, 256, 120


def check(corpus, effect, preset):
    finding = {"uri": effect.uri, "preset": preset, "package": effect.package}
    source = corpus.input(RATE)
    with Room(corpus.lv2_path) as room:
        ours, bare = room.path("ours.wav"), room.path("bare.wav")
        chain = effect.chain({**effect.node, "preset": preset})
        outcome, summary = room.fxrun(corpus.options.fxrun, chain, source, ours, BLOCK, LIMIT)
        if outcome.crashed:
            return {**finding, "class": "crashed", "detail": outcome.ending}
        if outcome.code != 0:
            return {**finding, "class": "refused", "detail": reason(outcome, summary)}
        first = room.bare(corpus.options.bare, effect.uri, source, bare, BLOCK, LIMIT, preset=preset)
        if first.code != 0 or not os.path.exists(bare):
            return {**finding, "class": "different", "detail": f"the bare loop failed: {first.ending}"}
        rendered, expected = Sound(ours), Sound(bare)
        if rendered.channels < expected.channels:
            expected.narrow(rendered.channels)
        if rendered.has_same_bits(expected):
            return {**finding, "class": "equal"}
        again = room.path("again.wav")
        room.bare(corpus.options.bare, effect.uri, source, again, BLOCK, LIMIT, preset=preset, perturbed=True)
        if not os.path.exists(again) or not expected.has_same_bits(Sound(again)):
            return {**finding, "class": "does not repeat itself"}
        largest, frame = rendered.difference(expected)
        return {**finding, "class": "different", "detail": f"by {largest:.2g} from frame {frame} on"}
