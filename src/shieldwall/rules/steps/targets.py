"""The question "who shoots at whom": legal targets by weapon group, checked and sampled from one scan of the table."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from shieldwall.core.answers import Aim, Aims, AnyAnswer
from shieldwall.core.forms import AimingForm, AnswerPreview, TargetFacts, WeaponForm, Wish
from shieldwall.core.frames import Activation
from shieldwall.core.grammar import models_named, unit_does
from shieldwall.core.pending import Decision, Numbers, Refusal
from shieldwall.core.state import MILLI, State, Unit
from shieldwall.geometry.distance import is_enemy_near
from shieldwall.geometry.sight_pairs import ANY, IN_ARC, IN_SIGHT
from shieldwall.geometry.tolerance import EPS, told, within
from shieldwall.rules.army.impulse import closest, must_act_otherwise, not_the_closest
from shieldwall.rules.ruleset import Ruleset, enemies_on_table
from shieldwall.rules.steps.ranged_weapons import RangedWeapons, Shots
from shieldwall.rules.weapons import (
    Bearer,
    is_counted,
    longest_reach,
    most_added_reach,
    shoots_after_at,
    usable,
    used_up_by,
)
from shieldwall.table.arcs import arc_of
from shieldwall.table.measure import models_apart, units_apart
from shieldwall.table.scene import scene_of
from shieldwall.table.sight import ShootingScan, sees, shooting_scan

SLACK = 0.01  # inches searched beyond the longest range, so that the limit itself is never cut off


class Targets(Decision):
    """Targets for a unit's ranged weapons. The scan of the table is made once, when it is first needed."""

    __slots__ = (
        "_farther",
        "_legal",
        "_pickable",
        "_reach",
        "aiming",
        "groups",
        "ranged",
        "rules",
        "state",
        "unit",
    )

    def __init__(self, rules: Ruleset, state: State, unit: Unit) -> None:
        super().__init__(
            "targets", unit.seat, f"{unit.name}: choose targets or hold fire", rules.cite("shoot.targets")
        )
        self.rules = rules
        self.state = state
        self.unit = unit
        self.ranged = RangedWeapons(rules, state, unit)
        self.groups = self.ranged.groups
        self.aiming = self.ranged.aiming
        self._reach = -1
        self._legal: dict[tuple[str, int], list[tuple[Bearer, int]]] | None = None
        self._pickable: dict[tuple[str, int], dict[int, list[tuple[Bearer, int]]]] = {}
        self._farther: frozenset[int] = frozenset()  # targets left out because a closer one must be shot at

    def on(self, state: State) -> Targets:
        """The same question on another table."""
        return Targets(self.rules, state, state.units[self.unit.id])

    def can_fire_on(self, state: State, aim: Aim) -> bool:
        """Whether all models that fire for an aim could also do so on another table."""
        there = {(bearer.model.id, bearer.weapon) for bearer, _ in self.on(state).firing(aim)}
        return all((bearer.model.id, bearer.weapon) in there for bearer, _ in self.firing(aim))

    @property
    def about(self) -> int:
        return self.unit.id

    def form(self) -> AimingForm:
        groups = tuple(
            WeaponForm(
                key=key,
                label=group.weapon.name,
                attacks=group.weapon.attacks,
                reach=group.weapon.reach,
                bearers=len(group.bearers),
                targets=tuple(self.facts(key, enemy) for enemy in self._offered(key)),
                picks_model=self.aiming[key].picks_model or self.aiming[key].picks_centre,
            )
            for key, group in self.groups.items()
        )
        return AimingForm(self.unit.id, groups, self.rules.constants.split_targets)

    def facts(self, group: str, target: int) -> TargetFacts:
        """What is known about one enemy as the target of a weapon group, possible or not."""
        enemy, reach = self.state.units[target], self.groups[group].weapon.reach
        able = self.eligible(group, target)
        apart = self._apart(enemy, able)
        distance = round(apart * MILLI)
        if not able:
            aim = Aim(group, target)
            blocker = self._blocker(enemy) if within(apart, reach / MILLI) else ""
            return TargetFacts(target, group, distance, reach, 0, aim, (self._against(aim, enemy),), blocker)
        aim = Aim(group, target, self._pick(group, target, 0))
        picks = tuple(self.pickable(group, target)) if self.aiming[group].picks_model else ()
        return TargetFacts(target, group, distance, reach, len(able), aim, picks=picks)

    def _offered(self, key: str) -> list[int]:
        """Enemies on the table and others that a weapon group can fire at; for a unit that is inside, only these."""
        usual = [enemy.id for enemy in enemies_on_table(self.state, self.unit)]
        legal = [target for group, target in self.legal if group == key]
        return list(dict.fromkeys((*usual, *legal))) if self.unit.place == "table" else legal

    def _apart(self, enemy: Unit, able: Sequence[tuple[Bearer, int]]) -> float:
        """The distance to an enemy in inches; if either unit is inside something, the distance of the shot."""
        if self.unit.place == enemy.place == "table":
            return units_apart(self.state, self.unit.id, enemy.id, self.rules.policies.measures_heights())
        return min((near for _, near in able), default=0) / MILLI

    def _blocker(self, enemy: Unit) -> str:
        """What stands between two units on the table, by name; empty if their middle models see each other."""
        state, unit = self.state, self.unit
        if not unit.place == enemy.place == "table":
            return ""
        method = self.rules.policies.sight_method(state)
        middle, other = len(unit.models) // 2, len(enemy.models) // 2
        for blocker in sees(state, method, unit.id, middle, enemy.id, other).blockers:
            if blocker.kind == "piece":
                return next((piece.name for piece in state.pieces if piece.id == blocker.id), "terrain")
            return state.units[blocker.id].name if blocker.kind == "unit" else "outside the front arc"
        return ""

    def preview(self, wish: Wish) -> AnswerPreview:
        found = super().preview(wish)
        if found.refusals or not isinstance(found.answer, Aims):
            return found
        aimed = tuple(self.facts(aim.group, aim.target) for aim in found.answer.aims)
        return replace(found, aimed=aimed)

    @property
    def legal(self) -> dict[tuple[str, int], list[tuple[Bearer, int]]]:
        """For every weapon group and target: the bearers that may fire, with their distances."""
        if self._legal is None:
            found = self._scan() if self.groups and not self._nobody_in_reach() else {}
            self._legal = self._closest_only(self._open_after_action(found))
        return self._legal

    def _closest_only(
        self, found: dict[tuple[str, int], list[tuple[Bearer, int]]]
    ) -> dict[tuple[str, int], list[tuple[Bearer, int]]]:
        """Of the targets only the closest, if a rule makes the unit attack it; not after a move of its own choice."""
        if not found or not self.is_forced:
            return found
        able = {target: bearers for (_, target), bearers in found.items()}
        left = closest(able, lambda target: self._apart(self.state.units[target], able[target]))
        self._farther = frozenset(able) - left
        return {key: bearers for key, bearers in found.items() if key[1] in left}

    @property
    def is_forced(self) -> bool:
        """Whether a rule makes the unit shoot at the closest target; a unit that could not attack moves freely."""
        has_rule = "must_attack" in self.rules.hooks.of_unit(self.unit, self.state.profiles)
        return has_rule and action_of(self.state, self.unit) in ("", "hold")

    def _open_after_action(
        self, found: dict[tuple[str, int], list[tuple[Bearer, int]]]
    ) -> dict[tuple[str, int], list[tuple[Bearer, int]]]:
        """After an action that usually forbids shooting, only the targets for which a rule allows it."""
        action = action_of(self.state, self.unit)
        if action not in ("rush", "charge"):
            return found
        units = self.state.units
        able = {u.id for u in units if shoots_after_at(self.rules, self.state, self.unit, action, u)}
        return {key: bearers for key, bearers in found.items() if key[1] in able} if able else found

    def _nobody_in_reach(self) -> bool:
        return not has_enemy_within(self.state, self.unit, self.reach)

    @property
    def reach(self) -> int:
        """The longest possible range of the unit's weapons against any target; computed once."""
        if self._reach < 0:
            self._reach = farthest_shot(self.rules, self.state, self.unit)
        return self._reach

    @property
    def has_any(self) -> bool:
        """Whether there is any target."""
        return bool(self.groups) and bool(self.legal)

    def eligible(self, group: str, target: int) -> list[tuple[Bearer, int]]:
        """Bearers of a group that may fire at a target."""
        return self.legal.get((group, target), [])

    def _look(self) -> ShootingScan:
        method = self.rules.policies.sight_method(self.state)
        return shooting_scan(self.state, method, self.unit.id, reach=self.reach / MILLI + SLACK)

    def _scan(self) -> dict[tuple[str, int], list[tuple[Bearer, int]]]:
        rules = self.rules
        scan = self._look()
        unseen = ANY if rules.policies.fires_all_round(self.state) else IN_ARC
        legal: dict[tuple[str, int], list[tuple[Bearer, int]]] = {}
        for enemy, found in scan.by_target():
            for key, group in self.groups.items():
                able = []
                for bearers, needs_sight, inches in self.ranged.in_kinds(key, enemy):
                    near, reach = IN_SIGHT if needs_sight else unseen, inches / MILLI + EPS
                    able += [
                        (bearer, round(found[bearer.at][ANY] * MILLI))
                        for bearer in bearers
                        if found[bearer.at][near] <= reach
                    ]
                if able and is_counted(rules, group.weapon):
                    able = [
                        pair for pair in able if usable(rules, self.state, self.unit, pair[0], group.weapon)
                    ]
                if able:
                    legal[key, enemy] = able
        return {pair: legal[pair] for key in self.groups for pair in legal if pair[0] == key}

    def shots(self, aim: Aim) -> tuple[Shots, ...]:
        """The shots of an aim, apart for bearers whose own rules may change how they aim or what cover does."""
        return self.ranged.shots(aim, self.firing(aim))

    def pickers(self, group: str, target: int) -> list[tuple[Bearer, int]]:
        """Bearers of a group that may fire at a target and single out one of its models."""
        able = self.eligible(group, target)
        return [pair for pair in able if self.ranged.aiming_by(group, pair[0].model.profile).picks_model]

    def pickable(self, group: str, target: int) -> dict[int, list[tuple[Bearer, int]]]:
        """Models of a target that can be singled out, each with the bearers that may do so and their distances."""
        known = self._pickable.get((group, target))
        if known is None:
            found: dict[int, list[tuple[Bearer, int]]] = {}
            unit = self.state.units[target]
            heights = self.rules.policies.measures_heights()
            for bearer, _ in self.pickers(group, target):
                for at, model in enumerate(unit.models):
                    if self._has_in_view(bearer.at, group, unit, at):
                        apart = models_apart(self.state, self.unit.id, bearer.at, target, at, heights)
                        found.setdefault(model.id, []).append((bearer, round(apart * MILLI)))
            known = self._pickable[group, target] = found
        return known

    def firing(self, aim: Aim) -> list[tuple[Bearer, int]]:
        """Bearers that fire for an aim, with their distance to the target; models that hold fire are left out."""
        able = self.eligible(aim.group, aim.target)
        if aim.picked >= 0 and self.aiming[aim.group].picks_model:
            picking = self.pickable(aim.group, aim.target).get(aim.picked, [])
            pickers = self.pickers(aim.group, aim.target)
            able = picking + [pair for pair in able if pair not in pickers] if picking else []
        return [(bearer, near) for bearer, near in able if bearer.model.id not in aim.held]

    def _picks_apart(self, aims: list[Aim]) -> bool:
        """Whether aims of one group come from different models that each single out a model of the same unit."""
        if aims[0].group not in self.groups or len({aim.target for aim in aims}) > 1:
            return False
        models = [bearer.model.id for aim in aims for bearer, _ in self.firing(aim)]
        return self.aiming[aims[0].group].picks_model and len(set(models)) == len(models)

    def targets_of(self, group: str) -> list[int]:
        """Units a group may fire at."""
        return [target for key, target in self.legal if key == group]

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if not isinstance(answer, Aims):
            return (Refusal("shooting needs a target for each weapon group, or none", self.cite),)
        problems: list[Refusal] = []
        keys = [aim.group for aim in answer.aims]
        cites = self.rules.cite
        for key in sorted({key for key in keys if keys.count(key) > 1}):
            if not self._picks_apart([aim for aim in answer.aims if aim.group == key]):
                text = f"all weapons of a group ({key}) fire once, at the same target"
                problems.append(Refusal(text, cites("shoot.one_target")))
        named = sorted({aim.target for aim in answer.aims})
        if len(named) > self.rules.constants.split_targets:
            limit = self.rules.constants.split_targets
            problems.append(
                Refusal(f"at most {limit} different targets, not {len(named)}", cites("shoot.split"))
            )
        for aim in answer.aims:
            problems += self._check_aim(aim)
        if not answer.aims and self.is_forced and self.legal:
            problems.append(must_act_otherwise(self.rules, self.state, self.unit, ("hold",)))
        return tuple(problems)

    def _check_aim(self, aim: Aim) -> list[Refusal]:
        cites = self.rules.cite
        if aim.group not in self.groups:
            known = ", ".join(self.groups) or "none"
            return [
                Refusal(
                    f"{unit_does(self.unit, 'have')} no ranged weapon {aim.group!r}, only: {known}", self.cite
                )
            ]
        if not 0 <= aim.target < len(self.state.units):
            return [Refusal(f"there is no unit number {aim.target}", self.cite)]
        target = self.state.units[aim.target]
        if target.side == self.unit.side:
            return [
                Refusal(
                    f"{unit_does(target, 'are')} on the same side; only enemies can be shot at",
                    cites("shoot.enemies"),
                )
            ]
        able = self.eligible(aim.group, aim.target)
        if not able:
            return [self._against(aim, target)]
        problems = self._check_pick(aim, target)
        if not problems and not self.firing(aim):
            problems.append(Refusal(f"no model with {aim.group} would fire", self.cite))
        return problems

    def _check_pick(self, aim: Aim, target: Unit) -> list[Refusal]:
        if aim.picked < 0:
            return []
        aiming = self.aiming[aim.group]
        if not (aiming.picks_model or aiming.picks_centre):
            return [Refusal(f"{aim.group} cannot single out a model", self.rules.cite("shoot.pick"))]
        if all(model.id != aim.picked for model in target.models):
            named = models_named(self.state, (aim.picked,))
            return [Refusal(f"{named} is not one of {target.name}", self.rules.cite("shoot.pick"))]
        open_to = self.pickable(aim.group, aim.target) if aiming.picks_model else self.centres(aim)
        if aim.picked not in open_to:
            number = next(at for at, model in enumerate(target.models, 1) if model.id == aim.picked)
            why = f"no model that fires {aim.group} has model {number} of {target.name} in range and sight"
            return [Refusal(why, self.rules.cite("shoot.pick"))]
        return []

    def centres(self, aim: Aim) -> tuple[int, ...]:
        """Models of the target that a firing model has in range and, where that matters, in sight."""
        target = self.state.units[aim.target]
        firing = [
            bearer.at for bearer, _ in self.eligible(aim.group, aim.target) if bearer.model.id not in aim.held
        ]
        return tuple(
            model.id
            for place, model in enumerate(target.models)
            if any(self._has_in_view(at, aim.group, target, place) for at in firing)
        )

    def _has_in_view(self, at: int, group: str, target: Unit, place: int) -> bool:
        heights = self.rules.policies.measures_heights()
        apart = models_apart(self.state, self.unit.id, at, target.id, place, heights)
        profile = self.unit.models[at].profile
        if not within(apart, self.ranged.reach_of(group, target.id, profile) / MILLI):
            return False
        method = self.rules.policies.sight_method(self.state)
        sight = sees(self.state, method, self.unit.id, at, target.id, place)
        if self.ranged.aiming_by(group, profile).needs_sight:
            return sight.visible
        free = self.rules.policies.fires_all_round(self.state)
        return free or all(blocker.kind != "arc" for blocker in sight.blockers)

    def _against(self, aim: Aim, target: Unit) -> Refusal:
        """Why a weapon group may not fire at a target."""
        if target.id in self._farther:
            nearer = {unit for _, unit in self.legal}
            return not_the_closest(self.rules, self.state, self.unit, target, nearer, "hold")
        return self._why_not(aim, target)

    def _why_not(self, aim: Aim, target: Unit) -> Refusal:
        if target.place != "table" or not target.models:
            return Refusal(f"{unit_does(target, 'are')} not on the table", self.cite)
        group = self.groups[aim.group]
        if not any(
            usable(self.rules, self.state, self.unit, bearer, group.weapon) for bearer in group.bearers
        ):
            return Refusal(f"{aim.group} cannot be used again", used_up_by(self.rules, group.weapon))
        near = units_apart(self.state, self.unit.id, target.id, self.rules.policies.measures_heights())
        reach = self.ranged.reach_at(aim.group, target.id) / MILLI
        if not within(near, reach):
            return Refusal(
                f"{unit_does(target, 'are')} {told(near, reach, 1)} inches away, {aim.group} reaches {reach:g}",
                self.rules.cite("shoot.valid"),
            )
        if self._is_outside_arc(aim, target):
            text = f"{unit_does(target, 'lie')} outside the front arc of {self.unit.name}"
            side = self._side_of(target)
            return Refusal(f"{text}{f', {side}' if side else ''}", self.rules.cite("shoot.valid"))
        return Refusal(
            f"no model with {aim.group} both sees {target.name} and has it in range",
            self.rules.cite("shoot.valid"),
        )

    def _is_outside_arc(self, aim: Aim, target: Unit) -> bool:
        """Whether every bearer has the whole target outside its front arc, whatever else is in the way."""
        if self.rules.policies.fires_all_round(self.state):
            return False
        method = self.rules.policies.sight_method(self.state)
        pairs = [
            (bearer.at, place)
            for bearer in self.groups[aim.group].bearers
            for place in range(len(target.models))
        ]
        blockers = [
            sees(self.state, method, self.unit.id, at, target.id, place).blockers for at, place in pairs
        ]
        return all(found and all(one.kind == "arc" for one in found) for found in blockers)

    def _side_of(self, target: Unit) -> str:
        """The side of a block on which a target's centre lies; empty if it lies ahead or the unit has no front."""
        where = target.block or (target.poses[0] if target.poses else None)
        if self.unit.block is None or where is None:
            return ""
        arc = arc_of(self.unit, self.state.profiles, where.x / MILLI, where.y / MILLI)
        return {"left": "on its left flank", "right": "on its right flank", "rear": "in its rear"}.get(
            arc, ""
        )

    def default(self) -> Aims:
        """Every group fires at the target against which it has the most attacks; few targets before many.

        Groups that may single out a model pick the hero or, without one, the unit as a whole: several bearers that
        all pick one model would waste most of their hits.
        """
        best: dict[int, int] = {}
        for (key, target), able in self.legal.items():
            best[target] = best.get(target, 0) + len(able) * self.groups[key].weapon.attacks
        order = sorted(best, key=lambda target: (-best[target], target))[: self.rules.constants.split_targets]
        aims = []
        for key in self.groups:
            for target in order:
                if (key, target) in self.legal:
                    aims.append(Aim(key, target, self.usual_pick(key, target)))
                    break
        return Aims(tuple(aims))

    def sample(self, numbers: Numbers) -> Aims:
        """A random enemy as the target of all groups that reach it; sometimes the unit holds fire."""
        legal = self.legal
        targets = sorted({target for _, target in legal})
        target = targets[numbers.below(len(targets))]
        return Aims(
            tuple(
                Aim(key, target, self._pick(key, target, numbers.below(64)))
                for key in self.groups
                if (key, target) in legal
            )
        )

    def onto(self, unit: int) -> Aims:
        """Every weapon that may fire at a unit does; if none may, all of them, so that the reasons are given."""
        able = [key for key in self.groups if (key, unit) in self.legal]
        return Aims(tuple(Aim(key, unit, self.usual_pick(key, unit)) for key in able or self.groups))

    def usual_pick(self, key: str, target: int) -> int:
        """The model that a group of weapons singles out by default; -1: the unit as a whole."""
        hero = self.state.units[target].attached
        if self.aiming[key].picks_model and hero not in self.pickable(key, target):
            return -1
        return self._pick(key, target, 0)

    def _pick(self, key: str, target: int, number: int) -> int:
        aiming = self.aiming[key]
        hero = self.state.units[target].attached
        open_to: list[int] = []
        if aiming.picks_model:
            open_to = sorted(self.pickable(key, target), key=lambda model: (model != hero, model))
        elif aiming.picks_centre:
            open_to = list(self.centres(Aim(key, target)))
        return open_to[number % len(open_to)] if open_to else -1


def nobody_in_reach(rules: Ruleset, state: State, unit: Unit) -> bool:
    """Whether no enemy is in range: a quick test with circles round the units. True is certain, False is not."""
    return not longest_reach(state, unit) or not has_enemy_within(
        state, unit, farthest_shot(rules, state, unit)
    )


def farthest_shot(rules: Ruleset, state: State, unit: Unit) -> int:
    """The longest range of a unit's weapons, including all that rules may add."""
    return longest_reach(state, unit) + most_added_reach(rules, state, unit)


def has_enemy_within(state: State, unit: Unit, reach: int) -> bool:
    """Whether the circle round any enemy is within `reach` of the circle round a unit."""
    scene = scene_of(state)
    return is_enemy_near(scene.circles, scene.sides, scene.row_of[unit.id], reach / MILLI + SLACK)


def targets_of(rules: Ruleset, state: State, unit: Unit) -> Targets:
    """The question for a unit, cached on the state so that one declaration scans the table once."""
    known: dict[tuple[int, str], Targets] = state.memory.setdefault("targets", {})
    key = (unit.id, action_of(state, unit))
    if key not in known:
        known[key] = Targets(rules, state, unit)
    return known[key]


def action_of(state: State, unit: Unit) -> str:
    """The action that a unit has taken in its running activation; "" if it has taken none."""
    running = next((one for one in reversed(state.stack) if isinstance(one, Activation)), None)
    return running.action if running is not None and running.unit == unit.id else ""
