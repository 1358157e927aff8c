"""Several devices in one chain: one sets the pace, the others are resampled to keep in step."""
import array
import json
import math

from live import LiveTest
from sound import floats, read_wav, write_wav
from table import retried


class DeviceTests(LiveTest):
    """Several devices."""

    period = 256

    def tone(self, seconds, rate=48000, frequency=480, name="tone.wav"):
        """A sine on both channels."""
        step = 2 * math.pi * frequency / rate
        samples = array.array("f")
        for frame in range(int(seconds * rate)):
            samples.extend([0.5 * math.sin(step * frame)] * 2)
        file = self.folder / name
        if file.suffix == ".raw":
            file.write_bytes(samples.tobytes())
        else:
            write_wav(file, samples.tobytes(), rate, 2)
        return file

    def graph(self, nodes, connections, **more):
        file = self.folder / "chain.json"
        file.write_text(json.dumps({
            "version": 1, "sampleRate": 48000, "blockSize": self.period, "tail": 0, "nodes": nodes,
            "connections": connections, **more}))
        return file

    def two_outputs(self, **far):
        """A chain that plays one sound on two cards. `far` are more members of the second sink."""
        return self.graph(
            {"in": {"source": "main"}, "room": {"sink": {"alsa": "near"}},
             "stage": {"sink": {"alsa": "far", **far}}}, ["in -> room", "in -> stage"])

    def assert_tone(self, samples, frequency, rate, seconds, loose=2e-4):
        """The samples have a sine of this frequency without a click, longer than `seconds`."""
        turn = 2 * math.cos(2 * math.pi * frequency / rate)
        wrong = [
            abs(samples[at - 1] + samples[at + 1] - turn * samples[at]) > loose
            or abs(samples[at]) < 1e-3 > abs(samples[at + 1]) for at in range(1, len(samples) - 1)]
        longest = run = 0
        for bad in wrong:
            run = 0 if bad else run + 1
            longest = max(longest, run)
        self.assertGreater(longest / rate, seconds, "the tone is interrupted")

    def of(self, outcome, device):
        return next(item for item in outcome.live["following"] if item["device"] == device)

    @retried()
    def test_two_outputs(self):
        """of two cards 200 ppm apart the first plays every bit, the second an unbroken tone"""
        near, far = self.card("near"), self.card("far", ppm=200)
        sound = self.tone(6)
        outcome = self.play(self.two_outputs(), sound).end(20)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assert_calm(near)
        self.assert_calm(far)
        self.assertEqual(near.received[:len(read_wav(sound))], read_wav(sound))
        self.assert_tone(floats(far.received, "FLOAT_LE")[::2], 480, 48000, 5)
        follower = self.of(outcome, "far")
        self.assertEqual((follower["xruns"], follower["gaps"]), (0, 0))
        self.assertLess(follower["latencySeconds"], 0.05)

    @retried()
    def test_other_rate(self):
        """a card with a different sample rate plays at the right pitch"""
        near, far = self.card("near"), self.card("far", rates=[44100])
        outcome = self.play(self.two_outputs(), self.tone(3)).end(15)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assert_calm(near)
        self.assert_calm(far)
        self.assertEqual(self.of(outcome, "far")["settings"]["sampleRate"], 44100)
        self.assert_tone(floats(far.received, "FLOAT_LE")[::2], 480, 44100, 2.5)

    @retried()
    def test_clock(self):
        """the device with `clock` sets the pace"""
        near, far = self.card("near", ppm=100), self.card("far")
        sound = self.tone(2)
        outcome = self.play(self.two_outputs(clock=True), sound).end(15)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assert_calm(near)
        self.assert_calm(far)
        self.assertEqual(outcome.live["device"], "far")
        self.assertEqual(far.received[:len(read_wav(sound))], read_wav(sound))
        self.assertEqual(self.of(outcome, "near")["direction"], "playback")

    @retried()
    def test_two_microphones(self):
        """two cards are recorded at once, each as an uninterrupted tone"""
        near = self.card("near", input=self.tone(10, name="near.raw"))
        far = self.card("far", ppm=-200, input=self.tone(10, frequency=600, name="far.raw"))
        chain = self.graph(
            {"guitar": {"source": {"alsa": "near", "channels": 2}},
             "voice": {"source": {"alsa": "far", "channels": 2}},
             "one": {"sink": {"file": "one.wav", "bits": 32}},
             "two": {"sink": {"file": "two.wav", "bits": 32}}},
            ["guitar -> one", "voice -> two"])
        outcome = self.play(chain, "--duration", 4).end(15)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assert_calm(near)
        self.assert_calm(far)
        self.assertEqual(outcome.live["device"], "near")
        self.assert_tone(floats(read_wav(self.folder / "one.wav"), "FLOAT_LE")[::2], 480, 48000, 3.8)
        self.assert_tone(floats(read_wav(self.folder / "two.wav"), "FLOAT_LE")[::2], 600, 48000, 3.5)

    @retried()
    def test_microphone_beside_output(self):
        """two cards are recorded and played on a third as an uninterrupted tone"""
        heard = self.card("heard")
        self.card("near", input=self.tone(10, name="near.raw"))
        self.card("far", ppm=150, input=self.tone(10, name="far.raw"))
        chain = self.graph(
            {"guitar": {"source": {"alsa": "near", "channels": 2}},
             "voice": {"source": {"alsa": "far", "channels": 2}},
             "ears": {"sink": {"alsa": "heard"}}}, ["guitar -> ears", "voice -> ears"])
        outcome = self.play(chain, "--duration", 3).end(15)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assert_calm(heard)
        self.assert_tone(floats(heard.received, "FLOAT_LE")[::2], 480, 48000, 2.3, loose=4e-4)

    @retried()
    def test_unplugged(self):
        """a follower that is unplugged for half a second returns, and the first card plays on"""
        near, far = self.card("near"), self.card("far", script=["96000 unplug 500"])
        sound = self.tone(5)
        outcome = self.play(self.two_outputs(), sound, "--on-lost", "wait").end(20)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assert_calm(near)
        self.assertEqual(near.received[:len(read_wav(sound))], read_wav(sound))
        self.assertEqual(self.of(outcome, "far")["returns"], 1)
        self.assertEqual(
            [event["event"] for event in outcome.events if event["event"] != "differs"],
            ["lost", "returned"])
        self.assert_tone(floats(far.received, "FLOAT_LE")[::2][-48000 * 2:], 480, 48000, 1.5)

    @retried()
    def test_lost(self):
        """a lost follower ends fxrun, with the device's name and the status of a lost device"""
        self.card("near")
        self.card("far", script=["48000 unplug"])
        outcome = self.play(self.two_outputs(), self.tone(4), "--on-lost", "end").end(15)
        self.assertEqual(outcome.status, 6, str(outcome))
        self.assertIn("'far'", outcome.failure)
        self.assertLess(outcome.seconds, 4)

    @retried()
    def test_interrupted(self):
        """Ctrl-C fades all devices out"""
        near, far = self.card("near"), self.card("far", ppm=50)
        program = self.play(self.two_outputs(), self.tone(20))
        program.wait_until(lambda: len(far.received) > 48000 * 8)
        program.interrupt()
        outcome = program.end(5)
        self.assertFalse(outcome.was_hung)
        self.assertLess(abs(floats(near.received, "FLOAT_LE")[-1]), 0.01)
        self.assertLess(abs(floats(far.received, "FLOAT_LE")[-1]), 0.01)

    def test_same_device(self):
        """two sinks on one device are refused, with the device's name"""
        self.card("near")
        chain = self.graph(
            {"in": {"source": "main"}, "a": {"sink": {"alsa": "near"}},
             "b": {"sink": {"alsa": "near"}}}, ["in -> a", "in -> b"])
        outcome = self.play(chain, self.tone(1)).end(10)
        self.assertEqual(outcome.status, 2, str(outcome))
        self.assertIn("near", str(outcome))
