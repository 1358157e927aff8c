"""Long runs for an otherwise idle computer: `scripts/test-live --long`."""
import json
import os
import signal
import time

import servers
from live import REPOSITORY, LiveTest
from sound import FLOAT_BYTES, read_wav, write_wav
from table import retried
from test_servers import ServerTest

MINUTES = float(os.environ.get("FXRUN_LONG_MINUTES", "10"))


class LongServerTests(ServerTest):
    """Ten minutes through a sound server, 512 frames in three periods."""

    is_long = True

    def setUp(self):
        super().setUp()
        self.seconds = MINUTES * 60

    def serve_or_skip(self, start, *programs):
        lacking = servers.missing(start.__name__, *programs)
        if lacking:
            self.skipTest(lacking)
        self.serve(start, start.__name__)

    def play_example(self, name):
        """Plays one of the example chains, and writes its sound to a file too."""
        self.live_chain = self.chain(
            [{"use": str(REPOSITORY / f"chains/{name}.json"), "id": "example"}], device=self.device)
        self.sound(10)
        file = self.folder / "in.wav"
        piece = read_wav(file)
        length = round(self.seconds * 48000) * 2 * FLOAT_BYTES
        write_wav(file, (piece * (length // len(piece) + 1))[:length], 48000, 2)
        return self.play(
            self.live_chain, file, *self.option("--period", 512), *self.option("--periods", 3),
            environment=self.environment)

    def assert_clean(self, program):
        """The chain causes no xrun; xruns because the machine was late are printed."""
        outcome = program.end(self.seconds + 60)
        self.assertEqual(outcome.status, 0, str(outcome))
        live = outcome.live
        times = ", ".join(
            f"{name} {100 * share:.1f} %" for name, share in live["blockTimes"].items())
        print(f"          {live['lateXruns']} xruns of the machine, woken "
              f"{1000 * live['latestWakeupSeconds']:.1f} ms late at most; blocks {times}; "
              f"{live['otherWaits']} other waits, {outcome.summary['pageFaults']} page faults")
        self.assertEqual(live["ownXruns"], 0)
        self.assertEqual(outcome.summary["pageFaults"], 0)
        self.assertEqual(self.recorded, self.offline(self.live_chain, self.folder / "in.wav"))
        return outcome

    def play_through_jack(self, name):
        self.serve_or_skip(servers.jack, "jackd", "jack_lsp")
        self.assert_clean(self.play_example(name))

    def test_voice_through_jack(self):
        """the podcast-voice chain plays through jackd without causing an xrun"""
        self.play_through_jack("podcast-voice")

    def test_mastering_through_jack(self):
        """the mastering chain plays through jackd without causing an xrun"""
        self.play_through_jack("mastering")

    def play_through_pipewire(self, name):
        self.serve_or_skip(
            servers.pipewire, "pipewire", "wireplumber", "pw-cli", "pw-record", "dbus-run-session")
        monitor = self.folder / "monitor.wav"
        recorder = self.server.start(
            "pw-record", "-P", "{ stream.capture.sink = true }", "--target", "fxrun-sink",
            "--format", "f32", "--rate", "48000", "--channels", "2", str(monitor))
        self.server.wait_for("pw-record", "pw-link", "-o", "-l")
        outcome = self.assert_clean(self.play_example(name))
        time.sleep(0.3)
        recorder.send_signal(signal.SIGINT)
        recorder.wait(10)
        self.server.stop()
        heard, rendered = read_wav(monitor), self.recorded
        start = heard.find(rendered[48000:48000 + 800])
        self.assertNotEqual(start, -1, "nothing of it was heard on the monitor")
        if outcome.live["xruns"] == 0:
            length = min(len(heard) - start, len(rendered) - 48000)
            whole = heard[start:start + length] == rendered[48000:48000 + length]
            print(f"          {length // 8 / 48000:.1f} s on the monitor, to the bit: {whole}")

    def test_voice_through_pipewire(self):
        """the podcast-voice chain plays through PipeWire without causing an xrun"""
        self.play_through_pipewire("podcast-voice")

    def test_mastering_through_pipewire(self):
        """the mastering chain plays through PipeWire without causing an xrun"""
        self.play_through_pipewire("mastering")


class LongClockTests(LiveTest):
    """Half an hour with two clocks, at eight times real time."""

    is_long = True

    @retried()
    def test_two_clocks_for_long(self):
        """two cards 300 ppm apart run for half an hour without causing an xrun or drifting"""
        seconds = 180 * MINUTES
        self.period = 1024
        near = self.card("near", speed=8)
        far = self.card("far", speed=8, ppm=300)
        chain = self.folder / "chain.json"
        chain.write_text(json.dumps({
            "version": 1, "sampleRate": 48000, "blockSize": self.period, "tail": "none",
            "chain": [{"source": {"alsa": "far"}}, {"sink": {"alsa": "near"}}]}))
        outcome = self.play(
            chain, *self.option("--periods", 8), "--duration", seconds).end(seconds / 8 + 60)
        self.assertEqual(outcome.status, 0, str(outcome))
        live = outcome.live
        print(f"          {near.ran_dry + far.ran_dry} xruns, clocks "
              f"{live['driftPartsPerMillion']:.1f} ppm apart")
        self.assertEqual(live["ownXruns"], 0)
        self.assert_calm(near)
        self.assertAlmostEqual(live["driftPartsPerMillion"], 300, delta=10)
