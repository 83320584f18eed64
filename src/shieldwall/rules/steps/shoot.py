"""Shooting: targets for every weapon group first, then volley after volley."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.answers import Aim, Aims, AnyAnswer
from shieldwall.core.frames import Activation, Attack, CoverKind, Shoot, Source, Volley
from shieldwall.core.pending import Pending
from shieldwall.core.state import State, Unit
from shieldwall.core.values import Counts
from shieldwall.rules.army.choosing import AttackRules
from shieldwall.rules.army.once import note_attack, note_range
from shieldwall.rules.attack_math import Attackers, activation_facts, volley_dice, with_extra_attacks
from shieldwall.rules.hook_tables import kinds_of
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.rules.steps.ranged_weapons import Shots
from shieldwall.rules.steps.targets import Targets, nobody_in_reach, targets_of
from shieldwall.rules.weapons import Bearer, is_counted, sources_of, use_key, used_up_by
from shieldwall.table.cover import cover_of
from shieldwall.table.measure import units_apart


class ChooseTargets(TrunkStep):
    """Choose a target for each weapon group, or hold fire."""

    name = "shoot.targets"

    def ask(self, game: Play) -> Pending | None:
        unit = game.state.units[game.top(Shoot).unit]
        if self.sees_nobody(game, unit):
            return None
        targets = self.targets(game, unit)
        return targets if targets.has_any else None

    def sees_nobody(self, game: Play, unit: Unit) -> bool:
        """Whether there is no target: a quick test before the question is built. True is certain, False is not."""
        return nobody_in_reach(game.rules, game.state, unit)

    def targets(self, game: Play, unit: Unit) -> Targets:
        """The question of whom the unit shoots at."""
        return targets_of(game.rules, game.state, unit)

    def would_ask(self, game: Play, unit: Unit, kind: str) -> Targets | None:
        return self.targets(game, unit) if kind == "targets" else None

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Aims)
        if not answer.aims:
            game.finish()
        else:
            game.note(aims=answer.aims)

    def go(self, game: Play) -> None:
        game.finish()


class FreezeVolleys(TrunkStep):
    """Fix dice, distances and cover of every volley at the declaration; all weapons fire at the same time."""

    name = "shoot.freeze"

    def ask(self, game: Play) -> Pending | None:
        return AttackRules.ask(game, *self._shooter(game))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        unit, moment, enemies = self._shooter(game)
        AttackRules.rolled(game, unit, moment, counts[0], enemies)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        unit, moment, enemies = self._shooter(game)
        AttackRules.chosen(game, unit, moment, answer, enemies)

    def _shooter(self, game: Play) -> tuple[Unit, str, tuple[int, ...]]:
        frame: Shoot = game.stack[-1]
        return game.state.units[frame.unit], "shoots", tuple(dict.fromkeys(aim.target for aim in frame.aims))

    def go(self, game: Play) -> None:
        frame: Shoot = game.stack[-1]
        unit = game.state.units[frame.unit]
        targets = self.targets(game, unit)
        volleys: list[Volley] = []
        activation = game.nearest(Activation)
        walked = activation.walked if activation is not None else ()
        for aim in frame.aims:
            found = self.volleys(game, unit, targets, aim, walked)
            volleys += found
            game.emit(
                ev.Declared(
                    unit=unit.id,
                    target=aim.target,
                    group=aim.group,
                    attacks=sum(volley_dice(volley) for volley in found),
                    cite=game.rules.cite("shoot.attacks"),
                )
            )
        for aim in frame.aims:
            self._count_uses(game, unit, targets, aim)
            note_range(game, unit, game.state.units[aim.target], partial(targets.can_fire_on, aim=aim))
        # volleys that must go first do; otherwise the shooter's order is kept
        volleys.sort(key=lambda volley: volley.rank)
        game.note(volleys=tuple(volleys))
        game.note_on(Activation, attacked=True)

    def targets(self, game: Play, unit: Unit) -> Targets:
        """The targets that were found for the unit."""
        return targets_of(game.rules, game.state, unit)

    def volleys(
        self, game: Play, unit: Unit, targets: Targets, aim: Aim, walked: tuple[int, ...]
    ) -> tuple[Volley, ...]:
        """One aim with everything fixed: one volley, or more if cover or order are not the same for all its shots."""
        shots = targets.shots(aim)
        volleys = tuple([self.volley(game, unit, targets, one, walked) for one in shots])
        return volleys if len(shots) == 1 else together(volleys, targets.firing(aim))

    def volley(
        self, game: Play, unit: Unit, targets: Targets, shots: Shots, walked: tuple[int, ...]
    ) -> Volley:
        """Shots of bearers with the same rules, with everything fixed."""
        volley = freeze(game.rules, game.state, unit, targets, shots, walked)
        if "extra_attacks" not in game.plans.in_play:
            return volley
        held, moved = activation_facts(game.nearest(Activation), unit.id)
        attack = Attack(procedure="attack", kind="shoot", unit=unit.id, volley=volley, held=held, moved=moved)
        return with_extra_attacks(game.rules, game.state, attack)

    def _count_uses(self, game: Play, unit: Unit, targets: Targets, aim: Aim) -> None:
        group = targets.groups[aim.group]
        if not is_counted(game.rules, group.weapon):
            return
        cite = used_up_by(game.rules, group.weapon)
        for bearer, _ in targets.firing(aim):
            key = use_key(game.rules, bearer, group.weapon)
            game.emit(ev.WeaponUsed(unit=unit.id, model=bearer.model.id, key=key, cite=cite))


class FireVolleys(TrunkStep):
    """Resolve one volley after another."""

    name = "shoot.volley"

    def go(self, game: Play) -> None:
        frame: Shoot = game.stack[-1]
        if frame.next >= len(frame.volleys):
            return
        volley = frame.volleys[frame.next]
        game.note(next=frame.next + 1)
        held, moved = activation_facts(game.nearest(Activation), frame.unit)
        attack = Attack(
            procedure="attack", kind="shoot", unit=frame.unit, volley=volley, held=held, moved=moved
        )
        note_attack(game, attack)
        game.push(attack, again=True)


SHOOT: tuple[TrunkStep, ...] = (ChooseTargets(), FreezeVolleys(), FireVolleys())


def freeze(
    rules: Ruleset, state: State, unit: Unit, targets: Targets, shots: Shots, walked: tuple[int, ...] = ()
) -> Volley:
    """Shots as a volley with everything fixed; `walked` are the models that moved before shooting."""
    aim, aiming = shots.aim, shots.aiming
    group = targets.groups[aim.group]
    target = state.units[aim.target]
    cover: CoverKind = "none"
    if aiming.ignores_cover != "all":
        cover = judged_cover(rules, state, unit, shots.together, target, shots.picked)
        if cover == "behind" and aiming.ignores_cover == "behind":
            cover = "none"
    volley = Volley(
        group=group.key,
        target=aim.target,
        sources=sources_of(rules, state, shots.bearers, group.weapon, walked),
        picked=shots.picked,
        unit_near=round(units_apart(state, unit.id, aim.target, rules.policies.measures_heights()) * 1000),
        cover=cover,
        target_models=len(target.models),
        target_kinds=mixed_kinds(target),
        stunned=stunned_now(state, unit.side),
        near_models=near_centre(rules, state, targets, aim) if aiming.picks_centre else (),
        rank=aiming.rank,
    )
    if cover == "none" and aiming.ignores_cover != "all":
        volley = with_counted_cover(rules, state, unit, volley)
    return without_dropped_cover(rules, state, unit, volley)


def together(volleys: tuple[Volley, ...], firing: list[tuple[Bearer, int]]) -> tuple[Volley, ...]:
    """Volleys of one aim, those that turned out alike as one; sources are in the order in which models fire."""
    order = {(bearer.model.id, bearer.weapon): at for at, (bearer, _) in enumerate(firing)}
    found: dict[Volley, list[Source]] = {}
    for volley in volleys:
        found.setdefault(replace(volley, sources=()), []).extend(volley.sources)
    return tuple(
        replace(volley, sources=tuple(sorted(sources, key=lambda one: order[one.models[0], one.weapon])))
        for volley, sources in found.items()
    )


def with_counted_cover(rules: Ruleset, state: State, unit: Unit, volley: Volley) -> Volley:
    """The volley with cover, if its target counts as being in cover by a rule."""
    target = state.units[volley.target]
    if volley.cover != "none" or not rules.hooks.may_have("counts_in_cover", target, state.profiles):
        return volley
    attack = Attack(procedure="attack", kind="shoot", unit=unit.id, volley=volley)
    attackers = Attackers(rules, state, attack, volley.sources[0])
    is_covered = any(rule.counts_in_cover(attackers.ctx) for rule in attackers.theirs("counts_in_cover"))
    return replace(volley, cover="in") if is_covered else volley


def without_dropped_cover(rules: Ruleset, state: State, unit: Unit, volley: Volley) -> Volley:
    """The volley without cover, if a rule of the shooters ignores the cover of this target."""
    if volley.cover == "none" or not volley.sources:
        return volley
    attack = Attack(procedure="attack", kind="shoot", unit=unit.id, volley=volley)
    attackers = Attackers(rules, state, attack, volley.sources[0])
    speaking = attackers.own(
        "drops_cover"
    )  # a rule that always ignores cover is listed here if its condition holds
    is_dropped = any(rule.drops_cover(attackers.ctx) or "aims" in rule.hooks for rule in speaking)
    return replace(volley, cover="none") if is_dropped else volley


def mixed_kinds(target: Unit) -> tuple[tuple[int, int], ...]:
    """How many models of each profile a target has; empty if losses cannot change what they have in common."""
    kinds = kinds_of(target)
    return kinds if len(kinds) > 1 else ()


def near_centre(rules: Ruleset, state: State, targets: Targets, aim: Aim) -> tuple[tuple[int, int], ...]:
    """Models that hits may spread to: those round the chosen model, or round the first that could be chosen."""
    target = state.units[aim.target]
    centre = aim.picked if aim.picked >= 0 else next(iter(targets.centres(aim)), target.models[0].id)
    return rules.policies.near_models(state, target, centre)


def judged_cover(
    rules: Ruleset, state: State, unit: Unit, bearers: list[tuple[Bearer, int]], target: Unit, picked: int
) -> CoverKind:
    """Whether the target has cover from these shooters, and which kind."""
    indexes = tuple([bearer.at for bearer, _ in bearers])
    only = None
    if picked >= 0:
        only = tuple([place for place, model in enumerate(target.models) if model.id == picked]) or None
    return cover_of(state, rules.policies.cover_policy(), unit.id, indexes, target.id, only).kind


def stunned_now(state: State, side: int) -> tuple[tuple[int, int], ...]:
    """Stunned enemies with their markers, as they are when targets are named."""
    return tuple(
        (model.id, model.wounds)
        for unit in state.units
        if unit.side != side and unit.place == "table"
        for model in unit.models
        if model.stunned
    )
