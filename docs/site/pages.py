"""Turns the repository's documents into the pages of a site: long ones are split at their headings, links are led to
their new places, and headings get the anchors that they have in the repository."""

import posixpath
import re
import shutil

# The tabs: title, and the documents below it.
TABS = [
    ("Start", ["docs/start.md", "docs/tutorials/podcast.md", "docs/tutorials/guitar.md", "docs/tutorials/plugins.md",
               "docs/tutorials/many-files.md", "docs/install.md"]),
    ("Use", ["docs/everyday.md", "docs/recipes.md", "docs/import.md", "docs/import/audacity.md", "docs/import/brutefir.md", "docs/import/camilladsp.md", "docs/import/easyeffects.md", "docs/import/ecasound.md", "docs/import/equalizer-apo.md", "docs/import/ffmpeg.md", "docs/import/jconvolver.md", "docs/import/mod-ui.md", "docs/import/pipedal.md", "docs/import/pipewire.md", "docs/import/sox.md", "docs/export.md", "docs/command-line.md", "docs/sources-and-sinks.md", "docs/batch.md"]),
    ("Chains", ["chains/README.md", "docs/chain-format.md", "docs/diagnostics.md"]),
    ("Units", ["docs/units.md", "docs/sound-quality.md", "docs/unit-costs.md"]),
    ("Live", ["docs/live.md", "docs/control.md", "docs/osc.md"]),
    ("Tests", ["docs/testing.md", "docs/ci.md", "docs/lint.md", "docs/fxtesting.md"]),
    ("LV2", ["docs/lv2.md", "docs/plugin-debugging.md", "docs/lv2-compatibility.md", "docs/lv2-determinism.md"]),
    ("Library", ["docs/library.md", "docs/chains-in-code.md", "docs/engine.md", "docs/own-units.md", "docs/python.md", "docs/design.md", "docs/benchmarks.md", "CONTRIBUTING.md", "CHANGELOG.md"]),
    ("Words", ["docs/glossary.md"]),
]
# Pages that a reader looks something up in: each heading of the second level becomes a page.
SPLIT = {"docs/chain-format.md", "docs/command-line.md", "docs/units.md"}
# The folders of pictures in docs/.
PICTURES = ("plots", "pictures")
HEADING = re.compile(r"^(#{1,6}) (.+?)\s*$")


def slug(heading):
    """The anchor of a heading, as code hosts make it."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


class Part:
    """A page of the site."""

    def __init__(self, path, title):
        self.path, self.title, self.lines = path, title, []


class Pages:
    def __init__(self, root, folder):
        self.root, self.folder = root, folder
        self.navigation = []
        self.parts = {}
        # (document, anchor) → (page, anchor); the anchor "" is the document itself.
        self.places = {}

    def write(self, has_gallery):
        tabs = [(title, [path for path in paths if (self.root / path).exists()]) for title, paths in TABS]
        self.read("README.md", "index.md")
        for _, paths in tabs:
            for path in paths:
                self.read(path, self.name(path))
        for document, parts in self.parts.items():
            for part in parts:
                target = self.folder / part.path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(self.linked(document, part))
        for name in PICTURES:
            shutil.copytree(self.root / "docs" / name, self.folder / name)
        self.navigation = [{"fxrun": "index.md"}] + [
            {title: [self.entry(path) for path in paths]} for title, paths in tabs if paths
        ]
        if has_gallery:
            for tab in self.navigation:
                if "Chains" in tab:
                    tab["Chains"].append({"Gallery": "gallery/index.html"})

    @staticmethod
    def name(path):
        name = path.removeprefix("docs/").removesuffix(".md").lower()
        return f"{name.removesuffix('/readme')}/index.md" if path in SPLIT or name.endswith("/readme") else f"{name}.md"

    def entry(self, document):
        first, *others = self.parts[document]
        if not others:
            return {first.title: first.path}
        return {first.title: [first.path] + [{part.title: part.path} for part in others]}

    def read(self, document, path):
        """Splits a document into its parts."""
        title = path
        part = Part(path, title)
        self.parts[document] = parts = [part]
        self.places[document, ""] = (path, "")
        fence, seen = None, {}
        for line in (self.root / document).read_text().split("\n"):
            mark = re.match(r"\s*(```+|~~~+)", line)
            if mark:
                fence = None if fence else mark[1]
            heading = None if fence else HEADING.match(line)
            if not heading:
                part.lines.append(line)
                continue
            level, text = len(heading[1]), heading[2]
            anchor = slug(text)
            seen[anchor] = seen.get(anchor, -1) + 1
            anchor += f"-{seen[anchor]}" if seen[anchor] else ""
            if level == 1:
                part.title = text.replace("`", "")
            elif level == 2 and document in SPLIT:
                part = Part(f"{posixpath.dirname(path)}/{anchor}.md", text.replace("`", ""))
                parts.append(part)
            if level > 1 and document in SPLIT:
                level -= 1
            # The first heading is the page itself.
            self.places[document, anchor] = (part.path, anchor if level > 1 else "")
            part.lines.append(f"{'#' * level} {text}" + (f" {{#{anchor}}}" if level > 1 else ""))
        if len(parts) > 1 and document != "docs/units.md":
            # A table of its parts; the page of the units has one.
            parts[0].lines += ["", *(f"- [{other.title}]({posixpath.relpath(other.path, posixpath.dirname(path) or '.')})" for other in parts[1:])]

    def linked(self, document, part):
        """The text of a part with its links led to the site's pages."""
        here = posixpath.dirname(part.path) or "."
        own = {posixpath.relpath(other.path, here) for other in self.parts[document]}

        def place(match):
            words, target = match[1], match[2]
            if re.match(r"[a-z]+:", target):
                return match[0]
            if target in own:
                return match[0]
            file, _, anchor = target.partition("#")
            owner = posixpath.normpath(posixpath.join(posixpath.dirname(document), file)) if file else document
            found = self.places.get((owner, anchor)) or self.places.get((owner, ""))
            if found:
                page, anchor = found
                relative = posixpath.relpath(page, here)
                return f"{words}({relative}{'#' + anchor if anchor else ''})"
            if posixpath.dirname(owner).removeprefix("docs/") in PICTURES:
                return f"{words}({posixpath.relpath(owner.removeprefix('docs/'), here)})"
            # A file of the repository that the site does not have: its name stays.
            return words.removeprefix("!")[1:-1]

        text = "\n".join(part.lines)
        # Fenced code stays as it is.
        pieces = re.split(r"(^\s*```.*?^\s*```\s*$)", text, flags=re.M | re.S)
        link = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^)\s]+)\)")
        return "".join(piece if piece.lstrip().startswith("```") else link.sub(place, piece) for piece in pieces)
