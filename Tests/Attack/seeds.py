"""The valid files that attacks damage: sounds in every format, MIDI files, plugins."""
import math
import pathlib
import shutil
import struct
import subprocess

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = REPOSITORY / "Tests" / "Fixtures"
RATE = 44100
FORMATS = ("wav", "aiff", "caf", "w64", "rf64", "au", "flac", "ogg")
GAIN = b'{ "version": 1, "chain": [ { "unit": "gain", "parameters": { "gain": "-1 dB" } } ] }'


class Seeds:
    """Valid files, made once in a folder. All attacks share them and none changes them."""

    def __init__(self, binary, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True)
        self._binary = binary
        self.wav = wav(0.25)
        self.sounds = self._sounds()
        self.midi = [midi_file(0), midi_file(1)]
        self.bundles = self.folder / "lv2"
        for name in ("gain", "midi", "state", "zoo", "cv", "groups"):
            _build(FIXTURES / "bundles" / f"{name}.lv2", self.bundles / f"{name}.lv2")

    def _sounds(self):
        """Contents by name: a quarter of a second in every format."""
        (self.folder / "in.wav").write_bytes(self.wav)
        (self.folder / "chain.json").write_bytes(GAIN)
        sounds = {"pcm16.wav": self.wav, "extensible.wav": wav(0.1, channels=6)}
        for name in FORMATS:
            for bits in ((16, 24, 32) if name in ("wav", "aiff", "caf") else (None,)):
                target = f"{bits or 'all'}.{name}"
                subprocess.run(
                    [self._binary, "chain.json", "in.wav", "-o", target, "-q",
                     *(["--bits", str(bits)] if bits else [])], cwd=self.folder, check=True)
                sounds[target] = (self.folder / target).read_bytes()
        (self.folder / "opus.json").write_bytes(
            b'{ "version": 1, "sampleRate": 48000, "chain": [ { "unit": "gain" } ] }')
        subprocess.run([self._binary, "opus.json", "in.wav", "-o", "all.opus", "-q"],
                       cwd=self.folder, check=True)
        sounds["all.opus"] = (self.folder / "all.opus").read_bytes()
        for path in sorted((FIXTURES / "audio").glob("*.mp3")):
            sounds[path.name] = path.read_bytes()[:24_000]
        return sounds


def wav(seconds, channels=2, rate=RATE, frequency=440):
    """A WAV of 16 bits with a different tone on each channel."""
    samples = bytearray()
    for frame in range(int(seconds * rate)):
        for channel in range(channels):
            phase = 2 * math.pi * frequency * (channel + 1) * frame / rate
            samples += struct.pack("<h", int(12000 * math.sin(phase)))
    tag, extra = (1, b"") if channels <= 2 else (
        0xFFFE, struct.pack("<HHIH", 22, 16, 0x3F, 1) + bytes.fromhex("000000001000800000aa00389b71"))
    form = struct.pack("<HHIIHH", tag, channels, rate, rate * channels * 2, channels * 2, 16) + extra
    body = b"fmt " + struct.pack("<I", len(form)) + form
    body += b"data" + struct.pack("<I", len(samples)) + bytes(samples)
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WAVE" + body


def midi_file(kind):
    """Notes, controllers and a change of tempo, in one track or two."""
    notes = b"".join(
        bytes((0, 0x90, 60 + n, 90, 30, 0x80, 60 + n, 0, 5, 0xB0, 74, n * 8, 2, 0xE0, n, 64))
        for n in range(8))
    tempo = b"\x00\xff\x51\x03\x07\xa1\x20\x10\xff\x51\x03\x05\x16\x15"
    end = b"\x00\xff\x2f\x00"
    tracks = [tempo + notes + end] if kind == 0 else [tempo + end, notes + end]
    return b"MThd" + struct.pack(">IHHH", 6, kind, len(tracks), 96) + b"".join(
        b"MTrk" + struct.pack(">I", len(track)) + track for track in tracks)


def _build(source, target):
    """Copies a bundle's descriptions and compiles its C files."""
    target.mkdir(parents=True)
    for path in source.iterdir():
        if path.suffix == ".c":
            subprocess.run(
                ["cc", "-shared", "-fPIC", "-O1", path, "-o", target / f"{path.stem}.so", "-lm"],
                check=True)
        else:
            shutil.copy(path, target / path.name)
