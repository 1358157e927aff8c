"""Rates are measured from the phase of the modulation over a minute. Delays are measured from the phase of a tone of
40 Hz or 1 kHz, with only the delayed signal (`"wet": 1`). Everything but the tone: the components more than 200 Hz
away from a tone of 3 kHz, which come from stepwise changes or coarse interpolation. The phaser stands still at 1 kHz;
its notches are compared with the formula of its all-passes, with 4 and with 12 stages.

Peers use their own units: ffmpeg's apulsator, vibrato, chorus and flanger, sox's chorus, flanger and ring modulation
by synth, calf's Pulsator, Multi Chorus, Flanger, Phaser and Ring Modulator, pedalboard's Chorus and Phaser, which has
six stages. The notches of calf's phaser are an octave below its frequency. sox and ffmpeg always add the dry sound to
their chorus and flanger; it is subtracted. The delay of their chorus goes from 0 to 4 ms, whatever delay is set, and
jumps once per period. Their phasers use one delay instead of all-passes, so there is no formula for their notches.
Multi Chorus filters the delayed sound, which shifts both ends of its delay; their distance stays the same. A vibrato
is measured with 1 ms to either side."""

import numpy
from scipy import signal

from bench import Goal, pedalboard

TITLE = "Movement"
RATE = 48000
CALF = "http://calf.sourceforge.net/plugins/"

GOALS = [
    Goal("tremolo", "Rate of the tremolo, 5.37 Hz, off by", "%", at_most=0.1, digits=4),
    Goal("depth", "Its depth of 0.8, off by", "%", at_most=0.1, digits=3),
    Goal("autoPan", "Power of the auto-pan, variation", "dB", at_most=0.01, digits=4),
    Goal("panRate", "Its rate, 3 Hz, off by", "%", at_most=0.1, digits=4),
    Goal("vibrato", "Rate of the vibrato, 5.37 Hz, off by", "%", at_most=0.1, digits=4),
    Goal("cents", "Its largest pitch shift, error", "cents", at_most=1),
    Goal("vibratoPure", "Side products", "dB", digits=0),
    Goal("chorus", "Ends of the chorus' delay range, 10 to 14 ms, off by", "µs", at_most=20, digits=1),
    Goal("chorusWay", "Width of its delay range, 4 ms, off by", "µs", at_most=20, digits=1),
    Goal("chorusRate", "Its rate, 0.5 Hz, off by", "%", at_most=0.1, digits=4),
    Goal("chorusPure", "Side products", "dB", digits=0),
    Goal("flanger", "Shortest delay of the flanger through zero", "µs", at_most=20, digits=1),
    Goal("flangerLow", "Shortest delay of the flanger, 1 ms, off by", "µs", at_most=20, digits=1),
    Goal("flangerHigh", "Longest delay of the flanger, 5 ms, off by", "µs", at_most=20, digits=1),
    Goal("flangerRate", "Rate of the flanger, 0.5 Hz, off by", "%", at_most=0.1, digits=4),
    Goal("flangerPure", "Side products", "dB", digits=0),
    Goal("phaserRate", "Rate of the phaser, 0.5 Hz, off by", "%", at_most=0.1, digits=4),
    Goal("notches", "Notches of the phaser, off by", "%", at_most=0.5),
    Goal("deep", "How deep they are", "dB", at_most=-50, digits=0),
    Goal("notches12", "Its six notches at 12 stages, off by", "%", at_most=0.5),
    Goal("deep12", "How deep those are", "dB", at_most=-50, digits=0),
    Goal("carrier", "Ring modulator: carrier and tone, against its sidebands", "dB", at_most=-90, digits=0),
    Goal("sidebands", "Level of its sidebands, off by", "dB", at_most=0.01, digits=4),
    *(Goal(f"cost{unit}", f"Cost, {unit}", "ns", digits=1) for unit in (
        "tremolo", "autoPan", "chorus", "vibrato", "flanger", "phaser", "ringModulator")),
]


def stereo(sound):
    return numpy.column_stack([sound, sound])


def tone(frequency, seconds):
    return stereo(0.5 * numpy.sin(2 * numpy.pi * frequency * numpy.arange(seconds * RATE) / RATE))


def rate_of(course, guess):
    """The frequency of a slow modulation, from its phases in the first and the last third of a minute."""
    course = course - course.mean()
    third = len(course) // 3
    time = numpy.arange(len(course)) / RATE
    turned = course * numpy.exp(-2j * numpy.pi * guess * time)
    window = numpy.hanning(third)
    first, last = (turned[start : start + third] @ window for start in (0, len(course) - third))
    return guess + numpy.angle(last / first) / (2 * numpy.pi) / ((len(course) - third) / RATE)


def envelope(output):
    return numpy.abs(signal.hilbert(output[:, 0]))


def delay(output, frequency=400):
    """The delay at each frame in seconds, from the phase; the number of whole periods is that of the first frame."""
    time = numpy.arange(len(output)) / RATE
    phase = numpy.unwrap(numpy.angle(signal.hilbert(output[:, 0]) * numpy.exp(-2j * numpy.pi * frequency * time)))
    return -(phase + numpy.pi / 2) / (2 * numpy.pi * frequency)


def node(unit, wet=1, options=None, **parameters):
    return {"unit": unit, "wet": wet, "parameters": parameters, **(options or {})}


def others(bench, found):
    """The render functions of the installed peers."""
    made = {}
    for name, make in found.items():
        if name == "calf" and not bench.has_plugin(CALF + "Phaser"):
            continue
        if name == "pedalboard" and not pedalboard():
            continue
        made[name] = make
    return made


def through_board(plugin, sound):
    return plugin(sound.astype(numpy.float32).T, RATE).T.astype(float)


def without(output, dry):
    """The output of a peer without the dry sound."""
    frames = min(len(output), len(dry))
    return output[:frames] - dry[:frames]


def impurity(output, frequency=3000):
    """The level of components more than 200 Hz away from a tone, relative to the tone, in ten seconds."""
    part = output[2 * RATE : 12 * RATE, 0]
    spectrum = numpy.abs(numpy.fft.rfft(part * numpy.blackman(len(part)))) ** 2
    hertz = numpy.fft.rfftfreq(len(part), 1 / RATE)
    near = numpy.abs(hertz - frequency) < 200
    return 10 * numpy.log10(max(spectrum[~near].sum(), 1e-30) / spectrum[near].sum())


def choruses(bench):
    """Only the delayed sound of choruses from 10 to 14 ms, or with a range of 4 ms, at 0.5 Hz."""
    return others(bench, {
        "fxrun": lambda sound: bench.render([node("chorus", options={"voices": 1}, rate=0.5, depth=0.002, time=0.012, spread=0)], sound),
        "sox": lambda sound: without(bench.sox(sound, *"chorus 1 1 20 1 0.5 4 -s".split()), sound),
        "ffmpeg": lambda sound: without(bench.ffmpeg(sound, "chorus=1:1:20:1:0.5:4"), sound),
        "calf": lambda sound: bench.render([bench.plugin(
            CALF + "MultiChorus", min_delay=0.01, mod_depth=0.004, mod_rate=0.5, voices=1, stereo=0, amount=1, dry=0)], sound),
        "pedalboard": lambda sound: through_board(pedalboard().Chorus(0.5, 0.2, 12, 0, 1), sound)})


def flangers(bench):
    """Only the delayed sound of flangers from 1 to 5 ms at 0.5 Hz."""
    return others(bench, {
        "fxrun": lambda sound: bench.render([node("flanger", rate=0.5, depth=0.002, time=0.003, feedback=0, spread=0)], sound),
        "sox": lambda sound: without(2 * bench.sox(sound, *"flanger 1 4 0 100 0.5 sine 0 quad".split()), sound),
        "ffmpeg": lambda sound: without(2 * bench.ffmpeg(sound, "flanger=1:4:0:100:0.5:sinusoidal:0:quadratic"), sound),
        "calf": lambda sound: bench.render([bench.plugin(
            CALF + "Flanger", min_delay=0.001, mod_depth=0.004, mod_rate=0.5, feedback=0, stereo=0, amount=1, dry=0)], sound)})


def phasers(bench, stages, rate):
    """Phasers around 1 kHz with half of the dry sound; at a rate of 0 they stand still."""
    moving = {"rate": rate, "depth": 1} if rate else {"depth": 0}
    shaken = {"mod_rate": rate, "mod_depth": 12} if rate else {"mod_depth": 0}
    found = {
        "fxrun": lambda sound: bench.render(
            [node("phaser", 0.5, {"stages": stages}, frequency=1000, feedback=0, spread=0, **moving)], sound),
        "calf": lambda sound: bench.render([bench.plugin(
            CALF + "Phaser", base_freq=1000, feedback=0, stages=stages, stereo=0, amount=0.5, dry=0.5, **shaken)], sound)}
    if rate:
        found["sox"] = lambda sound: bench.sox(sound, "phaser", "0.6", "0.66", "3", "0.4", str(rate), "-s")
        found["ffmpeg"] = lambda sound: bench.ffmpeg(sound, f"aphaser=speed={rate}:type=s")
    if stages == 4:
        found["pedalboard"] = lambda sound: through_board(
            pedalboard().Phaser(rate or 1, 0.25 if rate else 0, 1000, 0, 0.5), sound)
    return others(bench, found)


def notches(response, stages):
    """The largest error of the notches of all-passes at 1 kHz in percent, and the level of the highest notch."""
    level = 20 * numpy.log10(numpy.abs(numpy.fft.rfft(response[:, 0], 16 * RATE)) + 1e-30)
    hertz = numpy.fft.rfftfreq(16 * RATE, 1 / RATE)
    base = numpy.tan(numpy.pi * 1000 / RATE)
    wanted = RATE / numpy.pi * numpy.arctan(base * numpy.tan(numpy.pi * (numpy.arange(stages // 2) + 0.5) / stages))
    found = signal.argrelmin(level)[0]
    found = found[(level[found] < -20) & (hertz[found] > 20)]
    if len(found) != len(wanted):
        return None, None
    return 100 * numpy.abs(hertz[found] / wanted - 1).max(), level[found].max()


def ring_modulators(bench):
    return others(bench, {
        "fxrun": lambda sound: bench.render([node("ringModulator", frequency=300)], sound),
        "sox": lambda sound: bench.sox(sound, *"synth 3 sine fmod 300".split()),
        "calf": lambda sound: bench.render([bench.plugin(CALF + "RingModulator", mod_freq=300, mod_amount=1)], sound)})


def pans(bench, rate):
    return others(bench, {
        "fxrun": lambda sound: bench.render([node("autoPan", rate=rate, depth=1)], sound),
        "ffmpeg": lambda sound: bench.ffmpeg(sound, f"apulsator=hz={rate}"),
        "calf": lambda sound: bench.render([bench.plugin(CALF + "Pulsator", hz=rate)], sound)})


def measure(bench):
    figures = {goal.key: {} for goal in GOALS}
    sound = tone(1000, 60)
    shaking = {
        "fxrun": bench.render([node("tremolo", rate=5.37, depth=0.8)], sound),
        "sox": bench.sox(sound, "tremolo", "5.37", "80"),
        "ffmpeg": bench.ffmpeg(sound, "tremolo=f=5.37:d=0.8"),
    }
    for name, output in shaking.items():
        course = envelope(output)[RATE:-RATE]
        figures["tremolo"][name] = 100 * abs(rate_of(course, 5.37) / 5.37 - 1)
        figures["depth"][name] = 100 * abs((1 - course.min() / course.max()) / 0.8 - 1)
    for name, pan in pans(bench, 3).items():
        panned = pan(sound)
        power = sum(numpy.abs(signal.hilbert(panned[:, side])) ** 2 for side in (0, 1))[RATE:-RATE]
        figures["autoPan"][name] = 10 * numpy.log10(power.max() / power.min())
        figures["panRate"][name] = 100 * abs(rate_of(envelope(panned)[RATE:-RATE], 3) / 3 - 1)

    high, low = tone(3000, 14), tone(40, 20)
    # ffmpeg's depth of 0.4 is a share of 2.5 ms to either side.
    for name, sway in {
        "fxrun": lambda sound: bench.render([node("vibrato", rate=5.37, depth=0.001)], sound),
        "ffmpeg": lambda sound: bench.ffmpeg(sound, "vibrato=f=5.37:d=0.4"),
    }.items():
        course = delay(sway(sound), 1000)[RATE:-RATE]
        figures["vibrato"][name] = 100 * abs(rate_of(course, 5.37) / 5.37 - 1)
        slope = numpy.abs(numpy.gradient(signal.savgol_filter(course, 201, 3))).max() * RATE
        expected = 2 * numpy.pi * 5.37 * 0.001
        figures["cents"][name] = abs(1200 * numpy.log2((1 + slope) / (1 + expected)))
        figures["vibratoPure"][name] = impurity(sway(high))

    for name, chorus in choruses(bench).items():
        course = delay(chorus(low), 40)[RATE:-RATE]
        course = course - round((course.mean() - 0.012) * 40) / 40
        if name in ("fxrun", "pedalboard"):
            figures["chorus"][name] = 1e6 * max(abs(course.max() - 0.014), abs(course.min() - 0.010))
        figures["chorusWay"][name] = 1e6 * abs(course.max() - course.min() - 0.004)
        figures["chorusRate"][name] = 100 * abs(rate_of(course, 0.5) / 0.5 - 1)
        figures["chorusPure"][name] = impurity(chorus(high))
    for name, flanger in flangers(bench).items():
        course = delay(flanger(low), 40)[RATE:-RATE]
        figures["flangerLow"][name] = 1e6 * abs(course.min() - 0.001)
        figures["flangerHigh"][name] = 1e6 * abs(course.max() - 0.005)
        figures["flangerRate"][name] = 100 * abs(rate_of(course, 0.5) / 0.5 - 1)
        figures["flangerPure"][name] = impurity(flanger(high))
    both = bench.render(
        {"version": 1, "tail": "none", "chain": [node("flanger", options={"throughZero": True}, rate=0.5, depth=0.003, feedback=0)]}, low)
    dry = bench.render([node("gain")], low)
    course = (delay(both[: len(dry)], 40) - delay(dry, 40))[RATE:-RATE]
    figures["flanger"]["fxrun"] = 1e6 * abs(numpy.abs(course).min())

    impulse = numpy.zeros((2 * RATE, 2))
    impulse[RATE] = 1
    for stages, ending in ((4, ""), (12, "12")):
        for name, phaser in phasers(bench, stages, 0).items():
            found = notches(phaser(impulse), 6 if name == "pedalboard" else stages)
            figures["notches" + ending][name], figures["deep" + ending][name] = found
    for name, phaser in phasers(bench, 4, 0.5).items():
        figures["phaserRate"][name] = 100 * abs(rate_of(envelope(phaser(sound))[RATE:-RATE], 0.5) / 0.5 - 1)

    for name, modulator in ring_modulators(bench).items():
        ring = modulator(tone(1000, 3))[RATE : 2 * RATE, 0]
        spectrum = numpy.abs(numpy.fft.rfft(ring)) ** 2
        figures["sidebands"][name] = max(
            abs(20 * numpy.log10(numpy.sqrt(spectrum[place]) * 2 / RATE / 0.25)) for place in (700, 1300))
        sidebands = spectrum[700] + spectrum[1300]
        figures["carrier"][name] = 10 * numpy.log10(max(spectrum[300], spectrum[1000], 1e-30) / sidebands)
    for unit in ("tremolo", "autoPan", "chorus", "vibrato", "flanger", "phaser", "ringModulator"):
        figures[f"cost{unit}"]["fxrun"] = bench.own_cost([{"unit": unit}])
    return figures
