"""Responses of filters after R. Bristow-Johnson, Audio EQ Cookbook, and of simple parts, at the points of a
discrete Fourier transform. A response is an array of complex numbers."""
import numpy

SIZE = 1 << 16


class Grid:
    """The points: `z` is e^(-i·omega), the delay by one frame."""

    def __init__(self, rate):
        self.rate = rate
        self.frequency = numpy.arange(SIZE // 2 + 1) * rate / SIZE
        self.z = numpy.exp(-2j * numpy.pi * self.frequency / rate)

    def ratio(self, b, a):
        """The response of coefficients b over a, in powers of z."""
        return numpy.polyval(b[::-1], self.z) / numpy.polyval(a[::-1], self.z)

    def fir(self, taps):
        return numpy.fft.rfft(taps, SIZE)

    def delay(self, frames):
        return self.z ** round(frames)

    def biquad(self, kind, frequency, q=None, gain=0.0):
        """A filter of second order; kinds are those of the cookbook."""
        omega = 2 * numpy.pi * frequency / self.rate
        sine, cosine = numpy.sin(omega), numpy.cos(omega)
        alpha = sine / (2 * q)
        if kind == "lowpass":
            b = [(1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2]
            a = [1 + alpha, -2 * cosine, 1 - alpha]
        elif kind == "highpass":
            b = [(1 + cosine) / 2, -(1 + cosine), (1 + cosine) / 2]
            a = [1 + alpha, -2 * cosine, 1 - alpha]
        elif kind == "bandpass":
            b, a = [alpha, 0, -alpha], [1 + alpha, -2 * cosine, 1 - alpha]
        elif kind == "notch":
            b, a = [1, -2 * cosine, 1], [1 + alpha, -2 * cosine, 1 - alpha]
        elif kind == "allpass":
            b = [1 - alpha, -2 * cosine, 1 + alpha]
            a = [1 + alpha, -2 * cosine, 1 - alpha]
        elif kind == "peaking":
            root = 10 ** (gain / 40)
            b = [1 + alpha * root, -2 * cosine, 1 - alpha * root]
            a = [1 + alpha / root, -2 * cosine, 1 - alpha / root]
        elif kind in ("lowshelf", "highshelf"):
            root = 10 ** (gain / 40)
            side = 1 if kind == "lowshelf" else -1
            beta = 2 * numpy.sqrt(root) * alpha
            b = [root * ((root + 1) - side * (root - 1) * cosine + beta),
                 side * 2 * root * ((root - 1) - side * (root + 1) * cosine),
                 root * ((root + 1) - side * (root - 1) * cosine - beta)]
            a = [(root + 1) + side * (root - 1) * cosine + beta,
                 -side * 2 * ((root - 1) + side * (root + 1) * cosine),
                 (root + 1) + side * (root - 1) * cosine - beta]
        else:
            raise ValueError(kind)
        return self.ratio(b, a)

    def first_order(self, kind, frequency, gain=0.0):
        """A filter of first order by the bilinear transform."""
        k = numpy.tan(numpy.pi * frequency / self.rate)
        root = 10 ** (gain / 40)
        b, a = {
            "lowpass": ([k, k], [1 + k, k - 1]),
            "highpass": ([1, -1], [1 + k, k - 1]),
            "allpass": ([k - 1, k + 1], [k + 1, k - 1]),
            "lowshelf": ([root * root * k + root, root * root * k - root], [k + root, k - root]),
            "highshelf": ([root * k + root * root, root * k - root * root],
                          [root * k + 1, root * k - 1]),
        }[kind]
        return self.ratio(b, a)


def shelf_q(slope, gain):
    """The Q of a shelf with the slope S."""
    root = 10 ** (gain / 40)
    return 1 / numpy.sqrt((root + 1 / root) * (1 / slope - 1) + 2)


def width_q(octaves, frequency, rate):
    """The Q of a width in octaves at this rate."""
    omega = 2 * numpy.pi * frequency / rate
    return 1 / (2 * numpy.sinh(numpy.log(2) / 2 * octaves * omega / numpy.sin(omega)))
