"""MIDI inputs, through a sequencer whose clients connect and disconnect."""
import json

from client import Client
from live import SEQUENCER_LIBRARY, LiveTest

MAP = [{"cc": 74, "parameter": "unit0.gain", "range": ["-12 dB", "0 dB"]}]


class MIDITests(LiveTest):
    """MIDI inputs and their senders."""

    def sequencer(self, *lines):
        """Adds lines to the script of the sequencer."""
        with open(self.folder / "sequencer.txt", "a") as script:
            script.writelines(line + "\n" for line in lines)

    @property
    def sequencer_log(self):
        log = self.folder / "sequencer.txt.log"
        return log.read_text().splitlines() if log.exists() else []

    def start(self, midi, *arguments, lines=()):
        self.card()
        self.sequencer(*lines)
        chain = self.chain([{"unit": "gain"}], **({"midi": midi} if midi else {}))
        environment = {
            "FXRUN_SEQUENCER": str(self.folder / "sequencer.txt"),
            "LD_PRELOAD": str(SEQUENCER_LIBRARY)}
        return self.play(
            chain, self.sound(30), "--control", self.folder / "control.sock", *arguments,
            environment=environment)

    def client(self):
        client = Client(self.folder / "control.sock")
        self.addCleanup(client.close)
        return client

    def assert_waiting(self, program):
        """fxrun reports that it waits for a MIDI sender."""
        stdout = self.folder / "stdout"
        self.assertTrue(program.wait_until(lambda: "midi-waiting" in stdout.read_text()))

    def stopped(self, client, program):
        client.ask(stop=True)
        outcome = program.end(10)
        # 130: it stopped before the end of the sound.
        self.assertEqual(outcome.status, 130, str(outcome))
        return outcome

    def assert_gain(self, program, client, gain):
        def has_arrived():
            value = client.ask(get="unit0.gain").get("value")
            return value is not None and abs(value - gain) < 0.01
        self.assertTrue(program.wait_until(has_arrived), str(client.ask(get="unit0.gain")))

    def test_absent(self):
        """a chain starts without its MIDI sender, and connects it when it appears or returns"""
        program = self.start({"from": "nanoKONTROL:0", "map": MAP})
        client = self.client()
        client.ask(watch=True)
        self.assert_waiting(program)
        self.sequencer("client 20 nanoKONTROL", "midi 20 b0 4a 00")
        self.assertIsNotNone(client.event("midi-connected"))
        self.sequencer("midi 20 b0 4a 00")
        self.assert_gain(program, client, -12)
        self.sequencer("gone 20")
        self.assertIsNotNone(client.event("midi-lost"))
        client.events.clear()
        # It returns with another number.
        self.sequencer("client 24 nanoKONTROL2")
        self.assertIsNotNone(client.event("midi-connected"))
        self.sequencer("midi 24 b0 4a 7f")
        self.assert_gain(program, client, 0)
        outcome = self.stopped(client, program)
        self.assertEqual(
            [event["event"] for event in outcome.events if event["event"].startswith("midi")],
            ["midi-waiting", "midi-connected", "midi-lost", "midi-connected"])
        self.assertEqual(self.sequencer_log.count("close"), self.sequencer_log.count("open"))

    def test_number(self):
        """a sender that is given by its number is connected when it appears"""
        program = self.start({"from": "20:0", "map": MAP}, lines=["client 16 other"])
        client = self.client()
        client.ask(watch=True)
        self.assert_waiting(program)
        self.sequencer("client 20 keys")
        self.assertIsNotNone(client.event("midi-connected"))
        self.stopped(client, program)

    def test_present(self):
        """a sender that is present is connected without an event"""
        program = self.start({"from": "keys", "map": MAP}, lines=["client 20 keys"])
        client = self.client()
        self.assertTrue(program.wait_until(lambda: "connect 20:0" in self.sequencer_log))
        self.sequencer("midi 20 b0 4a 00")
        self.assert_gain(program, client, -12)
        outcome = self.stopped(client, program)
        self.assertEqual(
            [event for event in outcome.events if event["event"].startswith("midi")], [])

    def test_reload(self):
        """a chain can be reloaded with an absent or a different sender while it records"""
        program = self.start(None, lines=["client 20 keys"])
        client = self.client()
        client.ask(watch=True)
        chain = self.folder / "chain.json"
        document = json.loads(chain.read_text())
        for sender, event in (("nanoKONTROL:0", "midi-waiting"), ("keys", "midi-connected")):
            document["midi"] = {"from": sender, "map": MAP}
            chain.write_text(json.dumps(document))
            self.assertIn("loaded", client.ask(load=True))
            self.assertIsNotNone(client.event(event))
        self.sequencer("midi 20 b0 4a 00")
        self.assert_gain(program, client, -12)
        self.stopped(client, program)
        self.assertIsNotNone(self.recorded)

    def test_flood(self):
        """after a flood of controller messages the last value applies"""
        program = self.start({"from": "keys", "map": MAP}, lines=["client 20 keys"])
        client = self.client()
        self.assertTrue(program.wait_until(lambda: "connect 20:0" in self.sequencer_log))
        values = [(index * 37) % 128 for index in range(20000)] + [0]
        self.sequencer(*(f"midi 20 b0 4a {value:x}" for value in values))
        self.assert_gain(program, client, -12)
        self.stopped(client, program)

    def test_without_sequencer(self):
        """without a sequencer a chain plays, and a warning says that no mapping works"""
        self.card()
        chain = self.chain([{"unit": "gain"}], midi={"from": "keys:0", "map": MAP})
        outcome = self.play(
            chain, self.sound(1), environment={"LD_PRELOAD": str(SEQUENCER_LIBRARY)}).end(20)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assertTrue(any("snd-seq" in text for text in outcome.summary["warnings"]))
