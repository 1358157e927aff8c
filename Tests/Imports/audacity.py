"""The responses of the effects of Audacity that are simple: gains, and an echo that repeats."""
import re
from cookbook import Grid

RATE = 48000
SIMPLE = {"amplify", "invert", "echo"}


def responses(path, _):
    if path.stem not in SIMPLE:
        return None
    grid = Grid(RATE)
    response = 1 + 0 * grid.z
    for line in path.read_text().splitlines():
        values = {key: float(value) for key, value in re.findall(r'(\w+)="([-\d.]+)"', line)}
        if line.startswith("Amplify"):
            response = response * values["Ratio"]
        elif line.startswith("Invert"):
            response = -response
        elif line.startswith("Echo"):
            response = response / (1 - values["Decay"] * grid.delay(values["Delay"] * RATE))
    zero = 0 * grid.z
    return RATE, [[response, zero], [zero, response]]
