"""Loop, volume, rest and --ab while a chain plays."""
import array

from live import UNITS, LiveTest, input_of
from sound import first_difference, floats, is_silent, read_wav, write_wav
from table import retried


class TransportTests(LiveTest):
    """Loop, volume, rest and two chains on a card."""

    def play_whole(self, chain, sound, card, *arguments):
        outcome = self.play(chain, sound, *arguments).end(20)
        self.assert_calm(card)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assertEqual(outcome.live["xruns"], 0)
        return outcome.summary

    @retried()
    def test_loop(self):
        """a loop plays its offline render to the bit"""
        card, chain, sound = self.card(), self.chain(), self.sound()
        arguments = [*self.option("--loop", "0.3-0.7"), "--duration", "2"]
        summary = self.play_whole(chain, sound, card, *arguments)
        offline = self.offline(chain, sound, *arguments)
        latency = summary["latencyFrames"]
        self.assert_starts_with(card.received[latency * 8:], offline, "what was played")
        self.assertEqual(self.recorded, offline)

    @retried()
    def test_volume(self):
        """the volume changes the card's sound, but not the recorded file"""
        card, chain, sound = self.card(), self.chain(), self.sound(1)
        summary = self.play_whole(chain, sound, card, *self.option("--volume", "-6dB"))
        offline = self.offline(chain, sound)
        self.assertEqual(self.recorded, offline)
        played = floats(card.received, "FLOAT_LE")[2 * summary["latencyFrames"]:]
        factor = array.array("f", [10 ** (-6 / 20)])[0]
        for left, right in zip(played, floats(offline, "FLOAT_LE")):
            self.assertAlmostEqual(left, right * factor, delta=1e-7)

    @retried()
    def test_rest(self):
        """with --rest fxrun does not render silence, and the sound after it is complete"""
        card, chain = self.card(), self.chain(UNITS[:1])
        silence = bytes(8 * 48000 * 2)
        sound = self.folder / "in.wav"
        write_wav(sound, input_of(0.5) + silence + input_of(0.5))
        self.play_whole(chain, sound, card, *self.option("--rest", "0.2"))
        offline = self.offline(chain, sound)
        frame = first_difference(self.recorded, offline, 8)
        worst = max(abs(left - right) for left, right in zip(
            floats(self.recorded, "FLOAT_LE"), floats(offline, "FLOAT_LE")))
        self.assertLess(worst, 4e-5, f"differs from frame {frame}")
        quiet = self.recorded[8 * 48000 * 2:8 * 48000 * 2 + 8 * 9600]
        self.assertTrue(is_silent(quiet), "it was rendered all the same")

    @retried()
    def test_two_chains(self):
        """with --ab the first chain is played, to the bit"""
        card = self.card("!default")
        first = self.folder / "first.json"
        second = self.folder / "second.json"
        head = '{ "version": 1, "sampleRate": 48000, "blockSize": 1024, "tail": "0.5 s", "chain": '
        first.write_text(head + '[ { "unit": "highPass" } ] }')
        second.write_text(head + '[ { "unit": "limiter" } ] }')
        sound = self.sound(1)
        summary = self.play_whole(first, sound, card, *self.option("--ab", second))
        target = self.folder / "offline.wav"
        outcome = self.play(first, sound, "-o", target, "--bits", "32").end(60)
        self.assertEqual(outcome.status, 0, str(outcome))
        latency = summary["latencyFrames"]
        self.assertGreater(latency, 0)
        rendered = floats(read_wav(target), "FLOAT_LE")
        played = floats(card.received[latency * 8:], "FLOAT_LE")[:len(rendered)]
        # Compared as numbers: mixing turns -0 into 0.
        self.assertEqual(list(played), list(rendered))
