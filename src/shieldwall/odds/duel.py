"""Two units on an empty table: one shoots at the other, or they are in contact and fight."""

from __future__ import annotations

import math

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.armies.muster import MusteredArmy, UnitSpec, fresh_state, unknown_rules
from shieldwall.armies.troops import Troop
from shieldwall.core.answers import Pick
from shieldwall.core.engine import step_after
from shieldwall.core.errors import MalformedError, ShieldwallError
from shieldwall.core.frames import Activation, Melee, Shoot
from shieldwall.core.state import MILLI, Piece, Pose, Profile, State, Unit, Weapon
from shieldwall.odds.api import USUAL, Budget, of_line
from shieldwall.odds.memory import remembered
from shieldwall.odds.playbook import Playbook
from shieldwall.odds.preview import shooting_state, without_parting
from shieldwall.odds.result import Odds
from shieldwall.odds.shorthand import Shorthand, read_shorthand
from shieldwall.odds.walk import Progress
from shieldwall.rules.features.lasting_picks import next_pick
from shieldwall.rules.hooks import UnitContext
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.special.loose_armies import MELEE, SHOOTING, pick_name
from shieldwall.rules.steps.activation import barred_by
from shieldwall.table.formations import formation_of
from shieldwall.table.shapes import MM_PER_INCH
from shieldwall.table.terrain import piece

TABLE = 200 * MILLI  # wide enough for any block and any range
MIDDLE = TABLE // 2
NEAR = 12 * MILLI  # how far shots go where nothing is said, or as far as the weapon reaches
DOT = 0.001  # millimetres: the base of a model in a duel of shots
TURNED = {"front": 18000, "flank": 9000, "rear": 0}
CHARGE_HOOKS = ("extra_hits_on_charge", "tests_for_hits")  # attacks of a charge that need no weapon
MAGIC_HOOKS = ("tokens_gained", "casts_with")


class Terms(Struct, frozen=True):
    """How two units meet. `charging` None: they shoot where the first can, otherwise it charges.

    `range` is the distance of shots in inches (0: 12, or as far as the weapons reach). `held` units did not move.
    """

    charging: bool | None = None
    range: float = 0.0
    arc: str = "front"
    cover: bool = False
    moved: bool = False
    strike_back: bool = True

    def words(self, charging: bool) -> str:
        """How two units meet where it is not the usual way: 'in the flank', 'at 6", into cover'."""
        shots = {
            f'at {self.range:g}"': bool(self.range),
            "into cover": self.cover,
            "after a move": self.moved,
        }
        blows = {
            f"in the {self.arc}": self.arc != "front",
            "which does not strike back": not self.strike_back,
        }
        return ", ".join(words for words, holds in (blows if charging else shots).items() if holds)


PLAIN = Terms()


class Duel(Struct, frozen=True):
    """A duel ready to be evaluated: the state, what was understood, and whether it is a charge."""

    rules: Ruleset
    state: State
    first: Shorthand
    second: Shorthand
    charging: bool
    terms: Terms

    def odds(self, budget: Budget = USUAL, progress: Progress | None = None) -> Odds:
        """Everything it may come to: unit 0 attacks unit 1."""
        rules, state = remembered(self.state, ("duel", self.rules, self.charging, self.terms), self.question)
        return of_line(rules, state, Playbook(kinds=self._answers()), budget=budget, progress=progress)

    def question(self) -> tuple[Ruleset, State]:
        """The rules and the state that are asked about: an activation in which the dice are about to be thrown."""
        if not self.charging:
            action = "advance" if self.terms.moved else "hold"
            light, aimed = shooting_state(self.rules, self.state, 0, action, target=1, moved=self.terms.moved)
            # what may come before the targets are named, such as a breath of fire, is a part of the shooting, too
            before = tuple(frame for frame in aimed.stack if not isinstance(frame, Shoot))
            return light, replace(aimed, stack=(*before, Shoot(procedure="shoot", unit=0)))
        light = without_parting(self.rules)
        activation = Activation(
            procedure="activation",
            step=step_after(light, "activation", "act.shoot"),
            unit=0,
            action="charge",
            moved=True,
        )
        melee = Melee(
            procedure="melee",
            step=step_after(light, "melee", "charge.close"),
            charger=0,
            target=1,
            arc=self.terms.arc,
            contact=True,
        )
        return light, replace(self.state, stack=(*self.state.stack, activation, melee))

    def _answers(self) -> tuple[tuple[str, Pick], ...]:
        if self.terms.strike_back:
            return ()
        # a unit that may strike first declines, or puts it off, if there is no striking back
        declined = [("strike_back", "no"), ("counter_now", "no"), ("counter_now", "later")]
        return tuple((kind, Pick(option)) for kind, option in declined)


def duel(rules: Ruleset, first: str | Shorthand, second: str | Shorthand, terms: Terms = PLAIN) -> Duel:
    """A duel between two short lines under an edition."""
    one, two = _read(rules, first), _read(rules, second)
    found = _meeting(rules, one, one.spec("Attacker"), two, terms)
    action = "charge" if found.charging else "advance" if terms.moved else "hold"
    if barred := barred_by(found.rules, found.state, found.state.units[0], action):
        raise MalformedError(f"short line {one.text!r}", [refusal.reason for refusal in barred])
    return found


def duel_of_troop(rules: Ruleset, troop: Troop, second: str | Shorthand, terms: Terms = PLAIN) -> Duel:
    """A duel between a unit of an army list and a short line."""
    return _meeting(rules, _short_of(troop), troop, _read(rules, second), terms)


def duel_of_troops(rules: Ruleset, first: Troop, second: Troop, terms: Terms = PLAIN) -> Duel:
    """A duel between two units of army lists; rules of theirs that the edition does not play change nothing."""
    one, two = _short_of(first), _short_of(second)
    return _met(rules, one, two, _opposed(rules, first, second, terms), terms)


def _short_of(troop: Troop) -> Shorthand:
    lead = troop.soldiers[-1]
    return Shorthand(troop.name, len(troop.soldiers), lead.quality, lead.defense, (), ())


def _opposed(rules: Ruleset, one: UnitSpec | Troop, two: UnitSpec | Troop, terms: Terms) -> State:
    if terms.arc not in TURNED:
        raise ShieldwallError(f"the charged side is one of {', '.join(TURNED)}, not {terms.arc!r}")
    return fresh_state(rules, TABLE, TABLE, (), (MusteredArmy("A", (one,)), MusteredArmy("B", (two,))))


def _met(rules: Ruleset, one: Shorthand, two: Shorthand, state: State, terms: Terms) -> Duel:
    charging = _charges(rules, state, one, terms)
    settled = _picked(rules, _placed(rules, state, terms, charging), MELEE if charging else SHOOTING)
    return Duel(rules, settled, one, two, charging, terms)


def _picked(rules: Ruleset, state: State, way: str) -> State:
    """The state in which choices made before a game (a Sergeant's) were made for this way to fight."""
    while found := next_pick(rules, state):
        unit, _, rule = found
        picks = (*unit.picks, (pick_name(rule), way))
        units = tuple(replace(one, picks=picks) if one.id == unit.id else one for one in state.units)
        state = replace(state, units=units)
    return state


def _meeting(rules: Ruleset, one: Shorthand, unit: UnitSpec | Troop, two: Shorthand, terms: Terms) -> Duel:
    state = _opposed(rules, unit, two.spec("Target"), terms)
    unknown = unknown_rules(rules.specials, state.profiles, state.units)
    if unknown:
        raise MalformedError(
            "short lines", [f"{one.rule!r} is not a special rule of this edition" for one in unknown]
        )
    return _met(rules, one, two, state, terms)


def _read(rules: Ruleset, line: str | Shorthand) -> Shorthand:
    return line if isinstance(line, Shorthand) else read_shorthand(line, rules.specials)


def _charges(rules: Ruleset, state: State, first: Shorthand, terms: Terms) -> bool:
    attackers = {state.profiles[model.profile] for model in state.units[0].models}
    reaches = [weapon.reach for profile in attackers for weapon in profile.weapons]
    fire = fire_reach(rules, state)
    if not 0 <= terms.range < math.inf:
        raise ShieldwallError(f"the distance of shots is a number of inches, 0 or more, not {terms.range:g}")
    rams = any(hook in rules.hooks.of_profile(profile) for profile in attackers for hook in CHARGE_HOOKS)
    shoots, strikes = any((*reaches, fire)), rams or bool(fire) or any(not reach for reach in reaches)
    if not reaches and not rams and not fire:
        casts = any(hook in rules.hooks.of_profile(profile) for profile in attackers for hook in MAGIC_HOOKS)
        tip = "; spells need a scenario: add A1, and --as-scenario prints one to start from" if casts else ""
        raise MalformedError(
            f"short line {first.text!r}", [f"no attacks given; {first.words} attacks with nothing{tip}"]
        )
    if terms.charging and not strikes:
        raise MalformedError(f"short line {first.text!r}", ["a charge needs a weapon without a range: A1"])
    if terms.charging is False and not shoots:
        raise MalformedError(f"short line {first.text!r}", ['shooting needs a weapon with a range: 24" A1'])
    if terms.charging is not None:
        return terms.charging
    # a power such as a breath is no reason to stay at a distance: it serves in melee, too
    return not any(
        weapon.reach for profile in attackers for weapon in profile.weapons if not _is_power(profile, weapon)
    )


def fire_reach(rules: Ruleset, state: State) -> int:
    """How far the attacker breathes fire: an attack without a weapon. 0: it cannot."""
    unit = state.units[0]
    ctx = UnitContext(state, unit)
    return max(
        (
            rule.breathes_fire(ctx)
            for rule in rules.hooks.of_unit(unit, state.profiles).get("breathes_fire", ())
        ),
        default=0,
    )


def _is_power(profile: Profile, weapon: Weapon) -> bool:
    """Whether a weapon is only how a special rule of the model attacks."""
    return any(rule.name == weapon.name for rule in profile.rules)


def _placed(rules: Ruleset, state: State, terms: Terms, charging: bool) -> State:
    attacker, target = state.units
    if charging:
        apart = 0
    else:
        attackers = {state.profiles[model.profile] for model in attacker.models}
        reaches = [weapon.reach for profile in attackers for weapon in profile.weapons]
        reach = max(*reaches, fire_reach(rules, state), 0)
        apart = round(terms.range * MILLI) or min(NEAR, reach)
        if apart > reach:
            raise ShieldwallError(
                f'no weapon reaches {terms.range:g}"; the longest range is {reach / MILLI:g}"'
            )
    facing = TURNED[terms.arc] if charging else TURNED["front"]
    profiles = state.profiles if charging else tuple(_dot(profile) for profile in state.profiles)
    drawn = replace(state, profiles=profiles)
    units = (
        _standing(drawn, attacker, 0, MIDDLE, -1),
        _standing(drawn, target, facing, MIDDLE + apart, 1),
    )
    sides = tuple(replace(side, start_units=1) for side in state.sides)
    there = replace(drawn, units=units, sides=sides, round=1)
    return replace(there, pieces=(_cover(apart),)) if terms.cover else there


def _dot(profile: Profile) -> Profile:
    """The profile on a base so small that every shot of a unit goes equally far, whatever its ranks and width."""
    return replace(profile, base=replace(profile.base, width=DOT, depth=DOT))


def _standing(state: State, unit: Unit, heading: int, edge: int, away: int) -> Unit:
    """The unit on the table with its nearer edge on a line: as a block, or loose models all on one spot.

    The table exists only for a question about dice, so no model may be out of reach because of its place in a row.
    """
    if unit.width:
        formation = formation_of(replace(unit, block=Pose(0, 0, heading)), state.profiles)
        half = formation.half_width if heading % 18000 else formation.half_depth
        centre = edge + away * round(half * MILLI)
        return replace(unit, place="table", block=Pose(MIDDLE, centre, heading))
    bases = (state.profiles[model.profile].base for model in unit.models)
    deep = (base.width if heading % 18000 else base.depth for base in bases)
    poses = tuple(Pose(MIDDLE, edge + away * round(size / 2 / MM_PER_INCH * MILLI), heading) for size in deep)
    return replace(unit, place="table", poses=poses)


def _cover(apart: int) -> Piece:
    """Ground that gives cover under the whole of the second unit, from half way on."""
    near, far = (MIDDLE + apart / 2) / MILLI, TABLE / MILLI
    corners = ((0.0, near), (far, near), (far, far), (0.0, far))
    return piece(0, "brush", corners, types=("cover",), conditions=("see-into",))
