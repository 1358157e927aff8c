"""Common parts of the tests: a folder, a chain, cards, and fxrun playing through them."""
import functools
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from card import Card, write_definitions
from program import Program
from sound import first_difference, noise, read_wav, write_wav
from table import Disturbed

BINARY = pathlib.Path(os.environ.get("FXRUN_BINARY", "fxrun"))
TOOLS = pathlib.Path(os.environ.get("FXRUN_LIVE_TOOLS", "."))
REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
CARD_PLUGIN = TOOLS / "libasound_module_pcm_fxrun_card.so"
FAULT_LIBRARY = TOOLS / "libfxrun_alsa_faults.so"
SEQUENCER_LIBRARY = TOOLS / "libfxrun_sequencer.so"

# Units with memory, so that a skipped or repeated block changes the sound for a while.
UNITS = [
    {"unit": "highPass", "parameters": {"frequency": "60 Hz"}},
    {"unit": "compressor", "parameters": {"threshold": "-20 dB", "ratio": "3:1"}},
    {"unit": "delay", "id": "echo", "parameters": {"time": "70 ms", "feedback": "30 %"}},
    {"unit": "limiter", "parameters": {"ceiling": "-3 dB"}},
]
_inputs = {}


def input_of(seconds, channels=2, rate=48000):
    """A sound of this length; made once."""
    key = (seconds, channels, rate)
    if key not in _inputs:
        _inputs[key] = noise(seconds, rate, channels)
    return _inputs[key]


@functools.cache
def help_text():
    """The help of `run`, with its options."""
    return subprocess.run(
        [BINARY, "run", "--help"], capture_output=True, text=True, check=True).stdout


class LiveTest(unittest.TestCase):
    """Base of all tests that play."""

    period = 1024

    def setUp(self):
        self.folder = None
        self.addCleanup(lambda: shutil.rmtree(self.folder, ignore_errors=True))
        self.renew()

    def renew(self):
        """Makes a new empty folder to play in."""
        if self.folder:
            shutil.rmtree(self.folder)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="fxrun-live-"))
        (self.folder / "lv2").mkdir()
        self._cards = []

    # MARK: What is played

    def card(self, name="card", **settings):
        """Adds a card to those that are defined for alsa-lib."""
        card = Card(self.folder, name, **settings)
        self._cards.append(card)
        write_definitions(self.folder / "asound.conf", CARD_PLUGIN, self._cards)
        return card

    def chain(self, units=None, device="card", tap=True, name="chain.json", **more):
        """A chain that plays on the device and, as `tap`, writes the same sound to a file."""
        units = UNITS if units is None else units
        nodes = {"in": {"source": "main"}, "device": {"sink": {"alsa": device}}}
        path = ["in"]
        for number, unit in enumerate(units):
            path.append(unit.get("id", f"unit{number}"))
            nodes[path[-1]] = {key: value for key, value in unit.items() if key != "id"}
        connections = [" -> ".join(path + ["device"])]
        if tap:
            nodes["tap"] = {"sink": {"file": "tap.wav", "bits": 32}}
            connections.append(f"{path[-1]} -> tap")
        document = {
            "version": 1, "sampleRate": 48000, "blockSize": self.period, "tail": "0.5 s",
            "nodes": nodes, "connections": connections, **more}
        file = self.folder / name
        file.write_text(json.dumps(document, indent=2))
        return file

    def sound(self, seconds=2, channels=2, rate=48000):
        file = self.folder / "in.wav"
        write_wav(file, input_of(seconds, channels, rate), rate, channels)
        return file

    def play(self, *arguments, environment=None, **options):
        """Starts fxrun; it is killed after the test if it still runs."""
        program = Program(BINARY, [*arguments, "--json"], self.folder, environment, **options)
        self.addCleanup(lambda: program.process.poll() is None and program.process.kill())
        return program

    def offline(self, chain, sound, *arguments, rate=None):
        """The offline render of a chain, as floats. The live sound must be equal to it."""
        document = json.loads(chain.read_text())
        if rate:
            document["sampleRate"] = rate
        # The file that is recorded live is left out.
        document["nodes"].pop("tap", None)
        document["connections"] = [
            connection for connection in document["connections"] if not connection.endswith("tap")]
        plain = self.folder / "offline.json"
        plain.write_text(json.dumps(document))
        target = self.folder / "offline.wav"
        outcome = Program(
            BINARY, [plain, sound, "-o", target, "--bits", "32", "--json", *arguments],
            self.folder).end(60)
        self.assertEqual(outcome.status, 0, f"the offline render {outcome}")
        return read_wav(target)

    def option(self, name, value):
        """An option for `run`; the test fails if this fxrun does not have it."""
        self.assertIn(name, help_text(), f"there is no {name}")
        return [name, str(value)]

    # MARK: What came of it

    @property
    def recorded(self):
        """The samples of the file `tap`, whole or partial; None if there is no file."""
        for name in ("tap.wav", "tap.partial.wav"):
            if (self.folder / name).exists():
                return read_wav(self.folder / name)
        return None

    def assert_calm(self, card):
        """Raises Disturbed if the machine was late: then the test proves nothing about fxrun."""
        if card.ran_dry:
            raise Disturbed(f"{card.ran_dry} times late")

    def assert_starts_with(self, longer, shorter, what, width=8):
        self.assertGreaterEqual(len(longer), len(shorter), f"{what} is too short")
        frame = first_difference(longer, shorter, width)
        self.assertIsNone(frame, f"{what} differs from frame {frame}")
