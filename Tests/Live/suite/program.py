"""Starts, interrupts and ends fxrun within time limits."""
import json
import os
import re
import signal
import subprocess
import time

SLOWEST_END = 3.0
"""Seconds within which one Ctrl-C ends everything, in whatever state it is."""


class Outcome:
    """How a run ended."""

    def __init__(self, status, output, errors, seconds, was_hung):
        self.status = status
        self.output = output
        # Lines of the fault library are not fxrun's.
        lines = errors.splitlines(True)
        self.faults = [line for line in lines if line.startswith("alsa faults:")]
        self.errors = "".join(line for line in lines if line not in self.faults)
        self.seconds = seconds
        self.was_hung = was_hung

    @property
    def summary(self):
        """The summary of --json, or None. It is the last line; the lines before it are events."""
        for text in (self.output, self.output.rstrip().rpartition("\n")[2]):
            try:
                return json.loads(text)
            except ValueError:
                pass
        return None

    @property
    def events(self):
        """The events that --json reported while it played."""
        lines = [json.loads(line) for line in self.output.splitlines() if line.startswith("{\"event")]
        return [line for line in lines if line["event"] != "summary"]

    @property
    def live(self):
        return (self.summary or {}).get("live") or {}

    @property
    def failure(self):
        """The error message of --json, or None."""
        return ((self.summary or {}).get("error") or {}).get("message")

    def __str__(self):
        text = re.sub(r"\s+", " ", self.failure or self.errors or self.output)[:300]
        how = "was killed: it hung" if self.was_hung else f"ended with {self.status}"
        return f"{how} after {self.seconds:.1f} s: {text}"


class Program:
    """A running fxrun."""

    def __init__(self, binary, arguments, folder, environment=None, stdin=subprocess.DEVNULL):
        own = {
            "HOME": str(folder), "PATH": os.environ["PATH"], "LV2_PATH": str(folder / "lv2"),
            "ALSA_CONFIG_PATH": str(folder / "asound.conf")}
        for name in ("XDG_RUNTIME_DIR", "PIPEWIRE_RUNTIME_DIR", "JACK_DEFAULT_SERVER"):
            if name in os.environ:
                own[name] = os.environ[name]
        own.update(environment or {})
        self._output = open(folder / "stdout", "w+")
        self._errors = open(folder / "stderr", "w+")
        self.start = time.monotonic()
        self.process = subprocess.Popen(
            [str(binary), *map(str, arguments)], cwd=folder, env=own, stdin=stdin,
            stdout=self._output, stderr=self._errors)

    def interrupt(self):
        """Ctrl-C."""
        self.process.send_signal(signal.SIGINT)

    def reload(self):
        self.process.send_signal(signal.SIGHUP)

    @property
    def is_running(self):
        return self.process.poll() is None

    def wait_until(self, condition, limit=5.0):
        """Whether the condition became true within the limit and before fxrun ended."""
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline:
            if condition():
                return True
            if not self.is_running:
                return condition()
            time.sleep(0.01)
        return False

    def end(self, limit):
        """Waits for the end; kills fxrun if it does not end in time."""
        was_hung = False
        try:
            self.process.wait(limit)
        except subprocess.TimeoutExpired:
            was_hung = True
            self.process.kill()
            self.process.wait()
        texts = []
        for file in (self._output, self._errors):
            file.seek(0)
            texts.append(file.read())
            file.close()
        return Outcome(
            self.process.returncode, *texts, time.monotonic() - self.start, was_hung)

    def end_or_interrupt(self, limit):
        """Waits for the end. If it does not come in time, sends Ctrl-C and waits a while longer."""
        try:
            self.process.wait(limit)
        except subprocess.TimeoutExpired:
            self.interrupt()
        return self.end(SLOWEST_END)
