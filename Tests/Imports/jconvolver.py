"""The responses that the commands of jconvolver give a configuration: outputs × inputs."""
import wave
import numpy
from cookbook import Grid

RATE = 48000


def impulse(file, channel):
    with wave.open(str(file)) as sound:
        samples = numpy.frombuffer(sound.readframes(sound.getnframes()), "<i2").reshape(-1, sound.getnchannels())
    return samples[:, channel - 1] / 32768


def responses(path, _):
    if path.stem == "refused":
        return None
    grid = Grid(RATE)
    folder = path.parent
    parts = {}
    for line in path.read_text().splitlines():
        words = line.partition("#")[0].split()
        if not words:
            continue
        numbers = words[1:]
        if words[0] == "/convolver/new":
            inputs, outputs = int(numbers[0]), int(numbers[1])
        elif words[0] == "/cd":
            folder = path.parent / numbers[0]
        elif words[0] == "/impulse/read":
            taps = impulse(folder / numbers[7], int(numbers[6]))
            response = float(numbers[2]) * grid.fir(taps) * grid.delay(int(numbers[3]))
            parts.setdefault((int(numbers[0]), int(numbers[1])), []).append(response)
        elif words[0] == "/impulse/dirac":
            response = float(numbers[2]) * grid.delay(int(numbers[3]))
            parts.setdefault((int(numbers[0]), int(numbers[1])), []).append(response)
        elif words[0] == "/impulse/copy":
            copied = list(parts[int(numbers[2]), int(numbers[3])])
            parts.setdefault((int(numbers[0]), int(numbers[1])), []).extend(copied)
    zero = 0 * grid.z
    return RATE, [[sum(parts.get((i, o), [zero])) + zero for i in range(1, inputs + 1)] for o in range(1, outputs + 1)]
