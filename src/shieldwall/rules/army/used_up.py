"""What is known of rules that a unit has once: the hooks by whose use they are used up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from shieldwall.core import blocks as b
from shieldwall.core.state import RuleRef

ONCE = "once"
USED_UP = frozenset({
    "aims", "attacks_for_blocks", "attacks_on_charge", "backfires", "charge_hit", "drops_cover", "drops_penalties",
    "extra_attacks", "extra_hits_on_charge", "hit", "hits_on_charge", "ignores_rule", "longer_range", "marks",
    "misses_again", "more_attacks", "multiplies", "quality", "shoots_after", "six", "six_counts_as",
    "strikes_late", "strikes_with_dice", "to_hit",  # attacks
    "blocks_again", "counts_in_cover", "defense", "hit_on_me", "hits_on_me_again", "range_at_me", "strikes_early",
    "to_be_hit", "to_block",  # attacks on the unit
    "hits_when_hurt", "ignores_wounds_on",  # wounds
    "calls_friend", "charge_at_me", "chooses_effect", "crossing", "is_bogged", "is_endangered", "leaves_table", "move",
    "moves_after", "places_itself", "restores_on", "rolls_effect", "uses_feat",  # activations and moves
    "morale_again", "morale_failed", "passes_morale", "recovers_on", "stands_firm", "to_cast", "to_morale",  # tests
})  # fmt: skip
"""Hooks by whose use an effect that lasts once is used up."""


def unboosted(refs: Iterable[RuleRef]) -> Iterator[RuleRef]:
    """Rules with what their boosts put in place of others."""
    for ref in refs:
        yield replace(ref, blocks=_unboosted(ref.blocks)) if ref.blocks is not None else ref


def _unboosted(blocks: b.Blocks) -> b.Blocks:
    found: list[b.Block] = []
    for block in blocks:
        if isinstance(block, b.Gets) and block.rule.blocks and _boosts(block.rule.blocks):
            found += _unboosted(block.rule.blocks)
        elif isinstance(block, b.Boost):
            found += block.blocks
        else:
            found.append(block)
    return tuple(found)


def _boosts(blocks: b.Blocks) -> bool:
    return any(isinstance(block, b.Boost) for block in blocks)
