"""The page of the gallery, with one section for each example."""

import html
import math

import spectrogram

HEAD = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>fxrun: gallery of chains</title>
<style>
:root { color-scheme: light dark; --back: #fff; --card: #f5f5f3; --ink: #1c1c1a; --soft: #62625c; --line: #d9d9d3; }
@media (prefers-color-scheme: dark) {
  :root { --back: #161614; --card: #21211e; --ink: #ecece6; --soft: #a3a39a; --line: #3a3a35; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem 1rem 4rem; background: var(--back); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
nav { columns: 12rem; margin: 1rem 0 2rem; }
nav a { display: block; }
a { color: inherit; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 0.6rem; padding: 1rem; margin: 1.2rem 0; }
h1 { margin: 0; } h2 { margin: 0 0 0.3rem; font-size: 1.25rem; } p { margin: 0.3rem 0 0.8rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 1rem; }
figure { margin: 0; min-width: 0; } figcaption { color: var(--soft); font-size: 0.9rem; }
audio { display: block; width: 100%; height: 2.6rem; }
.plot { display: grid; grid-template-columns: 2.9rem minmax(0, 1fr); grid-template-rows: auto 1.3rem; margin-top: 0.3rem; }
.area { position: relative; } .area img { display: block; width: 100%; height: 12rem; }
.area i { position: absolute; background: #fff3; } .area .down { left: 0; right: 0; height: 1px; }
.area .across { top: 0; bottom: 0; width: 1px; }
.y, .x { position: relative; color: var(--soft); font-size: 0.75rem; line-height: 1; font-variant-numeric: tabular-nums; }
.x { grid-column: 2; } .y span, .x span { position: absolute; white-space: nowrap; }
.y span { right: 0.4rem; transform: translateY(-50%); } .x span { top: 0.3rem; transform: translateX(-50%); }
.x .first { transform: none; } .x .last { transform: translateX(-100%); }
.scale { display: flex; align-items: center; gap: 0.5rem; margin: 0.2rem 0 0.5rem 2.9rem; color: var(--soft); font-size: 0.75rem;
  white-space: nowrap; }
.scale span { flex: 1; height: 0.5rem; border-radius: 2px; background: GRADIENT; }
.graph { display: block; margin-top: 0.8rem; } .graph img { display: block; max-width: 100%; height: auto; margin: 0 auto; }
pre { margin: 0.8rem 0 0; padding: 0.6rem; background: var(--back); border-radius: 0.3rem; white-space: pre-wrap;
  overflow-wrap: anywhere; font-size: 0.85rem; }
</style>
<h1>Gallery</h1>
<p>Every example of <code>chains/</code>: what goes in, what comes out of the command below it, and how loud that is.
All sounds are computed or spoken by espeak-ng.</p>
"""


HEAD = HEAD.replace("GRADIENT", spectrogram.gradient())
STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600)


def clock(seconds):
    if seconds >= 60:
        return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
    return f"{seconds:g} s"


def times(seconds):
    """Round times within a sound, at most six."""
    step = next((step for step in STEPS if step >= seconds / 5), 600)
    return [index * step for index in range(int(seconds / step + 1e-9) + 1)]


def axes(picture, alt, seconds):
    """A spectrogram with its axes and the scale of its colours."""
    low, high = spectrogram.FREQUENCIES
    rows = [(1 - math.log(hertz / low) / math.log(high / low), hertz) for hertz in (100, 1000, 10000)]
    columns = [(time / max(seconds, 1e-9), time) for time in times(seconds)]
    lines = "".join(f'<i class="down" style="top:{100 * place:.2f}%"></i>' for place, _ in rows)
    lines += "".join(f'<i class="across" style="left:{100 * place:.2f}%"></i>' for place, _ in columns if 0 < place < 1)
    down = "".join(
        f'<span style="top:{100 * place:.2f}%">{hertz if hertz < 1000 else hertz // 1000} {"kHz" if hertz >= 1000 else "Hz"}</span>'
        for place, hertz in rows)
    across = "".join(
        f'<span{" class=first" if place < 0.03 else " class=last" if place > 0.97 else ""} style="left:{100 * place:.2f}%">'
        f"{clock(time)}</span>" for place, time in columns)
    return (
        f'<div class="plot"><div class="y" aria-hidden="true">{down}</div><div class="area">'
        f'<img loading="lazy" src="{picture}" alt="{alt}" width="640" height="200">{lines}</div>'
        f'<div class="x" aria-hidden="true">{across}</div></div>'
        f'<p class="scale">\u2212{spectrogram.RANGE} dB<span></span>0 dB</p>')


def words(figures):
    loudness = figures["loudness"]
    parts = [f"{loudness:.1f} LUFS" if loudness is not None else "no loudness"]
    parts += [f"true peak {figures['truePeak']:.1f} dB", f"{figures['seconds']:.1f} s"]
    if figures["channels"] != 2:
        parts.append("mono" if figures["channels"] == 1 else f"{figures['channels']} channels")
    return ", ".join(parts).replace("-", "\u2212").replace(" dB", "\u00a0dB").replace(" LUFS", "\u00a0LUFS")


def figure(sound):
    name = html.escape(sound["title"])
    return (
        f'<figure><figcaption>{name}: {words(sound["figures"])}</figcaption>'
        f'{axes(sound["picture"], f"Spectrogram of {name}", sound["figures"]["seconds"])}'
        f'<audio controls preload="none" src="{sound["audio"]}"></audio></figure>')


def section(example):
    sounds = "\n".join(figure(sound) for sound in example["sounds"])
    graph = (
        f'<picture class="graph"><source media="(max-width: 700px)" srcset="{example["graph"]["tall"]}">'
        f'<img loading="lazy" src="{example["graph"]["wide"]}" alt="Graph of {html.escape(example["name"])}"></picture>'
        if example.get("graph") else "")
    return (
        f'<section id="{example["file"]}"><h2>{html.escape(example["name"])}</h2>\n<p>{html.escape(example["comment"])}</p>\n'
        f'<div class="pair">{sounds}</div>\n{graph}\n<pre>{html.escape(example["command"])}</pre></section>\n')


def page(examples):
    links = "".join(f'<a href="#{example["file"]}">{html.escape(example["name"])}</a>' for example in examples)
    return HEAD + f"<nav>{links}</nav>\n" + "".join(section(example) for example in examples) + "</html>\n"
