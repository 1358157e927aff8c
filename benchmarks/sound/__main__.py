"""Measures the sound quality of units and of their peers, and writes docs/sound-quality.md.

Each module in this folder measures one unit. It has a docstring that becomes the section's text, a
TITLE, a list GOALS of `Goal` and a function `measure(bench)`. The function returns the figures by the
goal's key: a number for fxrun, or a dictionary with "fxrun" and the peers.

usage: python3 benchmarks/sound FXRUN [UNIT...]
"""

import importlib
import inspect
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parent.parent / "docs" / "sound-quality.md"
sys.path.insert(0, str(HERE))

from bench import Bench  # noqa: E402

HEAD = """# Sound quality

Measurements of the units, by `scripts/measure-units`, compared with other programs and plugins (the peers). The aims were
written down before the measurements. Costs are processor time for a stereo frame at 48 kHz on one machine: compare them
within a row.
"""


def names():
    others = {"__main__", "bench", "pieces"}
    return sorted(path.stem for path in HERE.glob("*.py") if path.stem not in others)


def formatted(value, goal):
    return "-" if value is None else f"{value:.{goal.digits}f}"


def section(module, figures):
    """The text of a unit's section."""
    rows = {
        key: value if isinstance(value, dict) else {"fxrun": value}
        for key, value in figures.items()
    }
    peers = []
    for row in rows.values():
        peers += [name for name in row if name != "fxrun" and name not in peers]
    lines = [f"## {module.TITLE}", "", inspect.getdoc(module), ""]
    lines.append("| " + " | ".join(["Figure", "Aim", "fxrun", "Met", *peers]) + " |")
    lines.append("|" + "---|" * (4 + len(peers)))
    for goal in module.GOALS:
        row = rows.get(goal.key, {})
        own = row.get("fxrun")
        unit = f", {goal.unit}" if goal.unit else ""
        has_aim = goal.at_most is not None or goal.at_least is not None
        met = ("yes" if goal.is_met(own) else "**no**") if has_aim else "-"
        cells = [f"{goal.what}{unit}", goal.words, formatted(own, goal), met]
        cells += [formatted(row.get(peer), goal) for peer in peers]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def sections(page):
    """The sections of a page, by title."""
    found = {}
    for part in page.split("\n## ")[1:]:
        title, _, _ = part.partition("\n")
        found[title] = "## " + part.rstrip() + "\n"
    return found


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    chosen = sys.argv[2:] or names()
    unknown = [name for name in chosen if name not in names()]
    if unknown:
        sys.exit(f"no measurement is called {unknown[0]}; there are {', '.join(names())}")
    missed = 0
    for name in chosen:
        module = importlib.import_module(name)
        with tempfile.TemporaryDirectory() as folder:
            figures = module.measure(Bench(sys.argv[1], folder))
        text = section(module, figures)
        print(text, flush=True)
        missed += text.count("**no**")
        found = sections(PAGE.read_text()) if PAGE.exists() else {}
        found[module.TITLE] = text
        PAGE.write_text(HEAD + "\n" + "\n".join(found[title] for title in sorted(found)))
    if missed:
        sys.exit(f"{missed} figures do not reach what is aimed at")


main()
