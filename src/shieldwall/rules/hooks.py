"""Special rules as small classes with hooks named from the holder's viewpoint.

`to_hit` is my attack, `to_be_hit` an attack on me. The default hook does nothing; a rule overrides only what it
changes. Hooks inside one stage commute, so no rule carries a priority.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from msgspec import Struct

from shieldwall.core.frames import AttackKind, CoverKind
from shieldwall.core.state import Profile, RuleRef, State, Unit, Weapon
from shieldwall.core.values import Mod

Scope = Literal["weapon", "model", "any", "most", "all", "aura"]


class PrintedContext(Struct):
    """A model as it is printed in a list, before there is a game: its special rules."""

    rules: tuple[RuleRef, ...] = ()


class UnitContext(Struct):
    """The unit that a rule applies to, outside an attack; for ranges and charges, at which `target`, None for any."""

    state: State
    unit: Unit
    target: Unit | None = None


class WoundContext(Struct):
    """Wounds about to land on a unit, or on one model that was `picked`, and the kind of attack they come from."""

    state: State
    unit: Unit
    kind: AttackKind
    picked: int = -1


class BlockContext(Struct):
    """Hits that a unit has to block. Fields are named as in `AttackContext`: `unit` attacks, `target` blocks."""

    state: State
    kind: AttackKind
    unit: Unit
    target: Unit
    charging: bool = False
    apart: int = 0
    picked: int = -1
    cover: CoverKind = "none"


class AttackContext(Struct):
    """Everything a hook may ask about one source of attacks. Distances are thousandths of an inch.

    `apart` is the distance meant by "over 9 inches away": for shots as the edition measures it, for a charge from
    where it was declared. `guard` is the Defense that the target counts as having in this attack, 0 where no rule may
    change it. `switches` are the house rules of the game, `around` the modifiers from the surroundings of the two
    units.
    """

    state: State
    kind: AttackKind
    unit: Unit
    target: Unit
    profile: Profile
    weapon: Weapon | None
    charging: bool = False
    held: bool = False
    moved: bool = False
    near: int = 0
    unit_near: int = 0
    cover: CoverKind = "none"
    tired: bool = False
    picked: int = -1
    apart: int = 0
    round: int = 1
    switches: tuple[tuple[str, str], ...] = ()
    around: tuple[Mod, ...] = ()
    guard: int = 0

    @property
    def shooting(self) -> bool:
        """Whether these are shots of a ranged weapon."""
        return self.kind == "shoot"

    @property
    def melee(self) -> bool:
        """Whether these are blows of a melee weapon."""
        return self.kind == "strike"


class HitKind(Struct, frozen=True):
    """The properties of a hit: changed by `hit`, `six` and `hit_on_me` hooks.

    `again_from` is the lowest natural block roll that must be rerolled, 0 for none; `wounds_on` the roll that wounds
    whatever the Defense, where the attacker rolls to wound. `ones` are extra wounds for failed blocks of natural
    faces up to `ones_up_to`, `unblocked` extra wounds for every hit that is not blocked.
    """

    ap: int = 0
    again_from: int = 0
    no_saves: bool = False
    multiply: int = 1
    mods: tuple[Mod, ...] = ()
    wounds_on: int = 0
    ones: int = 0
    ones_up_to: int = 1
    unblocked: int = 0


class Crossing(Struct, frozen=True):
    """What a model ignores while it moves."""

    units: bool = False
    terrain: bool = False
    difficult: bool = False
    sure_jumps: bool = False
    jump_target: int = 0


class Aiming(Struct, frozen=True):
    """How a weapon picks its targets. `rank` orders volleys: lower ones are resolved first.

    `shots_only` does not affect blows: such a rule is about shooting, and its bearers may have melee weapons too.
    """

    needs_sight: bool = True
    ignores_cover: Literal["none", "behind", "all"] = "none"
    picks_model: bool = False
    picks_centre: bool = False
    unseen_in_cover: bool = False
    rank: int = 9
    shots_only: bool = False


class SpecialRule:
    """One printed rule, bound to its value and the rows it comes from."""

    scope: Scope = "model"
    scopes: ClassVar[Mapping[str, Scope]] = {}  # hooks with another scope than the rest of the rule
    stacks: ClassVar[bool] = False
    grants: ClassVar[tuple[tuple[str, int], ...]] = ()  # other rules that always come with this one
    of_kinds: ClassVar[tuple[str, ...]] = ()  # kinds of models that have this rule although it is not printed
    cancels: ClassVar[str] = ""  # a rule that cancels this one and is cancelled by it
    kept_as: ClassVar[str] = ""  # the name under which its uses are recorded, if not its own
    regenerates: bool = False  # whether it counts as Regeneration, which some attacks cancel
    face: int = 6  # the lowest natural roll to hit that it refers to, if it refers to any
    boosted: bool = False  # whether another rule makes it better than printed
    takes_weight: bool = False  # whether striking first also takes away Impact dice
    keeps_strength: bool = False  # whether nothing lowers the armour piercing and the range of its attacks
    rolls_weight: bool = False  # whether its Impact is rolled for even where Impact hits surely
    saves_whole_units: bool = (
        False  # whether it ignores wounds on units whose models all have it, and on no others
    )
    caps_each_hit: bool = (
        False  # whether it multiplies each hit up to the number of models, whatever the edition says
    )
    always_alike: bool = True  # whether what it adds to moves depends only on the unit's models and effects
    charges_by_target: bool = False  # whether what it adds to charges depends on the target
    signs_apart: ClassVar[bool] = (
        False  # whether penalties are kept apart from bonuses, because some rules ignore penalties
    )

    def __init__(self, name: str, value: int, cite: str) -> None:
        self.name = name
        self.value = value
        self.cite = cite
        self.adds = self.stacks and value != 0  # whether it comes on top of the same rule from elsewhere

    @property
    def same(self) -> tuple[str, int]:
        """Rules for which this is equal count as one, wherever they come from."""
        return self.name, self.signs_apart and self.value < 0

    @property
    def hooks(self) -> tuple[str, ...]:
        """The hooks that this rule answers."""
        return hooks_of(type(self))

    def with_value(self, value: int) -> SpecialRule:
        """The same rule with another value."""
        return type(self)(self.name, value, self.cite)

    def in_attack(self, ctx: AttackContext) -> SpecialRule | None:
        """The rule that applies in this attack: itself, another one in its place, or none."""
        return self

    @property
    def title(self) -> str:
        """The rule as printed, with its value."""
        return f"{self.name}({self.value})" if self.value else self.name

    def mod(self, amount: int) -> Mod:
        """A modifier that names this rule."""
        return Mod(amount, self.title, self.cite)

    def scope_of(self, hook: str) -> Scope:
        """Whom a hook of this rule applies to."""
        return self.scopes.get(hook, self.scope)

    # what my unit may do
    def actions(self, ctx: UnitContext) -> frozenset[str] | None:
        """The only actions my unit may take; None for no limit."""
        return None

    def may_use(self, ctx: UnitContext, uses: int) -> bool:
        """Whether my weapon may be used now, having been used `uses` times in this game."""
        return True

    def once_a_round(self, ctx: UnitContext) -> bool:
        """Whether my weapon may be used only once per round, whichever way it is used."""
        return False

    def must_attack(self, ctx: UnitContext) -> bool:
        """Whether my unit must attack the closest enemy it can, if it can attack at all."""
        return False

    def may_pass(self, ctx: UnitContext) -> bool:
        """Whether my unit may pass its side's turn instead of being activated."""
        return False

    def calls_friend(self, ctx: UnitContext) -> int:
        """How near a friendly unit must be to be activated right after mine; 0 for none."""
        return 0

    def picks_before_game(self, ctx: UnitContext) -> tuple[str, ...]:
        """The options from which my owner picks one before the game; empty if there is no choice."""
        return ()

    def keeps_back(self, ctx: UnitContext) -> str:
        """How my unit may stay off the table at deployment; "" if it may not."""
        return ""

    # how I move
    def move(self, ctx: UnitContext, action: str) -> int:
        """What is added to my move."""
        return 0

    def crossing(self, ctx: UnitContext) -> Crossing | None:
        """What I ignore while I move."""
        return None

    # my attack
    def aims(self, ctx: UnitContext) -> Aiming | None:
        """How my weapon picks targets."""
        return None

    def quality(self, ctx: AttackContext) -> int | None:
        """The Quality my attack is made with."""
        return None

    def to_hit(self, ctx: AttackContext) -> Mod | None:
        """What changes my roll to hit."""
        return None

    def misses_again(self, ctx: AttackContext) -> int:
        """The highest natural face of my failed rolls to hit that is rerolled; 0 for none."""
        return 0

    def drops_penalties(self, ctx: AttackContext) -> bool:
        """Whether my roll to hit ignores every penalty."""
        return False

    def ignores_rule(self, ctx: AttackContext) -> str:
        """A rule of the target that does not count against my attack; "" for none."""
        return ""

    def drops_cover(self, ctx: AttackContext) -> bool:
        """Whether cover does not help against this attack."""
        return False

    def marks(self, ctx: AttackContext) -> int:
        """Extra hits for each natural 6 of mine; they are not 6s themselves."""
        return 0

    def hit(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        """Changes the properties of my hits."""
        return kind

    def six(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        """Changes the properties of my hits from natural 6s."""
        return kind

    def extra_attacks(self, ctx: AttackContext) -> int:
        """Extra attacks of each of my models with the weapon of this attack."""
        return 0

    def multiplies(self, ctx: AttackContext) -> int:
        """How many hits each hit becomes, before any cap."""
        return 1

    def six_counts_as(self, ctx: AttackContext) -> int:
        """How many hits each natural 6 of mine counts as; all of them are 6s themselves."""
        return 1

    def more_attacks(self, ctx: AttackContext) -> int:
        """Extra attacks with the same weapon for each natural 6 of mine to hit; these earn no further ones."""
        return 0

    def attacks_for_blocks(self, ctx: AttackContext) -> int:
        """Extra attacks with the same weapon for each natural 1 to block its hits; these earn no further ones."""
        return 0

    def backfires(self, ctx: AttackContext) -> int:
        """Wounds that my own unit takes for each natural 1 of mine to hit."""
        return 0

    def charge_hit(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        """Changes the properties of my Impact hits."""
        return kind

    def hits_surely(self, ctx: UnitContext) -> bool:
        """Whether the attacks of my weapon hit without a roll."""
        return False

    def attacks_on_charge(self, ctx: UnitContext) -> int:
        """Extra attacks I have on a charge, with a weapon my owner chooses."""
        return 0

    def extra_hits_on_charge(self, ctx: UnitContext) -> int:
        """Dice I roll for Impact hits on a charge."""
        return 0

    def hits_on_charge(self, ctx: UnitContext) -> bool:
        """Whether I deal hits on a charge without a roll to hit."""
        return False

    def tests_for_hits(self, ctx: UnitContext) -> bool:
        """Whether I take a Quality test on a charge and score a hit if I pass."""
        return False

    def breathes_fire(self, ctx: UnitContext) -> int:
        """The range at which my unit can deal rolled automatic hits once per game, also in melee; 0: none."""
        return 0

    def fires_on_hold_only(self, ctx: UnitContext) -> bool:
        """Whether I may shoot only on a Hold."""
        return False

    def strikes_early(self, ctx: UnitContext) -> bool:
        """Whether my weapon strikes first when I am charged."""
        return False

    def strikes_late(self, ctx: UnitContext) -> bool:
        """Whether I strike after those I charge, if all of my unit do."""
        return False

    # an attack on me
    def weapons(self, ctx: PrintedContext) -> tuple[Weapon, ...]:
        """Weapons that come with the rule, in addition to the printed ones."""
        return ()

    def wounds(self, ctx: PrintedContext) -> int:
        """How many wounds I take before I am removed; 0 for the usual one."""
        return 0

    def printed_defense(self, ctx: PrintedContext) -> int:
        """The Defense I have for all purposes; 0 for the printed one."""
        return 0

    def to_be_hit(self, ctx: AttackContext) -> Mod | None:
        """What changes the roll to hit me."""
        return None

    def hits_on_me_again(self, ctx: AttackContext) -> int:
        """The lowest natural face of successful rolls to hit me that is rerolled; 0 for none."""
        return 0

    def hit_on_me(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        """Changes the properties of hits on my unit, after the attacker's rules."""
        return kind

    def defense(self, ctx: BlockContext) -> int | None:
        """The Defense I have against these hits, if it is better than the printed one."""
        return None

    def counts_in_cover(self, ctx: AttackContext) -> bool:
        """Whether my unit counts as being in cover from these shots."""
        return False

    def frightens(self, ctx: UnitContext) -> bool:
        """Whether enemies without this rule are tested before they fight my unit."""
        return False

    def denies_charge(self, ctx: UnitContext) -> bool:
        """Whether charges at my unit do not count as charges for the charger's special rules."""
        return False

    def tests_chargers(self, ctx: UnitContext) -> bool:
        """Whether chargers of my unit take a dangerous terrain test before any blow."""
        return False

    def to_block(self, ctx: BlockContext) -> Mod | None:
        """What changes the rolls of my unit to block."""
        return None

    def blocks_again(self, ctx: BlockContext) -> int:
        """The highest natural face of my unit's failed blocks that is rerolled; 0 for none."""
        return 0

    def ignores_wounds_on(self, ctx: WoundContext) -> int:
        """The roll that ignores a wound on me; 0 for none."""
        return 0

    # results and nerve
    def melee_score(self, ctx: UnitContext) -> int:
        """What is added to my unit's melee result."""
        return 0

    def rolls_for_score(self, ctx: UnitContext) -> bool:
        """Whether a rolled D3 is added to my unit's melee result."""
        return False

    def wound_sum(self, ctx: UnitContext, melee: bool) -> int:
        """What is added to the wound checks my unit causes."""
        return 0

    def to_morale(self, ctx: UnitContext) -> Mod | None:
        """What changes my morale tests."""
        return None

    def morale_failed(self, ctx: UnitContext) -> int:
        """The roll that turns my failed test into a passed one; 0 for none."""
        return 0

    def passes_morale(self, ctx: UnitContext) -> bool:
        """Whether my unit passes morale tests without a roll."""
        return False

    def never_tires(self, ctx: UnitContext) -> bool:
        """Whether fighting leaves my unit unfatigued."""
        return False

    def morale_again(self, ctx: UnitContext) -> bool:
        """Whether a failed morale test of my unit is rolled again."""
        return False

    def tests_for_others(self, ctx: UnitContext) -> bool:
        """Whether my Quality may be used for the tests of my unit, or of friends near me."""
        return False

    def consolidates(self, ctx: UnitContext) -> int:
        """How far the bearer may move when it has destroyed its enemy in melee."""
        return 0

    def spell_range(self, ctx: PrintedContext) -> int:
        """How much farther the bearer's spells reach."""
        return 0

    def longer_range(self, ctx: UnitContext) -> int:
        """What is added to the range of my shots."""
        return 0

    def range_at_me(self, ctx: UnitContext) -> int:
        """What is added to the range of shots at my unit."""
        return 0

    def charge_at_me(self, ctx: UnitContext) -> int:
        """What is added to the moves of enemies that charge my unit."""
        return 0

    def shoots_after(self, ctx: UnitContext, action: str) -> bool:
        """Whether I may shoot after an action that usually forbids it."""
        return False

    def keeps_off(self, ctx: UnitContext) -> int:
        """How far enemies that arrive from ambush must stay from my unit; 0 for the usual distance."""
        return 0

    def picked_from_afar(self, ctx: UnitContext) -> bool:
        """Whether heroes may pick my unit from farther away than usual."""
        return False

    def hides_up_to(self, ctx: UnitContext) -> int:
        """How close to enemies my unit may arrive from ambush; the closest of several values counts."""
        return 0

    def places_itself(self, ctx: UnitContext) -> bool:
        """Whether I may at some moment be placed again near where I stand."""
        return False

    def picks_units(self, ctx: UnitContext) -> bool:
        """Whether I may pick other units in my activation and affect them."""
        return False

    def chooses_effect(self, ctx: UnitContext) -> bool:
        """Whether my player picks one of my effects at some moment."""
        return False

    def rolls_effect(self, ctx: UnitContext) -> bool:
        """Whether a die decides which of my effects applies to an attack."""
        return False

    def uses_feat(self, ctx: UnitContext) -> bool:
        """Whether I may be used once per game."""
        return False

    def grows(self, ctx: UnitContext) -> bool:
        """Whether my unit collects markers that make it stronger."""
        return False

    def avenged(self, ctx: UnitContext) -> bool:
        """Whether friends gain something against the unit that destroys mine."""
        return False

    def moves_after(self, ctx: UnitContext) -> bool:
        """Whether my unit may move once more after attacks."""
        return False

    def recovers_on(self, ctx: UnitContext) -> int:
        """The roll on which my unit recovers when a round begins."""
        return 0

    def stands_firm(self, ctx: UnitContext) -> int:
        """The highest face that wounds my unit as it rolls a die per wound left instead of failing morale; 0: none."""
        return 0

    def restores_on(self, ctx: UnitContext) -> int:
        """The roll on which a lost model or wound of my unit comes back when it is activated; 0 for none."""
        return 0

    def shares_aura(self, ctx: UnitContext) -> bool:
        """Whether friends that are picked before the game share my aura."""
        return False

    def brings_on(self, ctx: UnitContext) -> bool:
        """Whether I may bring a new unit into the game."""
        return False

    def copies_itself(self, ctx: UnitContext) -> bool:
        """Whether a copy of my unit may come when mine is shaken or destroyed."""
        return False

    def leaves_table(self, ctx: UnitContext) -> bool:
        """Whether my unit may leave the table when its activation ends, to come back later."""
        return False

    def strikes_with_dice(self, ctx: UnitContext) -> int:
        """Dice for hits or wounds that I roll in melee in addition to my weapons."""
        return 0

    def hits_when_hurt(self, ctx: UnitContext, wounds: int, killed: bool) -> int:
        """Hits on those who dealt me these wounds in melee, or killed me; or dice for such hits."""
        return 0

    def is_bogged(self, ctx: UnitContext) -> bool:
        """Whether my unit counts as being in difficult terrain."""
        return False

    def is_endangered(self, ctx: UnitContext) -> bool:
        """Whether my unit counts as being in dangerous terrain when it is next activated."""
        return False

    # what I grant to others
    def lends(self, ctx: PrintedContext) -> tuple[RuleRef, ...]:
        """Rules that all models of my unit have because of me."""
        return ()

    def lends_near(self, ctx: PrintedContext) -> tuple[RuleRef, ...]:
        """Rules that units near me have because of me."""
        return ()

    # upkeep
    def to_cast(self, ctx: UnitContext) -> Mod | None:
        """What changes my casting rolls."""
        return None

    def casts_with(self, ctx: UnitContext) -> int:
        """What I add to the die when I cast a spell or try to stop one; 0 if I can do neither."""
        return 0

    def tokens_gained(self, ctx: UnitContext) -> int:
        """Spell tokens I gain when a round begins."""
        return 0

    def deploys_again(self, ctx: UnitContext) -> bool:
        """Whether friendly units may be deployed again because of me, once all others are on the table."""
        return False

    def casts_for_group(self, ctx: UnitContext) -> bool:
        """Whether only one model of my unit casts, for all that have this rule."""
        return False

    def keeps_tokens(self, ctx: UnitContext) -> int:
        """How near friendly casters of other units must be to spend the tokens I gain; 0 for nobody."""
        return 0

    def casts_for_others(self, ctx: UnitContext) -> int:
        """How near friendly casters of other units must be to cast from where I stand; 0 for nobody."""
        return 0

    def to_cast_through(self, ctx: UnitContext) -> Mod | None:
        """What changes the rolls of friends who cast from where I stand."""
        return None

    def may_seize(self, ctx: UnitContext, last_round: int) -> bool:
        """Whether my unit may hold or contest markers now."""
        return True

    def carries(self, ctx: UnitContext) -> int:
        """Spaces I have for units that ride inside me."""
        return 0

    def joins(self, ctx: UnitContext) -> bool:
        """Whether I may join another unit."""
        return False


_NO_HOOKS = frozenset({"mod", "scope_of", "with_value", "in_attack"})
HOOKS: tuple[str, ...] = tuple(
    sorted(
        name
        for name, member in vars(SpecialRule).items()
        if callable(member) and not name.startswith("_") and name not in _NO_HOOKS
    )
)


def hooks_of(rule: type[SpecialRule]) -> tuple[str, ...]:
    """The hooks a class of rules overrides; found once."""
    known = _OVERRIDDEN.get(rule)
    if known is None:
        known = tuple(hook for hook in HOOKS if getattr(rule, hook) is not getattr(SpecialRule, hook))
        _OVERRIDDEN[rule] = known
    return known


_OVERRIDDEN: dict[type[SpecialRule], tuple[str, ...]] = {}
