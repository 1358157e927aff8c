"""The responses of BruteFIR: the program itself processes an impulse in each input."""
import pathlib
import re
import subprocess
import tempfile
import numpy
from cookbook import SIZE


# FFTW's plans, which the program keeps from one run to the next.
PLANS = tempfile.TemporaryDirectory()


def prepared(text, folder):
    """The configuration with files instead of devices, and with its own files in another folder."""
    text = re.sub(r"#.*", "", text)
    text = re.sub(r"logic:.*?};", "", text)
    text = re.sub(r'"alsa"\s*{.*?}', '"file" { path: "in.raw"; }', text)
    text = re.sub(r"channels: 26/24,25", "channels: 2", text)
    text = re.sub(r'sample: "(S24_4LE|AUTO)"', 'sample: "FLOAT_LE"', text)
    inputs, found, outputs = text.partition("output")
    outputs = outputs.replace('"in.raw"', '"out.raw"').replace("dither: true;", "")
    text = inputs + found + outputs
    text = text.replace('"parts/', f'"{folder}/parts/')
    quiet = f'show_progress: false; lock_memory: false; convolver_config: "{PLANS.name}/plans";\n'
    return quiet + text.replace("show_progress: true;", "")


def width(text, structure):
    return int(re.search(structure + r"[^{]*{.*?channels:\s*(\d+)", text, re.S).group(1))


def responses(path, _):
    if path.stem == "refused":
        return None
    text = prepared(path.read_text(), path.parent.absolute())
    rate = int(re.search(r"sampling_rate:\s*(\d+)", text).group(1))
    inputs, outputs = width(text, "input"), width(text, "output")
    rows = [[None] * inputs for _ in range(outputs)]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "config").write_text(text)
        for entry in range(inputs):
            samples = numpy.zeros((SIZE, inputs), "<f4")
            samples[0, entry] = 1
            samples.tofile(folder / "in.raw")
            (folder / "out.raw").write_bytes(b"")
            subprocess.run(["brutefir", "config"], cwd=folder, check=True, capture_output=True, timeout=60,
                           env={"HOME": name, "PATH": "/usr/bin:/bin"})
            sound = numpy.fromfile(folder / "out.raw", "<f4").reshape(-1, outputs)[:SIZE]
            for channel in range(outputs):
                frames = numpy.zeros(SIZE)
                frames[: len(sound)] = sound[:, channel]
                rows[channel][entry] = numpy.fft.rfft(frames)
    return rate, rows
