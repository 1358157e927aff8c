"""Ctrl-C works in every state."""
import os

from live import LiveTest
from program import SLOWEST_END


class InterruptTests(LiveTest):
    """Ctrl-C in every state."""

    # A late block does not disturb them, so they can run in parallel.
    is_patient = True

    def play_into(self, *actions, after=24000):
        """Starts to play ten seconds; the card's actions happen after half a second."""
        self.state_card = self.card(script=[f"{after} {action}" for action in actions])
        return self.play(self.chain(), self.sound(10))

    def reach(self, program, *lines):
        """Waits until the card's log has all of the lines."""
        for line in lines:
            self.assertTrue(
                program.wait_until(lambda: self.state_card.count(line)), f"it did not come to {line}")

    def assert_ends(self, program, after=0.3):
        """One Ctrl-C ends fxrun in time and leaves a file that can be read."""
        program.wait_until(lambda: False, after)
        program.interrupt()
        outcome = program.end(SLOWEST_END)
        self.assertFalse(outcome.was_hung, f"in spite of Ctrl-C it {outcome}")
        self.assertIn(outcome.status, (0, 6, 130), str(outcome))
        self.assertIsNotNone(self.recorded, "what was recorded is not there")
        return outcome

    def assert_ends_at_twice(self, program):
        """The second Ctrl-C ends fxrun at once."""
        program.wait_until(lambda: False, 0.3)
        program.interrupt()
        program.wait_until(lambda: False, 0.1)
        program.interrupt()
        outcome = program.end(1)
        self.assertFalse(outcome.was_hung, f"in spite of two Ctrl-C it {outcome}")

    def test_playing(self):
        """Ctrl-C ends fxrun while it plays"""
        program = self.play_into()
        self.reach(program, "start")
        self.assertIn(self.assert_ends(program).status, (0, 130))

    def test_twice(self):
        """a second Ctrl-C ends fxrun at once while it plays"""
        program = self.play_into()
        self.reach(program, "start")
        self.assert_ends_at_twice(program)

    def test_stall(self):
        """Ctrl-C ends fxrun while the card is stalled"""
        program = self.play_into("stall")
        self.reach(program, "fault stall")
        self.assert_ends(program)

    def test_suspend(self):
        """Ctrl-C ends fxrun while the card is suspended"""
        program = self.play_into("suspend")
        self.reach(program, "fault suspend")
        self.assert_ends(program)

    def test_unplugged(self):
        """Ctrl-C ends fxrun while the card is unplugged"""
        program = self.play_into("unplug")
        self.reach(program, "fault unplug")
        self.assert_ends(program)

    def test_xrun(self):
        """Ctrl-C ends fxrun during endless xruns"""
        program = self.play_into(*["xrun"] * 400)
        self.reach(program, "fault xrun")
        self.assert_ends(program)

    def test_hang_open(self):
        """Ctrl-C ends fxrun while opening the card hangs"""
        self.state_card = self.card()
        self.state_card.do("hang open")
        program = self.play(self.chain(), self.sound(1))
        self.reach(program, "hangs in open")
        program.interrupt()
        self.assertFalse(program.end(SLOWEST_END).was_hung)

    def test_hang_prepare(self):
        """Ctrl-C ends fxrun while preparing the card hangs"""
        self.state_card = self.card()
        self.state_card.do("hang prepare")
        program = self.play(self.chain(), self.sound(1))
        self.reach(program, "hangs in prepare")
        program.interrupt()
        self.assertFalse(program.end(SLOWEST_END).was_hung)

    def test_hang_start(self):
        """Ctrl-C ends fxrun while starting the card hangs"""
        self.state_card = self.card()
        self.state_card.do("hang start")
        program = self.play(self.chain(), self.sound(1))
        self.reach(program, "hangs in start")
        self.assert_ends(program)

    def test_hang_wait(self):
        """Ctrl-C ends fxrun while waiting for the card hangs"""
        program = self.play_into("hang wait")
        self.reach(program, "hangs in wait")
        self.assert_ends(program)

    def test_hang_pointer(self):
        """Ctrl-C ends fxrun while writing to the card hangs"""
        program = self.play_into("hang pointer")
        self.reach(program, "hangs in pointer")
        self.assert_ends(program)

    def test_hang_twice(self):
        """a second Ctrl-C ends fxrun at once while writing to the card hangs"""
        program = self.play_into("hang pointer")
        self.reach(program, "hangs in pointer")
        self.assert_ends_at_twice(program)

    def test_hang_drop_twice(self):
        """a second Ctrl-C ends fxrun at once while stopping the card hangs"""
        program = self.play_into("hang drop")
        self.reach(program, "fault hang")
        self.assert_ends_at_twice(program)

    def test_hang_close_twice(self):
        """a second Ctrl-C ends fxrun at once while closing the card hangs"""
        program = self.play_into("hang close")
        self.reach(program, "fault hang")
        self.assert_ends_at_twice(program)

    def test_starving(self):
        """Ctrl-C ends fxrun while its input pipe is empty"""
        self.state_card = self.card()
        reading, writing = os.pipe()
        self.addCleanup(os.close, writing)
        sound = self.sound(10).read_bytes()
        with os.fdopen(reading, "rb") as stream:
            program = self.play(self.chain(), "-", stdin=stream)
        # A pipe holds less than this at once, so it is written in pieces.
        for at in range(0, 400000, 4096):
            os.write(writing, sound[at:at + 4096])
        self.reach(program, "start")
        self.assert_ends(program, after=1.5)

    def test_silent_pipe(self):
        """Ctrl-C ends fxrun before the first byte of its input"""
        self.state_card = self.card()
        reading, writing = os.pipe()
        self.addCleanup(os.close, writing)
        with os.fdopen(reading, "rb") as stream:
            program = self.play(self.chain(), "-", stdin=stream)
        program.wait_until(lambda: False, 0.5)
        program.interrupt()
        self.assertFalse(program.end(SLOWEST_END).was_hung)
