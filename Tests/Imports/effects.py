"""The responses of a program that renders files."""
import os
import subprocess
import tempfile
import numpy
import rendering
from cookbook import SIZE

RATE = 48000


def responses(command):
    """Outputs × inputs × frequencies, from an impulse in each channel of a stereo file.

    command: makes the words of a command line from an input and an output file.
    """
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        source, rendered = os.path.join(folder, "in.wav"), os.path.join(folder, "out.wav")
        for entry in range(2):
            samples = numpy.zeros((SIZE, 2))
            # Quiet, so that nothing clips.
            samples[0, entry] = 0.125
            rendering.write(source, samples, RATE)
            subprocess.run(command(source, rendered), check=True, stdin=subprocess.DEVNULL)
            frames = 8 * rendering.read(rendered)[:SIZE]
            rows.append([numpy.fft.rfft(frames[:, channel], SIZE) for channel in range(frames.shape[1])])
    return RATE, [[rows[entry][channel] for entry in range(2)] for channel in range(len(rows[0]))]
