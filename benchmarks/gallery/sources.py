"""The input sounds of the examples, computed or spoken by espeak-ng. The same numbers give the same
files.

Each is an array of frames × channels at 48 kHz, about eight seconds long.
"""

import functools
import pathlib
import subprocess
import tempfile
import wave

import numpy

RATE = 48000
SECONDS = 8

TALK = (
    "The quick brown fox jumps over the lazy dog. She sells sea shells by the shore, "
    "and nobody asks her why. Six sticks of chalk lay on the desk."
)
ANSWER = "Can you hear me now? I was about to say that the meeting is on Thursday, at a quarter past nine."


def level(sound, decibels):
    return sound / numpy.abs(sound).max() * 10 ** (decibels / 20)


def length(sound, seconds=SECONDS):
    count = int(seconds * RATE)
    return numpy.concatenate([sound[:count], numpy.zeros((max(0, count - len(sound)), sound.shape[1]))])


def mono(sound):
    return sound[:, None]


def noise(count, seed):
    return numpy.random.default_rng(seed).normal(0, 1, count)


def read(path):
    with wave.open(str(path)) as file:
        rate, width = file.getframerate(), file.getnchannels()
        samples = numpy.frombuffer(file.readframes(file.getnframes()), numpy.int16) / 32768
    sound = samples.reshape(-1, width)
    time = numpy.arange(int(len(sound) * RATE / rate)) * rate / RATE
    return numpy.column_stack([numpy.interp(time, numpy.arange(len(sound)), channel) for channel in sound.T])


@functools.cache
def speech(text, voice):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "speech.wav"
        subprocess.run(["espeak-ng", "-v", voice, "-s", "145", "-w", path, text], check=True)
        return level(read(path), -6)


def take():
    return length(speech(TALK, "en-gb") + 0.0005 * mono(noise(len(speech(TALK, "en-gb")), 1)))


def talk():
    """Speech in a room with a fan."""
    voice = length(speech(TALK, "en-us"))
    fan = numpy.convolve(noise(len(voice) + 63, 2), numpy.ones(64) / 64, "valid")
    return voice + 0.02 * mono(fan)


def far():
    return length(speech(ANSWER, "en-us+f3"))


def microphone():
    """A voice, and a loudspeaker beside it in a room with an eighth of a second of reverb."""
    count = RATE // 8
    room = noise(count, 3) * 10 ** (-3 * numpy.arange(count) / count)
    room[:96] = 0
    heard = far()[:, 0]
    size = 1 << int(numpy.ceil(numpy.log2(len(heard) + count)))
    echo = numpy.fft.irfft(numpy.fft.rfft(heard, size) * numpy.fft.rfft(room, size))[: len(heard)]
    own = numpy.concatenate([numpy.zeros((5 * RATE, 1)), speech("Yes, I can. Thursday is fine.", "en-gb")])
    return level(length(mono(level(echo, -14))) + 0.6 * length(own), -6)


def sung(notes, seconds):
    """A voice with vibrato: pulses through the formants of an "a"."""
    parts = []
    for note in notes:
        time = numpy.arange(int(seconds * RATE)) / RATE
        pitch = note * (1 + 0.012 * numpy.sin(2 * numpy.pi * 5.5 * time) * numpy.minimum(time / 0.3, 1))
        turns = numpy.cumsum(pitch) / RATE
        tone = numpy.zeros(len(time))
        for partial in range(1, 40):
            hertz = note * partial
            if hertz > 9000:
                break
            formants = ((750, 90, 1), (1200, 110, 0.6), (2600, 160, 0.35), (3400, 200, 0.2), (7000, 1500, 0.05))
            weight = sum(g / (1 + ((hertz - f) / w) ** 2) for f, w, g in formants)
            tone += (weight + 0.01) * numpy.sin(2 * numpy.pi * turns * partial + partial ** 2)
        parts.append(tone * numpy.minimum(time / 0.08, 1) * numpy.minimum((time[-1] - time) / 0.1, 1))
    return mono(numpy.concatenate(parts))


def vocal():
    return level(sung([220, 246.9, 277.2, 329.6, 293.7, 246.9, 220, 220], 1), -8)


def string(frequency, seconds, seed, damping=0.996):
    """A plucked string: K. Karplus and A. Strong, Digital Synthesis of Plucked-String and Drum Timbres (1983)."""
    period = int(round(RATE / frequency - 0.5))
    ring = noise(period, seed)
    ring = numpy.convolve(numpy.concatenate([ring, ring[:4]]), numpy.ones(5) / 5, "valid")[:period]
    rows = []
    for _ in range(int(seconds * RATE / period) + 1):
        rows.append(ring)
        ring = damping * 0.5 * (ring + numpy.roll(ring, 1))
    sound = numpy.concatenate(rows)[: int(seconds * RATE)]
    sound -= sound.mean()
    return sound * numpy.minimum(numpy.arange(len(sound), 0, -1) / (0.02 * RATE), 1)


def plucked(notes, step, seconds, seed, damping=0.996):
    """Notes or chords, one after another."""
    sound = numpy.zeros(int(SECONDS * RATE))
    for number, chord in enumerate(notes):
        for strum, note in enumerate(chord if isinstance(chord, tuple) else (chord,)):
            start = int((number * step + 0.012 * strum) * RATE)
            tone = string(note, seconds, seed + 10 * number + strum, damping)[: max(0, len(sound) - start)]
            sound[start : start + len(tone)] += tone
    return mono(sound)


def guitar():
    riff = [(110, 164.8, 220), 220, 261.6, (98, 146.8, 196), 246.9, 196, (87.3, 130.8, 174.6), 220, 261.6, 246.9,
            (110, 164.8, 220, 277.2), 329.6]
    return level(plucked(riff, 0.62, 2, 5), -9)


def bass():
    line = [55, 55, 82.4, 55, 49, 49, 73.4, 49, 43.7, 43.7, 65.4, 43.7, 55, 65.4, 82.4, 55]
    return level(plucked(line, 0.5, 0.48, 40, 0.998), -8)


def organ():
    sound = numpy.zeros(int(SECONDS * RATE))
    for number, chord in enumerate([(220, 277.2, 329.6), (246.9, 293.7, 370), (196, 246.9, 293.7), (220, 277.2, 329.6)]):
        time = numpy.arange(2 * RATE) / RATE
        tone = numpy.zeros(len(time))
        for note in (chord[0] / 2, *chord):
            for bar, weight in ((0.5, 0.8), (1, 1), (1.5, 0.6), (2, 0.7), (3, 0.4), (4, 0.3), (8, 0.15)):
                tone += weight * numpy.sin(2 * numpy.pi * note * bar * time + note * bar)
        sound[number * 2 * RATE : (number + 1) * 2 * RATE] = (
            tone * numpy.minimum(time / 0.01, 1) * numpy.minimum((2 - time) / 0.02, 1))
    return level(mono(sound), -9)


def stroke(kind, seed):
    time = numpy.arange(int(0.4 * RATE)) / RATE
    if kind == "kick":
        sound = numpy.sin(2 * numpy.pi * (50 * time - 6 * numpy.exp(-30 * time))) * numpy.exp(-9 * time)
    elif kind == "snare":
        sound = 0.5 * numpy.sin(2 * numpy.pi * 190 * time) * numpy.exp(-25 * time)
        sound += 0.35 * noise(len(time), seed) * numpy.exp(-18 * time)
    else:
        hiss = numpy.diff(noise(len(time) + 1, seed))
        sound = 0.12 * hiss * numpy.exp(-60 * time)
    return sound * numpy.minimum(time / 0.001, 1) * numpy.minimum((time[-1] - time) / 0.05, 1)


def drums():
    sound = numpy.zeros((int(SECONDS * RATE), 2))
    for step in range(32):
        kinds = (["kick"] if step % 8 in (0, 3) else []) + (["snare"] if step % 8 == 4 else []) + ["hat"]
        for kind in kinds:
            start = int(step * 0.25 * RATE)
            tone = stroke(kind, step)[: len(sound) - start]
            sides = (0.8, 1) if kind == "hat" else (1, 1)
            sound[start : start + len(tone)] += tone[:, None] * numpy.array(sides)
    count = RATE // 3
    room = numpy.random.default_rng(9).normal(0, 1, (count, 2)) * 10 ** (-3 * numpy.arange(count) / count)[:, None]
    size = 1 << 20
    wet = numpy.fft.irfft(numpy.fft.rfft(sound, size, axis=0) * numpy.fft.rfft(room, size, axis=0), axis=0)
    return level(sound + 0.01 * wet[: len(sound)], -6)


def snare():
    sound = numpy.zeros((int(4 * RATE), 1))
    hit = stroke("snare", 3)
    for start in (0, 2 * RATE):
        sound[start : start + len(hit), 0] += hit
    return level(sound, -8)


def song():
    """Drums, a bass, chords on both sides and a voice in the middle."""
    count = int(SECONDS * RATE)
    chords = numpy.zeros((count, 2))
    time = numpy.arange(2 * RATE) / RATE
    for number, chord in enumerate([(220, 277.2, 329.6), (174.6, 220, 261.6), (196, 246.9, 293.7), (220, 277.2, 329.6)]):
        for place, note in enumerate(chord):
            tone = sum(numpy.sin(2 * numpy.pi * note * k * time + k) / k ** 1.5 for k in range(1, 9))
            tone *= numpy.minimum(time / 0.05, 1) * numpy.minimum((2 - time) / 0.1, 1)
            chords[number * 2 * RATE : (number + 1) * 2 * RATE] += tone[:, None] * ((1, 0.2), (0.6, 0.6), (0.2, 1))[place]
    sound = drums() + level(chords, -14) + 0.35 * length(bass()) + 0.3 * length(vocal())
    return level(sound, -4)


def film():
    """Whispers, talk and a crash, in stereo."""
    sound = 0.12 * length(speech(ANSWER, "en-us+whisper")).repeat(2, 1)
    crash = 0.7 * numpy.random.default_rng(4).normal(0, 0.3, (2 * RATE, 2)) * numpy.exp(-2 * numpy.arange(2 * RATE) / RATE)[:, None]
    sound[5 * RATE : 7 * RATE] += crash * numpy.minimum(numpy.arange(2 * RATE) / 480, 1)[:, None]
    return level(sound, -3)


def film51():
    """A sound from each loudspeaker in turn, in 5.1."""
    sound = numpy.zeros((int(SECONDS * RATE), 6))
    for turn, channel in enumerate((2, 0, 1, 5, 4)):
        part = string(220 * 1.122 ** turn, 1.5, 60 + turn)
        start = int(turn * 1.5 * RATE)
        sound[start : start + len(part), channel] += part[: len(sound) - start]
    sound[:, 2] += 0.2 * length(speech(TALK, "en-gb"))[:, 0]
    hit = stroke("kick", 1)
    sound[int(6 * RATE) : int(6 * RATE) + len(hit), 3] += 0.7 * hit
    return level(sound, -6)


NAMES = {
    "take": take, "talk": talk, "far": far, "vocal": vocal, "guitar": guitar, "bass": bass, "organ": organ,
    "drums": drums, "snare": snare, "song": song, "mix": song, "loop": drums, "backing": song, "film": film,
    "film51": film51,
}
# Examples that need another sound than the usual one of that name.
OWN = {("call-without-echo", "talk"): microphone}


@functools.cache
def made(maker):
    """The sound of a maker, with a short fade at each end."""
    sound = maker().copy()
    count = RATE // 10
    sound[-count:] *= numpy.linspace(1, 0, count)[:, None]
    sound[:96] *= numpy.linspace(0, 1, 96)[:, None]
    return sound


def sound(chain, name):
    """The sound with the name in a command, without its suffix; None if there is no such sound."""
    maker = OWN.get((chain, name)) or NAMES.get(name)
    return made(maker) if maker else None
