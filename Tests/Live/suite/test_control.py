"""Requests to a playing chain, and their replay offline."""
import json
import os
import random
import socket
import stat
import subprocess
import threading
import time

from client import Client
from live import BINARY, UNITS, LiveTest
from program import Program
from sound import first_difference, floats, is_silent, read_wav
from table import retried

# The parameters that random requests change, with their ranges.
KNOBS = {
    "unit0.frequency": (20, 2000), "unit1.threshold": (-40, 0), "unit1.ratio": (1, 20),
    "echo.time": (0.001, 0.5), "echo.feedback": (0, 0.9), "echo.wet": (0, 1),
    "unit3.ceiling": (-12, 0),
}


class ControlTests(LiveTest):
    """Requests while it plays."""

    def start(self, seconds=3, *arguments, units=None, card=None, speed=None):
        """Plays with a control socket and a log."""
        card = card or self.card(**({"speed": speed} if speed else {}))
        self.path = self.folder / "control.sock"
        chain, sound = self.chain(units), self.sound(seconds)
        program = self.play(
            chain, sound, "--control", self.path, "--log", self.folder / "changes.jsonl", *arguments)
        return card, chain, sound, program

    def client(self):
        client = Client(self.path)
        self.addCleanup(client.close)
        return client

    def command(self, *words):
        return subprocess.run(
            [BINARY, "control", self.path, *words], capture_output=True, text=True, timeout=10,
            stdin=subprocess.DEVNULL)

    def replay(self, chain, sound, *arguments):
        return self.offline(
            chain, sound, "--replay", self.folder / "changes.jsonl", *arguments)

    def logged(self):
        lines = (self.folder / "changes.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]

    # MARK: Requests

    def test_no_answer(self):
        """fxrun control times out without a connection or an answer, but learn keeps waiting"""
        self.path = self.folder / "silent.sock"
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        listener.bind(str(self.path))
        listener.listen(0)
        for words in (["status"], ["get", "unit0.gain"]):
            outcome = subprocess.run(
                [BINARY, "control", "--timeout", "0.3", self.path, *words], capture_output=True,
                text=True, timeout=10, stdin=subprocess.DEVNULL)
            self.assertEqual(outcome.returncode, 6, outcome.stderr)
            self.assertIn("within 0.3 s", outcome.stderr)
        listener.listen(8)
        with self.assertRaises(subprocess.TimeoutExpired):
            subprocess.run(
                [BINARY, "control", "--timeout", "0.3", self.path, "learn", "unit0.gain"],
                capture_output=True, timeout=1.5, stdin=subprocess.DEVNULL)

    def test_requests(self):
        """clients set, get, list and bypass; wrong requests are refused"""
        _, _, _, program = self.start(10)
        client = self.client()
        self.assertEqual(client.ask(set="unit1.threshold", to="-30 dB", id=7), {"id": 7, "ok": True})
        self.assertEqual(client.ask(get="unit1.threshold"), {"value": -30})
        self.assertEqual(client.ask(set="unit1.ratio", to=4, seconds=0.1), {"ok": True})
        self.assertEqual(client.ask(bypass="echo"), {"on": True})
        self.assertEqual(client.ask(bypass="echo", on=True), {"on": True})
        status = client.ask(status=True)["status"]
        self.assertEqual(status["bypassed"], ["echo"])
        self.assertEqual(status["sampleRate"], 48000)
        self.assertEqual(status["blockFrames"], self.period)
        self.assertEqual(client.ask(bypass="echo"), {"on": False})
        parameters = {entry["name"]: entry for entry in client.ask(list="parameters")["parameters"]}
        ratio = parameters["unit1.ratio"]
        self.assertEqual((ratio["value"], ratio["kind"]), (4, "number"))
        self.assertLessEqual(ratio["minimum"], 1)
        refusals = [
            ("unknown-parameter", {"set": "unit1.treshold", "to": 1}),
            ("out-of-range", {"set": "unit1.threshold", "to": 400}),
            ("unknown-node", {"get": "comp.threshold"}),
            ("bad-request", {"sett": "unit1.threshold", "to": 1}),
            ("nothing-to-switch", {"mute": "echo"}),
            ("nothing-to-switch", {"solo": "echo"}),
        ]
        for code, request in refusals:
            error = client.ask(**request)["error"]
            self.assertEqual(error["code"], code, error)
            self.assertEqual(error["kind"], "request", error)
        self.assertIn("did you mean 'threshold'?  (threshold: -60…0 dB, default -18)", client.ask(get="unit1.treshold")["error"]["hints"])
        self.assertEqual(client.ask(stop=True), {"ok": True})
        self.assertIsNone(client.line())
        self.assertEqual(program.end(5).status, 130)
        self.assertFalse(self.path.exists(), "the socket is still there")

    def test_strips(self):
        """mixer strips and gains can be muted and soloed, and get their levels back"""
        card = self.card()
        self.path = self.folder / "control.sock"
        chain = self.folder / "chain.json"
        chain.write_text(json.dumps({
            "version": 1, "sampleRate": 48000, "blockSize": self.period, "nodes": {
                "in": {"source": "main"},
                "low": {"unit": "lowPass"}, "high": {"unit": "highPass"},
                "mix": {"unit": "mixer", "strips": {"low": {"gain": "-3 dB"}, "high": {}}},
                "fader": {"unit": "gain", "parameters": {"gain": "-6 dB"}},
                "device": {"sink": {"alsa": "card"}}},
            "connections": [
                "in -> low -> mix:low", "in -> high -> mix:high", "mix -> fader -> device"]}))
        program = self.play(chain, self.sound(10), "--control", self.path)
        client = self.client()
        self.assertEqual(client.ask(mute="mix.strips.low"), {"on": True})
        self.assertEqual(client.ask(solo="mix.strips.high"), {"on": True})
        self.assertEqual(client.ask(solo="mix.strips.low", on=True), {"on": True})
        self.assertEqual(client.ask(mute="fader"), {"on": True})
        self.assertEqual(client.ask(get="fader.gain"), {"value": "-inf"})
        status = client.ask(status=True)["status"]
        self.assertEqual(status["muted"], ["mix.strips.low", "fader"])
        self.assertEqual(status["soloed"], ["mix.strips.low", "mix.strips.high"])
        self.assertEqual(client.ask(mute="fader", on=False), {"on": False})
        self.assertEqual(client.ask(get="fader.gain"), {"value": -6})
        self.assertEqual(client.ask(mute="mix.strips.low"), {"on": False})
        self.assertEqual(client.ask(mute="mix.strips.none")["error"]["code"], "unknown-parameter")
        # A level that is set while the node is muted applies after it.
        client.ask(mute="fader")
        client.ask(set="fader.gain", to=-12)
        self.assertEqual(client.ask(mute="fader", on=False), {"on": False})
        self.assertEqual(client.ask(get="fader.gain"), {"value": -12})
        client.ask(stop=True)
        self.assertFalse(program.end(5).was_hung)
        self.assertFalse(is_silent(card.received))

    def test_lines(self):
        """lines that are not requests get an error, and the connection stays open"""
        _, _, _, program = self.start(10)
        client = self.client()
        for line, code in (
                (b"{", "invalid-json"), (b"nonsense", "invalid-json"), (b"[1]", "bad-request"),
                (bytes(9), None), (b"\x01", None),
                (b"{}", "bad-request"), (b"\xff\xfe", None), (b"{\"get\":1}", "bad-request"),
                (b"{\"set\":\"echo.wet\"}", "bad-request"),
                (b"{\"get\":\"echo.wet\",\"stop\":true}", "bad-request"),
                (b"{\"set\":\"echo.wet\",\"to\":1e999}", None),
                (b"{\"set\":\"echo.wet\",\"to\":1,\"seconds\":-1}", "bad-request"),
                (b"[" * 5000, None), (b"x" * 70000, "line-too-long"),
                (b"\"" + b"y" * 300000 + b"\"", "line-too-long")):
            client.send(line)
            error = client.answer()["error"]
            if code:
                self.assertEqual(error["code"], code, line[:40])
        self.assertEqual(client.ask(get="echo.wet", id="a")["id"], "a")
        # Several requests at once, with empty lines, are answered in order.
        client.socket.sendall(b"\n \n" + b"".join(
            b"{\"get\":\"echo.wet\",\"id\":%d}\n" % number for number in range(1000)))
        self.assertEqual([client.answer()["id"] for _ in range(1000)], list(range(1000)))
        # A client that disconnects in the middle of a line has sent no request.
        other = self.client()
        other.socket.sendall(b"{\"set\":\"echo.wet\",\"to\":0.12")
        other.close()
        # A client that closes its sending side still gets its answer.
        half = self.client()
        half.socket.sendall(b"{\"get\":\"unit1.ratio\"}")
        half.socket.shutdown(socket.SHUT_WR)
        self.assertEqual(half.answer(), {"value": 3})
        self.assertIsNone(half.line())
        self.assertNotEqual(client.ask(get="echo.wet")["value"], 0.12)
        self.assertTrue(program.is_running)
        client.ask(stop=True)
        self.assertFalse(program.end(5).was_hung)

    def test_watch(self):
        """a watching client receives other clients' changes, the events and the end"""
        card, _, _, program = self.start(10)
        watcher, other = self.client(), self.client()
        self.assertEqual(watcher.ask(watch=True), {"watching": True})
        other.ask(set="unit1.ratio", to=5, seconds=0.25)
        event = watcher.event("changed", parameter="unit1.ratio")
        self.assertEqual((event["value"], event["seconds"]), (5, 0.25))
        self.assertEqual(event["frame"] % self.period, 0)
        card.do("xrun")
        self.assertIn("xrun", watcher.event("xrun")["message"])
        other.send({"load": str(self.folder / "none.json")})
        self.assertIn("error", other.answer())
        self.assertIsNotNone(watcher.event("refused"))
        other.ask(stop=True)
        self.assertIsNotNone(watcher.event("end"))
        self.assertIsNone(watcher.line())
        self.assertFalse(program.end(5).was_hung)

    def test_slow_reader(self):
        """a watching client that does not read is disconnected; others are not affected"""
        _, _, _, program = self.start(20)
        lazy, busy = self.client(), self.client()
        lazy.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.assertEqual(lazy.ask(watch="changes"), {"watching": True})
        deadline, gone = time.monotonic() + 15, False
        while not gone and time.monotonic() < deadline:
            for _ in range(500):
                busy.send({"set": "echo.wet", "to": 0.5})
            for _ in range(500):
                busy.answer()
            try:
                lazy.socket.send(b"\n", socket.MSG_NOSIGNAL)
            except OSError:
                gone = True
        self.assertTrue(gone, "it is still there")
        self.assertEqual(busy.ask(get="echo.wet"), {"value": 0.5})
        busy.ask(stop=True)
        self.assertFalse(program.end(5).was_hung)

    # MARK: The socket

    def test_socket(self):
        """only its user may use the socket; a stale socket is replaced, a live one is refused"""
        _, chain, sound, program = self.start(20)
        self.client()
        self.assertEqual(stat.S_IMODE(os.stat(self.path).st_mode), 0o600)
        again = Program(
            BINARY, [chain, sound, "--control", self.path, "--json"], self.folder).end(5)
        self.assertEqual(again.status, 64, str(again))
        self.assertIn("another fxrun", again.failure)
        # When it is killed, it cannot remove its socket.
        program.process.kill()
        program.process.wait()
        self.assertTrue(self.path.exists())
        refused = self.command("status")
        self.assertEqual(refused.returncode, 6, refused.stderr)
        self.renew_card()
        program = self.play(chain, sound, "--control", self.path)
        self.assertIn("status", self.client().ask(status=True))
        program.interrupt()
        self.assertFalse(program.end(5).was_hung)
        self.assertFalse(self.path.exists(), "the socket is still there")
        self.path.write_text("mine")
        other = Program(BINARY, [chain, sound, "--control", self.path, "--json"], self.folder).end(5)
        self.assertEqual(other.status, 5, str(other))
        self.assertEqual(self.path.read_text(), "mine")

    def renew_card(self):
        """Removes the card's files, so that another process can play on it."""
        for file in self.folder.glob("card.*"):
            file.unlink()

    def test_name(self):
        """a name refers to a socket in the runtime folder; SIGTERM removes the socket"""
        self.card()
        environment = {"XDG_RUNTIME_DIR": str(self.folder)}
        program = self.play(
            self.chain(), self.sound(20), "--control", "guitar", environment=environment)
        self.path = self.folder / "fxrun" / "guitar.sock"
        self.client()
        words = subprocess.run(
            [BINARY, "control", "guitar", "get", "unit1.ratio"], capture_output=True, text=True,
            env={**os.environ, **environment}, timeout=10)
        self.assertEqual((words.stdout, words.returncode), ("3\n", 0), words.stderr)
        program.process.terminate()
        self.assertFalse(program.end(5).was_hung)
        self.assertFalse(self.path.exists(), "the socket is still there")

    # MARK: The command

    def test_command(self):
        """fxrun control prints answers and errors in words"""
        _, _, _, program = self.start(20)
        self.client()
        for words, status, output in (
                (("set", "unit1.threshold", "-20dB"), 0, ""),
                (("get", "unit1.threshold"), 0, "-20\n"),
                (("set", "unit1.threshold", "-24 dB", "0.2"), 0, ""),
                (("bypass", "echo"), 0, "on\n"), (("bypass", "echo", "off"), 0, "off\n"),
                (("get", "unit1.nothing"), 64, ""), (("get",), 64, ""), (("nonsense",), 64, ""),
                (("load", "/none.json"), 2, "")):
            outcome = self.command(*words)
            self.assertEqual((outcome.returncode, outcome.stdout), (status, output), outcome.stderr)
            self.assertEqual(bool(outcome.stderr), status != 0)
        self.assertIn("blockFrames", self.command("status").stdout)
        self.assertIn("unit1.threshold", self.command("list").stdout)
        lines = subprocess.run(
            [BINARY, "control", self.path], capture_output=True, text=True, timeout=10,
            input="{\"get\":\"unit1.ratio\",\"id\":1}\nget unit1.ratio\n{\"get\":\"none\"}\n")
        answers = lines.stdout.splitlines()
        self.assertEqual(json.loads(answers[0]), {"id": 1, "value": 3})
        self.assertEqual(answers[1], "3")
        self.assertIn("error", json.loads(answers[2]))
        self.assertEqual(lines.returncode, 64)
        self.assertEqual(self.command("stop").returncode, 0)
        self.assertFalse(program.end(5).was_hung)
        self.assertEqual(self.command("status").returncode, 6)

    # MARK: Playing it again

    @retried()
    def test_replay(self):
        """a replay renders changes of parameters again, to the bit"""
        card, chain, sound, program = self.start(3)
        client = self.client()
        generator = random.Random(4)
        while program.is_running and len(card.received) < 48000 * 8 * 2.5:
            name, (low, high) = generator.choice(list(KNOBS.items()))
            client.ask(
                set=name, to=generator.uniform(low, high),
                **({"seconds": generator.uniform(0, 0.3)} if generator.random() < 0.5 else {}))
            if generator.random() < 0.1:
                client.ask(bypass=generator.choice(["echo", "unit1"]))
            time.sleep(generator.uniform(0, 0.02))
        outcome = program.end(20)
        self.assert_calm(card)
        self.assertEqual(outcome.status, 0, str(outcome))
        self.assertGreater(len(self.logged()), 10)
        replayed = self.replay(chain, sound)
        latency = outcome.summary["latencyFrames"]
        self.assert_starts_with(card.received[latency * 8:], replayed, "what was played")
        self.assertEqual(self.recorded, replayed, "the file beside it is not the same")
        self.assertIsNotNone(
            first_difference(self.offline(chain, sound), replayed, 8), "nothing was changed")

    @retried()
    def test_replay_of_transport(self):
        """a replay renders pauses, seeks, loops and volumes again, to the bit"""
        card, chain, sound, program = self.start(4)
        client = self.client()
        for request in (
                {"volume": -9, "seconds": 0.2}, {"pause": True}, {"resume": True}, {"seek": 2.5},
                {"set": "echo.wet", "to": 0.7}, {"mute": True}, {"mute": False}, {"seek": 0.5},
                {"loop": 1, "to": 1.3}, {"loop": False}, {"skip": 1}, {"volume": 0}):
            self.assertNotIn("error", client.ask(**request))
            time.sleep(0.15)
        outcome = program.end(20)
        self.assert_calm(card)
        self.assertEqual(outcome.status, 0, str(outcome))
        kinds = {key for entry in self.logged()[1:] for key in entry}
        self.assertGreaterEqual(kinds, {"set", "pause", "resume", "seek", "volume", "mute"})
        latency = outcome.summary["latencyFrames"]
        self.assert_starts_with(
            card.received[latency * 8:], self.replay(chain, sound), "what was played")

    @retried()
    def test_replay_of_a_loop(self):
        """a replay renders a stopped loop again, to the bit up to the fade at its end"""
        card, chain, sound, program = self.start(1, "--loop", "all")
        while program.is_running and len(card.received) < 48000 * 8 * 2.5:
            time.sleep(0.02)
        self.client().ask(stop=True)
        outcome = program.end(20)
        self.assert_calm(card)
        end = self.logged()[-1]
        self.assertTrue(end.get("end"), str(end))
        self.assertEqual(end["frame"], outcome.summary["frames"])
        latency, fade = outcome.summary["latencyFrames"], 1024
        heard = card.received[latency * 8:(end["frame"] - fade) * 8]
        self.assert_starts_with(self.replay(chain, sound), heard, "what was played")

    def test_replay_of_another_chain(self):
        """a log that loads another chain cannot be replayed; the error names its line"""
        card, chain, sound, program = self.start(2)
        document = json.loads(chain.read_text())
        other = self.folder / "other.json"
        document["nodes"]["extra"] = {"unit": "highPass"}
        document["connections"].append("in -> extra -> device")
        other.write_text(json.dumps(document))
        answer = self.client().ask(load=str(other))
        self.assertIn("loaded", answer, str(answer))
        self.assertEqual(program.end(20).status, 0)
        lines = self.logged()
        line = 1 + next(index for index, entry in enumerate(lines) if "load" in entry)
        outcome = Program(
            BINARY, [chain, sound, "-o", "out.wav", "--replay", self.folder / "changes.jsonl"],
            self.folder).end(20)
        self.assertEqual(outcome.status, 4, str(outcome))
        self.assertIn(f"changes.jsonl:{line}:", outcome.errors)

    def test_bad_logs(self):
        """an invalid log is refused with the number of its wrong line"""
        self.card()
        chain, sound = self.chain(tap=False), self.sound(0.5)
        header = {
            "log": 1, "program": "", "chain": "", "hash": "", "sampleRate": 48000,
            "blockSize": 1024, "startFrame": 0}
        for line, lines in (
                (1, []), (1, ["{"]), (1, [{"frame": 0}]), (1, [{**header, "log": 2}]),
                (1, [{**header, "blockSize": 0}]), (2, [header, {"frame": 0, "sing": "a"}]),
                (2, [header, {"frame": -1, "set": "echo.wet", "to": 1}]),
                (2, [header, {"frame": 0, "set": "echo.nothing", "to": 1}]),
                (2, [header, {"frame": 0, "set": "echo.wet", "to": 7}]),
                (3, [header, {"frame": 9, "set": "echo.wet", "to": 1},
                     {"frame": 8, "set": "echo.wet", "to": 1}])):
            log = self.folder / "bad.jsonl"
            log.write_text("".join(
                (entry if isinstance(entry, str) else json.dumps(entry)) + "\n"
                for entry in lines))
            outcome = Program(
                BINARY, [chain, sound, "-o", "out.wav", "--replay", log, "--json"],
                self.folder).end(20)
            self.assertIn(outcome.status, (4, 64), f"{lines}: {outcome}")
            if lines:
                self.assertIn(f"bad.jsonl:{line}:", outcome.failure)
            self.assertFalse((self.folder / "out.wav").exists())

    # MARK: Traffic

    @retried()
    def test_traffic(self):
        """a high rate of requests from several clients does not disturb the sound"""
        card, chain, sound, program = self.start(20)
        first = self.client()
        sizes, counts = [], []
        isOver = threading.Event()

        def send(number):
            client, generator, count = Client(self.path), random.Random(number), 0
            try:
                while not isOver.is_set():
                    for _ in range(20):
                        name, (low, high) = generator.choice(list(KNOBS.items()))
                        client.send(generator.choice([
                            {"set": name, "to": generator.uniform(low, high)}, {"get": name},
                            {"bypass": "echo"}, {"status": True}, b"nonsense", {"set": "a.b", "to": 1}]))
                    for _ in range(20):
                        client.answer()
                    count += 20
                    if generator.random() < 0.05:
                        client.close()
                        client = Client(self.path)
                    time.sleep(0.005)
            finally:
                counts.append(count)
                client.close()

        threads = [threading.Thread(target=send, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for _ in range(30):
            time.sleep(0.2)
            with open(f"/proc/{program.process.pid}/statm") as file:
                sizes.append(int(file.read().split()[1]) * 4)
        isOver.set()
        for thread in threads:
            thread.join()
        first.ask(stop=True)
        outcome = program.end(5)
        self.assertFalse(outcome.was_hung)
        self.assert_calm(card)
        self.assertEqual(outcome.live["xruns"], 0)
        self.assertGreater(sum(counts), 1000)
        # The first sizes are left out: fxrun fetches and locks its memory at the start.
        self.assertLess(max(sizes[15:]) - sizes[15], 4096, f"KiB in memory: {sizes}")
        replayed = self.replay(chain, sound)
        latency = outcome.summary["latencyFrames"]
        played = card.received[latency * 8:]
        frame = first_difference(played, replayed, 8)
        # The end of the sound differs, because it fades out.
        self.assertGreater((frame or 0) * 8, len(played) - 8 * 48000)
        plain = self.offline(chain, sound)
        largest = [
            max(abs(left - right) for left, right in zip(samples[::2], samples[2::2]))
            for samples in (floats(data[:8 * 48000 * 5], "FLOAT_LE") for data in (played, plain))]
        self.assertLess(largest[0], 3 * largest[1], "a change is heard as a step")
