"""The example unit for systemd, without systemd."""
import configparser
import json
import pathlib
import shlex
import subprocess

from client import Client
from live import BINARY, REPOSITORY, LiveTest

UNIT = REPOSITORY / "docs/examples/fxrun.service"


class ServiceTests(LiveTest):
    """The example service."""

    def test_example(self):
        """the example service records, and its user controls it"""
        unit = configparser.ConfigParser(interpolation=None, strict=False)
        unit.optionxform = str
        unit.read(UNIT)
        service = unit["Service"]
        # systemd gives these folders to the user, and the rest of the system is read-only.
        runtime = f"/run/{service['RuntimeDirectory']}"
        state = f"/var/lib/{service['StateDirectory']}"
        self.assertEqual(service["ProtectSystem"], "strict")
        self.assertIn("User", service)
        self.assertNotIn("DynamicUser", service, "nobody else could connect to its socket")
        self.assertEqual(service["WorkingDirectory"], state)
        words = shlex.split(service["ExecStart"].replace("%i", "guitar"))
        socket = pathlib.Path(words[words.index("--control") + 1])
        self.assertEqual(str(socket.parent), runtime)

        self.card("default")
        socket = self.folder / socket.name
        chain = self.folder / "guitar.json"
        chain.write_text(json.dumps({
            "version": 1, "sampleRate": 48000,
            "nodes": {
                "in": {"source": {"signal": "sine", "frequency": 440}},
                "out": {"sink": {"alsa": "default"}}, "take": {"sink": {"file": "take.wav"}}},
            "connections": ["in -> out", "in -> take"]}))
        arguments = [
            str(word).replace("/etc/fxrun", str(self.folder)).replace(runtime, str(self.folder))
            for word in words[1:]]
        program = self.play(*arguments)
        Client(socket).close()
        status = subprocess.run(
            [BINARY, "control", str(socket), "status"], capture_output=True, text=True, timeout=10)
        self.assertEqual(status.returncode, 0, status.stderr)
        self.assertIn("guitar.json", status.stdout)
        program.wait_until(lambda: False, 1)
        stop = subprocess.run(
            [BINARY, "control", str(socket), "stop"], capture_output=True, text=True, timeout=10)
        self.assertEqual(stop.returncode, 0, stop.stderr)
        outcome = program.end(10)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assertGreater((self.folder / "take.wav").stat().st_size, 100_000)
