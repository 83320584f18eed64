"""Events of fights: shots and blows, wounds, morale, spells and their effects, leaps and falls."""

from __future__ import annotations

from shieldwall.core.event import Event
from shieldwall.core.state import Effect
from shieldwall.core.values import Pose


class Declared(Event, frozen=True, tag="declared"):
    """A target was named for a weapon group, or for a charge."""

    unit: int
    target: int
    group: str
    attacks: int


class VolleyLost(Event, frozen=True, tag="volley_lost"):
    """Attacks had no target left."""

    unit: int
    target: int
    group: str


class Hit(Event, frozen=True, tag="hit"):
    """Hits landed on a unit."""

    unit: int
    target: int
    hits: int
    note: str = ""


class Blocked(Event, frozen=True, tag="blocked"):
    """A unit blocked some hits and let others through."""

    unit: int
    blocked: int
    wounds: int


class Ignored(Event, frozen=True, tag="ignored"):
    """Wounds were ignored."""

    unit: int
    wounds: int


class Wounded(Event, frozen=True, tag="wounded"):
    """A model took wounds."""

    unit: int
    model: int
    wounds: int


class Healed(Event, frozen=True, tag="healed"):
    """Wounds were taken off a model."""

    unit: int
    model: int
    wounds: int


class Removed(Event, frozen=True, tag="removed"):
    """Models were taken off the table. `block` is where a ranked unit's centre now is."""

    unit: int
    models: tuple[int, ...]
    cause: str
    block: Pose | None = None


class Destroyed(Event, frozen=True, tag="destroyed"):
    """A unit has no model left."""

    unit: int
    cause: str


class Stunned(Event, frozen=True, tag="stunned"):
    """Models were stunned."""

    unit: int
    models: tuple[int, ...]


class Recovered(Event, frozen=True, tag="recovered"):
    """A unit is no longer broken, or its models are no longer stunned."""

    unit: int


class Broke(Event, frozen=True, tag="broke"):
    """A unit broke."""

    unit: int


class MoraleTested(Event, frozen=True, tag="morale_tested"):
    """A unit took a morale test."""

    unit: int
    passed: bool
    why: str


class Tired(Event, frozen=True, tag="tired"):
    """A unit, or single models of it, attacked in melee this round. No models named means the whole unit."""

    unit: int
    models: tuple[int, ...] = ()


class Rested(Event, frozen=True, tag="rested"):
    """Fatigue ended for all units."""


class MeleeScored(Event, frozen=True, tag="melee_scored"):
    """A melee was scored."""

    unit: int
    score: int
    target: int
    target_score: int


class TokensGained(Event, frozen=True, tag="tokens_gained"):
    """A model gained spell tokens; `now` is what it holds."""

    unit: int
    model: int
    now: int


class TokensSpent(Event, frozen=True, tag="tokens_spent"):
    """A model paid spell tokens; `push` is what they add to a casting roll."""

    unit: int
    model: int
    tokens: int
    push: int = 0


class SpellCast(Event, frozen=True, tag="spell_cast"):
    """A spell was attempted."""

    unit: int
    model: int
    spell: str
    targets: tuple[int, ...]
    worked: bool


class SpellOpposed(Event, frozen=True, tag="spell_opposed"):
    """A model tried to stop a spell that another one was casting."""

    unit: int
    model: int
    spell: str
    stopped: bool


class EffectBegan(Event, frozen=True, tag="effect_began"):
    """A timed effect began on a unit."""

    unit: int
    effect: Effect


class EffectEnded(Event, frozen=True, tag="effect_ended"):
    """Timed effects of a unit ended: one by name, or all with this duration."""

    unit: int
    until: str
    name: str = ""


class WeaponUsed(Event, frozen=True, tag="weapon_used"):
    """A weapon or power whose uses are counted was used."""

    unit: int
    model: int
    key: str


class Jumped(Event, frozen=True, tag="jumped"):
    """A model leapt a gap or a drop, or failed to."""

    unit: int
    model: int
    landed: bool


class Fell(Event, frozen=True, tag="fell"):
    """A model fell."""

    unit: int
    model: int
    height: int
