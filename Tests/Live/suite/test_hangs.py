"""Cards whose driver never returns from a call."""
from matrix import FaultTest


class HangTests(FaultTest):
    """Calls into the card that never return."""

    # They wait for fxrun's own time limits, so they can run in parallel.
    is_patient = True

    def test_hang_in_wait(self):
        """fxrun notices a card whose wait never returns, and keeps the file"""
        self.play_through("hang wait")

    def test_hang_in_pointer(self):
        """fxrun notices a card that hangs when its pointer is read, and keeps the file"""
        self.play_through("hang pointer")

    def test_hang_in_prepare(self):
        """fxrun notices a card that hangs in prepare after an xrun, and keeps the file"""
        self.play_through("hang prepare", "xrun")

    def test_hang_in_drop(self):
        """fxrun notices a card that hangs at the end of the sound; the file is complete"""
        self.play_through("hang drop")

    def test_hang_in_close(self):
        """fxrun notices a card that hangs when it is closed; the file is complete"""
        self.play_through("hang close")

    def test_hang_in_drop_survived(self):
        """a hang in the card's last call is a warning; the file is complete and has its name"""
        outcome = self.play_through("hang drop")
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assertTrue((self.folder / "tap.wav").exists(), str(outcome))
        self.assertEqual(len(outcome.summary["warnings"]), 1)
