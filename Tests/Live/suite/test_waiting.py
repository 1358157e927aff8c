"""Cards that are not there at the start, or return as others."""
import os

from card import write_definitions
from client import Client
from live import CARD_PLUGIN, LiveTest


class WaitingTests(LiveTest):
    """Waiting for cards."""

    def define(self, *cards):
        """Lets alsa-lib know these cards: it notices another file, not another second of the same."""
        new = self.folder / "new.conf"
        write_definitions(new, CARD_PLUGIN, cards)
        os.replace(new, self.folder / "asound.conf")

    def test_absent(self):
        """a card that is absent at the start is waited for, and all is played once it is there"""
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
        """without --on-lost wait a card that is absent is a sentence"""
        self.define()
        outcome = self.play(self.chain(), self.sound(1)).end(10)
        self.assertEqual(outcome.status, 6, str(outcome))
        self.assertIn("there is no such device", outcome.failure)

    def test_stop_while_waiting(self):
        """fxrun ends when it is asked to while it waits for a card"""
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
        """a card that returns at another rate plays on through ALSA's conversion; the file keeps its rate"""
        card = self.card(script=["48000 unplug 300"])
        chain, sound = self.chain(), self.sound(2)
        program = self.play(chain, sound, "--on-lost", "wait")
        self.assertTrue(program.wait_until(lambda: "\"lost\"" in self.stdout))
        # alsa-lib converts no rates between floats.
        card.settings.update(rates=[44100], formats=["S32_LE"])
        self.define(card)
        outcome = program.end(20)
        self.assertEqual(outcome.status, 0, str(outcome))
        returned = [event for event in outcome.events if event["event"] == "returned"]
        self.assertIn("44100 Hz", returned[0]["message"])
        self.assertEqual(self.recorded, self.offline(chain, sound))

    @property
    def stdout(self):
        return (self.folder / "stdout").read_text()
