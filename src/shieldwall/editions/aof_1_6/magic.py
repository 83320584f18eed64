"""Casting in Age of Fantasy 1.6: the highest of X dice decides which spells work, one enemy may block."""

from __future__ import annotations

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Cast, Pick
from shieldwall.core.frames import Activation, Casting
from shieldwall.core.grammar import unit_does
from shieldwall.core.pending import Choice, Option, Pending, Refusal, Roll
from shieldwall.core.state import MILLI, Model, Spell, State, Unit
from shieldwall.core.values import FACE_LABELS, Counts, Pool, highest
from shieldwall.editions.aof_1_6.special_rules import WizardDice
from shieldwall.geometry.tolerance import within
from shieldwall.rules.features.spells import SPELL_EFFECTS, spell_was_tried
from shieldwall.rules.features.tokens_bids import place_of
from shieldwall.rules.features.tokens_legal import CastSpell, own_casting_mods, procedures_for
from shieldwall.rules.features.wizards import WizardBook, power_of
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep, seat_to_ask
from shieldwall.rules.steps.activation import over
from shieldwall.table.measure import models_apart

CAST, BLOCKED = WizardDice.kept_as, "block"  # the names under which a wizard's deeds of a round are kept


def has_done(state: State, model: Model, deed: str) -> bool:
    """Whether a wizard did something in this round."""
    return any(use.key == deed and use.round == state.round for use in model.uses)


class NumberBook(WizardBook):
    """The spells that a roll opens: those with a number up to its highest die, with what rules add to it."""

    __slots__ = ("best",)

    def __init__(
        self, rules: Ruleset, state: State, unit: Unit, activation: Activation, caster: int, best: int
    ) -> None:
        super().__init__(rules, state, unit, activation)
        self.casters = {model: at for model, at in self.casters.items() if model == caster}
        self.best = best

    def obstacles(self, model: Model, spell: Spell) -> list[Refusal]:
        cite = self.rules.cite
        problems = []
        if spell.cost > self.best:
            text = f"{spell.name} needs a {spell.cost}; the highest die gives {self.best}"
            problems.append(Refusal(text, cite("cast.roll")))
        if any(procedure not in self.rules.procedures for procedure in procedures_for(spell)):
            why = f"{spell.name} has an effect that spells do not have in this edition"
            problems.append(Refusal(why, cite("cast.list")))
        return problems


def caster_in(rules: Ruleset, state: State, unit: Unit) -> Model | None:
    """The wizard that casts for a unit: of several the one with most dice."""
    able = [
        model
        for model in unit.models
        if state.profiles[model.profile].spells
        and power_of(rules, state, unit, model)
        and not has_done(state, model, CAST)
        and not has_done(state, model, BLOCKED)
    ]
    return max(able, key=lambda model: (power_of(rules, state, unit, model), -model.id), default=None)


class CastFirst(TrunkStep):
    """When its activation begins, before anything else, a unit with a wizard may try one spell."""

    name = "act.cast"

    def ask(self, game: Play) -> Pending | None:
        frame: Activation = game.stack[-1]
        unit = game.state.units[frame.unit]
        if over(game, frame) or frame.tried:
            return None
        if not can_try(game.rules, game.state, unit, frame):
            return None
        options = (Option("cast", "Try a spell"), Option("go", "Go on"))
        cite = game.rules.cite("cast.when")
        return Choice("cast_or_go", unit.seat, f"Cast a spell with {unit.name} first?", cite, options, "go")

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        if answer.option == "cast":
            game.push(game.rules.policies.casting_frame(game.top(Activation).unit))

    def why_not(self, game: Play, unit: Unit, kind: str) -> tuple[Refusal, ...]:
        """No wizard, one that has blocked or cast this round, or a unit that wavers."""
        if kind != "cast_or_go":
            return ()
        rules, state = game.rules, game.state
        wizards = [
            model
            for model in unit.models
            if state.profiles[model.profile].spells and power_of(rules, state, unit, model)
        ]
        if not wizards:
            return (Refusal(f"{unit.name} has no wizard with spells", rules.cite("cast.when")),)
        for deed, text, key in (
            (BLOCKED, "has tried to block a spell this round and may not cast", "cast.after_block"),
            (CAST, "has already tried a spell this round", "cast.when"),
        ):
            if all(has_done(state, model, deed) for model in wizards):
                return (Refusal(f"the wizard of {unit.name} {text}", rules.cite(key)),)
        if unit.broken:
            text = f"{unit.name} is Wavering: its wizard may block but not cast"
            return (Refusal(text, rules.cite("cast.after_block")),)
        return ()


class RollBest(TrunkStep):
    """As many dice as the wizard has; the attempt counts as casting whatever the result."""

    name = "cast.roll"

    def ask(self, game: Play) -> Pending | None:
        unit = game.state.units[game.top(Casting).unit]
        wizard = caster_in(game.rules, game.state, unit)
        assert wizard is not None, "only units with a wizard get here"
        dice = power_of(game.rules, game.state, unit, wizard)
        mods = own_casting_mods(game.rules, game.state, unit, wizard)
        note = ", ".join(f"{mod.amount:+d} {mod.why}" for mod in mods)
        return Roll("cast", unit.seat, (Pool(dice, FACE_LABELS, None, note),), game.rules.cite("cast.roll"))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        unit = game.state.units[game.top(Casting).unit]
        wizard = caster_in(game.rules, game.state, unit)
        assert wizard is not None
        added = sum(mod.amount for mod in own_casting_mods(game.rules, game.state, unit, wizard))
        game.note(model=wizard.id, total=highest(counts[0]) + added)
        spend(game, unit.id, wizard.id, CAST, "cast.roll")


class ChooseAfterDice(TrunkStep):
    """A spell that the dice allow, and its target; nothing is cast if none fits or the player declines."""

    name = "cast.choose"

    def ask(self, game: Play) -> Pending | None:
        frame: Casting = game.stack[-1]
        activation = game.nearest(Activation)
        assert activation is not None, "spells are cast in an activation"
        unit = game.state.units[frame.unit]
        book = NumberBook(game.rules, game.state, unit, activation, frame.model, frame.total)
        question = CastSpell(book)
        return question if question.options else None

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        if isinstance(answer, Cast):
            game.note(spell=answer.spell, targets=answer.targets)
        else:
            game.finish()

    def go(self, game: Play) -> None:
        game.finish()


class OpposeOne(TrunkStep):
    """One enemy wizard near enough to the caster may try to block; no sight is needed."""

    name = "cast.oppose"

    def ask(self, game: Play) -> Pending | None:
        frame: Casting = game.stack[-1]
        rivals = blockers(game.rules, game.state, frame)
        if not rivals:
            return None
        units = [place_of(game.state, model)[0] for model in rivals]
        options = [Option("none", "let it take effect")]
        options += [
            Option(f"m{model}", f"{unit_does(unit, 'try')} to block", unit.id)
            for model, unit in zip(rivals, units, strict=True)
        ]
        free = [
            model for model, unit in zip(rivals, units, strict=True) if unit.activated or unit.broken
        ]  # a wizard that can no longer cast this round loses nothing by blocking
        default = f"m{free[0]}" if free else "none"
        seat = seat_to_ask(game.state, units[0].side, units)
        prompt = f"Block {frame.spell}? The highest casting die is {frame.total}"
        return Choice("oppose", seat, prompt, game.rules.cite("cast.oppose"), tuple(options), default)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        if answer.option != "none":
            model = int(answer.option[1:])
            game.note(bidders=(model,))
            spend(game, place_of(game.state, model)[0].id, model, BLOCKED, "cast.oppose")


class RollBlock(TrunkStep):
    """As many dice as the blocking wizard has; only a higher one blocks the spell."""

    name = "cast.stop"

    def ask(self, game: Play) -> Pending | None:
        frame: Casting = game.stack[-1]
        if not frame.bidders:
            return None
        unit, at = place_of(game.state, frame.bidders[0])
        dice = power_of(game.rules, game.state, unit, unit.models[at])
        return Roll("dispel", unit.seat, (Pool(dice, FACE_LABELS),), game.rules.cite("cast.stop"))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        frame: Casting = game.stack[-1]
        model = frame.bidders[0]
        stopped = highest(counts[0]) > frame.total
        unit, _ = place_of(game.state, model)
        cite = game.rules.cite("cast.block")
        game.emit(ev.SpellOpposed(unit=unit.id, model=model, spell=frame.spell, stopped=stopped, cite=cite))
        spell_was_tried(game, not stopped)

    def go(self, game: Play) -> None:
        spell_was_tried(game, True)


BEST_CASTING: tuple[TrunkStep, ...] = (
    RollBest(),
    ChooseAfterDice(),
    OpposeOne(),
    RollBlock(),
    *SPELL_EFFECTS,
)


def can_try(rules: Ruleset, state: State, unit: Unit, frame: Activation) -> bool:
    """Whether a unit may try a spell now: a wizard that has neither cast nor blocked, in a unit that is steady."""
    if not state.spells or frame.began_broken or unit.broken or unit.place != "table":
        return False
    return caster_in(rules, state, unit) is not None


def blockers(rules: Ruleset, state: State, frame: Casting) -> tuple[int, ...]:
    """Enemy wizards that may try to block the spell being cast."""
    caster, at = place_of(state, frame.model)
    heights = rules.policies.measures_heights()
    reach = rules.constants.meddle_within / MILLI
    return tuple(
        model.id
        for unit in state.units
        if unit.side != caster.side and unit.place == "table"
        for place, model in enumerate(unit.models)
        if power_of(rules, state, unit, model)
        and not has_done(state, model, CAST)
        and within(models_apart(state, unit.id, place, caster.id, at, heights), reach)
    )


def spend(game: Play, unit: int, model: int, deed: str, cite: str) -> None:
    """Write down what a wizard did in this round."""
    game.emit(ev.WeaponUsed(unit=unit, model=model, key=deed, cite=game.rules.cite(cite)))
