"""Singing to a backing track: the recording is aligned with the backing."""
import json

from client import Client
from live import LiveTest
from sound import first_difference, floats, read_wav, write_wav
from table import retried


class KaraokeTests(LiveTest):
    """Singing along."""

    period = 64

    def chain(self, sinks=None, connections=None, source=None):
        """The card captures the backing that it plays, like a singer who is in time with it."""
        nodes = {
            "voice": {"source": source or {"alsa": "card", "channels": 1}},
            "backing": {"source": "main"},
            "voiceLevel": {"unit": "gain"}, "backingLevel": {"unit": "gain"},
            "room": {"unit": "reverb", "wet": 1},
            "phones": {"unit": "mixer", "strips": {"voiceLevel": {"mute": True}, "room": {"mute": True}}},
            "ears": {"sink": {"alsa": "card"}},
            "mix": {"unit": "mixer"},
            "take": {"sink": {"file": "voice.wav", "bits": 32}},
            "master": {"sink": {"file": "mix.wav", "bits": 32}}, **(sinks or {})}
        file = self.folder / "karaoke.json"
        file.write_text(json.dumps({
            "version": 1, "sampleRate": 48000, "blockSize": self.period, "tail": 0, "nodes": nodes,
            "connections": connections or [
                "voice -> voiceLevel -> phones", "voiceLevel -> room -> phones",
                "backing -> backingLevel -> phones -> ears", "voice -> take",
                "voiceLevel -> mix", "backingLevel -> mix", "mix -> master"]}))
        return file

    def clicks(self, seconds=2, every=12000):
        """A click every quarter of a second, and silence in between."""
        samples = bytearray(int(seconds * 48000) * 4)
        for frame in range(2400, int(seconds * 48000), every):
            samples[frame * 4:frame * 4 + 4] = b"\0\0\0\x3f"
        file = self.folder / "clicks.wav"
        write_wav(file, bytes(samples), 48000, 1)
        return file, bytes(samples)

    def sing(self, card, *arguments, chain=None, seconds=2):
        """Plays clicks and records them; returns the outcome and the clicks."""
        file, samples = self.clicks(seconds)
        outcome = self.play(
            chain or self.chain(), file, "--period", 64, "--periods", 3, *arguments).end(20)
        self.assert_calm(card)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assertEqual(outcome.live["xruns"], 0)
        return outcome, samples

    def file(self, name):
        return read_wav(self.folder / name)

    # The gain of a mono strip in each channel of a mixer.
    centre = 1.0

    def left(self, name):
        """The first channel of a stereo file."""
        return floats(self.file(name), "FLOAT_LE")[::2]

    @staticmethod
    def loud(samples, start=2000, level=0.01):
        """The frames above this level."""
        return [at for at in range(start, len(samples)) if abs(samples[at]) > level]

    def assert_beside(self, recorded, samples, start=2000):
        """Both are equal from frame `start` on, after the fade-in of a recording."""
        self.assertEqual(len(recorded), len(samples))
        self.assertIsNone(first_difference(recorded[start * 4:], samples[start * 4:], 4))

    @retried()
    def test_in_time(self):
        """voice and mix are aligned with the backing to the frame: the round trip is removed"""
        card = self.card(loop=1, latency=53)
        outcome, samples = self.sing(card)
        self.assert_beside(self.file("voice.wav"), samples)
        backing, mix = floats(samples, "FLOAT_LE"), self.left("mix.wav")
        self.assertEqual(len(mix), len(backing))
        # Both clicks fall on the same frame and are equally loud, so every sum is twice a click.
        self.assertEqual(self.loud(mix), self.loud(backing))
        single = self.left("mix.wav")[2400]
        self.assertTrue(all(abs(mix[at] - single) < 1e-6 for at in self.loud(mix)))
        self.assertAlmostEqual(single, 2 * self.centre * backing[2400], places=5)
        self.assertEqual(outcome.live["removedRoundTripFrames"], 3 * 64 + 2 * 53)
        self.assertEqual(outcome.live["roundTripFrames"], 3 * 64 + 2 * 53)
        self.assertLess(outcome.live["roundTripFrames"] / 48000, 0.010)

    @retried()
    def test_other_periods(self):
        """the voice is aligned with other periods, and with blocks of several periods"""
        for periods, size, block in ((2, 64, 64), (4, 128, 256), (3, 32, 128)):
            self.renew()
            card = self.card(loop=1, latency=17)
            file, samples = self.clicks(1)
            outcome = self.play(
                self.chain(), file, "--period", size, "--periods", periods, "--block-size",
                block).end(20)
            self.assert_calm(card)
            self.assertEqual(outcome.status, 0, str(outcome))
            self.assert_beside(self.file("voice.wav"), samples)

    @retried()
    def test_hardware(self):
        """a hardware latency that the user gives, in the chain or as an option, is removed"""
        # The singer is 96 frames late, as with converters whose latency no driver reports.
        for arguments, source in (
                (["--hardware-latency", "2ms"], None),
                ([], {"alsa": "card", "channels": 1, "hardwareLatency": "2 ms"})):
            self.renew()
            card = self.card(loop=1)
            chain = self.chain(source=source, sinks={
                "late": {"unit": "delay", "wet": 1, "parameters": {"time": "2 ms", "feedback": 0}}},
                connections=[
                    "voice -> take", "backing -> late -> ears", "backing -> phones", "voice -> mix",
                    "backing -> mix", "mix -> master"])
            document = json.loads(chain.read_text())
            for name in ("voiceLevel", "backingLevel", "room", "phones"):
                document["nodes"].pop(name)
            document["connections"].remove("backing -> phones")
            chain.write_text(json.dumps(document))
            _, samples = self.sing(card, *arguments, chain=chain, seconds=1)
            voice, clicks = (floats(data, "FLOAT_LE") for data in (self.file("voice.wav"), samples))
            for frame in range(2400, len(clicks), 12000):
                loudest = max(range(frame - 300, frame + 300), key=lambda at: abs(voice[at]))
                self.assertEqual(loudest, frame)

    @retried()
    def test_as_heard(self):
        """a file of a mix that is also played keeps the round trip; a warning gives its length"""
        card = self.card(loop=1)
        chain = self.chain(connections=[
            "voice -> voiceLevel -> phones", "voiceLevel -> room -> phones",
            "backing -> backingLevel -> phones -> ears", "voice -> take",
            "voiceLevel -> mix", "backingLevel -> mix", "mix -> master", "mix -> quiet -> phones"],
            sinks={"quiet": {"unit": "gain", "parameters": {"gain": "-inf dB"}}})
        outcome, samples = self.sing(card, chain=chain, seconds=1)
        self.assert_beside(self.file("voice.wav"), samples)
        clicks = self.loud(floats(samples, "FLOAT_LE"))
        self.assertEqual(
            self.loud(self.left("mix.wav")),
            sorted(clicks + [at + 192 for at in clicks if at + 192 < 48000]))
        self.assertTrue(
            any("'master'" in warning and "192 frames" in warning
                for warning in outcome.summary["warnings"]), outcome.summary["warnings"])

    @retried()
    def test_unaligned(self):
        """a file without alignment keeps the round trip"""
        card = self.card(loop=1)
        chain = self.chain(sinks={
            "take": {"sink": {"file": "voice.wav", "bits": 32, "align": False}}})
        _, samples = self.sing(card, chain=chain, seconds=1)
        late = bytes(192 * 4) + samples[:-192 * 4]
        self.assert_beside(self.file("voice.wav"), late)

    @retried()
    def test_volumes(self):
        """volume changes while it plays reach the mix and keep it aligned"""
        card = self.card(loop=1, latency=20)
        file, samples = self.clicks(2)
        socket = self.folder / "control.sock"
        program = self.play(self.chain(), file, "--period", 64, "--control", socket)
        client = Client(socket)
        self.assertIn("status", client.ask(status=True))
        for level in (-6, -12, -20):
            self.assertTrue(client.ask(set="backingLevel.gain", to=f"{level} dB")["ok"])
        outcome = program.end(20)
        self.assert_calm(card)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assertEqual(outcome.live["xruns"], 0)
        # The voice is the captured backing, so its level changes with the backing's.
        voice, mix = floats(self.file("voice.wav"), "FLOAT_LE"), self.left("mix.wav")
        last = 2400 + 12000 * 7
        self.assertAlmostEqual(voice[last], 0.05, places=4)
        self.assertAlmostEqual(mix[last], 0.1 * self.centre, places=4)
        self.assertEqual(self.loud(mix), self.loud(floats(samples, "FLOAT_LE")))
