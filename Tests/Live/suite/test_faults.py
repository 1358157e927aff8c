"""The fault matrix: the behaviour of fxrun when the card fails.

Each fault comes one second into the sound, while a file is recorded too. In every case fxrun
survives or ends with one message, never hangs, and the file is complete.
"""
from matrix import LIMIT, FaultTest
from table import retried


class FaultTests(FaultTest):
    """Faults of the card."""

    # MARK: Survived

    @retried()
    def test_xrun(self):
        """an xrun loses at most a buffer and a period and is counted once"""
        outcome = self.play_through("xrun")
        self.assert_calm(self.fault_card)
        self.assert_survived(outcome, xruns=1)
        self.assert_lost(outcome, outcome.live["bufferFrames"] + self.period)

    def test_xruns(self):
        """ten xruns are counted as ten, and the recorded file is complete"""
        self.fault_card = self.card(script=[f"{4000 * n} xrun" for n in range(1, 11)])
        chain = self.chain()
        outcome = self.play(chain, self.sound(2)).end(LIMIT)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assertEqual(outcome.live["xruns"], 10 + self.fault_card.ran_dry)
        self.assert_events(outcome, xrun=10)
        self.assertEqual(self.recorded, self.offline(chain, self.folder / "in.wav"))

    def test_storm(self):
        """fxrun gives up a card with endless xruns"""
        self.period = 256
        outcome = self.play_through(*["xrun"] * 400, seconds=4)
        self.assertEqual(outcome.status, 6, str(outcome))

    @retried()
    def test_suspend(self):
        """no frame is lost when a suspended card resumes"""
        outcome = self.play_through("suspend 200")
        self.assert_calm(self.fault_card)
        self.assert_survived(outcome, suspensions=1)
        self.assert_lost(outcome, 0)

    def test_suspend_without_resume(self):
        """fxrun restarts a card that does not resume"""
        outcome = self.play_through("suspend")
        self.assert_survived(outcome, suspensions=1)
        self.assert_lost(outcome, outcome.live["bufferFrames"] + self.period)

    def test_suspend_lie(self):
        """fxrun survives a false success of resume, or ends with a message"""
        self.play_through("suspend lie")

    def test_suspend_lie_survived(self):
        """fxrun restarts a card that does not move after its resume"""
        self.assert_survived(self.play_through("suspend lie"), suspensions=1, restarted=1)

    @retried()
    def test_stall(self):
        """a stall of half a second is reported as a gap and loses no frame"""
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
        """a late wake-up within the buffer is not an xrun"""
        outcome = self.play_through("late 20")
        self.assert_calm(self.fault_card)
        self.assert_survived(outcome)
        self.assert_lost(outcome, 0)

    def test_too_late(self):
        """a wake-up that is later than the buffer is an xrun"""
        outcome = self.play_through("late 200")
        self.assertEqual(outcome.status, 0, str(outcome))
        # The card logs it like any xrun because of a late client, so the number is not exact.
        self.assertGreaterEqual(outcome.live["xruns"], 1)
        self.assertGreater(outcome.live["latestWakeupSeconds"], 0.05)
        self.assert_events(outcome)

    @retried()
    def test_jump(self):
        """no frame is lost when the pointer jumps within the buffer"""
        outcome = self.play_through("jump 700")
        self.assert_calm(self.fault_card)
        self.assert_survived(outcome)
        self.assert_lost(outcome, 0)

    def test_far_jump(self):
        """a pointer that jumps beyond the buffer is an xrun"""
        outcome = self.play_through("jump 48000")
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assertGreaterEqual(outcome.live["xruns"], 1)
        self.assert_events(outcome)

    @retried()
    def test_backward(self):
        """a pointer that stops for a while is reported as a gap and loses no frame"""
        outcome = self.play_through("jump -9600")
        self.assert_calm(self.fault_card)
        self.assert_survived(outcome, gap=1)
        self.assert_lost(outcome, 0)

    @retried()
    def test_steps(self):
        """fxrun plays without loss on a card whose pointer moves in steps of 341 frames"""
        self.fault_card = self.card(steps=341)
        chain = self.chain()
        outcome = self.play(chain, self.sound(1)).end(LIMIT)
        self.assert_calm(self.fault_card)
        self.assert_survived(outcome)
        self.assertEqual(self.recorded, self.offline(chain, self.folder / "in.wav"))

    @retried()
    def test_slow(self):
        """fxrun plays without loss when the card's clock becomes two percent slower"""
        outcome = self.play_through("slow 20000")
        self.assert_calm(self.fault_card)
        self.assert_survived(outcome)
        self.assert_lost(outcome, 0)

    def test_unplug_at_end(self):
        """unplugging a card that has received all frames is a warning, not an error"""
        # Two seconds and half a second of tail; the last frames are still in the card's buffer.
        self.fault_card = self.card(script=["119000 unplug"])
        chain = self.chain()
        outcome = self.play(chain, self.sound(2)).end(LIMIT)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assertTrue((self.folder / "tap.wav").exists(), str(outcome))
        self.assertEqual(self.recorded, self.offline(chain, self.folder / "in.wav"))
        self.assertEqual(len(outcome.summary["warnings"]), 1)

    # MARK: Lost

    def test_dead_stall(self):
        """fxrun notices a card that stops without an error"""
        outcome = self.play_through("stall", limit=6)
        self.assertLess(outcome.seconds, 9)

    def test_unplug(self):
        """the recorded file is complete when the card is unplugged"""
        self.play_through("unplug", limit=6)

    def test_unplug_and_back(self):
        """a card that is unplugged for a second is opened again, and the sound continues"""
        outcome = self.play_through("unplug 1000", options=self.option("--on-lost", "wait"))
        self.assert_survived(outcome, lost=1, returned=1)
        starts = [entry for entry in self.fault_card.log if entry[3] == "start"]
        opens = [entry for entry in self.fault_card.log if entry[3] == "open"]
        self.assertEqual((len(starts), len(opens)), (2, 2))
        # Two periods of 1024 frames.
        self.assertLess(starts[1][0] - opens[1][0], 2 * 1024 / 48000)

    def test_eio(self):
        """fxrun survives one input/output error, or ends with a message"""
        self.play_through("eio 1")

    def test_eio_survived(self):
        """fxrun restarts the card after one input/output error and survives"""
        self.assert_survived(self.play_through("eio 1"), restarted=1)

    def test_eio_for_ever(self):
        """fxrun notices endless input/output errors"""
        self.play_through("eio", limit=6)
