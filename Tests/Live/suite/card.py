"""Virtual cards: their definitions for alsa-lib, the frames that they played, and their logs."""
import os
import re

INCLUDE = "</usr/share/alsa/alsa.conf>\n"


class Card:
    """One card. Tests/Live/README.md describes the settings; they have the same names here."""

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
        return f"pcm.!{self.name} {{\n  type fxrun_card\n  {hint}\n  " + "\n  ".join(lines) + "\n}\n"

    @staticmethod
    def _text(value):
        if isinstance(value, (list, tuple)):
            return "[ " + " ".join(str(item) for item in value) + " ]"
        return f'"{value}"' if not isinstance(value, (int, float)) else str(value)

    def do(self, *actions):
        """Carries out actions on the card at once."""
        whole = self._control.with_suffix(".new")
        whole.write_text("\n".join(actions))
        os.replace(whole, self._control)

    @property
    def received(self):
        """The frames that the card has played so far, raw."""
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
        """The number of lines of the log whose words match the pattern."""
        return sum(1 for entry in self.log if re.match(pattern, entry[3]))

    @property
    def ran_dry(self):
        """The number of xruns, without the one that ends playing."""
        words = [entry[3] for entry in self.log]
        while words and words[-1] in ("stop", "close"):
            words.pop()
        return words[:-1].count("xrun")


def write_definitions(path, plugin, cards, more=""):
    """Writes an ALSA configuration with these cards and without the user's own settings."""
    text = INCLUDE + f'pcm_type.fxrun_card {{ lib "{plugin}" }}\n'
    path.write_text(text + "".join(card.definition for card in cards) + more)
