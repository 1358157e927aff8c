"""Head model: the time difference between the ears is the slope of their phases, above 6 kHz compared with
Woodworth's formula; and the levels at 6 kHz. No peer has a head model: they all need a file.

SOFA file (MIT KEMAR, which is part of libmysofa): clicks from eight directions of the file, in third octaves from 200
Hz to 16 kHz, and the time between the ears, compared with the file's own responses as read by h5py. Binaural with the
same file: the same for the five loudspeakers. Peer: ffmpeg's sofalizer with the same file and positions. Its error is
at the zenith, where it uses another response.

Doppler: a tone of 1 kHz that approaches and recedes at 34.3 m/s, a tenth of the speed of sound; no peer has this.
Crossfeed: compared with ffmpeg's bs2b with the same settings. Haas: the time and the level of the later sound, from
100 Hz to 10 kHz. Peers: ffmpeg's haas and calf's Haas Enhancer, which count whole frames and keep the original sound
in the middle. Binaural: the loudspeakers of 5.1 are at 30° and 110° to the side."""

import numpy
from scipy import signal

from bench import Goal

TITLE = "Space"
RATE = 48000

GOALS = [
    Goal("itd", "Interaural time difference above 6 kHz, largest error against Woodworth's formula", "µs", at_most=15, digits=1),
    Goal("low", "The same below 700 Hz, 90° to the side, relative to above 6 kHz", "x"),
    Goal("ild", "Interaural level difference at 6 kHz, 90° to the side", "dB", at_least=12, digits=1),
    Goal("front", "Difference between the ears, source in front, dB", "", at_most=0.01, digits=4),
    Goal("power", "Amplitude panning: variation of the sum's power", "dB", at_most=0.01, digits=4),
    Goal("sofa", "SOFA: level of an ear, off by at most", "dB", at_most=0.5),
    Goal("sofaTime", "SOFA: interaural time difference, off by at most", "µs", at_most=15, digits=1),
    Goal("doppler", "Doppler: pitch of an approaching source, off by", "%", at_most=0.1, digits=3),
    Goal("away", "Doppler: pitch of a receding source, off by", "%", at_most=0.1, digits=3),
    Goal("crossfeed", "Crossfeed against bs2b, 20 Hz to 20 kHz, off by", "dB", at_most=0.5),
    Goal("crossed", "Its phase in the other ear, 20 Hz to 5 kHz, off by", "°", at_most=2),
    Goal("haas", "Time of the Haas effect, 8.765 ms, off by", "µs", at_most=1),
    Goal("later", "Level of the delayed side, -3 dB, off by", "dB", at_most=0.01, digits=4),
    Goal("speakers", "Binaural: interaural time difference above 6 kHz, largest error against Woodworth's formula", "µs", at_most=15, digits=1),
    Goal("speakerLevel", "Binaural by SOFA: level of an ear, off by at most", "dB", at_most=0.5),
    Goal("speakerTime", "Binaural by SOFA: interaural time difference, off by at most", "µs", at_most=15, digits=1),
    Goal("centre", "Binaural, centre: difference between the ears", "dB", at_most=0.01, digits=4),
    *(Goal(f"cost{name}", f"Cost, {name}", "ns", digits=1) for name in ("spatial", "SOFA", "binaural", "crossfeed", "haas")),
]

SOFA = "/usr/share/libmysofa/default.sofa"


def click(bench, node):
    sound = numpy.zeros((RATE // 4, 1))
    sound[1000] = 1
    return bench.render({"version": 1, "tail": "none", "chain": [node]}, sound)


def spatial(options=None, **parameters):
    return {"unit": "spatial", "parameters": parameters, **(options or {})}


def lag(ears, low, high):
    """The delay of a band at the left ear in seconds, from the slope of the phase."""
    left, right = (numpy.fft.rfft(ears[:, side], 8 * RATE) for side in (0, 1))
    hertz = numpy.fft.rfftfreq(8 * RATE, 1 / RATE)
    phase = numpy.unwrap(numpy.angle(left * right.conj()))
    band = (hertz > low) & (hertz < high)
    return -numpy.polyfit(hertz[band], phase[band], 1)[0] / (2 * numpy.pi)


def thirds(response):
    """Third-octave levels."""
    power = numpy.abs(numpy.fft.rfft(response, 65536)) ** 2
    hertz = numpy.fft.rfftfreq(65536, 1 / 44100)
    centres = 200 * 2 ** (numpy.arange(20) / 3)
    return numpy.array([
        10 * numpy.log10(power[(hertz > centre / 1.1225) & (hertz < centre * 1.1225)].mean()) for centre in centres])


def late(response, other):
    """The delay between two responses in samples, from their correlation, in steps of a tenth."""
    long = [signal.resample_poly(part, 10, 1) for part in (response, other)]
    return (numpy.argmax(signal.correlate(long[0], long[1])) - len(long[1]) + 1) / 10


DIRECTIONS = ((0, 0), (30, 0), (90, 0), (150, 0), (270, 0), (330, 30), (60, -30), (0, 90))
LOUDSPEAKERS = {0: -30, 1: 30, 2: 0, 4: -110, 5: 110}


def own_click(bench, azimuth, elevation):
    sound = numpy.zeros((8192, 1))
    sound[1000] = 1
    node = spatial({"hrtf": SOFA}, azimuth=azimuth, elevation=elevation)
    return bench.render({"version": 1, "tail": "none", "chain": [node]}, sound, 44100)


def sofalizer_click(bench, azimuth, elevation):
    return bench.ffmpeg(from_loudspeaker(0), f"sofalizer=sofa={SOFA}:type=time:speakers=FL {-azimuth % 360} {elevation}", 44100)


def from_loudspeaker(channel):
    sound = numpy.zeros((8192, 6))
    sound[1000, channel] = 1
    return sound


def own_loudspeaker(bench, channel):
    chain = {"version": 1, "tail": "none", "chain": [{"unit": "binaural", "hrtf": SOFA}]}
    return bench.render(chain, from_loudspeaker(channel), 44100)


def sofalizer_loudspeaker(bench, channel):
    places = "FL 30|FR 330|FC 0|BL 110|BR 250"
    return bench.ffmpeg(from_loudspeaker(channel), f"sofalizer=sofa={SOFA}:type=time:speakers={places}", 44100)


def responses(clicks):
    """The largest errors of the ears' levels in dB and of the times between them in seconds, for clicks by direction."""
    import h5py

    levels, times = [], []
    with h5py.File(SOFA) as file:
        places, taken = file["SourcePosition"][:], file["Data.IR"][:]
        for (azimuth, elevation), ears in clicks.items():
            place = numpy.argmin(numpy.abs((places[:, 0] + azimuth) % 360) + numpy.abs(places[:, 1] - elevation))
            levels += [thirds(ears[:, ear]) - thirds(taken[place, ear]) for ear in (0, 1)]
            times.append((late(ears[:, 0], ears[:, 1]) - late(taken[place, 0], taken[place, 1])) / 44100)
    # The library normalizes the file's level.
    levels = numpy.array(levels) - numpy.mean(levels)
    return numpy.abs(levels).max(), numpy.abs(times).max()


def haases(bench):
    """The sound of the earlier side, and of the other side, which is 8.765 ms later and 3 dB lower."""
    def apart(ears):
        first = numpy.flatnonzero(numpy.abs(ears[:, 0]) > 0.01)[0]
        early, late = ears[:, 0].copy(), ears[:, 0].copy()
        early[first + 100 :] = 0
        late[: first + 100] = 0
        return numpy.column_stack([early, late])

    def calf(sound):
        plugin = bench.plugin(
            "http://calf.sourceforge.net/plugins/HaasEnhancer", s_delay1=0, s_delay2=0.008765, s_phase2=False, s_gain2=10 ** (-3 / 20))
        return apart(bench.render([plugin], sound))

    filters = f"haas=left_delay=0:right_delay=8.765:right_phase=0:right_gain={10 ** (-3 / 20)}"
    found = {
        "fxrun": lambda sound: bench.render([{"unit": "haas", "parameters": {"gain": -3, "time": 0.008765}}], sound),
        "ffmpeg": lambda sound: apart(bench.ffmpeg(sound, filters))}
    if bench.has_plugin("http://calf.sourceforge.net/plugins/HaasEnhancer"):
        found["calf"] = calf
    return found


def measure(bench):
    figures = {goal.key: {} for goal in GOALS}
    off = []
    for azimuth in (15, 30, 45, 60, 75, 90, 120, 150):
        ears = click(bench, spatial(azimuth=azimuth))
        lateral = numpy.arcsin(numpy.sin(numpy.radians(azimuth)))
        woodworth = 0.0875 / 343 * (lateral + numpy.sin(lateral))
        off.append(abs(lag(ears, 6000, 16000) - woodworth))
        if azimuth == 90:
            figures["low"]["fxrun"] = lag(ears, 100, 700) / lag(ears, 6000, 16000)
            levels = numpy.abs(numpy.fft.rfft(ears, RATE, axis=0))[6000]
            figures["ild"]["fxrun"] = 20 * numpy.log10(levels[1] / levels[0])
    figures["itd"]["fxrun"] = 1e6 * max(off)
    front = click(bench, spatial(azimuth=0))
    figures["front"]["fxrun"] = abs(20 * numpy.log10((front[:, 0] ** 2).sum() / (front[:, 1] ** 2).sum()))
    powers = [
        (click(bench, spatial({"method": "power"}, azimuth=azimuth)) ** 2).sum() for azimuth in range(-90, 91, 10)]
    figures["power"]["fxrun"] = 10 * numpy.log10(max(powers) / min(powers))

    try:
        for name, click_from in (("fxrun", own_click), ("ffmpeg", sofalizer_click)):
            level, time = responses({place: click_from(bench, *place) for place in DIRECTIONS})
            figures["sofa"][name], figures["sofaTime"][name] = level, 1e6 * time
        for name, click_from in (("fxrun", own_loudspeaker), ("ffmpeg", sofalizer_loudspeaker)):
            level, time = responses({(azimuth, 0): click_from(bench, channel) for channel, azimuth in LOUDSPEAKERS.items()})
            figures["speakerLevel"][name], figures["speakerTime"][name] = level, 1e6 * time
    except ImportError:
        pass
    time = numpy.arange(10 * RATE) / RATE
    tone = 0.1 * numpy.sin(2 * numpy.pi * 1000 * time)[:, None]
    for key, ends in (("doppler", (330, 10)), ("away", (10, 330))):
        chain = {
            "version": 1, "tail": "none",
            "chain": [{"id": "place", **spatial({"method": "power", "doppler": True, "farthest": 400}, distance=ends[0])}],
            "automation": [{"parameter": "place.distance", "points": [
                [0, ends[0]], [9.329446064, ends[1], "linear"]]}],
        }
        output = bench.render(chain, tone)[3 * RATE : 8 * RATE, 0]
        crossings = numpy.flatnonzero((output[:-1] < 0) & (output[1:] >= 0))
        places = crossings + output[crossings] / (output[crossings] - output[crossings + 1])
        found = (len(places) - 1) / (places[-1] - places[0]) * RATE
        # Times are arrival times: the sound arriving now was emitted earlier, by the delay for its distance.
        expected = 1000 * (1 + 0.1) if key == "doppler" else 1000 * (1 - 0.1)
        figures[key]["fxrun"] = 100 * abs(found / expected - 1)

    sound = numpy.zeros((RATE // 2, 2))
    sound[2000, 0] = 1
    own = bench.render([{"unit": "crossfeed", "preset": "moy"}], sound)
    peer = bench.ffmpeg(sound, "bs2b=fcut=700:feed=60")
    hertz = numpy.fft.rfftfreq(RATE // 2, 1 / RATE)
    heard = (hertz >= 20) & (hertz <= 20000)
    differences = []
    for side in (0, 1):
        levels = [20 * numpy.log10(numpy.abs(numpy.fft.rfft(ears[: RATE // 2, side]))[heard]) for ears in (own, peer)]
        differences.append(numpy.abs(levels[0] - levels[1]).max())
    figures["crossfeed"]["fxrun"] = max(differences)
    lit = (hertz >= 20) & (hertz <= 5000)
    crossed = [numpy.fft.rfft(ears[: RATE // 2, 1])[lit] for ears in (own, peer)]
    figures["crossed"]["fxrun"] = numpy.degrees(numpy.abs(numpy.angle(crossed[0] / crossed[1])).max())
    off = []
    for channel, azimuth in ((0, -30), (1, 30), (4, -110), (5, 110)):
        sound = numpy.zeros((RATE // 4, 6))
        sound[1000, channel] = 1
        ears = bench.render({"version": 1, "tail": "none", "chain": [{"unit": "binaural"}]}, sound)
        lateral = numpy.arcsin(numpy.sin(numpy.radians(azimuth)))
        off.append(abs(lag(ears, 6000, 16000) - 0.0875 / 343 * (lateral + numpy.sin(lateral))))
    figures["speakers"]["fxrun"] = 1e6 * max(off)
    sound = numpy.zeros((RATE // 4, 6))
    sound[1000, 2] = 1
    ears = bench.render({"version": 1, "tail": "none", "chain": [{"unit": "binaural"}]}, sound)
    figures["centre"]["fxrun"] = abs(10 * numpy.log10((ears[:, 0] ** 2).sum() / (ears[:, 1] ** 2).sum()))
    sound = numpy.zeros((RATE // 4, 2))
    sound[1000] = 1
    for name, haas in haases(bench).items():
        ears = haas(sound)
        spectra = numpy.abs(numpy.fft.rfft(ears, RATE, axis=0))[100:10001] ** 2
        figures["later"][name] = abs(10 * numpy.log10(spectra[:, 1].sum() / spectra[:, 0].sum()) + 3)
        figures["haas"][name] = 1e6 * abs(lag(ears, 100, 10000) + 0.008765)
    for name, node in (
        ("spatial", spatial()), ("SOFA", spatial({"hrtf": SOFA})), ("binaural", {"unit": "binaural"}),
        ("crossfeed", {"unit": "crossfeed"}), ("haas", {"unit": "haas"})):
        figures[f"cost{name}"]["fxrun"] = bench.own_cost([node])
    return figures
