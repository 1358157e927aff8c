"""Plays chains on the kernel's dummy sound card in a virtual machine, and prints the results.

    scripts/test-live --vm [--seconds N] [--long N] [--periods N] [--chains FILE ...] [--sizes N ...]
                           [--limit SECONDS] [--kernel OPTIONS] [--usb] [--reloads N]

First an idle client (aplay, if installed) shows what the machine can do. Then each chain is played
at several periods, to find the smallest one without an xrun and the block times as shares of the
period. That period is played again for longer. The machine's clock counts instructions, 500 million
a second, so its figures repeat and do not depend on other programs of the computer.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import kernel
import machine
import reloads
import usb
from image import Image

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "suite"))
import sound  # noqa: E402

BINARY = pathlib.Path(os.environ.get("FXRUN_BINARY", "fxrun"))
FOLDER = pathlib.Path(os.environ.get("FXRUN_LIVE_TOOLS", ".")) / "vm"
REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
VOICE = REPOSITORY / "Tests/Fixtures/audio/voice.mp3"
RATE = 48000
PLUGINS = FOLDER.parent.parent / "lv2"
# This chain needs the repository's own plugins: scripts/build-plugins builds them.
PLUGIN_CHAINS = ["guitar-amp"] if PLUGINS.is_dir() else []


def options():
    parser = argparse.ArgumentParser(
        prog="scripts/test-live --vm", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--seconds", type=int, default=10, help="of each of the short runs")
    parser.add_argument("--long", type=int, default=60, help="of the long run; 0 for none")
    parser.add_argument("--periods", type=int, default=2, help="of the card's buffer")
    parser.add_argument("--sizes", type=int, nargs="+")
    parser.add_argument("--limit", type=int, default=1500, help="seconds for all of it")
    parser.add_argument(
        "--reloads", type=int, default=0,
        help="only so many changes of each chain while it plays, and the same run without")
    parser.add_argument("--usb", action="store_true", help="only a USB card that is unplugged")
    parser.add_argument("--kernel", default="", help="options of the kernel, as preempt=full")
    parser.add_argument(
        "--chains", nargs="+", type=pathlib.Path,
        default=[REPOSITORY / f"chains/{name}.json"
                 for name in ("podcast-voice", "mastering", *PLUGIN_CHAINS)])
    return parser.parse_args()


def voice(seconds):
    """A file with speech of this length, at the card's rate."""
    plain = FOLDER / "plain.json"
    plain.write_text(json.dumps({"version": 1, "sampleRate": RATE, "channels": 2, "chain": []}))
    file = FOLDER / "voice.wav"
    subprocess.run([BINARY, plain, VOICE, "-o", file, "--bits", "32", "--quiet"], check=True)
    once = sound.read_wav(file)
    length = seconds * RATE * 2 * sound.FLOAT_BYTES
    sound.write_wav(file, (once * (length // len(once) + 1))[:length], RATE, 2)
    return file


def chain(path, block):
    """The chain with the dummy card as output; a block has the length of a period."""
    return json.dumps({
        "version": 1, "sampleRate": RATE, "blockSize": block, "nodes": {
            "in": {"source": "main"}, "chain": {"use": f"/chains/{path.name}"},
            "card": {"sink": {"alsa": "hw:0"}}},
        "connections": ["in -> chain -> card"]}).encode()


def live_options(wanted):
    """The device options that this fxrun supports."""
    text = subprocess.run(
        [BINARY, "run", "--help"], check=True, capture_output=True, text=True).stdout
    return f" --periods {wanted}" if "--periods" in text else ""


def build_image(runs, jobs, seconds, more=None):
    image = Image()
    image.add_file("/bin/busybox", "/bin/busybox")
    image.add("/init", (pathlib.Path(__file__).parent / "guest").read_bytes(), 0o755)
    for folder in ("proc", "sys", "dev"):
        image.add_mount_point(folder)
    root = kernel.unpacked(FOLDER)
    modules = kernel.modules(root, ["snd-dummy"])
    for module in modules:
        image.add_file(module, f"/lib/modules/{module.name}")
    image.add("/modules", "".join(f"/lib/modules/{m.name}\n" for m in modules).encode())
    image.add_program(BINARY, "/bin/fxrun")
    image.add_folder("/usr/share/alsa")
    for player in ("aplay", "chrt"):
        if shutil.which(player):
            image.add_program(shutil.which(player), f"/bin/{player}")
    image.add_folder(REPOSITORY / "chains", "/chains")
    if PLUGINS.is_dir():
        image.add_folder(PLUGINS, "/lv2")
    for bundle in ("/usr/lib/lv2/lv2core.lv2", "/usr/lib/lv2/atom.lv2", "/usr/lib/lv2/urid.lv2"):
        if pathlib.Path(bundle).is_dir():
            image.add_folder(bundle)
    image.add_file(voice(seconds), "/sounds/in.wav")
    for path, size, _ in runs:
        image.add_file(path, f"/chains/{path.name}")
        image.add(f"/sounds/{path.stem}-{size}.json", chain(path, size))
    for path, content in (more or {}).items():
        image.add(path, content)
    image.add("/jobs", "".join(f"{job.name}|{job.command}\n" for job in jobs).encode())
    target = FOLDER / "initrd"
    image.write(target)
    return kernel.image(root), target


def summary(job):
    """The summary of a run: its last line of JSON. Events are the lines before it."""
    lines = [line for line in job.output.splitlines() if line.startswith("{")]
    return json.loads(lines[-1])


def row(name, size, seconds, job):
    """One line of the table."""
    if job.status is None:
        return f"| {name} | {size} | {seconds} | did not come to it |" + " |" * 7
    try:
        live = summary(job)["live"]
    except (ValueError, KeyError, TypeError, IndexError):
        said = job.output[:200].replace("|", "/")
        return f"| {name} | {size} | {seconds} | ended with {job.status}: {said!r} |" + " |" * 7
    times = " | ".join(
        f"{100 * live['blockTimes'][key]:.1f} %" for key in ("p50", "p99", "p999", "max"))
    return (
        f"| {name} | {live['periodFrames']} in {live['bufferFrames']} | {seconds} "
        f"| {live['xruns']} ({live['ownXruns']}) | {times} "
        f"| {1e6 * live['latestWakeupSeconds']:.0f} µs "
        f"| {live['otherWaits']} | {live['starvedFrames']} |")


def is_clean(job):
    try:
        live = summary(job)["live"]
        return job.status == 0 and live["xruns"] == 0 and live["starvedFrames"] == 0
    except (ValueError, KeyError, TypeError, IndexError):
        return False


def idle_client(size, periods, seconds):
    """aplay with silence, at the priority of fxrun's render thread."""
    return machine.Job(
        f"idle-{size}", f"chrt -f 70 aplay -D hw:0 -t raw -f S16_LE -c 2 -r {RATE} "
        f"--period-size={size} --buffer-size={size * periods} -d {seconds} /dev/zero")


def measure(arguments, runs, limit, before=()):
    """Plays each (chain, size, seconds) in one machine; the jobs are in the order of the runs."""
    more = live_options(arguments.periods)
    jobs = [
        machine.Job(f"{path.stem}-{size}-{seconds}",
                    f"fxrun {path.stem}-{size}.json in.wav --duration {seconds} --json{more}")
        for path, size, seconds in runs]
    image = build_image(runs, [*before, *jobs], max(seconds for _, _, seconds in runs))
    run(image, [*before, *jobs], limit, arguments.kernel)
    return jobs


def run(image, jobs, limit, kernel_options):
    """Runs the jobs that fit into the time limit."""
    console = machine.run(*image, FOLDER, jobs, limit, kernel_options)
    if all(job.status is None for job in jobs):
        print(console[-3000:])
        sys.exit("The machine has not run anything; what it said is above.")


def measure_reloads(arguments, limit):
    """Whether chains that are reloaded play with no more xruns than unchanged chains."""
    more = live_options(arguments.periods)
    pairs = [reloads.Pair(path, size, arguments.reloads, more)
             for path in arguments.chains for size in arguments.sizes or [16]]
    files = {"/change": reloads.SCRIPT.encode()}
    for pair in pairs:
        files.update(pair.documents(chain))
    jobs = [job for pair in pairs for job in pair.jobs]
    runs = [(pair.path, pair.size, pair.seconds) for pair in pairs]
    image = build_image(runs, jobs, max(pair.seconds for pair in pairs), files)
    run(image, jobs, limit, arguments.kernel)
    return reloads.report(pairs)


def main():
    arguments = options()
    FOLDER.mkdir(parents=True, exist_ok=True)
    deadline = time.monotonic() + arguments.limit
    if arguments.usb:
        is_good = usb.check(FOLDER, BINARY, arguments.chains[0], voice(20), arguments.limit)
        return 0 if is_good else 1
    if not live_options(arguments.periods):
        print("This fxrun cannot be told the periods of the buffer; it takes its own number.")
    if arguments.reloads:
        return 0 if measure_reloads(arguments, arguments.limit) else 1
    sizes = arguments.sizes or [16, 32, 64, 128, 256]
    runs = [(path, size, arguments.seconds)
            for path in arguments.chains for size in sorted(sizes, reverse=True)]
    idle = []
    if shutil.which("aplay") and shutil.which("chrt"):
        idle = [idle_client(min(sizes), arguments.periods, arguments.seconds)]
    jobs = measure(arguments, runs, deadline - time.monotonic(), idle)
    clean = {}
    for (path, size, _), job in zip(runs, jobs):
        if is_clean(job):
            clean[path] = min(size, clean.get(path, size))
    if arguments.long and clean:
        longer = [(path, size, arguments.long) for path, size in clean.items()]
        jobs += measure(arguments, longer, deadline - time.monotonic())
        runs += longer
    for job in idle:
        late = job.output.count("underrun")
        print(f"\nAn idle client at {min(sizes)} x {arguments.periods}: "
              + (f"{late} xruns in {arguments.seconds} s" if job.status == 0 else job.output))
    print("\nBlocks as a share of their time; of the xruns those that the chain caused in brackets.\n"
          "\n| chain | period | s | xruns | half of the blocks | 99 % | 99.9 % | all | late wake-up "
          "| other waits | starved |\n|---|---|---|---|---|---|---|---|---|---|---|")
    for (path, size, seconds), job in zip(runs, jobs):
        print(row(path.stem, size, seconds, job))
    for path in arguments.chains:
        found = f"{clean[path]} frames" if path in clean else "none of those tried"
        print(f"{path.stem}: smallest clean period: {found}")
    return 0 if len(clean) == len(arguments.chains) else 1


sys.exit(main())
