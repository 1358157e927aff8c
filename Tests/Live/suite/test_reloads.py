"""Changing the chain while it plays: the sound on the card, and the causes of xruns."""
import array
import math
import time

from client import Client
from live import LiveTest
from sound import floats, write_wav
from table import retried

PERIOD_OF_TONE = 240
"""Frames: 200 Hz, so that the limiter's 5 ms and the delay's 10 ms are whole periods."""
LEVEL = 0.25
OWN_STEP = 2 * LEVEL * math.sin(math.pi / PERIOD_OF_TONE)
"""The largest difference between two samples of the tone."""


def tone(seconds):
    """A sine in both channels."""
    period = array.array("f")
    for frame in range(PERIOD_OF_TONE):
        period.extend([LEVEL * math.sin(2 * math.pi * frame / PERIOD_OF_TONE)] * 2)
    return period.tobytes() * (seconds * 48000 // PERIOD_OF_TONE)


def largest_step(samples):
    """The largest difference between two consecutive samples of a channel."""
    return max(
        max(map(abs, map(float.__sub__, channel[1:], channel)))
        for channel in (samples[0::2].tolist(), samples[1::2].tolist()))


class StructureTest(LiveTest):
    """Base of the tests that change the chain while it plays a tone."""

    # Each leaves the tone unchanged or makes it quieter, without changing its phase.
    STRUCTURES = [
        [{"unit": "gain", "id": "plain", "parameters": {"gain": "0 dB"}}],
        [{"unit": "limiter@1", "id": "late"}],
        [{"unit": "gain", "id": "plain", "parameters": {"gain": "0 dB"}},
         {"unit": "delay", "id": "echo", "wet": "50 %",
          "parameters": {"time": "10 ms", "feedback": 0}}],
        [{"unit": "gain", "id": "quiet", "parameters": {"gain": "-9 dB"}}],
        [{"unit": "limiter@1", "id": "first"}, {"unit": "limiter@1", "id": "second"}],
        [{"unit": "highPass", "id": "low", "parameters": {"frequency": "10 Hz"}},
         {"unit": "gain", "id": "quiet", "parameters": {"gain": "-3 dB"}}],
    ]

    def change_chains(self, count):
        """Plays a tone and changes its chain `count` times; returns the played samples."""
        self.period = 512
        card = self.card(speed=4)
        path = self.folder / "control.sock"
        files = [
            self.chain(units, tap=False, name=f"chain{number}.json")
            for number, units in enumerate(self.STRUCTURES)]
        sound = self.folder / "in.wav"
        write_wav(sound, tone(60 + count))
        program = self.play(files[0], sound, "--control", path, *self.option("--periods", 8))
        client = Client(path, limit=20)
        self.addCleanup(client.close)
        self.assertTrue(program.wait_until(lambda: len(card.received) > 48000 * 8))
        for number in range(1, count + 1):
            # Every tenth change comes during the crossfade of the one before.
            time.sleep(0 if number % 10 == 0 else 0.02)
            answer = client.ask(load=str(files[number % len(files)]))
            self.assertRegex(answer.get("loaded", str(answer)), "new|gone|other connections")
        heard = len(card.received) // 8 * 8
        program.interrupt()
        outcome = program.end(10)
        self.assertFalse(outcome.was_hung, str(outcome))
        self.assert_calm(card)
        self.assertEqual(len([e for e in outcome.events if e["event"] == "loaded"]), count)
        return floats(card.received[:heard], "FLOAT_LE")

    def assert_no_step(self, count):
        samples = self.change_chains(count)
        # The beginning of the sound is left out.
        step = largest_step(samples[2 * 24000:])
        self.assertLessEqual(step, OWN_STEP * 1.001, f"{count} changes")
        self.assertGreater(step, OWN_STEP * 0.99)


class ReloadTests(StructureTest):
    """Changing the chain while it plays."""

    @retried()
    def test_steps(self):
        """forty changes of the chain cause no step larger than the sound's own steps"""
        self.assert_no_step(40)

    @retried()
    def test_whose(self):
        """an xrun while fxrun loads a chain is counted as caused by fxrun"""
        card = self.card()
        path = self.folder / "control.sock"
        echoes = [
            {"unit": "delay", "id": f"echo{number}", "wet": "1 %"} for number in range(60)]
        chain, slow = self.chain(tap=False), self.chain(echoes, tap=False, name="slow.json")
        program = self.play(chain, self.sound(4), "--control", path)
        client = Client(path)
        self.addCleanup(client.close)
        self.assertTrue(program.wait_until(lambda: len(card.received) > 48000 * 8))
        client.send({"load": str(slow)})
        time.sleep(0.03)
        card.do("xrun")
        outcome = program.end(20)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assert_calm(card)
        # The order of the two events may differ.
        messages = {event["event"]: event["message"] for event in outcome.events}
        self.assertEqual(messages.keys(), {"xrun", "loaded"})
        self.assertIn("fxrun was changing the chain", messages["xrun"])
        live = outcome.live
        self.assertEqual((live["xruns"], live["ownXruns"], live["changeXruns"]), (1, 1, 1))


class LongReloadTests(StructureTest):
    """A thousand changes of the chain."""

    is_long = True

    @retried()
    def test_steps(self):
        """a thousand changes of the chain cause no step larger than the sound's own steps"""
        self.assert_no_step(1000)
