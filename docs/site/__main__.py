"""Builds the documents as a site of static pages; see scripts/site.

usage: docs/site [--check] [--gallery FOLDER] FOLDER
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import links
from pages import Pages

ROOT = pathlib.Path(__file__).resolve().parents[2]

SETTINGS = {
    "site_name": "fxrun",
    "site_description": "Runs effect chains: files, live and in tests",
    "use_directory_urls": False,
    "plugins": ["search"],
    "extra_css": ["site.css"],
    "theme": {
        "name": "material",
        "font": False,
        "features": ["navigation.tabs", "navigation.top", "navigation.indexes", "search.highlight", "toc.follow"],
        "palette": [
            {
                "media": f"(prefers-color-scheme: {scheme})", "scheme": name, "primary": "blue grey", "accent": "teal",
                "toggle": {"icon": icon, "name": title},
            }
            for scheme, name, icon, title in (
                ("light", "default", "material/weather-night", "Dark"), ("dark", "slate", "material/weather-sunny", "Light"),
            )
        ],
    },
    "markdown_extensions": ["tables", "attr_list", "sane_lists", "pymdownx.superfences", "pymdownx.highlight"],
}


def build(folder, gallery):
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        pages = Pages(ROOT, work / "pages")
        pages.write(has_gallery=gallery is not None)
        shutil.copy(ROOT / "docs/site/site.css", work / "pages/site.css")
        if gallery:
            # A page of the navigation must be among the pages before they are built.
            shutil.copytree(gallery, work / "pages/gallery")
        settings = SETTINGS | {"docs_dir": str(work / "pages"), "site_dir": str(folder), "nav": pages.navigation}
        # JSON is YAML too.
        (work / "mkdocs.yml").write_text(json.dumps(settings))
        command = ["mkdocs", "build", "--quiet", "--strict", "--clean", "--config-file", str(work / "mkdocs.yml")]
        if subprocess.run(command, check=False).returncode != 0:
            sys.exit("mkdocs failed")


def main():
    parser = argparse.ArgumentParser(prog="scripts/site")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--gallery", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    if arguments.gallery and not (arguments.gallery / "index.html").exists():
        sys.exit(f"{arguments.gallery} has no index.html: write it with scripts/gallery")
    if folder.exists() and any(folder.iterdir()) and not (folder / "sitemap.xml").exists():
        sys.exit(f"{folder} is not empty, and no site")
    build(folder, arguments.gallery)
    pages = sorted(folder.rglob("*.html"))
    faults = links.faults(folder)
    if arguments.check:
        import browser

        faults += browser.check(folder, [str(page.relative_to(folder)) for page in pages if page.name != "404.html"])
    print(f"{folder / 'index.html'}: {len(pages)} pages")
    if faults:
        sys.exit("\n".join(faults))


main()
