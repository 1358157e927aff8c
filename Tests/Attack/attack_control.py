"""A playing chain that records too: bad requests, bad clients and bad reloads."""
import json
import os
import pathlib
import signal
import socket
import struct
import subprocess
import time

from attack_chains import OWN, TREES
from damage import damaged
from sandbox import CRASH_WORDS, STATUSES
from seeds import wav
from trees import changed, names_outside

LIVE = {
    "version": 2,
    "nodes": {
        "in": {"source": "main"}, "tone": {"unit": "lowPass"}, "comp": {"unit": "compressor"},
        "mix": {"unit": "mixer", "strips": {"a": {}, "b": {"gain": "-6 dB"}}}, "device": {"sink": {"alsa": "card"}},
        "take": {"sink": {"file": "take.wav"}}},
    "connections": ["in -> tone -> mix:a", "in -> comp -> mix:b", "mix -> device", "mix -> take"],
    "scenes": {"clean": {"parameters": {"comp.threshold": "0 dB"}}}}
REQUESTS = (
    {"set": "comp.threshold", "to": "-20 dB", "seconds": 0.5}, {"get": "comp.ratio"}, {"bypass": "comp", "on": True},
    {"mute": "mix.strips.a"}, {"solo": "mix.strips.b"}, {"volume": -6, "seconds": 2}, {"pause": True},
    {"resume": True}, {"seek": 0.5}, {"skip": -1}, {"loop": 0.1, "to": 0.4, "crossfade": 0.005}, {"loop": False},
    {"rest": 10}, {"transport": True}, {"scene": "clean"}, {"midi": [176, 74, 64]}, {"learn": "tone.frequency"},
    {"learn": False}, {"meters": True}, {"load": True}, {"load": "other.json"}, {"status": True},
    {"list": "parameters"}, {"watch": True}, {"watch": False}, {"id": 1, "get": "tone.frequency"}, {"ab": "b"})
ANSWER = 5.0
"""Seconds within which a request is answered."""


def good(seeds):
    """Runs that must succeed before anything is damaged, each as files and arguments."""
    yield {"chain.json": json.dumps(LIVE).encode()}, ["check", "chain.json"]


def attack(random, box, seeds):
    """Attacks a chain that plays for a few seconds; its recording must then be complete."""
    if not seeds.card:
        return []
    box.write("asound.conf", f"""</usr/share/alsa/alsa.conf>
pcm_type.fxrun_card {{ lib "{seeds.card}" }}
pcm.card {{ type fxrun_card formats [ FLOAT_LE ] log "{box.folder}/home/card.log" }}
""".encode())
    box.environment["ALSA_CONFIG_PATH"] = str(box.folder / "asound.conf")
    box.write("chain.json", json.dumps(LIVE).encode())
    box.write("other.json", json.dumps(LIVE).encode())
    box.write("in.wav", wav(1))
    box.write("talk.wav", wav(0.2))
    return Session(random, box).run()


class Session:
    """One run of fxrun under attack."""

    def __init__(self, random, box):
        self.random = random
        self.box = box
        self.path = box.folder / "control.sock"
        self.found = []
        self.output = open(box.folder / "home" / "stdout", "w+b")
        self.errors = open(box.folder / "home" / "stderr", "w+b")
        self.process = subprocess.Popen(
            [*box.command, "chain.json", "in.wav", "--loop", "all", "--control", str(self.path), "--watch",
             "--period", "1024", "--no-view"],
            cwd=box.folder, env=box.environment, stdin=subprocess.DEVNULL, stdout=self.output,
            stderr=self.errors, start_new_session=True)

    def run(self):
        if self._is_up():
            deadline = time.monotonic() + 3
            while time.monotonic() < deadline and self.process.poll() is None and not self.found:
                self.random.choice((self._request, self._request, self._request, self._leave, self._reload,
                                    self._flood))()
            if self.process.poll() is None and not self.found:
                self._expect_life()
        self._end()
        return self.found

    def _is_up(self):
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline and self.process.poll() is None:
            if self.path.exists():
                return True
            time.sleep(0.02)
        self.found.append("silence: it does not play")
        return False

    def _connect(self):
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(ANSWER)
        client.connect(str(self.path))
        return client

    def _line(self):
        """A request: valid, changed or damaged."""
        request = self.random.choice(REQUESTS)
        if self.random.random() < 0.3:
            return json.dumps(request).encode()
        content = changed(self.random, request, [*REQUESTS, OWN])
        if names_outside(content) or self.random.random() < 0.1:
            content = damaged(self.random, json.dumps(request).encode())
        return content.replace(b"\n", b" ").replace(b"/", b"x")

    def _request(self):
        """Sends one line; there must be an answer or an error."""
        line = self._line()
        try:
            with self._connect() as client:
                client.sendall(line + b"\n")
                if b"learn" in line or b"stop" in line or not line.strip(b" \t\r"):
                    return
                if not client.recv(65536) and self.process.poll() is None:
                    self.found.append(f"silence: no answer to {line[:200]!r}")
        except TimeoutError:
            if b"load" not in line:
                self.found.append(f"hang: no answer within {ANSWER:.0f} s to {line[:200]!r}")
        except OSError:
            self._check_connection()

    def _leave(self):
        """A client that disconnects in the middle of a line, or without reading."""
        try:
            with self._connect() as client:
                client.sendall(self._line()[:self.random.choice((1, 10, 1000))])
        except OSError:
            self._check_connection()

    def _flood(self):
        """Many lines at once, perhaps with one that is far too long."""
        lines = [self._line() for _ in range(50)] + [b"x" * self.random.choice((10, 70_000))]
        try:
            with self._connect() as client:
                client.sendall(b"\n".join(lines) + b"\n")
                client.recv(65536)
        except OSError:
            self._check_connection()

    def _check_connection(self):
        """A connection may end, but fxrun must play on."""
        if self.process.poll() is None and not self.path.exists():
            self.found.append("silence: the socket is gone while it plays")

    def _reload(self):
        """Replaces the chain file and sends SIGHUP."""
        target = self.box.folder / "chain.json"
        if self.random.random() < 0.1:
            os.mkfifo(self.box.folder / "new")
        else:
            content = changed(self.random, self.random.choice((LIVE, LIVE, OWN, *TREES)), [LIVE, *TREES])
            if names_outside(content):
                return
            self.box.write("new", content)
        os.replace(self.box.folder / "new", target)
        self.process.send_signal(signal.SIGHUP)
        time.sleep(0.05)

    def _expect_life(self):
        """After the attacks a good request must be answered and a good chain loaded."""
        # A pipe as chain file must not block later requests.
        self.box.write("good.json", json.dumps(LIVE).encode())
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                with self._connect() as client:
                    client.settimeout(10)
                    client.sendall(b'{"load":"good.json"}\n')
                    answer = client.recv(65536)
                if answer:
                    return
            except OSError:
                time.sleep(0.1)
        if self.process.poll() is None:
            self.found.append("hang: a good request is not answered any more")

    def _end(self):
        """SIGTERM must end fxrun, and its recording must be complete."""
        was_running = self.process.poll() is None
        if was_running:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.found.append("hang: SIGTERM does not end it")
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        texts = []
        for file in (self.output, self.errors):
            file.seek(0)
            texts.append(file.read())
            file.close()
        text = b"".join(texts)
        if self.process.returncode < 0 or self.process.returncode not in STATUSES:
            self.found.append(f"abort: status {self.process.returncode}: {text[-300:]!r}")
        if CRASH_WORDS.search(text):
            self.found.append("abort: it printed " + repr(CRASH_WORDS.search(text).group()))
        hidden = [path.name for path in self.box.folder.glob(".*")]
        if hidden and not any("hang" in one for one in self.found):
            self.found.append("files left: " + ", ".join(hidden))
        if self.path.exists():
            self.found.append("files left: the socket")
        takes = list(self.box.folder.glob("take*.wav"))
        if was_running and not takes:
            self.found.append(f"empty success: no recording, status {self.process.returncode}: {text[-300:]!r}")
        for take in takes:
            self._check_recording(take)

    def _check_recording(self, path):
        content = pathlib.Path(path).read_bytes()
        if len(content) < 44 or struct.unpack_from("<I", content, 4)[0] != len(content) - 8:
            self.found.append(f"half written: {path.name}")
