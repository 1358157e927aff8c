#!/usr/bin/env python3
"""Completes command lines in an interactive shell on a pseudo-terminal.

    complete.py FXRUN bash|zsh|fish

Types each line of SITUATIONS and a tab, and compares the shell's command line with the expected
one. A key that the shell binds writes the command line to a file. Exit status: 0 when all lines are
as expected.
"""

import os
import pathlib
import pty
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time

CHAIN = """
{ "version": 2, "variables": { "amount": "3 dB" },
  "nodes": {
    "voice": { "source": "main" }, "bed": { "source": "bed" },
    "squeeze": { "unit": "compressor" }, "colour": { "unit": "lowPass" },
    "mix": { "unit": "mixer", "strips": { "voice": {}, "bed": {} } },
    "boost": { "unit": "gain", "parameters": { "gain": "${amount}" } },
    "out": { "sink": "main" }, "stem": { "sink": "stem" } },
  "connections": [
    "voice -> squeeze -> mix:voice", "bed -> mix:bed", "mix -> colour -> boost -> out", "squeeze -> stem"],
  "scenes": {
    "verse": { "parameters": { "squeeze.ratio": 2 } }, "chorus": { "parameters": { "squeeze.ratio": 4 } } } }
"""
PLAYED = """
{ "version": 2, "sampleRate": 48000,
  "chain": [{ "source": "null" }, { "id": "squeeze", "unit": "compressor" }, { "id": "level", "unit": "gain" },
    { "sink": { "alsa": "null" } }],
  "scenes": { "verse": { "parameters": { "squeeze.ratio": 2 } } } }
"""
FILES = ["take.mp3", "take two.wav", "picture.png", "changes.jsonl", "recordings/one.wav", "odd:name.wav"]

# What is typed, and the line after a tab. None: as typed.
SITUATIONS = [
    ("fxrun chec", "fxrun check "),
    ("fxrun prof", "fxrun profile "),
    ("fxrun vo", "fxrun voice.json "),
    ("fxrun hel", "fxrun help "),
    ("fxrun help cont", "fxrun help control "),
    ("fxrun help plugins pro", "fxrun help plugins probe "),
    ("fxrun nonsense take.mp3 --fade-i", "fxrun nonsense take.mp3 --fade-in "),
    ("fxrun none take.m", "fxrun none take.mp3 "),
    ("fxrun none take.mp3 --fade-o", "fxrun none take.mp3 --fade-out "),
    ("fxrun run none take.mp3 --fade-o", "fxrun run none take.mp3 --fade-out "),
    ("fxrun none take.mp3 -o out.wav --loudness -16 --loudness-", "fxrun none take.mp3 -o out.wav --loudness -16 --loudness-tags "),
    ("fxrun none --loudness -16 take.m", "fxrun none --loudness -16 take.mp3 "),
    ("fxrun none --fade-in=2 take.m", "fxrun none --fade-in=2 take.mp3 "),
    ("fxrun none take.mp3 --loudness -16 --loudness --jso", "fxrun none take.mp3 --loudness -16 --loudness --jso"),
    ("fxrun none take.mp3 --on-lost w", "fxrun none take.mp3 --on-lost wait "),
    ("fxrun run none take.mp3 --on-lost w", "fxrun run none take.mp3 --on-lost wait "),
    ("fxrun none take.mp3 --on-lost=e", "fxrun none take.mp3 --on-lost=end "),
    ("fxrun none take.mp3 --record m", "fxrun none take.mp3 --record manual "),
    ("fxrun none take.mp3 --resampling m", "fxrun none take.mp3 --resampling medium "),
    ("fxrun none take.mp3 --format fl", "fxrun none take.mp3 --format flac "),
    ("fxrun none take.mp3 --format=fl", "fxrun none take.mp3 --format=flac "),
    ("fxrun none take.mp3 --bits i", "fxrun none take.mp3 --bits int32 "),
    ("fxrun none take.mp3 --split ch", "fxrun none take.mp3 --split chapters "),
    ("fxrun none take.mp3 --cut-silence i", "fxrun none take.mp3 --cut-silence inside "),
    ("fxrun none take.mp3 --loop a", "fxrun none take.mp3 --loop all "),
    ("fxrun none take.mp3 --device studio", "fxrun none take.mp3 --device studio_monitor "),
    ("fxrun none --capture studio", "fxrun none --capture studio_monitor "),
    ("fxrun none take.mp3 --cover pi", "fxrun none take.mp3 --cover picture.png "),
    ("fxrun none take.mp3 --replay ch", "fxrun none take.mp3 --replay changes.jsonl "),
    ("fxrun none take.mp3 --cover=pi", "fxrun none take.mp3 --cover=picture.png "),
    ("fxrun none recordings/o", "fxrun none recordings/one.wav "),
    ("fxrun voice.json take.mp3 --bypass squ", "fxrun voice.json take.mp3 --bypass squeeze "),
    ("fxrun voice.json take.mp3 --set squeeze.thr", "fxrun voice.json take.mp3 --set squeeze.threshold="),
    ("fxrun voice.json --set squeeze.threshold=-20 --set boost.g", "fxrun voice.json --set squeeze.threshold=-20 --set boost.gain="),
    ("fxrun voice.json take.mp3 --scene ve", "fxrun voice.json take.mp3 --scene verse "),
    ("fxrun voice.json take.mp3 --scene=cho", "fxrun voice.json take.mp3 --scene=chorus "),
    ("fxrun voice.json take.mp3 --define am", "fxrun voice.json take.mp3 --define amount="),
    ("fxrun voice.json take.mp3 --define amount=2dB --bypass bo", "fxrun voice.json take.mp3 --define amount=2dB --bypass boost "),
    ("fxrun voice.json take.mp3 --input be", "fxrun voice.json take.mp3 --input bed="),
    ("fxrun voice.json take.mp3 --input bed=take.m", "fxrun voice.json take.mp3 --input bed=take.mp3 "),
    ("fxrun voice.json take.mp3 --output st", "fxrun voice.json take.mp3 --output stem="),
    ("fxrun voice.json take.mp3 --tap squ", "fxrun voice.json take.mp3 --tap squeeze="),
    ("fxrun profile voice.json --scene ve", "fxrun profile voice.json --scene verse "),
    ("fxrun check vo", "fxrun check voice.json "),
    ("fxrun plan voice.json --th", "fxrun plan voice.json --threads "),
    ("fxrun plot lowP", "fxrun plot lowPass "),
    ("fxrun plot voice.j", "fxrun plot voice.json "),
    ("fxrun plot lowPass fre", "fxrun plot lowPass frequency="),
    ("fxrun plot lowPass --what magn", "fxrun plot lowPass --what magnitude "),
    ("fxrun plot lowPass --theme d", "fxrun plot lowPass --theme dark "),
    ("fxrun lint voice.json --ignore clip", "fxrun lint voice.json --ignore clipping "),
    ("fxrun units compress", "fxrun units compressor "),
    ("fxrun units --js", "fxrun units --json "),
    ("fxrun batch mer", "fxrun batch merge "),
    ("fxrun batch voice.json recordings --album-by t", "fxrun batch voice.json recordings --album-by tag "),
    ("fxrun stats take.mp3 --js", "fxrun stats take.mp3 --json "),
    ("fxrun diff take.mp3 take.m", "fxrun diff take.mp3 take.mp3 "),
    ("fxrun save-state voice.json squ", "fxrun save-state voice.json squeeze "),
    ("fxrun save-state voice.json squeeze -o rec", "fxrun save-state voice.json squeeze -o recordings/"),
    ("fxrun control gui", "fxrun control guitar "),
    ("fxrun control guitar vol", "fxrun control guitar volume "),
    ("fxrun control --timeout 3 guitar vol", "fxrun control --timeout 3 guitar volume "),
    ("fxrun control guitar set squeeze.thr", "fxrun control guitar set squeeze.threshold "),
    ("fxrun control guitar get level.gai", "fxrun control guitar get level.gain "),
    ("fxrun control guitar bypass squ", "fxrun control guitar bypass squeeze "),
    ("fxrun control guitar bypass squeeze of", "fxrun control guitar bypass squeeze off "),
    ("fxrun control guitar mute lev", "fxrun control guitar mute level "),
    ("fxrun control guitar scene ve", "fxrun control guitar scene verse "),
    ("fxrun control guitar record sta", "fxrun control guitar record start "),
    ("fxrun control guitar watch ch", "fxrun control guitar watch changes "),
    ("fxrun control guitar load vo", "fxrun control guitar load voice.json "),
    ("fxrun control guitar play take.mp3 no", "fxrun control guitar play take.mp3 now "),
    ("fxrun control nobody set squ", None),
    ("fxrun none take.mp3 --loudness ", None),
]

START = {
    "bash": (
        ["bash", "--norc", "--noprofile", "-i"],
        """bind 'set bell-style none'; bind 'set enable-bracketed-paste off'; bind 'set completion-query-items 0'
dump() { printf '%s' "$READLINE_LINE" >"$LINE_FILE.new"; mv "$LINE_FILE.new" "$LINE_FILE"; READLINE_LINE=; READLINE_POINT=0; }
bind -x '"\\C-x\\C-d": dump'
source fxrun.completion
""",
    ),
    "zsh": (
        ["zsh", "-f", "-i"],
        """fpath=(functions $fpath); autoload -Uz compinit; compinit -u -D; unsetopt beep
dump() { printf '%s' "$BUFFER" >"$LINE_FILE.new"; mv "$LINE_FILE.new" "$LINE_FILE"; BUFFER=; }
zle -N dump; bindkey -e; bindkey '^X^D' dump
""",
    ),
    "fish": (
        ["fish", "--no-config", "-i"],
        """source fxrun.completion
function dump; printf '%s' (commandline) >$LINE_FILE.new; mv $LINE_FILE.new $LINE_FILE; commandline ''; end
bind \\cx\\cd dump
""",
    ),
}


class Shell:
    """A shell on a pseudo-terminal, whose output is read and kept."""

    def __init__(self, arguments, environment, folder):
        self.output = b""
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(arguments[0], arguments, environment)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            try:
                self.output += os.read(self.terminal, 65536)
            except OSError:
                return

    def type(self, text):
        os.write(self.terminal, text.encode())

    def end(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)


def wait_for(condition, what, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"waited {seconds} s for {what}")
        time.sleep(0.01)


def main():
    fxrun, name = os.path.abspath(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        base = pathlib.Path(folder)
        for file in FILES:
            path = base / "work" / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        work = base / "work"
        (work / "voice.json").write_text(CHAIN)
        (base / "played.json").write_text(PLAYED)
        (base / "bin").mkdir()
        (base / "bin/fxrun").symlink_to(fxrun)
        (base / "run").mkdir(mode=0o700)
        (base / "asound.conf").write_text(
            "</usr/share/alsa/alsa.conf>\npcm.studio_monitor { type null }\n")
        environment = dict(
            PATH=f"{base}/bin:/usr/local/bin:/usr/bin:/bin", HOME=folder, TERM="xterm", LANG="C.UTF-8",
            XDG_RUNTIME_DIR=f"{base}/run", LINE_FILE=f"{base}/line", LV2_PATH="/nonexistent",
            ALSA_CONFIG_PATH=f"{base}/asound.conf", PS1="$ ")
        script = subprocess.run(
            [fxrun, "--generate-completion-script", name], capture_output=True, check=True).stdout
        (work / "functions").mkdir()
        (work / ("functions/_fxrun" if name == "zsh" else "fxrun.completion")).write_bytes(script)
        player = subprocess.Popen(
            [f"{base}/bin/fxrun", f"{base}/played.json", "--control", "guitar", "--quiet"], env=environment,
            stdin=subprocess.DEVNULL)
        shell = None
        try:
            wait_for((base / "run/fxrun/guitar.sock").exists, "the performance")
            arguments, setup = START[name]
            shell = Shell(arguments, environment, work)
            line = base / "line"

            def completed(typed, tab):
                line.unlink(missing_ok=True)
                shell.type(typed + tab + "\x18\x04")
                wait_for(line.exists, f"{name}: {typed!r}\n{shell.output[-2000:].decode(errors='replace')}")
                return line.read_text()

            # Control characters mean something else until the shell reads its first line.
            shell.type(setup + "echo rea''dy\n")
            wait_for(lambda: b"ready" in shell.output, f"the start of {name}")
            wrong = 0
            for typed, expected in SITUATIONS:
                expected = typed if expected is None else expected
                found = completed(typed, "\t")
                if found != expected:
                    wrong += 1
                    print(f"{name}: {typed!r} becomes {found!r}, not {expected!r}")
            print(f"{name}: {len(SITUATIONS)} situations, {wrong} wrong")
            return 1 if wrong else 0
        finally:
            if shell:
                shell.end()
            player.terminate()
            player.wait()


sys.exit(main())
