"""Runs fxrun in a folder, within limits, and finds its faults."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

HANG = 10.0
"""Seconds after which a run counts as hung."""
GRACE = 6.0
"""Seconds within which a render that takes long ends after SIGTERM: a hanging plugin may take three."""
STATUSES = (0, 2, 3, 4, 5, 6, 7, 64, 130)
"""What fxrun documents; 1 is a mistake in fxrun itself."""
CRASH_WORDS = re.compile(
    rb"Fatal error|Swift runtime|stack trace|backtrace|\*\*\* |corrupted|double free|free\(\)|malloc\(\)"
    rb"|AddressSanitizer|assertion|Assertion .* failed|Illegal instruction")
RAW_BYTES = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")
RAW_TEXT = re.compile("[\u0080-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]")


class Outcome:
    """How one run ended."""

    def __init__(self, arguments, status, output, errors, hung, was_stopped):
        self.arguments = arguments
        self.status = status
        self.output = output
        self.errors = errors
        self.hung = hung
        # True if it made progress until the time limit and SIGTERM stopped it.
        self.was_stopped = was_stopped

    @property
    def json(self):
        try:
            return json.loads(self.output)
        except ValueError:
            return None


class Sandbox:
    """The folder of one attack. The attack must create its files with `write`."""

    def __init__(self, binary, folder, memory, lv2_path=None):
        self.binary = binary
        self.folder = pathlib.Path(folder)
        self.memory = memory
        shutil.rmtree(self.folder, ignore_errors=True)
        for name in ("home", "tmp", "run", "lv2"):
            (self.folder / name).mkdir(parents=True)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.folder / "home"),
            "TMPDIR": str(self.folder / "tmp"), "XDG_RUNTIME_DIR": str(self.folder / "run"),
            "XDG_CACHE_HOME": str(self.folder / "home"),
            "LV2_PATH": str(lv2_path or self.folder / "lv2"), "LC_ALL": "C.UTF-8"}

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def files(self):
        """The names of all files, without the cache and fxrun's output."""
        return {
            str(path.relative_to(self.folder)) for path in self.folder.rglob("*")
            if not path.is_dir() and path.relative_to(self.folder).parts[0] != "home"}

    @property
    def command(self):
        """The command that runs fxrun within limits: its memory, and 1 GB per file."""
        return ["prlimit", f"--as={self.memory << 20}", "--core=0", f"--fsize={1 << 30}", self.binary]

    def run(self, *arguments, stdin=None, limit=HANG, pace=None):
        """Runs fxrun to its end. `stdin` are bytes for a pipe, in pieces of `pace` bytes."""
        arguments = [str(argument) for argument in arguments]
        with open(self.folder / "home" / "stdout", "w+b") as output, \
                open(self.folder / "home" / "stderr", "w+b") as errors:
            process = subprocess.Popen(
                [*self.command, *arguments], cwd=self.folder, env=self.environment, stdout=output,
                stderr=errors, stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
                start_new_session=True)
            deadline = time.monotonic() + limit
            if stdin is not None:
                _feed(process, stdin, pace, deadline)
            hung, was_stopped = _wait(process, deadline, self._written)
            _end_session(process.pid)
            output.seek(0)
            errors.seek(0)
            return Outcome(
                arguments, process.returncode, output.read(), errors.read(), hung, was_stopped)

    def _written(self):
        """The total size of all unfinished files."""
        return sum(path.stat().st_size for path in self.folder.glob(".*") if path.is_file())


def _feed(process, content, pace, deadline):
    """Writes to the process's standard input for as long as the process reads it."""
    descriptor = process.stdin.fileno()
    os.set_blocking(descriptor, False)
    at = 0
    while at < len(content) and process.poll() is None and time.monotonic() < deadline:
        try:
            at += os.write(descriptor, content[at:at + (pace or 65536)])
            if pace:
                time.sleep(0.0005)
        except BlockingIOError:
            time.sleep(0.001)
        except BrokenPipeError:
            break
    try:
        process.stdin.close()
    except BrokenPipeError:
        pass


def _wait(process, deadline, written):
    """Waits for the end. Returns whether it hung, and whether it made progress and was stopped."""
    try:
        process.wait(max(deadline - time.monotonic(), 0.1))
        return False, False
    except subprocess.TimeoutExpired:
        pass
    # A chain may render a day of sound. That is not a hang if the file grows and a signal ends it.
    before = written()
    time.sleep(0.5)
    makes_progress = written() > before
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(GRACE)
        return not makes_progress, makes_progress
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return True, False


def _end_session(group):
    """Kills all processes that the run has left."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass


def defects(outcome, new_files=(), expected=(), is_text=True):
    """The faults of a run that apply to every attack, as a list of messages.

    `new_files` were created during the run; `expected` are those that a success may create."""
    found = []
    if outcome.hung:
        found.append(f"hang: it took more than {HANG:.0f} s")
    elif outcome.status < 0:
        found.append(f"abort: signal {-outcome.status}")
    elif outcome.status not in STATUSES:
        found.append(f"abort: exit status {outcome.status}")
    if CRASH_WORDS.search(outcome.errors):
        found.append("abort: it printed " + repr(CRASH_WORDS.search(outcome.errors).group()))
    if outcome.status > 0 and not outcome.errors.strip() and not outcome.output.strip():
        found.append(f"silence: exit status {outcome.status} without a word")
    left = [name for name in new_files
            if not (outcome.status in (0, 7) and name in expected)
            and not (outcome.was_stopped and ".partial" in name)]
    # A process that was killed could not remove its files.
    if left and not outcome.hung:
        found.append("files left: " + ", ".join(sorted(left)[:5]))
    if is_text:
        text = outcome.output + outcome.errors
        if RAW_BYTES.search(text) or RAW_TEXT.search(text.decode("utf-8", "replace")):
            found.append("raw control characters were printed")
    return found
