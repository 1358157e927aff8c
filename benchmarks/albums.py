#!/usr/bin/env python3
"""Compares the gains that `fxrun batch --album` gives to albums with those of FFmpeg and of a computation from the standard.

    albums.py FXRUN [--albums 20] [--tracks 5] [--seed 1] [--keep FOLDER]

Makes albums of short pieces (noise, tones, chords with decays and pauses; each piece has its own level) with seeded
random numbers. Runs fxrun with one worker, with two, and over three shards, and compares

- all outputs of the three, byte for byte;
- the gains in the tags of FLAC, MP3, Ogg Vorbis and Opus files with the loudness of the decoded files, and the album's
  peak with the highest peak of its tracks;
- the loudness of albums that were brought to -20 LUFS with the target, and the levels of their tracks with each other.

The loudness of a track is by FFmpeg's `ebur128`, and by ITU-R BS.1770-4 as this script computes it: the coefficients of
the standard at 48 kHz, blocks of 400 ms with 75 % overlap, and both gates over the blocks of all tracks of an album.
FFmpeg measures a track; of an album it measures the blocks of each track (its momentary loudness), and the script puts
them together and applies the gates. Needs ffmpeg, numpy and scipy.
"""
import argparse
import filecmp
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import numpy
import scipy.io.wavfile
import scipy.signal

RATE = 48000
TARGET = -20.0
# ITU-R BS.1770-4, tables 1 and 2.
SHELF = ([1.53512485958697, -2.69169618940638, 1.19839281085285], [1, -1.69065929318241, 0.73248077421585])
HIGH_PASS = ([1, -2, 1], [1, -1.99004745483398, 0.99007225036621])


def piece(random, kind):
    """A stereo piece of 4 to 9 seconds at its own level."""
    count = int(RATE * random.uniform(4, 9))
    time = numpy.arange(count) / RATE
    if kind == "noise":
        sound = random.standard_normal((count, 2)) * 0.2
        sound *= (0.4 + 0.6 * numpy.abs(numpy.sin(time * random.uniform(0.5, 3))))[:, None]
    elif kind == "tone":
        tones = [numpy.sin(2 * numpy.pi * random.uniform(60, 6000) * time + side) for side in (0, 1)]
        sound = numpy.stack(tones, axis=1) * 0.5
    else:
        sound = numpy.zeros((count, 2))
        for start in numpy.arange(0, count, int(RATE * random.uniform(0.3, 0.6))):
            if random.random() < 0.25:
                continue
            since = numpy.maximum(time - time[start], 0)
            decay = numpy.exp(-since * random.uniform(1, 8)) * (time >= time[start])
            for _ in range(3):
                note = 110 * 2 ** (random.integers(0, 36) / 12)
                for partial in range(1, 5):
                    place = random.uniform(0, 1)
                    wave = numpy.sin(2 * numpy.pi * note * partial * since) * decay / partial / 8
                    sound += wave[:, None] * numpy.array([place, 1 - place])
    if random.random() < 0.4:
        sound[: count // 3] *= 10 ** (-random.uniform(12, 60) / 20)
    peak = numpy.abs(sound).max()
    return (sound / peak * 10 ** (-random.uniform(1, 28) / 20)).astype(numpy.float32)


def make(folder, albums, tracks, seed):
    random = numpy.random.default_rng(seed)
    for album in range(albums):
        (folder / f"album{album:02}").mkdir(parents=True)
        for track in range(tracks):
            sound = piece(random, ["noise", "tone", "music", "music"][random.integers(0, 4)])
            scipy.io.wavfile.write(folder / f"album{album:02}/{track}.wav", RATE, sound)


def ffmpeg(*words):
    return subprocess.run(["ffmpeg", "-nostdin", "-hide_banner", *map(str, words)], capture_output=True, check=True)


def decoded(path):
    raw = ffmpeg("-v", "error", "-i", path, "-f", "f32le", "-ar", RATE, "-ac", 2, "-").stdout
    return numpy.frombuffer(raw, dtype="<f4").reshape(-1, 2).astype(float)


def blocks(sound):
    """The energies of the blocks of 400 ms, every 100 ms."""
    weighted = scipy.signal.lfilter(*HIGH_PASS, scipy.signal.lfilter(*SHELF, sound, axis=0), axis=0)
    step = RATE // 10
    count = len(weighted) // step
    steps = (weighted[: count * step] ** 2).reshape(count, step, 2).mean(axis=1).sum(axis=1)
    return numpy.convolve(steps, numpy.ones(4) / 4, mode="valid") if count >= 4 else numpy.zeros(0)


def loudness(energies):
    def level(energy):
        return -0.691 + 10 * numpy.log10(energy)
    loud = energies[energies > 10 ** ((-70 + 0.691) / 10)]
    if not len(loud):
        return float("-inf")
    return level(loud[loud >= loud.mean() * 0.1].mean())


def judged(sound):
    """By FFmpeg: the integrated loudness, and the energies of the blocks."""
    words = subprocess.run(
        ["ffmpeg", "-nostdin", "-hide_banner", "-f", "f32le", "-ar", str(RATE), "-ac", "2", "-i", "-", "-af",
         "ebur128=metadata=1,ametadata=print:file=-", "-f", "null", "-"],
        input=sound.astype("<f4").tobytes(), capture_output=True, check=True).stdout.decode()
    whole = float(re.findall(r"lavfi.r128.I=(-?[\d.]+)", words)[-1])
    moments = [float(text) for text in re.findall(r"lavfi.r128.M=(-?[\d.]+|nan|-inf)", words)]
    # The first three are of less than 400 ms.
    energies = 10 ** ((numpy.array(moments[3:]) + 0.691) / 10)
    return whole, energies[numpy.isfinite(energies)]


def tags(path):
    words = subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries", "format_tags:stream_tags", "-of", "default=nw=1", path],
        capture_output=True, text=True, check=True).stdout
    pairs = re.findall(r"TAG:((?:REPLAYGAIN|R128)_\w+)=(-?[\d.]+)", words, re.IGNORECASE)
    return {key.lower(): float(value) for key, value in pairs}


def batch(fxrun, work, target, *words):
    done = subprocess.run(
        [fxrun, "batch", "none", "in", "-o", target, "--album", *words], cwd=work, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{target} {words}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def differing(work, one, other):
    names = [path.relative_to(work / one) for path in sorted((work / one).rglob("*.flac"))]
    return sum(not filecmp.cmp(work / one / name, work / other / name, shallow=False) for name in names)


class Worst:
    """The largest deviations, by their names."""

    def __init__(self):
        self.values = {}

    def see(self, name, value):
        self.values[name] = max(self.values.get(name, 0), abs(value))


def compare(work, ending, root, albums, worst, source):
    """Compares the tags of an ending's files with the decoded files; returns the decoded loudness of each album.

    `source` takes the mean power of each track: its loudness changes with a gain where quiet blocks pass the absolute gate.
    """
    (scope, scale, zero) = ("r128", 256, -23) if ending == "opus" else ("replaygain", 1, -18)
    reached = []
    for album in range(albums):
        pooled, heard, peaks, album_tags = [], [], [], set()
        for path in sorted((work / root / f"album{album:02}").glob(f"*.{ending}")):
            sound, found = decoded(path), tags(path)
            energies = blocks(sound)
            pooled.append(energies)
            whole, parts = judged(sound)
            heard.append(parts)
            track = found[f"{scope}_track_gain"] / scale
            worst.see(f"{ending}: track gain, BS.1770", track - (zero - loudness(energies)))
            worst.see(f"{ending}: track gain, FFmpeg", track - (zero - whole))
            album_tags.add(found[f"{scope}_album_gain"] / scale)
            if scope == "replaygain":
                peaks.append(found["replaygain_track_peak"])
                album_peak = found["replaygain_album_peak"]
            if source is not None:
                name = f"album{album:02}/{path.stem}"
                source.setdefault(root, {})[name] = 10 * numpy.log10((sound ** 2).mean())
        if len(album_tags) != 1:
            sys.exit(f"{root}/album{album:02}: its tracks have different album gains")
        gain = album_tags.pop()
        together = loudness(numpy.concatenate(pooled))
        reached.append(together)
        worst.see(f"{ending}: album gain, BS.1770", gain - (zero - together))
        worst.see(f"{ending}: album gain, FFmpeg", gain - (zero - loudness(numpy.concatenate(heard))))
        if peaks:
            worst.see(f"{ending}: album peak in dB", 20 * numpy.log10(album_peak / max(peaks)))
    return reached


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fxrun")
    parser.add_argument("--albums", type=int, default=20)
    parser.add_argument("--tracks", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="keep the files in this folder")
    options = parser.parse_args()
    fxrun = str(pathlib.Path(options.fxrun).resolve())
    work = pathlib.Path(options.keep or tempfile.mkdtemp())
    work.mkdir(exist_ok=True)
    try:
        make(work / "in", options.albums, options.tracks, options.seed)
        worst, failures = Worst(), []
        for mode, words in (("tags", []), ("gain", ["--loudness", str(TARGET)])):
            for workers in (1, 2):
                batch(fxrun, work, f"{mode}{workers}/{{path}}.flac", *words, "-j", str(workers))
            for step in (["--measure-only"], []):
                for shard in (1, 2, 3):
                    batch(fxrun, work, f"{mode}s/{{path}}.flac", *words, "--shard", f"{shard}/3", *step)
            for other in (f"{mode}2", f"{mode}s"):
                count = differing(work, f"{mode}1", other)
                if count:
                    failures.append(f"{count} files differ between {mode}1 and {other}")
        for ending in ("mp3", "ogg", "opus"):
            batch(fxrun, work, f"{ending}t/{{path}}.{ending}")
            batch(fxrun, work, f"{ending}g/{{path}}.{ending}", "--loudness", str(TARGET))
        levels = {}
        compare(work, "flac", "tags1", options.albums, worst, levels)
        gained = Worst()
        reached = compare(work, "flac", "gain1", options.albums, gained, levels)
        for ending in ("mp3", "ogg", "opus"):
            compare(work, ending, f"{ending}t", options.albums, worst, None)
            compare(work, ending, f"{ending}g", options.albums, gained, None)
        warned = set(re.findall(r"album 'in/(album\d+)': target missed", batch(
            fxrun, work, "again/{path}.flac", "--loudness", str(TARGET)).stderr))
        for album in range(options.albums):
            name = f"album{album:02}"
            if name not in warned:
                gained.see("distance from the target", reached[album] - TARGET)
            changes = [levels["gain1"][key] - levels["tags1"][key] for key in levels["gain1"] if key.startswith(name)]
            gained.see("levels of the tracks with each other", max(changes) - min(changes))
        print(f"{options.albums} albums of {options.tracks} pieces; {len(warned)} cannot reach {TARGET:g} LUFS")
        for title, found in (("Tags alone", worst), (f"With --loudness {TARGET:g}", gained)):
            print(f"\n{title}, largest deviations in dB:")
            for name, value in found.values.items():
                print(f"  {name:44} {value:.4f}")
                # A lossy encoder changes a peak with the level; the album's peak follows from the measurement and the gain.
                if value > (0.3 if "peak" in name else 0.05):
                    failures.append(f"{title}: {name} {value:.4f}")
        print("\n" + ("\n".join(failures) if failures else "everything within 0.05 dB; all files of the three ways are the same"))
        sys.exit(bool(failures))
    finally:
        if not options.keep:
            shutil.rmtree(work)


if __name__ == "__main__":
    main()
