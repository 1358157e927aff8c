"""The responses of effects of ffmpeg, which ffmpeg itself renders. Effects that are not linear have no reference."""
import effects

LINEAR = {"highpass", "lowpass", "bandpass", "skirt", "bandreject", "allpass", "equalizer", "octaves", "bass",
          "treble", "shelves", "biquad", "volume", "mix", "pan", "pan-mono", "pan-negative", "delay",
          "delay-all", "echo", "wide", "voice"}


def arguments(path):
    return ["--ffmpeg", path.read_text().strip()]


def command(path, source, rendered):
    return ["ffmpeg", "-v", "error", "-y", "-i", source, "-af", path.read_text().strip(), "-c:a", "pcm_f32le", rendered]


def responses(path, _):
    if path.stem not in LINEAR:
        return None
    return effects.responses(lambda source, rendered: command(path, source, rendered))
