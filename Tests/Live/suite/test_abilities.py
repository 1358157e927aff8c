"""Abilities of a live engine besides playing files."""
import json
import pathlib
import re

from live import BINARY, LiveTest
from program import Program
from sound import floats
from table import Disturbed, retried



class AbilityTests(LiveTest):
    """Abilities."""

    def ask(self, *arguments):
        """The output of fxrun for these arguments."""
        outcome = Program(BINARY, arguments, self.folder).end(5)
        self.assertEqual(outcome.status, 0, str(outcome))
        return outcome.output

    def duplex(self, playing, recording, **more):
        """A chain that plays its input on one card and records the other into `tap`."""
        nodes = {
            "in": {"source": "main"}, "device": {"sink": {"alsa": playing}},
            "mic": {"source": {"alsa": recording}}, "tap": {"sink": {"file": "tap.wav", "bits": 32, "align": False}}}
        chain = self.folder / "duplex.json"
        chain.write_text(json.dumps({
            "version": 1, "sampleRate": 48000, "blockSize": self.period, "nodes": nodes,
            "connections": ["in -> device", "mic -> tap"], **more}))
        return chain

    @retried()
    def test_memory(self):
        """the render thread has no page faults"""
        card = self.card()
        outcome = self.play(self.chain(), self.sound(2)).end(10)
        self.assert_calm(card)
        self.assertEqual(outcome.summary["pageFaults"], 0)

    def test_devices(self):
        """fxrun devices lists the cards with their abilities"""
        self.card(formats="S24_3LE", rates=[44100])
        text = self.ask("devices")
        self.assertIn("card", text)
        self.assertIn("44100", text)

    def test_two_periods(self):
        """a buffer of two periods plays without an xrun"""
        self.card()
        outcome = self.play(self.chain(), self.sound(1), *self.option("--periods", 2)).end(10)
        self.assertEqual(outcome.live["bufferFrames"], 2 * self.period)

    def test_mmap(self):
        """fxrun uses mmap if the card supports it"""
        card = self.card(access="mmap")
        outcome = self.play(self.chain(), self.sound(0.5)).end(10)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assertEqual(card.count("agreed .* MMAP_INTERLEAVED"), 1)

    @retried()
    def test_round_trip(self):
        """the reported round trip is equal to the measured one, to the frame"""
        card = self.card(loop=1, latency=53)
        sound = self.sound(2)
        outcome = self.play(self.duplex("card", "card"), sound).end(10)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assert_calm(card)
        piece = sound.read_bytes()[-48000 * 8:][:1024]
        at, found = sound.read_bytes().find(piece), (self.folder / "tap.wav").read_bytes().find(piece)
        self.assertNotEqual(found, -1, "what was played was not recorded")
        header = (self.folder / "tap.wav").read_bytes().index(b"data") + 8
        measured = ((found - header) - (at - sound.read_bytes().index(b"data") - 8)) // 8
        self.assertEqual(outcome.live["roundTripFrames"], measured)

    @retried()
    def test_two_clocks(self):
        """two cards 300 ppm apart run without an xrun, eight times as fast as real ones"""
        self.sound(2)
        self.period = 1024
        near = self.card("near", speed=8)
        far = self.card("far", speed=8, ppm=300, input=self.folder / "in.wav")
        outcome = self.play(
            self.duplex("near", "far"), self.sound(60), *self.option("--periods", 4)).end(20)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assert_calm(near)
        self.assert_calm(far)
        self.assertEqual(outcome.live["xruns"], 0)
        self.assertAlmostEqual(outcome.live["driftPartsPerMillion"], 300, delta=30)

    def test_said(self):
        """an xrun is reported in one line"""
        self.card(script=["24000 xrun"])
        program = Program(BINARY, [self.chain(), self.sound(1)], self.folder)
        errors = program.end(10).errors
        self.assertEqual(len([line for line in errors.splitlines() if "card" in line]), 1, errors)

    @retried()
    def test_reload(self):
        """after SIGHUP fxrun reads the chain again and plays it"""
        card = self.card()
        unit = {"unit": "gain", "id": "level", "parameters": {"gain": "0 dB"}}
        chain = self.chain([unit], tap=False)
        program = self.play(chain, self.sound(3))
        program.wait_until(lambda: len(card.received) > 48000 * 8)
        self.chain([{**unit, "parameters": {"gain": "-40 dB"}}], tap=False)
        program.reload()
        outcome = program.end(10)
        self.assertEqual(outcome.status, 0, str(outcome))
        played = floats(card.received, "FLOAT_LE")
        self.assertGreaterEqual(len(played), 2 * 3 * 48000)
        self.assertLess(max(played[2 * 2 * 48000:]), 0.01)

    def test_control(self):
        """a playing chain can be controlled"""
        self.assertIn("fxrun control", self.ask("control", "--help"))

    def test_percentiles(self):
        """the summary has the distribution of the block times"""
        self.card()
        outcome = self.play(self.chain(), self.sound(0.5)).end(10)
        times = outcome.live["blockTimes"]
        self.assertGreater(times["p50"], 0)
        self.assertEqual(
            sorted(times.values()), [times[name] for name in ("p50", "p99", "p999", "max")])
        longest = outcome.live["maximumBlockSeconds"] / outcome.live["blockSeconds"]
        self.assertAlmostEqual(times["max"], longest, places=9)

    @retried()
    def test_waits(self):
        """the render thread waits for the card and for nothing else"""
        card = self.card()
        outcome = self.play(self.chain(), self.sound(2)).end(10)
        self.assert_calm(card)
        if outcome.live["starvedFrames"]:
            raise Disturbed("the file was not read in time")
        self.assertGreater(outcome.live["voluntarySwitches"], 40)
        self.assertEqual(outcome.live["otherWaits"], 0)

    def test_processor(self):
        """the render thread runs on the processor that --cpu names"""
        card = self.card()
        program = self.play(self.chain(), self.sound(2), *self.option("--cpu", 0))
        self.assertTrue(program.wait_until(lambda: card.count("start")))
        self.assertIn("0", [allowed for allowed in self.allowed(program)])
        self.assertEqual(program.end(10).status, 0)

    @staticmethod
    def allowed(program):
        """The processors on which each thread may run."""
        for status in pathlib.Path(f"/proc/{program.process.pid}/task").glob("*/status"):
            yield re.search(r"^Cpus_allowed_list:\s*(\S+)", status.read_text(), re.M)[1]

    def test_no_such_processor(self):
        """a missing or wrong processor in --cpu is reported with a message"""
        self.card()
        outcome = self.play(self.chain(), self.sound(0.5), "--cpu", "1023").end(10)
        self.assertNotEqual(outcome.status, 0)
        self.assertIn("--cpu", outcome.failure)
        for wrong in ("x", "3-2", "-1", "1,,2", "5000", ""):
            outcome = self.play(self.chain(), self.sound(0.5), f"--cpu={wrong}").end(10)
            self.assertEqual(outcome.status, 64, f"{wrong}: {outcome}")
            self.assertIn("--cpu", outcome.failure)
