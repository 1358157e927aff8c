"""The kinds of changes of a sound. Each kind is one function.

Each takes a sound (frames × channels, float32) and a `Draw`, and returns the changed sound.
`causes` are the right causes; the first cause that fxrun names must be one of them. The set is
empty for changes that fxrun need not recognize: for these, "cause unknown" is right."""
import math
import pathlib
import shutil
import subprocess
import tempfile

import numpy as np

KINDS = []


def kind(*causes, stereo=False, program=None):
    """Registers a kind of change."""
    def register(function):
        function.causes, function.stereo, function.program = set(causes), stereo, program
        KINDS.append(function)
        return function
    return register


class Draw:
    """Draws random strengths and records them in `words`."""

    def __init__(self, random, rate, sound):
        self.random, self.rate, self.words, self.sound = random, rate, [], sound

    def among(self, name, *values):
        value = values[self.random.integers(len(values))]
        self.words.append(f"{name} {value}")
        return value

    def between(self, name, low, high):
        value = float(self.random.uniform(low, high))
        self.words.append(f"{name} {value:.5g}")
        return value

    def frames(self, name, low, high):
        value = int(self.random.integers(low, high + 1))
        self.words.append(f"{name} {value}")
        return value

    def place(self, length=0):
        """A frame in the middle three quarters of the sound where it is loud."""
        level = np.abs(self.sound).max(axis=1)
        threshold = 0.1 * level.max()
        for _ in range(10000):
            frame = int(self.random.integers(len(level) // 8, 7 * len(level) // 8))
            if level[frame:frame + max(length, 64)].max() > threshold:
                self.words.append(f"at frame {frame}")
                return frame
        raise SystemExit("the sound is silent")


def amplitude(decibels):
    return 10 ** (decibels / 20)


def filtered(sound, response):
    """A filter by its frequency response, a function of z^-1 on the unit circle."""
    length = 1 << (len(sound) + 48000).bit_length()
    z = np.exp(-2j * np.pi * np.arange(length // 2 + 1) / length)
    spectrum = np.fft.rfft(sound.astype(np.float64), length, axis=0)
    return np.fft.irfft(spectrum * response(z)[:, None], length, axis=0)[:len(sound)]


def biquad(b, a):
    return lambda z: (b[0] + b[1] * z + b[2] * z * z) / (a[0] + a[1] * z + a[2] * z * z)


def peaking(hertz, gain, q, rate):
    """R. Bristow-Johnson, "Cookbook formulae for audio equalizer biquad filter coefficients"."""
    a, w = 10 ** (gain / 40), 2 * math.pi * hertz / rate
    alpha = math.sin(w) / (2 * q)
    return biquad((1 + alpha * a, -2 * math.cos(w), 1 - alpha * a), (1 + alpha / a, -2 * math.cos(w), 1 - alpha / a))


def low_pass(hertz, rate):
    w = 2 * math.pi * hertz / rate
    alpha, c = math.sin(w) / math.sqrt(2), math.cos(w)
    return biquad(((1 - c) / 2, 1 - c, (1 - c) / 2), (1 + alpha, -2 * c, 1 - alpha))


def high_pass(hertz, rate):
    w = 2 * math.pi * hertz / rate
    alpha, c = math.sin(w) / math.sqrt(2), math.cos(w)
    return biquad(((1 + c) / 2, -1 - c, (1 + c) / 2), (1 + alpha, -2 * c, 1 - alpha))


def later(sound, frames):
    return np.concatenate([np.zeros((frames, sound.shape[1])), sound])[:len(sound)]


def shifted(sound, frames):
    """A delay by a fraction of a frame, exact if the sound has nothing at half the sample rate."""
    length = 1 << (len(sound) + 4096).bit_length()
    turn = np.exp(-2j * np.pi * np.arange(length // 2 + 1) * frames / length)
    return np.fft.irfft(np.fft.rfft(sound.astype(np.float64), length, axis=0) * turn[:, None], length, axis=0)[:len(sound)]


def resampled(sound, speed):
    """Plays faster by a factor, resampled with a windowed sinc."""
    positions = np.arange(int(len(sound) / speed) - 64) * speed
    whole = np.floor(positions).astype(int)
    part = positions - whole
    padded = np.concatenate([np.zeros((32, sound.shape[1])), sound, np.zeros((64, sound.shape[1]))])
    made = np.zeros((len(positions), sound.shape[1]))
    for tap in range(-31, 33):
        distance = part - tap
        made += padded[whole + tap + 32] * (np.sinc(distance) * np.cos(np.pi * distance / 66) ** 2)[:, None]
    return made


# One thing


@kind("gain")
def gain(sound, draw):
    return sound * amplitude(draw.among("dB", -0.05, 0.05, -0.5, 1, -3, 6, -12))


@kind("balance", "gain", stereo=True)
def balance(sound, draw):
    row = [1.0] * sound.shape[1]
    row[draw.among("channel", 0, 1)] = amplitude(draw.among("dB", -0.1, 0.5, -1.5, -6))
    return sound * row


@kind("latency")
def latency(sound, draw):
    return later(sound, draw.among("frames", 1, 7, 64, 480, 4800))


@kind("latency")
def silence_before(sound, draw):
    return np.concatenate([np.zeros((draw.among("frames", 64, 1152, 9600), sound.shape[1])), sound])


@kind("fractionalLag")
def fractional_lag(sound, draw):
    return shifted(sound, draw.among("frames", 0.1, 0.3, 0.5, -0.3, 0.8))


@kind("channelLag", "fractionalLag", stereo=True)
def channel_lag(sound, draw):
    made, channel = sound.copy(), draw.among("channel", 0, 1)
    made[:, channel] = later(sound, draw.among("frames", 1, 3, 48, 500))[:, channel]
    return made


@kind("polarity")
def inverted(sound, draw):
    return -sound


@kind("polarity", stereo=True)
def inverted_channel(sound, draw):
    return sound * np.where(np.arange(sound.shape[1]) == draw.among("channel", 0, 1), -1, 1)


@kind("channelOrder", stereo=True)
def swapped(sound, draw):
    return sound[:, ::-1]


@kind("width", "mix", stereo=True)
def width(sound, draw):
    scale = draw.among("sides", 0.9, 1.1, 0.5, 1.5)
    middle, sides = (sound[:, :1] + sound[:, 1:2]) / 2, (sound[:, :1] - sound[:, 1:2]) / 2
    return np.hstack([middle + scale * sides, middle - scale * sides])


@kind("mono", stereo=True)
def mono(sound, draw):
    one = draw.among("of", "both", "left")
    row = sound.mean(axis=1, keepdims=True) if one == "both" else sound[:, :1]
    return np.hstack([row, row])


@kind("offset")
def offset(sound, draw):
    return sound + draw.among("by", 1e-4, -1e-3, 0.02)


@kind("clipping")
def clipping(sound, draw):
    ceiling = np.abs(sound).max() * amplitude(draw.among("dB", -1, -3, -6))
    return np.clip(sound, -ceiling, ceiling)


@kind("truncation")
def truncation(sound, draw):
    steps = 2.0 ** (draw.among("bits", 16, 12, 20) - 1)
    return np.floor(sound.astype(np.float64) * steps) / steps


@kind("rounding")
def rounding(sound, draw):
    steps = 2.0 ** (draw.among("bits", 16, 12) - 1)
    dither = draw.random.uniform(-0.5, 0.5, sound.shape) + draw.random.uniform(-0.5, 0.5, sound.shape)
    return np.rint(sound.astype(np.float64) * steps + dither * draw.among("dither", 0, 1)) / steps


@kind("noise")
def noise(sound, draw):
    return sound + draw.random.standard_normal(sound.shape) * amplitude(draw.among("dB", -70, -50, -36))


@kind("tone", "noise")
def hum(sound, draw):
    time = np.arange(len(sound))[:, None] / draw.rate
    return sound + amplitude(draw.among("dB", -70, -50)) * np.sin(2 * np.pi * draw.among("Hz", 50, 60, 1000) * time)


@kind("gainChange")
def gain_from_a_moment(sound, draw):
    made = sound.copy()
    made[draw.place():] *= amplitude(draw.among("dB", 0.5, -1, 3))
    return made


@kind("gainOverTime")
def fade(sound, draw):
    first = draw.place()
    ramp = np.clip((np.arange(len(sound)) - first) / (draw.among("seconds", 0.5, 2) * draw.rate), 0, 1)
    return sound * (1 - 0.7 * ramp)[:, None]


@kind("dropout")
def dropout(sound, draw):
    made, length = sound.copy(), int(draw.among("ms", 2, 5, 50) * draw.rate / 1000)
    first = draw.place(length)
    made[first:first + length] = 0
    return made


@kind("missingFrames")
def cut(sound, draw):
    length = draw.among("frames", 64, 480, 5000)
    first = draw.place(length)
    made = np.concatenate([sound[:first], sound[first + length:]])
    return np.concatenate([made, np.zeros((length, sound.shape[1]))]) if draw.among("padded", 0, 1) else made


@kind("repeatedFrames")
def repeat(sound, draw):
    length = int(draw.among("ms", 5, 10, 40) * draw.rate / 1000)
    first = draw.place(length)
    made = np.concatenate([sound[:first], sound[first - length:first], sound[first:]])
    return made[:len(sound)] if draw.among("same length", 0, 1) else made


@kind("insertedSilence")
def gap(sound, draw):
    length = int(draw.among("ms", 5, 20, 100) * draw.rate / 1000)
    first = draw.place(length)
    return np.concatenate([sound[:first], np.zeros((length, sound.shape[1])), sound[first:]])


@kind("missingStart")
def missing_start(sound, draw):
    level = np.abs(sound).max(axis=1)
    onset = int(np.argmax(level > 0.05 * level.max()))
    length = onset + int(draw.among("ms", 10, 50, 200) * draw.rate / 1000)
    return np.concatenate([sound[length:], np.zeros((draw.among("padded", 0, 1) * length, sound.shape[1]))])


@kind("missingEnd")
def missing_end(sound, draw):
    return sound[:-int(draw.among("ms", 1, 50, 500) * draw.rate / 1000)]


@kind("longer")
def silence_behind(sound, draw):
    return np.concatenate([sound, np.zeros((draw.among("frames", 1, 4800), sound.shape[1]))])


@kind("speed")
def speed(sound, draw):
    return resampled(sound, 1 + draw.among("percent", 0.1, -0.1, 0.02, 0.5) / 100)


@kind("filter")
def equaliser(sound, draw):
    return filtered(sound, peaking(draw.among("Hz", 150, 1000, 4000), draw.among("dB", 1, -1, 4), 1.0, draw.rate))


@kind("filter")
def low_pass_filter(sound, draw):
    return filtered(sound, low_pass(draw.among("Hz", 16000, 8000, 1200), draw.rate))


@kind("filter")
def high_pass_filter(sound, draw):
    return filtered(sound, high_pass(draw.among("Hz", 40, 200), draw.rate))


@kind("distortion", "clipping")
def saturation(sound, draw):
    drive = draw.among("drive", 0.5, 1.5, 3) / np.abs(sound).max()
    return np.tanh(drive * sound.astype(np.float64)) / drive


@kind("gainOverTime")
def compressor(sound, draw):
    threshold, ratio = draw.among("threshold", -30, -20), draw.among("ratio", 2, 4)
    size = 64
    level = np.abs(sound).max(axis=1)
    peaks = level[:len(level) // size * size].reshape(-1, size).max(axis=1)
    state, gains = 0.0, []
    for peak in peaks:
        over = max(20 * math.log10(max(peak, 1e-9)) - threshold, 0)
        goal = -over * (1 - 1 / ratio)
        state += (goal - state) * (0.15 if goal < state else 0.02)
        gains.append(state)
    curve = np.interp(np.arange(len(sound)), np.arange(len(gains)) * size + size, gains)
    return sound * amplitude(curve)[:, None]


# In a part of the sound, or of its channels


def part(draw, sound):
    """From a moment on, or between two moments, as a slice of frames."""
    first = draw.place()
    if draw.among("part", "to the end", "a span") == "to the end":
        return slice(first, len(sound))
    return slice(first, min(len(sound), first + draw.frames("length", 6000, 90000)))


def changed(sound, frames, value):
    made = sound.astype(np.float64)
    made[frames] = value
    return made


@kind("offset")
def offset_in_a_part(sound, draw):
    frames = part(draw, sound)
    return changed(sound, frames, sound[frames] + draw.among("by", 1e-3, -3e-4, 0.01))


@kind("offset", stereo=True)
def offset_of_a_channel_in_a_part(sound, draw):
    frames = part(draw, sound)
    by = np.zeros(2)
    by[draw.among("channel", 0, 1)] = draw.among("by", 2e-3, -1e-2)
    return changed(sound, frames, sound[frames] + by)


@kind("polarity")
def inverted_in_a_part(sound, draw):
    frames = part(draw, sound)
    return changed(sound, frames, -sound[frames])


@kind("polarity", stereo=True)
def inverted_channel_in_a_part(sound, draw):
    frames = part(draw, sound)
    return changed(sound, frames, sound[frames] * np.where(np.arange(2) == draw.among("channel", 0, 1), -1, 1))


@kind("channelOrder", stereo=True)
def swapped_in_a_part(sound, draw):
    frames = part(draw, sound)
    return changed(sound, frames, sound[frames][:, ::-1])


@kind("mono", stereo=True)
def mono_in_a_part(sound, draw):
    frames = part(draw, sound)
    return changed(sound, frames, sound[frames].mean(axis=1, keepdims=True))


@kind("latency", "repeatedFrames", "insertedFrames", "missingFrames")
def latency_in_a_part(sound, draw):
    frames, lag = part(draw, sound), draw.among("frames", 3, 64, 480, 3000)
    return changed(sound, frames, later(sound, lag)[frames])


@kind("channelLag", "fractionalLag", stereo=True)
def channel_lag_in_a_part(sound, draw):
    frames, channel = part(draw, sound), draw.among("channel", 0, 1)
    made = sound.copy()
    made[frames, channel] = later(sound, draw.among("frames", 7, 100, 1000))[frames, channel]
    return made


@kind("gainChange", "gainOverTime")
def gain_in_a_span(sound, draw):
    first = draw.place()
    frames = slice(first, min(len(sound), first + draw.frames("length", 6000, 90000)))
    return changed(sound, frames, sound[frames] * amplitude(draw.among("dB", -1, 2, -12)))


@kind("gainOverTime", "gainChange")
def gain_steps(sound, draw):
    made = sound.astype(np.float64)
    for _ in range(draw.among("steps", 2, 3, 4)):
        made[draw.place():] *= amplitude(draw.among("dB", -2, 1.5, 3, -4))
    return made


@kind("filter")
def filter_from_a_moment(sound, draw):
    first = draw.place()
    made = filtered(sound, peaking(draw.among("Hz", 300, 2000), draw.among("dB", 3, -6), 1.0, draw.rate))
    return np.concatenate([sound[:first], made[first:]])


@kind("noise")
def noise_in_a_part(sound, draw):
    first = draw.place()
    made = sound.astype(np.float64)
    made[first:] += draw.random.standard_normal(made[first:].shape) * amplitude(draw.among("dB", -70, -50))
    return made


@kind("noise", stereo=True)
def noise_on_a_channel(sound, draw):
    made = sound.astype(np.float64)
    made[:, draw.among("channel", 0, 1)] += draw.random.standard_normal(len(sound)) * amplitude(draw.among("dB", -70, -50))
    return made


@kind("tone")
def tone_in_a_part(sound, draw):
    first, time = draw.place(), np.arange(len(sound))[:, None] / draw.rate
    tone = amplitude(draw.among("dB", -60, -45)) * np.sin(2 * np.pi * draw.among("Hz", 50, 440, 3000) * time)
    return np.concatenate([sound[:first], sound[first:] + tone[first:]])


# Added sounds


@kind("tone")
def hum_with_harmonics(sound, draw):
    time, ground = np.arange(len(sound))[:, None] / draw.rate, draw.among("Hz", 50, 60)
    harmonics = draw.among("harmonics", (1, 2), (1, 3), (1, 3, 5, 7), (1, 2, 4), (2, 4, 6))
    hum = sum(np.sin(2 * np.pi * ground * k * time + k) / k for k in harmonics)
    return sound + amplitude(draw.among("dB", -65, -50, -40)) * hum


@kind("tone")
def several_tones(sound, draw):
    time = np.arange(len(sound))[:, None] / draw.rate
    made = sound.astype(np.float64)
    for _ in range(draw.among("tones", 2, 3, 5)):
        made = made + amplitude(draw.between("dB", -66, -50)) * np.sin(
            2 * np.pi * draw.between("Hz", 80, 12000) * time + draw.between("phase", 0, 6))
    return made


@kind("tone", stereo=True)
def tone_on_a_channel(sound, draw):
    made = sound.astype(np.float64)
    time = np.arange(len(sound)) / draw.rate
    made[:, draw.among("channel", 0, 1)] += 0.002 * np.sin(2 * np.pi * draw.between("Hz", 60, 9000) * time)
    return made


@kind("tone", "noise")
def tone_in_noise(sound, draw):
    time = np.arange(len(sound))[:, None] / draw.rate
    noise = draw.random.standard_normal(sound.shape) * amplitude(draw.among("noise", -80, -60))
    return sound + noise + amplitude(draw.among("dB", -70, -50)) * np.sin(2 * np.pi * draw.between("Hz", 100, 5000) * time)


@kind("mix", "width", stereo=True)
def crosstalk(sound, draw):
    return sound + amplitude(draw.among("dB", -100, -70, -40)) * sound[:, ::-1]


@kind("mix", stereo=True)
def crosstalk_one_way(sound, draw):
    made = sound.astype(np.float64)
    made[:, 0] += amplitude(draw.among("dB", -80, -50)) * sound[:, 1]
    return made


# Single samples


def integers(sound, bits):
    steps = 2.0 ** (bits - 1)
    return np.rint(sound.astype(np.float64) * steps) / steps


@kind("clicks", "steps")
def clicks(sound, draw):
    made = sound.astype(np.float64)
    for _ in range(draw.among("clicks", 1, 3, 20)):
        first = draw.place(32)
        length = draw.among("frames", 1, 5, 30)
        made[first:first + length] += draw.among("by", 0.001, 0.1, -0.4)
    return made


@kind("steps", "clicks")
def single_steps(sound, draw):
    """One step of 24 bits at some samples, as a sum in another order makes it."""
    made = sound.astype(np.float64)
    every = draw.among("every", 1000, 97, 10)
    made[draw.among("from", 0, 5)::every] += 2.0 ** -23
    return made


@kind("offset", "tone", "noise")
def offset_and_hum(sound, draw):
    time = np.arange(len(sound))[:, None] / draw.rate
    return sound + draw.among("by", 1e-3, -5e-3) + 2e-3 * np.sin(2 * np.pi * 50 * time)


@kind("gain", "clicks")
def gain_and_click(sound, draw):
    made = sound * amplitude(draw.among("dB", -1, 0.5))
    made[draw.place(1)] += draw.among("by", 0.2, -0.05)
    return made


@kind("gainOverTime", "gainChange")
def fade_in_or_out(sound, draw):
    length = int(draw.among("ms", 20, 300, 2000) * draw.rate / 1000)
    ramp = np.ones(len(sound))
    if draw.among("at", "start", "end") == "start":
        level = np.abs(sound).max(axis=1)
        onset = int(np.argmax(level > 0.05 * level.max()))
        ramp[:onset + length] = np.clip((np.arange(onset + length) - onset) / length, 0, 1)
    else:
        ramp[-length:] = np.arange(length)[::-1] / length
    return sound * ramp[:, None]


@kind("latency", "repeatedFrames")
def repeated_in_place(sound, draw):
    length = int(draw.among("ms", 10, 40, 200) * draw.rate / 1000)
    first = draw.place(length)
    made = sound.copy()
    made[first:first + length] = sound[first - length:first]
    return made


# What need not be known


@kind()
def chirp(sound, draw):
    time = np.arange(len(sound))[:, None] / draw.rate
    return sound + 2e-3 * np.sin(2 * np.pi * (draw.among("Hz", 200, 1000) * time + draw.among("sweep", 2, 50) * time * time))


@kind()
def two_changes_in_two_parts(sound, draw):
    first = draw.place()
    made = sound.astype(np.float64)
    made[:first] *= amplitude(draw.among("dB", 1, -3))
    made[first:] += draw.among("by", 1e-3, 1e-2)
    return made


@kind()
def beating_tone(sound, draw):
    time = np.arange(len(sound))[:, None] / draw.rate
    wave = np.sin(2 * np.pi * 1000 * time) * (1 + np.clip(np.sin(2 * np.pi * 1.7 * time), -0.3, 0.8))
    return sound + 2e-3 * wave


@kind()
def resonance(sound, draw):
    """A tone that follows the level of the sound."""
    level = np.abs(sound).max(axis=1, keepdims=True)
    time = np.arange(len(sound))[:, None] / draw.rate
    return sound + 0.02 * level * np.sin(2 * np.pi * draw.among("Hz", 500, 3000) * time)


@kind()
def reverb(sound, draw):
    length = int(draw.among("seconds", 0.4, 1.2) * draw.rate)
    decay = np.exp(-6.9 * np.arange(length) / length)
    level = amplitude(draw.among("dB", -20, -10))
    made = sound.astype(np.float64).copy()
    size = 1 << (len(sound) + length).bit_length()
    for channel in range(sound.shape[1]):
        response = draw.random.standard_normal(length) * decay
        response *= level / np.sqrt((response ** 2).sum())
        made[:, channel] += np.fft.irfft(
            np.fft.rfft(sound[:, channel], size) * np.fft.rfft(response, size), size)[:len(sound)]
    return made


@kind(program="ffmpeg")
def coded(sound, draw):
    import music
    rate = draw.among("kbit/s", 128, 192)
    with tempfile.TemporaryDirectory() as folder:
        names = [str(pathlib.Path(folder) / name) for name in ("in.wav", "coded.mp3", "out.wav")]
        music.write(names[0], sound, draw.rate)
        for words in (["-i", names[0], "-b:a", f"{rate}k", names[1]], ["-i", names[1], "-c:a", "pcm_f32le", names[2]]):
            subprocess.run(["ffmpeg", "-v", "error", "-y", *words], check=True)
        return music.read(names[2])[0]


# Several


@kind("latency", "filter")
def lag_and_equaliser(sound, draw):
    made = filtered(sound, peaking(draw.among("Hz", 300, 3000), draw.among("dB", 1.5, -3), 1.0, draw.rate))
    return later(made, draw.among("frames", 64, 1000))


@kind("gain", "clipping")
def gain_and_clipping(sound, draw):
    made = sound * amplitude(draw.among("dB", 1, 6))
    ceiling = np.abs(made).max() * amplitude(draw.among("ceiling", -0.5, -3))
    return np.clip(made, -ceiling, ceiling)


@kind("gain", "noise")
def gain_and_noise(sound, draw):
    return sound * amplitude(draw.among("dB", 0.5, -2)) + draw.random.standard_normal(sound.shape) * amplitude(-66)


@kind("offset", "gain")
def gain_and_offset(sound, draw):
    return sound * amplitude(draw.among("dB", 0.3, -1)) + 1e-3


def usable(channels):
    return [one for one in KINDS if (channels == 2 or not one.stereo)
            and (one.program is None or shutil.which(one.program))]
