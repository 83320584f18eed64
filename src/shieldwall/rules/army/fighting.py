"""Blocks of army rules that change attacks, as special rules with the same hooks as those of the rulebooks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from shieldwall.core import blocks as b
from shieldwall.core.state import RuleRef, Weapon
from shieldwall.core.values import Mod
from shieldwall.rules.army.binding import turned_round
from shieldwall.rules.army.conditions import by_itself, in_a_fight, is_attack
from shieldwall.rules.hooks import (
    Aiming,
    AttackContext,
    BlockContext,
    Crossing,
    HitKind,
    PrintedContext,
    Scope,
    SpecialRule,
    UnitContext,
    WoundContext,
)
from shieldwall.rules.special.piercing import pierce

PICKING_MOMENTS = (
    "before attacking",
    "activation",
    "activated",
    "activation end",
    "round begins",
    "round ends",
    "crosses",
    "deployed",
    "moved after melee",
)
Build = Callable[[Iterable[RuleRef]], tuple[SpecialRule, ...]]
SCOPES: dict[str, Scope] = {"weapon": "weapon", "model": "model", "unit": "any", "most": "most", "all": "all"}


SHARED_PROTECTION: dict[str, Scope] = {
    "to_be_hit": "most",
    "to_block": "most",
    "hit_on_me": "most",
    "hits_on_me_again": "most",
    "blocks_again": "most",
    "counts_in_cover": "most",
    "ignores_wounds_on": "all",  # where a whole unit rolls together, as the rulebook says for Regeneration
}


class BlockRule(SpecialRule):
    """One block of a printed rule. Blocks of one rule are told apart by their place in it."""

    block: Any
    when: b.Whens = ()

    def __init__(self, name: str, value: int, cite: str, place: int = 0, block: Any = None) -> None:
        super().__init__(name, value, cite)
        self.place = place
        self.block = block
        self.scope = SCOPES[block.who] if hasattr(block, "who") else self.scope
        self.when = getattr(block, "when", ())
        self.face = getattr(block, "face", self.face)

    def scope_of(self, hook: str) -> Scope:
        """Whom a hook applies to. What protects a single model protects a mixed unit only if enough models have it."""
        return SHARED_PROTECTION.get(hook, self.scope) if self.scope == "model" else self.scope

    @property
    def same(self) -> tuple[str, int]:
        return f"{self.name} as {type(self).__name__}", self.place

    def amount(self, number: int) -> int:
        """A number of the block: as it stands there, or the one in brackets behind the name of the rule."""
        if abs(number) != b.BY_VALUE:
            return number
        return self.value if number > 0 else -self.value

    def mine(self, ctx: AttackContext | BlockContext) -> bool:
        """Whether the conditions hold in an attack of the bearer."""
        return in_a_fight(self.when, ctx, ctx.unit)

    def on_me(self, ctx: AttackContext | BlockContext) -> bool:
        """Whether the conditions hold in an attack on the bearer."""
        return in_a_fight(self.when, ctx, ctx.target)

    def applies(self, ctx: AttackContext, attacking: bool) -> bool:
        """Whether the rule makes a difference in an attack of the bearer, or on it."""
        return self.mine(ctx) if attacking else self.on_me(ctx)


class ToHit(BlockRule):
    """Changes the bearer's rolls to hit."""

    block: b.Modifier

    def to_hit(self, ctx: AttackContext) -> Mod | None:
        return self.mod(self.amount(self.block.amount)) if self.mine(ctx) else None


class ToBeHit(BlockRule):
    """Changes rolls of enemies to hit the bearer."""

    block: b.Modifier

    def to_be_hit(self, ctx: AttackContext) -> Mod | None:
        return self.mod(self.amount(self.block.amount)) if self.on_me(ctx) else None


class ToBlock(BlockRule):
    """Changes the bearer's rolls to block."""

    block: b.Modifier

    def to_block(self, ctx: BlockContext) -> Mod | None:
        return self.mod(self.amount(self.block.amount)) if self.on_me(ctx) else None


class ToBeBlocked(BlockRule):
    """Changes rolls of enemies to block the bearer's hits."""

    block: b.Modifier

    def hit(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        if not self.mine(ctx):
            return kind
        return replace(kind, mods=(*kind.mods, self.mod(self.amount(self.block.amount))))


class ToMorale(BlockRule):
    """Changes the bearer's morale tests."""

    block: b.Modifier

    def to_morale(self, ctx: UnitContext) -> Mod | None:
        return self.mod(self.amount(self.block.amount)) if by_itself(self.when, ctx.state, ctx.unit) else None


class ToCast(BlockRule):
    """Changes the bearer's casting rolls."""

    block: b.Modifier

    def to_cast(self, ctx: UnitContext) -> Mod | None:
        holds = by_itself(self.when, ctx.state, ctx.unit)
        return self.mod(self.amount(self.block.amount)) if holds else None


class Pierces(BlockRule):
    """The bearer's hits have more armour piercing under a condition."""

    def __init__(
        self, name: str, value: int, cite: str, place: int, scope: Scope, when: b.Whens, amount: int
    ) -> None:
        super().__init__(name, value, cite, place)
        self.scope, self.when, self.more = scope, when, amount

    def hit(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        return pierce(self, kind, self.amount(self.more)) if self.mine(ctx) else kind


class PiercesLess(BlockRule):
    """Hits on the bearer's unit have less armour piercing, or more, but never less than none."""

    block: b.HitsTaken

    def hit_on_me(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        if not self.on_me(ctx):
            return kind
        change = max(self.amount(self.block.piercing), -max(0, kind.ap))
        if not change:
            return kind
        why = Mod(-change, f"AP({change:+d}) by {self.name}", self.cite)
        return replace(kind, ap=kind.ap + change, mods=(*kind.mods, why))


class CountsAsDefense(BlockRule):
    """Counts as having a better Defense."""

    block: b.DefenseIs

    def defense(self, ctx: BlockContext) -> int | None:
        return self._counted() if self.on_me(ctx) else None

    def printed_defense(self, ctx: PrintedContext) -> int:
        return 0 if self.when else self._counted()

    def _counted(self) -> int:
        defense = self.amount(self.block.defense)
        return turned_round(defense) if self.block.turned else defense


class AttacksAtQuality(BlockRule):
    """Attacks with a better Quality."""

    block: b.QualityIs

    def quality(self, ctx: AttackContext) -> int | None:
        return self.amount(self.block.quality) if self.mine(ctx) else None


class BringsPrecisionBlow(BlockRule):
    """Has a blow at a single model, to be used once a game; it is a weapon beside those that are printed."""

    block: b.PrecisionStrike

    def weapons(self, ctx: PrintedContext) -> tuple[Weapon, ...]:
        given = (
            *self.block.rules,
            RuleRef(f"Quality {self.block.quality}+", blocks=(b.QualityIs(self.block.quality),)),
            RuleRef("Takedown", blocks=(b.Known("Takedown"),)),
            RuleRef("Limited", blocks=(b.Known("Limited"),)),
        )
        return (Weapon(self.name, self.amount(self.block.attacks), 0, given),)


class SixesGet(BlockRule):
    """Hits from natural 6s, or from lower faces too, have another rule."""

    def __init__(
        self, name: str, value: int, cite: str, place: int, block: b.FacesGet, rules: tuple[SpecialRule, ...]
    ) -> None:
        super().__init__(name, value, cite, place, block)
        self.rules = rules

    def six(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        if not self.mine(ctx):
            return kind
        if self.block.rule.name == "AP":
            return pierce(self, kind, self.amount(self.block.rule.value))
        for rule in self.rules:
            kind = rule.hit(ctx, kind)
        return kind


class HitsOnSixes(BlockRule):
    """Natural 6s to hit, or lower faces too, deal extra hits."""

    block: b.ExtraHits

    def marks(self, ctx: AttackContext) -> int:
        return self.amount(self.block.hits) if self.mine(ctx) else 0


class AttacksOnSixes(BlockRule):
    """Natural 6s to hit, or lower faces too, bring more attacks."""

    block: b.ExtraAttacks

    def more_attacks(self, ctx: AttackContext) -> int:
        return self.amount(self.block.attacks) if self.mine(ctx) else 0


class BackfiresOnOnes(BlockRule):
    """Natural 1s to hit wound the bearer's own unit."""

    block: b.Backfires

    def backfires(self, ctx: AttackContext) -> int:
        return self.amount(self.block.wounds) if self.mine(ctx) else 0


class WoundsOnOnes(BlockRule):
    """Failed blocks of low natural faces bring extra wounds."""

    block: b.ExtraWounds

    def hit(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        if not self.mine(ctx):
            return kind
        return self._with_wounds(kind)

    def _with_wounds(self, kind: HitKind) -> HitKind:
        wounds = kind.ones + self.amount(self.block.wounds)
        return replace(kind, ones=wounds, ones_up_to=max(kind.ones_up_to, self.block.face))


class WoundsOnMyOnes(WoundsOnOnes):
    """Its own failed blocks of low natural faces bring extra wounds on it."""

    def hit(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        return kind

    def hit_on_me(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        return self._with_wounds(kind) if self.on_me(ctx) else kind


class WoundsOnSixes(BlockRule):
    """Hits from natural 6s, or from lower faces too, bring extra wounds where they are not blocked."""

    block: b.ExtraWounds

    def six(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        return (
            replace(kind, unblocked=kind.unblocked + self.amount(self.block.wounds))
            if self.mine(ctx)
            else kind
        )


class BlockedAgain(BlockRule):
    """The target throws high natural blocks again."""

    block: b.BlocksAgain

    def hit(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        if not self.mine(ctx):
            return kind
        return replace(kind, again_from=min(kind.again_from or 6, self.block.face))


class WoundsIgnored(BlockRule):
    """Wounds on the bearer are ignored by a roll, a better one where they come from a spell."""

    block: b.IgnoresWounds

    def ignores_wounds_on(self, ctx: WoundContext) -> int:
        if not by_itself(self.when, ctx.state, ctx.unit):
            return 0
        spell = self.amount(self.block.spells)
        if spell and ctx.kind == "spell":
            return spell
        return self.amount(self.block.on) if is_attack(self.when, ctx.kind) else 0


class IgnoresCover(BlockRule):
    """The bearer's shots ignore cover."""

    block: b.Ignores

    def aims(self, ctx: UnitContext) -> Aiming:
        return Aiming(ignores_cover="all", shots_only=True)

    def drops_cover(self, ctx: AttackContext) -> bool:
        return ctx.shooting


class IgnoresCoverSometimes(BlockRule):
    """The bearer's shots ignore cover under a condition."""

    block: b.Ignores

    def drops_cover(self, ctx: AttackContext) -> bool:
        return self.mine(ctx)


class IgnoresPenalties(BlockRule):
    """The bearer's rolls to hit ignore every penalty."""

    block: b.Ignores

    def drops_penalties(self, ctx: AttackContext) -> bool:
        return self.mine(ctx)


class IgnoresRegeneration(BlockRule):
    """Wounds by the bearer cannot be regenerated."""

    block: b.Ignores

    def hit(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        return replace(kind, no_saves=True) if self.mine(ctx) else kind


class CrossesGround(BlockRule):
    """What the bearer passes over while it moves."""

    def __init__(self, name: str, value: int, cite: str, place: int, who: b.Who, crossing: Crossing) -> None:
        super().__init__(name, value, cite, place)
        self.scope, self.given = SCOPES[who], crossing

    def crossing(self, ctx: UnitContext) -> Crossing:
        return self.given


class ChargeHitsGet(BlockRule):
    """Hits by the weight of the bearer's charge have other rules."""

    def __init__(
        self,
        name: str,
        value: int,
        cite: str,
        place: int,
        block: b.ChargeHits,
        rules: tuple[SpecialRule, ...],
    ) -> None:
        super().__init__(name, value, cite, place, block)
        self.rules = rules

    def charge_hit(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        for rule in self.rules:
            kind = rule.hit(ctx, kind)
        return kind


class DeploysAgain(BlockRule):
    """Friendly units may be taken up and deployed again."""

    block: b.Redeploys

    def deploys_again(self, ctx: UnitContext) -> bool:
        return True


class KeepsTokens(BlockRule):
    """Gains tokens that friendly casters near it spend as their own."""

    block: b.Tokens

    def tokens_gained(self, ctx: UnitContext) -> int:
        return self.amount(self.block.count)

    def keeps_tokens(self, ctx: UnitContext) -> int:
        return self.block.reach


class CastsForOthers(BlockRule):
    """Friendly casters near it may cast from where it stands."""

    block: b.Conduit

    def casts_for_others(self, ctx: UnitContext) -> int:
        return self.block.reach

    def to_cast_through(self, ctx: UnitContext) -> Mod | None:
        return self.mod(self.block.amount) if self.block.amount else None


class StrikesFirst(BlockRule):
    """Strikes before the charger does."""

    block: b.StrikeOrder

    def strikes_early(self, ctx: UnitContext) -> bool:
        return True


class PicksUnits(BlockRule):
    """May pick units and do something to them."""

    block: b.Picks
    dice_block: b.HitDice | None = None  # where dice are thrown for hits: how many, and at whom

    def picks_units(self, ctx: UnitContext) -> bool:
        return True

    @property
    def is_for_each_die(self) -> bool:
        """Whether every die that succeeds may strike another unit."""
        return self.dice_block is not None and self.dice_block.each

    @property
    def speaks_for_unit(self) -> bool:
        """Whether the unit uses the rule once, not each model that has it."""
        own = self.block.on == "self" and not any(isinstance(block, b.Heal) for block in self.block.then)
        return own or (self.dice_block is not None and self.dice_block.who == "unit")

    def dice(self, bearers: int, toughness: int) -> int:
        """How many dice are thrown, with so many models that have the rule; a single one by its Tough value."""
        if self.dice_block is None:
            return self.block.dice
        if self.dice_block.per_model:
            return bearers if bearers > 1 else toughness
        return self.amount(self.dice_block.dice)


class StrikesBackDying(BlockRule):
    """Those who wound it in melee, or kill it, take hits at once."""

    block: b.HitDice

    def hits_when_hurt(self, ctx: UnitContext, wounds: int, killed: bool) -> int:
        each = self.amount(self.block.dice if self.block.need else self.block.hits)
        if self.block.at == "killed in melee":
            return each if killed else 0
        return each * wounds


class MovesOnFarther(BlockRule):
    """Moves farther than others when it has destroyed its enemy in melee."""

    block: b.Consolidates

    def consolidates(self, ctx: UnitContext) -> int:
        return self.amount(self.block.reach)


class ShootsAfterRush(BlockRule):
    """May shoot after a Rush."""

    block: b.ShootsAfter

    def shoots_after(self, ctx: UnitContext, action: str) -> bool:
        return action == self.block.action


class KeepsAmbushersOff(BlockRule):
    """Enemies that come out of hiding keep farther away."""

    scope: Scope = "any"

    block: b.KeepsAway

    def keeps_off(self, ctx: UnitContext) -> int:
        return self.amount(self.block.reach)


class IsPickedFromAfar(BlockRule):
    """Heroes may pick this unit from farther away, over a friend with the same rule."""

    scope: Scope = "any"

    block: b.LongerReach

    def picked_from_afar(self, ctx: UnitContext) -> bool:
        return True


class HidesClose(BlockRule):
    """May come out of hiding close to enemies."""

    block: b.Hides
    scope: Scope = "all"

    def hides_up_to(self, ctx: UnitContext) -> int:
        return self.amount(self.block.reach)


class PlacesItself(BlockRule):
    """May be put down again near where it stands."""

    block: b.MayPlace

    def places_itself(self, ctx: UnitContext) -> bool:
        return True


class ChoosesEffect(BlockRule):
    """Its player picks one of several effects."""

    block: b.PickedEffect

    def chooses_effect(self, ctx: UnitContext) -> bool:
        return True


class RollsEffect(BlockRule):
    """A die settles which effect it has."""

    block: b.RolledEffect

    def rolls_effect(self, ctx: UnitContext) -> bool:
        return True


class UsesFeat(BlockRule):
    """May be used once a game, or once a round."""

    block: b.Feat

    def uses_feat(self, ctx: UnitContext) -> bool:
        return True


class GrowsStronger(BlockRule):
    """Collects markers that make it stronger."""

    block: b.Grows

    def grows(self, ctx: UnitContext) -> bool:
        return True


class AvengedByFriends(BlockRule):
    """Its destroyer is marked for the friends it leaves behind."""

    block: b.Avenged
    scope: Scope = "any"

    def avenged(self, ctx: UnitContext) -> bool:
        return True


class SteadyAfterMoving(BlockRule):
    """Takes back what its indirect shots lose by moving."""

    block: b.Ignores

    def __init__(self, name: str, value: int, cite: str, place: int, block: b.Ignores, build: Build) -> None:
        super().__init__(name, value, cite, place, block)
        self.build = build

    def to_hit(self, ctx: AttackContext) -> Mod | None:
        if not ctx.shooting or not ctx.moved or ctx.weapon is None:
            return None
        indirect = self.build(ref for ref in ctx.weapon.rules if ref.name == "Indirect")
        mods = [mod for rule in indirect if (mod := rule.to_hit(ctx)) is not None]
        lost = sum(min(0, mod.amount) for mod in mods)
        return self.mod(-lost) if lost else None


class MovesAfter(BlockRule):
    """May move once more after attacks."""

    block: b.MayMove

    def moves_after(self, ctx: UnitContext) -> bool:
        return True


class FindsNerve(BlockRule):
    """May find its nerve again when a round begins."""

    block: b.Recovers

    def recovers_on(self, ctx: UnitContext) -> int:
        return self.amount(self.block.on)


class StandsFirm(BlockRule):
    """Bleeds where others would run."""

    block: b.NoRetreat

    def stands_firm(self, ctx: UnitContext) -> int:
        return self.amount(self.block.face)


class StrikesWithDice(BlockRule):
    """In melee it rolls dice for hits or wounds in addition to its weapons."""

    block: b.HitDice

    def strikes_with_dice(self, ctx: UnitContext) -> int:
        return self.amount(self.block.dice)


class BoggedDown(BlockRule):
    """Counts as being in difficult terrain."""

    scope: Scope = "any"

    block: b.InTerrain
    always_alike = False

    def move(self, ctx: UnitContext, action: str) -> int:
        return 0

    def is_bogged(self, ctx: UnitContext) -> bool:
        return True


class Endangered(BlockRule):
    """Counts as being in dangerous terrain."""

    scope: Scope = "any"

    block: b.InTerrain

    def is_endangered(self, ctx: UnitContext) -> bool:
        return True


class SharesAura(BlockRule):
    """Friends picked before the game share its aura."""

    block: b.Aura

    def shares_aura(self, ctx: UnitContext) -> bool:
        return True


class Lends(BlockRule):
    """All models of the bearer's unit have the rules it lends."""

    def __init__(self, name: str, value: int, cite: str, place: int, blocks: b.Blocks) -> None:
        super().__init__(name, value, cite, place)
        self.given = (RuleRef(name, value, False, blocks),)

    def lends(self, ctx: PrintedContext) -> tuple[RuleRef, ...]:
        return self.given


class LendsNear(BlockRule):
    """Units near the bearer have the rules it lends."""

    block: b.Aura

    @property
    def lends_to_own_unit(self) -> bool:
        """Whether the bearer's own unit has them, wherever it is."""
        return self.block.on == "friend" and not (self.block.others or self._asks)

    @property
    def _asks(self) -> bool:
        """Whether units must be more than near: have a rule, start there, or depend on the bearer's own state."""
        return bool(self.block.with_rule or self.block.when) or self.block.starting

    @property
    def asks_own_unit(self) -> bool:
        """Whether it hangs on the bearer's own unit if that has them, too."""
        return self._asks and not self.block.others

    def lends_near(self, ctx: PrintedContext) -> tuple[RuleRef, ...]:
        return (RuleRef(self.name, self.value, False, self.block.blocks),)


# Hooks that are asked outside an attack, but only for attacks of one kind: a condition of that kind changes nothing.
