"""A fault while fxrun plays, and what has to hold whatever it is."""
from live import LiveTest

FAULT = 48000
"""The frame at which each fault comes: after one second."""
LIMIT = 20
"""Seconds: longer than every limit of fxrun's own for a device that does not answer."""


class FaultTest(LiveTest):
    """Base of the tests of single faults."""

    def play_through(self, *script, limit=LIMIT, seconds=2, options=(), **settings):
        """Plays through faults; asserts what holds for each of them."""
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
        """The file has all that was rendered: everything, or at least what the card has taken."""
        recorded = self.recorded
        self.assertIsNotNone(recorded, f"no file: {outcome}")
        if outcome.status == 0 and not (outcome.summary or {}).get("wasStopped"):
            self.assertEqual(len(recorded), len(self.render))
        else:
            least = len(self.fault_card.received) - 2048 * 8
            self.assertGreaterEqual(len(recorded), least, "the file is shorter than what was heard")
        self.assert_starts_with(self.render, recorded, "the file beside the card")

    def assert_survived(self, outcome, xruns=0, suspensions=0, **events):
        """It has played to the end, and says what was, each once."""
        self.assertEqual(outcome.status, 0, str(outcome))
        if self.fault_card.ran_dry == 0:
            self.assertEqual(outcome.live["xruns"], xruns)
        self.assertEqual(outcome.live["suspensions"], suspensions)
        self.assert_events(outcome, xrun=xruns, suspended=suspensions, **events)
        self.assert_back_in_time()

    def assert_events(self, outcome, **expected):
        """Every event is told, and none twice; what the machine was late for is counted as well."""
        told = {}
        for event in outcome.summary["deviceEvents"]:
            if event["kind"] != "differs":
                told[event["kind"]] = told.get(event["kind"], 0) + event["count"]
        if self.fault_card.ran_dry:
            expected["xrun"] = expected.get("xrun", 0) + self.fault_card.ran_dry
        self.assertEqual(told, {kind: count for kind, count in expected.items() if count})

    def assert_back_in_time(self):
        """Sound is back within two periods of each time at which the card was opened again."""
        opened = None
        for seconds, direction, _, words in self.fault_card.log:
            if words == "open" and direction == "play":
                opened = seconds
            elif words == "start" and opened is not None and direction == "play":
                if opened > self.fault_card.log[0][0]:
                    self.assertLess(seconds - opened, 2 * self.period / 48000)
                opened = None

    def assert_lost(self, outcome, most):
        """After the fault the card goes on with what was rendered, but for so many frames."""
        played, latency = self.fault_card.received, outcome.summary["latencyFrames"]
        before = (FAULT - latency) * 8
        self.assertEqual(played[latency * 8:FAULT * 8], self.render[:before])
        found = self.render.find(played[FAULT * 8:FAULT * 8 + 256], before)
        self.assertNotEqual(found, -1, "what comes after the fault was never rendered")
        self.assertLessEqual((found - before) // 8, most)
