"""Morale tests that an army rule or the text of a spell calls."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from shieldwall.core.frames import Morale, RuleUse
from shieldwall.rules.army.picking import AFTER_FAILING, amount_die, apply_block, blocks_of, rule_of
from shieldwall.rules.ruleset import Play, TrunkStep
from shieldwall.rules.steps.morale import test_taken


class NerveByRule(TrunkStep):
    """Failing such a test does what the text says and nothing else."""

    name = "morale.effect"

    def go(self, game: Play) -> None:
        frame = game.top(Morale)
        use = game.nearest(RuleUse)
        assert use is not None, "only rules call this test"
        test_taken(game, frame, game.rules.cite("morale.roll"))
        rule = rule_of(game, use)
        if frame.passed or rule is None:
            return
        failed = replace(use, procedure=AFTER_FAILING[use.procedure], picked=(frame.unit,), worked=1, step="")
        if amount_die(blocks_of(failed, rule)):
            game.follow(failed)
            return
        for block in blocks_of(failed, rule):
            apply_block(game, use, rule, frame.unit, block)


def nerve_procedure(morale: Sequence[TrunkStep]) -> tuple[TrunkStep, ...]:
    """An edition's morale test as rules call it."""
    return tuple(NerveByRule() if step.name == "morale.effect" else step for step in morale)
