"""Tests whether unchanged goldens pass many times on a busy machine."""
import concurrent.futures
import contextlib
import os
import random
import subprocess
import sys


@contextlib.contextmanager
def busy_machine():
    """A busy loop on every processor."""
    loops = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"])
        for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def repeat(workshop, times, jobs):
    """Runs the unchanged suite so many times. Returns a message for each run that did not pass."""
    def run(number):
        generator = random.Random(f"{workshop.seed}/repeat/{number}")
        fill, width = generator.randrange(1, 256), generator.randrange(1, 5)
        outcome = workshop.fxrun.run(
            ["test", "--jobs", width, "."], workshop.base, workshop.plugins,
            {"MALLOC_PERTURB_": str(fill)})
        return number, fill, width, outcome

    alarms = []
    with busy_machine(), concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for number, fill, width, outcome in pool.map(run, range(times)):
            if outcome.returncode != 0:
                alarms.append(
                    f"run {number} (MALLOC_PERTURB_={fill}, --jobs {width}) ended with "
                    f"{outcome.returncode}:\n{outcome.stdout}{outcome.stderr}")
            if sys.stdout.isatty() or (number + 1) % 20 == 0:
                print(f"{number + 1} of {times} runs, {len(alarms)} false alarms", flush=True)
    return alarms
