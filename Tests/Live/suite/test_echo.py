"""A live echo canceller: the microphone picks up the loudspeaker."""
import json
import math
import random
import struct

from live import LiveTest
from sound import floats, read_wav, write_wav
from table import retried


class EchoTests(LiveTest):
    """Cancelling echo."""

    rate = 48000
    seconds = 8

    def chain(self, is_aligned):
        """The card captures what it plays. The tail is shorter than a wrong round trip would be."""
        sink = {"bits": 32, **({} if is_aligned else {"align": False})}
        file = self.folder / "echo.json"
        file.write_text(json.dumps({
            "version": 1, "sampleRate": self.rate, "tail": 0,
            "nodes": {
                "far": {"source": "main"}, "mic": {"source": {"alsa": "card", "channels": 1}},
                "echo": {"unit": "echoCancel", "tail": "20 ms",
                         "parameters": {"suppression": 0, "speechSuppression": 0}},
                "speaker": {"sink": {"alsa": "card"}},
                "clean": {"sink": {"file": "clean.wav", **sink}},
                "raw": {"sink": {"file": "raw.wav", **sink}}},
            "connections": ["far -> speaker", "mic -> echo", "far -> echo:reference",
                            "echo -> clean", "mic -> raw"]}))
        return file

    def noise(self):
        """Noise in bursts of a third of a second."""
        numbers = random.Random(1)
        samples = [
            0.2 * numbers.uniform(-1, 1) * (0.5 - 0.5 * math.cos(6 * math.pi * frame / self.rate))
            for frame in range(self.seconds * self.rate)]
        file = self.folder / "far.wav"
        write_wav(file, struct.pack(f"<{len(samples)}f", *samples), self.rate, 1)
        return file

    def loss(self, period, periods, is_aligned, **card):
        """The attenuation of the recorded echo in its last two seconds, in dB."""
        self.card(loop=1, **card)
        outcome = self.play(
            self.chain(is_aligned), self.noise(), "--period", period, "--periods", periods).end(30)
        self.assertEqual(outcome.status, 0, str(outcome))

        def power(name):
            samples = floats(read_wav(self.folder / name), "FLOAT_LE")[-2 * self.rate:]
            return sum(sample * sample for sample in samples) / len(samples)
        return 10 * math.log10(power("raw.wav") / power("clean.wav"))

    @retried()
    def test_aligned(self):
        """echo is cancelled in a file that is aligned, without the round trip"""
        self.assertGreater(self.loss(512, 3, True), 25)

    @retried()
    def test_unaligned(self):
        """echo is cancelled in a file that is not aligned"""
        self.assertGreater(self.loss(512, 3, False), 25)

    @retried()
    def test_driver(self):
        """echo is cancelled with a driver that reports 50 ms beyond its buffer at each end"""
        self.assertGreater(self.loss(256, 3, False, latency=2400), 25)
        self.assertGreater(self.loss(256, 3, True, latency=2400), 25)

    def test_server(self):
        """through a sound server the round trip is not given, and the recording is not moved"""
        self.card(loop=1, latency=1000, title="ALSA <-> PulseAudio PCM I/O Plugin")
        options = ["--period", 256, "--periods", 3]
        outcome = self.play(self.chain(True), self.noise(), *options).end(30)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assertNotIn("roundTripFrames", outcome.live)
        self.assertNotIn("removedRoundTripFrames", outcome.live)
        warnings = " ".join(outcome.summary["warnings"])
        self.assertIn("does not report all of its latency", warnings)
        (self.folder / "raw.wav").unlink()
        stated = self.play(
            self.chain(True), self.noise(), *options, "--hardware-latency", "50 ms").end(30)
        self.assertEqual(stated.status, 0, str(stated))
        self.assertEqual(stated.live["removedRoundTripFrames"], 2400)
