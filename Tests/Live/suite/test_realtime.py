"""Real-time scheduling for users without the right to it."""
import os
import pathlib
import shutil

from bus import RealtimeBus
from live import BINARY, LiveTest
from program import Program


class RealtimeTests(LiveTest):
    """Real-time scheduling."""

    def setUp(self):
        super().setUp()
        if os.geteuid() != 0 or not shutil.which("setpriv"):
            self.skipTest("only root, with setpriv, can do without its rights")

    def play_without_rights(self, **environment):
        """Plays like a user without the right to real-time scheduling."""
        self.card()
        return Program(
            "setpriv",
            ["--bounding-set=-sys_nice", "prlimit", "--rtprio=0", BINARY, self.chain(),
             self.sound(2), "--json"], self.folder, environment)

    def test_refused(self):
        """without the right to real-time scheduling fxrun plays and warns how to get the right"""
        outcome = self.play_without_rights(
            DBUS_SYSTEM_BUS_ADDRESS=f"unix:path={self.folder}/none").end(10)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assertEqual(
            [warning for warning in outcome.summary["warnings"] if "rtprio" not in warning], [])
        self.assertEqual(len(outcome.summary["warnings"]), 1)

    def test_granted(self):
        """with real-time scheduling from RealtimeKit there is no warning"""
        bus = RealtimeBus(self.folder / "bus")
        self.addCleanup(bus.close)
        program = self.play_without_rights(DBUS_SYSTEM_BUS_ADDRESS=bus.address)
        self.assertTrue(program.wait_until(lambda: bus.granted), "it was not asked")
        (thread, priority), = bus.granted
        self.assertEqual(priority, 20)
        self.assertTrue(pathlib.Path(f"/proc/{program.process.pid}/task/{thread}").exists())
        self.assertEqual(os.sched_getscheduler(thread) & ~os.SCHED_RESET_ON_FORK, os.SCHED_RR)
        limits = pathlib.Path(f"/proc/{program.process.pid}/limits").read_text()
        limit, = (line for line in limits.splitlines() if "realtime timeout" in line)
        self.assertIn("200000", limit)
        outcome = program.end(10)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assertEqual(outcome.summary["warnings"], [])
