"""Only the echoes (`"wet": 1`). Treble: the loss of a tone of 15 kHz in the sixth echo of 0.3333 s at 44.1 kHz, with
filters off and feedback 0.9, in addition to the loss by the feedback; and the largest gain of any frequency from 20
Hz to 20 kHz. Time changes: a tone of 1 kHz while the time jumps from 0.3 to 0.4 s. With `crossfade`: everything
outside 900 to 1,100 Hz, relative to the tone."""

import numpy

from bench import Goal

TITLE = "Delay"
RATE = 44100
ZAM = "urn:zamaudio:ZamDelay"

GOALS = [
    Goal("treble", "Loss at 15 kHz, sixth echo", "dB", at_most=1),
    Goal("gain", "Largest gain at any frequency, sixth echo", "dB", at_most=0.1),
    Goal("crossfade", "Time change by crossfade, outside the tone", "dB", at_most=-60, digits=0),
    Goal("cost", "Cost, 0.35 s", "ns", digits=1),
    Goal("fraction", "Cost, 0.3333 s", "ns", digits=1),
]


def node(name="delay", options=None, **parameters):
    settings = {"time": 0.3333, "feedback": 0.9, **parameters}
    return {"unit": name, "wet": 1, "parameters": settings, **(options or {})}


def echo(output, time, number, frames=8192):
    """The spectrum of one echo of an impulse at the start of the sound."""
    start = int(round(number * time * RATE)) - frames // 2
    return numpy.abs(numpy.fft.rfft(output[start : start + frames, 0]))


def loss(render, at=15000):
    sound = numpy.zeros((3 * RATE, 2))
    sound[0] = 1
    spectrum = echo(render(sound), 0.3333, 6)
    hertz = numpy.fft.rfftfreq(8192, 1 / RATE)
    level = 20 * numpy.log10(spectrum / 0.9 ** 5 + 1e-30)
    heard = (hertz >= 20) & (hertz <= 20000)
    return -numpy.interp(at, hertz, level), level[heard].max()


def smear(bench):
    time = numpy.arange(3 * RATE) / RATE
    tone = 0.5 * numpy.sin(2 * numpy.pi * 1000 * time)
    chain = {
        "version": 1, "chain": [{"id": "echo", **node(
            options={"change": "crossfade"}, time=0.3, feedback=0)}],
        "automation": [{"parameter": "echo.time", "points": [[0, 0.3], [1.5, 0.4]]}]}
    output = bench.render(chain, numpy.column_stack([tone, tone]), RATE)[RATE : 2 * RATE + RATE // 2, 0]
    power = numpy.abs(numpy.fft.rfft(output * numpy.blackman(len(output)))) ** 2
    hertz = numpy.fft.rfftfreq(len(output), 1 / RATE)
    inside = (hertz > 900) & (hertz < 1100)
    return 10 * numpy.log10(power[~inside].sum() / power[inside].sum())


def measure(bench):
    figures = {goal.key: {} for goal in GOALS}
    earlier = {"highCut": 20000, "lowCut": 10}
    renders = {
        "fxrun": lambda sound: bench.render([node()], sound, RATE),
        "revision 1": lambda sound: bench.render([node("delay@1", **earlier)], sound, RATE),
    }
    for name, render in renders.items():
        figures["treble"][name], figures["gain"][name] = loss(render)
    figures["crossfade"]["fxrun"] = smear(bench)
    for key, time in (("cost", 0.35), ("fraction", 0.3333)):
        for name, unit in (("fxrun", "delay"), ("revision 1", "delay@1")):
            figures[key][name] = bench.own_cost([node(unit, time=time, feedback=0.3)], rate=RATE)
        if bench.has_plugin(ZAM):
            plugin = bench.plugin(ZAM)
            figures[key]["ZamDelay, mono"] = bench.own_cost([plugin], rate=RATE)
    return figures
