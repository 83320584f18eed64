"""Groups that cast together: the next model takes over when the caster falls, and tokens do not last."""

from __future__ import annotations

from shieldwall.core import events as ev
from shieldwall.core.state import Unit
from shieldwall.rules.features.token_helpers import group_caster
from shieldwall.rules.ruleset import Play, TrunkStep


def hand_on_tokens(game: Play, before: Unit, lost: tuple[int, ...]) -> None:
    """Give the spell tokens of a group's caster who fell to the next one; `before` is the unit before that."""
    fallen = group_caster(game.rules, game.state, before)
    if fallen is None or fallen.id not in lost or not fallen.tokens:
        return
    heir = group_caster(game.rules, game.state, game.state.units[before.id])
    if heir is not None:
        now = min(game.rules.constants.token_cap, heir.tokens + fallen.tokens)
        game.emit(ev.TokensGained(unit=before.id, model=heir.id, now=now))


class LoseGroupTokens(TrunkStep):
    """Casters of groups lose the tokens they have not spent when a round ends."""

    name = "close.tokens"
    needs = ("casts_for_group",)

    def go(self, game: Play) -> None:
        for unit in game.state.units:
            caster = group_caster(game.rules, game.state, unit)
            if caster is not None and caster.tokens:
                game.emit(ev.TokensGained(unit=unit.id, model=caster.id, now=0))
