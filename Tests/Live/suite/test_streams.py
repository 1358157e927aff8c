"""A web server that is slower than the card."""
import pathlib
import sys

from live import LiveTest

sys.path.append(str(pathlib.Path(__file__).parents[2] / "Streams"))

from server import Server


class StreamTests(LiveTest):
    """Streams from a server."""

    def test_stall(self):
        """a stalled stream is silent until its buffer is filled again, and loses no frame"""
        card = self.card()
        with Server() as server:
            program = self.play(
                self.chain([{"unit": "gain"}]), server.address("stall"), "--stream-buffer", "2")
            outcome = program.end(40)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assert_calm(card)
        events = [event for event in outcome.events if event["event"] != "differs"]
        self.assertEqual(
            [event["event"] for event in events], ["buffering", "underrun", "refilled"])
        self.assertAlmostEqual(events[1]["seconds"], 4, delta=0.1)
        recorded = self.recorded
        frames = [recorded[at:at + 8] for at in range(0, len(recorded), 8)]
        silent = sum(1 for frame in frames if frame == bytes(8))
        self.assertEqual(len(frames) - silent, 8 * 48000)
        self.assertTrue(2 < silent / 48000 < 6, f"{silent / 48000} s of silence")
        self.assertEqual(card.ran_dry, 0)

    def test_interrupt_while_buffering(self):
        """Ctrl-C ends fxrun while a stream is buffering"""
        self.card()
        with Server() as server:
            program = self.play(
                self.chain([{"unit": "gain"}]), server.address("stall"), "--stream-buffer", "5")
            stdout = self.folder / "stdout"
            self.assertTrue(program.wait_until(lambda: "buffering" in stdout.read_text()))
            program.interrupt()
            outcome = program.end(3)
        self.assertFalse(outcome.was_hung, str(outcome))
