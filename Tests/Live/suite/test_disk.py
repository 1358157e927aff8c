"""Files that are recorded while a chain plays: on slow disks, and after a kill."""
import os
import re
import signal
import threading
import time

from live import LiveTest
from sound import is_silent, read_wav

FRAME = 8
"""Bytes of a frame: two channels of floats."""


class DiskTests(LiveTest):
    """Recordings keep their time."""

    def read_late(self, pause):
        """A pipe in place of the recorded file. Its reader sleeps first; the bytes go to a list."""
        pipe = self.folder / "tap.wav"
        os.mkfifo(pipe)
        parts = []

        def read():
            with open(pipe, "rb") as file:
                time.sleep(pause)
                parts.append(file.read())

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        return reader, parts

    def test_slow_disk(self):
        """a file on a slow disk is silent where frames are lost, and keeps its length"""
        # At 16 times real time, the file's buffer of eight seconds is full after half a second.
        card, chain, sound = self.card(speed=16), self.chain(), self.sound(24)
        reader, parts = self.read_late(1.2)
        outcome = self.play(chain, sound).end(30)
        reader.join(5)
        self.assertEqual(outcome.status, 5, str(outcome))
        [tap] = [output for output in outcome.summary["outputs"] if output["name"] == "tap.wav"]
        lost = sum(gap["frames"] for gap in tap["gaps"])
        self.assertGreater(lost, 48000)
        self.assertEqual(tap["overrunFrames"], lost)
        self.assertIn("overrun", [event["kind"] for event in outcome.summary["deviceEvents"]])
        data = parts[0][parts[0].index(b"data") + 8:]
        offline = self.offline(chain, sound)
        self.assertEqual(len(data), len(offline), "the file has not kept its time")
        place = 0
        for gap in tap["gaps"]:
            start, end = gap["frame"] * FRAME, (gap["frame"] + gap["frames"]) * FRAME
            self.assertEqual(data[place:start], offline[place:start], f"wrong before {gap}")
            self.assertTrue(is_silent(data[start:end]), f"not silent in {gap}")
            place = end
        self.assertEqual(data[place:], offline[place:], "wrong after the last gap")
        self.assertGreater(len(card.received), len(offline) - self.period * FRAME)

    def kill_after(self, chain, sound, seconds):
        """Plays, kills fxrun after so many seconds, and returns the number of played frames."""
        card = self.card()
        program = self.play(chain, sound)
        self.assertTrue(program.wait_until(lambda: card.count("start")), "it did not play")
        program.wait_until(lambda: False, seconds)
        program.process.send_signal(signal.SIGKILL)
        program.end(5)
        return len(card.received) // FRAME

    def test_killed(self):
        """after a kill the next run recovers and reports the recording, up to its last second"""
        chain, sound = self.chain(), self.sound(6)
        played = self.kill_after(chain, sound, 3)
        hidden = [name for name in os.listdir(self.folder) if name.startswith(".tap.wav.")]
        self.assertEqual(len(hidden), 1, "there is no hidden file")
        self.card()
        outcome = self.play(chain, self.sound(1)).end(30)
        self.assertEqual(outcome.status, 0, str(outcome))
        [event] = [event for event in outcome.events if event["event"] == "recovered"]
        self.assertIn("tap.partial.wav", event["message"])
        [kept] = outcome.summary["recovered"]
        self.assertEqual(kept["name"], re.search(r"\S*tap\.partial\.wav", event["message"])[0])
        self.assertGreater(kept["seconds"] * 48000, played - 48000)
        self.assertFalse([name for name in os.listdir(self.folder) if name.startswith(".tap.wav.")])
        data = read_wav(self.folder / "tap.partial.wav")
        self.assertEqual(len(data) // FRAME, round(kept["seconds"] * 48000))
        offline = self.offline(chain, self.sound(6))
        self.assertEqual(data, offline[:len(data)])

    def test_two_interrupts(self):
        """after a second Ctrl-C the recording is kept"""
        card = self.card()
        program = self.play(self.chain(), self.sound(6))
        self.assertTrue(program.wait_until(lambda: card.count("start")), "it did not play")
        program.wait_until(lambda: False, 2)
        program.interrupt()
        program.interrupt()
        program.end(5)
        kept = self.recorded
        self.assertIsNotNone(kept, "what was recorded is not there")
        self.assertGreater(len(kept) // FRAME, 48000)
        self.assertFalse([name for name in os.listdir(self.folder) if name.startswith(".tap.wav.")])

    def test_short_pause(self):
        """a disk that stops for seconds loses no frames"""
        chain, sound = self.chain(), self.sound(6)
        self.card(speed=4)
        reader, parts = self.read_late(1)
        outcome = self.play(chain, sound).end(30)
        reader.join(5)
        self.assertEqual(outcome.status, 0, str(outcome))
        data = parts[0][parts[0].index(b"data") + 8:]
        self.assertEqual(data, self.offline(chain, sound))
