"""Speech by espeak-ng (two voices with pauses of a second) in the noises of the denoiser, with signal-to-noise ratios
of 20, 10 and 5 dB. A section of 30 ms is speech if the clean sound is less than 30 dB below its loudest section;
sections between 30 and 50 dB below do not count. Found: the share of speech that is detected. Wrong: the share of the
pauses that is detected as speech, from 0.4 s after a word. All settings are the defaults, with a hold of 0.3 s after
a word; the peers have the same hold. Peers: webrtcvad 2.0.10, the detector of web browsers, in the most and the least
aggressive of its four modes."""

import numpy

from bench import Goal
from denoise import RATE, noises, speech

TITLE = "Voice activity"
STRETCH = RATE * 30 // 1000
HOLD = 10
CASES = [(noise, ratio) for noise in ("white", "pink", "hum") for ratio in (20, 10, 5)]

GOALS = [
    *(Goal(f"found{noise}{ratio}", f"{noise} at {ratio} dB: found", "%", at_least=90 if ratio == 5 else 95, digits=0) for noise, ratio in CASES),
    *(Goal(f"wrong{noise}{ratio}", f"{noise} at {ratio} dB: wrong", "%", at_most=5, digits=0) for noise, ratio in CASES),
    Goal("cost", "Cost", "ns", digits=1),
]


GRAPH = {
    "nodes": {
        "in": {"source": "main"}, "voice": {"unit": "voiceActivity"}, "out": {"sink": "main"}},
    "connections": ["in -> voice -> out"]}


def by_fxrun(bench, sound):
    return bench.render({"version": 1, "tail": "none", **GRAPH}, sound[:, None], RATE)[: len(sound), 0]


def by_webrtcvad(sound, mode):
    try:
        from webrtcvad import Vad
    except ImportError:
        return None
    vad = Vad(mode)
    words = (32767 * numpy.clip(sound, -1, 1)).astype(numpy.int16)
    said = [vad.is_speech(part.tobytes(), RATE) for part in words[: len(words) // STRETCH * STRETCH].reshape(-1, STRETCH)]
    held = numpy.convolve(said, numpy.ones(1 + HOLD))[: len(said)] > 0
    return numpy.repeat(held.astype(float), STRETCH)


def levels(sound):
    parts = sound[: len(sound) // STRETCH * STRETCH].reshape(-1, STRETCH)
    return 10 * numpy.log10((parts ** 2).mean(axis=1) + 1e-20)


def measure(bench):
    clean = speech(bench)
    level = levels(clean) - levels(clean).max()
    spoken = level > -30
    words = numpy.convolve(level > -50, numpy.ones(4 + HOLD))[: len(level)] > 0
    figures = {goal.key: {} for goal in GOALS}
    loud = clean[numpy.abs(clean) > 0.01]
    for name, noise in noises(len(clean)).items():
        noise = noise * numpy.sqrt((loud ** 2).mean() / (noise ** 2).mean())
        for ratio in (20, 10, 5):
            sound = clean + noise * 10 ** (-ratio / 20)
            sound *= 0.5 / numpy.abs(sound).max()
            for peer, said in (("fxrun", by_fxrun(bench, sound)), ("webrtcvad, mode 0", by_webrtcvad(sound, 0)), ("mode 3", by_webrtcvad(sound, 3))):
                if said is None:
                    continue
                said = said[: len(level) * STRETCH].reshape(-1, STRETCH).mean(axis=1)
                figures[f"found{name}{ratio}"][peer] = 100 * said[spoken].mean()
                figures[f"wrong{name}{ratio}"][peer] = 100 * said[~words].mean()
    figures["cost"]["fxrun"] = bench.graph_cost(GRAPH) - bench.cost([{"unit": "gain"}])
    return figures
