"""Words in expectations that no game ever uses: an expectation that a misspelt word never comes up always holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec import inspect as shapes

from shieldwall.core import events as ev
from shieldwall.rulebook.nearest import did_you_mean
from shieldwall.scenario.check import FileProblem, Path
from shieldwall.scenario.questions import ACTION_WORDS, KINDS, PURPOSES
from shieldwall.scenario.roster import Roster, UnknownNameError
from shieldwall.scenario.schema import Expect, ExpectedNames, PendingExpect, RollExpect
from shieldwall.scenario.words import DICE_SYNONYMS, arc_words
from shieldwall.table.arcs import ARCS

# Steps that are not called after the question they answer.
ASKED_AS = {
    "shoot": "targets",
    "charge": "charge_target or action",
    "place": "deploy_place, arrive_place or marker",
    **dict.fromkeys(("march", "walk", "leap", "shift", "drag"), "path"),
}
# The only words that text fields of events may hold.
EVENT_WORDS = {
    "arc": tuple(word for arc in ARCS for word in arc_words(arc)),
    "action": ACTION_WORDS,
}
WAITS = ("none", "end of round", *KINDS, *PURPOSES)


def word_problems(expect: Expect, roster: Roster, where: Path) -> Iterator[FileProblem]:
    """Unknown questions, purposes of dice and units in the lists of an expectation."""
    for key in ("asked", "never_asked"):
        for number, kind in enumerate(getattr(expect, key)):
            if kind not in KINDS:
                yield FileProblem((*where, key, number), f"no question {kind!r}{question_tip(kind)}")
    rolls = [roll.purpose if isinstance(roll, RollExpect) else roll for roll in expect.rolls]
    thrown = [("rolls", number, purpose) for number, purpose in enumerate(rolls)]
    thrown += [("no_rolls", number, purpose) for number, purpose in enumerate(expect.no_rolls)]
    ways: list[tuple[Path, str]] = [((key, number), purpose) for key, number, purpose in thrown]
    ways += [(("dice_used", purpose), purpose) for purpose in expect.dice_used]
    for way, purpose in ways:
        if not is_purpose(purpose):
            yield FileProblem((*where, *way), no_such_dice(purpose))
    yield from _pending_problems(expect.pending, roster, (*where, "pending"))
    for number, name in enumerate(expect.activations or ()):
        try:
            roster.unit(name)
        except UnknownNameError as error:
            yield FileProblem((*where, "activations", number), str(error))


def _pending_problems(
    pending: PendingExpect | str | UnsetType, roster: Roster, where: Path
) -> Iterator[FileProblem]:
    """A question that is never asked, and options that it never has."""
    kind = pending.kind if isinstance(pending, PendingExpect) else pending
    if isinstance(kind, str) and kind not in WAITS and not is_purpose(kind):
        tip = question_tip(kind) if kind in ASKED_AS else did_you_mean(kind, WAITS)
        yield FileProblem(where, f"no game ever waits for {kind!r}{tip}")
    options = pending.options if isinstance(pending, PendingExpect) else UNSET
    for word in options.lack if isinstance(options, ExpectedNames) else ():
        if kind == "action" and word not in ACTION_WORDS:
            yield FileProblem(
                (*where, "options"), f"there is no action {word!r}{did_you_mean(word, ACTION_WORDS)}"
            )
        elif kind in ("activate", "charge_target"):
            try:
                roster.unit(word)
            except UnknownNameError as error:
                yield FileProblem((*where, "options"), str(error))


def question_tip(kind: str) -> str:
    """What to write instead of a word that is not the name of a question."""
    if kind in ASKED_AS:
        return f"; the question that `{kind}` answers is {ASKED_AS[kind]}"
    return did_you_mean(kind, KINDS)


def is_purpose(purpose: str) -> bool:
    """Whether dice are ever rolled for this; single spells add their own purposes."""
    return purpose in PURPOSES or purpose.startswith("spell:")


def no_such_dice(purpose: str) -> str:
    """The problem with a purpose that no dice are rolled for."""
    meant = DICE_SYNONYMS.get(purpose.casefold())
    tip = f"; did you mean {meant}?" if meant else did_you_mean(purpose, PURPOSES)
    return f"no dice are rolled for {purpose!r}{tip}"


def value_problem(kind: type[ev.Event], field: str, value: Any) -> str:
    """Why a field of an event can never have this value, in the engine's terms; empty if it can."""
    words = EVENT_WORDS.get(field)
    if words and value not in words:
        return f"{field} is one of {', '.join(dict.fromkeys(words))}, found {value!r}"
    info = shapes.type_info(kind)
    assert isinstance(info, shapes.StructType)
    shape = next(entry.type for entry in info.fields if entry.name == field)
    wanted, fits = {
        shapes.IntType: ("a whole number", type(value) is int),
        shapes.BoolType: ("yes or no", isinstance(value, bool)),
        shapes.StrType: ("text", isinstance(value, str)),
    }.get(type(shape), ("", True))
    return "" if fits else f"{field} is {wanted}, found {value!r}"
