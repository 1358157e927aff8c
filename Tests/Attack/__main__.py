"""Attacks fxrun with hostile and damaged input, and counts its faults.

    scripts/attack [--seed N] [--minutes M] [--only SUBJECT[:K]] [--jobs N] [--folder FOLDER]

FXRUN_BINARY names a built fxrun.
"""
import argparse
import collections
import concurrent.futures
import itertools
import os
import pathlib
import random
import shutil
import sys
import tempfile
import threading
import time

import attack_chains
import attack_control
import attack_goldens
import attack_midi
import attack_plugins
import attack_sizes
import attack_sounds
import attack_truth
from sandbox import Sandbox
from seeds import Seeds

SUBJECTS = {
    "chain": attack_chains.attack,
    "chain-file": attack_chains.attack_files,
    "size": attack_sizes.attack,
    "sound": attack_sounds.attack_file,
    "pipe": attack_sounds.attack_pipe,
    "header": attack_sounds.attack_header,
    "diff": attack_sounds.attack_diff,
    "truth": attack_truth.attack,
    "midi": attack_midi.attack,
    "bundle": attack_plugins.attack_description,
    "state": attack_plugins.attack_state,
    "golden": attack_goldens.attack,
    "control": attack_control.attack,
}
# Percentages. A control attack takes seconds, the others milliseconds.
SHARES = {"chain": 26, "chain-file": 4, "size": 4, "sound": 12, "truth": 6, "pipe": 12, "header": 2, "diff": 5, "midi": 6, "bundle": 8,
          "state": 5, "golden": 8, "control": 2}


def main():
    arguments = parsed()
    folder = pathlib.Path(arguments.folder or tempfile.mkdtemp(prefix="fxrun-attack-")).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    binary = str(pathlib.Path(os.environ["FXRUN_BINARY"]).resolve())
    campaign = Campaign(arguments, binary, folder)
    campaign.check_seeds()
    campaign.run()
    is_good = campaign.tell()
    shutil.rmtree(folder / "seeds")
    if is_good and not arguments.folder:
        shutil.rmtree(folder)
    return 0 if is_good else 1


def parsed():
    parser = argparse.ArgumentParser(
        prog="scripts/attack", description="Attacks fxrun with damaged files, chains, plugins and requests.")
    parser.add_argument("--seed", default="1", help="another seed, other attacks")
    parser.add_argument("--minutes", type=float, default=5, help="how long (default 5)")
    parser.add_argument("--count", type=int, help="end after so many attacks, whenever that is")
    parser.add_argument("--only", metavar="SUBJECT[:K]",
                        help=f"one subject, or its attack of this number: {', '.join(SUBJECTS)}")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="attacks at a time")
    parser.add_argument("--memory", type=int, default=2048, help="MB of address space for fxrun (default 2048)")
    parser.add_argument("--folder", help="where to work, and to keep what was wrong")
    arguments = parser.parse_args()
    if arguments.only and arguments.only.partition(":")[0] not in SUBJECTS:
        parser.error(f"there is no subject '{arguments.only}'")
    return arguments


class Campaign:
    """All attacks of one seed within the time limit."""

    def __init__(self, arguments, binary, folder):
        self.seed = arguments.seed
        self.memory = arguments.memory
        self.jobs = arguments.jobs
        self.binary = binary
        self.folder = folder
        self.deadline = time.monotonic() + (86_400 if arguments.count else arguments.minutes * 60)
        self.seeds = Seeds(binary, folder / "seeds")
        card = pathlib.Path(os.environ.get("FXRUN_LIVE_TOOLS", "")) / "libasound_module_pcm_fxrun_card.so"
        self.seeds.card = card.resolve() if card.exists() else None
        self.counts = collections.Counter()
        self.failures = []
        self._lock = threading.Lock()
        self._numbers = self._drawn(arguments.only, arguments.count)

    def _drawn(self, only, count):
        """Pairs of a subject and an attack's number, in an order from the seed."""
        if only and ":" in only:
            subject, _, number = only.partition(":")
            return iter([(subject, int(number))])
        draw = random.Random(f"order {self.seed}")
        names = [only] if only else list(SHARES)
        weights = [SHARES[name] for name in names]
        numbers = {name: itertools.count() for name in names}
        drawn = ((name, next(numbers[name])) for name in iter(lambda: draw.choices(names, weights)[0], None))
        return itertools.islice(drawn, count)

    def check_seeds(self):
        """Checks that fxrun accepts the undamaged files; otherwise attacks would test nothing."""
        for attack in (attack_chains, attack_control, attack_midi, attack_plugins, attack_sizes, attack_sounds):
            for files, arguments in attack.good(self.seeds):
                box = Sandbox(self.binary, self.folder / "0", self.memory, self.seeds.bundles)
                for name, content in files.items():
                    box.write(name, content)
                outcome = box.run(*arguments)
                if outcome.status != 0:
                    raise RuntimeError(f"{arguments} fails undamaged: {outcome.errors.decode()}")

    def run(self):
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for future in [pool.submit(self._work, job) for job in range(self.jobs)]:
                future.result()

    def _work(self, job):
        while time.monotonic() < self.deadline:
            with self._lock:
                subject, number = next(self._numbers, (None, None))
            if subject is None:
                return
            found = self._attack(subject, number, self.folder / f"{job}")
            if any(one.startswith("hang") for one in found):
                # Repeated, because a busy machine can look like a hang once.
                found = self._attack(subject, number, self.folder / f"{job}")
            with self._lock:
                self.counts[subject] += 1
                if found:
                    self._report(subject, number, found, job)
            shutil.rmtree(self.folder / f"{job}", ignore_errors=True)

    def _attack(self, subject, number, folder):
        box = Sandbox(self.binary, folder, self.memory)
        return SUBJECTS[subject](random.Random(f"{self.seed} {subject} {number}"), box, self.seeds)

    def _report(self, subject, number, found, job):
        kept = self.folder / f"{subject}-{number}"
        shutil.rmtree(kept, ignore_errors=True)
        (self.folder / f"{job}").rename(kept)
        self.failures.append((subject, number, found))
        print(f"{subject}:{number}  {'; '.join(found)}", flush=True)
        print(f"    again: scripts/attack --seed {self.seed} --only {subject}:{number}; its files: {kept}", flush=True)

    def tell(self):
        """Prints the table of the attacks. Returns whether there were no faults."""
        kinds = ("abort", "hang", "files left", "empty success")
        print(f"\n| attack | times | {' | '.join(kinds)} | other |")
        print("|---|---|" + "---|" * (len(kinds) + 1))
        totals = collections.Counter()
        for subject in SUBJECTS:
            if not self.counts[subject]:
                continue
            row = collections.Counter()
            for _, _, found in (failure for failure in self.failures if failure[0] == subject):
                for one in found:
                    row[next((kind for kind in kinds if one.startswith(kind)), "other")] += 1
            totals += row
            columns = [str(row[kind]) for kind in (*kinds, "other")]
            print(f"| {subject} | {self.counts[subject]} | {' | '.join(columns)} |")
        print(f"\n{sum(self.counts.values())} attacks with seed {self.seed}: "
              + ", ".join(f"{totals[kind]} {kind}" for kind in (*kinds, "other")))
        if not self.seeds.card:
            print("without the virtual card: nothing was played")
        return not self.failures


sys.exit(main())
