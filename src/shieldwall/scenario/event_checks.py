"""What happened in a scenario: events, dice, questions; and how that compares with what was written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import UNSET, Struct

from shieldwall.core import events as ev
from shieldwall.core.state import Effect
from shieldwall.core.values import CENTI, MILLI, Mod, Pose, Target
from shieldwall.rulebook.nearest import did_you_mean
from shieldwall.scenario.check import FileProblem, Path
from shieldwall.scenario.expected_words import value_problem
from shieldwall.scenario.failures import Failure
from shieldwall.scenario.roster import Roster, UnknownNameError, side_name
from shieldwall.scenario.schema import SIDES, EventPattern, Expect, Numbers, RollExpect
from shieldwall.scenario.words import EVENTS, arc_words, slot_number, slot_word

UNIT_FIELDS = ("unit", "target", "joined", "carrier")
MODEL_FIELDS = ("model", "models")
SIDE_FIELDS = ("side", "holder", "owner", "before", "starter", "winner")
SIDE_WORDS = {"A": 0, "B": 1, "none": -1, "neutral": -1, "draw": -1}
LENGTH_FIELDS = ("x", "y", "z", "used", "height")


class Record(Struct, frozen=True):
    """All events and all questions, in order."""

    events: tuple[ev.AnyEvent, ...]
    asked: tuple[str, ...]

    def differences(self, expect: Expect, roster: Roster, where: Path) -> Iterator[Failure]:
        """Every way in which events, dice and questions are not as expected."""
        yield from self._event_differences(expect, roster, where)
        yield from self._question_differences(expect, where)
        yield from self._roll_differences(expect, where)
        yield from self._number_differences(expect, roster, where)
        yield from self._turn_differences(expect, roster, where)

    def _event_differences(self, expect: Expect, roster: Roster, where: Path) -> Iterator[Failure]:
        at = 0
        for number, pattern in enumerate(expect.events):
            found = next(
                (i for i in range(at, len(self.events)) if _fits(self.events[i], pattern, roster)), None
            )
            if found is None:
                found_instead = _alike(self.events[at:], pattern, roster)
                yield Failure((*where, "events", number), "event", _pattern_words(pattern), found_instead)
                return
            at = found + 1
        for number, pattern in enumerate(expect.no_events):
            for event in matching_events(self.events, pattern, roster):
                where_no = (*where, "no_events", number)
                yield Failure(where_no, "event", f"no {_pattern_words(pattern)}", event_words(event, roster))
        for tag, wanted in expect.counts.items():
            count = sum(event.__struct_config__.tag == tag for event in self.events)
            if count != wanted:
                yield Failure((*where, "counts", tag), f"events of type {tag}", str(wanted), str(count))

    def _question_differences(self, expect: Expect, where: Path) -> Iterator[Failure]:
        rest = iter(self.asked)
        for number, kind in enumerate(expect.asked):
            if kind not in rest:
                found = ", ".join(self.asked) or "nothing"
                yield Failure((*where, "asked", number), "asked", kind, found)
                break
        for number, kind in enumerate(expect.never_asked):
            if kind in self.asked:
                yield Failure((*where, "never_asked", number), "asked", f"never {kind}", kind)

    def _roll_differences(self, expect: Expect, where: Path) -> Iterator[Failure]:
        rolled_pools = [
            (event, roll) for event in self.events if isinstance(event, ev.Rolled) for roll in event.rolls
        ]
        at = 0
        for number, wanted in enumerate(expect.rolls):
            pattern = RollExpect(purpose=wanted) if isinstance(wanted, str) else wanted
            found = next(
                (i for i in range(at, len(rolled_pools)) if _roll_fits(*rolled_pools[i], pattern)), None
            )
            if found is None:
                others = [
                    roll_words(*entry) for entry in rolled_pools[at:] if entry[0].purpose == pattern.purpose
                ]
                yield Failure(
                    (*where, "rolls", number),
                    "roll",
                    _roll_pattern_words(pattern),
                    "; ".join(others) or f"no {pattern.purpose}",
                )
                break
            at = found + 1
        for number, purpose in enumerate(expect.no_rolls):
            if any(event.purpose == purpose for event, _ in rolled_pools):
                yield Failure((*where, "no_rolls", number), "roll", f"no {purpose}", f"{purpose} was rolled")
        for purpose, dice in expect.dice_used.items():
            used = sum(len(roll.faces) for event, roll in rolled_pools if event.purpose == purpose)
            if used != dice:
                yield Failure(
                    (*where, "dice_used", purpose), f"dice rolled for {purpose}", str(dice), str(used)
                )

    def _number_differences(self, expect: Expect, roster: Roster, where: Path) -> Iterator[Failure]:
        totals = {
            "hits": hits_on(self.events),
            "blocked": _sums(self.events, ev.Blocked, "blocked"),
            "wounds": _sums(self.events, ev.Blocked, "wounds"),
            "ignored": _sums(self.events, ev.Ignored, "wounds"),
            "removed": _removed(self.events),
        }
        for key, found in totals.items():
            yield from _total_differences(key, getattr(expect, key), found, roster, (*where, key))

    def _turn_differences(self, expect: Expect, roster: Roster, where: Path) -> Iterator[Failure]:
        begun = [event for event in self.events if isinstance(event, ev.Activated)]
        names = [roster.unit_name(event.unit) for event in begun]
        sides = [roster.sides[event.unit] for event in begun]
        for key, found in (("activations", names), ("turns", sides)):
            wanted = getattr(expect, key)
            if wanted is UNSET or list(wanted) in (found, found[: _acted(self.events)]):
                continue
            yield Failure((*where, key), key, ", ".join(wanted), ", ".join(found))


def _acted(events: Sequence[ev.AnyEvent]) -> int:
    """How many units have acted. The last one may be left out until it is done: if a side has only one unit left, the
    engine activates it by itself.
    """
    count = acted = 0
    for event in events:
        if isinstance(event, ev.Activated):
            count += 1
        elif isinstance(event, ev.ActivationEnded):
            acted = count
    return acted


# numbers


def hits_on(events: Sequence[ev.AnyEvent]) -> dict[int, int]:
    """Hits by unit. Multiplied hits count after multiplication."""
    totals: dict[int, int] = {}
    rolled: tuple[int, int] | None = None
    for event in events:
        if not isinstance(event, ev.Hit):
            continue
        multiplied = event.note == "spread" or event.note.startswith("times ")
        if multiplied and rolled is not None:
            totals[rolled[0]] -= rolled[1]
        totals[event.target] = totals.get(event.target, 0) + event.hits
        rolled = None if multiplied else (event.target, event.hits)
    return totals


def _sums(events: Sequence[ev.AnyEvent], kind: type[Any], field: str) -> dict[int, int]:
    totals: dict[int, int] = {}
    for event in events:
        if isinstance(event, kind):
            totals[event.unit] = totals.get(event.unit, 0) + getattr(event, field)
    return totals


def _removed(events: Sequence[ev.AnyEvent]) -> dict[int, int]:
    totals: dict[int, int] = {}
    for event in events:
        if isinstance(event, ev.Removed):
            totals[event.unit] = totals.get(event.unit, 0) + len(event.models)
    return totals


def _total_differences(
    key: str, wanted: Numbers | Any, found: dict[int, int], roster: Roster, where: Path
) -> Iterator[Failure]:
    if wanted is UNSET:
        return
    if isinstance(wanted, dict):
        for name, number in wanted.items():
            got = found.get(roster.unit(name), 0)
            if got != number:
                yield Failure((*where, name), f"{key} of {name}", str(number), str(got))
    elif sum(found.values()) != wanted:
        yield Failure(where, key, str(wanted), str(sum(found.values())))


# events


def matching_events(
    events: Sequence[ev.AnyEvent], pattern: EventPattern, roster: Roster
) -> Iterator[ev.AnyEvent]:
    """Events that fit a pattern."""
    return (event for event in events if _fits(event, pattern, roster))


def event_problems(expect: Expect, roster: Roster, where: Path) -> list[FileProblem]:
    """Malformed event patterns."""
    problems: list[FileProblem] = []
    for key in ("events", "no_events"):
        for number, pattern in enumerate(getattr(expect, key)):
            problems += [
                FileProblem((*where, key, number), text) for text in _pattern_problems(pattern, roster)
            ]
    return problems


def _pattern_problems(pattern: EventPattern, roster: Roster) -> Iterator[str]:
    tag, fields = _split(pattern)
    if tag is None:
        yield "an event is one type with its fields: hit: {target: Wolves, hits: 2}"
        return
    if tag not in EVENTS:
        yield f"no event {tag!r}{did_you_mean(tag, tuple(EVENTS))}"
        return
    known = EVENTS[tag].__struct_fields__
    for field, value in fields.items():
        if field not in known:
            yield f"{tag} has no field {field!r}{did_you_mean(str(field), known)}; it has {', '.join(known)}"
            continue
        try:
            problem = value_problem(EVENTS[tag], field, _resolved(field, value, roster))
        except UnknownNameError as error:
            problem = str(error)
        if problem:
            yield problem


def _split(pattern: EventPattern) -> tuple[str | None, dict[str, Any]]:
    if isinstance(pattern, str):
        return pattern, {}
    if len(pattern) != 1:
        return None, {}
    tag, fields = next(iter(pattern.items()))
    if fields is not None and not isinstance(fields, dict):
        return None, {}
    return str(tag), fields or {}


def _fits(event: ev.AnyEvent, pattern: EventPattern, roster: Roster) -> bool:
    tag, fields = _split(pattern)
    if event.__struct_config__.tag != tag:
        return False
    return all(
        _says(field, getattr(event, field), _resolved(field, value, roster))
        for field, value in fields.items()
    )


def _says(field: str, found: Any, wanted: Any) -> bool:
    """Whether a field of an event has the expected value; flanks have several names."""
    return wanted in arc_words(found) if field == "arc" else bool(_plain(field, found) == wanted)


def _resolved(field: str, value: Any, roster: Roster) -> Any:
    """The value of a pattern in the engine's terms."""
    if field in UNIT_FIELDS and isinstance(value, str):
        return roster.unit(value)
    if field == "marker" and isinstance(value, str):
        return roster.marker(value)
    if field == "piece" and isinstance(value, str):
        return roster.piece(value)
    if field in MODEL_FIELDS:
        if isinstance(value, list):
            return [roster.model(name)[1] for name in value]
        return roster.model(value)[1] if isinstance(value, str) else value
    if field in SIDE_FIELDS and isinstance(value, str):
        if value not in SIDE_WORDS:
            raise UnknownNameError(f"there is no side {value!r}; {field} is one of {', '.join(SIDE_WORDS)}")
        return SIDE_WORDS[value]
    if field in LENGTH_FIELDS and isinstance(value, (int, float)):
        return round(value * MILLI)
    if field == "slot" and isinstance(value, (int, str)):
        return slot_number(value)
    if field == "targets" and isinstance(value, list):
        return [roster.unit(name) for name in value]
    return value


def _plain(field: str, value: Any) -> Any:
    """A field of an event as patterns write it."""
    if isinstance(value, Pose):
        return [value.x / MILLI, value.y / MILLI, value.heading / CENTI]
    if isinstance(value, Effect):
        return value.name
    if isinstance(value, tuple):
        return [_plain(field, item) for item in value]
    return value


def event_words(event: ev.AnyEvent, roster: Roster) -> str:
    """An event as a pattern would write it."""
    facts = event_facts(event, roster)
    hidden = ("event", "cite", "rolls")
    parts = [f"{field}: {value}" for field, value in facts.items() if field not in hidden]
    return f"{facts['event']} {{{', '.join(parts)}}}"


def event_facts(event: ev.AnyEvent, roster: Roster) -> dict[str, Any]:
    """The type of an event and its fields, with names, sides and inches as a file would have them."""
    facts: dict[str, Any] = {"event": str(event.__struct_config__.tag)}
    for field in event.__struct_fields__:
        value = getattr(event, field)
        if field in UNIT_FIELDS:
            value = roster.unit_name(value)
        elif field == "model":
            value = roster.model_name(value)
        elif field == "models":
            value = [roster.model_name(model) for model in value]
        elif field == "targets":
            value = [roster.unit_name(unit) for unit in value]
        elif field == "marker" and value >= 0:
            value = roster.marker_name(value)
        elif field == "piece" and value >= 0:
            value = roster.piece_name(value)
        elif field in SIDE_FIELDS:
            value = side_name(value)
        elif field in LENGTH_FIELDS:
            value = value / MILLI
        elif field == "slot":
            value = slot_word(value)
        else:
            value = _plain(field, value)
        facts[field] = value
    return facts


def _alike(events: Sequence[ev.AnyEvent], pattern: EventPattern, roster: Roster) -> str:
    """The events of the same type, or else the types of all events."""
    tag, _ = _split(pattern)
    same = [event_words(event, roster) for event in events if event.__struct_config__.tag == tag]
    if same:
        return "; ".join(same)
    kinds = dict.fromkeys(str(event.__struct_config__.tag) for event in events)
    return f"no {tag} among {', '.join(kinds) or 'no events'}"


def _pattern_words(pattern: EventPattern) -> str:
    tag, fields = _split(pattern)
    inside = ", ".join(f"{field}: {value}" for field, value in fields.items())
    return f"{tag} {{{inside}}}" if inside else str(tag)


# dice


def _roll_facts(event: ev.Rolled, roll: ev.ThrownPool) -> dict[str, Any]:
    target = Target(roll.base, roll.mods)
    only_six = len(roll.mods) == 1 and roll.mods[0].amount == 0
    return {
        "purpose": event.purpose,
        "dice": len(roll.faces),
        "faces": roll.faces,
        "side": side_name(event.seat % len(SIDES)),  # second players of a side have higher seats
        "base": roll.base,
        "modifier": target.modifier,
        "need": 6 if only_six else needed_roll(target, roll.labels),
        "note": roll.note,
    }


def pools_of(event: ev.Rolled) -> Iterator[dict[str, Any]]:
    """Every pool of a roll: purpose, dice, faces, side, needed roll and why."""
    for roll in event.rolls:
        yield {**_roll_facts(event, roll), "why": [_mod_words(mod) for mod in roll.mods]}


def _roll_fits(event: ev.Rolled, roll: ev.ThrownPool, pattern: RollExpect) -> bool:
    facts = _roll_facts(event, roll)
    for field, found in facts.items():
        wanted = getattr(pattern, field)
        if wanted is not UNSET and wanted != found:
            return False
    reasons = " ".join(mod.why for mod in roll.mods).casefold()
    return pattern.why is UNSET or all(why.casefold() in reasons for why in pattern.why)


def roll_words(event: ev.Rolled, roll: ev.ThrownPool) -> str:
    """A roll as it would be written in a file."""
    facts = _roll_facts(event, roll)
    mods = ", ".join(_mod_words(mod) for mod in roll.mods)
    return (
        f"{event.purpose} {{dice: {facts['dice']}, faces: {list(roll.faces)}, need: {facts['need']}"
        f"{f', why: [{mods}]' if mods else ''}{f', note: {roll.note}' if roll.note else ''}}}"
    )


def _mod_words(mod: Mod) -> str:
    return f"{mod.amount:+d} {mod.why}" if mod.amount else mod.why


def _roll_pattern_words(pattern: RollExpect) -> str:
    fields = [field for field in pattern.__struct_fields__ if field != "purpose"]
    given = [
        f"{field}: {getattr(pattern, field)}" for field in fields if getattr(pattern, field) is not UNSET
    ]
    return f"{pattern.purpose} {{{', '.join(given)}}}" if given else pattern.purpose


def needed_roll(target: Target, labels: tuple[str, ...]) -> int:
    """The number a die needs; above 6 if a 6 only earns a second die."""
    return target.base - target.modifier if "six_open" in labels else target.needed
