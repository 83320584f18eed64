"""A roll in words, for prompts and errors."""

from __future__ import annotations

from shieldwall.core.pending import Roll
from shieldwall.core.values import Mod, Pool, Target


def asked(roll: Roll) -> str:
    """What is rolled and what is needed: "to hit: 10 dice, 4+ (+1 aim)"."""
    pools = "; ".join(_pool_words(pool) for pool in roll.pools)
    return f"{purpose_words(roll.purpose)}: {pools}"


def purpose_words(purpose: str) -> str:
    """The purpose of a roll in words."""
    return purpose.replace("_", " ").replace(":", " ")


def target_words(target: Target) -> str:
    """A needed roll with everything that changes it: "4+ (+1 aim, -1 cover)"."""
    return needed_words(target.base, target.mods if target.only_six is None else (target.only_six,))


def needed_words(base: int, mods: tuple[Mod, ...]) -> str:
    """A printed number and its modifiers; a modifier of 0 only gives a reason."""
    if not mods:
        return f"{base}+"
    parts = [_mod_words(mod) for mod in mods]
    return f"{base}+ ({', '.join(parts)})"


def _mod_words(mod: Mod) -> str:
    """A modifier and its reason; what names its own number, such as 2 tokens, does not repeat it."""
    if not mod.amount:
        return mod.why
    return f"{mod.amount:+d} {mod.why.removeprefix(f'{abs(mod.amount)} ')}"


def count(number: int, thing: str, things: str = "") -> str:
    """A number with its noun: "1 die", "3 dice"."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"


def _pool_words(pool: Pool) -> str:
    words = count(pool.dice, "die", "dice")
    if pool.target is not None:
        words += f", {target_words(pool.target)}"
    return f"{words} for {pool.note}" if pool.note else words
