"""A USB sound card that is unplugged while a chain plays, and plugged in again."""
import json
import pathlib
import threading
import time

import kernel
import machine
from image import Image

PLAYING = "=== playing"
"""What the guest says a few seconds after it has begun to play."""
CARD = ["-device", "qemu-xhci", "-audiodev", "none,id=nobody",
        "-device", "usb-audio,audiodev=nobody,id=card"]


def documents(chain):
    """The chain with the card and a file as outputs, and the same chain for an offline render."""
    plain = {
        "version": 1, "sampleRate": 48000, "blockSize": 256, "nodes": {
            "in": {"source": "main"}, "chain": {"use": f"/chains/{chain.name}"},
            "card": {"sink": {"alsa": "plughw:0"}}},
        "connections": ["in -> chain -> card"]}
    beside = json.loads(json.dumps(plain))
    beside["nodes"]["tap"] = {"sink": {"file": "tap.wav", "bits": 32}}
    beside["connections"].append("chain -> tap")
    return json.dumps(plain).encode(), json.dumps(beside).encode()


def check(folder, binary, chain, sound, limit):
    """Plays through the unplugging and prints the result. Returns whether all is as expected."""
    job = machine.Job(
        "usb", f'sleep 3; (sleep 5; echo "{PLAYING}" >/dev/ttyS1) & '
        "fxrun beside.json in.wav --on-lost wait --json >summary; echo status $?; "
        "fxrun plain.json in.wav -o offline.wav --bits 32 --quiet; "
        "cmp tap.wav offline.wav && echo the file is complete; cat summary")
    image = Image()
    image.add_file("/bin/busybox", "/bin/busybox")
    image.add("/init", (pathlib.Path(__file__).parent / "guest").read_bytes(), 0o755)
    for name in ("proc", "sys", "dev"):
        image.add_mount_point(name)
    root = kernel.unpacked(folder)
    modules = kernel.modules(root, ["xhci-pci", "snd-usb-audio"])
    for module in modules:
        image.add_file(module, f"/lib/modules/{module.name}")
    image.add("/modules", "".join(f"/lib/modules/{m.name}\n" for m in modules).encode())
    image.add_program(binary, "/bin/fxrun")
    image.add_folder("/usr/share/alsa")
    image.add_file(chain, f"/chains/{chain.name}")
    image.add_file(sound, "/sounds/in.wav")
    plain, beside = documents(chain)
    image.add("/sounds/plain.json", plain)
    image.add("/sounds/beside.json", beside)
    image.add("/jobs", f"{job.name}|{job.command}\n".encode())
    target = folder / "initrd"
    image.write(target)

    def started(_, tell):
        def pull():
            while PLAYING not in (folder / "results.log").read_text(errors="replace"):
                time.sleep(0.1)
            tell("device_del card")
            time.sleep(3)
            tell("device_add usb-audio,audiodev=nobody,id=card")
        threading.Thread(target=pull, daemon=True).start()

    machine.run(kernel.image(root), target, folder, [job], limit, "", CARD, started)
    return report(job)


def report(job):
    try:
        summary = json.loads([line for line in job.output.splitlines() if line.startswith("{")][-1])
    except (ValueError, IndexError):
        print(f"It did not come to a summary: {job.output[:500]!r}")
        return False
    kinds = [event["kind"] for event in summary["deviceEvents"] if event["kind"] != "differs"]
    is_good = (
        "status 0" in job.output and "the file is complete" in job.output
        and kinds == ["lost", "returned"] and summary["live"]["returns"] == 1)
    for event in summary["deviceEvents"]:
        print(event["message"])
    print("A USB card that is unplugged and plugged in again: " + ("pass" if is_good else "FAIL"))
    return is_good
