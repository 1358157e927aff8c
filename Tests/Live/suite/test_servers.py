"""Playing through the sound servers of a desktop or a studio."""
import signal
import time

import servers
from card import write_definitions
from live import CARD_PLUGIN, LiveTest
from sound import first_difference, read_wav
from table import Disturbed, retried


class ServerTest(LiveTest):
    """Base of the tests with a server."""

    period = 512
    environment_names = ("JACK_DEFAULT_SERVER", "XDG_RUNTIME_DIR", "PIPEWIRE_RUNTIME_DIR")

    def serve(self, start, device):
        """Starts the server and sets up its device for `play_through`."""
        folder = self.folder / "server"
        folder.mkdir()
        self.server = start(folder, self.period)
        self.addCleanup(self.server.stop)
        write_definitions(self.folder / "asound.conf", CARD_PLUGIN, [], self.server.definition)
        self.environment = {
            name: self.server.environment[name] for name in self.environment_names
            if name in self.server.environment}
        self.device = device

    def play_through(self, seconds=2, *options):
        self.live_chain = self.chain(device=self.device)
        return self.play(
            self.live_chain, self.sound(seconds), *options, environment=self.environment)

    def play_through_restart(self, start):
        """fxrun waits for a killed server and continues when it is started again."""
        self.serve(start, start.__name__)
        program = self.play_through(6, *self.option("--on-lost", "wait"))
        time.sleep(1.5)
        self.server.kill()
        self.server.stop()
        time.sleep(1)
        again = start(self.server.folder, self.period)
        self.addCleanup(again.stop)
        outcome = program.end(25)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assertEqual(outcome.live["returns"], 1)
        kinds = [event["kind"] for event in outcome.summary["deviceEvents"]]
        self.assertEqual((kinds.count("lost"), kinds.count("returned")), (1, 1), kinds)
        self.assertEqual(
            self.recorded, self.offline(self.live_chain, self.folder / "in.wav"))

    def assert_in_time(self, outcome):
        """The file is complete and no block took longer than its period; otherwise Disturbed."""
        self.assertEqual(outcome.status, 0, str(outcome))
        live = outcome.live
        if live["maximumBlockSeconds"] > live["blockSeconds"]:
            raise Disturbed("a block was interrupted for longer than its period")
        self.assertEqual(
            self.recorded, self.offline(self.live_chain, self.folder / "in.wav"))
        return live

    def assert_told(self, program, limit=4):
        """fxrun ends in time, by itself with a message or after Ctrl-C, and keeps the file."""
        outcome = program.end_or_interrupt(limit)
        self.assertFalse(outcome.was_hung, str(outcome))
        if outcome.status not in (0, 130):
            self.assertEqual(outcome.status, 6, str(outcome))
            self.assertIsNotNone(outcome.failure)
        self.assertIsNotNone(self.recorded, f"no file: {outcome}")
        return outcome


class JACKTests(ServerTest):
    """Through jackd and its dummy driver."""

    def setUp(self):
        super().setUp()
        lacking = servers.missing("jack", "jackd", "jack_lsp")
        if lacking:
            self.skipTest(lacking)

    @retried()
    def test_plays(self):
        """a chain plays in time"""
        self.serve(servers.jack, "jack")
        live = self.assert_in_time(self.play_through().end(10))
        if live["xruns"]:
            raise Disturbed(f"{live['xruns']} late wake-ups")
        self.assertEqual(live["periodFrames"], 512)
        self.server.stop()

    def test_killed(self):
        """when the server is killed, fxrun ends with a message"""
        self.serve(servers.jack, "jack")
        program = self.play_through(10)
        time.sleep(1)
        self.server.kill()
        self.assert_told(program)

    def test_back(self):
        """fxrun waits for a killed server and plays when it is started again"""
        self.play_through_restart(servers.jack)

    def test_absent(self):
        """an absent server is reported with a message"""
        self.serve(servers.jack, "jack")
        self.server.stop()
        outcome = self.play_through().end(5)
        self.assertEqual(outcome.status, 6, str(outcome))


class PipeWireTests(ServerTest):
    """Through PipeWire and a null sink."""

    def setUp(self):
        super().setUp()
        lacking = servers.missing(
            "pipewire", "pipewire", "wireplumber", "pw-cli", "pw-record", "dbus-run-session")
        if lacking:
            self.skipTest(lacking)

    @retried()
    def test_plays(self):
        """the sink's monitor gives the offline render to the bit"""
        self.serve(servers.pipewire, "pipewire")
        file = self.folder / "monitor.wav"
        recorder = self.server.start(
            "pw-record", "-P", "{ stream.capture.sink = true }", "--target", "fxrun-sink",
            "--format", "f32", "--rate", "48000", "--channels", "2", str(file))
        self.server.wait_for("pw-record", "pw-link", "-o", "-l")
        live = self.assert_in_time(self.play_through().end(10))
        time.sleep(0.3)
        recorder.send_signal(signal.SIGINT)
        recorder.wait(5)
        self.server.stop()
        if live["xruns"]:
            raise Disturbed(f"{live['xruns']} late wake-ups")
        heard, offline = read_wav(file), self.recorded
        start = heard.find(offline[48000:48000 + 800])
        self.assertNotEqual(start, -1, "nothing of it was heard")
        if start < 48000 or len(heard) < start - 48000 + len(offline):
            raise Disturbed("the recorder was late")
        heard = heard[start - 48000:][:len(offline)]
        frame = first_difference(heard, offline, 8)
        if frame is not None and self.is_skip(heard, offline, frame):
            raise Disturbed(f"the server has left something out at frame {frame}")
        self.assertIsNone(frame, f"the monitor differs from frame {frame}")

    @staticmethod
    def is_skip(heard, offline, frame):
        """Whether the rest of the render follows later or earlier, unchanged."""
        later_piece = heard[(frame + 4096) * 8:][:800]
        return len(later_piece) == 800 and later_piece in offline

    def test_killed(self):
        """when the server is killed, fxrun ends with a message"""
        self.serve(servers.pipewire, "pipewire")
        program = self.play_through(10)
        time.sleep(1)
        self.server.kill()
        self.assert_told(program)

    def test_sink_gone(self):
        """fxrun notices a removed sink, for which there is no error"""
        self.serve(servers.pipewire, "pipewire")
        program = self.play_through(10)
        time.sleep(1)
        self.server.ask("pw-cli", "destroy", "fxrun-sink")
        self.assert_told(program)

    def test_back(self):
        """fxrun waits for a killed server and plays when it is started again"""
        self.play_through_restart(servers.pipewire)

    def test_absent(self):
        """an absent server is reported with a message"""
        self.serve(servers.pipewire, "pipewire")
        self.server.stop()
        outcome = self.play_through().end(8)
        self.assertEqual(outcome.status, 6, str(outcome))
