"""Tests of the virtual card itself: the behaviour on which the other tests rely."""
import os
import time

import alsa
from card import write_definitions
from live import CARD_PLUGIN, LiveTest, input_of
from sound import first_difference, floats
from table import Disturbed, retried

WIDTH = 8


class CardTests(LiveTest):
    """The virtual card."""

    def setUp(self):
        super().setUp()
        # A real client has real-time priority. Without the right to it the tests rely on retries.
        before = os.sched_getscheduler(0)
        try:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(60))
        except PermissionError:
            return
        self.addCleanup(os.sched_setscheduler, 0, before, os.sched_param(0))

    def use(self, name="card", **settings):
        card = self.card(name, **settings)
        alsa.use_configuration(self.folder / "asound.conf")
        return card

    def play_all(self, pcm, data, period=512, width=WIDTH, ends_dry=False):
        for at in range(0, len(data), period * width):
            piece = data[at:at + period * width]
            try:
                pcm.write(piece, len(piece) // width)
            except alsa.Failure as failure:
                if failure.code != alsa.EPIPE or ends_dry:
                    raise
                raise Disturbed("the client was late") from failure

    @retried()
    def test_received(self):
        """the card records every frame that it plays, in real time"""
        card = self.use()
        data = input_of(1)[:48000 // 512 * 512 * WIDTH]
        start = time.monotonic()
        with alsa.PCM("card", alsa.PLAYBACK) as pcm:
            self.play_all(pcm, data)
            pcm.drain()
        seconds = time.monotonic() - start
        self.assert_calm(card)
        self.assertEqual(card.received, data)
        self.assertAlmostEqual(seconds, len(data) / WIDTH / 48000, delta=0.1)

    @retried()
    def test_loop(self):
        """played frames are captured to the sample, delayed by both reported delays"""
        card = self.use(loop=1, latency=37)
        data = input_of(1)
        captured = b""
        with alsa.PCM("card", alsa.PLAYBACK) as out, alsa.PCM("card", alsa.CAPTURE) as into:
            self.play_all(out, data[:4 * 512 * WIDTH])
            into.start()
            # At the same moment: the frames at the playback pointer and the captured frames so far.
            at = 4 * 512 - out.delay + 37
            behind = into.delay - 37
            for period in range(4, 40):
                try:
                    captured += into.read(512, WIDTH)
                except alsa.Failure as failure:
                    raise Disturbed("the client was late") from failure
                self.play_all(out, data[period * 512 * WIDTH:(period + 1) * 512 * WIDTH])
        self.assert_calm(card)
        start = captured.find(data[20 * 512 * WIDTH:][:64]) // WIDTH - 20 * 512
        self.assertGreater(start, -20 * 512, "nothing of it was captured")
        # Capture began when `at - behind` frames had passed the playback pointer.
        self.assertAlmostEqual(start, 74 - (at - behind), delta=48)
        begin = max(start, 0)
        same = first_difference(captured[begin * WIDTH:], data[(begin - start) * WIDTH:], WIDTH)
        self.assertIsNone(same)

    @retried()
    def test_odd(self):
        """an odd card has one rate, one format, one period, and a pointer that moves in steps"""
        card = self.use("odd", formats="S24_3LE", rates=[44100], period_min=441, period_max=441,
                        steps=49)
        for wrong in ({"rate": 48000}, {"sample_format": "FLOAT_LE"}, {"period": 512}):
            wanted = {"rate": 44100, "sample_format": "S24_3LE", "period": 441, **wrong}
            with self.assertRaises(alsa.Failure):
                alsa.PCM("odd", alsa.PLAYBACK, **wanted).close()
        data = bytes(range(1, 7)) * 441
        with alsa.PCM("odd", alsa.PLAYBACK, rate=44100, sample_format="S24_3LE",
                      period=441) as pcm:
            for _ in range(4):
                pcm.write(data, 441)
            try:
                seen = {pcm.available % 49 for _ in range(2000)}
            except alsa.Failure as failure:
                raise Disturbed("the client was late") from failure
            pcm.drain()
        self.assertEqual(seen, {0})
        self.assertEqual(card.received, data * 4)
        self.assertAlmostEqual(floats(data[:3], "S24_3LE")[0], 0x030201 / 2**23, places=6)

    @retried()
    def test_speed(self):
        """a fast card plays at a multiple of real time"""
        self.use(speed=10)
        data = input_of(2)
        with alsa.PCM("card", alsa.PLAYBACK, period=2048) as pcm:
            start = time.monotonic()
            self.play_all(pcm, data, 2048)
            pcm.drain()
        self.assertAlmostEqual(time.monotonic() - start, 0.2, delta=0.05)

    @retried()
    def test_clock(self):
        """the clock of a second card can differ by some ppm"""
        cards = [self.use("first"), self.use("second", ppm=20000)]
        write_definitions(self.folder / "asound.conf", CARD_PLUGIN, cards)
        seconds = []
        for card in cards:
            with alsa.PCM(card.name, alsa.PLAYBACK) as pcm:
                self.play_all(pcm, input_of(1))
                pcm.drain()
            self.assert_calm(card)
            times = {entry[3]: entry[0] for entry in card.log}
            seconds.append(times["stop"] - times["start"])
        self.assertAlmostEqual(seconds[0] / seconds[1], 1.02, delta=0.006)

    @retried()
    def test_exact_frame(self):
        """a fault in the script happens at its exact frame"""
        card = self.use(script=["5000 xrun"])
        with alsa.PCM("card", alsa.PLAYBACK) as pcm:
            with self.assertRaises(alsa.Failure) as caught:
                self.play_all(pcm, input_of(1), ends_dry=True)
            self.assertEqual(caught.exception.code, alsa.EPIPE)
            self.assertEqual(pcm.state, "XRUN")
        self.assertEqual(len(card.received), 5000 * WIDTH)

    @retried()
    def test_suspend(self):
        """a resume can return success while the card is still suspended"""
        self.use(script=["2000 suspend 100"])
        with alsa.PCM("card", alsa.PLAYBACK) as pcm:
            with self.assertRaises(alsa.Failure):
                self.play_all(pcm, input_of(1))
            self.assertEqual(pcm.state, "SUSPENDED")
            self.assertEqual((pcm.resume(), pcm.state), (0, "SUSPENDED"))
            time.sleep(0.12)
            self.assertEqual((pcm.resume(), pcm.state), (0, "RUNNING"))

    @retried()
    def test_unplug(self):
        """an unplugged card cannot be opened until it is plugged in again"""
        card = self.use(script=["2000 unplug"])
        with alsa.PCM("card", alsa.PLAYBACK) as pcm:
            with self.assertRaises(alsa.Failure) as caught:
                self.play_all(pcm, input_of(1))
            self.assertEqual((caught.exception.code, pcm.state), (-19, "DISCONNECTED"))
        with self.assertRaises(alsa.Failure):
            alsa.PCM("card", alsa.PLAYBACK)
        card.do("plug")
        alsa.PCM("card", alsa.PLAYBACK).close()
        card.do("busy 100")
        with self.assertRaises(alsa.Failure):
            alsa.PCM("card", alsa.PLAYBACK)

    @retried()
    def test_late(self):
        """a delayed wake-up comes late while the pointer moves on"""
        card = self.use(script=["2000 late 30"])
        with alsa.PCM("card", alsa.PLAYBACK, periods=8) as pcm:
            self.play_all(pcm, input_of(1)[:8 * 512 * WIDTH])
            waits = []
            for period in range(12):
                start = time.monotonic()
                pcm.wait(1000)
                waits.append(time.monotonic() - start)
                pcm.write(input_of(1)[:512 * WIDTH], 512)
        if card.ran_dry:
            raise Disturbed("late without being told")
        self.assertGreater(max(waits), 0.025)
        if sorted(waits)[-2] > 0.02:
            raise Disturbed("late without being told")

    @retried()
    def test_stall(self):
        """a stalled card wakes no client and reports no error"""
        self.use(script=["2000 stall 200"])
        with alsa.PCM("card", alsa.PLAYBACK) as pcm:
            self.play_all(pcm, input_of(1)[:4 * 512 * WIDTH])
            deadline = time.monotonic() + 1
            while pcm.available < 2000 - 512 and time.monotonic() < deadline:
                time.sleep(0.001)
            time.sleep(0.02)
            before = pcm.available
            time.sleep(0.1)
            self.assertEqual((pcm.available, pcm.state), (before, "RUNNING"))
