"""The effects of a spell that was cast: hits, rules granted for a time, tests and moves. One step for each."""

from __future__ import annotations

from collections.abc import Sequence

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer
from shieldwall.core.blocks import EVERY, Lend
from shieldwall.core.frames import Activation, Casting, Danger, Morale, Movement, RuleUse
from shieldwall.core.pending import Pending
from shieldwall.core.state import Effect, RuleRef, Spell, State, Unit, Weapon
from shieldwall.core.values import Counts, Mod
from shieldwall.rules.army.casting import SPELL_PROCEDURE, pick_of, spell_as_rule
from shieldwall.rules.army.once import end_effects, spent_by_action, spent_by_hook
from shieldwall.rules.army.picking import candidates
from shieldwall.rules.army.rule_hits import Struck, hits_frame
from shieldwall.rules.features.tokens_legal import MOVE_PROCEDURE, TEST_PROCEDURES, spell_named
from shieldwall.rules.hooks import UnitContext
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.rules.steps.morale import test_taken


class DealHits(TrunkStep):
    """Hits without a roll to hit; each target blocks them. Cover does not help against spells."""

    name = "cast.hits"

    def go(self, game: Play) -> None:
        frame, spell = running(game)
        if not spell.hits:
            return
        attacks = []
        cite = game.rules.cite("cast.hits")
        for target in standing(game, frame):
            hits = spell_hits(game.rules, game.state, frame, spell, target)
            attack = hits_frame(hits, frame.model, spell_cover(hits))
            if attack.hits:  # otherwise dice decide about them first
                count = sum(group.count for group in attack.hits)
                game.emit(ev.Hit(unit=frame.unit, target=target.id, hits=count, note=spell.name, cite=cite))
            attacks.append(attack)
        if attacks:
            game.push(*attacks)


class LendRules(TrunkStep):
    """Grant rules to each target, unless a test decides, and apply everything that army rules can do."""

    name = "cast.lend"

    def go(self, game: Play) -> None:
        frame, spell = running(game)
        pick = pick_of(spell)
        if pick is not None:
            targets = tuple(unit.id for unit in standing(game, frame))
            if targets and pick.count == EVERY:
                targets = everybody_reached(game, frame, spell)
            if targets:
                game.push(
                    RuleUse(
                        SPELL_PROCEDURE, unit=frame.unit, model=frame.model, rule=spell.name, picked=targets
                    )
                )
        elif not spell.test:
            for target in standing(game, frame):
                lend(game, target, spell, frame.model)


def everybody_reached(game: Play, frame: Casting, spell: Spell) -> tuple[int, ...]:
    """All units affected by a spell that works on everybody in reach of its caster."""
    unit = game.state.units[frame.unit]
    caster = next(model for model in unit.models if model.id == frame.model)
    rule = spell_as_rule(game.state, spell.name)
    return tuple(one.id for one in candidates(game.rules, game.state, unit, caster, rule, ()))


class CallTests(TrunkStep):
    """Morale or terrain tests of each target; failing has only the effect that the spell names."""

    name = "cast.test"

    def go(self, game: Play) -> None:
        frame, spell = running(game)
        targets = standing(game, frame)
        if spell.test == "morale" and targets:
            game.push(*(Morale(TEST_PROCEDURES["morale"], unit=unit.id, cause="spell") for unit in targets))
        elif spell.test == "danger" and targets:
            procedure = TEST_PROCEDURES["danger"]
            game.push(*(Danger(procedure, unit=unit.id, models=everybody(unit)) for unit in targets))


class MoveTargets(TrunkStep):
    """A move of each target, up to the spell's distance."""

    name = "cast.move"

    def go(self, game: Play) -> None:
        frame, spell = running(game)
        targets = standing(game, frame)
        if spell.moves and targets:
            moves = [
                Movement(procedure=MOVE_PROCEDURE, unit=unit.id, action="spell", allowance=spell.moves)
                for unit in targets
            ]
            game.push(*moves)


SPELL_EFFECTS: tuple[TrunkStep, ...] = (DealHits(), LendRules(), CallTests(), MoveTargets())


class SpellNerve(TrunkStep):
    """A unit that fails a test caused by a spell gets the spell's rules; it is neither broken nor stunned."""

    name = "morale.effect"

    def go(self, game: Play) -> None:
        frame: Morale = game.stack[-1]
        test_taken(game, frame, game.rules.cite("cast.test"))
        if not frame.passed:
            lend_from_casting(game, game.state.units[frame.unit])


class SpellGround(TrunkStep):
    """An edition's roll for dangerous ground, caused by a spell: a failed die also grants the spell's rules."""

    def __init__(self, usual: TrunkStep) -> None:
        self.name = usual.name
        self.usual = usual

    def ask(self, game: Play) -> Pending | None:
        return self.usual.ask(game)

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        if any(count.get("one", 0) for count in counts):
            lend_from_casting(game, game.state.units[game.top(Danger).unit])
        self.usual.rolled(game, counts)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        self.usual.chosen(game, answer)

    def go(self, game: Play) -> None:
        self.usual.go(game)


class EndLentRules(TrunkStep):
    """End the rules that were granted until the end of the unit's activation."""

    name = "act.effects"

    def go(self, game: Play) -> None:
        frame: Activation = game.stack[-1]
        end_effects(game, (*frame.spent, *spent_by_action(game.rules, game.state, frame)))
        unit = game.state.units[frame.unit]
        if unit.effects and any(effect.until == "activation" for effect in unit.effects):
            cite = game.rules.cite("cast.lend")
            game.emit(ev.EffectEnded(unit=unit.id, until="activation", cite=cite))


def spell_tests(morale: Sequence[TrunkStep], danger: Sequence[TrunkStep]) -> dict[str, tuple[TrunkStep, ...]]:
    """An edition's morale and ground tests as used by spells, by the names of their procedures."""
    nerve = tuple(SpellNerve() if step.name == "morale.effect" else step for step in morale)
    ground = tuple(SpellGround(step) if step.name == "danger.roll" else step for step in danger)
    return {TEST_PROCEDURES["morale"]: nerve, TEST_PROCEDURES["danger"]: ground}


def spell_was_tried(game: Play, worked: bool) -> None:
    """Record whether the spell being cast works; if not, it ends here."""
    frame: Casting = game.stack[-1]
    end_effects(game, spent_by_hook(game.rules, game.state.units[frame.unit], "to_cast"))
    game.note(worked=worked)
    game.emit(
        ev.SpellCast(
            unit=frame.unit,
            model=frame.model,
            spell=frame.spell,
            targets=frame.targets,
            worked=worked,
            cite=game.rules.cite("cast.roll"),
        )
    )
    if not worked:
        game.finish()


def casting_procedures(
    casting: tuple[TrunkStep, ...], morale: Sequence[TrunkStep], danger: Sequence[TrunkStep]
) -> dict[str, tuple[TrunkStep, ...]]:
    """Everything an edition's procedures need for casting; `morale` and `danger` are its own tests."""
    return {"casting": casting, **spell_tests(morale, danger)}


def running(game: Play) -> tuple[Casting, Spell]:
    """The spell being cast."""
    frame: Casting = game.stack[-1]
    return frame, spell_named(game.state, frame.spell)


def standing(game: Play, frame: Casting) -> list[Unit]:
    """Targets that are still in the game."""
    units = [game.state.units[target] for target in frame.targets]
    return [unit for unit in units if unit.models and unit.place == "table"]


def everybody(unit: Unit) -> tuple[tuple[int, int], ...]:
    """All models of a unit as models at risk, on no piece of terrain."""
    return tuple((model.id, -1) for model in unit.models)


def spell_hits(rules: Ruleset, state: State, frame: Casting, spell: Spell, target: Unit) -> Struck:
    """The hits of a spell on one target with all that its rules add."""
    weapon = Weapon(spell.name, spell.hits, spell.reach, spell.rules)
    return Struck(rules, state, (state.units[frame.unit], frame.model), target, weapon)


def spell_cover(hits: Struck) -> tuple[Mod, ...]:
    """What cover adds to blocks against the hits of a spell; usually nothing."""
    ctx = UnitContext(hits.ctx.state, hits.ctx.unit)
    caster, target = hits.ctx.unit, hits.ctx.target
    aims = [aiming for rule in hits.weapon.get("aims", ()) if (aiming := rule.aims(ctx)) is not None]
    if target.id == caster.id or any(aiming.ignores_cover != "none" for aiming in aims):
        return ()
    return hits.rules.policies.spell_cover(hits.rules, hits.ctx.state, caster, target)


def lend(game: Play, unit: Unit, spell: Spell, caster: int) -> None:
    """Grant a spell's rules to a unit; a unit already under the same spell gains nothing."""
    if not spell.grants or any(effect.name == spell.name for effect in unit.effects):
        return
    mine = tuple(rule for rule in spell.grants if not _against(rule))
    effect = Effect(
        spell.name, caster, spell.until, mine, tuple(mark for rule in spell.grants for mark in _against(rule))
    )
    game.emit(ev.EffectBegan(unit=unit.id, effect=effect, cite=game.rules.cite("cast.lend")))


def _against(rule: RuleRef) -> tuple[RuleRef, ...]:
    """The rules that enemies have against a unit marked by this rule; none for rules that the unit has itself."""
    blocks = [block for block in rule.blocks or () if isinstance(block, Lend) and block.against]
    return tuple(RuleRef(rule.name, rule.value, False, block.blocks) for block in blocks)


def lend_from_casting(game: Play, unit: Unit) -> None:
    """Grant the rules of the spell being cast to a unit that failed its test."""
    casting = game.nearest(Casting)
    assert casting is not None, "this test is caused by a spell"
    lend(game, unit, spell_named(game.state, casting.spell), casting.model)
