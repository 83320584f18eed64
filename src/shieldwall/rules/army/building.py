"""From blocks to special rules: the one place that knows which class plays which block."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import structs

from shieldwall.core import blocks as b
from shieldwall.core.state import RuleRef
from shieldwall.rules.army import attacks, group_rules, lengths, newcomers, rerolls, turns
from shieldwall.rules.army import fighting as f
from shieldwall.rules.army.improving import improve
from shieldwall.rules.army.rulebook_rules import rulebook_class
from shieldwall.rules.army.under_condition import ATTACKING, UnderCondition
from shieldwall.rules.hooks import Crossing, SpecialRule

Build = f.Build
OWN_WORDS = frozenset(
    {"cover", "penalties", "moving penalty", "difficult terrain", "terrain", "Regeneration"}
)


def with_granted(ref: RuleRef) -> tuple[RuleRef, ...]:
    """Rules that a model has because of a rule read from a text: always, not under a condition."""
    found = []
    for block in ref.blocks or ():
        if isinstance(block, b.Gets) and not block.when and block.rule.name != "AP":
            found.append(_with_number(block.rule, ref.value))
    return tuple(found)


def _with_number(rule: RuleRef, value: int) -> RuleRef:
    """A rule that is named in a text, with the number it stands for."""
    if abs(rule.value) != b.BY_VALUE:
        return rule
    return structs.replace(rule, value=value if rule.value > 0 else -value)


def _number(told: int, value: int) -> int:
    """A number of a block; the one in brackets after the rule's name where it says so."""
    return value if told == b.BY_VALUE else told


BURDENS = frozenset({"Slow", "Immobile"})  # rules of its own that a model may ignore; others are an enemy's


def ignored_names(refs: Iterable[RuleRef]) -> frozenset[str]:
    """Rules that a model has but may ignore, or has lost."""
    return frozenset(
        block.what
        for ref in refs
        for block in ref.blocks or ()
        if isinstance(block, b.Ignores) and (block.lost or block.what in BURDENS)
    )


def rules_of(refs: Sequence[RuleRef], build: Build) -> list[SpecialRule]:
    """Special rules for refs that bring their blocks along; equal ones count once, values with a plus add up.

    `build` makes the rules that these name in turn.
    """
    values: dict[tuple[str, b.Blocks], list[int]] = {}
    for ref in refs:
        found = values.setdefault((ref.name, ref.blocks or ()), [0, 0])
        if ref.plus or _adds_up(ref):
            found[1] += ref.value
        else:
            found[0] = max(found[0], ref.value)
    boosts = boosts_in(refs)
    rules: list[SpecialRule] = []
    for (name, blocks), value in sorted(values.items(), key=lambda item: item[0][0]):
        mine = [boost for boost in boosts if boost.rule.casefold() == name.casefold()]
        repeats = any(isinstance(block, b.Known) for block in blocks)  # a rule of the rulebook
        better = blocks if repeats else boosted(blocks, mine)
        for place, block in enumerate(better):
            made = _MAKERS[type(block)](name, sum(value), place, block, build)
            for rule in made:
                rule.boosted = better is not blocks
            if repeats and mine:
                improve(made, mine)
            rules += made
    return rules


def boosts_in(refs: Iterable[RuleRef]) -> list[b.Boost]:
    """What printed rules say about making others better."""
    return [block for ref in refs for block in ref.blocks or () if isinstance(block, b.Boost)]


def _adds_up(ref: RuleRef) -> bool:
    """Whether values of a rule add up because those of the rulebook's rule do."""
    kinds = [
        rulebook_class(block.name, block.game) for block in ref.blocks or () if isinstance(block, b.Known)
    ]
    return any(kind is not None and kind.stacks for kind in kinds)


def boosted(blocks: b.Blocks, boosts: Sequence[b.Boost]) -> b.Blocks:
    """The blocks of a rule with what its boosts put in their place: blocks of the same kind, numbers of 0 as they were.

    A choice that the boost does not repeat is no longer needed.
    """
    for boost in boosts:
        kinds = {_kind(block) for block in boost.blocks}
        if not any(isinstance(block, b.PickedEffect) for block in boost.blocks):
            kinds.add(("PickedEffect", ""))
        old = {_kind(block): block for block in blocks}
        new = tuple(_filled(block, old.get(_kind(block))) for block in boost.blocks)
        blocks = (*(block for block in blocks if _kind(block) not in kinds), *new)
    return blocks


def _kind(block: b.Block) -> tuple[str, str]:
    return type(block).__name__, block.roll if isinstance(block, b.Modifier) else ""


def _filled(block: b.Block, old: b.Block | None) -> b.Block:
    """A boosting block whose numbers of 0 are those of the block it replaces."""
    if old is None:
        return block
    kept = {
        name: getattr(old, name)
        for name in block.__struct_fields__
        if getattr(block, name) == "" or (type(getattr(block, name)) is int and getattr(block, name) == 0)
    }
    return structs.replace(block, **kept)


# Makers: (printed name, value, place of the block in its rule, the block, what builds other rules) -> rules
Maker = Callable[[str, int, int, Any, Build], list[SpecialRule]]


def _none(name: str, value: int, place: int, block: b.Block, build: Build) -> list[SpecialRule]:
    """A block that is no rule of its own: others look for it, or nothing plays it yet."""
    return []


def _modifier(name: str, value: int, place: int, block: b.Modifier, build: Build) -> list[SpecialRule]:
    kinds: dict[tuple[str, str], Callable[[str, int, str, int, b.Modifier], SpecialRule]] = {
        ("hit", "own"): f.ToHit,
        ("hit", "enemy"): f.ToBeHit,
        ("block", "own"): f.ToBlock,
        ("block", "enemy"): f.ToBeBlocked,
        ("morale", "own"): f.ToMorale,
        ("casting", "own"): f.ToCast,
    }
    make = kinds.get((block.roll, block.of))
    return [make(name, value, "", place, block)] if make is not None else []


def _rolls_again(name: str, value: int, place: int, block: b.RollsAgain, build: Build) -> list[SpecialRule]:
    kinds: dict[tuple[str, str], Callable[[str, int, str, int, b.RollsAgain], SpecialRule]] = {
        ("hit", "own"): rerolls.MissesAgain,
        ("hit", "enemy"): rerolls.HitsOnMeAgain,
        ("block", "own"): rerolls.FailedBlocksAgain,
        ("morale", "own"): rerolls.MoraleAgain,
    }
    make = kinds.get((block.roll, block.of))
    return [make(name, value, "", place, block)] if make is not None else []


def _gets(name: str, value: int, place: int, block: b.Gets, build: Build) -> list[SpecialRule]:
    scope = f.SCOPES[block.who]
    if block.rule.name == "AP":
        return [f.Pierces(name, value, "", place, scope, block.when, block.rule.value)]
    if not block.when:
        return []  # the model simply has that rule
    inner = build((_with_number(block.rule, value),))
    return [UnderCondition(name, rule, scope, block.when) for rule in inner]


def _faces_get(name: str, value: int, place: int, block: b.FacesGet, build: Build) -> list[SpecialRule]:
    return [f.SixesGet(name, value, "", place, block, build((_with_number(block.rule, value),)))]


def _extra_attacks(
    name: str, value: int, place: int, block: b.ExtraAttacks, build: Build
) -> list[SpecialRule]:
    kind = f.AttacksOnSixes if block.on == "hit" else attacks.AttacksOnBlockedOnes
    return [kind(name, value, "", place, block)]


def _extra_wounds(name: str, value: int, place: int, block: b.ExtraWounds, build: Build) -> list[SpecialRule]:
    if block.of == "enemy":
        return [f.WoundsOnMyOnes(name, value, "", place, block)]
    kind = f.WoundsOnOnes if block.on == "block" else f.WoundsOnSixes
    return [kind(name, value, "", place, block)]


def _ignores(name: str, value: int, place: int, block: b.Ignores, build: Build) -> list[SpecialRule]:
    if block.lost or block.what in BURDENS:
        return []
    match block.what:
        case "cover":
            always = all(when in (ATTACKING, b.When(attack="shoot")) for when in block.when)
            kind = f.IgnoresCover if always else f.IgnoresCoverSometimes
            return [kind(name, value, "", place, block)]
        case "penalties":
            return [f.IgnoresPenalties(name, value, "", place, block)]
        case "Regeneration":
            return [f.IgnoresRegeneration(name, value, "", place, block)]
        case "moving penalty":
            return [f.SteadyAfterMoving(name, value, "", place, block, build)]
        case "difficult terrain":
            return [f.CrossesGround(name, value, "", place, block.who, Crossing(difficult=True))]
        case "terrain":
            crossing = Crossing(terrain=True, difficult=True)
            return [f.CrossesGround(name, value, "", place, block.who, crossing)]
        case _:
            return [attacks.IgnoresRule(name, value, "", place, block)]


def _crosses(name: str, value: int, place: int, block: b.Crosses, build: Build) -> list[SpecialRule]:
    crossing = Crossing(units=block.friends or block.enemies, terrain=block.terrain, difficult=block.terrain)
    return [f.CrossesGround(name, value, "", place, block.who, crossing)]


def _charge_hits(name: str, value: int, place: int, block: b.ChargeHits, build: Build) -> list[SpecialRule]:
    return [f.ChargeHitsGet(name, value, "", place, block, build((_with_number(block.rule, value),)))]


def _inches(name: str, value: int, place: int, block: b.Inches, build: Build) -> list[SpecialRule]:
    if block.of == "own":
        return [lengths.MovesFarther(name, value, "", place, block)]
    return [lengths.ChargedFromCloser(name, value, "", place, block)]


def _range(name: str, value: int, place: int, block: b.Range, build: Build) -> list[SpecialRule]:
    if block.spells:
        return [lengths.CastsFarther(name, value, "", place, block)]
    if block.of == "own":
        return [lengths.ShootsFarther(name, value, "", place, block)]
    return [lengths.ShotAtCloser(name, value, "", place, block)]


def _picks(name: str, value: int, place: int, block: b.Picks, build: Build) -> list[SpecialRule]:
    block = structs.replace(block, need=_number(block.need, value))
    return [f.PicksUnits(name, value, "", place, block)] if block.at in f.PICKING_MOMENTS else []


def _order(name: str, value: int, place: int, block: b.StrikeOrder, build: Build) -> list[SpecialRule]:
    return [(f.StrikesFirst if block.first else attacks.StrikesLast)(name, value, "", place, block)]


def _aura(name: str, value: int, place: int, block: b.Aura, build: Build) -> list[SpecialRule]:
    lends = f.Lends(name, value, "", place, block.blocks)
    if block.reach:
        near = f.LendsNear(name, value, "", place, block)
        return [lends, near] if near.lends_to_own_unit else [near]
    if block.to != "picked":
        return [lends]
    shares = f.SharesAura(name, value, "", place, block)
    return [shares] if block.others else [lends, shares]


def _volley(name: str, value: int, place: int, block: b.HitDice, build: Build) -> list[SpecialRule]:
    """Dice in melee, hits for wounds taken, or dice for hits on an enemy: the same as a rule that picks it."""
    if block.at == "charges" and not block.need:
        return [attacks.HitsOnCharge(name, value, "", place, block)]
    if block.at in ("fights", "charges"):
        return [f.StrikesWithDice(name, value, "", place, block)]
    if block.at in ("wounded in melee", "killed in melee"):
        return [f.StrikesBackDying(name, value, "", place, block)]
    rules = tuple(_with_number(rule, value) for rule in block.rules)
    picks = b.Picks(
        then=(b.TakeHits(hits=block.hits, rules=rules, wounds=block.wounds),),
        reach=block.reach,
        sight=block.sight,
        need=_number(block.need, value),
        at=block.at,
        often=block.often or "activation",
    )
    rule = f.PicksUnits(name, value, "", place, picks)
    rule.dice_block = block
    return [rule]


def _known(name: str, value: int, place: int, block: b.Known, build: Build) -> list[SpecialRule]:
    """The rulebook's rule. What only has its text is not the rule that others name, such as Regeneration."""
    kind = rulebook_class(block.name, block.game)
    if kind is None:
        return []
    rule = kind(name, value, "")
    rule.regenerates = rule.regenerates and name == block.name
    return [rule]


def _hides(name: str, value: int, place: int, block: b.Hides, build: Build) -> list[SpecialRule]:
    """It waits off the table as those who lie in ambush do, and may come closer; or it only may come closer."""
    ambush = rulebook_class("Ambush", "")
    assert ambush is not None
    closer = f.HidesClose(name, value, "", place, block)
    return [closer] if block.closer else [ambush(name, value, ""), closer]


def _in_terrain(name: str, value: int, place: int, block: b.InTerrain, build: Build) -> list[SpecialRule]:
    kind = f.BoggedDown if block.terrain == "difficult" else f.Endangered
    return [kind(name, value, "", place, block)]


def _plain(kind: Callable[[str, int, str, int, Any], SpecialRule]) -> Maker:
    """The maker of blocks that one class plays whatever is in them."""

    def make(name: str, value: int, place: int, block: b.Block, build: Build) -> list[SpecialRule]:
        return [kind(name, value, "", place, block)]

    return make


_MAKERS: dict[type[Any], Maker] = {
    **dict.fromkeys(b.Block.__args__, _none),
    b.Modifier: _modifier,
    b.Gets: _gets,
    b.MoreAttacks: _plain(attacks.HasMoreAttacks),
    b.PassesTests: _plain(attacks.PassesMorale),
    b.Rescued: _plain(attacks.RescuesTests),
    b.Untiring: _plain(attacks.NeverTires),
    b.HitsTaken: _plain(f.PiercesLess),
    b.DefenseIs: _plain(f.CountsAsDefense),
    b.InCover: _plain(attacks.CountsInCover),
    b.Ignores: _ignores,
    b.FacesGet: _faces_get,
    b.ExtraHits: _plain(f.HitsOnSixes),
    b.ExtraAttacks: _extra_attacks,
    b.ExtraWounds: _extra_wounds,
    b.BlocksAgain: _plain(f.BlockedAgain),
    b.RollsAgain: _rolls_again,
    b.IgnoresWounds: _plain(f.WoundsIgnored),
    b.Inches: _inches,
    b.StrikeOrder: _order,
    b.Crosses: _crosses,
    b.ChargeHits: _charge_hits,
    b.Aura: _aura,
    b.Known: _known,
    b.PickedEffect: _plain(f.ChoosesEffect),
    b.RolledEffect: _plain(f.RollsEffect),
    b.Feat: _plain(f.UsesFeat),
    b.Grows: _plain(f.GrowsStronger),
    b.MayMove: _plain(f.MovesAfter),
    b.Recovers: _plain(f.FindsNerve),
    b.NoRetreat: _plain(f.StandsFirm),
    b.HitDice: _volley,
    b.InTerrain: _in_terrain,
    b.Range: _range,
    b.Picks: _picks,
    b.ShootsAfter: _plain(f.ShootsAfterRush),
    b.Consolidates: _plain(f.MovesOnFarther),
    b.KeepsAway: _plain(f.KeepsAmbushersOff),
    b.LongerReach: _plain(f.IsPickedFromAfar),
    b.Avenged: _plain(f.AvengedByFriends),
    b.QualityIs: _plain(f.AttacksAtQuality),
    b.PrecisionStrike: _plain(f.BringsPrecisionBlow),
    b.Backfires: _plain(f.BackfiresOnOnes),
    b.Hides: _hides,
    b.MayPlace: _plain(f.PlacesItself),
    b.Redeploys: _plain(f.DeploysAgain),
    b.MayPass: _plain(turns.PassesTurns),
    b.Coordinates: _plain(turns.CallsFriend),
    b.Impulsive: _plain(turns.AttacksClosest),
    b.Tokens: _plain(f.KeepsTokens),
    b.Conduit: _plain(f.CastsForOthers),
    b.NewUnit: _plain(newcomers.BringsOnUnit),
    b.NewCopy: _plain(newcomers.CopiesItself),
    b.Returns: _plain(newcomers.LeavesTheTable),
    b.CasterGroup: _plain(group_rules.CastsInGroup),
    b.Restores: _plain(group_rules.BringsBack),
}
