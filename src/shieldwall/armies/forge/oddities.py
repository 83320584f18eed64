"""Impossible numbers and rules in a file: each is replaced by something similar and reported here."""

from __future__ import annotations

import math

from shieldwall.armies.forge.gear import (
    ATTACKS_MAX,
    COUNT_MAX,
    RANGE_MAX,
    as_printed,
    is_readable,
    is_weapon,
    rule_of,
    weapon_of,
)
from shieldwall.armies.forge.report import ImportReport
from shieldwall.armies.forge.wire import Raw, name_of, part, parts, whole
from shieldwall.armies.rule_names import printed_name
from shieldwall.armies.rule_values import VALUE_MAX
from shieldwall.core.values import MILLI

GEAR = ("weapons", "items", "equipment", "content", "gains", "loadout")
RULES = ("rules", "specialRules")
NO_NUMBER = -1_000_000_000
DEEPEST = 6


def report_oddities(raw: Raw, where: str, report: ImportReport, depth: int = 0) -> None:
    """Report what is odd about the gear and rules of a unit, an option or a piece of gear."""
    for rules in (raw.get(key) for key in RULES):
        _report_rules(rules, where, report)
    for key in GEAR:
        told = raw.get(key)
        if isinstance(told, list) and (unread := sum(not is_readable(piece) for piece in told)):
            report.add("left out", f"{where}: {unread} of {len(told)} entries of its {key} cannot be read")
    for piece in [piece for key in GEAR for piece in parts(raw, key)]:
        name = name_of(piece.get("name") or piece.get("label"), "something nameless")
        if is_weapon(piece):
            _report_weapon(piece, f"{where}: {name}", report)
        elif "rating" in piece:
            _report_rules([piece], where, report)
        count = piece.get("count")
        if _is_odd(count, 0, COUNT_MAX):
            played = max(1, min(COUNT_MAX, whole(count, 1)))
            report.add(
                "guessed", f"{where}: {name} has the count {name_of(count, 'odd')}; played as {played}"
            )
        if depth < DEEPEST:
            report_oddities(piece, where, report, depth + 1)


def _report_weapon(raw: Raw, where: str, report: ImportReport) -> None:
    raw, weapon = as_printed(raw), weapon_of(raw)
    told = raw.get("attacks")
    plain = told.strip().upper().removeprefix("A") if isinstance(told, str) else told
    if told is None or _is_odd(plain, 1, ATTACKS_MAX):
        said = "gives no attacks" if told in (None, "") else f"has {name_of(told, 'odd')} attacks"
        report.add("guessed", f"{where} {said}; played as A{weapon.attacks}")
    if _is_odd(raw.get("range"), 0, RANGE_MAX):
        reach = f'{weapon.reach // MILLI}"' if weapon.reach else "a melee weapon"
        report.add("guessed", f"{where} has the range {name_of(raw.get('range'), 'odd')}; played as {reach}")


def _report_rules(raw: object, where: str, report: ImportReport) -> None:
    if not isinstance(raw, list):
        return
    unread = sum(rule_of(rule) is None for rule in raw)
    if unread:
        report.add("left out", f"{where}: {unread} of {len(raw)} rules cannot be read")
    for rule in raw:
        rating, read = part(rule, "rating"), rule_of(rule)
        if read is None or (isinstance(rating, str) and whole(rating, NO_NUMBER) == NO_NUMBER):
            continue  # a rating that is text belongs to the name
        if _is_odd(rating, 0, VALUE_MAX) and printed_name(read.name) == read.name:
            told = f"{read.name}({name_of(rating, 'odd')})"
            report.add("guessed", f"{where}: {told} is played as {read.name}({read.value})")


def _is_odd(told: object, least: int, most: int) -> bool:
    """Whether a number is present but invalid, fractional, or outside the range of any list."""
    if told is None or told == "":
        return False
    if isinstance(told, float) and (not math.isfinite(told) or told != round(told)):
        return True
    return not least <= whole(told, NO_NUMBER) <= most
