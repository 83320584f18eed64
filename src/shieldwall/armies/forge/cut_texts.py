"""Repairs texts of rules that books of 2021 and 2022 hold in pieces: lists of effects with an entry for each line, and
texts that run into that of the next rule."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec.structs import replace

from shieldwall.armies.book import RuleText

_VALUE = re.compile(r"\s*\(\+?X\+?\)$", re.IGNORECASE)
_BULLET = re.compile(r"^[^\w\s(+]+\s*")


def repair_cut_texts(told: Iterable[RuleText], printed: Iterable[str]) -> list[RuleText]:
    """The texts of a book, each complete and separate; `printed` are the rules that its units have."""
    found: list[RuleText] = []
    for rule in told:
        bullet = _BULLET.match(rule.name)
        if bullet is not None and found:
            line = f"• {rule.name[bullet.end() :]}: {rule.text}"
            found[-1] = replace(found[-1], text=f"{found[-1].text} {line}")
        else:
            found.append(replace(rule, name=_VALUE.sub("", rule.name)))
    return _split_run_on_texts(found, set(printed) - {rule.name for rule in found})


def _split_run_on_texts(told: list[RuleText], missing: set[str]) -> list[RuleText]:
    """Split off the texts of rules that follow inside another text, such as `... Good Eye: This model ...`."""
    if not missing:
        return told
    names = "|".join(re.escape(name) for name in sorted(missing, key=len, reverse=True))
    heading = re.compile(rf"(?<![•\-*])\s+(?P<name>{names}):\s+(?=[A-Z])")
    found: list[RuleText] = []
    for rule in told:
        pieces = heading.split(rule.text)
        found.append(replace(rule, text=pieces[0]))
        found += [
            RuleText(name, text, rule.on) for name, text in zip(pieces[1::2], pieces[2::2], strict=True)
        ]
    return found
