"""A Debian kernel with its sound drivers: fetched from the mirror and unpacked, not installed."""
import pathlib
import re
import subprocess

PACKAGE = "linux-image-amd64"


def unpacked(folder):
    """The folder with the unpacked kernel. The first call downloads it."""
    root = folder / "kernel"
    if not list(root.glob("boot/vmlinuz-*")):
        folder.mkdir(parents=True, exist_ok=True)
        print(f"Fetching the kernel that {PACKAGE} stands for (70 MB)", flush=True)
        depends = subprocess.run(
            ["apt-cache", "depends", PACKAGE], check=True, capture_output=True, text=True).stdout
        name = re.search(r"Depends: (linux-image-\S+)", depends)[1]
        subprocess.run(["apt-get", "download", "-qq", name], check=True, cwd=folder)
        package = next(folder.glob(f"{name}_*.deb"))
        subprocess.run(["dpkg", "-x", package, root], check=True)
        package.unlink()
    return root


def image(root):
    return next(root.glob("boot/vmlinuz-*"))


def modules(root, names):
    """The files of modules and of their dependencies, in the order of loading."""
    files = {
        path.stem.replace("-", "_"): path for path in pathlib.Path(root).glob("lib/modules/**/*.ko")}
    ordered = []

    def add(name):
        name = name.replace("-", "_")
        if name not in files or files[name] in ordered:
            return
        # The .modinfo section: strings that end with a zero.
        depends = re.search(rb"\0depends=([^\0]*)\0", files[name].read_bytes())
        for other in (depends[1].decode() if depends else "").split(","):
            add(other)
        ordered.append(files[name])

    for name in names:
        add(name)
    return ordered
