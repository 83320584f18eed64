"""A review of one list: what each unit earned in games, and which swaps would make the list better."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.armies import ArmyList, Book, Entry, check_list, cost_of, ready_lists, recruit
from shieldwall.armies.recruit import books_of
from shieldwall.core.errors import ShieldwallError
from shieldwall.editions import ruleset
from shieldwall.lab.compare import mean_interval
from shieldwall.lab.games import GameOutcome, Task, army_of, hand_in
from shieldwall.lab.series import Runner, SeriesPlan

WEAKEST = 2  # units for which swaps are looked for
SWAPS_EACH = 3
CHEAPER = 0.6  # the least a unit may cost of what the one it replaces costs


class UnitEarning(Struct, frozen=True):
    """What a unit did on average: points destroyed and lost, markers held at the end, and what it earned by both."""

    place: int
    name: str
    cost: int
    killed: float
    markers: float
    lost: float
    earned: float

    @property
    def per_point(self) -> float:
        """What it earned for each point it costs."""
        return self.earned / max(1, self.cost)


class ReviewedUnit(Struct, frozen=True):
    """Wounds a unit deals on average in one activation, target by target."""

    name: str
    against: tuple[tuple[str, float], ...]


class Swap(Struct, frozen=True):
    """One unit in the place of another: the change of the score against the same field, with its 95 % interval."""

    out: str
    into: str
    cost_change: int
    score: float
    change: float
    low: float
    high: float


class Review(Struct, frozen=True):
    """Everything about one list. Units that earned least for their points come first, and so do the best swaps."""

    edition: str
    army: str
    bot: str
    games: int
    field: tuple[str, ...]
    score: float
    marker_points: float
    units: tuple[UnitEarning, ...]
    swaps: tuple[Swap, ...]
    odds: tuple[ReviewedUnit, ...] = ()
    command: str = ""


def typical_field(edition: str, points: int) -> tuple[str, ...]:
    """The ready-made lists nearest to a size, as typical opponents."""
    ready = ready_lists(ruleset(edition).like)
    size = min({one.points for one in ready}, key=lambda size: abs(size - points))
    return tuple(one.id for one in ready if one.points == size)


class ReviewOrder(Struct, frozen=True, kw_only=True):
    """What a list is reviewed against: the opposing lists (by default typical ones), and how many swaps are tested."""

    field: tuple[str, ...] = ()
    swaps: int = WEAKEST * SWAPS_EACH


def review_list(
    army: ArmyList,
    books: Sequence[Book],
    order: ReviewOrder,
    plan: SeriesPlan,
    runner: Runner,
    command: str = "",
) -> tuple[Review, list[GameOutcome]]:
    """Play a list against a field, `plan.games` games in all; then test swaps of its weakest units in the same games.

    The second part plays as many games again for each swap. The journal of the first part is `runner.out`, that of
    the second is next to it.
    """
    edition = army.edition
    plan.check(edition)
    known = tuple(books_of(army, books).values())
    field = order.field or typical_field(edition, cost_of(army, books_of(army, books)))
    for name in field:
        army_of(edition, name)
    hand_in(edition, army.name, recruit(army, known))
    tasks = _tasks(edition, army.name, field, plan)
    what = f"review of {army.name}, {edition}, played by {plan.bot}, {len(tasks)} games from seed {plan.seed}"
    base = runner.play(tasks, what)
    units, marker_points = earnings(base)
    tried = proposed_swaps(army, known, units)[: order.swaps]
    more: list[Task] = []
    for name, changed in tried:
        hand_in(edition, name, recruit(changed, known))
        more += _tasks(edition, name, field, plan, len(more))
    journal = (
        None if runner.out is None else runner.out.with_name(runner.out.name.replace(".games", ".swaps"))
    )
    tested = replace(runner, out=journal).play(more, f"swaps of {what}")
    size = len(tasks)
    found = [
        _swap(army, changed, known, base, tested[at * size : (at + 1) * size])
        for at, (_, changed) in enumerate(tried)
    ]
    score = sum(one.score for one in base) / len(base)
    ranked = tuple(sorted(found, key=lambda one: -one.change))
    review = Review(
        edition, army.name, plan.bot, len(base), field, score, marker_points, units, ranked, (), command
    )
    return review, [*base, *tested]


def _tasks(edition: str, name: str, field: Sequence[str], plan: SeriesPlan, first: int = 0) -> list[Task]:
    """The games of a list against a field, shared out evenly, at least one pair against each opponent."""
    each = max(1, plan.games // 2 // len(field))
    tasks: list[Task] = []
    for number, other in enumerate(field):
        part = replace(plan, games=2 * each, seed=plan.seed + number * each)
        tasks += part.pairs(edition, (name, other), first + len(tasks), by_unit=True)
    return tasks


def earnings(outcomes: Sequence[GameOutcome]) -> tuple[tuple[UnitEarning, ...], float]:
    """What each unit of the first list earned on average, and the value of a marker in points.

    Holding all markers is worth as much as destroying the enemy's army, so a marker is worth its share of that.
    """
    enemy = sum(one.cost for game in outcomes for one in game.units if one.owner == 1) / len(outcomes)
    held = sum(sum(game.markers) for game in outcomes) / len(outcomes)
    marker_points = enemy / max(1.0, held)
    totals: dict[int, list[float]] = {}
    names: dict[int, tuple[str, int]] = {}
    for game in outcomes:
        for one in game.units:
            if one.owner == 0:
                sums = totals.setdefault(one.place, [0.0, 0.0, 0.0])
                sums[0] += one.killed
                sums[1] += one.markers
                sums[2] += one.lost
                names[one.place] = (one.name, one.cost)
    found = []
    for place, sums in totals.items():
        killed, markers, lost = (total / len(outcomes) for total in sums)
        name, cost = names[place]
        earned = killed + markers * marker_points
        found.append(UnitEarning(place, name, cost, killed, markers, lost, earned))
    return tuple(sorted(found, key=lambda one: one.per_point)), marker_points


def proposed_swaps(
    army: ArmyList, books: Sequence[Book], units: Sequence[UnitEarning]
) -> list[tuple[str, ArmyList]]:
    """Legal lists in which one of the weakest units is replaced by another of its book for about the same points."""
    hosts = {entry.joins for entry in army.entries if entry.joins}
    guests = {entry.id for entry in army.entries if entry.joins and army.entry(entry.joins) is not None}
    fielded = [
        entry for entry in army.entries if entry.id not in guests
    ]  # in the order of the units in a game
    known = {book.id: book for book in books}
    limit = max(army.points, cost_of(army, known))
    found: list[tuple[str, ArmyList]] = []
    for unit in [one for one in units if one.place < len(fielded)]:
        entry = fielded[unit.place]
        source = known.get(army.book_of(entry))
        if source is None or entry.id in hosts:
            continue
        room = unit.cost + limit - cost_of(army, known)
        others = [
            other
            for other in source.units
            if other.id != entry.unit and CHEAPER * unit.cost <= other.cost <= room and not other.is_hero
        ]
        others.sort(key=lambda other: (abs(other.cost - unit.cost), other.id))
        made = 0
        for other in others:
            fresh = Entry(id=entry.id, unit=other.id, book=entry.book)
            changed = replace(
                army, stated=0, entries=tuple(fresh if one is entry else one for one in army.entries)
            )
            if check_list(army, books).is_legal and not check_list(changed, books).is_legal:
                continue
            found.append((f"{army.name}: {unit.name} to {other.name}", changed))
            made += 1
            if made == SWAPS_EACH:
                break
        if len(found) >= WEAKEST * SWAPS_EACH:
            break
    return found


def _swap(
    army: ArmyList,
    changed: ArmyList,
    books: Sequence[Book],
    base: Sequence[GameOutcome],
    tested: Sequence[GameOutcome],
) -> Swap:
    known = {book.id: book for book in books}
    at = next(i for i, entry in enumerate(changed.entries) if entry != army.entries[i])
    by_pair: dict[int, list[float]] = {}
    for number, (before, after) in enumerate(zip(base, tested, strict=True)):
        by_pair.setdefault(number // 2, []).append(after.score - before.score)
    changes = [sum(both) / len(both) for both in by_pair.values()]
    low, high = mean_interval(changes)
    score = sum(one.score for one in tested) / len(tested)
    return Swap(
        _name(army, army.entries[at], books),
        _name(changed, changed.entries[at], books),
        cost_of(changed, known) - cost_of(army, known),
        score,
        sum(changes) / len(changes),
        low,
        high,
    )


def _name(army: ArmyList, entry: Entry, books: Sequence[Book]) -> str:
    for book in books:
        unit = book.unit(entry.unit) if book.id == army.book_of(entry) else None
        if unit is not None:
            return entry.name or unit.name
    raise ShieldwallError(f"no book here has the unit {entry.unit!r}")
