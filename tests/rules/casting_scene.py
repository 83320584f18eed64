"""A small table with casters: rulesets built from the trunk, units, spells, a driver with scripted dice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

import pytest
from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Bid, Cast, Faces, Pick
from shieldwall.core.engine import Progress, begin, pending_of, submit
from shieldwall.core.frames import Activation, AnyFrame
from shieldwall.core.pending import Decision, Roll
from shieldwall.core.state import (
    MILLI,
    Base,
    Model,
    Piece,
    Pose,
    Profile,
    RuleRef,
    Seat,
    Side,
    Spell,
    State,
    Unit,
    Weapon,
)
from shieldwall.dice import ScriptedDice
from shieldwall.editions.regiments_3_4.policies import FRONT_ONLY
from shieldwall.editions.skirmish_3_2.policies import SIGN_BY_SIDE
from shieldwall.rules.bindings import Binding, Specials
from shieldwall.rules.constants import Constants, inches
from shieldwall.rules.features.cast_windows import CastAfterMove, CastBeforeBlows
from shieldwall.rules.features.spells import EndLentRules
from shieldwall.rules.features.tokens import (
    FREE_SIGN,
    TokenRules,
    can_cast,
    token_procedures,
)
from shieldwall.rules.ruleset import Play, Policies, Ruleset, TrunkStep
from shieldwall.rules.special import aiming, hitting, moving, nerve, piercing
from shieldwall.rules.special.granted_by_spells import lent_bindings
from shieldwall.rules.start import resume
from shieldwall.rules.steps import activation, rounds
from shieldwall.rules.steps.attack import ATTACK, AttackDone, LandWounds, RollToIgnore
from shieldwall.rules.steps.danger import DANGER
from shieldwall.rules.steps.melee import BLOWS
from shieldwall.rules.steps.morale import MORALE

BOLT = Spell("Bolt", 1, inches(12), "enemy", hits=3, rules=(RuleRef("AP", 1),))
FOG = Spell("Fog", 2, inches(18), "enemy", grants=(RuleRef("To Hit", -1),))
WALL = Spell("Wall", 1, inches(12), "friend", targets=2, grants=(RuleRef("To Block", 1),))
DREAD = Spell("Dread", 1, inches(18), "enemy", test="morale", grants=(RuleRef("To Hit", -1),))
QUAKE = Spell("Quake", 1, inches(18), "enemy", test="danger")
SKIN = Spell("Skin", 1, 0, "self", grants=(RuleRef("To Be Hit", -1),), until="activation")
GUST = Spell("Gust", 1, inches(12), "friend", moves=inches(3))
RUST = Spell("Rust", 1, inches(12), "enemy", hits=1)  # of another faction
SPELLS = (BOLT, FOG, WALL, DREAD, QUAKE, SKIN, GUST, RUST)
OWN = tuple(spell.name for spell in SPELLS if spell is not RUST)

BASE_INCHES = 25 / 25.4
ROUND, SQUARE = Base("round", 25, 25), Base("square", 25, 25)
SWORD, BOW = Weapon("Sword", 2), Weapon("Bow", 2, inches(24))
SINGER, TROOPER = 0, 1
FIVE = (TROOPER,) * 5


class Stroll(TrunkStep):
    """A move of length 0; what matters is that it is over."""

    name = "move.stroll"

    def go(self, game: Play) -> None:
        game.note_on(Activation, moved=True)


class Loose(TrunkStep):
    """A shot at no target; what matters is that the unit has attacked."""

    name = "shoot.loose"

    def go(self, game: Play) -> None:
        game.note_on(Activation, attacked=True)


class NameTarget(TrunkStep):
    """A charge that is already in contact with unit 1."""

    name = "charge.contact"

    def go(self, game: Play) -> None:
        game.note(target=1, contact=True)


class Table(Policies):
    """Sight in the front arc or all round, and casting with tokens. No unit has cover or is knocked out."""

    place_question = None  # type: ignore[assignment]

    def __init__(self, method: str, tokens: TokenRules) -> None:
        self.method = method
        self.tokens = tokens

    def sight_method(self, state: State) -> str:
        return self.method

    def cover_policy(self) -> str:
        return "loose"

    def can_cast(self, rules: Ruleset, state: State, unit: Unit, frame: Activation) -> bool:
        return can_cast(rules, state, unit, frame, self.tokens)

    def idles(self, unit: Unit) -> bool:
        return unit.broken or all(model.stunned for model in unit.models)

    def fails_morale(self, unit: Unit) -> bool:
        return self.idles(unit)

    def strikers(self, rules: Ruleset, state: State, unit: Unit, enemy: Unit) -> tuple[Model, ...]:
        return unit.models

    def charge_options(self, rules: Ruleset, state: State, unit: Unit) -> tuple[activation.Option, ...]:
        return (activation.Option("u1", "the enemy", 1),)


def special_rules() -> Specials:
    bindings = {
        "AP": Binding(piercing.ArmourPiercing, "AP"),
        "Bane": Binding(piercing.Bane, "Bane"),
        "Blast": Binding(aiming.BlastByModels, "Blast"),
        "Caster": Binding(nerve.Caster, "Caster"),
        "Deadly": Binding(piercing.Deadly, "Deadly"),
        "Fast": Binding(moving.Fast, "Fast"),
        "Fear": Binding(nerve.FearScore, "Fear"),
        "Stealth": Binding(hitting.Stealth, "Stealth"),
        "Tough": Binding(nerve.Tough, "Tough"),
    }
    return Specials({**bindings, **lent_bindings("modifiers")})


def build(name: str, method: str, tokens: TokenRules) -> Ruleset:
    """A ruleset of the trunk's rounds, activations, attacks and morale, and of casting."""
    acting = (
        activation.GroundTests(),
        activation.ChooseAction(),
        activation.CarryOut(),
        CastAfterMove(),
        activation.ShootNow(),
        activation.EndActivation(),
        activation.Checkpoint(),
        EndLentRules(),
        activation.PassTurn(),
    )
    procedures: dict[str, tuple[TrunkStep, ...]] = {
        "game": (rounds.PlayRounds(),),
        "round": (rounds.BeginRound(), rounds.Upkeep(), rounds.TakeTurns(), rounds.EndRound()),
        "closing": (rounds.ClearRound(),),
        "activation": acting,
        "melee": (NameTarget(), CastBeforeBlows(), *BLOWS, Loose()),
        "shoot": (Loose(),),
        "attack": ATTACK,
        "wounds": (RollToIgnore(), LandWounds(), AttackDone()),
        "morale": MORALE,
        "danger": DANGER,
        "move.spell": (Stroll(),),
        **token_procedures(tokens),
    }
    for action in ("hold", "advance", "rush", "idle"):
        procedures[f"move.{action}"] = (Stroll(),)
    return Ruleset(
        id=name,
        title=name,
        constants=Constants(table=(inches(72), inches(48))),
        procedures=procedures,
        specials=special_rules(),
        cites=KeysAsRows(str),
        policies=Table(method, tokens),
    )


class KeysAsRows(defaultdict[str, str]):
    """Cites every step by its own key, so that a test can name the reason for a refusal."""

    def __missing__(self, key: str) -> str:
        return key


RANKED = build("ranked", "outline", FREE_SIGN)
RANKED_FRONT = build("ranked, front arc only", "outline", FRONT_ONLY)
SKIRMISH = build("skirmish", "open", SIGN_BY_SIDE)
EVERY = pytest.mark.parametrize("rules", [RANKED, RANKED_FRONT, SKIRMISH], ids=lambda rules: rules.id)


def profiles(base: Base, spells: tuple[str, ...] = OWN) -> tuple[Profile, ...]:
    singer = Profile(
        "Singer", 4, 4, base, 1250, 3, (SWORD,), (RuleRef("Caster", 2), RuleRef("Tough", 3)), spells=spells
    )
    return singer, Profile("Trooper", 4, 4, base, 1250, 1, (SWORD, BOW))


class Stand:
    """One unit to put on the table, from `x`, `y` in inches to the right, facing `heading` degrees.

    `kinds` lists its models; singers hold `tokens`. Ranked units stand around `x`, `y` in one row.
    """

    def __init__(
        self,
        side: int,
        x: float,
        y: float,
        kinds: tuple[int, ...] = (SINGER,),
        *,
        tokens: int = 0,
        heading: int = 0,
        **fields: object,
    ) -> None:
        self.side = side
        self.pose = Pose(round(x * MILLI), round(y * MILLI), heading * 100)
        self.kinds = kinds
        self.tokens = tokens
        self.fields = fields

    def unit(self, number: int, ranked: bool) -> Unit:
        """The unit with this number; its models are numbered from ten times that number."""
        models = tuple(
            Model(number * 10 + i, kind, tokens=self.tokens if kind == SINGER else 0)
            for i, kind in enumerate(self.kinds)
        )
        pose, count = self.pose, len(models)
        unit = Unit(number, self.side, self.side, f"unit {number}", models, place="table", start_models=count)
        if ranked:
            unit = replace(unit, block=pose, width=count)
        else:
            poses = tuple(Pose(pose.x + i * 1500, pose.y, pose.heading) for i in range(count))
            unit = replace(unit, poses=poses)
        return replace(unit, **self.fields)


def wall(x0: float, y0: float, x1: float, y1: float) -> Piece:
    corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    outline = tuple((round(x * MILLI), round(y * MILLI)) for x, y in corners)
    return Piece(0, "wall", "wall", outline, 5 * MILLI, ("blocking",))


def wood(x0: float, y0: float, x1: float, y1: float) -> Piece:
    """Ground that gives cover and stops no sight."""
    return replace(wall(x0, y0, x1, y1), name="wood", kind="wood", height=0, types=("cover",))


class Scene:
    """A running game: answers go in, dice come from a script, all events are kept."""

    def __init__(
        self,
        rules: Ruleset,
        stands: Iterable[Stand],
        *,
        dice: Mapping[str, Iterable[int]] | None = None,
        pieces: tuple[Piece, ...] = (),
        options: tuple[tuple[str, str], ...] = (),
        spells: tuple[str, ...] = OWN,
    ) -> None:
        self.rules = rules
        ranked = not rules.id.startswith("skirmish")
        units = tuple(stand.unit(i, ranked) for i, stand in enumerate(stands))
        self.state = State(
            ruleset=rules.id,
            options=options,
            width=inches(72),
            depth=inches(48),
            profiles=profiles(SQUARE if ranked else ROUND, spells),
            seats=(Seat(0, "first"), Seat(1, "second")),
            sides=(Side("south", 9), Side("north", 9)),
            units=units,
            spells=SPELLS,
            pieces=pieces,
        )
        self.dice = ScriptedDice(dice or {})
        self.events: list[ev.AnyEvent] = []

    def start(self, *frames: AnyFrame) -> Scene:
        """Begin at a turn of the first side, or inside the given frames."""
        state = replace(self.state, stack=frames) if frames else resume(self.state, 1, 0)
        self._keep(begin(self.rules, state))
        return self

    def activate(self, number: int = 0) -> Scene:
        """Begin at a turn of the first side and pick a unit."""
        self.start()
        if self.kind == "activate":
            self.answer(Pick(f"u{number}"))
        return self

    @property
    def kind(self) -> str:
        """What is waited for: the kind of a decision, "roll" and its purpose, or nothing."""
        pending = pending_of(self.rules, self.state)
        if pending is None:
            return ""
        return f"roll {pending.purpose}" if isinstance(pending, Roll) else pending.kind

    @property
    def question(self) -> Decision:
        pending = pending_of(self.rules, self.state)
        assert isinstance(pending, Decision), self.kind
        return pending

    @property
    def roll(self) -> Roll:
        pending = pending_of(self.rules, self.state)
        assert isinstance(pending, Roll), self.kind
        return pending

    def answer(self, *answers: AnyAnswer) -> Scene:
        for answer in answers:
            self._keep(submit(self.rules, self.state, answer))
        return self

    def throw(self) -> Scene:
        """Roll the pending dice."""
        return self.answer(Faces(self.dice.faces(self.roll, self.state.rolls_made)))

    def cast(self, spell: str, *targets: int, caster: int = 0) -> Scene:
        """Choose to cast, the spell and its targets."""
        if self.kind != "cast":
            self.answer(Pick("cast"))
        return self.answer(Cast(caster, spell, targets))

    def bid(self, **tokens: int) -> Scene:
        """Answer every bid: `m10=2` bids 2 for model 10; the others bid nothing."""
        while self.kind == "bid":
            frame = self.state.stack[-1]
            model = frame.bidders[frame.next]  # type: ignore[union-attr]
            self.answer(Bid(tokens.get(f"m{model}", 0)))
        return self

    def resolve(self, **tokens: int) -> Scene:
        """Play bids and dice up to the next question of another kind."""
        while self.kind == "bid" or self.kind.startswith("roll"):
            self.bid(**tokens) if self.kind == "bid" else self.throw()
        return self

    def refusals(self, answer: AnyAnswer) -> list[str]:
        """The rows against an answer."""
        return [refusal.cite for refusal in self.question.check(answer)]

    def of(self, kind: type[ev.Event]) -> list[ev.AnyEvent]:
        """All events of a kind so far."""
        return [event for event in self.events if isinstance(event, kind)]

    def tokens(self, unit: int, model: int = 0) -> int:
        return self.state.units[unit].models[model].tokens

    def done(self) -> None:
        """No die may be left over."""
        self.dice.require_used_up()

    def _keep(self, progress: Progress) -> None:
        self.state = progress.state
        self.events += progress.events


def stun(scene: Scene, number: int) -> None:
    """Stun every model of a unit before the game starts."""
    units = list(scene.state.units)
    models = tuple(replace(model, stunned=True) for model in units[number].models)
    units[number] = replace(units[number], models=models)
    scene.state = replace(scene.state, units=tuple(units))


def rival(y: float, tokens: int = 2, side: int = 1) -> Stand:
    """Another singer, looking at the first one, with its base edge `y` inches away from that one's."""
    return Stand(side, 30, 10 + y + BASE_INCHES, tokens=tokens, heading=180)


def against(rules: Ruleset, distance: float, *others: Stand, tokens: int = 2, **dice: list[int]) -> Scene:
    """The first singer casts Fog on five enemies to its right; a rival of the other side stands ahead."""
    stands = [Stand(0, 30, 10, tokens=tokens), Stand(1, 38, 22, FIVE), rival(distance), *others]
    return Scene(rules, stands, dice=dice).activate().cast("Fog", 1)
