"""Sound servers that the tests start for themselves, separate from the user's servers."""
import glob
import os
import pathlib
import shutil
import signal
import subprocess
import time


def alsa_plugin(kind):
    """The ALSA plugin that connects to a server, or None if it is not installed."""
    folders = [os.environ.get("ALSA_PLUGIN_DIR", ""), *glob.glob("/usr/lib/*/alsa-lib")]
    for folder in folders:
        file = pathlib.Path(folder) / f"libasound_module_pcm_{kind}.so"
        if folder and file.exists():
            return file
    return None


def missing(kind, *programs):
    """A message about the first missing part of a server, or None if all is installed."""
    for program in programs:
        if not shutil.which(program):
            return f"{program} is not installed"
    return None if alsa_plugin(kind) else f"the ALSA plugin for {kind} is not installed"


class Server:
    """The processes of a server, in a folder of their own."""

    def __init__(self, folder, environment):
        self.folder = folder
        self.environment = {**os.environ, "HOME": str(folder), **environment}
        self._processes = []

    def start(self, *command):
        log = open(self.folder / f"{pathlib.Path(command[0]).name}.server.log", "w")
        with log:
            process = subprocess.Popen(
                command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._processes.append(process)
        return process

    def ask(self, *command):
        """The output of a client of the server; empty if the client fails."""
        try:
            result = subprocess.run(
                command, env=self.environment, capture_output=True, text=True, timeout=5)
        except subprocess.TimeoutExpired:
            return ""
        return result.stdout if result.returncode == 0 else ""

    def wait_for(self, word, *command, limit=10):
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline:
            if word in self.ask(*command):
                return
            time.sleep(0.05)
        raise RuntimeError(f"{self._processes[0].args[0]} did not start: no {word}")

    def kill(self):
        """Kills the server without letting it close its connections."""
        self._processes[0].kill()
        self._processes[0].wait()

    def stop(self):
        for process in reversed(self._processes):
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                try:
                    process.wait(3)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


def jack(folder, period):
    """jackd with its dummy driver, under a name of its own."""
    name = f"fxrun-test-{os.getpid()}"
    server = Server(folder, {"JACK_DEFAULT_SERVER": name, "JACK_NO_START_SERVER": "1"})
    server.definition = (
        f'pcm_type.jack {{ lib "{alsa_plugin("jack")}" }}\n'
        "pcm.jack { type jack playback_ports { 0 system:playback_1 1 system:playback_2 } }\n")
    server.start("jackd", "--no-mlock", "-n", name, "-d", "dummy", "-r", "48000", "-p", str(period))
    server.wait_for("system:playback_2", "jack_lsp")
    return server


SINK = """
context.properties = {
  default.clock.rate = 48000  default.clock.allowed-rates = [ 48000 ]
  default.clock.quantum = %(period)d  default.clock.min-quantum = %(period)d
}
context.objects = [ {
  factory = adapter
  args = {
    factory.name = support.null-audio-sink  node.name = fxrun-sink  media.class = Audio/Sink
    audio.position = [ FL FR ]  object.linger = true  node.pause-on-idle = false
    monitor.channel-volumes = false
  }
} ]
"""


def pipewire(folder, period):
    """PipeWire with a null sink, and the session manager that connects to it."""
    run = folder / "run"
    run.mkdir(mode=0o700, exist_ok=True)
    drop_in = folder / "config/pipewire/pipewire.conf.d/sink.conf"
    drop_in.parent.mkdir(parents=True, exist_ok=True)
    drop_in.write_text(SINK % {"period": period})
    server = Server(folder, {
        "XDG_RUNTIME_DIR": str(run), "PIPEWIRE_RUNTIME_DIR": str(run),
        "XDG_CONFIG_HOME": str(folder / "config"), "XDG_STATE_HOME": str(folder / "state")})
    server.definition = (
        f'pcm_type.pipewire {{ lib "{alsa_plugin("pipewire")}" }}\n'
        'pcm.pipewire { type pipewire playback_node "fxrun-sink" }\n')
    server.start("pipewire")
    server.wait_for("fxrun-sink", "pw-cli", "ls", "Node")
    server.start("dbus-run-session", "wireplumber")
    server.wait_for("fxrun-sink:playback_FL", "pw-link", "-i")
    return server
