"""A copy of the package in the build folder, where mutants are built and tested."""
import os
import re
import shutil
import signal
import subprocess
import time

FAILED = re.compile(r'✘ Test (".*?"|\S+\(.*?\)) recorded')


class Workshop:
    def __init__(self, root, folder):
        self.root = root
        self.source = folder / "source"
        self.build_path = folder / "build"

    def synchronize(self):
        """Makes the copy equal to the working tree; files that are equal already keep their times."""
        listed = subprocess.run(
            ["git", "-C", str(self.root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            capture_output=True, check=True).stdout.decode().split("\0")
        wanted = {name for name in listed if name and (self.root / name).is_file()}
        for path in [path for path in self.source.rglob("*") if path.is_file() or path.is_symlink()]:
            if str(path.relative_to(self.source)) not in wanted:
                path.unlink()
        for name in wanted:
            origin, copy = self.root / name, self.source / name
            if not copy.exists() or copy.read_bytes() != origin.read_bytes():
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.unlink(missing_ok=True)
                shutil.copy(origin, copy)

    def build(self):
        """The compiler's messages if the package does not build, otherwise None."""
        run = subprocess.run(
            ["swift", "build", "--scratch-path", str(self.build_path), "--build-tests"], cwd=self.source,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if run.returncode == 0:
            return None
        return "\n".join(line for line in run.stdout.splitlines() if "error" in line) or run.stdout[-2000:]

    def test(self, targets, seconds, known=None):
        """Runs test targets and suites up to the first failure that is not in `known`. Returns it (None without one),
        the names of the tests that failed, and the seconds. Without `known` it runs all tests."""
        environment = {name: value for name, value in os.environ.items() if name != "FXRUN_BINARY"}
        pattern = "^(" + "|".join(map(re.escape, targets)) + r")[./]"
        begin = time.monotonic()
        run = subprocess.Popen(
            ["timeout", "--signal=KILL", str(int(seconds)), "swift", "test", "--scratch-path", str(self.build_path),
             "--skip-build", "--filter", pattern],
            cwd=self.source, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
        failure, failed, has_run, last = None, set(), False, ""
        try:
            for line in run.stdout:
                last = line.strip() or last
                has_run = has_run or "Test run with" in line
                match = FAILED.search(line)
                if match:
                    failed.add(match[1])
                    if known is not None and match[1] not in known:
                        failure = match[1]
                        break
        finally:
            if failure:
                _end(run)
            status = run.wait()
            run.stdout.close()
        if failure is None and not has_run:
            failure = "time is up" if status in (-signal.SIGKILL, 137) else f"the tests crash ({last})"
        return failure, failed, time.monotonic() - begin


def _end(run):
    try:
        os.killpg(run.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
