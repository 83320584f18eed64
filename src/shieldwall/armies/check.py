"""Checks whether a list is legal: every problem at once, each with the row of the edition it comes from.

Violations of force organisation are warnings, because players may agree on it or not; callers can ask for
errors instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.armies.army_rules import most_in_list
from shieldwall.armies.book import Book
from shieldwall.armies.lists import ArmyList, Entry
from shieldwall.armies.loadout import Loadout, is_for_all, outfit
from shieldwall.armies.muster import Mustering, mustering_for
from shieldwall.armies.recruit import Books, books_of, loadout_of, printed_models, troops_of, unplayed_rules
from shieldwall.armies.rule_names import COMMAND
from shieldwall.armies.rule_values import value_faults
from shieldwall.core.errors import MalformedError
from shieldwall.core.grammar import counted, does
from shieldwall.core.state import RuleRef, Unit
from shieldwall.editions import ruleset
from shieldwall.editions.demands import forces
from shieldwall.rulebook.house_rules import settle
from shieldwall.rulebook.nearest import did_you_mean
from shieldwall.rules.features import army_lists
from shieldwall.rules.features.roster import ForceRoster

Level = Literal["error", "warning", "note"]
NO_SIZE = "no game size is agreed on yet: set the points of the game (--points) or of the list"


class Finding(Struct, frozen=True):
    """One finding about a list; `row` is empty if no rulebook is the source (a missing book, for example)."""

    level: Level
    text: str
    row: str = ""


class Checked(Struct, frozen=True):
    """The result of checking a list: its cost, the game size used, and all findings."""

    name: str
    edition: str
    cost: int
    points: int
    findings: tuple[Finding, ...]

    @property
    def is_legal(self) -> bool:
        """Whether no finding is an error."""
        return not any(finding.level == "error" for finding in self.findings)


def check_list(
    army: ArmyList,
    books: Sequence[Book] = (),
    *,
    points: int = 0,
    options: Mapping[str, str] | None = None,
    strict: bool = False,
) -> Checked:
    """Check a list for a game of `points` points (the list's own size if 0).

    If neither is given, the size the book suggests is used, unless the book wants the players to agree
    first. `strict` turns violations of force organisation into errors. Our own books need not be given.
    """
    known = books_of(army, books)
    demands = forces(army.edition)
    size = points or army.points or (0 if demands.agreed else default_size(army.edition))
    loadouts = [(entry, loadout_of(army, entry, known)) for entry in army.entries]
    cost = sum(loadout.cost for _, loadout in loadouts if loadout is not None)
    findings = [] if size else [Finding("error", NO_SIZE, demands.size)]
    findings += _book_findings(army, loadouts, known)
    if all(loadout is not None for _, loadout in loadouts):
        present = [(entry, loadout) for entry, loadout in loadouts if loadout is not None]
        held_to = size or max(cost, default_size(army.edition))
        findings += _rule_findings(army, present, known, held_to, settle(army.edition, options or {}), strict)
        findings += _unique_findings(army, present, known)
        findings += _unplayed(army, known)
        faults = value_faults(ruleset(army.edition).specials, printed_models(army, known))
        findings += [Finding("warning", fault) for fault in faults]
    findings += [Finding("note", told.text, told.row) for told in demands.advice(size)]
    return Checked(army.name, army.edition, cost, size, tuple(dict.fromkeys(findings)))


def check_game(
    lists: Sequence[ArmyList],
    books: Sequence[Book] = (),
    *,
    points: int = 0,
    options: Mapping[str, str] | None = None,
    strict: bool = False,
) -> tuple[Checked, ...]:
    """Check every list of a game at one size: the agreed one, else the largest that any list was made for, or what the
    book suggests.

    If no size was agreed and lists were made for different sizes, each list that is not of the game's size has an
    error.
    """
    size = points or max((army.points for army in lists), default=0)
    found: list[Checked] = []
    for army in lists:
        checked = check_list(
            army, books, points=size or default_size(army.edition), options=options, strict=strict
        )
        if not points and army.points and army.points != size:
            text = f"made for {army.points} points, but another list in this game is for {size}; agree on one size"
            other = Finding("error", text, forces(army.edition).size)
            checked = replace(checked, findings=(other, *checked.findings))
        found.append(checked)
    return tuple(found)


def check_side(
    lists: Sequence[ArmyList],
    books: Sequence[Book] = (),
    *,
    points: int = 0,
    options: Mapping[str, str] | None = None,
) -> Checked:
    """Check the lists of allied players, who share points and limits; raises if no rule says how.

    The points of the side are the agreed ones, else the most any list was made for, or what the book suggests.
    """
    army = lists[0]
    demands = forces(army.edition)
    others = [other.edition for other in lists if other.edition != army.edition]
    if demands.side is None or others:
        why = (
            f"lists for {others[0]} and {army.edition} cannot play together"
            if others
            else "its book has no rules for allies"
        )
        raise MalformedError(f"lists of allies in {army.edition}", [why])
    size = points or max(each.points for each in lists) or default_size(army.edition)
    findings: list[Finding] = []
    rosters: list[ForceRoster] = []
    for each in lists:
        known = books_of(each, books)
        loadouts = [(entry, loadout_of(each, entry, known)) for entry in each.entries]
        findings += _book_findings(each, loadouts, known)
        present = [(entry, loadout) for entry, loadout in loadouts if loadout is not None]
        rosters.append(roster_of(each, present, known))
        findings += _unplayed(each, known) if len(present) == len(loadouts) else []
    told = demands.side(rosters, size, settle(army.edition, options or {}))
    findings += [Finding("error", problem.text, problem.row) for problem in told]
    findings += [Finding("note", advised.text, advised.row) for advised in demands.advice(size)]
    cost = sum(army_lists.total(roster.entries) for roster in rosters)
    name = " and ".join(each.name for each in lists)
    return Checked(name, army.edition, cost, size, tuple(dict.fromkeys(findings)))


def default_size(edition: str) -> int:
    """The larger of the game sizes an edition suggests."""
    return max(forces(edition).sizes.values())


def _book_is_missing(army: ArmyList, name: str) -> Finding:
    """One finding about a missing book for all units that come from it."""
    units = sum(army.book_of(entry) == name for entry in army.entries)
    ref = next((ref for ref in army.books if ref.id == name), None)
    title = (ref.name if ref is not None else "") or name or "of these units"
    version = f", version {ref.version}" if ref is not None and ref.version else ""
    come = f"{counted(units, 'unit')} of the list {'comes' if units == 1 else 'come'} from it"
    how = "`shieldwall army import BOOK`, or `--book BOOK` for once"
    return Finding("error", f"the army book {title}{version} is missing; import it ({how}): {come}")


def _book_findings(
    army: ArmyList, loadouts: Sequence[tuple[Entry, Loadout | None]], known: Books
) -> list[Finding]:
    """Problems with the books: missing units and options, and headings used too often."""
    row = forces(army.edition).picks
    found: list[Finding] = []
    for name in dict.fromkeys(army.book_of(entry) for entry, loadout in loadouts if loadout is None):
        if name not in known:
            found.append(_book_is_missing(army, name))
    for entry, loadout in loadouts:
        if loadout is None and army.book_of(entry) not in known:
            continue
        if loadout is None:
            source = known[army.book_of(entry)]
            where = f"{source.name} {source.version}".strip()
            tip = did_you_mean(entry.unit, (unit.id for unit in source.units))
            tip = tip or "; import the book it comes from"
            text = f"{entry.name or entry.unit}: {where} has no unit {entry.unit!r}{tip}"
            found.append(Finding("error", text))
            continue
        found += [Finding("error", problem, row) for problem in loadout.problems]
        for pick in loadout.missing:
            source = known[army.book_of(entry)]
            other = source.offered_to_others(pick.option, pick.section)
            text = (
                f"the option {pick.option!r} is not in version {source.version} of the book; it was left out"
                if other is None
                else f"{other[1].name} ({other[0].label}) is not offered to it; it was left out"
            )
            found.append(Finding("error", f"{loadout.unit.name}: {text}", row))
    ids = {entry.id for entry in army.entries}
    found += [
        Finding(
            "warning", f"{does(entry.name or entry.unit, 'join')} {entry.joins!r}, which is not in the list"
        )
        for entry in army.entries
        if entry.joins and entry.joins not in ids
    ]
    return found


def _unique_findings(
    army: ArmyList, loadouts: Sequence[tuple[Entry, Loadout]], known: Books
) -> list[Finding]:
    """Units that exceed the number a rule of theirs allows in a list."""
    taken = Counter[tuple[str, str, str, int]]()
    for entry, loadout in loadouts:
        source = known[army.book_of(entry)]
        rules = dict.fromkeys(rule for figure in loadout.figures for rule in figure.gained)
        for name in dict.fromkeys(rule.name for rule in (*loadout.unit.rules, *rules)):
            if most := most_in_list(source, army.edition, name):
                taken[source.id, loadout.unit.name, name, most] += 2 if entry.is_combined else 1
    return [
        Finding(
            "error",
            f"{unit} is {name}: a list may have it {'once' if most == 1 else f'{most} times'}, this one has it "
            f"{count} times; remove {count - most}",
        )
        for (_, unit, name, most), count in taken.items()
        if count > most
    ]


def _rule_findings(
    army: ArmyList,
    loadouts: Sequence[tuple[Entry, Loadout]],
    known: Books,
    size: int,
    options: Mapping[str, str],
    strict: bool,
) -> list[Finding]:
    """What the edition says, with and without force organisation."""
    roster = roster_of(army, loadouts, known)
    demands = forces(army.edition)
    switch = demands.organisation
    always = demands.problems(roster, size, {**options, switch: "off"} if switch else options)
    found = [Finding("error", problem.text, problem.row) for problem in always]
    if switch:
        agreed = strict or army.force_organisation or options.get(switch) == "on"
        level: Level = "error" if agreed else "warning"
        organised = demands.problems(roster, size, {**options, switch: "on"})
        found += [Finding(level, problem.text, problem.row) for problem in organised if problem not in always]
    return found


def _unplayed(army: ArmyList, known: Books) -> list[Finding]:
    """Special rules on the list that the edition does not play, or what prevents it from being mustered at all."""
    try:
        mustering = mustering_for(ruleset(army.edition))
        for troop in troops_of(army, known):
            mustering.enlist(troop, 0)
        mustering.finished()
    except MalformedError as error:
        return [Finding("error", problem) for problem in error.problems]
    return [
        Finding("note", f"{rule} is kept as text, not enforced: {', '.join(units)}")
        for rule, units in unplayed_rules(army, known).items()
    ]


def roster_of(army: ArmyList, loadouts: Sequence[tuple[Entry, Loadout]], known: Books) -> ForceRoster:
    """The list in the form that an edition's requirements check."""
    places = {entry.id: place for place, (entry, _) in enumerate(loadouts)}
    rules = ruleset(army.edition)
    mustering = mustering_for(rules)
    entries, halves, units = [], [], []
    for place, (entry, loadout) in enumerate(loadouts):
        source = known[army.book_of(entry)]
        joins = places.get(entry.joins, -1) if entry.joins else -1
        if entry.second is None:
            entries.append(_entry(source, entry, loadout, joins))
        else:
            pair = [outfit(source, loadout.unit, picks) for picks in (entry.picks, entry.second)]
            first, second = (_entry(source, entry, half, joins) for half in pair)
            halves.append((place, first, second))
            entries.append(army_lists.merged(first, second))
        units.append(_lone_unit(army, entry, known, mustering))
    books = tuple(dict.fromkeys(army.book_of(entry) for entry, _ in loadouts))
    return ForceRoster(tuple(entries), tuple(halves), tuple(units), tuple(mustering.profiles), books)


def _lone_unit(army: ArmyList, entry: Entry, known: Books, mustering: Mustering) -> Unit:
    """The unit of one entry, without any hero who joined it."""
    alone = replace(army, entries=(replace(entry, joins="", name=""),))
    return mustering.enlist(troops_of(alone, known)[0], 0)


def _entry(source: Book, entry: Entry, loadout: Loadout, joins: int) -> army_lists.ListedUnit:
    unit = loadout.unit
    rules = [rule for figure in loadout.figures for rule in figure.gained]
    upgrades = tuple(
        army_lists.Upgrade(option.name, option.price(unit.id), is_for_all(section))
        for section, option in loadout.bought
    )
    return army_lists.ListedUnit(
        name=unit.name,
        price=unit.cost,
        models=loadout.size,
        faction=source.id,
        upgrades=upgrades,
        command=_command(rules),
        is_hero=unit.is_hero,
        tough=max((_tough(unit.rules, figure.gained) for figure in loadout.figures), default=1),
        joins=joins,
    )


def _command(rules: Sequence[RuleRef]) -> tuple[str, ...]:
    counts = Counter(rule.name for rule in rules if rule.name in COMMAND)
    return tuple(name for name in COMMAND for _ in range(counts[name]))


def _tough(*rules: Sequence[RuleRef]) -> int:
    return sum(max(1, rule.value) for part in rules for rule in part if rule.name == "Tough") or 1
