"""Recordings that start and stop while fxrun captures from a card."""
import array
import json

from client import Client
from live import LiveTest
from sound import first_difference, floats, read_wav
from table import retried


class RecordingTests(LiveTest):
    """Recording a part."""

    period = 256

    def ramp(self, seconds, loud=lambda frame: True):
        """Mono frames that all differ, so that each shows its place; silent where not `loud`."""
        samples = array.array("f", (
            (frame + 1) / 2**20 if loud(frame) else 0.0 for frame in range(int(seconds * 48000))))
        file = self.folder / "input.raw"
        file.write_bytes(samples.tobytes())
        return file, samples.tobytes()

    def chain(self, **sink):
        file = self.folder / "chain.json"
        file.write_text(json.dumps({
            "version": 1, "sampleRate": 48000, "blockSize": self.period, "tail": 0,
            "nodes": {"mic": {"source": {"alsa": "card", "channels": 1}},
                      "take": {"sink": {"file": "take.wav", "bits": 32, **sink}}},
            "connections": ["mic -> take"]}))
        return file

    def assert_takes(self, outcome, samples):
        """The file consists of the takes in the summary, each equal to its part of the input."""
        takes = outcome.summary["outputs"][0]["takes"]
        recorded = read_wav(self.folder / "take.wav")
        self.assertEqual(sum(take["frames"] for take in takes) * 4, len(recorded))
        for take in takes:
            there = take["startFrame"] * 4, take["fileFrame"] * 4
            # A recording fades in over its first hundredth of a second.
            skip = max(0, 480 - take["startFrame"]) * 4
            length = take["frames"] * 4
            self.assertIsNone(first_difference(
                recorded[there[1] + skip:there[1] + length],
                samples[there[0] + skip:there[0] + length], 4))
        return takes

    @retried()
    def test_by_hand(self):
        """fxrun control starts and stops a recording twice; each take includes the pre-roll"""
        file, samples = self.ramp(20)
        card = self.card(channels=[1], input=file)
        socket = self.folder / "control.sock"
        program = self.play(self.chain(record="manual", preRoll="0.2 s"), "--control", socket)
        client = Client(socket)
        self.assertIn("status", client.ask(status=True))

        def frames():
            return client.ask(status=True)["status"]["frames"]

        for start in (24000, 96000):
            program.wait_until(lambda: frames() > start)
            asked = frames()
            self.assertTrue(client.ask(record=True)["ok"])
            program.wait_until(lambda: frames() > start + 24000)
            self.assertTrue(client.ask(record=False, sink="take")["ok"])
            self.assertGreater(asked, start)
        self.assertIn("'take'", client.ask(record=True, sink="nobody")["error"]["message"])
        program.interrupt()
        outcome = program.end(5)
        self.assert_calm(card)
        self.assertEqual(outcome.status, 0, str(outcome))
        takes = self.assert_takes(outcome, samples)
        self.assertEqual(len(takes), 2)
        for take, start in zip(takes, (24000, 96000)):
            self.assertAlmostEqual(take["startFrame"] + 9600, start, delta=4800)
        self.assertEqual(
            [event["event"] for event in outcome.events if event["event"].startswith("recording")],
            ["recording-started", "recording-stopped"] * 2)

    @retried()
    def test_by_level(self):
        """the level starts and stops a recording; each take includes the pre-roll"""
        loud = ((24000, 48000), (120000, 144000))
        file, samples = self.ramp(5, lambda frame: any(a <= frame < b for a, b in loud))
        card = self.card(channels=[1], input=file)
        outcome = self.play(
            self.chain(record="level", startLevel="-40 dB", stopTime="0.5 s", preRoll="0.1 s"),
            "--duration", 4).end(15)
        self.assert_calm(card)
        self.assertEqual(outcome.status, 0, str(outcome))
        takes = self.assert_takes(outcome, samples)
        self.assertEqual([take["startFrame"] for take in takes], [24000 - 4800, 120000 - 4800])
        self.assertEqual([take["frames"] for take in takes], [4800 + 24000 + 24000] * 2)
        self.assertGreater(max(floats(read_wav(self.folder / "take.wav"), "FLOAT_LE")), 0.1)
