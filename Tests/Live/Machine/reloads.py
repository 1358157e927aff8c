"""Plays each chain twice: with changes while it plays, and unchanged."""
import json

import machine

SECONDS_EACH = 0.4
"""The time from one change to the next: longer than the crossfade of a change."""
SECONDS_BEFORE = 3
SETTLED = 2
"""Seconds of playing before the first change."""

# The guest's own shell writes the file and sends the signal. Starting another process would add
# load of the system to the measurement of fxrun. `read -t` on a pipe that is open for reading and
# writing waits without starting a process.
SCRIPT = f"""#!/bin/busybox sh
# change FIRST OTHER COUNT SIGNAL COMMAND...: writes the chain that plays COUNT times
read -r first <"$1"; read -r other <"$2"; count=$3; signal=$4; shift 4
echo "$first" >playing.json
mkfifo /tmp/never 2>/dev/null; exec 9<>/tmp/never
"$@" & player=$!
read -t {SETTLED} nothing <&9
while [ $count -gt 0 ]; do
  if [ $((count % 2)) = 0 ]; then echo "$other" >playing.json; else echo "$first" >playing.json; fi
  kill -$signal $player
  read -t {SECONDS_EACH} nothing <&9
  count=$((count - 1))
done
wait $player
"""


class Pair:
    """The same run twice: with changes and without them."""

    def __init__(self, path, size, count, options):
        self.path, self.size, self.count = path, size, count
        self.seconds = round(SECONDS_BEFORE + count * SECONDS_EACH + 2)
        self.files = [f"{path.stem}-{size}.json", f"{path.stem}-{size}-longer.json"]
        play = f"fxrun playing.json in.wav --duration {self.seconds} --json{options}"
        # Signal 0 changes nothing.
        self.jobs = [
            machine.Job(f"{path.stem}-{size}-{name}",
                        f"sh /change {' '.join(self.files)} {count} {signal} {play}")
            for name, signal in (("reloads", "HUP"), ("alone", "0"))]

    def documents(self, chain):
        """The files of the guest: the chain, and the same chain with one more unit."""
        document = json.loads(chain(self.path, self.size))
        longer = json.loads(json.dumps(document))
        longer["nodes"]["room"] = {"unit": "reverb", "wet": "20 %"}
        longer["connections"] = ["in -> chain -> room -> card"]
        return {
            f"/sounds/{name}": (json.dumps(content) + "\n").encode()
            for name, content in zip(self.files, (document, longer))}


def events(job, name):
    lines = [line for line in job.output.splitlines() if line.startswith('{"event"')]
    return [event for event in map(json.loads, lines) if event.get("event") == name]


def row(pair, job):
    """One line of the table, and its xruns: None if the run failed or a change is missing."""
    found = events(job, "summary")
    wanted = pair.count if job is pair.jobs[0] else 0
    changed = len(events(job, "loaded"))
    name = f"| {pair.path.stem} | {pair.size} | {pair.seconds} "
    if job.status != 0 or not found or changed != wanted:
        said = job.output[:200].replace("|", "/")
        return f"{name}| {changed} of {wanted} | ended with {job.status}: {said!r} | | | | |", None
    live = found[0]["live"]
    # Older versions of fxrun counted the xruns caused by changes as late ones.
    of_changes = live.get("changeXruns", 0)
    return (
        f"{name}| {changed} | {live['xruns']} | {live['ownXruns'] - of_changes} | {of_changes} "
        f"| {live['lateXruns']} | {1e6 * live['latestWakeupSeconds']:.0f} µs |"), live["xruns"]


def report(pairs):
    """Prints the table. Returns whether changes cause no more xruns than there are without them."""
    print("\n| chain | period | s | reloads | xruns | by a slow chain | by reloads | by the machine "
          "| late wake-up |\n|---|---|---|---|---|---|---|---|---|")
    is_good = True
    for pair in pairs:
        counts = []
        for job in pair.jobs:
            line, xruns = row(pair, job)
            print(line)
            counts.append(xruns)
        is_good = is_good and None not in counts and counts[0] <= counts[1]
    print("Reloads cause no more xruns than there are without them: " + ("pass" if is_good else "FAIL"))
    return is_good
