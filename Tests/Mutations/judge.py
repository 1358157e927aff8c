"""What fxrun says of a mutation, held against what it has to say."""
import dataclasses
import re

import sound


@dataclasses.dataclass
class Told:
    """What `fxrun test` says of a case."""
    differs: bool
    causes: list
    """As (kind, node, message)."""
    outputs: dict
    """By name: None where it has the same bits, else the category."""
    divergences: list
    """As (place, node, frame)."""
    warnings: list


@dataclasses.dataclass
class Judgement:
    """What is wrong with it, by what it is about; nothing where all is right."""
    caught: list = dataclasses.field(default_factory=list)
    cause: list = dataclasses.field(default_factory=list)
    category: list = dataclasses.field(default_factory=list)
    first: list = dataclasses.field(default_factory=list)
    construction: list = dataclasses.field(default_factory=list)
    """What is wrong with the mutation itself."""

    @property
    def mistakes(self):
        return [(field.name, text) for field in dataclasses.fields(self)
                for text in getattr(self, field.name)]


def expected_categories(mutation, before, after):
    """By output, the categories that are right, and what is wrong with how that was found out.

    By construction where what lies behind the change is known to pass it on as it is; by comparing
    the renders here where it is not."""
    categories, mistakes = {}, []
    for output in mutation.case.chain.outputs():
        heard = sound.categories(before[output], after[output], mutation.lags) if before else None
        at = None
        if mutation.place is not None:
            at = mutation.case.chain.changes_at(mutation.place, output)
            if at is None and heard is not None and heard != {"same"}:
                mistakes.append(f"'{output}' should not hear it and is {sorted(heard)}")
        is_plain = mutation.effect is not None and (
            mutation.place is None or at == "alike" or (
                at == "plain" and mutation.effect != "channelOrder"))
        if is_plain and heard is not None and mutation.effect not in heard:
            mistakes.append(f"'{output}' should be {mutation.effect} and is {sorted(heard)}")
        categories[output] = {mutation.effect} if is_plain else heard or {"content"}
    return categories, mistakes


def judge(mutation, told, before, after):
    """Holds what was told against what has to be; `before` and `after` are renders by output, None
    where `fxrun run` cannot make them."""
    result = Judgement()
    if not told.differs:
        result.caught.append("it was not caught")
        return result
    judge_cause(mutation, told, result)
    categories, result.construction = expected_categories(mutation, before, after)
    for output, right in categories.items():
        if right == {"same"}:
            right = {None}
        said = told.outputs.get(output, "nothing")
        if said not in right:
            result.category.append(f"'{output}' is {said}, not {' or '.join(sorted(map(str, right)))}")
    judge_first(mutation, told, before, after, result)
    if mutation.warning and not any(mutation.warning in text for text in told.warnings):
        result.cause.append(f"no warning says '{mutation.warning}'")
    return result


def outside(text):
    """A text with a chain that is used in place of the nodes within it: what leads to `voice` is told as
    leading to its first node, `voice/cut`."""
    return re.sub(r"([\w-]+)/[\w/-]+", r"\1", text)


def judge_cause(mutation, told, result):
    kinds = {kind for kind, _, _ in told.causes}
    if mutation.cause not in kinds:
        result.cause.append(f"the causes are {sorted(kinds)}, not {mutation.cause}")
        return
    strange = kinds - {mutation.cause, *mutation.also}
    if strange:
        result.cause.append(f"{sorted(strange)} are told as well")
    for kind, node, message in told.causes:
        if kind != mutation.cause:
            continue
        for name, words in ((node, message), (outside(node or ""), outside(message))):
            if mutation.node in (None, name) and all(word in words for word in mutation.words):
                return
    messages = "; ".join(f"{node}: {message}" for kind, node, message in told.causes)
    result.cause.append(
        f"no cause names {mutation.node} with {list(mutation.words)}: {messages}")


def judge_first(mutation, told, before, after, result):
    places = [(place, node) for place, node, _ in told.divergences]
    if not mutation.first:
        if places:
            result.first.append(f"it begins nowhere, not at {places}")
        return
    if not places:
        result.first.append(f"it begins nowhere, not at {list(mutation.first)}")
        return
    # A connection in the file leads to a chain as a whole.
    places = [
        (place, outside(node) if place == "connection" and (place, node) not in mutation.first else node)
        for place, node in places]
    if places[0] not in mutation.first:
        result.first.append(f"it begins at {places[0]}, not at {list(mutation.first)}")
    elif not set(places) <= {*mutation.first, *mutation.others}:
        result.first.append(f"it begins at {places} as well as it should")
    differing = [
        one.first_difference(after[output]) for output, one in (before or {}).items()
        if one.rate == after[output].rate]
    heard = min((frame for frame in differing if frame is not None), default=None)
    if heard is None:
        return
    # Nodes count from the start of the render.
    heard += max(one.latency for sounds in (before, after) for one in sounds.values())
    frame = told.divergences[0][2]
    if frame > heard:
        result.first.append(f"it begins at frame {frame}, and frame {heard} is another one already")
