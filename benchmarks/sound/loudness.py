"""Music from Debian's packages and synthetic speech, normalized to -16 LUFS. FFmpeg's `ebur128` measures loudness and
true peak. "Promised" is the deviation that fxrun reports, compared with the measured one.
"""

import pathlib
import re
import subprocess

from bench import Goal, processor_seconds, run

TITLE = "Loudness"
TARGET = -16.0
GOALS = [
    Goal("pieces", "Pieces", "", at_least=20, digits=0),
    Goal("limited", "Distance from the target with `limit`, worst", "LU", at_most=0.1),
    Goal("limitedPeak", "True peak with `limit`, highest", "dBTP", at_most=-0.95),
    Goal("promised", "Promised miss without `limit` against the measured one, worst", "LU", at_most=0.1),
    Goal("plainPeak", "True peak without `limit`, highest", "dBTP", at_most=-0.95),
    Goal("lengths", "Pieces whose rate or length changed", "", at_most=0, digits=0),
    Goal("cost", "Processor time of all pieces with `limit`", "s", digits=1),
]
FOLDERS = ["/usr/share/games/singularity/music", "/usr/share/games/asc/music"]
TEXTS = [
    "The quick brown fox jumps over the lazy dog, and nobody at all was surprised.",
    "Welcome to another episode. Today we speak about loudness, and why nobody agrees on it!",
    "Silence is part of music; so are pauses. One, two, three, four, five, six, seven.",
]


def pieces(bench):
    """WAV files of music and speech."""
    paths = sorted(
        path for folder in FOLDERS for path in pathlib.Path(folder).rglob("*")
        if path.suffix in (".ogg", ".mp3"))
    found = []
    for index, path in enumerate(paths):
        target = bench.folder / f"music{index}.wav"
        run(["ffmpeg", "-y", "-nostdin", "-v", "error", "-i", path, "-t", "60", target])
        found.append(target)
    if bench.has_program("espeak-ng"):
        for index, text in enumerate(TEXTS):
            target = bench.folder / f"speech{index}.wav"
            run(["espeak-ng", "-w", target, "-s", str(140 + 20 * index), text])
            found.append(target)
    voice = pathlib.Path(__file__).resolve().parents[2] / "Tests/Fixtures/audio/voice.mp3"
    target = bench.folder / "voice.wav"
    run(["ffmpeg", "-y", "-nostdin", "-v", "error", "-i", voice, target])
    return found + [target]


def judged(path):
    """Integrated loudness, true peak, rate and length by ffmpeg."""
    words = subprocess.run(
        ["ffmpeg", "-nostdin", "-hide_banner", "-i", path, "-af",
         "ebur128=peak=true:framelog=verbose", "-f", "null", "-"],
        capture_output=True, text=True, check=True).stderr
    loudness = float(re.findall(r"I:\s+(-?[\d.]+|-inf) LUFS", words)[-1])
    peak = float(re.findall(r"Peak:\s+(-?[\d.]+|-inf) dBFS", words)[-1])
    probe = run(["soxi", "-r", path]).stdout.strip() + " " + run(["soxi", "-s", path]).stdout.strip()
    return loudness, peak, probe


def leveled(bench, path, limit):
    """The figures of a piece rendered by fxrun, and the deviation that fxrun reported."""
    chain = bench.folder / "loudness.json"
    chain.write_text(
        '{ "version": 1, "tail": "none", "chain": [{ "unit": "loudness", "limit": %s, '
        '"parameters": { "target": %g } }] }' % ("true" if limit else "false", TARGET))
    target = bench.folder / "level.wav"
    target.unlink(missing_ok=True)
    words = run([bench.fxrun, chain, path, "-o", target, "--bits", "32"]).stdout
    missed = re.search(r"target missed by ([\d.]+) LU", words)
    return judged(target), float(missed[1]) if missed else 0.0


def measure(bench):
    found = pieces(bench)
    limited, promised, peaks, plain_peaks, lengths = [], [], [], [], 0
    for path in found:
        _, _, shape = judged(path)
        (loudness, peak, own), _ = leveled(bench, path, True)
        limited.append(abs(loudness - TARGET))
        peaks.append(peak)
        lengths += own != shape
        (loudness, peak, own), missed = leveled(bench, path, False)
        promised.append(abs(TARGET - loudness - missed))
        plain_peaks.append(peak)
        lengths += own != shape
        print(f"{path.name}: {limited[-1]:.2f} LU, {peaks[-1]:.2f} dBTP, "
              f"missed {missed:.1f}, off by {promised[-1]:.2f}", flush=True)
    chain = bench.folder / "loudness.json"
    chain.write_text(chain.read_text().replace("false", "true"))
    seconds = sum(
        processor_seconds([bench.fxrun, chain, path, "-o", bench.folder / "level.wav", "-q"])
        for path in found)
    return {
        "pieces": len(found), "limited": max(limited), "limitedPeak": max(peaks),
        "promised": max(promised), "plainPeak": max(plain_peaks), "lengths": lengths,
        "cost": {"fxrun": seconds},
    }
