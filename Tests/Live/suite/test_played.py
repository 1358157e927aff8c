"""A played chain sounds the same as its offline render."""
import subprocess

from live import BINARY, REPOSITORY, UNITS, LiveTest
from sound import first_difference, floats, is_silent
from table import retried


class PlayedTests(LiveTest):
    """Live is equal to offline."""

    def play_whole(self, chain, sound, card, *arguments):
        """Plays to the end without an xrun; returns the summary."""
        outcome = self.play(chain, sound, *arguments).end(20)
        self.assert_calm(card)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assertEqual(outcome.live["xruns"], 0)
        return outcome.summary

    def assert_played(self, card, offline, latency, width=8):
        """The card has played silence for the latency, then the offline render, then silence."""
        played = card.received
        self.assertTrue(is_silent(played[:latency * width]), "no silence in place of the latency")
        self.assert_starts_with(played[latency * width:], offline, "what was played", width)
        end = latency * width + len(offline) + self.period * width
        self.assertTrue(is_silent(played[end:]), "it plays on after the end")

    @retried()
    def test_bits(self):
        """a chain with latency, memory and tail plays the offline render to the bit"""
        card, chain, sound = self.card(), self.chain(), self.sound()
        summary = self.play_whole(chain, sound, card)
        offline = self.offline(chain, sound)
        self.assert_played(card, offline, summary["latencyFrames"])
        self.assertEqual(self.recorded, offline, "the file beside it is not the offline render")

    @retried()
    def test_example_chains(self):
        """the podcast-voice and mastering chains play their offline renders to the bit"""
        for name in ("podcast-voice", "mastering"):
            self.renew()
            card, sound = self.card(), self.sound()
            chain = self.chain([{"use": str(REPOSITORY / f"chains/{name}.json")}], tap=False)
            summary = self.play_whole(chain, sound, card)
            self.assert_played(card, self.offline(chain, sound), summary["latencyFrames"])

    def test_every_example(self):
        """every example chain with one input, one output and no LV2 plugin can be played"""
        refused = []
        for chain in sorted((REPOSITORY / "chains").glob("*.json")):
            if chain.name.endswith(".test.json"):
                continue
            document = chain.read_text()
            if any(word in document for word in ('"lv2"', '"source"', '"sink"')):
                continue
            self.renew()
            self.card("!default")
            outcome = self.play(chain, self.sound(0.5), "--duration", "0.2").end(10)
            if outcome.status != 0:
                refused.append(f"{chain.stem}: {outcome}")
        self.assertEqual(refused, [])

    @retried()
    def test_small_period(self):
        """with a small period in a large buffer, a chain plays the offline render to the bit"""
        self.period = 64
        card = self.card(period_min=64, period_max=64, periods_min=16)
        chain, sound = self.chain(UNITS[:2]), self.sound(1)
        summary = self.play_whole(chain, sound, card)
        self.assert_played(card, self.offline(chain, sound), summary["latencyFrames"])

    @retried()
    def test_channels(self):
        """a card of eight channels plays stereo on its first two"""
        card, chain, sound = self.card(channels=8), self.chain(), self.sound(1)
        summary = self.play_whole(chain, sound, card)
        offline = self.offline(chain, sound)
        latency, received = summary["latencyFrames"], card.received
        frames = [received[at:at + 32] for at in range(latency * 32, len(received), 32)]
        self.assertEqual(b"".join(frame[:8] for frame in frames)[:len(offline)], offline)
        self.assertTrue(is_silent(b"".join(frame[8:] for frame in frames)))

    @retried()
    def test_formats(self):
        """in 16, 24 and 32 bits a card plays the offline render within the dither"""
        for sample_format, least in (
                ("S16_LE", 2**-15), ("S24_3LE", 2**-23), ("S24_LE", 2**-23), ("S32_LE", 2**-23)):
            self.renew()
            card, chain, sound = self.card(formats=sample_format), self.chain(), self.sound(0.5)
            summary = self.play_whole(chain, sound, card)
            played = floats(card.received, sample_format)[2 * summary["latencyFrames"]:]
            offline = floats(self.offline(chain, sound), "FLOAT_LE")
            self.assertGreaterEqual(len(played), len(offline))
            worst = max(abs(left - right) for left, right in zip(played, offline))
            self.assertLessEqual(worst, 2 * least, sample_format)

    @retried()
    def test_odd_card(self):
        """a card with only one, unusual rate, format and period is played at its own rate"""
        card = self.card(formats="S24_3LE", rates=[44100], period_min=441, period_max=441, steps=49)
        chain, sound = self.chain(), self.sound(1)
        summary = self.play_whole(chain, sound, card)
        self.assertEqual(summary["sampleRate"], 44100)
        self.assertEqual(summary["live"]["periodFrames"], 441)
        offline = floats(
            self.offline(chain, sound, "--block-size", "1024", rate=44100), "FLOAT_LE")
        played = floats(card.received, "S24_3LE")[2 * summary["latencyFrames"]:]
        worst = max(abs(left - right) for left, right in zip(played, offline))
        self.assertLessEqual(worst, 2 * 2**-23)

    @retried()
    def test_no_mmap(self):
        """a card without mmap plays the offline render to the bit"""
        card, chain, sound = self.card(access="rw"), self.chain(), self.sound(0.5)
        summary = self.play_whole(chain, sound, card)
        self.assert_played(card, self.offline(chain, sound), summary["latencyFrames"])

    def test_fast(self):
        """a card at ten times real time plays half a minute in three seconds"""
        card = self.card(speed=10)
        chain, sound = self.chain(tap=False), self.sound(30)
        outcome = self.play(chain, sound).end(20)
        self.assertEqual(outcome.status, 0, str(outcome))
        offline = self.offline(chain, sound)
        if not card.ran_dry:
            self.assert_played(card, offline, outcome.summary["latencyFrames"])
        self.assertLess(outcome.seconds, 5)

    @retried()
    def test_stopped(self):
        """up to the fade after Ctrl-C, the card has played the offline render"""
        card, chain, sound = self.card(), self.chain(), self.sound(3)
        program = self.play(chain, sound)
        program.wait_until(lambda: len(card.received) > 48000 * 8)
        program.interrupt()
        outcome = program.end(3)
        self.assert_calm(card)
        offline, played = self.offline(chain, sound), card.received
        latency = outcome.summary["latencyFrames"]
        frame = first_difference(played[latency * 8:], offline, 8)
        self.assertIsNotNone(frame)
        rest = floats(played[(latency + frame) * 8:], "FLOAT_LE")
        self.assertTrue(is_silent(rest[2 * 480:].tobytes()), "it goes on after the fade")
        steps = [abs(left - right) for left, right in zip(rest, rest[2:])]
        self.assertLess(max(steps[-2 * 2048:]), 0.6)

    def test_exact_bits(self):
        """in 16 and 24 bits a chain with latency plays the offline file to the bit"""
        for sample_format, bits, options in (
                ("S16_LE", 16, []), ("S16_LE", 16, ["--no-dither"]), ("S24_3LE", 24, [])):
            with self.subTest(format=sample_format, options=options):
                self.renew()
                card = self.card(formats=sample_format)
                chain, sound = self.chain(tap=False), self.sound(1)
                outcome = self.play(chain, sound, *options).end(20)
                self.assertEqual(outcome.status, 0, str(outcome))
                self.assert_calm(card)
                latency = outcome.summary["latencyFrames"]
                self.assertGreater(latency, 0)
                target = self.folder / "exact.wav"
                status = subprocess.run(
                    [BINARY, chain, sound, "-o", target, "--bits", str(bits), "-q", *options],
                    cwd=self.folder, timeout=60).returncode
                self.assertEqual(status, 0)
                content = target.read_bytes()
                data = content[content.index(b"data") + 8:]
                start = latency * 2 * bits // 8
                self.assertTrue(card.received[start:start + len(data)] == data, "other bits")
