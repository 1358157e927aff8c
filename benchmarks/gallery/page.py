"""The page of the gallery, with one section for each example."""

import html

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
img, audio { display: block; width: 100%; max-width: 100%; } img.sound { height: auto; border-radius: 0.3rem; }
.graph { overflow-x: auto; background: #fff; border-radius: 0.3rem; margin-top: 0.8rem; padding: 0.4rem; }
.graph img { width: auto; max-width: none; height: auto; max-height: 14rem; }
pre { margin: 0.8rem 0 0; padding: 0.6rem; background: var(--back); border-radius: 0.3rem; white-space: pre-wrap;
  overflow-wrap: anywhere; font-size: 0.85rem; }
</style>
<h1>Gallery</h1>
<p>Every example of <code>chains/</code>: what goes in, what comes out of the command below it, and how loud that is.
All sounds are computed or spoken by espeak-ng.</p>
"""


def words(figures):
    loudness = figures["loudness"]
    parts = [f"{loudness:.1f} LUFS" if loudness is not None else "no loudness"]
    parts += [f"true peak {figures['truePeak']:.1f} dB", f"{figures['seconds']:.1f} s"]
    if figures["channels"] != 2:
        parts.append("mono" if figures["channels"] == 1 else f"{figures['channels']} channels")
    return ", ".join(parts)


def figure(sound):
    name = html.escape(sound["title"])
    return (
        f'<figure><figcaption>{name}: {words(sound["figures"])}</figcaption>'
        f'<img class="sound" loading="lazy" src="{sound["picture"]}" alt="Spectrogram of {name}" width="640" height="200">'
        f'<audio controls preload="none" src="{sound["audio"]}"></audio></figure>')


def section(example):
    sounds = "\n".join(figure(sound) for sound in example["sounds"])
    graph = (
        f'<div class="graph"><img loading="lazy" src="{example["graph"]}" alt="Graph of {html.escape(example["name"])}"></div>'
        if example.get("graph") else "")
    return (
        f'<section id="{example["file"]}"><h2>{html.escape(example["name"])}</h2>\n<p>{html.escape(example["comment"])}</p>\n'
        f'<div class="pair">{sounds}</div>\n{graph}\n<pre>{html.escape(example["command"])}</pre></section>\n')


def page(examples):
    links = "".join(f'<a href="#{example["file"]}">{html.escape(example["name"])}</a>' for example in examples)
    return HEAD + f"<nav>{links}</nav>\n" + "".join(section(example) for example in examples) + "</html>\n"
