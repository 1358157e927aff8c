"""Draws the graph of a chain with Graphviz, light or dark as the reader prefers."""

import re
import subprocess

STYLE = """<style>
.graph > polygon { fill: none; stroke: none }
text { fill: #1c1c1a }
.node path, .node polygon, .node ellipse, .edge path, .edge polygon { stroke: #62625c }
.node polygon { fill: #e4e4de }
.edge polygon { fill: #62625c }
@media (prefers-color-scheme: dark) {
  text { fill: #ecece6 }
  .node path, .node polygon, .node ellipse, .edge path, .edge polygon { stroke: #a3a39a }
  .node polygon { fill: #3a3a35 }
  .edge polygon { fill: #a3a39a }
}
</style>
"""
# Wider graphs would have letters that are too small on a desktop.
WIDEST = 2200


def drawing(dot):
    text = subprocess.run(["dot", "-Tsvg"], input=dot, capture_output=True, text=True, check=True).stdout
    start = text.index(">", text.index("<svg")) + 1
    return text[:start] + STYLE + text[start:]


def width(svg):
    """The width in pixels of a page."""
    return float(re.search(r'<svg width="([\d.]+)pt"', svg)[1]) * 4 / 3


def draw(dot, folder, name):
    """Writes the drawings, and returns their names: for wide and for narrow screens."""
    # Graphviz puts the label of a vertical line directly beside it: the space keeps a distance.
    upright = re.sub(r'( -> .*label=")', r"\1 ", dot.replace("rankdir=LR", "rankdir=TB"))
    wide, tall = drawing(dot), drawing(upright)
    (folder / f"{name}-tall.svg").write_text(tall)
    if width(wide) > WIDEST and width(tall) < width(wide):
        (folder / f"{name}.svg").unlink(missing_ok=True)
        return {"wide": f"{name}-tall.svg", "tall": f"{name}-tall.svg"}
    (folder / f"{name}.svg").write_text(wide)
    return {"wide": f"{name}.svg", "tall": f"{name}-tall.svg"}
