"""The findings as text for the terminal and as the page docs/lv2-compatibility.md."""

import collections
import datetime
import subprocess

import soundless

CLASSES = ["equal", "silent", "does not repeat itself", "different", "refused", "failed", "crashed"]
PEER_CLASSES = ["ok", "wrong length", "silent", "not finite", "refused", "crashed", "too long"]

INTRODUCTION = """# LV2 plugins that run

Results of fxrun with every LV2 effect that Debian 12 packages, {count} plugins with audio inputs and outputs: five seconds of
stereo noise and sines, each plugin in a process of its own with its default parameters. `scripts/lv2-corpus` writes this page;
last on {date}.

**{rendered} of {count} render** to the right length at {rate} Hz in blocks of {block} frames, {same} of them to the same
bits as a [bare C loop](../Tests/LV2Corpus/bare-loop.c) over the same plugin{unrepeatable}. fxrun itself {crashed}.

| | |
|---|---|
| equal | the same bits as the bare loop |
| silent | the same bits, all of them silence: a convolver without an impulse response, a gate that stays shut |
| does not repeat itself | two bare loops differ from each other, because the plugin makes noise or reads memory that it has not written; only the length was checked, and that all samples are numbers |
| different | the plugin repeats itself, but its output differs from that of the bare loop |
| refused | fxrun gives the reason before it renders |
| failed | fxrun stopped with an error, or the output is wrong |
| crashed | a signal ended fxrun |

A plugin with one input and one output channel runs once per channel. A plugin that is neither mono nor stereo gets the mean of
both sides, with `{{ "unit": "downmix", "channels": 1 }}` before it. Side-chain inputs are silent. If a plugin has several groups
of outputs, the main one is compared.
"""


class Findings:
    def __init__(self, options):
        self.options = options
        self.sections = []
        self.latencies = []
        self.presets = []
        self.peers = []
        self.soundless = {}

    def add(self, rate, block, findings):
        self.sections.append((rate, block, findings))

    @property
    def crashed(self):
        return sum(finding["class"] == "crashed" for _, _, found in self.sections for finding in found)

    @staticmethod
    def counts(findings):
        return collections.Counter(finding["class"] for finding in findings)

    # Text

    def text(self):
        lines = []
        for rate, block, findings in self.sections:
            lines.append(f"{rate} Hz, blocks of {block}")
            lines += self.aligned(self.package_rows(findings))
            for finding in self.odd(findings):
                lines.append(f"  {finding['class']}: {finding['uri']}: {finding.get('detail', '')}")
        if self.peers:
            lines += ["", *self.aligned(self.peer_rows(self.sections[0][2]))]
        if self.latencies:
            lines += ["", *self.aligned(self.latency_rows())]
        if self.presets:
            lines.append("")
            lines.append("presets: " + self.summed(self.counts(self.presets)))
            for finding in self.presets:
                if finding["class"] not in ("equal", "does not repeat itself"):
                    lines.append(f"  {finding['class']}: {finding['preset']}: {finding.get('detail', '')}")
        return "\n".join(lines)

    @staticmethod
    def aligned(rows):
        widths = [max(len(str(row[column])) for row in rows) for column in range(len(rows[0]))]
        return ["  ".join(str(cell).ljust(width) if index == 0 else str(cell).rjust(width)
                          for index, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows]

    @staticmethod
    def odd(findings):
        return [finding for finding in findings if finding["class"] not in ("equal", "silent")]

    @staticmethod
    def summed(counts):
        return ", ".join(f"{counts[name]} {name}" for name in CLASSES if counts[name])

    # Tables: a head and rows of cells

    def package_rows(self, findings):
        packages = collections.defaultdict(list)
        for finding in findings:
            packages[finding["package"]].append(finding)
        rows = [["package", "effects", *CLASSES]]
        for package in sorted(packages):
            counts = self.counts(packages[package])
            rows.append([package, len(packages[package]), *(counts[name] or "" for name in CLASSES)])
        counts = self.counts(findings)
        rows.append(["all", len(findings), *(counts[name] or 0 for name in CLASSES)])
        return rows

    def combination_rows(self):
        rows = [["rate", "block", *CLASSES]]
        for rate, block, findings in self.sections:
            counts = self.counts(findings)
            rows.append([f"{rate} Hz", block, *(counts[name] or 0 for name in CLASSES)])
        return rows

    def peer_rows(self, findings):
        names = sorted({name for finding in self.peers for name in finding} - {"uri", "package"})
        rows = [["host", *PEER_CLASSES]]
        ours = collections.Counter()
        for finding in findings:
            fits = finding["class"] in ("equal", "silent", "does not repeat itself", "different")
            ours["ok" if fits else finding["class"]] += 1
        rows.append(["fxrun", *(ours[name] or 0 for name in PEER_CLASSES)])
        for name in names:
            silent = {finding["uri"] for finding in findings if finding["class"] == "silent"}
            counts = collections.Counter(
                "ok" if finding[name] == "silent" and finding["uri"] in silent else finding[name]
                for finding in self.peers if name in finding)
            rows.append([name, *(counts[kind] or 0 for kind in PEER_CLASSES)])
        return rows

    def latency_rows(self):
        rows = [["plugin", "reported", "peak alone", "dry half of wet 50 %", "dry path beside it"]]
        for finding in self.latencies:
            if finding["class"] == "measured" and finding["latency"] > 0:
                alone = finding["alone"] if finding["peak"] > 0 else "silent"
                mixed = "" if finding["mixed"] is None else finding["mixed"]
                rows.append([finding["uri"], finding["latency"], alone, mixed, 0 if finding["dry"] > 0 else "missing"])
        return rows

    # Markdown

    @staticmethod
    def table(rows, numbers_from=1):
        head, *body = rows
        line = lambda row: "| " + " | ".join(str(cell) for cell in row) + " |"
        rule = "|" + "".join("---|" if index < numbers_from else "---:|" for index in range(len(head)))
        return "\n".join([line(head), rule, *map(line, body)])

    def versions(self):
        packages = sorted({finding["package"] for finding in self.sections[0][2]})
        query = subprocess.run(
            ["dpkg-query", "-W", "-f", "${Package} ${Version}\\n", *packages], capture_output=True, text=True)
        return [line.split(" ", 1) for line in query.stdout.splitlines()]

    def markdown(self):
        rate, block, findings = self.sections[0]
        counts = self.counts(findings)
        same = counts["equal"] + counts["silent"]
        unrepeatable = counts["does not repeat itself"]
        rendered = same + unrepeatable + counts["different"]
        parts = [INTRODUCTION.format(
            count=len(findings), rendered=rendered, rate=rate, block=block, same=same,
            unrepeatable=f"; {unrepeatable} do not repeat themselves there either" if unrepeatable else "",
            crashed="never crashed" if not self.crashed else f"crashed {self.crashed} times",
            date=datetime.date.today().isoformat())]
        parts.append("## By package\n\n" + self.table(self.package_rows(findings)) + "\n")
        parts.append("## Not equal\n\n" + self.odd_list() + "\n")
        if len(self.sections) > 1:
            parts.append("## Other rates and blocks\n\n" + self.table(self.combination_rows(), 0) + "\n")
        if self.latencies:
            parts.append(LATENCY + "\n" + self.table(self.latency_rows()) + "\n")
        if self.presets:
            parts.append(
                f"## Presets\n\nThe {len(self.presets)} presets of these effects, each rendered like the "
                "plugin itself and compared with the bare loop with\nthe preset restored by lilv: "
                + self.summed(self.counts(self.presets)) + ".\n" + self.preset_list())
        if self.peers:
            parts.append(PEERS + "\n" + self.table(self.peer_rows(findings)) + "\n")
        if self.soundless:
            parts.append(soundless.markdown(self.soundless) + "\n")
        parts.append("## Versions\n\n" + self.table([["package", "version"], *self.versions()], 2) + "\n")
        return "\n".join(parts)

    def odd_list(self):
        """All plugins with a different result at some rate and block size, one line per plugin."""
        found = collections.defaultdict(list)
        for rate, block, findings in self.sections:
            for finding in self.odd(findings):
                found[finding["package"], finding["uri"]].append((rate, block, finding))
        lines = []
        for (_, uri), entries in sorted(found.items()):
            kinds = {finding["class"] for _, _, finding in entries}
            where = ""
            if len(entries) < len(self.sections):
                where = " (at " + ", ".join(f"{rate}/{block}" for rate, block, _ in entries) + ")"
            detail = entries[0][2].get("detail", "")
            lines.append(f"- `{uri}`: {' or '.join(sorted(kinds))}{where}: {CAUSES.get(uri, detail)}")
        return "\n".join(lines) or "None."

    def preset_list(self):
        odd = [f for f in self.presets if f["class"] not in ("equal", "does not repeat itself")]
        return "".join(f"\n- `{f['preset']}`: {f['class']}: {f.get('detail', '')}" for f in odd) + "\n"


LATENCY = """## Latency

An impulse at frame 0 through every effect that reports latency with its default parameters, at 48000 Hz in blocks of 256.
"Peak alone" is the frame of the largest sample: 0 if the reported latency is correct, otherwise the plugin's own error. With
`"wet": "50 %"` and with a parallel dry path the dry signal keeps its position, frame 0. `ir` has no impulse response here and
`dj_eq` is silent with its default parameters; `artificialLatency` reports a latency that it does not have, so its impulse is
cut off.
"""

PEERS = """## Other hosts

The same plugins and the same stereo file in other hosts, called in the usual way, with a limit of 60 s. `ok` is exit status 0 and a
file of the right length with valid numbers that are not all zero (unless the plugin is silent in the bare loop too). A different
number of channels is accepted.
"""

# Known causes of differences that the findings do not show.
UNWRITTEN = "reads memory that it has not written"
RANDOM = "makes noise that differs in every run"
MEASURED = "differs in the last bits from run to run, as FFTW does when it chooses its way of computing by timing"
SWH = "http://plugin.org.uk/swh-plugins/"
LSP = "http://lsp-plug.in/plugins/lv2/"
CAUSES = {
    "http://calf.sourceforge.net/plugins/RotarySpeaker": UNWRITTEN,
    "http://drobilla.net/plugins/mda/BeatBox": UNWRITTEN,
    "http://guitarix.sourceforge.net/plugins/gx_detune_#_detune_": UNWRITTEN + ", and differs between runs beyond that",
    SWH + "chebstortion": UNWRITTEN + ", on its stack",
    SWH + "const": UNWRITTEN,
    SWH + "dcRemove": UNWRITTEN,
    SWH + "harmonicGen": UNWRITTEN,
    SWH + "valve": UNWRITTEN,
    SWH + "mbeq": MEASURED,
    SWH + "pitchScaleHQ": MEASURED + " and " + UNWRITTEN,
    LSP + "noise_generator_x1": RANDOM,
    LSP + "noise_generator_x2": RANDOM,
    LSP + "noise_generator_x4": RANDOM,
}
