"""fxrun plays streams: memory, a slow network, and stations of icecast2 (skipped without it)."""

import json
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from server import Server

FXRUN = os.environ["FXRUN_BINARY"]
CHAIN = {
    "version": 1,
    "nodes": {"in": {"source": "main"}, "gain": {"unit": "gain"}, "out": {"sink": "main"}},
    "connections": ["in -> gain -> out"],
}


class FxrunTests(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="fxrun-streams-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.folder.chmod(0o755)
        self.chain = self.folder / "chain.json"
        self.chain.write_text(json.dumps(CHAIN))
        null = json.loads(json.dumps(CHAIN))
        null["nodes"]["out"] = {"sink": "null"}
        self.null = self.folder / "null.json"
        self.null.write_text(json.dumps(null))

    def run_fxrun(self, *arguments, timeout=120):
        return subprocess.run(
            [FXRUN, *map(str, arguments)], capture_output=True, text=True, timeout=timeout)


class StreamTests(FxrunTests):
    def test_an_hour_of_a_fast_server_takes_bounded_memory(self):
        with Server() as server:
            memory = {}
            for name, extra in (("minute", ["--duration", "60"]), ("hour", [])):
                program = subprocess.Popen(
                    [FXRUN, str(self.null), server.address("hour"), "--json", *extra],
                    stdout=subprocess.PIPE, text=True)
                text = program.stdout.read()
                _, status, usage = os.wait4(program.pid, 0)
                program.returncode = os.waitstatus_to_exitcode(status)
                self.assertEqual(program.returncode, 0)
                memory[name] = usage.ru_maxrss / 1024
                if name == "hour":
                    self.assertEqual(json.loads(text)["frames"], 3600 * 48000)
        print(f"\npeak resident memory: {memory['minute']:.0f} MB for a minute, "
              f"{memory['hour']:.0f} MB for an hour ({3600 * 192_000 / 2**20:.0f} MB sent)")
        self.assertLess(memory["hour"], memory["minute"] + 16)

    def test_a_trickle_at_1_05_is_rendered_whole(self):
        with Server() as server:
            out = self.folder / "out.wav"
            result = self.run_fxrun(self.chain, server.address("trickle"), "-o", out, "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(json.loads(result.stdout)["frames"], 6 * 48000)

    def test_bytes_are_kept(self):
        with Server() as server:
            kept = self.folder / "kept.wav"
            result = self.run_fxrun(
                self.null, server.address("trickle"), "--save-stream", kept)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(kept.stat().st_size, 44 + 6 * 192_000)

    def test_a_missing_address_is_an_input_error(self):
        with Server() as server:
            out = self.folder / "out.wav"
            result = self.run_fxrun(self.chain, server.address("missing"), "-o", out)
            self.assertEqual(result.returncode, 4)
            self.assertIn("not found on the server (404)", result.stderr)
            self.assertFalse(out.exists())


@unittest.skipUnless(shutil.which("icecast2") and shutil.which("ffmpeg"), "needs icecast2 and ffmpeg")
class IcecastTests(FxrunTests):
    def setUp(self):
        super().setUp()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        user = "icecast2" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        logs = self.folder / "logs"
        logs.mkdir()
        configuration = self.folder / "icecast.xml"
        configuration.write_text(f"""<icecast>
  <limits><sources>4</sources></limits>
  <authentication><source-password>test</source-password><admin-user>admin</admin-user>
    <admin-password>test</admin-password></authentication>
  <hostname>127.0.0.1</hostname>
  <listen-socket><port>{self.port}</port><bind-address>127.0.0.1</bind-address></listen-socket>
  <paths><basedir>/usr/share/icecast2</basedir><logdir>{logs}</logdir>
    <webroot>/usr/share/icecast2/web</webroot><adminroot>/usr/share/icecast2/admin</adminroot></paths>
  <logging><accesslog>access.log</accesslog><errorlog>error.log</errorlog></logging>
  <security><chroot>0</chroot></security>
</icecast>""")
        if os.geteuid() == 0:
            shutil.chown(logs, user)
        self.server = subprocess.Popen(
            ["icecast2", "-c", str(configuration)], user=user if os.geteuid() == 0 else None,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.end, self.server)
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    break
            time.sleep(0.05)
        self.source = subprocess.Popen(
            ["ffmpeg", "-v", "error", "-re", "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100",
             "-ac", "2", "-c:a", "libmp3lame", "-b:a", "128k", "-content_type", "audio/mpeg",
             "-ice_name", "Test FM", "-ice_genre", "Tones",
             "-f", "mp3", f"icecast://source:test@127.0.0.1:{self.port}/live.mp3"],
            stdin=subprocess.DEVNULL)
        self.addCleanup(self.end, self.source)
        time.sleep(2)

    def end(self, process):
        process.terminate()
        process.wait(10)

    def title(self, text):
        subprocess.run(
            ["curl", "-s", "-u", "admin:test", "-G", "--data-urlencode", f"song={text}",
             "--data", "mount=/live.mp3&mode=updinfo&charset=UTF-8",
             f"http://127.0.0.1:{self.port}/admin/metadata"], check=True, stdout=subprocess.DEVNULL)

    def test_titles_arrive_as_events(self):
        address = f"http://127.0.0.1:{self.port}/live.mp3"
        self.title("One")
        out = self.folder / "out.wav"
        program = subprocess.Popen(
            [FXRUN, str(self.chain), address, "-o", str(out), "--json",
             "--save-stream", str(self.folder / "kept.mp3")], stdout=subprocess.PIPE, text=True)
        time.sleep(3)
        self.title("Tom's; \u00fcbung")
        time.sleep(4)
        program.send_signal(signal.SIGINT)
        summary = json.loads(program.communicate(timeout=20)[0])
        self.assertEqual(program.returncode, 0)
        events = summary["streamEvents"]
        titles = [event["title"] for event in events if event["kind"] == "title"]
        self.assertEqual([title for title in titles if title], ["One", "Tom's; \u00fcbung"])
        self.assertIn("'Test FM', Tones", events[0]["message"])
        self.assertGreater(summary["frames"], 4 * 44100)
        self.assertTrue(out.exists())
        kept = (self.folder / "kept.mp3").read_bytes()
        self.assertNotIn(b"StreamTitle", kept)

    def test_a_station_that_ends_ends_the_render(self):
        out = self.folder / "out.wav"
        program = subprocess.Popen(
            [FXRUN, str(self.chain), f"http://127.0.0.1:{self.port}/live.mp3", "-o", str(out), "--json"],
            stdout=subprocess.PIPE, text=True)
        time.sleep(3)
        self.end(self.source)
        summary = json.loads(program.communicate(timeout=60)[0])
        self.assertEqual(program.returncode, 0)
        kinds = [event["kind"] for event in summary["streamEvents"]]
        self.assertEqual(kinds[-1], "stream-gap")


if __name__ == "__main__":
    unittest.main()
