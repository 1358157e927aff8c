"""Calls into alsa-lib that fail: the Nth call of a function returns an error, with any card."""
from live import FAULT_LIBRARY, LiveTest

EPIPE, ENODEV, ESTRPIPE, ENOSYS, EAGAIN, EINTR, EIO, EBUSY, EINVAL, EBADFD = (
    -32, -19, -86, -38, -11, -4, -5, -16, -22, -77)


class CallTests(LiveTest):
    """Failing calls."""

    @staticmethod
    def faults(*faults):
        """The environment variables that make these calls fail."""
        return {"FXRUN_ALSA_FAULTS": "; ".join(faults), "LD_PRELOAD": str(FAULT_LIBRARY)}

    def assert_fired(self, outcome, *faults):
        """Each planned fault occurred; otherwise the test proves nothing."""
        for fault in faults:
            call = f"snd_{fault.strip().partition('@')[0]}, call"
            self.assertTrue(
                any(call in line for line in outcome.faults),
                f"the fault {fault} did not occur, only {outcome.faults}: {outcome}")

    def play_with(self, *faults, seconds=1, **settings):
        """Plays with failing calls; asserts what must hold for all of them."""
        # Without memory that can be mapped, fxrun writes with snd_pcm_writei.
        self.call_card = self.card(**{"access": "rw", **settings})
        chain, sound = self.chain(), self.sound(seconds)
        outcome = self.play(chain, sound, environment=self.faults(*faults)).end_or_interrupt(8)
        self.assertFalse(outcome.was_hung, str(outcome))
        self.assert_fired(outcome, *faults)
        if outcome.status != 0:
            self.assertEqual(outcome.status, 6, str(outcome))
            self.assertIsNotNone(outcome.failure, str(outcome))
        elif not self.call_card.ran_dry:
            self.assertEqual(self.recorded, self.offline(chain, sound))
        return outcome

    def assert_refused(self, *faults):
        """fxrun does not start, reports the reason, and leaves no files."""
        outcome = self.play_with(*faults)
        self.assertEqual(outcome.status, 6, str(outcome))
        self.assertIn("'card'", outcome.failure)
        self.assertIsNone(self.recorded)
        return outcome

    def assert_survived(self, *faults):
        self.assertEqual(self.play_with(*faults).status, 0)

    def test_refused(self):
        """a card that cannot be opened or set up is reported with a message"""
        for call, code in (
                ("open", EBUSY), ("open", ENODEV), ("open", -13), ("hw_params_any", EINVAL),
                ("hw_params_set_access", EINVAL), ("hw_params", EINVAL), ("hw_params", EBUSY),
                ("hw_params_set_period_size_near", EINVAL), ("sw_params", EINVAL)):
            with self.subTest(call=call, code=code):
                self.renew()
                self.assert_refused(f"pcm_{call}@1x*={code}")

    def test_no_format(self):
        """a card without a supported format is reported with a message"""
        self.assertIn("24", self.assert_refused(f"pcm_hw_params_set_format@1x*={EINVAL}").failure)

    def test_no_rate(self):
        """a card without a sample rate is reported with a message"""
        self.assert_refused(
            f"pcm_hw_params_set_rate@1x*={EINVAL}", f"pcm_hw_params_set_rate_near@1x*={EINVAL}")

    def test_short_writes(self):
        """after a short write fxrun writes the remaining frames"""
        self.assert_survived("pcm_writei@5x20=short")

    def test_interrupted(self):
        """fxrun repeats calls that were interrupted or would block"""
        self.assert_survived(f"pcm_writei@5x3={EINTR}", f"pcm_writei@12x3={EAGAIN}")

    def test_slow_write(self):
        """fxrun survives a write that takes 300 ms"""
        self.assert_survived("pcm_writei@10=sleep 300")

    def test_resume(self):
        """fxrun survives a resume that must be repeated or is not supported"""
        for code in (EAGAIN, ENOSYS):
            with self.subTest(code=code):
                self.renew()
                self.assert_survived(f"pcm_writei@8={ESTRPIPE}", f"pcm_resume@1x3={code}")

    def test_lost(self):
        """fxrun survives errors while it plays, or ends with a message"""
        for fault in (f"pcm_writei@8={ENODEV}", f"pcm_writei@8={EIO}", f"pcm_writei@8={EBADFD}",
                      f"pcm_writei@8x*={EPIPE}", f"pcm_poll_descriptors_revents@5={EIO}",
                      f"pcm_avail_update@1={ENODEV}", f"pcm_delay@1={EIO}",
                      f"pcm_prepare@1={ENODEV}", f"pcm_drop@1={EIO}", f"pcm_close@1={EIO}"):
            with self.subTest(fault=fault):
                self.renew()
                more = [f"pcm_writei@8={EPIPE}"] if "prepare" in fault else []
                self.play_with(fault, *more)

    def test_bad_state(self):
        """after one bad state or error fxrun prepares the card again and survives"""
        for code in (EBADFD, EIO):
            with self.subTest(code=code):
                self.renew()
                self.assert_survived(f"pcm_writei@8={code}")

    def test_nonsense(self):
        """fxrun survives impossible results of a playing card, or ends with a message"""
        for access, write in (("rw", "pcm_writei"), ("mmap", "pcm_mmap_writei")):
            for fault in (f"{write}@8=100000", f"{write}@8=2147483647", f"{write}@8=-99999",
                          f"{write}@8x*=100000", "pcm_avail_update@9=9223372036854775807",
                          "pcm_avail_update@9=-9223372036854775808",
                          "pcm_poll_descriptors@5=100000", "pcm_delay@1x*=9223372036854775807"):
                with self.subTest(fault=fault, access=access):
                    self.renew()
                    self.play_with(fault, access=access)

    def test_nonsense_recorded(self):
        """fxrun survives impossible results of a recording card, or ends with a message"""
        for access, read in (("rw", "pcm_readi"), ("mmap", "pcm_mmap_readi")):
            for fault in (f"{read}@8=100000", f"{read}@8x*=2147483647", f"{read}@8=-99999",
                          "pcm_avail_update@9=9223372036854775807",
                          "pcm_poll_descriptors_count@1=-7"):
                with self.subTest(fault=fault, access=access):
                    self.renew()
                    self.card(access=access)
                    chain = self.folder / "record.json"
                    chain.write_text(
                        '{ "version": 1, "sampleRate": 48000,'
                        ' "chain": [ { "source": { "alsa": "card" } }, { "unit": "gain" } ] }')
                    outcome = self.play(
                        chain, "-o", self.folder / "take.wav", "--duration", "1",
                        environment=self.faults(fault)).end_or_interrupt(12)
                    self.assertFalse(outcome.was_hung, str(outcome))
                    self.assert_fired(outcome, fault)
                    self.assertIn(outcome.status, (0, 6), str(outcome))
