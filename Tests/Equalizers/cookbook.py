"""Filters as R. Bristow-Johnson's Audio EQ Cookbook defines them, as levels in decibels over frequency.

Each function returns a function of the frequencies in hertz and the sample rate.
"""
import numpy as np


def biquad(design):
    """A filter from a function that gives b and a for a sample rate."""
    def level(hertz, rate):
        b, a = design(rate)
        z = np.exp(-2j * np.pi * np.asarray(hertz) / rate)
        with np.errstate(divide="ignore"):
            return 20 * np.log10(np.abs(np.polyval(b[::-1], z) / np.polyval(a[::-1], z)))
    return level


def _turn(fc, rate):
    w = 2 * np.pi * fc / rate
    return np.cos(w), np.sin(w), w


def _alpha(fc, rate, q, octaves):
    _, sine, w = _turn(fc, rate)
    if octaves is not None:
        return sine * np.sinh(np.log(2) / 2 * octaves * w / sine)
    return sine / (2 * q)


def pk(fc, gain, q=None, octaves=None):
    def design(rate):
        a = 10 ** (gain / 40)
        alpha, c = _alpha(fc, rate, q, octaves), _turn(fc, rate)[0]
        return [1 + alpha * a, -2 * c, 1 - alpha * a], [1 + alpha / a, -2 * c, 1 - alpha / a]
    return biquad(design)


def lp(fc, q=np.sqrt(0.5), octaves=None):
    def design(rate):
        alpha, c = _alpha(fc, rate, q, octaves), _turn(fc, rate)[0]
        return [(1 - c) / 2, 1 - c, (1 - c) / 2], [1 + alpha, -2 * c, 1 - alpha]
    return biquad(design)


def hp(fc, q=np.sqrt(0.5), octaves=None):
    def design(rate):
        alpha, c = _alpha(fc, rate, q, octaves), _turn(fc, rate)[0]
        return [(1 + c) / 2, -(1 + c), (1 + c) / 2], [1 + alpha, -2 * c, 1 - alpha]
    return biquad(design)


def bp(fc, q=np.sqrt(0.5), octaves=None):
    def design(rate):
        alpha, c = _alpha(fc, rate, q, octaves), _turn(fc, rate)[0]
        return [alpha, 0, -alpha], [1 + alpha, -2 * c, 1 - alpha]
    return biquad(design)


def no(fc, q=30, octaves=None):
    def design(rate):
        alpha, c = _alpha(fc, rate, q, octaves), _turn(fc, rate)[0]
        return [1, -2 * c, 1], [1 + alpha, -2 * c, 1 - alpha]
    return biquad(design)


def ap(fc, q):
    def design(rate):
        alpha, c = _alpha(fc, rate, q, None), _turn(fc, rate)[0]
        return [1 - alpha, -2 * c, 1 + alpha], [1 + alpha, -2 * c, 1 - alpha]
    return biquad(design)


def lp1(fc):
    """First order, by the bilinear transform with the corner kept."""
    def design(rate):
        k = np.tan(np.pi * fc / rate)
        return [k, k], [1 + k, k - 1]
    return biquad(design)


def hp1(fc):
    def design(rate):
        k = np.tan(np.pi * fc / rate)
        return [1, -1], [1 + k, k - 1]
    return biquad(design)


def _shelf_alpha(fc, gain, rate, slope, q):
    _, sine, _ = _turn(fc, rate)
    if q is not None:
        return sine / (2 * q)
    a = 10 ** (gain / 40)
    return sine / 2 * np.sqrt((a + 1 / a) * (1 / slope - 1) + 2)


def ls(fc, gain, slope=0.9, q=None):
    """The frequency is the middle of the slope; a slope of 1 is 12 dB an octave."""
    def design(rate):
        a, c = 10 ** (gain / 40), _turn(fc, rate)[0]
        beta = 2 * np.sqrt(a) * _shelf_alpha(fc, gain, rate, slope, q)
        return (
            [a * ((a + 1) - (a - 1) * c + beta), 2 * a * ((a - 1) - (a + 1) * c), a * ((a + 1) - (a - 1) * c - beta)],
            [(a + 1) + (a - 1) * c + beta, -2 * ((a - 1) + (a + 1) * c), (a + 1) + (a - 1) * c - beta])
    return biquad(design)


def hs(fc, gain, slope=0.9, q=None):
    def design(rate):
        a, c = 10 ** (gain / 40), _turn(fc, rate)[0]
        beta = 2 * np.sqrt(a) * _shelf_alpha(fc, gain, rate, slope, q)
        return (
            [a * ((a + 1) + (a - 1) * c + beta), -2 * a * ((a - 1) + (a + 1) * c), a * ((a + 1) + (a - 1) * c - beta)],
            [(a + 1) - (a - 1) * c + beta, 2 * ((a - 1) - (a + 1) * c), (a + 1) - (a - 1) * c - beta])
    return biquad(design)


def steepness(gain, q):
    """The slope of a shelf with a Q, from the cookbook's two formulas for alpha."""
    a = 10 ** (gain / 40)
    return 1 / ((1 / q ** 2 - 2) / (a + 1 / a) + 1)


def corner_ls(fc, gain, slope=None, q=None):
    """A low shelf whose frequency is the corner, as Equalizer APO and the Behringer DCX2496 have it."""
    middle = fc * 10 ** (abs(gain) / 80 / (slope or steepness(gain, q)))
    return ls(middle, gain, slope, q)


def corner_hs(fc, gain, slope=None, q=None):
    middle = fc / 10 ** (abs(gain) / 80 / (slope or steepness(gain, q)))
    return hs(middle, gain, slope, q)


def gain(decibels):
    return lambda hertz, rate: np.full(len(hertz), float(decibels))


def curve(*points):
    """Straight lines between points over the logarithm of the frequency, level beyond the ends."""
    frequencies, levels = zip(*sorted(points))
    return lambda hertz, rate: np.interp(np.log(hertz), np.log(np.maximum(frequencies, 0.5)), levels)
