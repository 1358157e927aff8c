"""Runs a plugin in a process of its own: with fxrun, with the bare loop, or with another host."""

import json
import os
import shutil
import signal
import subprocess
import tempfile


class Outcome:
    """The end of a process. `code` is below zero for a signal, and None after a timeout."""

    def __init__(self, code, output, errors):
        self.code, self.output, self.errors = code, output, errors

    @property
    def crashed(self):
        return self.code is not None and (self.code < 0 or self.code in (134, 139))

    @property
    def ending(self):
        if self.code is None:
            return "hung"
        return signal.Signals(-self.code).name if self.code < 0 else f"exit {self.code}"


def environment(home, lv2_path, **others):
    """The environment of a plugin: a home of its own, no display, and no user settings."""
    keep = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH", "TMPDIR") if name in os.environ}
    folders = {
        "HOME": home, "XDG_CONFIG_HOME": f"{home}/config", "XDG_DATA_HOME": f"{home}/data",
        "XDG_CACHE_HOME": f"{home}/cache", "XDG_RUNTIME_DIR": home,
    }
    return {**keep, **folders, "LV2_PATH": lv2_path, "LC_ALL": "C", **others}


def run(command, env, limit, folder):
    """Runs a process with a time limit. Its whole process group ends with it."""
    process = subprocess.Popen(
        command, env=env, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, start_new_session=True)
    try:
        output, errors = process.communicate(timeout=limit)
        return Outcome(process.returncode, output.decode("utf-8", "replace"), errors.decode("utf-8", "replace"))
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, errors = process.communicate()
        return Outcome(None, output.decode("utf-8", "replace"), errors.decode("utf-8", "replace"))


class Room:
    """A temporary folder for one plugin's files and home."""

    def __init__(self, lv2_path):
        self.lv2_path = lv2_path

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="lv2-corpus-")
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def env(self, **others):
        home = tempfile.mkdtemp(prefix="home-", dir=self.folder)
        return environment(home, self.lv2_path, **others)

    def fxrun(self, program, chain, source, target, block, limit):
        """Runs fxrun with one chain. Returns the outcome and the summary."""
        with open(self.path("chain.json"), "w", encoding="utf-8") as file:
            json.dump(chain, file)
        command = [program, self.path("chain.json"), source, "-o", target, "--bits", "32", "--json"]
        command += ["--block-size", str(block)]
        outcome = run(command, self.env(), limit, self.folder)
        try:
            summary = json.loads(outcome.output)
        except ValueError:
            summary = {}
        return outcome, summary

    def bare(self, program, uri, source, target, block, limit, preset=None, perturbed=False):
        """Runs the bare loop. `perturbed` fills heap and stack with other bytes than zero."""
        command = [program] + (["--perturbed"] if perturbed else []) + (["--preset", preset] if preset else [])
        command += [uri, source, target, str(block)]
        return run(command, self.env(QT_QPA_PLATFORM="offscreen"), limit, self.folder)


def reason(outcome, summary):
    """The first error message of a failed run, without the chain's path."""
    for diagnostic in summary.get("diagnostics", []):
        if diagnostic.get("severity") == "error":
            return diagnostic.get("message", "")
    if "error" in summary:
        return summary["error"].get("message", "")
    lines = [line for line in outcome.errors.splitlines() if line.strip()]
    return lines[-1] if lines else outcome.ending
