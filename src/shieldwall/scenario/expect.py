"""Compares the outcome of a scenario with its expectations: one failure for every difference."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from shieldwall.core.grammar import counted
from shieldwall.core.pending import Choice, Decision, Option, Pending, Roll
from shieldwall.core.state import Marker, Model, Pose, State, Unit
from shieldwall.core.values import CENTI, MILLI
from shieldwall.rulebook.nearest import did_you_mean
from shieldwall.rules.army.picking import count_of
from shieldwall.rules.steps.arrival import is_awaited
from shieldwall.scenario.check import FileProblem, Path
from shieldwall.scenario.event_checks import Record, event_problems, needed_roll
from shieldwall.scenario.expected_words import word_problems
from shieldwall.scenario.failures import Failure
from shieldwall.scenario.poses import is_position
from shieldwall.scenario.roster import Roster, UnknownNameError, living, pieces_by_id, side_name
from shieldwall.scenario.schema import (
    Expect,
    ExpectedNames,
    MarkerExpect,
    ModelExpect,
    PendingExpect,
    UnitExpect,
)
from shieldwall.scenario.words import EVENTS
from shieldwall.table.footprints import figure_poses
from shieldwall.table.formations import FULL_TURN, formation_of, full_rows, shifted

ROUND_ENDS = " (the round ends next; `until: end of round` checks after that)"


class PlayedOutcome(Struct, frozen=True):
    """Everything that expectations may check."""

    state: State
    pending: Pending | None
    happened: Record
    roster: Roster
    start: State
    round_ends: bool = False
    """The game goes on without a question: the round ends."""


def differences(expect: Expect, outcome: PlayedOutcome, where: Path) -> list[Failure]:
    """Every way in which the outcome is not as expected."""
    found: list[Failure] = []
    for name, unit in expect.units.items():
        found += _unit_differences(unit, name, outcome, (*where, "units", name))
    for name, model in expect.models.items():
        found += _model_differences(model, name, outcome, (*where, "models", name))
    found += _marker_differences(expect, outcome, where)
    found += _game_differences(expect, outcome, where)
    found += _pending_differences(expect, outcome, (*where, "pending"))
    found += outcome.happened.differences(expect, outcome.roster, where)
    if outcome.round_ends:
        asks = [one for one in found if one.path[len(where)] not in ("units", "models")]
        found = [replace(one, found=f"{one.found}{ROUND_ENDS}") if one in asks else one for one in found]
    return found


def expect_problems(expect: Expect, roster: Roster, where: Path) -> list[FileProblem]:
    """Names and words in expectations that mean nothing on this table."""
    problems: list[FileProblem] = []

    def look(name: object, known: Callable[[object], object], *path: str | int) -> None:
        try:
            known(name)
        except UnknownNameError as error:
            problems.append(FileProblem((*where, *path), str(error)))

    for name in expect.units:
        look(name, roster.unit, "units", name)
    for name in expect.models:
        look(name, roster.model, "models", name)
    for name, unit in expect.units.items():
        problems += [
            FileProblem((*where, "units", name, key), text) for key, text in _unit_words(unit, roster)
        ]
    for name, marker in expect.objectives.items():
        look(name, roster.marker, "objectives", name)
        problems += [
            FileProblem((*where, "objectives", name, *way), text)
            for way, text in _marker_words(marker, roster)
        ]
    for name in expect.terrain:
        look(name, roster.piece, "terrain", name)
    for key in ("hits", "blocked", "wounds", "ignored", "removed"):
        numbers = getattr(expect, key)
        for name in numbers if isinstance(numbers, dict) else ():
            look(name, roster.unit, key, name)
    if expect.winner is not UNSET and expect.winner not in ("A", "B", "draw", "none"):
        problems.append(
            FileProblem((*where, "winner"), f"expected A, B, draw or none, found {expect.winner!r}")
        )
    for tag in expect.counts:
        if tag not in EVENTS:
            problems.append(
                FileProblem((*where, "counts", tag), f"no event {tag!r}{did_you_mean(tag, tuple(EVENTS))}")
            )
    problems += event_problems(expect, roster, where)
    return problems + list(word_problems(expect, roster, where))


def _unit_words(unit: UnitExpect, roster: Roster) -> Iterator[tuple[str, str]]:
    """Malformed positions, and missing carriers and buildings, in the expectations about a unit."""
    for key, at in (("at", unit.at), ("front", unit.front)):
        if at is not UNSET and not is_position(at) and not all(is_position(spot) for spot in at):
            yield key, f"expected a position such as [24, 10], or one for each model, found {list(at)}"
    if unit.inside is not UNSET and unit.inside not in ("none", *roster.units, *roster.pieces):
        tip = did_you_mean(str(unit.inside), (*roster.units, *roster.pieces))
        yield "inside", f"there is no carrier or building {unit.inside!r}{tip}"


def _marker_words(marker: str | MarkerExpect, roster: Roster) -> Iterator[tuple[Path, str]]:
    """Unknown sides and units in the expectations about a marker."""
    sides = ("A", "B", "none", "neutral")
    if isinstance(marker, str):
        if marker not in sides:
            yield (), f"expected A, B or none, found {marker!r}"
        return
    for key in ("holder", "owner"):
        side = getattr(marker, key)
        if side is not UNSET and side not in sides:
            yield (key,), f"expected A, B or none, found {side!r}"
    if marker.carrier is not UNSET and marker.carrier not in ("none", *roster.units):
        yield (
            ("carrier",),
            f"there is no unit {marker.carrier!r}{did_you_mean(str(marker.carrier), tuple(roster.units))}",
        )
    if marker.at is not UNSET and len(marker.at) not in (2, 3):
        yield ("at",), f"a marker lies at [x, y] or [x, y, z], found {list(marker.at)}"


# comparing single values


def same(expected: Any, found: Any, tolerance: float = 0.001) -> bool:
    """Whether two values are the same, numbers within a tolerance."""
    if isinstance(expected, (list, tuple)) and isinstance(found, (list, tuple)):
        return len(expected) == len(found) and all(
            same(a, b, tolerance) for a, b in zip(expected, found, strict=True)
        )
    if isinstance(expected, (list, tuple)) or isinstance(found, (list, tuple)):
        return False
    if isinstance(expected, bool) or isinstance(found, bool):
        return expected is found
    if isinstance(expected, (int, float)) and isinstance(found, (int, float)):
        return abs(expected - found) <= tolerance + 1e-9
    return bool(expected == found)


def _compare(
    expected: Struct, found: dict[str, Callable[[], Any]], what: str, where: Path, tolerance: float
) -> Iterator[Failure]:
    """One failure for each field that is given and differs."""
    for field in expected.__struct_fields__:
        wanted = getattr(expected, field)
        if wanted is UNSET or field == "tolerance":
            continue
        got = found[field]()
        if not same(wanted, got, tolerance):
            yield Failure((*where, field), f"{what}: {field}", spelled(wanted), spelled(got))


def spelled(value: Any) -> str:
    """A value as it would be written in a file."""
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.4g}" if abs(value) < 1000 else f"{value:g}"
        case list() | tuple():
            return f"[{', '.join(spelled(item) for item in value)}]"
        case dict():
            return f"{{{', '.join(f'{key}: {spelled(item)}' for key, item in value.items())}}}"
        case None:
            return "none"
        case _:
            return str(value)


# units and models


def _unit_differences(
    expected: UnitExpect, name: str, outcome: PlayedOutcome, where: Path
) -> Iterator[Failure]:
    state = outcome.state
    unit = state.units[outcome.roster.unit(name)]
    start = outcome.start.units[unit.id]
    stands = any(key is not UNSET for key in (expected.at, expected.front, expected.facing))
    if stands and unit.place not in ("table", "wreck"):
        yield Failure(where, f"{name}: where it stands", "on the table", unit.place)
        return
    stunned = sum(model.stunned for model in unit.models)
    tired = sum(model.tired for model in unit.models)
    found: dict[str, Callable[[], Any]] = {
        "models": lambda: len(unit.models),
        "lost": lambda: len(start.models) - len(unit.models),
        "names": lambda: tuple(state.profiles[model.profile].name for model in unit.models),
        "wounds": lambda: _wounds(unit, expected.wounds),
        "shaken": lambda: unit.broken,
        "wavering": lambda: unit.broken,
        "stunned": lambda: stunned > 0 if isinstance(expected.stunned, bool) else stunned,
        "fatigued": lambda: unit.tired or tired > 0 if isinstance(expected.fatigued, bool) else tired,
        "activated": lambda: unit.activated,
        "moved": lambda: _stood(state, unit) != _stood(outcome.start, start),
        "tokens": lambda: sum(model.tokens for model in unit.models),
        "place": lambda: unit.place,
        "inside": lambda: _inside(unit, outcome.roster),
        "alive": lambda: unit.place != "gone" and bool(unit.models) and not is_awaited(unit),
        "at": lambda: _unit_at(state, unit, expected.at),
        "front": lambda: _front(state, unit, expected.front),
        "facing": lambda: _unit_facing(state, unit, expected.facing),
        "rows": lambda: tuple(len(row) for row in formation_of(unit, state.profiles).rows),
        "full_rows": lambda: full_rows(unit, state.profiles),
        "effects": lambda: tuple(effect.name for effect in unit.effects),
        "marks": lambda: _marks(unit, expected.marks),
        "arrived": lambda: unit.arrived,
    }
    yield from _compare(expected, found, name, where, expected.tolerance)


def _inside(unit: Unit, roster: Roster) -> str:
    """The carrier or building a unit is in, or none."""
    if unit.place == "garrison":
        return roster.piece_name(unit.inside)
    return roster.unit_name(unit.inside) if unit.place == "inside" else "none"


def _marks(unit: Unit, expected: Any) -> dict[str, int]:
    """The number of markers of each named army rule."""
    return {name: sum(count_of(effect, name) for effect in unit.effects) for name in expected or ()}


def _wounds(unit: Unit, expected: object) -> int | tuple[int, ...]:
    wounds = tuple(model.wounds for model in unit.models)
    return wounds if isinstance(expected, tuple) else sum(wounds)


def _stood(state: State, unit: Unit) -> tuple[Pose, ...]:
    return (unit.block,) if unit.block is not None else unit.poses


def _unit_at(state: State, unit: Unit, expected: Any) -> list[float] | list[list[float]]:
    if unit.block is None and not unit.poses:
        return []
    if is_position(expected):
        return _place(unit.block or unit.poses[0], expected)
    poses = figure_poses(unit, state.profiles)
    wanted = [
        *expected,
        *([(0.0, 0.0)] * len(poses)),
    ]  # all models are compared, not only as many as are listed
    return [_place(pose, like) for pose, like in zip(poses, wanted, strict=False)]


def _place(pose: Pose, like: Sequence[float]) -> list[float]:
    """A pose with as many numbers as the expectation has."""
    heading = _facing(pose, like[2] if len(like) > 2 else 0.0)
    return [pose.x / MILLI, pose.y / MILLI, heading, pose.z / MILLI][: len(like)]


def _facing(pose: Pose, expected: Any) -> float:
    """A heading in degrees, written the way the expected one is: -90 and 270 are the same."""
    wanted = round(expected * CENTI) if isinstance(expected, (int, float)) else 0
    turns = round((wanted - pose.heading) / FULL_TURN)
    return (pose.heading + turns * FULL_TURN) / CENTI


def _unit_facing(state: State, unit: Unit, expected: Any) -> float | None:
    """The heading of a unit; None if it is not on the table."""
    stood = _stood(state, unit)
    return _facing(stood[0], expected) if stood else None


def _front(state: State, unit: Unit, like: Any) -> list[float]:
    """The middle of a block's front edge, with as many numbers as the expectation has."""
    if unit.block is None:
        return []
    front = shifted(unit.block, 0.0, formation_of(unit, state.profiles).half_depth)
    return _place(front, like)


def _model_differences(
    expected: ModelExpect, name: str, outcome: PlayedOutcome, where: Path
) -> Iterator[Failure]:
    _, model_id = outcome.roster.model(name)
    there = living(outcome.state, model_id)
    if there is None:
        if expected.alive is not False:
            yield Failure(where, f"{name}", "in play", "lost")
        return
    unit, model = there
    yield from _compare(
        expected, _model_facts(outcome.state, unit, model, expected), name, where, expected.tolerance
    )


def _model_facts(
    state: State, unit: Unit, model: Model, expected: ModelExpect
) -> dict[str, Callable[[], Any]]:
    def pose() -> Pose:
        return figure_poses(unit, state.profiles)[unit.models.index(model)]

    return {
        "alive": lambda: True,
        "wounds": lambda: model.wounds,
        "stunned": lambda: model.stunned,
        "fatigued": lambda: model.tired,
        "tokens": lambda: model.tokens,
        "at": lambda: _place(pose(), expected.at if isinstance(expected.at, tuple) else ()),
        "facing": lambda: _facing(pose(), expected.facing),
        "height": lambda: pose().z / MILLI,
    }


# the game


def _marker_differences(expect: Expect, outcome: PlayedOutcome, where: Path) -> Iterator[Failure]:
    markers = outcome.state.markers
    for name, expected in expect.objectives.items():
        path: Path = (*where, "objectives", name)
        number = outcome.roster.marker(name)
        if number >= len(markers):
            yield Failure(path, name, "on the table", f"{counted(len(markers), 'marker')} on the table")
        elif isinstance(expected, MarkerExpect):
            facts = _marker_facts(markers[number], expected, outcome.roster)
            wanted = replace(expected, holder=_neutral(expected.holder), owner=_neutral(expected.owner))
            yield from _compare(wanted, facts, name, path, expected.tolerance)
        else:
            found = side_name(markers[number].holder)
            if found != _neutral(expected):
                yield Failure(path, f"{name}: held by", str(_neutral(expected)), str(found))
    for name, piece in expect.terrain.items():
        found_out = pieces_by_id(outcome.state)[outcome.roster.piece(name)].secret
        if piece.secret is not UNSET and piece.secret != found_out:
            path = (*where, "terrain", name, "secret")
            yield Failure(path, f"{name}: secret", str(piece.secret), str(found_out))


def _neutral(holder: str | UnsetType) -> str | UnsetType:
    return "none" if holder == "neutral" else holder


def _marker_facts(marker: Marker, expected: MarkerExpect, roster: Roster) -> dict[str, Callable[[], Any]]:
    at = [marker.x / MILLI, marker.y / MILLI, marker.z / MILLI]
    return {
        "holder": lambda: side_name(marker.holder),
        "owner": lambda: side_name(marker.owner),
        "at": lambda: at[: len(expected.at) if isinstance(expected.at, tuple) else 0],
        "carrier": lambda: roster.unit_name(marker.carrier) if marker.carrier >= 0 else "none",
        "gone": lambda: marker.gone,
        "secret": lambda: marker.secret,
    }


def _game_differences(expect: Expect, outcome: PlayedOutcome, where: Path) -> Iterator[Failure]:
    state = outcome.state
    winner = "none" if not state.finished else ("draw" if state.winner == -1 else side_name(state.winner))
    facts = {
        "turn": side_name(state.turn),
        "round": state.round,
        "starter": side_name(state.starter),
        "winner": winner,
        "finished": state.finished,
    }
    for key, found in facts.items():
        wanted = getattr(expect, key)
        if wanted is not UNSET and wanted != found:
            yield Failure((*where, key), key, spelled(wanted), spelled(found))


def _pending_differences(expect: Expect, outcome: PlayedOutcome, where: Path) -> Iterator[Failure]:
    expected = expect.pending
    if expected is UNSET:
        return
    if isinstance(expected, str):
        expected = PendingExpect(kind=expected)
    assert isinstance(expected, PendingExpect)
    pending = outcome.pending
    kind = "end of round" if outcome.round_ends else pending_kind(pending)
    if expected.kind is not UNSET and expected.kind != kind:
        yield Failure((*where, "kind"), "pending", str(expected.kind), kind)
        return
    if expected.side is not UNSET:
        found = side_name(outcome.state.seats[pending.seat].side) if pending is not None else "none"
        if found != expected.side:
            yield Failure((*where, "side"), f"pending {kind}: side", str(expected.side), str(found))
    if expected.player is not UNSET:
        number = pending.seat // len(outcome.state.sides) + 1 if pending is not None else 0
        if number != expected.player:
            yield Failure((*where, "player"), f"pending {kind}: player", str(expected.player), str(number))
    if expected.dice is not UNSET and (not isinstance(pending, Roll) or pending.dice != expected.dice):
        dice = str(pending.dice) if isinstance(pending, Roll) else "no roll"
        yield Failure((*where, "dice"), f"pending {kind}: dice", str(expected.dice), dice)
    yield from _target_differences(expected, pending, (*where, "need"))
    if expected.options is not UNSET:
        names = option_names(pending, outcome.roster)
        wanted = expected.options
        yield from name_differences(
            wanted if isinstance(wanted, ExpectedNames) else ExpectedNames(equal=wanted),
            names,
            f"pending {kind}: options",
            (*where, "options"),
        )


def _target_differences(expected: PendingExpect, pending: Pending | None, where: Path) -> Iterator[Failure]:
    """Needed rolls of the dice that are waited for: one number, or one for each pool."""
    facts = roll_facts(pending)
    for key in ("need", "modifier"):
        wanted = getattr(expected, key)
        if wanted is UNSET:
            continue
        found = facts[key]
        listed = wanted if isinstance(wanted, tuple) else (wanted,) * max(1, len(found))
        if not same(listed, found):
            yield Failure(
                (*where[:-1], key), f"pending {pending_kind(pending)}: {key}", spelled(wanted), spelled(found)
            )
    reasons = " ".join(facts["why"]).casefold()
    for why in expected.why if expected.why is not UNSET else ():
        if why.casefold() not in reasons:
            yield Failure(
                (*where[:-1], "why"), f"pending {pending_kind(pending)}: why", why, spelled(facts["why"])
            )


def roll_facts(pending: Pending | None) -> dict[str, Any]:
    """What the pools of a roll need, what is added to their dice, and why."""
    pools = pending.pools if isinstance(pending, Roll) else ()
    targets = [pool.target for pool in pools if pool.target is not None]
    needs = tuple(needed_roll(pool.target, pool.labels) for pool in pools if pool.target is not None)
    reasons = [mod.why for target in targets for mod in target.mods]
    return {
        "need": needs,
        "base": tuple(target.base for target in targets),
        "modifier": tuple(target.modifier for target in targets),
        "why": tuple(reasons + [target.only_six.why for target in targets if target.only_six is not None]),
        "dice": pending.dice if isinstance(pending, Roll) else 0,
    }


def pending_kind(pending: Pending | None) -> str:
    """The kind of a question, the purpose of a roll, or none."""
    if pending is None:
        return "none"
    return pending.kind if isinstance(pending, Decision) else pending.purpose


def option_names(pending: Pending | None, roster: Roster) -> list[str]:
    """The options of a choice, units, models and pieces by their names."""
    return [option_name(option, roster) for option in pending.options] if isinstance(pending, Choice) else []


def option_name(option: Option, roster: Roster) -> str:
    """What an option is about: a unit, a model or a piece by its name, anything else by its key."""
    kind, number = option.key[:1], option.key[1:]
    if option.unit >= 0 and kind != "m":
        return roster.unit_name(option.unit)
    if not number.isdigit():
        return option.key
    if kind == "m":
        return roster.model_name(int(number))
    pieces = {piece: name for name, piece in roster.pieces.items()}
    return pieces.get(int(number), option.key) if kind == "b" else option.key


def name_differences(
    wanted: ExpectedNames, found: Sequence[str], what: str, where: Path
) -> Iterator[Failure]:
    """The names a list lacks, and those it should not have."""
    listed = f"[{', '.join(found)}]"
    missing = [name for name in wanted.contain if name not in found]
    if missing:
        yield Failure(where, what, f"{', '.join(map(str, missing))} among them", listed)
    surplus = [name for name in wanted.lack if name in found]
    if surplus:
        yield Failure(where, what, f"{', '.join(map(str, surplus))} not among them", listed)
    if wanted.equal is not None and sorted(wanted.equal) != sorted(found):
        yield Failure(where, what, f"[{', '.join(wanted.equal)}]", listed)
