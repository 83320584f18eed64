"""Typed facts in the past tense. Only events change the state, and logs, views and stories are made from them.

Every event has `cite`, the row it comes from. Events of fights have their own module and are re-exported here.
"""

from __future__ import annotations

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
    "MeleeScored",
    "MoraleTested",
    "Recovered",
    "Removed",
    "Rested",
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


class RolledOff(Event, frozen=True, tag="rolled_off"):
    """A roll-off was won."""

    winner: int
    purpose: str


class MissionChosen(Event, frozen=True, tag="mission_chosen"):
    """The mission was chosen, by agreement or by a die."""

    mission: str


class MarkerPlaced(Event, frozen=True, tag="marker_placed"):
    """An objective marker was placed; `owner` is the side it belongs to, if markers belong to sides."""

    marker: int
    x: int
    y: int
    side: int
    z: int = 0
    owner: int = -1


class MarkerFlipped(Event, frozen=True, tag="marker_flipped"):
    """A marker changed hands; -1 is neutral."""

    marker: int
    holder: int
    before: int


class MarkerTaken(Event, frozen=True, tag="marker_taken"):
    """A unit picked a marker up and carries it from now on."""

    marker: int
    unit: int


class MarkerDropped(Event, frozen=True, tag="marker_dropped"):
    """A marker was dropped where the unit that carried it was destroyed."""

    marker: int
    x: int
    y: int
    z: int = 0


class MarkerGone(Event, frozen=True, tag="marker_gone"):
    """A marker was destroyed."""

    marker: int
    side: int


class SecretFound(Event, frozen=True, tag="secret_found"):
    """The first unit to reach a piece of terrain, or an objective, learned its secret."""

    unit: int
    result: int
    piece: int = -1
    marker: int = -1


class Garrisoned(Event, frozen=True, tag="garrisoned"):
    """A unit went into a building, and is off the table from now on."""

    unit: int
    piece: int


class LeftBuilding(Event, frozen=True, tag="left_building"):
    """A unit came out of a building and stands on the table again."""

    unit: int
    piece: int
    poses: tuple[Pose, ...]


class EdgeChosen(Event, frozen=True, tag="edge_chosen"):
    """A side took its table edge."""

    side: int
    edge: str


class FirstSideSet(Event, frozen=True, tag="first_side_set"):
    """The side that deploys first and has the first turn of the game is known."""

    side: int


class Attached(Event, frozen=True, tag="attached"):
    """A lone model joined a unit and is from now on one of its models."""

    unit: int
    joined: int
    slot: int


class HeldBack(Event, frozen=True, tag="held_back"):
    """A unit was kept off the table."""

    unit: int
    how: str


class PickMade(Event, frozen=True, tag="pick_made"):
    """A choice for the whole game was made for a unit."""

    unit: int
    what: str
    value: str


class UnitPlaced(Event, frozen=True, tag="placed"):
    """A unit was placed on the table: a block's single pose, or one pose per model.

    `spent` means that it cannot be activated this round.
    """

    unit: int
    poses: tuple[Pose, ...]
    how: str
    spent: bool = False


class Boarded(Event, frozen=True, tag="boarded"):
    """A unit got into another one that carries it, and is off the table from now on."""

    unit: int
    carrier: int


class LeftCarrier(Event, frozen=True, tag="left_carrier"):
    """A unit got out of its carrier and stands on the table again."""

    unit: int
    carrier: int
    poses: tuple[Pose, ...]
    how: str


class Wrecked(Event, frozen=True, tag="wrecked"):
    """A carrier was destroyed; it stays on the table until its passengers are out."""

    unit: int


class SizesRecorded(Event, frozen=True, tag="sizes_recorded"):
    """Starting strengths were recorded: units per side."""

    units: tuple[int, ...]


class RoundBegan(Event, frozen=True, tag="round_began"):
    """A round began; `starter` has its first turn."""

    round: int
    starter: int


class RoundEnded(Event, frozen=True, tag="round_ended"):
    """A round ended; `starter` begins the next one."""

    round: int
    starter: int


class TurnPassed(Event, frozen=True, tag="turn_passed"):
    """The turn went to a side."""

    side: int


class RanDry(Event, frozen=True, tag="ran_dry"):
    """A side has no unit left to activate this round."""

    side: int


class Activated(Event, frozen=True, tag="activated"):
    """A unit was picked and its activation began."""

    unit: int


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


class Aligned(Event, frozen=True, tag="aligned"):
    """Charger and target aligned along the charged side."""

    unit: int
    pose: Pose
    target: int
    target_pose: Pose
    arc: str


class ChargeFailed(Event, frozen=True, tag="charge_failed"):
    """A charge did not reach its target; no melee follows."""

    unit: int
    target: int
    why: str


class Ruled(Event, frozen=True, tag="ruled"):
    """The players settled a question for the rest of the match."""

    question: str
    ruling: str


class GameEnded(Event, frozen=True, tag="game_ended"):
    """The game is over; -1 is a draw. `markers` counts those held by each side."""

    winner: int
    markers: tuple[int, ...]


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
    | PickMade
    | UnitPlaced
    | Boarded
    | LeftCarrier
    | Wrecked
    | SizesRecorded
    | RoundBegan
    | RoundEnded
    | TurnPassed
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
