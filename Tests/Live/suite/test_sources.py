"""Sources that are not ready when their frames are due."""
import subprocess
import time

from live import LiveTest, input_of
from sound import write_wav
from table import retried


class SourceTests(LiveTest):
    """Late sources."""

    @retried()
    def test_pipe_pauses(self):
        """a pipe that pauses is one event with its time and frames, and causes no xrun"""
        card = self.card()
        file = self.folder / "in.wav"
        write_wav(file, input_of(4), 48000, 2)
        sound = file.read_bytes()
        program = self.play(
            self.chain([{"unit": "gain"}]), "-", "--period", "512", "--periods", "4",
            stdin=subprocess.PIPE)
        half = len(sound) // 2
        program.process.stdin.write(sound[:half])
        program.process.stdin.flush()
        time.sleep(5)
        program.process.stdin.write(sound[half:])
        program.process.stdin.close()
        outcome = program.end(20)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assert_calm(card)
        events = [event for event in outcome.events if event["event"] != "differs"]
        self.assertEqual([event["event"] for event in events], ["not-ready"])
        event, live = events[0], outcome.live
        self.assertEqual(event["frames"], live["starvedFrames"])
        self.assertTrue(1.5 < event["seconds"] < 2.1, event)
        self.assertTrue(2 < event["frames"] / 48000 < 5, event)
        self.assertEqual(live["xruns"], 0)

    def test_pipe_never_goes_on(self):
        """a pipe that pauses until fxrun is stopped is reported at the end"""
        self.card()
        file = self.folder / "in.wav"
        write_wav(file, input_of(4), 48000, 2)
        program = self.play(self.chain([{"unit": "gain"}]), "-", stdin=subprocess.PIPE)
        self.addCleanup(program.process.stdin.close)
        program.process.stdin.write(file.read_bytes()[:2 * 384_000])
        program.process.stdin.flush()
        program.wait_until(lambda: False, 5)
        program.interrupt()
        outcome = program.end(5)
        self.assertFalse(outcome.was_hung, str(outcome))
        names = [event["event"] for event in outcome.events]
        self.assertEqual(names.count("not-ready"), 1, names)

    def test_many_xruns(self):
        """many xruns are one event a second, with their number"""
        card = self.card(script=[f"{48000 + 2048 * step} xrun" for step in range(30)])
        outcome = self.play(self.chain(), self.sound(4)).end(30)
        self.assertEqual(outcome.status, 0, str(outcome))
        xruns = [event for event in outcome.events if event["event"] == "xrun"]
        self.assertEqual(sum(event["count"] for event in xruns), outcome.live["xruns"])
        self.assertGreaterEqual(outcome.live["xruns"], 15)
        # The first at once, then at most one of each cause a second.
        self.assertLess(len(xruns), 10, xruns)
        self.assertGreater(card.count("fault xrun"), 0)
