"""The compared tasks, with the command line of each program."""

import json
import pathlib
import shutil

BANDS = [(31, 2), (62, -2), (125, 1), (250, -1), (500, 2), (1000, -2), (2000, 1), (4000, -1), (8000, 2), (16000, -2)]
HERE = pathlib.Path(__file__).resolve().parent


class Task:
    """A title, a sentence, and a command line for each program; ratios are relative to the first one."""

    def __init__(self, name, title, remark, base, commands):
        self.name, self.title, self.remark, self.base = name, title, remark, base
        self.commands = {program: [str(word) for word in words] for program, words in commands.items()}

    def installed(self):
        return {program: words for program, words in self.commands.items() if shutil.which(words[0])}


def chain(folder, name, document):
    path = folder / f"{name}.json"
    path.write_text(json.dumps({"version": 1, "tail": "none", **document}))
    return path


def mastering(reverb, limiter):
    """Highpass, ten bands, compressor, reverb and limiter."""
    return [
        {"unit": "highPass", "parameters": {"frequency": "80 Hz"}},
        {"unit": "equalizer", "bands": [
            {"type": "peak", "frequency": hertz, "gain": gain, "q": 1.41} for hertz, gain in BANDS]},
        {"unit": "compressor", "parameters": {
            "threshold": "-20 dB", "ratio": 4, "attack": "5 ms", "release": "100 ms"}},
        {"unit": reverb, "parameters": {"decay": "1.8 s"}, "wet": 0.33},
        {"unit": limiter, "parameters": {"ceiling": "-1 dB"}},
    ]


def strips(count):
    """Parallel mixer strips with heavy processing."""
    nodes = {"in": {"source": "main"}, "mix": {"unit": "mixer"}, "out": {"sink": "main"}}
    connections = ["mix -> out"]
    for strip in range(count):
        names = [f"{unit}{strip}" for unit in ("equalizer", "compressor", "reverb")]
        nodes.update(zip(names, (
            {"unit": "equalizer", "bands": [
                {"type": "peak", "frequency": hertz, "gain": gain} for hertz, gain in BANDS]},
            {"unit": "compressor"}, {"unit": "reverb", "wet": 0.2})))
        connections.append(" -> ".join(["in", *names, "mix"]))
    return {"nodes": nodes, "connections": connections}


def tasks(fxrun, python, music, sound, second, folder):
    """`music`: an MP3 file, `sound`: the same as 16-bit WAV, `second`: one second of it. Programs write only to
    the folder `written` in `folder`."""
    def out(name):
        return folder / "written" / f"{name}.wav"

    def render(path, source, name, *options):
        return [fxrun, path, source, "-o", out(name), "--bits", "16", "-q", *options]

    empty = chain(folder, "empty", {"chain": []})
    first = chain(folder, "first", {"chain": mastering("reverb@1", "limiter@1")})
    revised = chain(folder, "revised", {"chain": mastering("reverb", "limiter")})
    gain = chain(folder, "gain", {"chain": [{"unit": "gain", "parameters": {"gain": "-6 dB"}}]})
    wide = chain(folder, "strips", strips(16))
    sox_bands = [word for hertz, gain in BANDS for word in ("equalizer", hertz, "1.41q", gain)]
    ffmpeg_bands = ",".join(f"equalizer=f={hertz}:t=q:w=1.41:g={gain}" for hertz, gain in BANDS)
    ffmpeg = ["ffmpeg", "-v", "error", "-nostdin", "-y", "-i"]
    found = [
        Task(
            "mastering", "A mastering chain, MP3 to 16-bit WAV",
            "Highpass, ten EQ bands, compressor, reverb, limiter. sox has no brick-wall limiter (a gain that "
            "limits), ffmpeg no reverb (three echoes, which are cheaper). `mpg123 -w` decodes and does "
            "nothing else.", "mpg123 -w",
            {
                "fxrun, reverb@1 and limiter@1": render(first, music, "first"),
                "fxrun, reverb and limiter": render(revised, music, "revised"),
                "sox": ["sox", "-V1", music, "-b", 16, out("sox"), "highpass", 80, *sox_bands,
                        "compand", "0.005,0.1", "6:-70,-20,-5", 0, -90, "reverb", 30, "gain", "-l", 1],
                "ffmpeg": [*ffmpeg, music, "-af",
                           f"highpass=f=80,{ffmpeg_bands},acompressor=threshold=0.1:ratio=4:attack=5:"
                           "release=100,aecho=0.8:0.7:43|61|79:0.3|0.25|0.2,alimiter=limit=0.891",
                           "-c:a", "pcm_s16le", out("ffmpeg")],
                "pedalboard": [python, HERE / "pedalboard_chain.py", music, out("pedalboard")],
                "mpg123 -w": ["mpg123", "-q", "-w", out("mpg123"), music],
            }),
        Task(
            "decoding", "An empty chain, MP3 to 16-bit WAV",
            "fxrun and sox round with dither; mpg123 and ffmpeg cut.", "mpg123 -w",
            {
                "fxrun": render(empty, music, "empty"),
                "fxrun --threads 1": render(empty, music, "empty", "--threads", "1"),
                "sox": ["sox", "-V1", music, "-b", 16, out("sox")],
                "ffmpeg": [*ffmpeg, music, "-c:a", "pcm_s16le", out("ffmpeg")],
                "mpg123 -w": ["mpg123", "-q", "-w", out("mpg123"), music],
            }),
        Task(
            "gain", "A gain, WAV to WAV", "16 bits on both sides.", "sox",
            {
                "fxrun": render(gain, sound, "gain"),
                "sox": ["sox", "-V1", sound, out("sox"), "vol", "-6dB"],
                "ffmpeg": [*ffmpeg, sound, "-af", "volume=-6dB", "-c:a", "pcm_s16le", out("ffmpeg")],
                "ecasound": ["ecasound", "-q", "-f:16,2,44100", "-i", sound, "-o", out("ecasound"),
                             "-ea:50"],
            }),
        Task(
            "second", "A file of one second", "An empty chain, WAV to WAV: the start and the end.", "sox",
            {
                "fxrun": render(empty, second, "short"),
                "sox": ["sox", "-V1", second, out("sox")],
                "ffmpeg": [*ffmpeg, second, "-c:a", "pcm_s16le", out("ffmpeg")],
                "ecasound": ["ecasound", "-q", "-f:16,2,44100", "-i", second, "-o", out("ecasound")],
            }),
        Task(
            "threads", "Threads: the mastering chain and sixteen strips, WAV to WAV",
            "A strip has ten EQ bands, a compressor and a reverb.", "strips, 1 thread",
            {
                "mastering, 1 thread": render(first, sound, "m1", "--threads", "1"),
                "mastering, 2 threads": render(first, sound, "m2", "--threads", "2"),
                "strips, 1 thread": render(wide, sound, "s1", "--threads", "1"),
                "strips, 2 threads": render(wide, sound, "s2", "--threads", "2"),
            }),
    ]
    return found
