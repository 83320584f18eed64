"""An analysis in words: why a game was won, and an account of the result that adds up to the point."""

from __future__ import annotations

import math
from collections.abc import Container, Sequence

from msgspec import Struct

from shieldwall.analysis.moments import Moment
from shieldwall.analysis.swings import Swing
from shieldwall.core.events import ActionChosen, AnyEvent, Declared, SpellCast
from shieldwall.story import Names

MOST_PARTS = 3  # activations named in a line of the account
WORTH_NAMING = 2  # points
MUCH = 10  # points: decisions or dice worth a sentence


class AccountPart(Struct, frozen=True):
    """What one activation added to a line of the account, in points of side 0."""

    step: int
    round: int
    unit: int
    words: str
    points: int


class AccountLine(Struct, frozen=True):
    """A line of the account: its subject ("start", "decisions", "dice", "estimates"), its points, the activations that
    count most in it, and the points of all others. `side` is that of the decisions.
    """

    about: str
    side: int
    points: int
    parts: tuple[AccountPart, ...] = ()
    rest: int = 0


def account_of(
    names: Names, start: float, swings: Sequence[Swing], result: float, cleared: Container[int]
) -> tuple[AccountLine, ...]:
    """The chance of side 0 at the start, the decisions of both sides and the dice, in points that add up to the result.

    Where a closer look found nothing better (`cleared`, by step), no decision is to blame: the chance before it was a
    wrong estimate, which has a separate line.
    """
    open_to_blame = [0.0 if one.step in cleared else one.choice for one in swings]
    values = [
        *(
            [choice if one.side == side else 0.0 for one, choice in zip(swings, open_to_blame, strict=True)]
            for side in (0, 1)
        ),
        [one.dice for one in swings],
        [one.choice - choice for one, choice in zip(swings, open_to_blame, strict=True)],
    ]
    points = whole_points([100 * start, *(100 * sum(line) for line in values)], round(100 * result))
    kinds = (("decisions", 0), ("decisions", 1), ("dice", -1), ("estimates", -1))
    lines = [
        _line(names, about, side, total, swings, line)
        for (about, side), total, line in zip(kinds, points[1:], values, strict=True)
    ]
    return (AccountLine("start", -1, points[0]), *lines)


def whole_points(values: Sequence[float], total: int) -> list[int]:
    """Values as whole numbers that add up to a total; those nearest to the next number are rounded to it."""
    found = [math.floor(value) for value in values]
    missing = total - sum(found)
    order = sorted(range(len(values)), key=lambda at: found[at] - values[at])
    for step in range(abs(missing)):
        at = order[step % len(order)] if missing > 0 else order[-1 - step % len(order)]
        found[at] += 1 if missing > 0 else -1
    return found


def _line(
    names: Names, about: str, side: int, points: int, swings: Sequence[Swing], values: Sequence[float]
) -> AccountLine:
    order = sorted(range(len(values)), key=lambda at: -abs(values[at]))[:MOST_PARTS]
    parts = tuple(
        AccountPart(
            swings[at].step,
            swings[at].round,
            swings[at].unit,
            f"{names.unit(swings[at].unit)} in round {swings[at].round}",
            round(100 * values[at]),
        )
        for at in order
        if abs(100 * values[at]) >= WORTH_NAMING
    )
    return AccountLine(about, side, points, parts, points - sum(part.points for part in parts))


def summary_of(sides: Sequence[str], winner: int, account: Sequence[AccountLine]) -> str:
    """Why the game ended as it did, in a sentence or two."""
    _, first, second, dice, _ = account
    gained = [first.points, -second.points]  # by the decisions of each side, from its own viewpoint
    if winner not in (0, 1):
        facts = [_decided(sides[side], gained[side]) for side in (0, 1) if abs(gained[side]) >= MUCH]
        if abs(dice.points) >= MUCH:
            facts.append(f"the dice favoured {sides[0 if dice.points > 0 else 1]} by {abs(dice.points)}")
        told = "; ".join(facts)
        return f"A draw. {told[:1].upper()}{told[1:]}." if told else "A draw, and a close game throughout."
    loser = 1 - winner
    lucky = dice.points if winner == 0 else -dice.points
    causes = [
        (gained[winner], f"its decisions gained {gained[winner]} points"),
        (-gained[loser], f"{sides[loser]}'s decisions cost {-gained[loser]} points"),
        (lucky, f"the dice brought {lucky} points"),
    ]
    causes = sorted((one for one in causes if one[0] >= MUCH), key=lambda one: -one[0])
    told = " and ".join(words for _, words in causes[:2])
    because = f"{sides[winner]} won because {told}" if told else f"{sides[winner]} won by many small steps"
    despite = [f"its own decisions cost {-gained[winner]}"] if gained[winner] <= -MUCH else []
    despite += [f"the dice cost {-lucky}"] if lucky <= -MUCH else []
    return f"{because}, although {' and '.join(despite)}." if despite else f"{because}."


def _decided(side: str, points: int) -> str:
    return f"{side}'s decisions {'gained' if points > 0 else 'cost'} {abs(points)} points"


def unblamed_words(points: int) -> str:
    """The text for a side none of whose decisions is blamed; `points` is what all of them gained it."""
    if points <= -MUCH:
        return f"No single decision was clearly a mistake, but small losses add up to {-points} points."
    return "No decision was clearly a mistake."


def action_phrase(names: Names, moment: Moment) -> str:
    """What was done in an activation, as the subject of a sentence: "Charging Kiln Guard with Otter Pack"."""
    unit, events = moment.unit, moment.events
    name = names.unit(unit)
    actions = [event.action for event in events if isinstance(event, ActionChosen) and event.unit == unit]
    action = actions[-1] if actions else ""
    target = _target(unit, events)
    if action == "charge" and target >= 0:
        return f"Charging {names.unit(target)} with {name}"
    if target >= 0:
        return f"Shooting at {names.unit(target)} with {name}"
    if any(isinstance(event, SpellCast) and event.unit == unit for event in events):
        return f"Casting a spell with {name}"
    return {"rush": f"Rushing {name}", "advance": f"Advancing {name}", "hold": f"Holding {name} back"}.get(
        action, f"Choosing {name}"
    )


def _target(unit: int, events: Sequence[AnyEvent]) -> int:
    return next((one.target for one in events if isinstance(one, Declared) and one.unit == unit), -1)
