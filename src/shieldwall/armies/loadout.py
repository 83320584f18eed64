"""What the models of a unit carry after everything bought for it is applied.

Purchases are checked here too, against the book's own headings ("replace one", "up to three models"): every
problem is reported, and what cannot be applied changes nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from shieldwall.armies.book import (
    Bases,
    Book,
    BookUnit,
    Carried,
    Item,
    Section,
    Thing,
    UpgradeOption,
    plain_name,
)
from shieldwall.armies.lists import UpgradePick
from shieldwall.core.grammar import does
from shieldwall.core.state import RuleRef, Weapon

_COUNTED = re.compile(r"^(\d+)\s*x\s+(.+)$", re.IGNORECASE)
_GENERIC = {
    "weapon": lambda thing: isinstance(thing, Weapon),
    "melee weapon": lambda thing: isinstance(thing, Weapon) and not thing.reach,
    "ranged weapon": lambda thing: isinstance(thing, Weapon) and bool(thing.reach),
    "gun": lambda thing: isinstance(thing, Weapon) and bool(thing.reach),
    "equipment": lambda thing: isinstance(thing, Item),
}
MODELS_MAX = 400


class EquippedModel(Struct, frozen=True):
    """One model: what it carries in order, the rules bought for it alone, and how much was bought for it alone."""

    carried: tuple[Thing, ...] = ()
    rules: tuple[RuleRef, ...] = ()
    specials: int = 0

    @property
    def weapons(self) -> tuple[Weapon, ...]:
        """Its weapons, including those its items bring."""
        own = [thing for thing in self.carried if isinstance(thing, Weapon)]
        return (*own, *(weapon for item in self.items for weapon in item.weapons))

    @property
    def items(self) -> tuple[Item, ...]:
        """Its items."""
        return tuple(thing for thing in self.carried if isinstance(thing, Item))

    @property
    def gained(self) -> tuple[RuleRef, ...]:
        """Its own rules and those of its items, without those printed on the unit."""
        return (*self.rules, *(rule for item in self.items for rule in item.rules))

    @property
    def bases(self) -> Bases | None:
        """The base of its mount, if that changes it."""
        mounts = [item.bases for item in self.items if item.bases != Bases()]
        return mounts[-1] if mounts else None


class Loadout(Struct, frozen=True):
    """A unit after buying: its models, its cost, and the problems of the purchase."""

    unit: BookUnit
    figures: tuple[EquippedModel, ...]
    cost: int
    problems: tuple[str, ...] = ()
    missing: tuple[UpgradePick, ...] = ()
    bought: tuple[tuple[Section, UpgradeOption], ...] = ()

    @property
    def size(self) -> int:
        """How many models it has."""
        return len(self.figures)


def outfit(book: Book, unit: BookUnit, picks: Sequence[UpgradePick]) -> Loadout:
    """The unit with everything bought; options the book does not have are listed in `missing`."""
    figures = list(bare_figures(unit))
    problems: list[str] = []
    missing: list[UpgradePick] = []
    bought: list[tuple[Section, UpgradeOption]] = []
    cost = unit.cost
    for pick in picks:
        found = book.find_option(unit, pick.option, pick.section)
        if found is None:
            missing.append(pick)
            continue
        bought.append(found)
        cost += found[1].price(unit.id)
    problems += [f"{unit.name}: {fault}" for fault in _apply_all(figures, bought)]
    problems += _count_problems(unit, bought)
    figures.sort(key=_place)
    return Loadout(unit, tuple(figures), cost, tuple(problems), tuple(missing), tuple(bought))


def both_copies(first: Loadout, second: Loadout) -> Loadout:
    """One unit of two copies: the models of both, those that differ in front."""
    figures = sorted((*first.figures, *second.figures), key=_place)
    return Loadout(
        first.unit,
        tuple(figures),
        first.cost + second.cost,
        (*first.problems, *second.problems),
        (*first.missing, *second.missing),
        (*first.bought, *second.bought),
    )


def _place(figure: EquippedModel) -> tuple[bool, int]:
    """Models with roles stand in front from the left, then those that differ otherwise, then the rest."""
    return not figure.rules, -figure.specials


def bare_figures(unit: BookUnit) -> tuple[EquippedModel, ...]:
    """The models of a unit with what is printed on it.

    What only some models carry goes to the models with the fewest such things so far, so that nine swords and one axe
    arm ten models.
    """
    size = min(max(unit.size, 1), MODELS_MAX)
    carried: list[list[Thing]] = [[] for _ in range(size)]
    rules: list[list[RuleRef]] = [[] for _ in range(size)]
    partial = [0] * size
    for line in unit.equipment:
        if line.models == 0:
            bearers: Iterable[int] = range(size)
        else:
            bearers = sorted(range(size), key=lambda place: partial[place])[: line.models]
        for place in bearers:
            partial[place] += line.models > 0
            if isinstance(line.what, RuleRef):
                rules[place] += [line.what] * line.count
            else:
                carried[place] += [line.what] * line.count
    return tuple(
        EquippedModel(tuple(things), tuple(own), specials=len(own))
        for things, own in zip(carried, rules, strict=True)
    )


def is_for_all(section: Section) -> bool:
    """Whether a purchase goes to every model of the unit."""
    return section.affects.kind == "all"


def totals(loadout: Loadout) -> tuple[tuple[Thing, int], ...]:
    """Everything the unit carries with its number, in the order it is first found from the back.

    The last models are the ordinary ones, so what most of them carry comes first. Rules bought for single models
    are counted by bearers; rules printed on the unit are not included.
    """
    counted: Counter[Thing] = Counter()
    for figure in reversed(loadout.figures):
        counted.update(figure.carried)
        counted.update(figure.rules)
    return tuple(counted.items())


def matches_target(thing: Thing, target: str) -> bool:
    """Whether a thing is what a heading calls its target: by name, in singular or plural, or by a general word."""
    wanted = plain_name(target)
    general = _GENERIC.get(wanted) or _GENERIC.get(wanted.removesuffix("s"))
    if general is not None:
        return bool(general(thing))
    if isinstance(thing, RuleRef):
        return False
    name, told = plain_name(thing.name).split(), wanted.split()
    return len(name) == len(told) and all(
        stems(one) & stems(other) for one, other in zip(name, told, strict=True)
    )


def stems(name: str) -> set[str]:
    """The stems of a word: those of singular and plural overlap (`axe` and `axes`, `staff` and `staves`)."""
    regular = name if name.endswith("ss") else name.removesuffix("s")
    found = {regular.removesuffix("e")}
    if name.endswith("ies"):
        found.add(name.removesuffix("ies") + "y")
    if name.endswith("ves"):
        found |= {name.removesuffix("ves") + ending for ending in ("f", "ff")}
    return found


def _apply_all(figures: list[EquippedModel], bought: Sequence[tuple[Section, UpgradeOption]]) -> list[str]:
    """Give the models everything bought for them; returns a text for each item that fits no model.

    Replacements come first, because a bought item is usually not what is replaced. A replacement that fits nothing is
    tried again at the end, because it may replace something that was bought.
    """
    waiting = sorted(bought, key=lambda pair: pair[0].variant != "replace")
    while waiting:
        faults = [(pair, _apply(figures, *pair)) for pair in waiting]
        left = [pair for pair, fault in faults if fault]
        if len(left) == len(waiting):
            return [fault for _, fault in faults]
        waiting = left
    return []


def _apply(figures: list[EquippedModel], section: Section, option: UpgradeOption) -> str:
    """Give an option to the models it is for; returns a text if that is impossible."""
    fault = _apply_once(figures, section, option)
    if section.affects.kind == "exactly" and not fault:  # one price for this many models
        for _ in range(section.affects.value - 1):
            _apply_once(figures, section, option)
    return fault


def _apply_once(figures: list[EquippedModel], section: Section, option: UpgradeOption) -> str:
    places = _bearers(figures, section)
    if not places:
        what = " or ".join(section.targets) or "a model"
        return f"{does(option.name, 'need')} {what}, and none is left ({section.label})"
    single = section.affects.kind != "all"
    for place in places:
        figure = figures[place]
        gains = [gain.what for gain in option.gains for _ in range(gain.count)]
        rules = tuple(thing for thing in gains if isinstance(thing, RuleRef))
        carried = figure.carried
        if section.variant == "replace":
            carried = _without_targets(carried, section)
        elif rules and (better := _with_rules(carried, section, rules)) != carried:
            carried, rules = better, ()
        figures[place] = EquippedModel(
            carried=(*carried, *(thing for thing in gains if not isinstance(thing, RuleRef))),
            rules=(*figure.rules, *rules),
            specials=figure.specials + single,
        )
    return ""


def _bearers(figures: Sequence[EquippedModel], section: Section) -> list[int]:
    """The models that get an option: all that can have it, or the one with the least bought for it alone."""
    able = [place for place, figure in enumerate(figures) if _can_take(figure, section)]
    if section.affects.kind == "all":
        return able
    return sorted(able, key=lambda place: (figures[place].specials, place))[:1]


def _can_take(figure: EquippedModel, section: Section) -> bool:
    return all(_held(figure, target) >= count for count, target in map(_counted, section.targets))


def _held(figure: EquippedModel, target: str) -> int:
    return sum(matches_target(thing, target) for thing in figure.carried)


def _without_targets(carried: tuple[Thing, ...], section: Section) -> tuple[Thing, ...]:
    kept = list(carried)
    for count, target in map(_counted, section.targets):
        found = [thing for thing in kept if matches_target(thing, target)]
        taken = len(found) if is_for_all(section) and count == 1 else count
        for thing in found[:taken]:
            kept.remove(thing)
    return tuple(kept)


def _with_rules(
    carried: tuple[Thing, ...], section: Section, rules: tuple[RuleRef, ...]
) -> tuple[Thing, ...]:
    """A model's equipment with rules added to the weapons that a heading such as `Upgrade all Bows` names."""
    targets = [target for _, target in map(_counted, section.targets)]
    return tuple(
        Weapon(thing.name, thing.attacks, thing.reach, (*thing.rules, *rules))
        if isinstance(thing, Weapon) and any(matches_target(thing, target) for target in targets)
        else thing
        for thing in carried
    )


def _counted(target: str) -> tuple[int, str]:
    match = _COUNTED.match(target.strip())
    return (max(1, int(match[1])), match[2]) if match else (1, target)


def _count_problems(unit: BookUnit, bought: Sequence[tuple[Section, UpgradeOption]]) -> list[str]:
    """Headings that were used more often than they allow."""
    by_section: dict[str, list[tuple[Section, UpgradeOption]]] = {}
    for section, option in bought:
        by_section.setdefault(section.id, []).append((section, option))
    problems: list[str] = []
    for pairs in by_section.values():
        section = pairs[0][0]
        most = most_picks(section, unit.size)
        if len(pairs) > most:
            problems.append(
                f"{unit.name}: {len(pairs)} things taken under {section.label!r}; the maximum is {most}"
            )
        if section.affects.kind in ("any", "up to"):
            continue
        for option, times in Counter(option for _, option in pairs).items():
            if times > 1:
                problems.append(
                    f"{unit.name}: {does(option.name, 'were')} bought {times} times; the maximum is once"
                )
    return problems


def most_picks(section: Section, size: int) -> int:
    """How many things a unit of that size may buy under a heading."""
    offered = len(section.options)
    match section.affects.kind:
        case "any":  # replacements are limited by what there is to replace
            return MODELS_MAX if section.variant == "replace" else size
        case "up to":
            return max(1, section.affects.value)
        case _ if section.select.kind in ("exactly", "up to"):
            return max(1, section.select.value)
        case _:
            return offered


def most_taken(section: Section, unit: BookUnit) -> int:
    """How many things a unit can take under a heading with its printed equipment: replacements need what they replace.

    If a unit has none of that, the replacement may be meant for something that is bought, and only the heading counts.
    """
    most = most_picks(section, unit.size)
    if section.variant != "replace" or not section.targets:
        return most
    needed = [_counted(target) for target in section.targets]
    figures = bare_figures(unit)
    times = sum(min(_held(figure, target) // count for count, target in needed) for figure in figures)
    return min(most, 1 if is_for_all(section) else times) if times else most


def carried_of(things: Sequence[tuple[Thing, int]], size: int) -> tuple[Carried, ...]:
    """Unit totals as lines of a unit: what divides evenly is carried by all, the rest by some."""
    lines: list[Carried] = []
    for what, total in things:
        each, rest = divmod(max(0, total), max(1, size))
        if each:
            lines.append(Carried(what, each))
        if rest:
            lines.append(Carried(what, 1, rest))
    return tuple(lines)
