"""The process of fxrun that answers requests."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from typing import IO, TYPE_CHECKING, Any

from fxrun._errors import RequestError, WorkerError, refusal, warn
from fxrun._program import program

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fxrun._samples import Samples


class _Process:
    """A running program, its pipes, and what it prints."""

    def __init__(self) -> None:
        # Not a pipe, which somebody would have to read meanwhile.
        self.printed: IO[bytes] = tempfile.TemporaryFile()
        self.owner = os.getpid()
        try:
            # Ctrl-C is for Python, which ends the process itself.
            self.child = subprocess.Popen(
                [program(), "serve"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.printed,
                start_new_session=True,
            )
        except OSError as error:
            self.printed.close()
            raise WorkerError(f"{program()} cannot be started: {error.strerror}") from error

    def end(self) -> None:
        """Ends the program at once. In a fork, which does not own it, closes only the pipes."""
        if self.owner == os.getpid():
            self.child.kill()
            self.child.wait()
        else:
            # The fork must neither wait for it nor warn about it.
            self.child.returncode = 0
        for stream in (self.child.stdin, self.child.stdout, self.printed):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def new_text(self) -> str:
        """What it has printed since the last call."""
        size = os.fstat(self.printed.fileno()).st_size
        # The program writes at the offset that both share: only pread leaves it alone.
        text = os.pread(self.printed.fileno(), size, 0)[self._seen :]
        self._seen = size
        return text.decode(errors="replace")

    _seen = 0


class Link:
    """Sends requests to one process, which the first request starts. For one thread at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # At most one, ended when nobody has the link any more, and at the end of Python.
        self._running: list[_Process] = []
        weakref.finalize(self, Link._end, self._running)

    @property
    def _process(self) -> _Process | None:
        return self._running[0] if self._running else None

    @staticmethod
    def _end(running: list[_Process]) -> None:
        while running:
            running.pop().end()

    def close(self) -> None:
        """Ends the process; the next request starts another."""
        if self._process is not None and self._process.owner != os.getpid():
            # A thread of the process before the fork may hold the lock for ever.
            self._lock = threading.Lock()
        Link._end(self._running)

    @property
    def pid(self) -> int | None:
        """The process identifier; None before the first request."""
        return self._process.child.pid if self._process else None

    def ask(
        self, request: dict[str, Any], samples: Sequence[Samples] = ()
    ) -> tuple[Any, list[Samples]]:
        """The result of a request, and the samples of each of its outputs, channels × frames."""
        if self._process is not None and self._process.owner != os.getpid():
            raise WorkerError(
                "this process is a fork, and its fxrun belongs to the process before it: "
                "call fxrun.restart(), or close() of the Worker, first"
            )
        lock = self._lock
        if not lock.acquire(blocking=False):
            raise WorkerError(
                "another thread is using this worker: give each thread its own fxrun.Worker()"
            )
        try:
            return self._ask(request, samples)
        except RequestError:
            raise
        except BaseException:
            # The process may be in the middle of an answer that nobody will read.
            self.close()
            raise
        finally:
            lock.release()

    def _ask(
        self, request: dict[str, Any], samples: Sequence[Samples]
    ) -> tuple[Any, list[Samples]]:
        if self._process is not None and self._process.child.poll() is not None:
            self.close()
        if self._process is None:
            self._running.append(_Process())
        process = self._running[0]
        child = process.child
        assert child.stdin is not None and child.stdout is not None
        line = json.dumps(request, allow_nan=False).encode() + b"\n"
        try:
            child.stdin.write(line)
            for channels in samples:
                if channels.size:
                    child.stdin.write(channels.data.cast("B"))
            child.stdin.flush()
        except BrokenPipeError:
            # Its answer says why it does not read on.
            pass
        answer = self._read(process)
        result = answer["result"]
        outputs: list[Samples] = []
        if request["do"] == "render":
            outputs = [self._samples(process, output) for output in result["outputs"]]
        return result, outputs

    def _read(self, process: _Process) -> dict[str, Any]:
        stdout = process.child.stdout
        assert stdout is not None
        line = stdout.readline()
        if line == b"{\n":
            # The report of a crash, on several lines, is the last thing that it writes.
            line += stdout.read()
        try:
            answer: dict[str, Any] = json.loads(line)
        except ValueError:
            raise self._death(process) from None
        self._pass_on(process.new_text())
        if "error" in answer:
            if answer.get("ends") or line.startswith(b"{\n"):
                self.close()
            raise refusal(answer["error"])
        return answer

    def _samples(self, process: _Process, output: dict[str, Any]) -> Samples:
        import numpy as np

        samples = np.empty((output["channels"], output["frames"]), "<f4")
        rest = samples.data.cast("B") if samples.size else memoryview(b"")
        stdout = process.child.stdout
        while rest:
            count = stdout.readinto(rest)  # type: ignore[union-attr]
            if not count:
                raise self._death(process)
            rest = rest[count:]
        return samples

    def _death(self, process: _Process) -> WorkerError:
        status = process.child.wait()
        try:
            how = signal.Signals(-status).name if status < 0 else f"exit status {status}"
        except ValueError:
            how = f"signal {-status}"
        text = process.new_text().strip()
        return WorkerError(f"fxrun has ended ({how})" + (f":\n{text}" if text else ""))

    @staticmethod
    def _pass_on(printed: str) -> None:
        """Warns of warnings. Everything else was printed by plugins."""
        for line in printed.splitlines():
            if line.startswith("warning: "):
                warn(line.removeprefix("warning: "))
            else:
                print(line, file=sys.stderr)
