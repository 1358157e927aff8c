"""A virtual machine whose clock counts instructions: what is timed in it is exact and repeats."""
import re
import subprocess
import time

# 2 ns an instruction, 500 million a second; idle time is skipped.
CLOCK = ["-icount", "shift=1,sleep=off"]


class Job:
    """A command in the guest and what it has printed."""

    def __init__(self, name, command):
        self.name = name
        self.command = command
        self.status = None
        self.output = ""


def run(kernel, initrd, folder, jobs, limit, kernel_options=""):
    """Boots, runs the jobs that fit into the limit, in seconds, and fills in their results."""
    console, results = folder / "console.log", folder / "results.log"
    for file in (console, results):
        file.write_text("")
    arguments = [
        "qemu-system-x86_64", "-machine", "q35", "-accel", "tcg", "-cpu", "max", "-smp", "1",
        "-m", "2048", "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
        "-kernel", str(kernel), "-initrd", str(initrd),
        "-append", f"console=ttyS0 quiet panic=-1 {kernel_options}",
        "-serial", f"file:{console}", "-serial", f"file:{results}", *CLOCK]
    process = subprocess.Popen(arguments)
    deadline = time.monotonic() + limit
    shown = 0
    try:
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.5)
            done = re.findall(r"^=== end (\S+) (\d+)", results.read_text(errors="replace"), re.M)
            for name, status in done[shown:]:
                print(f"  {name} ended with {status}", flush=True)
            shown = len(done)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
    text = results.read_text(errors="replace").replace("\r", "")
    for job in jobs:
        found = re.search(
            rf"^=== begin {re.escape(job.name)}\n(.*?)^=== end {re.escape(job.name)} (\d+)$",
            text, re.M | re.S)
        if found:
            job.output, job.status = found[1], int(found[2])
    return console.read_text(errors="replace")
