"""Plugins without audio: filters of MIDI, sequencers, arithmetic of control signals."""

import collections
import json
import os
import subprocess


def probe(fxrun, lv2_path):
    """The result of each plugin in a process of its own, by URI."""
    environment = {**os.environ, "LV2_PATH": lv2_path}
    listing = subprocess.run(
        [fxrun, "plugins", "list", "--json"], env=environment, capture_output=True, check=True)
    found = {}
    for plugin in json.loads(listing.stdout):
        kinds = {port["kind"] for port in plugin["ports"]}
        if kinds & {"audio", "CV", "cv"}:
            continue
        if not plugin["canHost"]:
            found[plugin["uri"]] = "refused", plugin["refusal"]
            continue
        verdict = subprocess.run(
            [fxrun, "plugins", "probe", plugin["uri"], "--json"], env=environment, capture_output=True)
        answer = json.loads(verdict.stdout)
        outcome = answer[0]["verdict"]
        found[plugin["uri"]] = outcome["outcome"], outcome.get("detail", "")
    return found


def markdown(found):
    counts = collections.Counter(verdict for verdict, _ in found.values())
    summed = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    lines = [
        "## Plugins without audio", "",
        f"{len(found)} more plugins of these packages have only MIDI, atom or control ports: MIDI filters, sequencers,",
        "arithmetic. Each ran for a second and a half in a process of its own (`fxrun plugins probe`): " + summed + ".",
        "Their outputs can feed other nodes.", ""]
    lines += [f"- `{uri}`: {verdict}: {detail}" for uri, (verdict, detail) in sorted(found.items())
              if verdict not in ("ok", "silent")]
    return "\n".join(lines)
