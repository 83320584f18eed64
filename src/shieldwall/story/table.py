"""The one table from events to words. A new kind of event needs one line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from shieldwall.core import events as ev
from shieldwall.core.state import State
from shieldwall.story import fighting, playing
from shieldwall.story.names import Names

Teller = Callable[[Any, Names, State], str]

# The event type differs from entry to entry, which a mapping cannot say; `tell` looks up by exact type.
TELLERS: Mapping[type[Any], Teller] = {
    ev.Rolled: playing.rolled,
    ev.RolledOff: playing.rolled_off,
    ev.MarkerPlaced: playing.marker_placed,
    ev.MarkerFlipped: playing.marker_flipped,
    ev.MissionChosen: playing.mission_chosen,
    ev.MarkerTaken: playing.marker_taken,
    ev.MarkerDropped: playing.marker_dropped,
    ev.MarkerGone: playing.marker_gone,
    ev.SecretFound: playing.secret_found,
    ev.Garrisoned: playing.garrisoned,
    ev.LeftBuilding: playing.left_building,
    ev.EdgeChosen: playing.edge_chosen,
    ev.FirstSideSet: playing.first_side_set,
    ev.Attached: playing.attached,
    ev.HeldBack: playing.held_back,
    ev.LeftTable: playing.left_table,
    ev.CalledUp: playing.called_up,
    ev.PickMade: playing.pick_made,
    ev.UnitPlaced: playing.placed,
    ev.Boarded: playing.boarded,
    ev.LeftCarrier: playing.left_carrier,
    ev.Wrecked: playing.wrecked,
    ev.SizesRecorded: playing.sizes_recorded,
    ev.RostersRecorded: playing.rosters_recorded,
    ev.RoundBegan: playing.round_began,
    ev.RoundEnded: playing.round_ended,
    ev.TurnPassed: playing.turn_passed,
    ev.TurnGiven: playing.turn_given,
    ev.RanDry: playing.ran_dry,
    ev.Activated: playing.activated,
    ev.ActionChosen: playing.action_chosen,
    ev.ActivationEnded: playing.activation_ended,
    ev.Moved: playing.moved,
    ev.Aligned: playing.aligned,
    ev.ChargeFailed: fighting.charge_failed,
    ev.Declared: fighting.declared,
    ev.VolleyLost: fighting.volley_lost,
    ev.Hit: fighting.hit,
    ev.Blocked: fighting.blocked,
    ev.Ignored: fighting.ignored,
    ev.Wounded: fighting.wounded,
    ev.Removed: fighting.removed,
    ev.Destroyed: fighting.destroyed,
    ev.Stunned: fighting.stunned,
    ev.Healed: fighting.healed,
    ev.Restored: fighting.restored,
    ev.Recovered: fighting.recovered,
    ev.Broke: fighting.broke,
    ev.MoraleTested: fighting.morale_tested,
    ev.Tired: fighting.tired,
    ev.Rested: fighting.rested,
    ev.MeleeScored: fighting.melee_scored,
    ev.TokensGained: fighting.tokens_gained,
    ev.TokensSpent: fighting.tokens_spent,
    ev.SpellCast: fighting.spell_cast,
    ev.SpellOpposed: fighting.spell_opposed,
    ev.EffectBegan: fighting.effect_began,
    ev.EffectEnded: fighting.effect_ended,
    ev.WeaponUsed: fighting.weapon_used,
    ev.Jumped: fighting.jumped,
    ev.Fell: fighting.fell,
    ev.Ruled: playing.ruled,
    ev.GameEnded: playing.game_ended,
}


def tell(event: ev.AnyEvent, state: State, names: Names | None = None) -> str:
    """One event as a sentence. `state` is the one before the event, where those it names are still there."""
    words = TELLERS[type(event)](event, names or Names(state), state)
    return words[0].upper() + words[1:]
