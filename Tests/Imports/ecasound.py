"""The responses of chain setups of ecasound, which ecasound itself renders. Setups that are not linear have no reference."""
import os
import shutil
import subprocess
import tempfile
import numpy
import rendering
from cookbook import SIZE

LINEAR = {"level", "channels", "passes", "bands", "bands-width", "resonators", "resonant-lowpass", "ladder", "ladder-flat",
          "combs", "comb-long", "routes", "order", "fold", "delay", "delays", "delay-surround", "delay-spread", "echoes",
          "echoes-surround", "fake-stereo", "parallel", "parallel-delays", "mean", "loops", "quotes", "saved", "plugin"}
# Delay lines of ecasound are empty at first, and some of them let the signal pass louder until they are full.
LEAD = 4096


def rate(path):
    return 44100 if ",44100" in path.read_text() else 48000


def render(path, source, rendered):
    """Renders a setup that reads in.wav and writes out.wav."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(source, os.path.join(folder, "in.wav"))
        shutil.copy(path, os.path.join(folder, "setup.ecs"))
        # A folder without settings of the user.
        subprocess.run(["ecasound", "-s:setup.ecs"], check=True, cwd=folder, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, env={**os.environ, "HOME": folder})
        shutil.move(os.path.join(folder, "out.wav"), rendered)


def responses(path, _):
    if path.stem not in LINEAR:
        return None
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        source, rendered = os.path.join(folder, "in.wav"), os.path.join(folder, "out.wav")
        for entry in range(2):
            samples = numpy.zeros((LEAD + SIZE, 2))
            # Quiet, so that nothing clips.
            samples[LEAD, entry] = 0.125
            rendering.write(source, samples, rate(path))
            render(path, source, rendered)
            frames = 8 * rendering.read(rendered)[LEAD:LEAD + SIZE]
            rows.append([numpy.fft.rfft(frames[:, channel], SIZE) for channel in range(frames.shape[1])])
    return rate(path), [[rows[entry][channel] for entry in range(2)] for channel in range(len(rows[0]))]
