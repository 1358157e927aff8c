"""Where mutations are made and held against what fxrun says of them."""
import array
import dataclasses
import json
import pathlib
import random
import shutil

import judge
import plugins
import sound
from cases import FRAMES, all_cases, builds
from kinds import KINDS

ATTEMPTS = 400
"""Draws for one mutation, of which most do not fit their case."""


@dataclasses.dataclass
class Result:
    """What became of one mutation."""
    number: int
    kind: str
    case: str = ""
    what: str = ""
    judgement: judge.Judgement = None
    failure: str = None
    """Why there is no judgement."""
    categories: dict = None
    told: judge.Told = None

    @property
    def mistakes(self):
        if self.failure:
            return [("failure", self.failure)]
        return self.judgement.mistakes


class Workshop:
    """A folder with every case as it is at first, and one for each mutation."""

    def __init__(self, fxrun, folder, seed):
        self.fxrun = fxrun
        self.folder = pathlib.Path(folder)
        self.seed = seed
        self.cases = all_cases()
        self.base = self.folder / "cases"
        self.plugins = self.folder / "plugins"
        # Each as often as any other, in an order of the seed's own.
        self.kinds = random.Random(f"{seed}/kinds").sample(list(KINDS), len(KINDS))
        self.sounds = {}
        """By case, what it renders without `fxrun test`."""

    def prepare(self, jobs):
        """Writes all cases and makes their goldens, which have to be what `fxrun run` writes."""
        for build in builds().values():
            plugins.build(build, self.plugins)
        for case in self.cases.values():
            folder = self.base / case.name
            folder.mkdir(parents=True)
            self.write(case, folder)
            if not case.signal:
                for index, name in enumerate(sorted(case.chain.inputs())):
                    sound.make(folder / case.input_file(name), f"{case.name}{index}", FRAMES,
                               channels=case.channels)
            self.sounds[case.name], mistake = self.fxrun.render(case, folder, self.plugins)
            if mistake:
                raise RuntimeError(f"{case.name} cannot be rendered: {mistake}")
        self.fxrun.bless(self.base, self.plugins, jobs)
        for name, sounds in self.sounds.items():
            for output, rendered in (sounds or {}).items():
                golden = f"{name}.wav" if output == "main" else f"{name}.{output}.wav"
                if not sound.Sound(self.base / name / "golden" / golden).has_bits_of(rendered):
                    raise RuntimeError(f"the golden {golden} is not what fxrun run renders")

    @staticmethod
    def write(case, folder):
        (folder / f"{case.name}.json").write_text(case.chain.text())
        (folder / f"{case.name}.test.json").write_text(case.case_file())
        for name, document in case.others.items():
            (folder / name).write_text(json.dumps(document, indent=2))

    def mutate(self, number):
        """Draws a mutation that changes the sound, and judges what is said of it."""
        generator = random.Random(f"{self.seed}/{number}")
        kind = self.kinds[number % len(self.kinds)]
        for attempt in range(ATTEMPTS):
            name = generator.choice(list(self.cases))
            mutation = KINDS[kind](self.cases[name], generator)
            # What `fxrun run` cannot render says its category by construction, or not at all.
            if mutation is None or self.cases[name].signal and not (mutation.effect or mutation.is_noise):
                continue
            folder = self.folder / "mutations" / f"{number}-{attempt}"
            places = self.apply(mutation, folder)
            after, refusal = self.fxrun.render(mutation.case, folder, places)
            before = self.sounds[name]
            # No chain any more, or the same bits: no mutation.
            if refusal or before and all(
                    after[output].has_bits_of(before[output]) for output in before):
                shutil.rmtree(folder)
                continue
            result = Result(number, kind, name, mutation.what)
            result.told, result.failure = self.fxrun.test(folder, places)
            if not result.failure:
                result.judgement = judge.judge(mutation, result.told, before, after)
            if not result.mistakes:
                shutil.rmtree(folder)
            return result
        return Result(number, kind, failure=f"none of {ATTEMPTS} draws changes a sound")

    def apply(self, mutation, folder):
        """Writes a case with its golden into a folder of its own, changed. Returns its plugins' folder."""
        case = mutation.case
        shutil.copytree(self.base / case.name, folder)
        self.write(case, folder)
        if mutation.input:
            name, frame = mutation.input
            change_sample(folder / case.input_file(name), frame)
        usual = builds()
        if mutation.builds == usual:
            return self.plugins
        changed = folder / "plugins"
        for model in case.models:
            if mutation.builds[model] == usual[model]:
                name = f"{model.lower()}.lv2"
                shutil.copytree(self.plugins / name, changed / name)
            else:
                plugins.build(mutation.builds[model], changed)
        return changed


def change_sample(path, frame):
    """Makes one sample of a file another one."""
    read = sound.Sound(path)
    rows = [array.array("f", row) for row in read.channels]
    rows[0][frame] += 0.001
    sound.write(path, rows, read.rate)
