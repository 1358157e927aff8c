"""Cards that are absent at the start, or return with different settings."""
import os

from card import write_definitions
from client import Client
from live import CARD_PLUGIN, LiveTest


class WaitingTests(LiveTest):
    """Waiting for cards."""

    def define(self, *cards):
        """Defines these cards in a new file, so that alsa-lib notices the change."""
        new = self.folder / "new.conf"
        write_definitions(new, CARD_PLUGIN, cards)
        os.replace(new, self.folder / "asound.conf")

    def test_absent(self):
        """with --on-lost wait fxrun waits for a card that is absent at the start, then plays all"""
        card = self.card()
        self.define()
        chain, sound = self.chain(), self.sound(1)
        program = self.play(chain, sound, "--on-lost", "wait")
        self.assertTrue(program.wait_until(lambda: "absent" in self.stdout))
        self.define(card)
        outcome = program.end(20)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assertEqual(
            [event["event"] for event in outcome.events][:2], ["absent", "returned"])
        self.assertEqual(self.recorded, self.offline(chain, sound))

    def test_absent_unasked(self):
        """without --on-lost wait an absent card is reported with a message"""
        self.define()
        outcome = self.play(self.chain(), self.sound(1)).end(10)
        self.assertEqual(outcome.status, 6, str(outcome))
        self.assertIn("there is no such device", outcome.failure)

    def test_stop_while_waiting(self):
        """fxrun control stop ends fxrun while it waits for a card"""
        self.define()
        path = self.folder / "control.sock"
        program = self.play(
            self.chain(), self.sound(1), "--on-lost", "wait", "--control", path)
        client = Client(path)
        self.addCleanup(client.close)
        self.assertEqual(client.ask(stop=True), {"ok": True})
        outcome = program.end(10)
        self.assertEqual(outcome.status, 6, str(outcome))
        self.assertIn("'card'", outcome.failure)

    def test_other_rate(self):
        """a card that returns with a different rate is played through ALSA's conversion"""
        card = self.card(script=["48000 unplug 300"])
        chain, sound = self.chain(), self.sound(2)
        program = self.play(chain, sound, "--on-lost", "wait")
        self.assertTrue(program.wait_until(lambda: "\"lost\"" in self.stdout))
        # alsa-lib does not convert the rate of floats.
        card.settings.update(rates=[44100], formats=["S32_LE"])
        self.define(card)
        outcome = program.end(20)
        self.assertEqual(outcome.status, 0, str(outcome))
        returned = [event for event in outcome.events if event["event"] == "returned"]
        self.assertIn("44100 Hz", returned[0]["message"])
        self.assertEqual(self.recorded, self.offline(chain, sound))

    def test_one_channel(self):
        """a card that returns with one channel is played through ALSA's conversion"""
        card = self.card(script=["48000 unplug 300"])
        chain, sound = self.chain(), self.sound(2)
        program = self.play(chain, sound, "--on-lost", "wait")
        self.assertTrue(program.wait_until(lambda: "\"lost\"" in self.stdout))
        card.settings.update(channels=[1])
        self.define(card)
        outcome = program.end(20)
        self.assertEqual(outcome.status, 0, str(outcome))
        returned = [event for event in outcome.events if event["event"] == "returned"]
        self.assertIn("with 1 channel, which ALSA converts", returned[0]["message"])
        self.assertEqual(self.recorded, self.offline(chain, sound))

    def test_unusable(self):
        """a card that returns with a format that cannot be converted is reported once"""
        card = self.card(script=["48000 unplug 300"])
        program = self.play(self.chain(), self.sound(2), "--on-lost", "wait")
        self.assertTrue(program.wait_until(lambda: "\"lost\"" in self.stdout))
        # Neither fxrun nor plug reads these.
        card.settings.update(formats=["DSD_U8"])
        self.define(card)
        self.assertTrue(program.wait_until(lambda: "unusable" in self.stdout))
        opened = card.count("open")
        program.wait_until(lambda: False, 2.5)
        self.assertLess(card.count("open") - opened, 12, "it is opened again all the time")
        program.interrupt()
        outcome = program.end(5)
        self.assertFalse(outcome.was_hung, str(outcome))
        names = [event["event"] for event in outcome.events]
        self.assertEqual(names.count("unusable"), 1, names)

    @property
    def stdout(self):
        return (self.folder / "stdout").read_text()
