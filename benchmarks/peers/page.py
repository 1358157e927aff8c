"""Writes the results to docs/benchmarks.md, with a drawing for each task in docs/benchmarks."""

import html
import os
import pathlib
import platform
import re
import statistics
import subprocess


def first_line(command):
    try:
        text = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    except OSError:
        return ""
    lines = (text.stdout or text.stderr).strip().splitlines()
    return lines[0] if lines else ""


def machine():
    """The processor, the number of processors, and the system."""
    text = pathlib.Path("/proc/cpuinfo").read_text()
    model = re.search(r"model name\s*:\s*(.*)", text)
    system = pathlib.Path("/etc/os-release").read_text()
    name = re.search(r'PRETTY_NAME="(.*)"', system)
    return (f"{model[1] if model else platform.machine()}, {len(os.sched_getaffinity(0))} processors, "
            f"{name[1] if name else platform.system()}, Linux {platform.release()}")


def versions(fxrun, python):
    """The version that each program reports."""
    found = {
        "fxrun": first_line([fxrun, "--version"]),
        "sox": re.sub(r".*v", "", first_line(["sox", "--version"])),
        "ffmpeg": " ".join(first_line(["ffmpeg", "-version"]).split()[2:3]),
        "mpg123": " ".join(first_line(["mpg123", "--version"]).split()[1:2]),
        "ecasound": re.sub(r".*v", "", first_line(["ecasound", "--version"])),
        "pedalboard": first_line([python, "-c", "import pedalboard; print(pedalboard.__version__)"]),
    }
    return ", ".join(f"{name} {version}" for name, version in found.items() if version)


class Result:
    """The runs of a task by program: processor seconds, wall seconds and bytes of memory of each round."""

    def __init__(self, task, runs):
        self.task, self.runs = task, runs

    def median(self, program, index):
        return statistics.median(run[index] for run in self.runs[program])

    def ratios(self, program, index):
        """The ratios to the base in each round, sorted."""
        base = self.runs[self.task.base]
        return sorted(run[index] / other[index] for run, other in zip(self.runs[program], base))


def ratio(values):
    return f"{statistics.median(values):.2f} ({values[0]:.2f}–{values[-1]:.2f})"


def seconds(value):
    return f"{value:.2f} s" if value >= 0.5 else f"{1000 * value:.1f} ms"


def table(result):
    has_base = result.task.base in result.runs
    base = f" of {result.task.base}"
    lines = ["| | wall | processor | " + (f"wall,{base} | processor,{base} | " if has_base else "")
             + "memory |", "|---|---|---|" + ("---|---|" if has_base else "") + "---|"]
    for program in result.runs:
        row = [program, seconds(result.median(program, 1)), seconds(result.median(program, 0))]
        if has_base:
            row += [ratio(result.ratios(program, 1)), ratio(result.ratios(program, 0))]
        row.append(f"{result.median(program, 2) / (1 << 20):.0f} MiB")
        lines.append("| " + " | ".join(row) + " |")
    return "\n".join(lines)


def drawing(result):
    """Wall and processor time as bars, for light and dark themes."""
    left, room, row = 220, 380, 40
    programs = list(result.runs)
    most = max(max(result.median(program, index) for index in (0, 1)) for program in programs)
    height = 44 + row * len(programs)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="720" height="{height}" viewBox="0 0 720 {height}" '
        f'role="img"><title>{html.escape(result.task.title)}</title>'
        "<style>text{font:12px system-ui,'DejaVu Sans',sans-serif;fill:#1b1f24}.q{fill:#57606a}"
        ".p{fill:#fff}.a{fill:#0b62b0}.b{fill:#b8470a}@media(prefers-color-scheme:dark){.p{fill:#14171c}"
        "text{fill:#e6e9ee}.q{fill:#a3adba}.a{fill:#6cb6ff}.b{fill:#ffa657}}</style>"
        f'<rect class="p" width="720" height="{height}"/>'
        f'<rect class="a" x="{left}" y="14" width="12" height="10"/><text x="{left + 18}" y="23">wall</text>'
        f'<rect class="b" x="{left + 70}" y="14" width="12" height="10"/>'
        f'<text x="{left + 88}" y="23">processor</text>']
    for number, program in enumerate(programs):
        y = 36 + row * number
        parts.append(f'<text x="{left - 10}" y="{y + 18}" text-anchor="end">{html.escape(program)}</text>')
        for index, (kind, offset) in {1: ("a", 2), 0: ("b", 16)}.items():
            value = result.median(program, index)
            width = max(value / most * room, 1)
            parts.append(
                f'<rect class="{kind}" x="{left}" y="{y + offset}" width="{width:.1f}" height="12"/>'
                f'<text class="q" x="{left + width + 6:.1f}" y="{y + offset + 10}">{seconds(value)}</text>')
    return "\n".join(parts) + "</svg>\n"


def write(folder, results, rounds, length, fxrun, python):
    """Writes the page and its drawings to `docs`."""
    text = [
        "# Benchmarks", "",
        "`scripts/bench` writes this page. The programs take turns, a round after the other, and each writes a new file. "
        "Times are medians of "
        f"{rounds} rounds, ratios are taken within a round (median, smallest, largest). *Wall* is the time that a user "
        "waits, *processor* that of all threads, *memory* the largest resident set (16 MiB are the least "
        "that can be seen).", "",
        f"- Machine: {machine()}", f"- Programs: {versions(fxrun, python)}",
        f"- Sound: {length / 60:.0f} minutes of music at 44100 Hz in stereo, MP3 of variable rate and WAV of 16 bits, made "
        "of Debian's package `planetblupi-music-ogg`", ""]
    for result in results:
        name = f"{result.task.name}.svg"
        (folder / "benchmarks").mkdir(exist_ok=True)
        (folder / "benchmarks" / name).write_text(drawing(result))
        text += [f"## {result.task.title}", "", result.task.remark, "",
                 f"![{result.task.title}](benchmarks/{name})", "", table(result), ""]
    (folder / "benchmarks.md").write_text("\n".join(text).rstrip() + "\n")
