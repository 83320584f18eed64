"""Where a game has got to, as data. A frame names a procedure, its current step and what that procedure knows.

Frames hold ids and numbers only, so that a state can be saved in the middle of anything. A fact that outlives its
procedure belongs to the state, not here.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shieldwall.core.answers import Aim, Leg, ModelPath
from shieldwall.core.blocks import RuleRef
from shieldwall.core.values import Mod, Pose

AttackKind = Literal["shoot", "strike", "momentum", "spell", "rule", "fall", "danger"]
CoverKind = Literal["none", "in", "behind"]


END = "end"  # the step of a frame that has nothing left to do


class Frame(Struct, frozen=True, tag_field="frame", gc=False):
    """Base of all frames: `procedure` is a key of the ruleset's procedures, `step` the name of one of its steps.

    An empty name is the first step. States written before steps were stored by name have its number.
    """

    procedure: str
    step: str | int = ""


class Preparation(Frame, frozen=True, tag="preparation"):
    """Table, markers, edges and deployment. `tied` are the sides still rolling off, `winner` who won."""

    tied: tuple[int, ...] = ()
    winner: int = -1
    markers_left: int = 0
    placing: int = -1
    unit: int = -1
    asked: tuple[int, ...] = ()


class Round(Frame, frozen=True, tag="round"):
    """One game round. `tried` are units that rolled to recover when it began."""

    tried: tuple[int, ...] = ()


class Arrival(Frame, frozen=True, tag="arrival"):
    """Units coming in from off the table: whose turn it is to bring one, and which sides are done.

    `tried` are units that have already rolled to arrive this round, where arriving takes a roll.
    """

    tied: tuple[int, ...] = ()
    winner: int = -1
    placing: int = -1
    done: tuple[int, ...] = ()
    unit: int = -1
    tried: tuple[int, ...] = ()


class Activation(Frame, frozen=True, tag="activation"):
    """One unit's activation. `wounded` units await the morale checkpoint, `excused` ones do not test there;
    `fought` lists the units that were in melee.

    `tried` holds casters and the spells they attempted, `tested` models and the pieces they tested for, `walked` the
    models of a loose unit that moved. `asked` holds models and those of their rules that were offered or used,
    `spent` units and their one-use effects that were used up. `crossed` are enemies that the unit moved through.
    """

    unit: int = -1
    began_broken: bool = False
    action: str = ""
    moved: bool = False
    attacked: bool = False
    wounded: tuple[int, ...] = ()
    excused: tuple[int, ...] = ()
    fought: tuple[int, ...] = ()
    tried: tuple[tuple[int, str], ...] = ()
    tested: tuple[tuple[int, int], ...] = ()
    over: bool = False
    walked: tuple[int, ...] = ()
    asked: tuple[tuple[int, str], ...] = ()
    spent: tuple[tuple[int, str], ...] = ()
    crossed: tuple[int, ...] = ()


class RuleUse(Frame, frozen=True, tag="rule_use"):
    """A rule in use that picks units: which model uses it, and on whom. `place` tells rules of the same name apart.

    Only units in `among` may be picked, unless it is None. `worked` is the number of successful dice; each may get a
    unit of its own, which `picked` then lists once per die. `models` are those singled out in the units of `picked`.
    """

    unit: int = -1
    model: int = -1
    rule: str = ""
    place: int = 0
    picked: tuple[int, ...] = ()
    worked: int = 1
    among: tuple[int, ...] | None = None
    models: tuple[int, ...] = ()


class BringOn(Frame, frozen=True, tag="bring_on"):
    """A rule that brings a new unit on near a model: of which unit, by which rule and because of which model.

    A model that has just fallen is given by its `profile` and the `pose` that it had.
    """

    unit: int = -1
    by: int = -1
    rule: str = ""
    model: int = -1
    profile: int = -1
    pose: Pose | None = None


class Hazard(Struct, frozen=True, gc=False):
    """Something that may stop one model on its way: dangerous ground it enters, or a leap it has to make."""

    model: int
    kind: Literal["danger", "leap"]
    pose: Pose
    piece: int = -1
    dice: int = 1
    fall: int = 0


class Movement(Frame, frozen=True, tag="movement"):
    """A move being carried out. Loose models walk one after another: `ends` is where each one is going, `hazards`
    what lies on their paths, in order; `stopped` models go no farther. `into` is the carrier that the move boards,
    -1 for none, buildings counting down from -2. `entered` are the pieces that models entered on foot, `neared` the
    markers with a secret that models passed. `leader` is the unit whose player directs the move in place of its
    owner, -1 otherwise.
    """

    unit: int = -1
    action: str = ""
    allowance: int = 0
    used: int = 0
    ends: tuple[tuple[int, Pose], ...] = ()
    hazards: tuple[Hazard, ...] = ()
    next: int = 0
    stopped: tuple[int, ...] = ()
    into: int = -1
    entered: tuple[int, ...] = ()
    neared: tuple[int, ...] = ()
    leader: int = -1
    is_straight: bool = False


class Mystery(Frame, frozen=True, tag="mystery"):
    """A unit learns the secrets of the terrain it entered and the objectives it came near.

    `pieces` and `markers` are still to be revealed, the current one first; `amount` is the size of its effect.
    """

    unit: int = -1
    pieces: tuple[int, ...] = ()
    markers: tuple[int, ...] = ()
    amount: int = 0


class Danger(Frame, frozen=True, tag="danger"):
    """Ground tests of a unit's models: (model, piece) pairs, and the wounds they caused."""

    unit: int = -1
    models: tuple[tuple[int, int], ...] = ()


class Source(Struct, frozen=True, gc=False):
    """Models of one profile that use the same weapon under the same conditions.

    `still` marks those that stayed where they were although their unit moved.
    """

    profile: int
    weapon: int
    models: tuple[int, ...]
    dice: int
    near: int = 0
    tired: bool = False
    still: bool = False


class Volley(Struct, frozen=True, gc=False):
    """All dice of one weapon group at one target, with everything fixed by the declaration.

    `target_kinds` counts the models of a target of several profiles: losses to volleys before this one change
    neither how many of them there were nor which rules all of them had. Dice of a special rule instead of a weapon
    need `need` each and bring hits with `rules`, or `wounds` at once. `rolled` is a volley without weapons whose
    dice are thrown even where such volleys cannot miss. `extra` are attacks that natural 1s to block have brought.
    """

    group: str
    target: int
    sources: tuple[Source, ...]
    picked: int = -1
    unit_near: int = 0
    cover: CoverKind = "none"
    target_models: int = 0
    target_kinds: tuple[tuple[int, int], ...] = ()
    stunned: tuple[tuple[int, int], ...] = ()
    near_models: tuple[tuple[int, int], ...] = ()
    rank: int = 9
    need: int = 0
    rules: tuple[RuleRef, ...] = ()
    wounds: bool = False
    rolled: bool = False
    extra: bool = False


class Shoot(Frame, frozen=True, tag="shoot"):
    """A declared shooting: its volleys, in the order they are resolved."""

    unit: int = -1
    aims: tuple[Aim, ...] = ()
    volleys: tuple[Volley, ...] = ()
    next: int = 0
    guard_paid: tuple[int, ...] = ()


class HitGroup(Struct, frozen=True, gc=False):
    """Hits that are blocked and wound alike. `unit` differs from the target where hits spread.

    `again_from` is the lowest natural block roll that must be rerolled, 0 for none. `wounds_on` is the roll that
    wounds whatever the Defense, where the attacker rolls for it; 0 for none. `ones` are extra wounds for failed
    blocks of natural faces up to `ones_up_to`, `unblocked` extra wounds for every hit that is not blocked. `blows` are
    extra attacks of the volley's source number `source` for each natural 1 to block.
    """

    count: int
    unit: int
    piercing: int = 0
    no_saves: bool = False
    multiply: int = 1
    note: str = ""
    mods: tuple[Mod, ...] = ()
    six: bool = False
    wounds_on: int = 0
    again_from: int = 0
    ones: int = 0
    ones_up_to: int = 1
    unblocked: int = 0
    blows: int = 0
    source: int = -1


class Packet(Struct, frozen=True, gc=False):
    """Wounds that land together: `count` times `amount`; sticky ones never leave the model they hit."""

    count: int
    amount: int = 1
    sticky: bool = False
    no_saves: bool = False


class Attack(Frame, frozen=True, tag="attack"):
    """One volley or batch of blows on its way from dice to casualties.

    `more` are extra attacks still to be rolled, `ones` how many of the `failed` blocks cause extra wounds, `low` how
    many bring extra attacks.
    `hits` are resolved unit by unit (`victim` is the current one), `packets` are wounds not yet landed, `landing`
    those about to land, `hurt` the models that were wounded and live. `rerolls` are dice to wound about to be
    rerolled; `thrown` are the dice to hit, by label, while some of them are rerolled.
    """

    kind: AttackKind = "shoot"
    unit: int = -1
    volley: Volley | None = None
    charging: bool = False
    held: bool = False
    moved: bool = False
    hits: tuple[HitGroup, ...] = ()
    victim: int = -1
    failed: tuple[int, ...] = ()
    again: tuple[int, ...] = ()
    ones: tuple[int, ...] = ()
    more: tuple[int, ...] = ()
    packets: tuple[Packet, ...] = ()
    landing: Packet | None = None
    hurt: tuple[tuple[int, int], ...] = ()
    inflicted: int = 0
    cause: str = "wounds"
    feat_asked: bool = False
    rerolls: tuple[int, ...] = ()
    thrown: tuple[tuple[tuple[str, int], ...], ...] = ()
    low: tuple[int, ...] = ()

    @property
    def picked(self) -> int:
        """The model singled out by the attack, -1 for none."""
        return self.volley.picked if self.volley is not None else -1


class RuleHits(Attack, frozen=True, tag="rule_hits"):
    """Hits of a rule or a spell that are aimed at one `model`, or that dice are rolled for first.

    `dice` are rolled if the `rules` of the hits depend on natural faces; `bearer` is the model that deals them,
    `mods` are further modifiers of block rolls against them.
    """

    model: int = -1
    dice: int = 0
    rule: str = ""
    rules: tuple[RuleRef, ...] = ()
    bearer: int = -1
    mods: tuple[Mod, ...] = ()

    @property
    def picked(self) -> int:
        return self.model


class Melee(Frame, frozen=True, tag="melee"):
    """A charge and the fight it leads to. `arc` is the side of the target that was hit, `apart` how far away the
    charge was declared.

    Of the `batches`, those before `next` are done, those before `ordered` have their place in the order, and for
    those before `offered` the owner has said whether to use them. `declined`: the charged unit does not strike at
    all. `denied`: special rules do not treat it as a charge. `boosted` models have named the weapon of an extra
    attack. `packets` are wounds of one side's blows that land together. `dread` are rolled bonuses to the result.
    `building` is the building that is charged because of the units inside, -1 in the open.
    """

    charger: int = -1
    target: int = -1
    apart: int = 0
    arc: str = "front"
    legs: tuple[Leg, ...] = ()
    paths: tuple[ModelPath, ...] = ()
    contact: bool = False
    early_models: int = 0
    batches: tuple[Volley, ...] = ()
    next: int = 0
    ordered: int = 0
    offered: int = 0
    declined: bool = False
    phase: str = ""
    struck: tuple[int, ...] = ()
    fought: tuple[bool, bool] = (False, False)
    early_done: tuple[tuple[int, int], ...] = ()
    inflicted: tuple[int, int] = (0, 0)
    answers: bool = False
    loser: int = -1
    hurt: tuple[tuple[int, int], ...] = ()
    denied: bool = False
    boosted: tuple[int, ...] = ()
    packets: tuple[Packet, ...] = ()
    dread: tuple[int, ...] = ()
    building: int = -1


class Morale(Frame, frozen=True, tag="morale"):
    """One morale test: of which unit, why, with what modifiers, who takes it, whether a second die is due, and
    whether it is already a retest.
    """

    unit: int = -1
    cause: str = ""
    mods: tuple[Mod, ...] = ()
    tester: int = -1
    passed: bool = False
    queue: tuple[int, ...] = ()
    awaits_second: bool = False
    retested: bool = False


class WoundCheck(Frame, frozen=True, tag="wound_check"):
    """Wound effects of a lone or last model, and the push that may follow; `by_blows` if it was struck in melee."""

    unit: int = -1
    model: int = -1
    attacker: int = -1
    extra: int = 0
    by_blows: bool = False
    may_push: bool = True
    queue: tuple[int, ...] = ()


class Fall(Frame, frozen=True, tag="fall"):
    """A model falling: how far, from where, and which seat puts it down."""

    unit: int = -1
    model: int = -1
    height: int = 0
    placer: int = -1
    foot: Pose | None = None
    piece: int = -1
    jumped: bool = False


class Casting(Frame, frozen=True, tag="casting"):
    """A spell being cast. Sealed bids wait here until all are in.

    `bids` are signed tokens in the order of `bidders`; everybody knows the first `opened` of them. In editions
    without tokens a bid of 1 means that the bidder tries to stop the spell, whose roll came to `total`.
    """

    unit: int = -1
    model: int = -1
    spell: str = ""
    targets: tuple[int, ...] = ()
    bidders: tuple[int, ...] = ()
    bids: tuple[int, ...] = ()
    opened: int = 0
    next: int = 0
    worked: bool = False
    total: int = 0


class Wreck(Frame, frozen=True, tag="wreck"):
    """A destroyed carrier whose passengers get out: `hull` are the profiles of its last models, `poses` where
    they stood (one for a block), `queue` the passengers still to get out and `passenger` the current one.
    """

    unit: int = -1
    cause: str = ""
    hull: tuple[int, ...] = ()
    poses: tuple[Pose, ...] = ()
    queue: tuple[int, ...] = ()
    passenger: int = -1


class Closing(Frame, frozen=True, tag="closing"):
    """The end of a round: units still to test, one side after the other."""

    queue: tuple[int, ...] = ()
    unit: int = -1


class Ruling(Frame, frozen=True, tag="ruling"):
    """Something the players have to settle: a question with its possible `answers`, and those `given` so far.

    When simultaneous effects have to be ordered, `sides` says whom each concerns and `winner` who sets the order.
    """

    question: str = ""
    answers: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    sides: tuple[int, ...] = ()
    tied: tuple[int, ...] = ()
    winner: int = -1


AnyFrame = (
    Preparation
    | Round
    | Arrival
    | Activation
    | RuleUse
    | BringOn
    | Movement
    | Mystery
    | Danger
    | Shoot
    | Attack
    | RuleHits
    | Melee
    | Morale
    | WoundCheck
    | Fall
    | Casting
    | Wreck
    | Closing
    | Ruling
)
