"""The responses of effects of sox, which sox itself renders. Effects that are not linear have no reference."""
import effects

# sox calculates in whole numbers of 32 bits: a resonance is off by 0.14 dB at -60 dB.
FLOOR = 1e-2
LINEAR = {"highpass", "lowpass", "bandpass", "skirt", "bandreject", "allpass", "equalizer", "octaves", "bass",
          "treble", "shelves", "band", "noise-band", "biquad", "gain", "vol", "invert", "swap",
          "mono", "remix", "remix-levels", "remix-range", "oops", "delay", "echo", "voice"}


def arguments(path):
    return ["--sox", path.read_text().strip()]


def command(path, source, rendered):
    return ["sox", "-V1", "-D", source, "-e", "float", "-b", "32", rendered] + path.read_text().split()


def responses(path, _):
    if path.stem not in LINEAR:
        return None
    return effects.responses(lambda source, rendered: command(path, source, rendered))
