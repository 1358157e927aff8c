"""Cards whose driver never comes back from a call."""
from matrix import FaultTest


class HangTests(FaultTest):
    """Calls into the card that never return."""

    # They wait for fxrun's own limits, and so do not mind each other.
    is_patient = True

    def test_hang_in_wait(self):
        """a card whose wait never returns is noticed, and the file is kept"""
        self.play_through("hang wait")

    def test_hang_in_pointer(self):
        """so is one that hangs in every call"""
        self.play_through("hang pointer")

    def test_hang_in_prepare(self):
        """so is one that hangs when it is to go on after an xrun"""
        self.play_through("hang prepare", "xrun")

    def test_hang_in_drop(self):
        """a card that hangs at the end of the sound is noticed, and the file is complete"""
        self.play_through("hang drop")

    def test_hang_in_close(self):
        """a card that hangs when it is closed is noticed, and the file is complete"""
        self.play_through("hang close")

    def test_hang_in_drop_survived(self):
        """all was played when a card hangs in its last call: the file is whole and has its name"""
        outcome = self.play_through("hang drop")
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assertTrue((self.folder / "tap.wav").exists(), str(outcome))
        self.assertEqual(len(outcome.summary["warnings"]), 1)
