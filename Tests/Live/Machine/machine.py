"""A virtual machine whose clock counts instructions: times measured in it are exact and repeat."""
import re
import socket
import subprocess
import time

# 2 ns an instruction, 500 million a second; idle time is skipped.
CLOCK = ["-icount", "shift=1,sleep=off"]


class Job:
    """A command in the guest, with its output."""

    def __init__(self, name, command):
        self.name = name
        self.command = command
        self.status = None
        self.output = ""


def _tell(monitor, text):
    """Sends a command to QEMU's monitor."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(monitor))
        client.settimeout(5)
        client.recv(4096)
        client.sendall(text.encode() + b"\n")
        time.sleep(0.5)
        client.recv(4096)


def run(kernel, initrd, folder, jobs, limit, kernel_options="", devices=(), started=None):
    """Boots, runs the jobs that fit into the limit (in seconds), and fills in their results.

    `devices` are further arguments of QEMU. `started` is called when a job has begun, with the
    job's name and a function that sends a command to QEMU's monitor.
    """
    console, results, monitor = (
        folder / name for name in ("console.log", "results.log", "monitor.socket"))
    for file in (console, results):
        file.write_text("")
    monitor.unlink(missing_ok=True)
    arguments = [
        "qemu-system-x86_64", "-machine", "q35", "-accel", "tcg", "-cpu", "max", "-smp", "1",
        "-m", "2048", "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
        "-kernel", str(kernel), "-initrd", str(initrd),
        "-append", f"console=ttyS0 quiet panic=-1 {kernel_options}",
        "-serial", f"file:{console}", "-serial", f"file:{results}", *CLOCK, *devices,
        "-monitor", f"unix:{monitor},server,nowait"]
    process = subprocess.Popen(arguments)
    deadline = time.monotonic() + limit
    shown = begun = 0
    try:
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.5)
            names = re.findall(r"^=== begin (\S+)", results.read_text(errors="replace"), re.M)
            for name in names[begun:] if started else ():
                started(name, lambda text: _tell(monitor, text))
            begun = len(names)
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
