"""Sounds to be changed: music and speech made from a seed, or read from WAV files.

Made sounds have samples of 24 bits, like most recordings."""
import struct

import numpy as np

RATE = 48000


class Music:
    """Stereo music: a bass, chords, a melody, drums and a room, with quiet and loud parts."""

    def __init__(self, seed, seconds=14.0, rate=RATE):
        self.random = np.random.default_rng(seed)
        self.rate = rate
        self.frames = int(seconds * rate)
        self.mix = np.zeros((self.frames, 2))

    def make(self):
        random = self.random
        beat = 60 / random.uniform(84, 140)
        root = random.uniform(41, 82)
        scale = np.array([0, 2, 3, 5, 7, 8, 10, 12])
        bars = int(self.frames / self.rate / (4 * beat)) + 1
        for bar in range(bars):
            start = bar * 4 * beat
            loudness = [0.25, 0.6, 1.0, 1.0, 0.4][bar % 5]
            degree = random.choice([0, 3, 4, 5])
            for step in range(8):
                if random.random() < 0.8:
                    self.note(start + step * beat / 2, beat / 2, root * 2 ** (scale[degree] / 12), 0.28 * loudness, 6, 0.0)
            for third in (0, 2, 4):
                pitch = 4 * root * 2 ** (scale[(degree + third) % 7] / 12)
                self.note(start, 4 * beat, pitch, 0.09 * loudness, 9, random.uniform(-0.7, 0.7), attack=0.08)
            for step in range(8):
                if random.random() < 0.55:
                    pitch = 8 * root * 2 ** (random.choice(scale) / 12)
                    self.note(start + step * beat / 2, beat * 0.7, pitch, 0.13 * loudness, 7, 0.35)
            for step in range(8):
                at = start + step * beat / 2
                self.noise(at, 0.05, 0.10 * loudness, -0.4, 0.6)
                if step % 4 == 0:
                    self.kick(at, 0.5 * loudness)
                if step % 4 == 2:
                    self.noise(at, 0.18, 0.25 * loudness, 0.1, 0.0)
        room = self.mix[::1].copy()
        for delay, gain in ((1427, 0.17), (2311, 0.12), (3527, 0.08)):
            room[delay:, 0] += gain * self.mix[:-delay, 1]
            room[delay:, 1] += gain * self.mix[:-delay, 0]
        return recorded(0.7 / np.abs(room).max() * room)

    def place(self, at, sound, pan):
        first = int(at * self.rate)
        count = min(len(sound), self.frames - first)
        if count > 0:
            angle = (pan + 1) * np.pi / 4
            self.mix[first:first + count, 0] += np.cos(angle) * sound[:count]
            self.mix[first:first + count, 1] += np.sin(angle) * sound[:count]

    def note(self, at, length, pitch, level, partials, pan, attack=0.005):
        time = np.arange(int(length * 1.2 * self.rate)) / self.rate
        sound = np.zeros(len(time))
        for partial in range(1, partials + 1):
            if pitch * partial < 0.45 * self.rate:
                sound += np.sin(2 * np.pi * pitch * partial * time + self.random.uniform(0, 6.28)) / partial ** 1.2 \
                    * np.exp(-time * partial * 0.8)
        envelope = np.minimum(time / attack, 1) * np.exp(-1.5 * time / length) * np.clip((length * 1.2 - time) / 0.03, 0, 1)
        self.place(at, level * envelope * sound, pan)

    def kick(self, at, level):
        time = np.arange(int(0.25 * self.rate)) / self.rate
        self.place(at, level * np.sin(2 * np.pi * (48 * time + 3 * (1 - np.exp(-time * 40)))) * np.exp(-14 * time), 0)

    def noise(self, at, length, level, pan, high):
        sound = self.random.standard_normal(int(length * self.rate))
        sound[1:] -= high * sound[:-1]
        self.place(at, level * sound * np.exp(-np.arange(len(sound)) / len(sound) * 6), pan)


def speech(seed, seconds=14.0, rate=RATE):
    """Something like a voice, in the middle of a room: syllables with vowels, hisses and pauses."""
    random = np.random.default_rng([seed, 3])
    frames = int(seconds * rate)
    voice = np.zeros(frames)
    at, pitch = 0.2, random.uniform(90, 210)
    while at < seconds - 0.6:
        length = random.uniform(0.08, 0.32)
        count = int(length * rate)
        time = np.arange(count) / rate
        envelope = np.sin(np.pi * np.arange(count) / count) ** 0.6 * random.uniform(0.3, 1)
        if random.random() < 0.25:
            made = np.diff(random.standard_normal(count + 1)) * 0.15
        else:
            glide = pitch * (1 + random.uniform(-0.15, 0.15) * time / length)
            phase = 2 * np.pi * np.cumsum(glide) / rate
            formants = random.uniform((300, 800, 2200), (800, 2200, 3200))
            made = np.zeros(count)
            for partial in range(1, int(6000 / pitch)):
                level = sum(1 / (1 + ((partial * pitch - formant) / 120) ** 2) for formant in formants)
                made += (level + 0.02) / partial ** 0.3 * np.sin(partial * phase)
        first = int(at * rate)
        voice[first:first + count] += envelope * made
        at += length + (random.uniform(0.2, 0.6) if random.random() < 0.15 else random.uniform(-0.02, 0.06))
    both = np.column_stack([voice, voice])
    for delay, gain in ((613, 0.2), (1511, 0.12), (2843, 0.07)):
        both[delay:, 0] += gain * voice[:-delay]
        both[delay + 97:, 1] += gain * voice[:-delay - 97]
    return recorded(0.6 / np.abs(both).max() * both + random.standard_normal(both.shape) * 1e-5)


def recorded(sound):
    """Samples of 24 bits."""
    return (np.rint(sound * 2.0 ** 23) / 2.0 ** 23).astype(np.float32)


def write(path, sound, rate):
    """Writes a WAV file of 32-bit floats."""
    data = np.ascontiguousarray(sound, "<f4").tobytes()
    channels = sound.shape[1]
    header = struct.pack("<4sI4s4sIHHIIHH", b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, 3, channels,
                         rate, 4 * channels * rate, 4 * channels, 32)
    with open(path, "wb") as file:
        file.write(header + b"data" + struct.pack("<I", len(data)) + data)


def read(path):
    """The samples of a WAV (16-bit integers or 32-bit floats), a row per frame, and its rate."""
    with open(path, "rb") as file:
        text = file.read()
    place = 12
    while place + 8 <= len(text):
        name, size = struct.unpack_from("<4sI", text, place)
        if name == b"fmt ":
            _, channels, rate = struct.unpack_from("<HHI", text, place + 8)
            bits = struct.unpack_from("<H", text, place + 22)[0]
        if name == b"data":
            body = text[place + 8:place + 8 + size]
            break
        place += 8 + size + size % 2
    if bits == 16:
        samples = np.frombuffer(body[:len(body) // 2 * 2], "<i2") / np.float32(32768)
    elif bits == 32:
        samples = np.frombuffer(body[:len(body) // 4 * 4], "<f4")
    else:
        raise SystemExit(f"{path}: only 16-bit integers and 32-bit floats are read, not {bits} bits")
    return samples[:len(samples) // channels * channels].reshape(-1, channels).astype(np.float32), rate
