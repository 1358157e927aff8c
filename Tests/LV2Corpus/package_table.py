#!/usr/bin/env python3
"""Writes the table of Debian packages by prefixes of the URIs of their plugins.

usage: package_table.py FXRUN FILE

A prefix ends after a separator of the URI. All installed plugins with it belong to one package.
"""

import json
import os
import re
import subprocess
import sys

HEAD = '''/// Debian's packages of LV2 plugins by the beginnings of their URIs. Written by
/// `scripts/plugin-packages`.
enum PluginPackageTable {
  /// A prefix and a package a line.
  static let text = """
'''
TAIL = '''    """
}
'''


def owner(bundle):
    """The package of a bundle's manifest, or None if dpkg does not know it."""
    path = os.path.join(os.path.realpath(bundle), "manifest.ttl")
    run = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True, check=False)
    return run.stdout.split(":")[0] if run.returncode == 0 else None


def installed(fxrun):
    """Packages by URI."""
    run = subprocess.run([fxrun, "plugins", "--json"], capture_output=True, check=True)
    owners, packages = {}, {}
    for plugin in json.loads(run.stdout):
        bundle = plugin["bundle"]
        if bundle not in owners:
            owners[bundle] = owner(bundle)
        if plugin["uri"] and owners[bundle]:
            packages[plugin["uri"]] = owners[bundle]
    return packages


# These hosts have many projects, so a prefix needs the project's path too.
SHARED = r"github\.com/|gitlab\.com/|git\.code\.sf\.net/|home\.gna\.org/"


def beginnings(uri):
    """The URI up to each separator after its scheme and host, and the whole URI."""
    start = len(re.match(rf"[a-z]+:(//({SHARED})[^/]+/[^/]+/?|//[^/]+/?)?", uri).group())
    for place in re.finditer(r"[/#:_.-]", uri):
        if place.end() >= start and place.end() > 4:
            yield uri[:place.end()]
    yield uri


def prefixes(packages):
    """The shortest unambiguous prefixes."""
    found = {}
    for uri, package in packages.items():
        for prefix in beginnings(uri):
            if all(other == package for known, other in packages.items() if known.startswith(prefix)):
                found[prefix] = package
                break
    return found


def main():
    fxrun, path = sys.argv[1:3]
    packages = installed(fxrun)
    lines = [f"    {prefix} {package}\n" for prefix, package in sorted(prefixes(packages).items())]
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD + "".join(lines) + TAIL)
    size = sum(len(line.strip()) + 1 for line in lines)
    print(f"{path}: {len(lines)} prefixes, {len(packages)} plugins, {len(set(packages.values()))} packages, {size} bytes")


main()
