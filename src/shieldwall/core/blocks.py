"""The building blocks of army rules: what the text of a rule or a spell says, as data.

A text is read into a tuple of blocks (`rules/army/reading`), and the engine plays each block with the same hooks
that the rules of the rulebook use. Nothing here decides anything; a block only says which units it affects, when, how
and for how long.

Lengths are thousandths of an inch. A number printed as X, the one in brackets after the name of the rule, is
`BY_VALUE` until the rule is on a unit; `-BY_VALUE` is minus X.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

BY_VALUE = 99  # the number in brackets behind the rule's name
EVERY = 0  # all units in reach, where units are picked

Who = Literal["weapon", "model", "unit", "most", "all"]
"""To whom a block applies: this weapon, this model, its unit, a unit where most or all models have the rule."""

Attack = Literal["", "attack", "shoot", "melee", "spell", "not spell"]
"""Which attacks a condition lets through: all hits, shots and blows, shots, blows, spells, all but spells."""

Side = Literal["own", "enemy"]
"""Whose rolls, moves or ranges change: the bearer's, or those of enemies that attack, shoot or charge the bearer."""

Moment = Literal[
    "",  # no moment of its own
    "before attacking",
    "activated",
    "activation",  # at any point of the bearer's activation
    "activation end",
    "deployed",
    "deployed or activated",
    "all deployed",
    "round begins",
    "round ends",
    "attacks",
    "shoots",
    "fights",
    "charges",  # fights after it has charged
    "moves",
    "crosses",  # moves through enemy units
    "after shooting",
    "after melee",
    "after attacking",  # after shooting or after a melee
    "enemy moved",  # an enemy has ended its move
    "moved after melee",
    "takes wounds",
    "wounded in melee",
    "killed in melee",
    "killed",
    "destroys a unit",
    "destroyed",
    "shaken or destroyed",
    "ignores a wound",
]
"""When something happens, seen from the bearer."""

Often = Literal["", "attack", "activation", "round", "game"]
"""How often: always, once in each shooting or melee, once per activation, per round, per game."""

Until = Literal["", "once", "activation", "round", "next activation", "game"]
"""How long something lasts: as long as its cause, the next time it would apply, or until the end of something."""


Game = Literal["", "aof", "aofs"]
"""Which of the games of a book is meant; empty where all of them say the same."""


class RuleRef(Struct, frozen=True, array_like=True, gc=False):
    """A special rule as printed on a profile: `Name(value)`; value 0 where the rule has none.

    `plus` marks a value printed with a plus, `Name(+value)`: it is added even where equal rules do not add up.
    `blocks` is what the text of the army book says: it goes before the rule of that name in the edition. None
    leaves the edition's own rule, no blocks at all mean that the text changes nothing in play.
    """

    name: str
    value: int = 0
    plus: bool = False
    blocks: tuple[Block, ...] | None = None


class When(Struct, frozen=True, omit_defaults=True):
    """A condition; everything that is named must hold. A block with several of them needs one to hold.

    Distances are between the two units of an attack; a charge is measured from where it was declared. What is said
    of the target holds for a unit where most models have it, any, or all of them (`target_count`).
    """

    attack: Attack = ""
    charging: bool = False  # the attack is part of a charge
    charged: bool = False  # the bearer strikes back at those who charged it
    over: int = 0  # from farther away than this
    within: int = 0  # from no farther away than this; 0 for any distance
    held: bool = False  # the bearer used a Hold action
    moved: bool = False  # the bearer moved in this activation
    still: bool = False  # the bearer has not moved in this round
    by_terrain: int = 0  # most of the bearer's models are within this distance of terrain
    by_marker: int = 0  # the bearer's unit is within this distance of an objective
    by_friend: int = 0  # the bearer's unit is within this distance of another friendly unit
    friend_rule: str = ""  # which must have this rule
    by_enemy: int = 0  # the bearer's unit is within this distance of an enemy
    near: int = 1  # of how many of them, friends or enemies
    lost: int = 0  # the bearer's unit has taken at least so many wounds, with those of models that fell
    own_rule: str = ""  # the bearer's unit has this rule, too
    arrived: bool = False  # the bearer's unit came out of hiding in this round
    alone: int = 0  # no other friendly unit is within this distance of the bearer's
    fatigued: bool | None = None  # the bearer is, or is not, fatigued
    shaken: bool | None = None
    wounded: bool | None = None  # the bearer's unit has, or has not, lost models or taken wounds
    half: bool | None = None  # it is, or is not, down to half its starting strength
    models: tuple[int, int] = (0, 0)  # how many models it has, from and to; 0 for no upper end
    rounds: tuple[int, int] = (0, 0)  # in which rounds, from and to; 0 for no upper end
    in_cover: bool = False  # whoever is attacked is in cover
    outnumbers: bool | None = None  # the bearer's unit has more models than the other one, or fewer
    target_wounds: tuple[int, int] = (
        0,
        0,
    )  # wounds a model takes before it falls, from and to; 0 for no upper end
    target_defense: tuple[int, int] = (0, 0)
    target_rule: str = ""
    target_without: str = ""  # a rule that the target must not have
    target_fatigued: bool | None = None
    target_shaken: bool | None = None
    target_wounded: bool | None = None
    target_half: bool | None = None
    target_models: tuple[int, int] = (0, 0)
    target_activated: bool | None = None  # the target has, or has not, been activated in this round
    target_count: Literal["any", "most", "all"] = "most"
    unless: tuple[When, ...] = ()  # none of these may hold


Whens = tuple[When, ...]
"""Conditions of which one must hold; none at all for always."""


class BlockBase(Struct, frozen=True, omit_defaults=True, tag_field="block"):
    """What every block has in common: nothing but its tag, which is the name of its class."""


# ---------------------------------------------------------------- dice and numbers of attacks, tests and moves


class Modifier(BlockBase, frozen=True, tag=True):
    """Adds to a roll: to hit, to block, to a morale test or to a casting roll, of the bearer or of its attackers."""

    roll: Literal["hit", "block", "morale", "casting"]
    amount: int
    of: Side = "own"
    who: Who = "model"
    when: Whens = ()


class Gets(BlockBase, frozen=True, tag=True):
    """The bearer has another rule: always, or under a condition. Hits that pierce more on a charge are one of these.

    On a weapon, or with a condition about an attack, it is the weapon's attack that has the rule.
    """

    rule: RuleRef
    who: Who = "model"
    when: Whens = ()


class MoreAttacks(BlockBase, frozen=True, tag=True):
    """More attacks with one weapon, the one with most of them, or with `each`; or twice as many (`doubled`)."""

    attacks: int = 1
    each: bool = False
    doubled: bool = False
    who: Who = "model"
    when: Whens = ()


class HitsTaken(BlockBase, frozen=True, tag=True):
    """Hits on the bearer's unit count with a changed armour penetration, never below 0."""

    piercing: int
    who: Who = "all"
    when: Whens = ()


class QualityIs(BlockBase, frozen=True, tag=True):
    """Attacks are made with this Quality, where it is better than its own."""

    quality: int
    who: Who = "weapon"
    when: Whens = ()


class DefenseIs(BlockBase, frozen=True, tag=True):
    """Counts as having this Defense, where it is better than its own.

    `turned` where the edition counts Defense the other way: the same chance to come through unhurt.
    """

    defense: int
    who: Who = "model"
    turned: bool = False
    when: Whens = ()


class InCover(BlockBase, frozen=True, tag=True):
    """Counts as being in cover when it is shot at."""

    who: Who = "model"
    when: Whens = ()


class Ignores(BlockBase, frozen=True, tag=True):
    """What the bearer or its attacks ignore: cover, penalties to hit, difficult ground, or a rule by its name, an
    enemy's or its own, which is then as good as `lost`."""

    what: str  # "cover", "penalties", "moving penalty", "difficult terrain", "terrain", or a rule's name
    who: Who = "model"
    when: Whens = ()
    lost: bool = False


class FacesGet(BlockBase, frozen=True, tag=True):
    """Hits from these natural faces to hit, or from higher ones, have another rule."""

    rule: RuleRef
    face: int = 6
    who: Who = "weapon"
    when: Whens = ()


class ExtraHits(BlockBase, frozen=True, tag=True):
    """Natural faces to hit, from this one up, deal extra hits, which are no 6s themselves."""

    hits: int = 1
    face: int = 6
    who: Who = "model"
    when: Whens = ()


class ExtraAttacks(BlockBase, frozen=True, tag=True):
    """Natural faces bring new attacks with the same weapon, which bring no more of them.

    `on` is the bearer's own roll to hit (this face and higher), or the target's roll to block (this face and lower).
    """

    attacks: int = 1
    on: Literal["hit", "block"] = "hit"
    face: int = 6
    who: Who = "model"
    when: Whens = ()


class ExtraWounds(BlockBase, frozen=True, tag=True):
    """Extra wounds: for natural faces to block up to this one, or for natural faces to hit from this one up
    whose hits were not blocked; by the bearer's attacks, or by those of enemies on the bearer."""

    wounds: int = 1
    on: Literal["hit", "block"] = "block"
    face: int = 1
    who: Who = "weapon"
    when: Whens = ()
    of: Side = "own"


class BlocksAgain(BlockBase, frozen=True, tag=True):
    """The target rolls natural faces to block from this one up again."""

    face: int = 6
    who: Who = "weapon"
    when: Whens = ()


class RollsAgain(BlockBase, frozen=True, tag=True):
    """Dice are thrown once more, and the second result stands: failures of natural faces up to `face`, or
    successes (`succeeded`) from that face up, of the bearer or of enemies that attack it."""

    roll: Literal["hit", "block", "morale"]
    face: int = 6
    succeeded: bool = False
    of: Side = "own"
    who: Who = "model"
    when: Whens = ()


class IgnoresWounds(BlockBase, frozen=True, tag=True):
    """One die for each wound ignores it on this roll. `spells` is the roll for wounds from spells where it differs."""

    on: int
    spells: int = 0
    who: Who = "all"
    when: Whens = ()


class Inches(BlockBase, frozen=True, tag=True):
    """More or fewer inches on some move actions, of the bearer or of enemies that charge it."""

    amount: int
    actions: tuple[Literal["advance", "rush", "charge"], ...]
    of: Side = "own"
    who: Who = "model"
    when: Whens = ()


class Range(BlockBase, frozen=True, tag=True):
    """A longer or shorter range of shots, of the bearer or of enemies that shoot at it; or of its `spells`."""

    amount: int
    of: Side = "own"
    who: Who = "model"
    when: Whens = ()
    spells: bool = False


class StrikeOrder(BlockBase, frozen=True, tag="Order"):
    """Strikes first when charged, or last when charging."""

    first: bool
    who: Who = "model"
    when: Whens = ()


class ShootsAfter(BlockBase, frozen=True, tag=True):
    """May shoot after an action that usually forbids it."""

    action: Literal["rush", "charge"] = "rush"
    who: Who = "model"


class Crosses(BlockBase, frozen=True, tag=True):
    """May move through others."""

    friends: bool = True
    enemies: bool = True
    terrain: bool = False
    who: Who = "model"


class Backfires(BlockBase, frozen=True, tag=True):
    """The bearer's own unit takes wounds for natural faces to hit up to this one."""

    wounds: int = 1
    face: int = 1
    who: Who = "weapon"
    when: Whens = ()


class ChargeHits(BlockBase, frozen=True, tag=True):
    """Hits by the weight of the bearer's charge have another rule."""

    rule: RuleRef
    who: Who = "model"


# ---------------------------------------------------------------- lending


class Aura(BlockBase, frozen=True, tag=True):
    """Grants blocks to the bearer and its unit, to the bearer and friends picked before the game, or to units near it.

    Ends with its bearer.
    """

    blocks: tuple[Block, ...]
    to: Literal["unit", "picked"] = "unit"
    count: int = 0  # how many friendly units may be picked
    reach: int = 0  # units within this distance have it, too; 0 if distance does not matter
    on: Literal["friend", "enemy"] = "friend"
    others: bool = False  # not the bearer's own unit
    with_rule: str = ""  # only units with this rule
    when: Whens = ()  # what must hold for the bearer
    starting: bool = False  # units that start their activation there have it until that ends


class Boost(BlockBase, frozen=True, tag=True):
    """If the bearer has another rule, these blocks take the place of that rule's blocks of the same kind.

    A number that is 0 here, and a block of another kind, stays as that rule says.
    """

    rule: str
    blocks: tuple[Block, ...]
    who: Who = "model"


class PickedEffect(BlockBase, frozen=True, tag="Choice"):
    """Its player picks one of several effects at a moment."""

    effects: tuple[tuple[Block, ...], ...]
    at: Moment = "activated"
    until: Until = "activation"
    who: Who = "unit"


class RolledEffect(BlockBase, frozen=True, tag="Chance"):
    """One die settles which effect applies: `faces` are the lowest and highest face of each effect."""

    faces: tuple[tuple[int, int], ...]
    effects: tuple[tuple[Block, ...], ...]
    at: Moment = "attacks"
    until: Until = ""
    optional: bool = False
    who: Who = "unit"


class Feat(BlockBase, frozen=True, tag=True):
    """Once per game (or so often), its player may use this: the blocks hold for that shooting, melee, move or
    these wounds."""

    blocks: tuple[Block, ...]
    at: Moment = "attacks"
    often: Often = "game"
    who: Who = "all"


class Grows(BlockBase, frozen=True, tag=True):
    """The unit collects markers, each of which gives the blocks once more, up to so many.

    `after_first` leaves out the round in which the unit was deployed.
    """

    blocks: tuple[Block, ...]
    at: Moment
    most: int = 0  # how many markers count; 0 for any number
    lost_when_shaken: bool = False
    after_first: bool = False
    who: Who = "unit"


# ---------------------------------------------------------------- picking units, and what happens to them


class Lend(BlockBase, frozen=True, tag=True):
    """The picked units have the blocks; or friendly units have them `against` the picked units."""

    blocks: tuple[Block, ...]
    until: Until = "once"
    against: bool = False


class TakeHits(BlockBase, frozen=True, tag=True):
    """Each picked unit takes hits with rules, or plain wounds.

    `die` adds a die with so many faces to the hits, `wound_die` to the wounds; `per_model` deals them for each model
    of the unit, but no more than `most`.
    """

    hits: int = 0
    rules: tuple[RuleRef, ...] = ()
    wounds: int = 0
    die: int = 0
    wound_die: int = 0
    per_model: bool = False
    most: int = 0


class TakeTest(BlockBase, frozen=True, tag=True):
    """Each picked unit takes a morale test or a dangerous terrain test; where it fails, the blocks follow."""

    test: Literal["morale", "dangerous"]
    failed: tuple[Block, ...] = ()
    amount: int = 0  # that is added to the roll


class InTerrain(BlockBase, frozen=True, tag=True):
    """Counts as being in terrain of a kind, the next time it moves."""

    terrain: Literal["difficult", "dangerous"]


class BeFatigued(BlockBase, frozen=True, tag=True):
    """Becomes fatigued, or shaken."""

    state: Literal["fatigued", "shaken"] = "fatigued"


class Rally(BlockBase, frozen=True, tag=True):
    """Is no longer shaken."""


class MoveThem(BlockBase, frozen=True, tag="Shift"):
    """The bearer's player may move the picked unit."""

    reach: int
    straight: bool = False


class Heal(BlockBase, frozen=True, tag=True):
    """Removes wounds from the picked model: so many, or a die with so many faces (`die`) and so many more."""

    wounds: int = 0
    die: int = 0


class PutMarkers(BlockBase, frozen=True, tag=True):
    """Puts markers onto the picked enemy. Friends that attack it get the blocks, times the markers; `spent` are
    taken off when used, before the dice they change."""

    count: int
    blocks: tuple[Block, ...]
    spent: bool = False


PickedState = Literal[
    "",
    "shaken",
    "fatigued",
    "wounded",
    "activated",
    "not shaken",
    "not fatigued",
    "not wounded",
    "not activated",
]


class Picks(BlockBase, frozen=True, tag=True):
    """Picks units (or models) and does something to each; spells are the same without a moment.

    `need` is the die that must be rolled first, 0 for none. `with_rule`, `others` and `state` restrict the choice; a
    `count` of `EVERY` takes in everybody in reach, and on `self` it is the bearer's own unit.
    """

    then: tuple[Block, ...]
    on: Literal["friend", "enemy", "self"] = "enemy"
    what: Literal["unit", "model"] = "unit"
    count: int = 1
    reach: int = 0
    sight: bool = False
    with_rule: str = ""
    need: int = 0
    at: Moment = "before attacking"
    often: Often = "activation"
    others: bool = False  # not the bearer's own unit
    dice: int = 1  # how many, 0 for one per model of the unit; what happens to them happens for each that shows `need`
    state: PickedState = ""  # which the picked units must be in
    optional: bool = False  # where nobody has to be chosen: whether it need not be used
    without_rule: str = ""  # which the picked units must not have


class HitDice(BlockBase, frozen=True, tag="Volley"):
    """Dice for hits or wounds out of the usual order: so many dice, each of which that shows `need` or more deals
    `hits` with `rules`, or `wounds`.

    `dice` 0 with `per_model` rolls one for each model with the rule, or as many as a single model has wounds. The
    target is the enemy in melee, or an enemy within `reach` that is picked (`each` die may have another).
    `need` 0 deals them without dice, and for a charge with a `die` of so many faces that adds to them.
    """

    at: Moment
    need: int = 0
    dice: int = 1
    per_model: bool = False
    hits: int = 0
    wounds: int = 0
    rules: tuple[RuleRef, ...] = ()
    reach: int = 0
    sight: bool = False
    each: bool = False
    often: Often = ""
    who: Who = "model"
    die: int = 0


# ---------------------------------------------------------------- moves out of turn, deployment, nerve


class MayMove(BlockBase, frozen=True, tag=True):
    """May move by up to so far at a moment; `near` is how close to it an enemy must have ended its move."""

    reach: int
    at: Moment
    often: Often = "round"
    who: Who = "all"
    near: int = 0


class MayPlace(BlockBase, frozen=True, tag=True):
    """May be placed anywhere fully within so far of where it stands; `die` adds a die to the length in inches."""

    reach: int
    at: Moment
    die: int = 0
    often: Often = "activation"
    who: Who = "model"


class Consolidates(BlockBase, frozen=True, tag=True):
    """May move up to so far when a melee is won and the enemy gone, instead of what is usual."""

    reach: int
    who: Who = "all"


class KeepsAway(BlockBase, frozen=True, tag=True):
    """Enemies that come out of hiding are set up farther away than this from the bearer's unit."""

    reach: int


class Hides(BlockBase, frozen=True, tag=True):
    """May be kept back and come out of hiding later, up to so close to enemies; or is only allowed to come `closer`."""

    reach: int
    closer: bool = False


class Redeploys(BlockBase, frozen=True, tag=True):
    """After deployment, friendly units may be taken up and deployed again."""

    count: int


class Returns(BlockBase, frozen=True, tag=True):
    """Once per game, may leave the table at the end of its activation and comes back as if out of hiding."""

    often: Often = "game"
    who: Who = "all"


class Recovers(BlockBase, frozen=True, tag=True):
    """If it is shaken when a round begins, one die of this or more ends that."""

    on: int
    who: Who = "all"


class PassesTests(BlockBase, frozen=True, tag=True):
    """Passes every morale test without a roll."""

    who: Who = "all"
    when: Whens = ()


class Rescued(BlockBase, frozen=True, tag=True):
    """A failed morale test counts as passed on a die of this or more."""

    on: int
    who: Who = "all"
    when: Whens = ()


class Untiring(BlockBase, frozen=True, tag=True):
    """Is never fatigued by fighting."""

    who: Who = "all"


class NoRetreat(BlockBase, frozen=True, tag=True):
    """A failed morale test counts as passed; then dice for all its wounds, of which those up to `face` wound it, or it
    takes so many `wounds` and a `die` with so many faces more."""

    face: int
    who: Who = "most"
    wounds: int = 0
    die: int = 0


# ---------------------------------------------------------------- casters, and rules that stand alone


class Tokens(BlockBase, frozen=True, tag=True):
    """Gains tokens each round that friendly casters within reach may spend as their own."""

    count: int
    reach: int
    most: int = 6


class Conduit(BlockBase, frozen=True, tag=True):
    """Friendly casters within reach may cast as if from here, with a bonus to the roll."""

    reach: int
    amount: int = 0


class CasterGroup(BlockBase, frozen=True, tag=True):
    """One model of the unit casts with as many tokens as there are models with the rule."""


class Restores(BlockBase, frozen=True, tag=True):
    """When activated, one die for each lost model or wound; each of this or more brings one back."""

    on: int
    who: Who = "all"


class NewUnit(BlockBase, frozen=True, tag=True):
    """Places a new unit, named behind the rule, within reach: once per game when activated, or when destroyed.

    `unit` is that name with the size, as in `Wolves [5]`; empty while the rule is not on a unit.
    """

    reach: int
    at: Moment
    often: Often = ""
    unit: str = ""


class NewCopy(BlockBase, frozen=True, tag=True):
    """When shaken or destroyed, a new copy of the unit may come on at a table edge in the next round."""

    reach: int
    who: Who = "all"


class Coordinates(BlockBase, frozen=True, tag=True):
    """When its activation ends, a friend within reach may be activated at once, which then may not do the same."""

    reach: int


class MayPass(BlockBase, frozen=True, tag=True):
    """May pass the turn while the opponent has more units left to activate."""

    often: Often = "round"


class Impulsive(BlockBase, frozen=True, tag=True):
    """Must attack the closest valid target if it can, with a bonus to hit."""

    amount: int


class PrecisionStrike(BlockBase, frozen=True, tag=True):
    """In melee one attack on a picked model, as a unit of one, with its own Quality and rules."""

    quality: int
    attacks: int = 1
    rules: tuple[RuleRef, ...] = ()
    often: Often = "game"


class LongerReach(BlockBase, frozen=True, tag=True):
    """Heroes that pick friends within some distance may pick this unit, too, while a friend with the same rule is
    within reach of it: their own unit, or one close to them (`picker_within`)."""

    reach: int
    instead_of: int = 12_000
    picker_within: int = 0  # 0 where they must be in the unit with the same rule


class Avenged(BlockBase, frozen=True, tag=True):
    """When destroyed, its destroyers get a marker for each model it began with; friends get the blocks, times the
    markers, against them."""

    blocks: tuple[Block, ...]


class Known(BlockBase, frozen=True, tag=True):
    """A rule of the rulebook that the book was written for, played by its class there on any table."""

    name: str
    game: Game = ""


class ListRule(BlockBase, frozen=True, tag=True):
    """Only about list building, with no effect in play: the maximum number in an army."""

    most: int = 1


# fmt: off
Block = (
    Modifier | Gets | MoreAttacks | HitsTaken | QualityIs | DefenseIs | InCover | Ignores | FacesGet | ExtraHits
    | ExtraAttacks | ExtraWounds | BlocksAgain | RollsAgain | IgnoresWounds | Inches | Range | StrikeOrder
    | ShootsAfter | Crosses | Backfires | ChargeHits | Aura | Boost | PickedEffect | RolledEffect | Feat
    | Grows | Lend | TakeHits | TakeTest | InTerrain | BeFatigued | Rally | MoveThem | Heal | PutMarkers
    | Picks | HitDice | MayMove | MayPlace | Consolidates | KeepsAway | Hides | Redeploys | Returns | Recovers
    | PassesTests | Rescued | Untiring | NoRetreat | Tokens | Conduit | CasterGroup | Restores | NewUnit | NewCopy
    | Coordinates | MayPass | Impulsive | PrecisionStrike | LongerReach | Avenged | Known
    | ListRule
)
# fmt: on

Blocks = tuple[Block, ...]


class ArmyText(Struct, frozen=True, array_like=True):
    """The printed text of a rule of one side's army, for people to read."""

    name: str
    text: str
    side: int


class ArmyRule(Struct, frozen=True):
    """A rule of an army book as it travels with an army: its text, and what was read in it.

    `blocks` is None where the text was not understood in full: it is shown, and not played.
    """

    name: str
    text: str = ""
    blocks: Blocks | None = None
