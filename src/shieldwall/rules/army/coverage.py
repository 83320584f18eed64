"""Which blocks the engine plays."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from msgspec import Struct

from shieldwall.core import blocks as b
from shieldwall.rules.army.building import BURDENS, OWN_WORDS
from shieldwall.rules.army.conditions import OF_BEARER, OF_TARGET, parts_of
from shieldwall.rules.army.fighting import PICKING_MOMENTS
from shieldwall.rules.army.improving import can_improve
from shieldwall.rules.army.rulebook_rules import rulebook_class
from shieldwall.rules.army.under_condition import IN_ATTACKS, ON_ME, UnderCondition
from shieldwall.rules.army.used_up import ONCE, USED_UP, unboosted
from shieldwall.rules.hooks import SpecialRule


@lru_cache(maxsize=8192)
def playable(block: b.Block) -> bool:
    """Whether the engine plays a block and everything in it."""
    if not _IS_PLAYED.get(type(block), _never)(block):
        return False
    return all(playable(inner) and not _reaches_others(inner) for inner in _inner_blocks(block))


def _reaches_others(block: b.Block) -> bool:
    """Whether a block is an aura by distance, which only a printed rule may be, not what a rule lends in turn."""
    return isinstance(block, b.Aura) and block.reach > 0


def keeps_conditions(blocks: b.Blocks, build: Callable[[Any], tuple[SpecialRule, ...]]) -> bool:
    """Whether rules that are had under a condition or against a marked unit, at whatever depth, keep to that in all
    that they do."""
    for block in blocks:
        if isinstance(block, b.Gets) and block.when and block.rule.name != "AP":
            made = [UnderCondition("", rule, "model", block.when) for rule in build((block.rule,))]
            if not all(rule.is_whole and _is_judged_right(rule, block.when) for rule in made):
                return False
        if isinstance(block, b.Ignores) and not _can_be_without(block, build):
            return False
        if isinstance(block, b.Boost) and not _makes_better(block, build):
            return False
        if isinstance(block, b.Lend) and block.until == ONCE and not _ends_when_used(block, build):
            return False
        if isinstance(block, b.Lend) and block.against and not _works_against(block, build):
            return False
        if not keeps_conditions(tuple(_inner_blocks(block)), build):
            return False
    return True


LOSABLE = IN_ATTACKS | {
    "attacks_on_charge", "blocks_again", "crossing", "denies_charge", "extra_hits_on_charge", "frightens",
    "ignores_wounds_on", "longer_range", "melee_score", "morale_failed", "move", "shoots_after", "stands_firm",
    "strikes_early", "tests_chargers", "tests_for_hits", "to_block", "to_morale",
}  # fmt: skip


def _can_be_without(block: b.Ignores, build: Callable[[Any], tuple[SpecialRule, ...]]) -> bool:
    """Whether a rule that is lost, or ignored in attacks on those who have it, is asked only then."""
    if not block.lost and block.what in OWN_WORDS | BURDENS:
        return True
    made = build((b.RuleRef(block.what),))
    known = LOSABLE if block.lost else ON_ME
    return bool(made) and all(hook in known for rule in made for hook in rule.hooks)


def _is_judged_right(rule: SpecialRule, whens: b.Whens) -> bool:
    """Whether a rule about attacks on its bearer hangs on nothing that the bearer itself does."""
    acts = any(not _ACTS.isdisjoint(parts_of(when)) for when in whens)
    return not acts or ON_ME.isdisjoint(rule.hooks)


def _makes_better(block: b.Boost, build: Callable[[Any], tuple[SpecialRule, ...]]) -> bool:
    """Whether a rule of the rulebook, where one is meant, can be made better in all that is said."""
    made = build((b.RuleRef(block.rule),))
    return not made or all(any(can_improve(rule, inner) for rule in made) for inner in block.blocks)


def _ends_when_used(block: b.Lend, build: Callable[[Any], tuple[SpecialRule, ...]]) -> bool:
    """Whether it is known when rules that are had once are used up: each of them, those that are boosted, too."""
    made = build(unboosted((b.RuleRef("", 1, False, block.blocks),)))
    return all(not USED_UP.isdisjoint(rule.hooks) for rule in made)


AGAINST = IN_ATTACKS - ON_ME | {"longer_range", "extra_hits_on_charge", "rolls_effect", "shoots_after"}


def _works_against(block: b.Lend, build: Callable[[Any], tuple[SpecialRule, ...]]) -> bool:
    """Whether rules that friends have against a marked unit do all they can there."""
    made = build((b.RuleRef("", 1, False, block.blocks),))
    return bool(made) and all(
        hook in AGAINST or (hook == "aims" and "drops_cover" in rule.hooks)
        for rule in made
        for hook in rule.hooks
    )


def _inner_blocks(value: object) -> list[Any]:
    """The blocks inside a block, at whatever depth, but not those inside them."""
    if not isinstance(value, Struct):
        return []
    found: list[Any] = []
    for name in value.__struct_fields__:
        found += _blocks_in(getattr(value, name))
    return found


def _blocks_in(value: object) -> list[Any]:
    if isinstance(value, b.BlockBase):
        return [value]
    if isinstance(value, b.RuleRef):
        return list(value.blocks or ())
    if isinstance(value, tuple):
        return [block for item in value for block in _blocks_in(item)]
    return []


def _always(block: Any) -> bool:
    return True


def _never(block: Any) -> bool:
    return False


AFTER_A_TEST = (b.BeFatigued, b.MoveThem, b.Lend, b.TakeHits)  # what follows from failing
OUT_OF_TURN = ("wounded in melee", "killed in melee")
CAST = ""  # the moment of a pick that is a spell
MOST_TOKENS = 6  # that a model may hold in every edition
MOVING_MOMENTS = ("", "after shooting", "after melee", "after attacking", "all deployed", "enemy moved")
GROWING_MOMENTS = ("round begins", "round ends", "destroys a unit", "charges", "ignores a wound")
PLACING_MOMENTS = ("", "before attacking", "activated", "activation", "deployed", "deployed or activated")


def _is_amount_played(failed: b.Blocks) -> bool:
    """Whether no die says how much of it there is, or one for the only thing that happens."""
    dice = {getattr(one, "die", 0) or getattr(one, "wound_die", 0) for one in failed}
    return dice <= {0} or (len(failed) == 1 and dice <= {3, 6})


def _is_pick_played(block: b.Picks) -> bool:
    """Of an enemy's models one may be hit, but nothing is laid on a single model of a unit."""
    hits = all(isinstance(one, b.TakeHits) for one in block.then)
    if block.what == "model" and block.on == "enemy" and (not hits or block.count == b.EVERY):
        return False
    dice = {one.die for one in block.then if isinstance(one, b.Heal)}
    dice |= {
        max(one.die, one.wound_die) for one in block.then if isinstance(one, b.TakeHits)
    }  # how much it is: one die for all of it, and no other
    known = dice <= {0} or (len(block.then) == 1 and block.dice == 1 and dice <= {3, 6})
    return known and (block.dice == 1 or (hits and block.need > 0))


def _are_dice_played(block: b.HitDice) -> bool:
    if block.at == "charges" and not block.need:
        return not block.wounds and block.hits + block.die > 0 and block.die in (0, 3, 6)
    if block.die:
        return False
    if block.at in ("fights", "charges"):
        return block.need > 0 and not block.per_model
    if block.at in OUT_OF_TURN:
        return block.hits == 1 if block.need else block.hits > 0
    return block.at in PICKING_MOMENTS


_ACTS = frozenset({"charging", "charged", "held", "moved"})  # what the bearer itself does, or answers
_SHOTS, _BLOWS, _ANY = b.When(attack="shoot"), b.When(attack="melee"), b.When(attack="attack")
_CHARGES = b.When(attack="melee", charging=True)


def _only_of_bearer(block: Any, *more: str) -> bool:
    """Whether conditions depend only on their bearer, as needed outside of attacks."""
    return all(parts_of(when) <= OF_BEARER | set(more) for when in block.when)


def _only(block: Any, *known: b.When) -> bool:
    """Whether every condition is one of those that the block has by its nature."""
    return all(when in known for when in block.when)


def _is_modifier_played(block: b.Modifier) -> bool:
    if block.roll in ("morale", "casting"):
        return block.of == "own" and _only_of_bearer(block)
    defends = (block.roll == "block") == (block.of == "own")
    return not defends or _can_be_attacked_so(block)


def _is_rerolling_played(block: b.RollsAgain) -> bool:
    """Failures of its own, or successes of those that hit it."""
    if block.roll == "morale":
        return _only_of_bearer(block)
    if block.of == "enemy" or block.roll == "block":
        return (block.of == "enemy") == block.succeeded and _can_be_attacked_so(block)
    return not block.succeeded


def _can_be_attacked_so(block: Any) -> bool:
    """Whether conditions can be checked for the defender, which neither holds nor moves."""
    return all(parts_of(when).isdisjoint({"held", "moved"}) for when in block.when)


def _is_ignoring_played(block: b.Ignores) -> bool:
    if block.lost:
        return not block.when
    if block.what in ("penalties", "Regeneration", "cover"):
        return True
    if block.what == "moving penalty":
        return _only(block, _SHOTS, _ANY)
    return not block.when or block.what not in OWN_WORDS | BURDENS


def _is_of_attacks(block: b.QualityIs) -> bool:
    """Whether a Quality is one to attack with alone; tests are taken with another."""
    return bool(block.when) and all(when.attack in ("attack", "shoot", "melee") for when in block.when)


def _is_move_played(block: b.Inches) -> bool:
    """Own moves may depend on the bearer, charges also on the target; those of enemies on nothing."""
    if block.of == "enemy":
        return _only(block, _CHARGES)
    charges = OF_BEARER | OF_TARGET | {"attack", "charging"}
    return all(
        parts_of(when) <= OF_BEARER
        or (
            parts_of(when) <= charges
            and (when.charging or block.actions == ("charge",))
            and when.attack in ("", "melee", "attack")
            and not any(other.attack or other.charging for other in when.unless)
        )
        for when in block.when
    )


SHOOTING = ("", "shoot", "attack")


def _is_range_played(block: b.Range) -> bool:
    """Ranges may depend on the bearer, those of its own shots also on what it has done and on the target."""
    if block.spells:
        return not block.when
    more = OF_TARGET | {"attack", "held", "moved"} if block.of == "own" else {"attack"}
    return all(
        when.attack in SHOOTING
        and parts_of(when) <= OF_BEARER | more
        and not any(other.attack for other in when.unless)
        for when in block.when
    )


_IS_PLAYED: dict[type[Any], Callable[[Any], bool]] = {
    b.Modifier: _is_modifier_played,
    b.Gets: _always,
    b.HitsTaken: _can_be_attacked_so,
    b.MoreAttacks: _always,
    b.PassesTests: _only_of_bearer,
    b.Rescued: _only_of_bearer,
    b.Untiring: _always,
    b.DefenseIs: _can_be_attacked_so,
    b.InCover: lambda block: _can_be_attacked_so(block) and not any(when.in_cover for when in block.when),
    b.Ignores: _is_ignoring_played,
    b.Avenged: _always,
    b.FacesGet: _always,
    b.ExtraHits: _always,
    b.ExtraAttacks: lambda block: block.on == "hit" or block.face == 1,
    b.ExtraWounds: lambda block: block.of == "own" or (block.on == "block" and _can_be_attacked_so(block)),
    b.BlocksAgain: _always,
    b.RollsAgain: _is_rerolling_played,
    b.IgnoresWounds: lambda block: _only_of_bearer(block, "attack"),
    b.Inches: _is_move_played,
    b.Range: _is_range_played,
    b.ShootsAfter: _always,
    b.Lend: lambda block: (
        block.until in ("once", "game", "activation", "round", "next activation")
        and not (block.until == "once" and all(getattr(one, "lost", False) for one in block.blocks))
    ),
    b.PutMarkers: _always,
    b.TakeHits: _always,
    b.TakeTest: lambda block: (
        block.test == "dangerous"
        or (all(isinstance(one, AFTER_A_TEST) for one in block.failed) and _is_amount_played(block.failed))
    ),
    b.Picks: lambda block: block.at in (CAST, *PICKING_MOMENTS) and _is_pick_played(block),
    b.Known: lambda block: rulebook_class(block.name, block.game) is not None,
    b.StrikeOrder: lambda block: _only(block, _CHARGES, *((_BLOWS,) if block.first else ())),
    b.Crosses: lambda block: block.friends and block.enemies,  # nobody passes one kind alone
    b.ChargeHits: _always,
    b.Aura: _only_of_bearer,
    b.Boost: _always,
    b.ListRule: _always,
    b.PickedEffect: lambda block: (
        block.at in ("activated", "deployed or activated", "round begins", "attacks", "shoots", "fights")
    ),
    b.RolledEffect: lambda block: (
        block.at in ("attacks", "shoots", "fights")
        or (block.at == "activated" and bool(block.until) and not block.optional)
    ),
    b.Feat: lambda block: block.at in ("attacks", "shoots", "fights", "moves", "takes wounds"),
    b.Grows: lambda block: block.at in GROWING_MOMENTS,
    b.MayMove: lambda block: block.at in MOVING_MOMENTS,
    b.Recovers: _always,
    b.NoRetreat: _always,
    b.HitDice: _are_dice_played,
    b.InTerrain: _always,
    b.Heal: _always,
    b.KeepsAway: _always,
    b.Consolidates: _always,
    b.LongerReach: _always,
    b.Hides: _always,
    b.MayPlace: lambda block: block.at in PLACING_MOMENTS,
    b.Backfires: lambda block: block.face == 1,
    b.QualityIs: lambda block: block.who == "weapon" or _is_of_attacks(block),
    b.PrecisionStrike: lambda block: block.often == "game",
    b.MoveThem: _always,
    b.BeFatigued: _always,
    b.Rally: _always,
    b.Tokens: lambda block: block.most == MOST_TOKENS,
    b.Conduit: _always,
    b.Redeploys: _always,
    b.MayPass: lambda block: block.often == "round",
    b.Coordinates: _always,
    b.Impulsive: _always,
    b.NewUnit: lambda block: block.at in ("activated", "destroyed"),
    b.NewCopy: _always,
    b.Returns: lambda block: block.often == "game",
    b.CasterGroup: _always,
    b.Restores: _always,
}
PLAYED_KINDS = frozenset(kind.__name__ for kind in _IS_PLAYED)
"""The kinds of blocks that are played, all of them or some."""
