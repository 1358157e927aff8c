"""The process behind the module: when it dies, forks, is interrupted or used by two threads."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import GAIN, Samples, build_plugin, is_running

import fxrun

LONG = np.zeros((2, 48000 * 600), np.float32)
SLOW: dict[str, Any] = {"version": 2, "chain": [{"unit": "reverb"}] * 30}


def hang(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A chain that never ends."""
    uri = build_plugin(folder, "HANGS=0")
    monkeypatch.setenv("LV2_PATH", str(folder))
    return {"version": 2, "chain": [{"lv2": uri}]}


def test_one_process_answers_all_calls(worker: fxrun.Worker, noise: Samples) -> None:
    assert worker.pid is None
    worker.render(GAIN, noise, 48000)
    pid = worker.pid
    worker.check(GAIN)
    worker.stats(noise, 48000)
    assert worker.pid == pid


def test_a_worker_that_was_killed_is_an_error_and_the_next_call_starts_another(worker: fxrun.Worker, noise: Samples) -> None:
    worker.render(GAIN, noise, 48000)
    pid = worker.pid
    assert pid
    thread = threading.Timer(0.2, os.kill, (pid, signal.SIGKILL))
    thread.start()
    begin = time.monotonic()
    with pytest.raises(fxrun.WorkerError, match="SIGKILL"):
        worker.render(SLOW, LONG, 48000)
    assert time.monotonic() - begin < 5
    assert worker.render(GAIN, noise, 48000).shape == noise.shape
    assert worker.pid != pid


def test_a_worker_that_was_killed_between_calls_is_replaced(worker: fxrun.Worker, noise: Samples) -> None:
    worker.render(GAIN, noise, 48000)
    assert worker.pid
    os.kill(worker.pid, signal.SIGKILL)
    os.waitid(os.P_PID, worker.pid, os.WEXITED | os.WNOWAIT)
    assert worker.render(GAIN, noise, 48000).shape == noise.shape


def test_a_plugin_that_crashes_is_named(worker: fxrun.Worker, noise: Samples, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uri = build_plugin(tmp_path, "CRASHES=4800")
    monkeypatch.setenv("LV2_PATH", str(tmp_path))
    with pytest.raises(fxrun.RequestError, match=f"{uri}.*crashed") as error:
        worker.render({"version": 2, "chain": [{"id": "mine", "lv2": uri}]}, noise, 48000)
    assert error.value.kind == "plugin"
    assert worker.render(GAIN, noise, 48000).shape == noise.shape


def test_a_second_thread_is_refused_at_once(worker: fxrun.Worker, noise: Samples, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chain = hang(tmp_path, monkeypatch)
    ends: list[BaseException] = []

    def render() -> None:
        try:
            worker.render(chain, noise, 48000)
        except fxrun.WorkerError as error:
            ends.append(error)

    thread = threading.Thread(target=render)
    thread.start()
    while worker.pid is None:
        time.sleep(0.01)
    begin = time.monotonic()
    with pytest.raises(fxrun.WorkerError, match=r"its own fxrun.Worker\(\)"):
        worker.check(GAIN)
    with fxrun.Worker() as own:
        assert own.check(GAIN) == []
    assert time.monotonic() - begin < 5
    os.kill(worker.pid, signal.SIGKILL)
    thread.join(10)
    assert len(ends) == 1


def test_a_fork_is_refused_and_may_start_its_own(noise: Samples) -> None:
    fxrun.render(GAIN, noise, 48000)
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            fxrun.render(GAIN, noise, 48000)
        except fxrun.WorkerError as error:
            if "fork" in str(error):
                fxrun.restart()
                status = 0 if fxrun.render(GAIN, noise, 48000).shape == noise.shape else 2
            fxrun.restart()
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert fxrun.render(GAIN, noise, 48000).shape == noise.shape


def test_the_end_of_a_fork_leaves_the_worker_of_its_parent(noise: Samples) -> None:
    script = """
        import os, sys, numpy as np, fxrun
        chain = {"version": 2, "chain": []}
        fxrun.render(chain, np.zeros(100), 48000)
        pid = os.fork()
        if pid == 0:
            sys.exit(0)  # The end of Python, with its finalizers.
        os.waitpid(pid, 0)
        before = fxrun._api._worker.pid
        fxrun.render(chain, np.zeros(100), 48000)
        assert fxrun._api._worker.pid == before
        print("same")
    """
    found = subprocess.run([sys.executable, "-W", "error", "-c", textwrap.dedent(script)], capture_output=True, text=True)
    assert (found.stdout, found.stderr) == ("same\n", "")


def test_ctrl_c_interrupts_a_render(worker: fxrun.Worker, noise: Samples, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chain = hang(tmp_path, monkeypatch)
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        worker.render(chain, noise, 48000)
    assert time.monotonic() - begin < 5
    assert worker.pid is None
    assert worker.render(GAIN, noise, 48000).shape == noise.shape


def test_a_worker_ends_with_python_even_when_that_is_killed(tmp_path: Path) -> None:
    build_plugin(tmp_path, "HANGS=0")
    script = """
        import sys, threading, time, numpy as np, fxrun
        worker = fxrun.Worker()
        worker.check({"version": 2, "chain": []})
        print(worker.pid, flush=True)
        worker.render({"version": 2, "chain": [{"lv2": "urn:fxrun:test:own"}]}, np.zeros(4800), 48000)
    """
    python = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)],
        stdout=subprocess.PIPE,
        env={**os.environ, "LV2_PATH": str(tmp_path)},
    )
    assert python.stdout
    pid = int(python.stdout.readline())
    python.kill()
    python.wait()
    python.stdout.close()
    for _ in range(100):
        if not is_running(pid):
            return
        time.sleep(0.05)
    raise AssertionError("the worker is still there")


def test_a_worker_that_nobody_has_any_more_ends(noise: Samples) -> None:
    worker = fxrun.Worker()
    worker.render(GAIN, noise, 48000)
    pid = worker.pid
    assert pid
    del worker
    gc.collect()
    assert not is_running(pid)


def test_a_program_that_is_missing_or_no_fxrun_is_an_error(worker: fxrun.Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FXRUN_BINARY", "/nowhere/fxrun")
    with pytest.raises(fxrun.WorkerError, match="/nowhere/fxrun cannot be started"):
        worker.check(GAIN)
    monkeypatch.setenv("FXRUN_BINARY", "/bin/false")
    with pytest.raises(fxrun.WorkerError, match="exit status 1"):
        worker.check(GAIN)


def test_what_a_worker_reads_is_checked() -> None:
    """The protocol, for programs in other languages."""

    def ask(text: bytes) -> tuple[int, bytes]:
        found = subprocess.run([fxrun.program(), "serve"], input=text, capture_output=True)
        return found.returncode, found.stdout

    assert ask(b"") == (0, b"")
    for bad, words in [
        (b"hello\n", b"request cannot be read"),
        (b'{"do":"sing"}\n', b"no request 'sing'"),
        (b'{"do":"check","chain":{"name":"a"},"rate":1}\n', b"no key 'rate'"),
        (b'{"do":"stats","input":{"sampleRate":48000,"channels":2,"frames":1000000000000}}\n', b"too many samples"),
        (b'{"do":"stats","input":{"sampleRate":48000,"channels":2,"frames":10}}\nabc', b"ends within its samples"),
    ]:
        status, answer = ask(bad)
        assert status == 64 and words in answer and b'"ends":true' in answer and answer.count(b"\n") == 1
    for refused in [
        b'{"do":"stats","input":{"sampleRate":0,"channels":1,"frames":0}}\n',
        b'{"do":"check","chain":{"name":"none"},"sampleRate":-5,"channels":0}\n',
    ]:
        status, answer = ask(refused)
        assert status == 0 and b"out-of-range" in answer
    # The last line need not end.
    status, answer = ask(b'{"do":"check","chain":{"text":"{}"},"sampleRate":48000,"channels":2}\n' * 2 + b'{"do":"sing"}')
    assert status == 64 and b"no request 'sing'" in answer
    status, answer = ask(b'{"do":"check","chain":{"text":"{}"},"sampleRate":48000,"channels":2}\n' * 2)
    assert status == 0 and answer.count(b'"diagnostics"') == 2
