"""What there is to say about a list beside its books: what is missing, not played, played otherwise, or priced so."""

from __future__ import annotations

from collections.abc import Sequence

from shieldwall.armies.book import Book
from shieldwall.armies.forge.report import Report
from shieldwall.armies.lists import ArmyList, Entry
from shieldwall.armies.muster import unknown_rules
from shieldwall.armies.overlay import overlays, renamed, turns_defense
from shieldwall.armies.recruit import Books, cost_of, loadout_of, printed_models, spell_specs
from shieldwall.armies.rule_values import value_faults
from shieldwall.armies.spells import read_spells
from shieldwall.armies.troops import in_place
from shieldwall.core.errors import MalformedError
from shieldwall.core.state import RuleRef, Spell
from shieldwall.editions import ruleset

CASTERS = {"Caster", "Wizard"}


def report_on(army: ArmyList, books: Sequence[Book], known: Books, report: Report) -> None:
    """Everything a player should hear about a list; `books` as they came, `known` in the words of the edition."""
    _report_books(army, known, report)
    _report_defense(army, books, report)
    for entry in army.entries:
        _report_entry(army, entry, known, report)
    _report_rules(army, known, {pair for source in books for pair in renamed(source, army.edition)}, report)
    _report_values(army, known, report)
    _report_places(army, known, report)
    _report_points(army, known, report)


def _report_books(army: ArmyList, known: Books, report: Report) -> None:
    for ref in army.books:
        found = known.get(ref.id)
        title = ref.name or ref.id
        if found is None:
            version = f", version {ref.version}" if ref.version else ""
            report.add(
                "missing", f"the book {title} ({ref.id}{version}) is not here; import it to use this list"
            )
        elif ref.version and found.version and ref.version != found.version:
            report.add(
                "changed", f"made with version {ref.version} of {title}; this is version {found.version}"
            )


def _report_defense(army: ArmyList, books: Sequence[Book], report: Report) -> None:
    """Say that Defense was turned round where a book counts it the other way than the edition."""
    used = {ref.id for ref in army.books}
    turned = {
        source.system for source in books if source.id in used and turns_defense(source.system, army.edition)
    }
    for system in sorted(turned):
        there = army.edition if overlays()[army.edition].wounds_on else system
        written = "2+ is written 6+ there" if there == army.edition else "6+ there is 2+ here"
        text = f"Defense is turned round: in {there} the attacker rolls it, so that {written}"
        report.add("changed", text)


def _report_entry(army: ArmyList, entry: Entry, known: Books, report: Report) -> None:
    source = known.get(army.book_of(entry))
    if source is None:
        return
    loadout = loadout_of(army, entry, known)
    if loadout is None:
        report.add("missing", f"{source.name} {source.version} has no unit {entry.unit!r}".replace("  ", " "))
        return
    ref = next((ref for ref in army.books if ref.id == source.id), None)
    for pick in loadout.missing:
        made = (
            f"; the list was made with {ref.version}"
            if ref and ref.version not in ("", source.version)
            else ""
        )
        where = f" under {pick.section!r}" if pick.section else ""
        text = f"{loadout.unit.name}: option {pick.option!r}{where} is not in version {source.version}{made}"
        report.add("missing", text)
    for problem in loadout.problems:
        report.add("changed", problem)


def _report_rules(army: ArmyList, known: Books, renaming: set[tuple[str, str]], report: Report) -> None:
    """Rules of the list that its edition does not play, or plays under another name."""
    specials = ruleset(army.edition).specials
    found: dict[str, list[str]] = {}
    used: set[str] = set()
    for entry in army.entries:
        loadout = loadout_of(army, entry, known)
        if loadout is None:
            continue
        printed: list[RuleRef] = [*loadout.unit.rules]
        for figure in loadout.figures:
            printed += [*figure.gained, *(rule for weapon in figure.weapons for rule in weapon.rules)]
        used |= {rule.name for rule in printed}
        for name in dict.fromkeys(rule.name for rule in printed if not specials.knows(rule.name)):
            found.setdefault(name, []).append(loadout.unit.name)
    if used & CASTERS:
        _report_spells(army, known, report)
        for rule in unknown_rules(specials, (), (), _spells_of(army, known)):
            found.setdefault(rule.rule, []).append(rule.unit)
    for name, played in sorted(renaming):
        if played in used:
            report.add("changed", f"{name} is played as {played}, which is what {army.edition} calls it")
    for name, units in sorted(found.items()):
        text = f"{name} is kept as text, not enforced: {', '.join(dict.fromkeys(units))}"
        report.add("kept as text", text)


def _report_values(army: ArmyList, known: Books, report: Report) -> None:
    """Rules that want a number and have none, or one that makes no sense."""
    for told in value_faults(ruleset(army.edition).specials, printed_models(army, known)):
        report.add("guessed", told)


def _report_places(army: ArmyList, known: Books, report: Report) -> None:
    """Rules of models that are printed on weapons, and rules of weapons that are printed on models."""
    specials = ruleset(army.edition).specials
    on_weapons, on_models = set[tuple[str, str, str]](), set[tuple[str, str]]()
    for unit, rules, weapons in printed_models(army, known):
        own, held = in_place(specials, rules, weapons)
        for before, after in zip(weapons, held, strict=True):
            on_weapons |= {(rule.name, before.name, unit) for rule in before.rules if rule not in after.rules}
        on_models |= {(rule.name, unit) for rule in rules if rule not in own}
    for name, weapon, unit in sorted(on_weapons):
        report.add("changed", f"{unit}: {name} on {weapon} is a rule of models, so its bearers have it")
    for name, unit in sorted(on_models):
        report.add("changed", f"{unit}: {name} is a rule of weapons, so all weapons of its bearers have it")


def _report_spells(army: ArmyList, known: Books, report: Report) -> None:
    """Spells that the list's casters know and nobody can play."""
    for name in dict.fromkeys(army.book_of(entry) for entry in army.entries):
        for spell in known[name].spells if name in known else ():
            if spell.spec is None:
                report.add("kept as text", f"spell {spell.name}: its effect is kept as text, not enforced")


def _spells_of(army: ArmyList, known: Books) -> tuple[Spell, ...]:
    """The spells of the books that a list takes units from; none where they cannot be read."""
    books = dict.fromkeys(army.book_of(entry) for entry in army.entries)
    try:
        return read_spells(spec for name in books if name in known for spec in spell_specs(known[name]))
    except MalformedError:
        return ()


def _report_points(army: ArmyList, known: Books, report: Report) -> None:
    if not all(loadout_of(army, entry, known) is not None for entry in army.entries):
        return
    cost = cost_of(army, known)
    if army.stated and army.stated != cost:
        rest = army.stated - cost
        report.add(
            "points",
            f"the list says {army.stated} points; by the book it costs {cost} ({rest:+d} unexplained)",
        )
