"""Typed facts in the past tense. Only events change the state, and logs, views and stories are made from them.

Every event has `cite`, the row it comes from, and says what it does to the state (`apply`). Events of fights and
events about markers have modules of their own and are re-exported here.
"""

from __future__ import annotations

from typing import get_args

from msgspec.structs import replace

from shieldwall.core.event import Event, ThrownPool
from shieldwall.core.events_fighting import (
    Blocked,
    Broke,
    Declared,
    Destroyed,
    EffectBegan,
    EffectEnded,
    Fell,
    Healed,
    Hit,
    Ignored,
    Jumped,
    MeleeScored,
    MoraleTested,
    Recovered,
    Removed,
    Rested,
    Restored,
    SpellCast,
    SpellOpposed,
    Stunned,
    Tired,
    TokensGained,
    TokensSpent,
    VolleyLost,
    WeaponUsed,
    Wounded,
)
from shieldwall.core.events_markers import (
    MarkerDropped,
    MarkerFlipped,
    MarkerGone,
    MarkerPlaced,
    MarkerTaken,
    MissionChosen,
    SecretFound,
    carry_along,
    put_away,
)
from shieldwall.core.state import (
    State,
    Use,
    called_up,
    put_at,
    with_fields,
    with_roster,
    with_side,
    with_unit,
    with_units_in_place,
)
from shieldwall.core.values import Pose

__all__ = [
    "Blocked",
    "Broke",
    "Declared",
    "Destroyed",
    "EffectBegan",
    "EffectEnded",
    "Event",
    "Fell",
    "Healed",
    "Hit",
    "Ignored",
    "Jumped",
    "MarkerDropped",
    "MarkerFlipped",
    "MarkerGone",
    "MarkerPlaced",
    "MarkerTaken",
    "MeleeScored",
    "MissionChosen",
    "MoraleTested",
    "Recovered",
    "Removed",
    "Rested",
    "Restored",
    "SecretFound",
    "SpellCast",
    "SpellOpposed",
    "Stunned",
    "ThrownPool",
    "Tired",
    "TokensGained",
    "TokensSpent",
    "VolleyLost",
    "WeaponUsed",
    "Wounded",
]  # re-exported for convenience


class Rolled(Event, frozen=True, tag="rolled"):
    """Dice were thrown."""

    purpose: str
    seat: int
    rolls: tuple[ThrownPool, ...]

    def apply(self, state: State) -> State:
        return with_fields(state, rolls_made=state.rolls_made + 1)


class RolledOff(Event, frozen=True, tag="rolled_off"):
    """A roll-off was won."""

    winner: int
    purpose: str


class Garrisoned(Event, frozen=True, tag="garrisoned"):
    """A unit went into a building, and is off the table from now on."""

    unit: int
    piece: int

    def apply(self, state: State) -> State:
        state = put_away(state, self.unit)
        unit = state.units[self.unit]
        return with_unit(state, replace(unit, place="garrison", inside=self.piece, block=None, poses=()))


class LeftBuilding(Event, frozen=True, tag="left_building"):
    """A unit came out of a building and stands on the table again."""

    unit: int
    piece: int
    poses: tuple[Pose, ...]

    def apply(self, state: State) -> State:
        state = carry_along(state, self.unit, self.poses[0])
        unit = state.units[self.unit]
        return with_unit(state, put_at(unit, self.poses, place="table", inside=-1, stayed=False))


class EdgeChosen(Event, frozen=True, tag="edge_chosen"):
    """A side took its table edge."""

    side: int
    edge: str

    def apply(self, state: State) -> State:
        return with_side(state, self.side, replace(state.sides[self.side], edge=self.edge))


class FirstSideSet(Event, frozen=True, tag="first_side_set"):
    """The side that deploys first and has the first turn of the game is known."""

    side: int

    def apply(self, state: State) -> State:
        return with_fields(state, first_side=self.side, starter=self.side)


class Attached(Event, frozen=True, tag="attached"):
    """A lone model joined a unit and is from now on one of its models."""

    unit: int
    joined: int
    slot: int

    def apply(self, state: State) -> State:
        host, joiner = state.units[self.unit], state.units[self.joined]
        model = joiner.models[0]
        joined = replace(host, models=(*host.models, model), attached=model.id, slot=self.slot)
        state = with_unit(state, joined)
        return with_unit(state, replace(joiner, models=(), place="inside", inside=self.unit))


class HeldBack(Event, frozen=True, tag="held_back"):
    """A unit was kept off the table."""

    unit: int
    how: str

    def apply(self, state: State) -> State:
        unit = state.units[self.unit]
        return with_unit(state, replace(unit, place="reserve", picks=(*unit.picks, ("reserve", self.how))))


class LeftTable(Event, frozen=True, tag="left_table"):
    """A unit left the table, to come back later."""

    unit: int
    how: str

    def apply(self, state: State) -> State:
        unit = state.units[self.unit]
        picks = (*unit.picks, ("reserve", self.how))
        return with_unit(state, replace(unit, place="reserve", picks=picks, block=None, poses=()))


class CalledUp(Event, frozen=True, tag="called_up"):
    """A unit that was not in the game yet is brought into it by a rule of another one, and is about to be placed."""

    unit: int
    by: int
    rule: str

    def apply(self, state: State) -> State:
        return with_unit(state, called_up(state.units[self.unit]))


class PickMade(Event, frozen=True, tag="pick_made"):
    """A choice for the whole game was made for a unit."""

    unit: int
    what: str
    value: str

    def apply(self, state: State) -> State:
        unit = state.units[self.unit]
        return with_unit(state, replace(unit, picks=(*unit.picks, (self.what, self.value))))


class UnitPlaced(Event, frozen=True, tag="placed"):
    """A unit was placed on the table: a block's single pose, or one pose per model.

    `spent` means that it cannot be activated this round.
    """

    unit: int
    poses: tuple[Pose, ...]
    how: str
    spent: bool = False

    def apply(self, state: State) -> State:
        unit = state.units[self.unit]
        arrived = state.round if self.how in ("arrival", "copy") else unit.arrived
        activated = unit.activated or self.spent
        there = put_at(unit, self.poses, place="table", arrived=arrived, activated=activated)
        return with_unit(state, there)


class Boarded(Event, frozen=True, tag="boarded"):
    """A unit got into another one that carries it, and is off the table from now on."""

    unit: int
    carrier: int

    def apply(self, state: State) -> State:
        state = put_away(state, self.unit)
        unit = state.units[self.unit]
        return with_unit(state, replace(unit, place="inside", inside=self.carrier, block=None, poses=()))


class LeftCarrier(Event, frozen=True, tag="left_carrier"):
    """A unit got out of its carrier and stands on the table again."""

    unit: int
    carrier: int
    poses: tuple[Pose, ...]
    how: str

    def apply(self, state: State) -> State:
        state = carry_along(state, self.unit, self.poses[0])
        unit = state.units[self.unit]
        arrived = max(unit.arrived, state.units[self.carrier].arrived)
        there = put_at(unit, self.poses, place="table", inside=-1, arrived=arrived, stayed=False)
        return with_unit(state, there)


class Wrecked(Event, frozen=True, tag="wrecked"):
    """A carrier was destroyed; it stays on the table until its passengers are out."""

    unit: int

    def apply(self, state: State) -> State:
        return with_unit(state, replace(state.units[self.unit], place="wreck"))


class SizesRecorded(Event, frozen=True, tag="sizes_recorded"):
    """Starting strengths were recorded: units per side."""

    units: tuple[int, ...]

    def apply(self, state: State) -> State:
        units = tuple(
            unit if unit.later is not None else replace(unit, start_models=len(unit.models))
            for unit in state.units
        )
        sides = tuple(replace(side, start_units=self.units[i]) for i, side in enumerate(state.sides))
        return replace(state, units=units, sides=sides)


class RostersRecorded(Event, frozen=True, tag="rosters_recorded"):
    """The models of every unit were recorded, because a rule of the game brings lost ones back."""

    def apply(self, state: State) -> State:
        return with_units_in_place(state, [with_roster(unit) for unit in state.units])


class RoundBegan(Event, frozen=True, tag="round_began"):
    """A round began; `starter` has its first turn."""

    round: int
    starter: int

    def apply(self, state: State) -> State:
        units = [replace(unit, activated=False) if unit.activated else unit for unit in state.units]
        sides = tuple(replace(side, dry_at=0, last_turn_at=0) for side in state.sides)
        first = self.starter
        return with_units_in_place(
            state, units, round=self.round, starter=first, turn=first, turns_taken=0, sides=sides
        )


class RoundEnded(Event, frozen=True, tag="round_ended"):
    """A round ended; `starter` begins the next one."""

    round: int
    starter: int

    def apply(self, state: State) -> State:
        return with_fields(state, starter=self.starter)


class TurnPassed(Event, frozen=True, tag="turn_passed"):
    """The turn went to a side."""

    side: int

    def apply(self, state: State) -> State:
        return with_fields(state, turn=self.side)


class TurnGiven(Event, frozen=True, tag="turn_given"):
    """By a rule, a unit gave the turn to a friend (`to`), or passed it instead of being activated (-1)."""

    unit: int
    rule: str
    to: int = -1

    def apply(self, state: State) -> State:
        unit = state.units[self.unit]
        return with_unit(state, replace(unit, uses=(*unit.uses, Use(self.rule, 1, state.round))))


class RanDry(Event, frozen=True, tag="ran_dry"):
    """A side has no unit left to activate this round."""

    side: int

    def apply(self, state: State) -> State:
        return with_side(state, self.side, replace(state.sides[self.side], dry_at=max(1, state.turns_taken)))


class Activated(Event, frozen=True, tag="activated"):
    """A unit was picked and its activation began."""

    unit: int

    def apply(self, state: State) -> State:
        unit = state.units[self.unit]
        turns = state.turns_taken + 1
        sides = list(state.sides)
        sides[unit.side] = replace(sides[unit.side], last_turn_at=turns)
        active = replace(unit, activated=True, stayed=True)
        return with_unit(state, active, sides=tuple(sides), turns_taken=turns)


class ActionChosen(Event, frozen=True, tag="action_chosen"):
    """The activated unit committed to an action."""

    unit: int
    action: str


class ActivationEnded(Event, frozen=True, tag="activation_ended"):
    """An activation is over."""

    unit: int


class Moved(Event, frozen=True, tag="moved"):
    """A unit, or some of its models, moved. `used` is the longest distance any part moved."""

    unit: int
    poses: tuple[Pose, ...]
    used: int
    how: str

    def apply(self, state: State) -> State:
        state = carry_along(state, self.unit, self.poses[0])
        unit = state.units[self.unit]
        return with_unit(state, put_at(unit, self.poses, stayed=unit.stayed and self.used == 0))


class Aligned(Event, frozen=True, tag="aligned"):
    """Charger and target aligned along the charged side."""

    unit: int
    pose: Pose
    target: int
    target_pose: Pose
    arc: str

    def apply(self, state: State) -> State:
        unit, target = state.units[self.unit], state.units[self.target]
        moved = target.block != self.target_pose
        state = with_unit(state, replace(unit, block=self.pose))
        return with_unit(state, replace(target, block=self.target_pose, stayed=target.stayed and not moved))


class ChargeFailed(Event, frozen=True, tag="charge_failed"):
    """A charge did not reach its target; no melee follows."""

    unit: int
    target: int
    why: str


class Ruled(Event, frozen=True, tag="ruled"):
    """The players settled a question for the rest of the match."""

    question: str
    ruling: str

    def apply(self, state: State) -> State:
        # a question about a switch of the game settles that switch
        options = tuple(
            (name, self.ruling if name == self.question else value) for name, value in state.options
        )
        return with_fields(state, rulings=(*state.rulings, (self.question, self.ruling)), options=options)


class GameEnded(Event, frozen=True, tag="game_ended"):
    """The game is over; -1 is a draw. `markers` counts those held by each side."""

    winner: int
    markers: tuple[int, ...]

    def apply(self, state: State) -> State:
        return with_fields(state, winner=self.winner, finished=True)


AnyEvent = (
    Rolled
    | RolledOff
    | MissionChosen
    | MarkerPlaced
    | MarkerFlipped
    | MarkerTaken
    | MarkerDropped
    | MarkerGone
    | SecretFound
    | Garrisoned
    | LeftBuilding
    | EdgeChosen
    | FirstSideSet
    | Attached
    | HeldBack
    | LeftTable
    | CalledUp
    | PickMade
    | UnitPlaced
    | Boarded
    | LeftCarrier
    | Wrecked
    | SizesRecorded
    | RostersRecorded
    | RoundBegan
    | RoundEnded
    | TurnPassed
    | TurnGiven
    | RanDry
    | Activated
    | ActionChosen
    | ActivationEnded
    | Moved
    | Aligned
    | ChargeFailed
    | Declared
    | VolleyLost
    | Hit
    | Blocked
    | Ignored
    | Wounded
    | Healed
    | Removed
    | Restored
    | Destroyed
    | Stunned
    | Recovered
    | Broke
    | MoraleTested
    | Tired
    | Rested
    | MeleeScored
    | TokensGained
    | TokensSpent
    | SpellCast
    | SpellOpposed
    | EffectBegan
    | EffectEnded
    | WeaponUsed
    | Jumped
    | Fell
    | Ruled
    | GameEnded
)
# Events without an effect of their own; the loop need not apply them.
EFFECTS = frozenset({EffectBegan, EffectEnded})
LOG_ONLY: frozenset[type[Event]] = frozenset(kind for kind in get_args(AnyEvent) if kind.apply is Event.apply)
