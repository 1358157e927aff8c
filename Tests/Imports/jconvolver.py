"""The responses of jconvolver: its program for files, fconvolver, processes an impulse in each input."""
import pathlib
import subprocess
import tempfile
import numpy
import rendering
from cookbook import SIZE

RATE = 48000


def responses(path, _):
    if path.stem == "refused":
        return None
    line = next(line for line in path.read_text().splitlines() if line.startswith("/convolver/new"))
    inputs, outputs = (int(word) for word in line.split()[1:3])
    rows = [[None] * inputs for _ in range(outputs)]
    with tempfile.TemporaryDirectory() as name:
        source, target = pathlib.Path(name) / "in.wav", pathlib.Path(name) / "out.wav"
        for entry in range(inputs):
            samples = numpy.zeros((SIZE, inputs))
            samples[0, entry] = 1
            rendering.write(source, samples, RATE)
            subprocess.run(["fconvolver", "-T", path.name, source, target], cwd=path.parent, check=True,
                           capture_output=True, timeout=60)
            sound = rendering.read(target)[:SIZE]
            for channel in range(outputs):
                frames = numpy.zeros(SIZE)
                frames[: len(sound)] = sound[:, channel]
                rows[channel][entry] = numpy.fft.rfft(frames)
    return RATE, rows
