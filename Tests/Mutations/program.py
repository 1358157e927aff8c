"""Runs fxrun for the mutations, within limits."""
import json
import os
import pathlib
import subprocess

from judge import Told
from sound import Sound

LIMIT = 120
"""Seconds that one run may take."""


class Fxrun:
    """A built fxrun."""

    def __init__(self, binary):
        self.binary = str(pathlib.Path(binary).resolve())

    def run(self, arguments, folder, plugins, environment=None):
        """Runs fxrun in a folder. It finds only the plugins in the folder `plugins`."""
        return subprocess.run(
            [self.binary, *map(str, arguments)], cwd=folder, capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=LIMIT,
            env={**os.environ, "LV2_PATH": str(plugins), **(environment or {})})

    def render(self, case, folder, plugins):
        """Renders a case without `fxrun test`. Returns its sounds by output, or None and the error.

        Both are None for a case with a test signal, which `fxrun run` cannot make."""
        if case.signal:
            return None, None
        arguments = ["run", f"{case.name}.json", "--bits", "32", "--json"]
        for name in case.chain.inputs():
            file = case.input_file(name)
            arguments += [file] if name == "main" else ["--input", f"{name}={file}"]
        names = {}
        for index, name in enumerate(case.chain.outputs()):
            names[name] = f"rendered-{index}.wav"
            arguments += ["-o", names[name]] if name == "main" else ["--output", f"{name}={names[name]}"]
        for key, value in case.settings.get("set", {}).items():
            arguments += ["--set", f"{key}={value}"]
        if "blockSize" in case.settings:
            arguments += ["--block-size", case.settings["blockSize"]]
        outcome = self.run(arguments, folder, plugins)
        if outcome.returncode != 0:
            return None, (outcome.stderr or outcome.stdout).strip()
        sounds = {name: Sound(pathlib.Path(folder) / file) for name, file in names.items()}
        for sound in sounds.values():
            sound.latency = json.loads(outcome.stdout)["latencyFrames"]
        for file in names.values():
            (pathlib.Path(folder) / file).unlink()
        return sounds, None

    def bless(self, folder, plugins, jobs):
        """Makes the goldens of all cases in a folder."""
        outcome = self.run(["test", "--update", "--jobs", jobs, "."], folder, plugins)
        if outcome.returncode != 0:
            raise RuntimeError(f"no goldens: {outcome.stdout}{outcome.stderr}")

    def test(self, folder, plugins):
        """The report of `fxrun test` about the one case in a folder, or None and the error."""
        outcome = self.run(["test", "--json", "--jobs", 1, "."], folder, plugins)
        try:
            [case] = json.loads(outcome.stdout)["cases"]
        except (ValueError, KeyError):
            return None, f"status {outcome.returncode}: {outcome.stdout}{outcome.stderr}"
        if case["outcome"] not in ("passed", "differs"):
            return None, f"status {outcome.returncode}, {case['outcome']}: {case.get('failure')}"
        if (outcome.returncode == 7) != (case["outcome"] == "differs"):
            return None, f"status {outcome.returncode}, but the case {case['outcome']}"
        return Told(
            case["outcome"] == "differs",
            [(change["kind"], change.get("node"), change["message"])
             for change in case.get("environment", [])],
            {output["name"]: None if output["isSame"]
             else output.get("comparison", {}).get("category", "nothing")
             for output in case.get("outputs", [])},
            [(begin["place"], begin["node"], begin["frame"]) for begin in case.get("divergences", [])],
            case.get("warnings", [])), None
