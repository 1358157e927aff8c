"""Finds the broken links of a site."""

import html.parser
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.anchors, self.targets = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors |= {attributes[key] for key in ("id", "name") if attributes.get(key)}
        key = {"a": "href", "link": "href", "img": "src", "script": "src", "audio": "src"}.get(tag)
        if key and attributes.get(key):
            self.targets.append(attributes[key])


def faults(folder):
    """A line for each link to a missing file or heading. Other sites are not asked."""
    pages = {path.resolve(): Page(path.read_text()) for path in folder.rglob("*.html")}
    found = []
    for path, page in pages.items():
        for target in page.targets:
            parts = urllib.parse.urlsplit(target)
            # The page for missing pages has absolute links.
            if parts.scheme or parts.netloc or target.startswith("/"):
                continue
            file = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            file = file / "index.html" if file.is_dir() else file
            if not file.exists():
                found.append(f"{path.relative_to(folder)}: {target} does not exist")
            elif parts.fragment and parts.fragment != "__skip" and file in pages and urllib.parse.unquote(parts.fragment) not in pages[file].anchors:
                found.append(f"{path.relative_to(folder)}: {target} has no such heading")
    return found
