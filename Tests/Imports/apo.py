"""The responses that the reference of Equalizer APO gives a configuration: outputs × inputs. The filters are those of
the Audio EQ Cookbook; a graphic equalizer has the minimum phase of its levels."""
import re
import wave
import numpy
from cookbook import Grid, shelf_q, width_q

RATE = 48000
LAYOUTS = [["L", "R"], ["L", "R", "C", "LFE", "RL", "RR"]]


def lines(path):
    """The commands with their parameters; those of an included file are in its place, and leave the channels alone."""
    found = []
    depth = 0
    stage = True
    for line in path.read_text().splitlines():
        command, _, rest = line.strip().partition(":")
        command, rest = command.strip(), rest.strip()
        if command.startswith("#") or not command:
            continue
        if command == "If":
            depth += 1
        if depth:
            depth -= command == "EndIf"
            continue
        if command == "Stage":
            stage = rest != "capture"
        elif stage and command == "Include":
            found += [("Push", "")] + lines(path.parent / rest) + [("Pop", "")]
        elif stage and command == "Convolution":
            found.append((command, path.parent / rest))
        elif stage:
            found.append((re.sub(r"\s*\d+$", "", command), rest))
    return found


def number(text):
    return float(text.replace(",", "."))


def field(text, name):
    found = re.search(name + r"\s+(-?[\d.,]+)", text)
    return number(found[1]) if found else None


def filtered(grid, text):
    """The response of a filter line."""
    kind = re.match(r"ON\s+(\S+)", text)
    if kind and kind[1] == "IIR":
        numbers = [float(word) for word in text.split()[5:]]
        return grid.ratio(numbers[:len(numbers) // 2], numbers[len(numbers) // 2:])
    if not kind or kind[1] == "None":
        return numpy.ones_like(grid.z)
    kind = kind[1].upper()
    frequency, gain, q, octaves = (field(text, name) for name in ("Fc", "Gain", "Q", "BW Oct"))
    if octaves:
        q = width_q(octaves, frequency, grid.rate)
    simple = {"PK": "peaking", "PEQ": "peaking", "MODAL": "peaking", "LP": "lowpass", "LPQ": "lowpass",
              "HP": "highpass", "HPQ": "highpass", "BP": "bandpass", "NO": "notch", "AP": "allpass"}
    if kind in simple:
        default = 30 if kind == "NO" else numpy.sqrt(0.5)
        return grid.biquad(simple[kind], frequency, q or default, gain or 0)
    shape = "lowshelf" if kind.startswith("LS") else "highshelf"
    slope = re.match(r"ON\s+\S+\s+([\d.]+)\s*dB", text)
    steepness = float(slope[1]) / 12 if slope else 0.9
    if q:
        steepness = 1 / ((1 / q**2 - 2) / (10 ** (gain / 40) + 10 ** (-gain / 40)) + 1)
    if slope and not kind.endswith("C"):
        # The frequency is that of the corner, not of the middle.
        shift = 10 ** (abs(gain) / 80 / steepness)
        frequency = frequency * shift if shape == "lowshelf" else frequency / shift
    return grid.biquad(shape, frequency, q or shelf_q(steepness, gain), gain)


def graphic(grid, text):
    points = sorted(tuple(map(number, part.split())) for part in text.split(";") if part.strip())
    levels = numpy.interp(numpy.log(numpy.maximum(grid.frequency, 1e-3)), numpy.log([point[0] for point in points]),
                          [point[1] for point in points])
    # The cepstrum of a filter with minimum phase is causal.
    cepstrum = numpy.fft.irfft(levels * numpy.log(10) / 20)
    cepstrum[1:len(cepstrum) // 2] *= 2
    cepstrum[len(cepstrum) // 2 + 1:] = 0
    return numpy.exp(numpy.fft.rfft(cepstrum))


def factor(text):
    return 10 ** (float(text[:-2]) / 20) if text.lower().endswith("db") else float(text)


def copied(text, paths, one):
    """The paths after a Copy line: all assignments read those before it."""
    result = dict(paths)
    for assignment in text.split():
        target, _, source = assignment.partition("=")
        total = [0 * one for _ in next(iter(paths.values()))]
        for summand in source.split("+"):
            scale, _, channel = summand.rpartition("*")
            gain = factor(scale) if scale else 1.0
            total = [a + gain * b for a, b in zip(total, paths[channel])]
        result[target] = total
    return result


def responses(path, _):
    if path.suffix != ".txt" or path.stem == "unknown":
        return None
    commands = lines(path)
    text = " ".join(str(rest) for _, rest in commands)
    names = LAYOUTS[1 if re.search(r"\b(C|LFE|RL|RR)\b", text) else 0]
    grid = Grid(RATE)
    one = numpy.ones_like(grid.z)
    paths = {name: [one if name == other else 0 * one for other in names] for name in names}
    chosen, saved = None, []
    for command, rest in commands:
        if command == "Push":
            saved.append(chosen)
        elif command == "Pop":
            chosen = saved.pop()
        elif command == "Channel":
            chosen = None if rest == "all" else [names[int(word) - 1] if word.isdigit() else word for word in rest.split()]
        elif command == "Copy":
            paths = copied(rest, paths, one)
        else:
            response = simple(grid, command, rest)
            if response is not None:
                for name in chosen or list(paths):
                    paths[name] = [response * part for part in paths[name]]
    return RATE, [paths[name] for name in names]


def simple(grid, command, rest):
    """The response of a line; None for one that does not change the sound."""
    if command == "Preamp":
        return 10 ** (number(rest.split()[0]) / 20)
    if command == "Filter":
        return filtered(grid, rest)
    if command == "GraphicEQ":
        return graphic(grid, rest)
    if command == "Delay":
        amount, unit = rest.split()
        return grid.delay(number(amount) * (grid.rate / 1000 if unit == "ms" else 1))
    if command == "Convolution":
        with wave.open(str(rest)) as file:
            return grid.fir(numpy.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768)
    return None
