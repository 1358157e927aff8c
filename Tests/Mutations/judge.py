"""Compares fxrun's report about a mutation with the expected one."""
import dataclasses
import re

import sound


@dataclasses.dataclass
class Told:
    """The report of `fxrun test` about a case."""
    differs: bool
    causes: list
    """As (kind, node, message)."""
    outputs: dict
    """By name: None if it has the same bits, else the category."""
    divergences: list
    """As (place, node, frame)."""
    warnings: list


@dataclasses.dataclass
class Judgement:
    """The errors of a report, by subject; all lists are empty if the report is right."""
    caught: list = dataclasses.field(default_factory=list)
    cause: list = dataclasses.field(default_factory=list)
    category: list = dataclasses.field(default_factory=list)
    first: list = dataclasses.field(default_factory=list)
    construction: list = dataclasses.field(default_factory=list)
    """Errors of the mutation itself."""

    @property
    def mistakes(self):
        return [(field.name, text) for field in dataclasses.fields(self)
                for text in getattr(self, field.name)]


def expected_categories(mutation, before, after):
    """The right categories by output, and contradictions between construction and renders.

    If all nodes after the change are known to keep it as it is, the category follows from the
    construction. Otherwise the renders are compared here."""
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
    """Compares the report with the expected one. `before` and `after` are renders by output, or
    None if `fxrun run` cannot make them."""
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
    """The text with each node of an included chain replaced by the chain: a connection to `voice`
    is reported as one to its first node, `voice/cut`."""
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
    # In the file, a connection leads to an included chain, not to a node in it.
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
    # The frames of nodes count from the start of the render, which includes the latency.
    heard += max(one.latency for sounds in (before, after) for one in sounds.values())
    frame = told.divergences[0][2]
    if frame > heard:
        result.first.append(f"it begins at frame {frame}, and frame {heard} is another one already")
