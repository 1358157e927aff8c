"""Displays of a playing chain: events and meters as JSON, and the view on a terminal."""
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time

from live import BINARY, UNITS, LiveTest
from table import retried

METERS = ("--meters", "0.1")


class SeeingTests(LiveTest):
    """Display of a playing chain."""

    def test_levels(self):
        """levels and the load of each node are reported ten times a second"""
        self.card()
        outcome = self.play(self.chain(), self.sound(1.5), *METERS).end(10)
        self.assertEqual(outcome.status, 0, str(outcome))
        meters = [line for line in outcome.events if line["event"] == "meters"]
        self.assertGreaterEqual(len(meters), 8)
        last = meters[-1]
        self.assertEqual([sink["node"] for sink in last["sinks"]], ["device", "tap"])
        # Both sinks receive the same signal.
        self.assertEqual(last["sinks"][0]["channels"], last["sinks"][1]["channels"])
        self.assertLessEqual(last["sinks"][0]["channels"][0]["highest"], -3 + 0.1)
        names = [unit.get("id", f"unit{number}") for number, unit in enumerate(UNITS)]
        self.assertEqual([node["node"] for node in last["nodes"]], names)
        self.assertGreater(last["nodes"][1]["readings"]["gainReduction"], 0)
        for node in last["nodes"]:
            load = node["load"]
            self.assertLessEqual(load["p50"], load["p99"])
            self.assertLessEqual(load["p99"], load["max"])
        frames = [line["positionSeconds"] for line in meters]
        self.assertEqual(frames, sorted(frames))
        self.assertEqual(
            {node["node"] for node in outcome.live["nodes"]} - {None}, set(names))

    @retried()
    def test_events(self):
        """an xrun and a lost card are reported as events, and the meters count them"""
        self.period = 256
        card = self.card(script=["24000 xrun", "48000 unplug 700"])
        outcome = self.play(
            self.chain(), self.sound(2), *METERS, "--on-lost", "wait").end(15)
        self.assert_calm(card)
        self.assertEqual(outcome.status, 0, str(outcome))
        told = [line["event"] for line in outcome.events if line["event"] != "meters"]
        self.assertEqual(told, [event["kind"] for event in outcome.summary["deviceEvents"]])
        self.assertEqual(
            [kind for kind in told if kind != "differs"], ["xrun", "lost", "returned"])
        meters = [line for line in outcome.events if line["event"] == "meters"]
        self.assertEqual(meters[0]["xruns"], 0)
        self.assertEqual(meters[-1]["xruns"], 1)
        self.assertEqual(meters[-1]["returns"], 1)
        states = [line["state"] for line in meters]
        self.assertEqual(set(states), {"playing", "waiting"})
        self.assertEqual(states[-1], "playing")

    def test_view(self):
        """a terminal shows the view with events above it, and is restored at the end"""
        self.card(script=["72000 xrun"])
        chain, sound = self.chain(), self.sound(2.5)
        leader, follower = pty.openpty()
        fcntl.ioctl(leader, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 90, 0, 0))
        before = termios.tcgetattr(follower)
        environment = {
            "HOME": str(self.folder), "PATH": os.environ["PATH"], "TERM": "xterm",
            "LANG": "C.UTF-8", "LV2_PATH": str(self.folder / "lv2"),
            "ALSA_CONFIG_PATH": str(self.folder / "asound.conf")}
        process = subprocess.Popen(
            [BINARY, chain, sound], cwd=self.folder, env=environment, stdin=follower,
            stdout=subprocess.DEVNULL, stderr=follower, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        drawn, during, end = b"", None, time.monotonic() + 15
        while process.poll() is None and time.monotonic() < end:
            if select.select([leader], [], [], 0.1)[0]:
                drawn += os.read(leader, 65536)
            if during is None and drawn.count(b"\x1b[?25l") > 5:
                during = termios.tcgetattr(follower)
                os.write(leader, b"n")
        if process.poll() is None:
            process.kill()
        while select.select([leader], [], [], 0.1)[0]:
            drawn += os.read(leader, 65536)
        after = termios.tcgetattr(follower)
        os.close(leader)
        os.close(follower)
        self.assertEqual(process.returncode, 0)
        text = drawn.decode()
        self.assertGreater(text.count("\x1b[?25l"), 10)
        self.assertEqual(text.count("\x1b[?25l"), text.count("\x1b[?25h"))
        self.assertIn("unit3", text)
        self.assertIn("xrun: 'card' ran dry", text)
        # fxrun has received the key: it shows a column of levels.
        self.assertIn("peak", text)
        self.assertTrue(text.endswith("\x1b[J") or "\x1b[J" in text[-200:])
        self.assertEqual(during[3] & (termios.ECHO | termios.ICANON), 0)
        self.assertEqual(after[3], before[3])

    def test_view_interrupted(self):
        """Ctrl-C in the view ends fxrun and restores the terminal"""
        self.card()
        chain, sound = self.chain(), self.sound(30)
        leader, follower = pty.openpty()
        before = termios.tcgetattr(follower)
        process = subprocess.Popen(
            [BINARY, chain, sound, "--no-dither"], cwd=self.folder, stdin=follower,
            stdout=subprocess.DEVNULL, stderr=follower, start_new_session=True,
            env={"HOME": str(self.folder), "TERM": "xterm", "PATH": os.environ["PATH"],
                 "ALSA_CONFIG_PATH": str(self.folder / "asound.conf")},
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        drawn, end = b"", time.monotonic() + 15
        is_asked = False
        while process.poll() is None and time.monotonic() < end:
            if select.select([leader], [], [], 0.1)[0]:
                drawn += os.read(leader, 65536)
            if not is_asked and drawn.count(b"\x1b[?25l") > 5:
                is_asked = True
                os.write(leader, b"\x03")
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.wait()
        after = termios.tcgetattr(follower)
        os.close(leader)
        os.close(follower)
        # The recorded file is partial.
        self.assertEqual(process.returncode, 130)
        self.assertEqual(after[3], before[3])
        self.assertTrue(drawn.isascii(), "without a locale of UTF-8 the view is of ASCII")
