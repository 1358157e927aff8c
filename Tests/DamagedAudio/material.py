"""The undamaged files: music in every codec, made by ffmpeg."""
import dataclasses
import pathlib
import subprocess

SECONDS = 12


@dataclasses.dataclass(frozen=True)
class Recipe:
    codec: str
    end: str
    rate: int
    channels: int
    options: tuple

    @property
    def name(self):
        words = [self.codec, str(self.rate), str(self.channels), *self.options]
        return "-".join(word.strip("-:").replace(":", "") for word in words) + "." + self.end


def mp3(rate, channels, *options):
    return Recipe("libmp3lame", "mp3", rate, channels, options)


RECIPES = {
    "mp3": (
        mp3(44100, 2, "-b:a", "128k"), mp3(44100, 2, "-q:a", "2"), mp3(48000, 2, "-b:a", "320k"),
        mp3(44100, 1, "-b:a", "64k"), mp3(32000, 2, "-b:a", "96k", "-reservoir", "0"),
        mp3(22050, 1, "-b:a", "32k"), mp3(24000, 2, "-q:a", "5"), mp3(16000, 1, "-b:a", "24k"),
        mp3(44100, 2, "-b:a", "192k", "-write_xing", "0"), mp3(11025, 1, "-b:a", "16k"),
    ),
    "flac": (
        Recipe("flac", "flac", 44100, 2, ()), Recipe("flac", "flac", 48000, 1, ()),
        Recipe("flac", "flac", 96000, 2, ("-sample_fmt", "s32")),
    ),
    "vorbis": (
        Recipe("libvorbis", "ogg", 44100, 2, ("-q:a", "4")),
        Recipe("libvorbis", "ogg", 48000, 1, ("-q:a", "1")),
        Recipe("libvorbis", "ogg", 22050, 2, ("-q:a", "3")),
    ),
    "opus": (
        Recipe("libopus", "opus", 48000, 2, ("-b:a", "96k")),
        Recipe("libopus", "opus", 48000, 1, ("-b:a", "32k")),
        Recipe("libopus", "opus", 48000, 2, ("-b:a", "64k", "-frame_duration", "60")),
    ),
}


def make(folder, recipe):
    """The bytes of a file: a melody with noise, so that bit rates vary."""
    path = pathlib.Path(folder) / recipe.name
    if not path.exists():
        tone = "0.3*sin(2*PI*t*(220+110*floor(mod(t*3,7))))*(0.3+0.7*exp(-4*mod(t,0.25)))"
        noise = "0.1*(random(0)-0.5)*exp(-8*mod(t,0.5))"
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-f", "lavfi",
             "-i", f"aevalsrc='{tone}+{noise}':d={SECONDS}:s={recipe.rate}",
             "-ac", str(recipe.channels), "-c:a", recipe.codec, *recipe.options, str(path)],
            check=True)
    return path.read_bytes()
