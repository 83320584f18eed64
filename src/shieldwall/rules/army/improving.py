"""Rules of the rulebook that another rule of their bearer makes better: what a boost says takes the place of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from shieldwall.core import blocks as b
from shieldwall.core.values import Mod
from shieldwall.rules.hooks import AttackContext, SpecialRule, UnitContext, WoundContext


def improve(rules: Iterable[SpecialRule], boosts: Iterable[b.Boost]) -> None:
    """Make rules as good as the boosts that name them say."""
    for boost in boosts:
        for rule in rules:
            if rule.name.casefold() == boost.rule.casefold():
                for block in boost.blocks:
                    _improve(rule, block)
                rule.boosted = True


def can_improve(rule: SpecialRule, block: b.Block) -> bool:
    """Whether a rule of the rulebook does what a block makes better."""
    return _hook_of(block) in rule.hooks


def _hook_of(block: b.Block) -> str:
    match block:
        case b.ExtraHits(hits=1):
            return "marks"
        case b.IgnoresWounds():
            return "ignores_wounds_on"
        case b.Modifier(roll="hit"):
            return "to_be_hit" if block.of == "enemy" else "to_hit"
        case b.Modifier(roll="morale"):
            return "to_morale"
        case b.Inches(of="own"):
            return "move"
    return ""


def _improve(rule: SpecialRule, block: b.Block) -> None:
    """Put the numbers of a block in the place of those of a rule, which keeps its conditions."""
    hook = _hook_of(block)
    if not can_improve(rule, block):
        return
    if isinstance(block, b.ExtraHits):
        rule.face = block.face
    elif isinstance(block, b.IgnoresWounds):
        _replace(rule, hook, _ignoring(rule, block))
    elif isinstance(block, b.Modifier):
        _replace(rule, hook, _rolling(rule, hook, block.amount))
    elif isinstance(block, b.Inches):
        _replace(rule, hook, _moving(rule, block))


def _replace(rule: SpecialRule, hook: str, better: Any) -> None:
    setattr(rule, hook, better)


def _ignoring(rule: SpecialRule, block: b.IgnoresWounds) -> Any:
    before = rule.ignores_wounds_on

    def ignores_wounds_on(ctx: WoundContext) -> int:
        return block.on if before(ctx) else 0

    return ignores_wounds_on


def _rolling(rule: SpecialRule, hook: str, amount: int) -> Any:
    before = getattr(rule, hook)

    def modifier(ctx: AttackContext | UnitContext) -> Mod | None:
        return rule.mod(amount) if before(ctx) is not None else None

    return modifier


def _moving(rule: SpecialRule, block: b.Inches) -> Any:
    before = rule.move

    def move(ctx: UnitContext, action: str) -> int:
        return block.amount if action in block.actions else before(ctx, action)

    return move
