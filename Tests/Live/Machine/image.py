"""The guest's memory disk: a cpio archive of single files, written without unpacking anything."""
import pathlib
import re
import stat
import subprocess


class Image:
    """The files of a guest; folders are added as needed."""

    def __init__(self):
        self._entries = {}

    def add(self, path, content, mode=0o644):
        self._entries[path.strip("/")] = (stat.S_IFREG | mode, content)
        self._add_folders(path)

    def add_file(self, source, path=None):
        source = pathlib.Path(source)
        self.add(str(path or source), source.read_bytes(), stat.S_IMODE(source.stat().st_mode))

    def add_folder(self, source, path=None):
        """Adds all files of a folder, with links followed."""
        source = pathlib.Path(source)
        for file in source.rglob("*"):
            if file.is_file():
                self.add_file(file, f"{path or source}/{file.relative_to(source)}")

    def add_link(self, path, target):
        self._entries[path.strip("/")] = (stat.S_IFLNK | 0o777, target.encode())
        self._add_folders(path)

    def add_mount_point(self, path):
        self._entries[path.strip("/")] = (stat.S_IFDIR | 0o755, b"")

    def add_program(self, source, path):
        """Adds a program and the libraries that it is linked to."""
        self.add_file(source, path)
        self._add_linked(source)

    def _add_linked(self, source):
        listing = subprocess.run(
            ["ldd", str(source)], check=True, capture_output=True, text=True).stdout
        for library in re.findall(r"(/\S+) \(0x", listing):
            self.add_file(pathlib.Path(library).resolve(), library)

    def _add_folders(self, path):
        for folder in pathlib.PurePosixPath(path.strip("/")).parents:
            if str(folder) != ".":
                self._entries.setdefault(str(folder), (stat.S_IFDIR | 0o755, b""))

    def write(self, path):
        """Writes the archive. A folder comes before its files, since its name is shorter."""
        with open(path, "wb") as file:
            for number, (name, (mode, content)) in enumerate(sorted(self._entries.items())):
                self._write_entry(file, number + 1, name, mode, content)
            self._write_entry(file, 0, "TRAILER!!!", 0, b"")

    @staticmethod
    def _write_entry(file, number, name, mode, content):
        # The "new ASCII format": magic, then thirteen numbers of eight hexadecimal digits: inode,
        # mode, user, group, links, time, size, four of devices, length of the name, checksum.
        numbers = [number, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name) + 1, 0]
        head = b"070701" + b"".join(b"%08x" % value for value in numbers) + name.encode() + b"\0"
        file.write(head + b"\0" * (-len(head) % 4))
        file.write(content)
        file.write(b"\0" * (-len(content) % 4))
