"""Virtual cards: their definitions for alsa-lib, and what they have received and logged."""
import os
import re

INCLUDE = "</usr/share/alsa/alsa.conf>\n"


class Card:
    """One card. Settings are those of Tests/Live/README.md; underscores stay as they are."""

    def __init__(self, folder, name="card", formats="FLOAT_LE", script=(), **settings):
        self.name = name
        self.format = formats
        self._record = folder / f"{name}.raw"
        self._log = folder / f"{name}.log"
        self._control = folder / f"{name}.control"
        script_file = folder / f"{name}.script"
        script_file.write_text("\n".join(script) + "\n")
        self.settings = {
            "record": self._record, "log": self._log, "control": self._control,
            "script": script_file, "formats": [formats], **settings}

    @property
    def definition(self):
        lines = [f"{key} {self._text(value)}" for key, value in self.settings.items()]
        hint = 'hint { show on description "virtual card" }'
        return f"pcm.{self.name} {{\n  type fxrun_card\n  {hint}\n  " + "\n  ".join(lines) + "\n}\n"

    @staticmethod
    def _text(value):
        if isinstance(value, (list, tuple)):
            return "[ " + " ".join(str(item) for item in value) + " ]"
        return f'"{value}"' if not isinstance(value, (int, float)) else str(value)

    def do(self, *actions):
        """Lets something happen to the card at once."""
        whole = self._control.with_suffix(".new")
        whole.write_text("\n".join(actions))
        os.replace(whole, self._control)

    @property
    def received(self):
        """What the card has played so far, raw."""
        return self._record.read_bytes() if self._record.exists() else b""

    @property
    def log(self):
        """Tuples of seconds, direction, frame and words."""
        if not self._log.exists():
            return []
        entries = []
        for line in self._log.read_text().splitlines():
            seconds, _, direction, frame, words = line.split(" ", 4)
            entries.append((float(seconds), direction, int(frame), words))
        return entries

    def count(self, pattern):
        """How many lines of the log say that."""
        return sum(1 for entry in self.log if re.match(pattern, entry[3]))

    @property
    def ran_dry(self):
        """Times at which nobody had written in time. To run dry is also how playing ends."""
        words = [entry[3] for entry in self.log]
        while words and words[-1] in ("stop", "close"):
            words.pop()
        return words[:-1].count("xrun")


def write_definitions(path, plugin, cards, more=""):
    """An ALSA configuration with these cards and nothing of the machine's user."""
    text = INCLUDE + f'pcm_type.fxrun_card {{ lib "{plugin}" }}\n'
    path.write_text(text + "".join(card.definition for card in cards) + more)
