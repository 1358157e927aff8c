"""Speech by espeak-ng (two voices, twelve seconds with pauses) in three noises at 10 dB: white, pink from 20 Hz up,
and hum with hiss. Each program learns the noise in its own way: fxrun from the quietest tenth, sox's noisered from a
second of pure noise, ffmpeg's afftdn by tracking. In two more the white noise, from 20 dB, grows by 15 dB during a
minute or by 12 dB at once. The noise is the level that remains in the pauses. SI-SDR is that
of J. Le Roux and others (ICASSP 2019); STOI is that of pystoi, if it is installed. The noisy speech itself is the
first peer."""

import subprocess

import numpy
from scipy import signal

from bench import Goal, run

TITLE = "Denoiser"
RATE = 16000
NOISES = ("white", "pink", "hum", "growing", "stepping")

GOALS = [
    *(Goal(f"{noise}Noise", f"{noise}: noise in the pauses, down by", "dB", at_least=15, digits=1) for noise in NOISES),
    *(Goal(f"{noise}SDR", f"{noise}: SI-SDR", "dB", digits=1) for noise in NOISES),
    *(Goal(f"{noise}STOI", f"{noise}: STOI", "", digits=3) for noise in NOISES),
    Goal("cost", "Cost", "ns", digits=1),
]


def speech(bench):
    words = [
        "The quick brown fox jumps over the lazy dog, while seven wizards mix a strange potion.",
        "She had your dark suit in greasy wash water all year, and nobody asked her why.",
    ]
    parts = []
    for index, (voice, text) in enumerate(zip(("en-us", "en-gb"), words)):
        path = bench.folder / f"speech{index}.wav"
        run(["espeak-ng", "-v", voice, "-s", "150", "-w", path, text])
        rate, sound = __import__("scipy.io.wavfile", fromlist=["x"]).read(path)
        sound = signal.resample_poly(sound / 32768.0, RATE, rate)
        parts += [numpy.zeros(RATE), 0.5 * sound / numpy.abs(sound).max()]
    return numpy.concatenate([*parts, numpy.zeros(RATE)])


def noises(count):
    random = numpy.random.default_rng(7)
    white = random.normal(0, 1, count)
    spectrum = numpy.fft.rfft(random.normal(0, 1, count))
    spectrum[1:] /= numpy.sqrt(numpy.arange(1, len(spectrum)))
    spectrum[numpy.fft.rfftfreq(count, 1 / RATE) < 20] = 0
    pink = numpy.fft.irfft(spectrum, count)
    time = numpy.arange(count) / RATE
    hum = sum(numpy.sin(2 * numpy.pi * 50 * k * time + k) / k for k in range(1, 9)) + 0.2 * random.normal(0, 1, count)
    noises = {"white": white, "pink": pink, "hum": hum}
    return {name: noise / numpy.sqrt((noise ** 2).mean()) for name, noise in noises.items()}


def situations(clean):
    """The clean sound and its noise, by name."""
    level = numpy.sqrt((clean ** 2).mean())
    yield from ((name, clean, noise * level / numpy.sqrt(10)) for name, noise in noises(len(clean)).items())
    long = numpy.tile(clean, 4)
    noise = 0.1 * level * noises(len(long))["white"]
    place = numpy.linspace(0, 1, len(long))
    yield "growing", long, noise * 10 ** (15 * place / 20)
    yield "stepping", long, noise * 10 ** (12 * (place > 0.5) / 20)


def si_sdr(clean, output):
    clean, output = clean - clean.mean(), output - output.mean()
    target = numpy.dot(output, clean) / numpy.dot(clean, clean) * clean
    return 10 * numpy.log10((target ** 2).sum() / ((output - target) ** 2).sum())


def aligned(clean, output):
    """The output of a program, aligned with the clean sound within 0.2 s."""
    output = numpy.concatenate([output, numpy.zeros(RATE)])
    lags = signal.correlate(output[: len(clean) + RATE // 5], clean, mode="valid", method="fft")
    lag = int(numpy.argmax(numpy.abs(lags)))
    return output[lag : lag + len(clean)]


def stoi(clean, output):
    try:
        from pystoi import stoi as measure_stoi
    except ImportError:
        return None
    return measure_stoi(clean, output, RATE)


def sox(bench, noisy, noise):
    bench.write("noise.wav", noise[: RATE, None], RATE)
    run(["sox", bench.folder / "noise.wav", "-n", "noiseprof", bench.folder / "profile"])
    return bench.sox(noisy[:, None], "noisered", str(bench.folder / "profile"), "0.21", rate=RATE)[:, 0]


def measure(bench):
    figures = {goal.key: {} for goal in GOALS}
    for name, clean, noise in situations(speech(bench)):
        quiet = numpy.convolve(numpy.abs(clean), numpy.ones(RATE // 4), "same") < 1e-3
        quiet[: RATE // 2] = False
        noisy = clean + noise
        renders = {
            "noisy": noisy,
            "fxrun": bench.render([{"unit": "denoise"}], noisy[:, None], RATE)[:, 0],
            "following": bench.render([{"unit": "denoise", "learn": "always"}], noisy[:, None], RATE)[:, 0],
            "speechDenoise": bench.render([{"unit": "speechDenoise"}], noisy[:, None], RATE)[:, 0],
            "sox noisered": sox(bench, noisy, noise),
            "ffmpeg afftdn": bench.ffmpeg(noisy[:, None], "afftdn=nr=18:nf=-30:tn=1", RATE)[:, 0],
        }
        before = (noisy[quiet] ** 2).mean()
        for program, output in renders.items():
            output = aligned(clean, output)
            left = (output[quiet] ** 2).mean()
            figures[f"{name}Noise"][program] = 10 * numpy.log10(before / left)
            figures[f"{name}SDR"][program] = si_sdr(clean, output)
            figures[f"{name}STOI"][program] = stoi(clean, output)
    for program, unit in (("fxrun", {"unit": "denoise", "learn": "always"}), ("speechDenoise", {"unit": "speechDenoise"})):
        figures["cost"][program] = bench.own_cost([unit])
    return figures
