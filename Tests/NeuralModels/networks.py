"""Makes models of amplifiers with random weights, as files of Neural Amp Modeler, and computes their output in doubles.

The computation follows the definitions of the layers frame by frame or tap by tap, and shares nothing with fxrun.
"""

import json

import numpy

# Stacks as (channels, head size, dilations), as neural-amp-modeler 0.12 trains them.
LONG = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
SHORT = [1, 2, 4, 8, 16, 32, 64]
REST = [128, 256, 512, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
WAVENETS = {
    "standard": [(16, 8, LONG), (8, 1, LONG)],
    "lite": [(12, 6, SHORT), (6, 1, REST)],
    "feather": [(8, 4, SHORT), (4, 1, REST)],
    "nano": [(4, 2, SHORT), (2, 1, REST)],
}
# Layers and hidden units.
LSTMS = {
    "lstm 1x8": (1, 8), "lstm 1x12": (1, 12), "lstm 1x16": (1, 16), "lstm 1x24": (1, 24), "lstm 2x8": (2, 8),
    "lstm 2x12": (2, 12), "lstm 2x16": (2, 16), "lstm 3x24": (3, 24),
}


class Weights:
    """Random weights that are exact in 32 bits, in the order of the file."""

    # The decimals of small models, which are stored.
    digits = None

    def __init__(self, seed):
        self.random = numpy.random.default_rng(seed)
        self.all = []

    def take(self, *shape, scale):
        made = (scale * self.random.standard_normal(shape)).astype(numpy.float32)
        if self.digits:
            made = numpy.round(made, self.digits)
        self.all += [float(str(weight)) for weight in made.ravel()]
        return numpy.array(self.all[len(self.all) - made.size :], numpy.float32).astype(float).reshape(made.shape)

    def constant(self, value):
        self.all.append(float(numpy.float32(value)))
        return self.all[-1]


ACTIVATIONS = {
    "Tanh": numpy.tanh,
    "Hardtanh": lambda x: numpy.clip(x, -1, 1),
    "ReLU": lambda x: numpy.maximum(x, 0),
    "LeakyReLU": lambda x: numpy.where(x > 0, x, 0.01 * x),
    "Sigmoid": lambda x: 1 / (1 + numpy.exp(-x)),
    "SiLU": lambda x: x / (1 + numpy.exp(-x)),
    "Hardswish": lambda x: x * numpy.clip(x + 3, 0, 6) / 6,
    "Softsign": lambda x: x / (1 + numpy.abs(x)),
}


def convolve(weight, sound, dilation=1):
    """weight: outputs × inputs × taps; the last tap is that of the newest frame. Only frames that have all taps have an output."""
    taps = weight.shape[2]
    length = sound.shape[1] - (taps - 1) * dilation
    return sum(weight[:, :, tap] @ sound[:, tap * dilation : tap * dilation + length] for tap in range(taps))


def tail(sound, length):
    return sound[:, sound.shape[1] - length :]


class Model:
    """A model: the document of its file, the frames that it reads back, and its output."""

    def __init__(self, architecture, config, weights, past, play, loudness=None, rate=None):
        self.document = {
            "version": "0.5.4", "metadata": {"name": "test", "loudness": loudness}, "architecture": architecture,
            "config": config, "weights": weights, "sample_rate": rate,
        }
        self.past = past
        self.play = play

    def text(self):
        return json.dumps(self.document)

    def output(self, sound):
        """The output of a settled model, minus its output for silence."""
        played = self.play(numpy.concatenate([numpy.zeros(self.past + 1), sound]))
        played = played[len(played) - len(sound) - 1 :]
        return played[1:] - played[0]


def wavenet(stacks, seed=1, kernel=3, activation="Tanh", gated=False, scale=0.02, head=None, **options):
    """`stacks` as above. `head`: the channels and the number of layers of a head; `options` go to the model."""
    weights = Weights(seed)
    layers, parts = [], []
    before, past = 1, 0
    for number, (channels, head_size, dilations) in enumerate(stacks):
        middle = 2 * channels if gated else channels
        bias = number == len(stacks) - 1
        layers.append({
            "input_size": before, "condition_size": 1, "channels": channels, "head_size": head_size,
            "kernel_size": kernel, "dilations": dilations, "activation": activation, "gated": gated,
            "head_bias": bias,
        })
        part = {"entrance": weights.take(channels, before, 1, scale=0.5), "layers": []}
        for dilation in dilations:
            part["layers"].append({
                "dilation": dilation,
                "weight": weights.take(middle, channels, kernel, scale=0.7 / (channels * kernel) ** 0.5),
                "bias": weights.take(middle, 1, scale=0.1),
                "mixer": weights.take(middle, 1, 1, scale=0.5),
                "next": weights.take(channels, channels, 1, scale=0.3 / channels**0.5),
                "next bias": weights.take(channels, 1, scale=0.05),
            })
        part["head"] = weights.take(head_size, channels, 1, scale=1 / channels**0.5)
        part["bias"] = weights.take(head_size, 1, scale=0.1) if bias else numpy.zeros((head_size, 1))
        parts.append(part)
        before = channels
        past += (kernel - 1) * sum(dilations)
    blocks = []
    if head:
        size, count = head
        inputs = stacks[-1][1]
        for index in range(count):
            outputs = 1 if index == count - 1 else size
            blocks.append((weights.take(outputs, inputs, 1, scale=0.7), weights.take(outputs, 1, scale=0.1)))
            inputs = outputs
    factor = weights.constant(scale)
    function = ACTIVATIONS[activation]

    def play(sound):
        condition = sound[None, :]
        length = len(sound) - past
        x, total = condition, None
        for stack, part in zip(stacks, parts):
            x = convolve(part["entrance"], x)
            for layer in part["layers"]:
                z = convolve(layer["weight"], x, layer["dilation"]) + layer["bias"]
                z = z + layer["mixer"][:, :, 0] @ tail(condition, z.shape[1])
                y = function(z[: stack[0]])
                if gated:
                    y = y * ACTIVATIONS["Sigmoid"](z[stack[0] :])
                x = tail(x, z.shape[1]) + convolve(layer["next"], y) + layer["next bias"]
                total = tail(y, length) if total is None else total + tail(y, length)
            total = convolve(part["head"], total) + part["bias"]
        result = factor * total
        for weight, bias in blocks:
            result = convolve(weight, function(result)) + bias
        return result[0]

    config = {"layers": layers, "head": None, "head_scale": scale}
    if head:
        config["head"] = {"channels": head[0], "activation": activation, "num_layers": head[1], "out_channels": 1}
    return Model("WaveNet", config, weights.all, past, play, **options)


def lstm(layers, hidden, seed=1, **options):
    weights = Weights(seed)
    cells = []
    for index in range(layers):
        inputs = 1 if index == 0 else hidden
        cells.append((
            weights.take(4 * hidden, inputs + hidden, scale=0.9 / hidden**0.5),
            weights.take(4 * hidden, scale=0.2), weights.take(hidden, scale=0.1), weights.take(hidden, scale=0.1),
        ))
    head, bias = weights.take(hidden, scale=0.7 / hidden**0.5), weights.take(1, scale=0.1)

    def play(sound):
        sequence = sound[:, None]
        for matrix, offset, start, cell in cells:
            h, c, made = start, cell, []
            for x in sequence:
                gates = matrix @ numpy.concatenate([x, h]) + offset
                i, f, g, o = gates.reshape(4, hidden)
                c = ACTIVATIONS["Sigmoid"](f) * c + ACTIVATIONS["Sigmoid"](i) * numpy.tanh(g)
                h = ACTIVATIONS["Sigmoid"](o) * numpy.tanh(c)
                made.append(h)
            sequence = numpy.array(made)
        return sequence @ head + bias[0]

    config = {"input_size": 1, "hidden_size": hidden, "num_layers": layers}
    return Model("LSTM", config, weights.all, 24000, play, **options)


def convnet(channels, dilations, normalized, activation="Tanh", seed=1, **options):
    weights = Weights(seed)
    blocks, inputs = [], 1
    for dilation in dilations:
        block = {"dilation": dilation, "weight": weights.take(channels, inputs, 2, scale=0.8 / (2 * inputs) ** 0.5)}
        if normalized:
            block["mean"] = weights.take(channels, 1, scale=0.2)
            block["variance"] = 0.5 + numpy.abs(weights.take(channels, 1, scale=0))
            weights.all[-channels:] = [0.5] * channels
            block["factor"] = weights.take(channels, 1, scale=0.8)
            block["offset"] = weights.take(channels, 1, scale=0.1)
            block["epsilon"] = weights.constant(1e-5)
        else:
            block["bias"] = weights.take(channels, 1, scale=0.1)
        blocks.append(block)
        inputs = channels
    head, bias = weights.take(1, channels, 1, scale=0.5), weights.take(1, 1, scale=0.1)

    def play(sound):
        x = sound[None, :]
        for block in blocks:
            x = convolve(block["weight"], x, block["dilation"])
            if normalized:
                x = (x - block["mean"]) / numpy.sqrt(block["variance"] + block["epsilon"]) * block["factor"]
                x = x + block["offset"]
            else:
                x = x + block["bias"]
            x = ACTIVATIONS[activation](x)
        return (convolve(head, x) + bias)[0]

    config = {"channels": channels, "dilations": dilations, "batchnorm": normalized, "activation": activation}
    return Model("ConvNet", config, weights.all, sum(dilations), play, **options)


def linear(taps, bias=True, seed=1, **options):
    weights = Weights(seed)
    weight = weights.take(1, 1, taps, scale=1 / taps**0.5)
    offset = weights.take(1, scale=0.1)[0] if bias else 0

    def play(sound):
        return convolve(weight, sound[None, :])[0] + offset

    return Model("Linear", {"receptive_field": taps, "bias": bias}, weights.all, taps - 1, play, **options)


def published():
    """A model of each size that is trained, by name."""
    made = {f"wavenet {name}": wavenet(stacks, seed=3) for name, stacks in WAVENETS.items()}
    made.update({name: lstm(*size, seed=4) for name, size in LSTMS.items()})
    return made


def others():
    """Small models of the other features of the format, by name."""
    Weights.digits = 4
    small = [(3, 2, [1, 2, 4]), (2, 1, [1, 8])]
    made = {
        f"wavenet {name}": wavenet(small, seed=5, activation=name) for name in ACTIVATIONS
    }
    made["wavenet gated"] = wavenet(small, seed=6, gated=True)
    made["wavenet kernel 2"] = wavenet([(5, 1, [1, 3, 7])], seed=7, kernel=2)
    made["wavenet head"] = wavenet([(3, 2, [1, 2]), (2, 3, [4])], seed=8, head=(4, 2), scale=0.5)
    made["convnet"] = convnet(3, [1, 2, 4], False, seed=9)
    made["convnet normalized"] = convnet(3, [1, 2, 4], True, seed=10)
    made["linear"] = linear(9, seed=11)
    made["lstm 1x3"] = lstm(1, 3, seed=12)
    made["lstm 2x1"] = lstm(2, 1, seed=13)
    Weights.digits = None
    return made
