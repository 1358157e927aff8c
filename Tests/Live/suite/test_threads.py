"""Several threads that render each period together."""
import json
import time

from client import Client
from live import BINARY, LiveTest, input_of
from program import Program
from sound import write_wav
from table import retried


class WideChainTest(LiveTest):
    """Base of the tests of chains that need several threads."""

    period = 512
    # The nodes of a strip. About a hundred strips keep a machine busy.
    STRIP = [
        {"unit": "equalizer", "bands": [{"type": "peak", "frequency": 100 * (band + 1), "gain": 1}
                                        for band in range(8)]},
        {"unit": "amp"},
        {"unit": "limiter"},
    ]

    def wide(self, strip_count, device="card", has_echo=False, name="wide.json"):
        """A chain of parallel strips that plays on the device and writes its sound to a file."""
        nodes = {"in": {"source": "main"}, "sum": {"unit": "gain"},
                 "device": {"sink": {"alsa": device}},
                 "tap": {"sink": {"file": "tap.wav", "bits": 32}}}
        connections = ["sum -> device", "sum -> tap"]
        for strip in range(strip_count):
            path = [f"n{strip}.{number}".replace(".", "-") for number in range(len(self.STRIP))]
            nodes.update(zip(path, self.STRIP))
            connections.append(" -> ".join(["in", *path, "sum"]))
        if has_echo:
            nodes["echo"] = {"unit": "delay", "parameters": {"time": "0.2 s", "feedback": 0.8}}
            connections[0] = "sum -> echo -> device"
        file = self.folder / name
        file.write_text(json.dumps({
            "version": 1, "sampleRate": 48000, "blockSize": self.period, "tail": "0.2 s",
            "nodes": nodes, "connections": connections}))
        return file

    def strips_for(self, share):
        """The number of strips for which one thread needs this share of real time."""
        sound = self.sound(4)
        plain = self.folder / "one.wav"
        shares = []
        for count in (10, 60):
            document = json.loads(self.wide(count).read_text())
            document["nodes"].pop("device")
            document["nodes"].pop("tap")
            document["nodes"]["out"] = {"sink": "main"}
            document["connections"] = ["sum -> out", *document["connections"][2:]]
            chain = self.folder / "measured.json"
            chain.write_text(json.dumps(document))
            start = time.monotonic()
            outcome = Program(
                BINARY, [chain, sound, "-o", plain, "--bits", "32", "--threads", "1", "--json"],
                self.folder).end(120)
            self.assertEqual(outcome.status, 0, str(outcome))
            shares.append((time.monotonic() - start) / 4)
        strip = (shares[1] - shares[0]) / 50
        return int(share / strip) + 1

    def play_wide(self, count, seconds, threads):
        """Plays `count` strips; returns the card and the live summary."""
        card = self.card()
        chain, sound = self.wide(count), self.folder / "in.wav"
        write_wav(sound, input_of(seconds), 48000, 2)
        outcome = self.play(
            chain, sound, "--threads", str(threads), "--period", str(self.period),
            "--periods", "3").end(4 * seconds + 40)
        self.assertEqual(outcome.status, 0, str(outcome))
        return card, outcome.live


class ThreadTests(WideChainTest):
    """Several render threads."""

    @retried()
    def test_same_bits(self):
        """two threads play the same sound as one thread renders, to the bit"""
        card = self.card()
        chain, sound = self.wide(12), self.sound(2)
        outcome = self.play(chain, sound, "--threads", "2").end(20)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assert_calm(card)
        self.assert_starts_with(
            self.recorded, self.offline(chain, sound, "--threads", "1"), "what was played")

    @retried()
    def test_too_much_for_one(self):
        """a chain that is too much for one thread plays on two"""
        count = self.strips_for(1.5)
        shares = {}
        for threads in (1, 2):
            self.renew()
            card, live = self.play_wide(count, 4, threads)
            shares[threads] = live["blockTimes"]["p50"]
            if threads == 1:
                self.assertGreater(live["xruns"], 10)
            else:
                self.assert_calm(card)
                self.assertEqual(live["xruns"], 0)
        self.assertGreater(shares[1], 1.3)
        self.assertLess(shares[2], 0.95)

    @retried()
    def test_change(self):
        """a chain that is too much for one thread changes into another without an xrun"""
        count = self.strips_for(1.3)
        card = self.card()
        path = self.folder / "control.sock"
        first = self.wide(count, has_echo=True)
        second = self.wide(count, name="second.json")
        sound = self.folder / "in.wav"
        write_wav(sound, input_of(8), 48000, 2)
        program = self.play(
            first, sound, "--threads", "2", "--control", path, "--period", str(self.period),
            "--periods", "4")
        client = Client(path)
        self.addCleanup(client.close)
        self.assertTrue(program.wait_until(lambda: len(card.received) > 48000 * 8))
        # The old chain's echo sounds for seconds, so both chains are rendered at the same time.
        self.assertIn("loaded", client.ask(load=str(second)))
        outcome = program.end(60)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assert_calm(card)
        self.assertEqual(outcome.live["xruns"], 0)


class LongThreadTests(WideChainTest):
    """A minute of a chain that is too much for one thread."""

    is_long = True

    @retried()
    def test_minute(self):
        """two threads play a minute of 1.5 times the load of one without causing an xrun"""
        count = self.strips_for(1.5)
        card, live = self.play_wide(count, 60, 2)
        self.assert_calm(card)
        self.assertEqual(live["ownXruns"], 0)
