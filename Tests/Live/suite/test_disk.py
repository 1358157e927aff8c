"""Files beside a performance, on disks that are slow."""
import os
import threading
import time

from live import LiveTest
from sound import is_silent

FRAME = 8
"""Bytes of a frame: two channels of floats."""


class DiskTests(LiveTest):
    """What is recorded keeps its time."""

    def read_late(self, pause):
        """A pipe in place of the file beside the device, whose reader sleeps first; what it reads."""
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
        """a file that cannot keep up is silent where frames are lost, and as long as what was played"""
        # Sixteen times as fast as music: the eight seconds that a file has are over in half a second.
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

    def test_short_pause(self):
        """a disk that stands still for seconds loses nothing"""
        chain, sound = self.chain(), self.sound(6)
        self.card(speed=4)
        reader, parts = self.read_late(1)
        outcome = self.play(chain, sound).end(30)
        reader.join(5)
        self.assertEqual(outcome.status, 0, str(outcome))
        data = parts[0][parts[0].index(b"data") + 8:]
        self.assertEqual(data, self.offline(chain, sound))
