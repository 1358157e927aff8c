"""The fault matrix: what fxrun does when the card fails.

Each fault comes at one second of the sound, while a file is recorded beside the card. In every case
fxrun survives or ends with one sentence, never hangs, and the file is complete.
"""
from matrix import LIMIT, FaultTest
from table import retried


class FaultTests(FaultTest):
    """Faults of the card."""

    # MARK: Survived

    @retried()
    def test_xrun(self):
        """an xrun costs no more than the buffer and is counted once"""
        outcome = self.play_through("xrun")
        self.assert_calm(self.fault_card)
        self.assert_survived(outcome, xruns=1)
        self.assert_lost(outcome, outcome.live["bufferFrames"] + self.period)

    def test_xruns(self):
        """ten xruns are ten"""
        self.fault_card = self.card(script=[f"{4000 * n} xrun" for n in range(1, 11)])
        chain = self.chain()
        outcome = self.play(chain, self.sound(2)).end(LIMIT)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assertEqual(outcome.live["xruns"], 10 + self.fault_card.ran_dry)
        self.assert_events(outcome, xrun=10)
        self.assertEqual(self.recorded, self.offline(chain, self.folder / "in.wav"))

    def test_storm(self):
        """a card that runs dry again and again is given up, not tried for ever"""
        self.period = 256
        outcome = self.play_through(*["xrun"] * 400, seconds=4)
        self.assertEqual(outcome.status, 6, str(outcome))

    @retried()
    def test_suspend(self):
        """after a suspension that resumes, nothing is lost"""
        outcome = self.play_through("suspend 200")
        self.assert_calm(self.fault_card)
        self.assert_survived(outcome, suspensions=1)
        self.assert_lost(outcome, 0)

    def test_suspend_without_resume(self):
        """a card that does not resume is started anew"""
        outcome = self.play_through("suspend")
        self.assert_survived(outcome, suspensions=1)
        self.assert_lost(outcome, outcome.live["bufferFrames"] + self.period)

    def test_suspend_lie(self):
        """a resume that lies ends with a sentence at the latest"""
        self.play_through("suspend lie")

    def test_suspend_lie_survived(self):
        """a card that stands still after its resume is started anew"""
        self.assert_survived(self.play_through("suspend lie"), suspensions=1, restarted=1)

    @retried()
    def test_stall(self):
        """a card that stalls for half a second is a gap that it does not report, and loses nothing"""
        outcome = self.play_through("stall 500")
        self.assert_calm(self.fault_card)
        self.assert_survived(outcome, gap=1)
        self.assertEqual(outcome.live["gaps"], 1)
        message = next(e["message"] for e in outcome.summary["deviceEvents"] if e["kind"] == "gap")
        self.assertRegex(message, r"^gap: 'card' was served \d+ ms later than its buffer lasts, and")
        self.assertIn("the system or the device was late", message)
        self.assertGreater(outcome.live["latestWakeupSeconds"], 0.4)
        self.assert_lost(outcome, 0)

    @retried()
    def test_late(self):
        """a late wake-up within the buffer is no xrun"""
        outcome = self.play_through("late 20")
        self.assert_calm(self.fault_card)
        self.assert_survived(outcome)
        self.assert_lost(outcome, 0)

    def test_too_late(self):
        """a wake-up later than the buffer is one"""
        outcome = self.play_through("late 200")
        self.assertEqual(outcome.status, 0, str(outcome))
        # The card logs it as any that it ran into.
        self.assertGreaterEqual(outcome.live["xruns"], 1)
        self.assertGreater(outcome.live["latestWakeupSeconds"], 0.05)
        self.assert_events(outcome)

    @retried()
    def test_jump(self):
        """a pointer that leaps within the buffer costs nothing"""
        outcome = self.play_through("jump 700")
        self.assert_calm(self.fault_card)
        self.assert_survived(outcome)
        self.assert_lost(outcome, 0)

    def test_far_jump(self):
        """a pointer that leaps beyond the buffer is an xrun"""
        outcome = self.play_through("jump 48000")
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assertGreaterEqual(outcome.live["xruns"], 1)
        self.assert_events(outcome)

    @retried()
    def test_backward(self):
        """a pointer that stands for a while is a gap, and loses nothing"""
        outcome = self.play_through("jump -9600")
        self.assert_calm(self.fault_card)
        self.assert_survived(outcome, gap=1)
        self.assert_lost(outcome, 0)

    @retried()
    def test_steps(self):
        """a pointer that moves in steps of 341 frames is followed"""
        self.fault_card = self.card(steps=341)
        chain = self.chain()
        outcome = self.play(chain, self.sound(1)).end(LIMIT)
        self.assert_calm(self.fault_card)
        self.assert_survived(outcome)
        self.assertEqual(self.recorded, self.offline(chain, self.folder / "in.wav"))

    @retried()
    def test_slow(self):
        """a clock that becomes two percent slower is followed"""
        outcome = self.play_through("slow 20000")
        self.assert_calm(self.fault_card)
        self.assert_survived(outcome)
        self.assert_lost(outcome, 0)

    def test_unplug_at_end(self):
        """a card that is unplugged when it has got everything is no loss"""
        # Two seconds and half a second of tail, of which the last frames are still to be heard.
        self.fault_card = self.card(script=["119000 unplug"])
        chain = self.chain()
        outcome = self.play(chain, self.sound(2)).end(LIMIT)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assertTrue((self.folder / "tap.wav").exists(), str(outcome))
        self.assertEqual(self.recorded, self.offline(chain, self.folder / "in.wav"))
        self.assertEqual(len(outcome.summary["warnings"]), 1)

    # MARK: Lost

    def test_dead_stall(self):
        """a card that stops without an error is noticed"""
        outcome = self.play_through("stall", limit=6)
        self.assertLess(outcome.seconds, 9)

    def test_unplug(self):
        """a card that is unplugged loses nothing of the file"""
        self.play_through("unplug", limit=6)

    def test_unplug_and_back(self):
        """a card that is unplugged for a second is opened again, and the sound goes on"""
        outcome = self.play_through("unplug 1000", options=self.option("--on-lost", "wait"))
        self.assert_survived(outcome, lost=1, returned=1)
        starts = [entry for entry in self.fault_card.log if entry[3] == "start"]
        opens = [entry for entry in self.fault_card.log if entry[3] == "open"]
        self.assertEqual((len(starts), len(opens)), (2, 2))
        # Two periods of 1024 frames.
        self.assertLess(starts[1][0] - opens[1][0], 2 * 1024 / 48000)

    def test_eio(self):
        """one input/output error ends with a sentence at the latest"""
        self.play_through("eio 1")

    def test_eio_survived(self):
        """one input/output error is survived"""
        self.assert_survived(self.play_through("eio 1"), restarted=1)

    def test_eio_for_ever(self):
        """input/output errors without end are noticed"""
        self.play_through("eio", limit=6)
