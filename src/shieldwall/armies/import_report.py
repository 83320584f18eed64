"""Remarks about a list and its books: what is missing, not played, played differently, or priced differently."""

from __future__ import annotations

from collections.abc import Sequence

from shieldwall.armies.army_rules import is_same_rule, means_its_text, standing_of
from shieldwall.armies.book import Book
from shieldwall.armies.coverage import cover_book, edition_of
from shieldwall.armies.forge.report import ImportReport
from shieldwall.armies.forge.systems import edition_for
from shieldwall.armies.lists import ArmyList, Entry
from shieldwall.armies.overlay import inverts_defense, overlays, printed_rules, renamed
from shieldwall.armies.recruit import Books, cost_of, has_caster, loadout_of, printed_models, unplayed_rules
from shieldwall.armies.rule_values import value_faults
from shieldwall.armies.troops import in_place
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.rulebook.nearest import did_you_mean


def report_on(army: ArmyList, books: Sequence[Book], known: Books, report: ImportReport) -> None:
    """All remarks about a list; `books` as imported, `known` translated to the edition."""
    _report_books(army, known, report)
    _report_defense(army, books, report)
    for entry in army.entries:
        _report_entry(army, entry, known, report)
    _report_rules(army, known, {pair for source in books for pair in renamed(source, army.edition)}, report)
    _report_values(army, known, report)
    _report_places(army, known, report)
    _report_points(army, known, report)


def report_on_book(book: Book, edition: str, report: ImportReport) -> None:
    """Remarks about a book by itself: the game it is for, and what is not played."""
    settled = edition or (None if edition_for(book.system) is None else edition_of(book))
    if settled is None:
        game = book.system.upper() or "a game it does not name"
        text = f"made for {game}, which Shieldwall does not play; choose an edition to use its units"
        report.add("changed", f"{text} (--edition {EDITIONS[0]})")
        return
    played = cover_book(book, settled)
    spells = f", {played.spells.played} of {played.spells.of} spells" if played.spells.of else ""
    report.add("played", f"{played.names.played} of {played.names.of} rules{spells} are played in {settled}")
    if played.unplayed:
        names = ", ".join(sorted(played.unplayed))
        report.add("kept as text", f"not played in {settled}, so not enforced: {names}")


def _report_books(army: ArmyList, known: Books, report: ImportReport) -> None:
    for ref in army.books:
        found = known.get(ref.id)
        title = ref.name or ref.id
        if found is None:
            version = f", version {ref.version}" if ref.version else ""
            report.add(
                "missing", f"the book {title} ({ref.id}{version}) is missing; import it to use this list"
            )
        elif ref.version and found.version and ref.version != found.version:
            report.add(
                "changed", f"made with version {ref.version} of {title}; this is version {found.version}"
            )


def _report_defense(army: ArmyList, books: Sequence[Book], report: ImportReport) -> None:
    """Report that Defense was converted, if a book counts it the other way than the edition."""
    used = {ref.id for ref in army.books}
    turned = {
        source.system
        for source in books
        if source.id in used and inverts_defense(source.system, army.edition)
    }
    for system in sorted(turned):
        there = army.edition if overlays()[army.edition].wounds_on else system
        written = "2+ is written 6+ there" if there == army.edition else "6+ there is 2+ here"
        text = f"Defense is converted: in {there} the attacker rolls it, so {written}"
        report.add("changed", text)


def _report_entry(army: ArmyList, entry: Entry, known: Books, report: ImportReport) -> None:
    source = known.get(army.book_of(entry))
    if source is None:
        return
    loadout = loadout_of(army, entry, known)
    if loadout is None:
        tip = did_you_mean(entry.unit, (unit.id for unit in source.units))
        where = f"{source.name} {source.version}".strip()
        report.add("missing", f"{where} has no unit {entry.unit!r}{tip}")
        return
    ref = next((ref for ref in army.books if ref.id == source.id), None)
    for pick in loadout.missing:
        made = (
            f"; the list was made with {ref.version}"
            if ref and ref.version not in ("", source.version)
            else ""
        )
        where = f" under {pick.section!r}" if pick.section else ""
        other = source.offered_to_others(pick.option, pick.section)
        text = (
            f"option {pick.option!r}{where} is not in version {source.version}{made}"
            if other is None
            else f"{other[1].name} ({other[0].label}) is not offered to it; it was left out"
        )
        report.add("missing", f"{loadout.unit.name}: {text}")
    for problem in loadout.problems:
        report.add("changed", problem)


def _report_rules(army: ArmyList, known: Books, renaming: set[tuple[str, str]], report: ImportReport) -> None:
    """Rules of the list that its edition does not play, or plays under another name."""
    used = {
        rule.name
        for _, rules, weapons in printed_models(army, known)
        for rule in (*rules, *(rule for weapon in weapons for rule in weapon.rules))
    }
    if has_caster(army, known):
        _report_spells(army, known, report)
    for name, played in sorted(renaming):
        if played in used:
            sources = [
                source for source in known.values() if name in {rule.name for rule in source.rules}
            ] or list(known.values())
            report.add("changed", _renamed_words(sources[0], name, played, army.edition))
    for name in sorted(used - {played for _, played in renaming}):
        _report_other_meaning(army, known, name, report)
    for name, units in unplayed_rules(army, known).items():
        report.add("kept as text", f"{name} is kept as text, not enforced: {', '.join(units)}")


def _renamed_words(source: Book, name: str, played: str, edition: str) -> str:
    """How a rule with another name is played, and whether it is the same rule."""
    if is_same_rule(source, name, edition, played):
        return f"{name} is played as {played}, which is what {edition} calls it"
    return f"{name} is played as {played}, the nearest rule in {edition}, which is not the same"


def _report_other_meaning(army: ArmyList, known: Books, name: str, report: ImportReport) -> None:
    """Report rules that share their name with a different rule of the edition."""
    for source in known.values():
        found = standing_of(source, army.edition, name)
        is_other = found.is_played and not means_its_text(source, army.edition, name)
        if source.written_for and is_other and name in printed_rules(source):
            text = f"{name} is played as in {army.edition}, which differs from the book's own game"
            report.add("changed", text)


def _report_values(army: ArmyList, known: Books, report: ImportReport) -> None:
    """Rules that need a number and have none, or an impossible one."""
    for told in value_faults(ruleset(army.edition).specials, printed_models(army, known)):
        report.add("guessed", told)


def _report_places(army: ArmyList, known: Books, report: ImportReport) -> None:
    """Model rules that are printed on weapons, and weapon rules that are printed on models."""
    specials = ruleset(army.edition).specials
    on_weapons, on_models = set[tuple[str, str, str]](), set[tuple[str, str]]()
    for unit, rules, weapons in printed_models(army, known):
        own, held = in_place(specials, rules, weapons)
        for before, after in zip(weapons, held, strict=True):
            on_weapons |= {(rule.name, before.name, unit) for rule in before.rules if rule not in after.rules}
        on_models |= {(rule.name, unit) for rule in rules if rule not in own}
    for name, weapon, unit in sorted(on_weapons):
        report.add(
            "changed", f"{unit}: {name} on {weapon} is a model rule, so it applies to the models with it"
        )
    for name, unit in sorted(on_models):
        report.add("changed", f"{unit}: {name} is a weapon rule, so it applies to all weapons of its models")


def _report_spells(army: ArmyList, known: Books, report: ImportReport) -> None:
    """Spells that the list's casters know and that cannot be played."""
    for name in dict.fromkeys(army.book_of(entry) for entry in army.entries):
        for spell in known[name].spells if name in known else ():
            if spell.spec is None:
                report.add("kept as text", f"spell {spell.name}: its effect is kept as text, not enforced")


def _report_points(army: ArmyList, known: Books, report: ImportReport) -> None:
    if not all(loadout_of(army, entry, known) is not None for entry in army.entries):
        return
    cost = cost_of(army, known)
    if army.stated and army.stated != cost:
        rest = army.stated - cost
        report.add(
            "points",
            f"the list says {army.stated} points; by the book it costs {cost} (a difference of {rest:+d})",
        )
