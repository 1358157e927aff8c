"""A fault while fxrun plays, and the assertions that hold for every fault."""
from live import LiveTest

FAULT = 48000
"""The frame at which each fault comes: after one second."""
LIMIT = 20
"""Seconds: longer than all of fxrun's own time limits for a device that does not respond."""


class FaultTest(LiveTest):
    """Base of the tests of single faults."""

    def play_through(self, *script, limit=LIMIT, seconds=2, options=(), **settings):
        """Plays through faults; asserts what must hold for every fault."""
        self.fault_card = self.card(script=[f"{FAULT} {line}" for line in script], **settings)
        self.fault_chain, self.fault_sound = self.chain(), self.sound(seconds)
        program = self.play(self.fault_chain, self.fault_sound, *options)
        outcome = program.end_or_interrupt(limit)
        self.render = self.offline(self.fault_chain, self.fault_sound)
        self.assertFalse(outcome.was_hung, str(outcome))
        if outcome.status not in (0, 130):
            self.assertEqual(outcome.status, 6, str(outcome))
            self.assertIsNotNone(outcome.failure, str(outcome))
            self.assertNotIn("\n", outcome.failure.strip())
        self.assert_recorded(outcome)
        return outcome

    def assert_recorded(self, outcome):
        """The file is complete after a success; otherwise it has what the card played."""
        recorded = self.recorded
        self.assertIsNotNone(recorded, f"no file: {outcome}")
        if outcome.status == 0 and not (outcome.summary or {}).get("wasStopped"):
            self.assertEqual(len(recorded), len(self.render))
        else:
            least = len(self.fault_card.received) - 2048 * 8
            self.assertGreaterEqual(len(recorded), least, "the file is shorter than what was heard")
        self.assert_starts_with(self.render, recorded, "the file beside the card")

    def assert_survived(self, outcome, xruns=0, suspensions=0, **events):
        """fxrun has played to the end, and reports each event once."""
        self.assertEqual(outcome.status, 0, str(outcome))
        if self.fault_card.ran_dry == 0:
            self.assertEqual(outcome.live["xruns"], xruns)
        self.assertEqual(outcome.live["suspensions"], suspensions)
        self.assert_events(outcome, xrun=xruns, suspended=suspensions, **events)
        self.assert_back_in_time()

    def assert_events(self, outcome, **expected):
        """Each event is reported exactly once, including xruns because the machine was late."""
        told = {}
        for event in outcome.summary["deviceEvents"]:
            if event["kind"] != "differs":
                told[event["kind"]] = told.get(event["kind"], 0) + event["count"]
        if self.fault_card.ran_dry:
            expected["xrun"] = expected.get("xrun", 0) + self.fault_card.ran_dry
        self.assertEqual(told, {kind: count for kind, count in expected.items() if count})

    def assert_back_in_time(self):
        """The sound is back within two periods after each reopening of the card."""
        opened = None
        for seconds, direction, _, words in self.fault_card.log:
            if words == "open" and direction == "play":
                opened = seconds
            elif words == "start" and opened is not None and direction == "play":
                if opened > self.fault_card.log[0][0]:
                    self.assertLess(seconds - opened, 2 * self.period / 48000)
                opened = None

    def assert_lost(self, outcome, most):
        """After the fault the card continues with the render; at most `most` frames are missing."""
        played, latency = self.fault_card.received, outcome.summary["latencyFrames"]
        before = (FAULT - latency) * 8
        self.assertEqual(played[latency * 8:FAULT * 8], self.render[:before])
        found = self.render.find(played[FAULT * 8:FAULT * 8 + 256], before)
        self.assertNotEqual(found, -1, "what comes after the fault was never rendered")
        self.assertLessEqual((found - before) // 8, most)
