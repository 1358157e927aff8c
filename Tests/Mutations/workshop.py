"""Makes mutations and compares fxrun's reports with the expected ones."""
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
"""The maximum number of draws for one mutation. Most draws do not fit their case."""


@dataclasses.dataclass
class Result:
    """The result of one mutation."""
    number: int
    kind: str
    case: str = ""
    what: str = ""
    judgement: judge.Judgement = None
    failure: str = None
    """The reason why there is no judgement."""
    categories: dict = None
    told: judge.Told = None

    @property
    def mistakes(self):
        if self.failure:
            return [("failure", self.failure)]
        return self.judgement.mistakes


class Workshop:
    """A folder with every unchanged case, and a folder for each mutation."""

    def __init__(self, fxrun, folder, seed):
        self.fxrun = fxrun
        self.folder = pathlib.Path(folder)
        self.seed = seed
        self.cases = all_cases()
        self.base = self.folder / "cases"
        self.plugins = self.folder / "plugins"
        # Each kind is used equally often. The seed chooses the order.
        self.kinds = random.Random(f"{seed}/kinds").sample(list(KINDS), len(KINDS))
        self.sounds = {}
        """The sounds by case, rendered without `fxrun test`."""

    def prepare(self, jobs):
        """Writes all cases and makes their goldens, which must equal the output of `fxrun run`."""
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
        """Draws a mutation that changes the sound, and judges the report about it."""
        generator = random.Random(f"{self.seed}/{number}")
        kind = self.kinds[number % len(self.kinds)]
        for attempt in range(ATTEMPTS):
            name = generator.choice(list(self.cases))
            mutation = KINDS[kind](self.cases[name], generator)
            # `fxrun run` cannot render a test signal: the category must be known by construction.
            if mutation is None or self.cases[name].signal and not (mutation.effect or mutation.is_noise):
                continue
            folder = self.folder / "mutations" / f"{number}-{attempt}"
            places = self.apply(mutation, folder)
            after, refusal = self.fxrun.render(mutation.case, folder, places)
            before = self.sounds[name]
            # Draw again if fxrun refuses the chain, or if every bit is the same.
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
        """Writes the changed case with its golden to a new folder. Returns its plugins' folder."""
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
    """Changes one sample of a file."""
    read = sound.Sound(path)
    rows = [array.array("f", row) for row in read.channels]
    rows[0][frame] += 0.001
    sound.write(path, rows, read.rate)
