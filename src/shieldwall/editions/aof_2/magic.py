"""Casting in Age of Fantasy 2: each wizard tries once a round with D6+X, enemy wizards may roll higher to stop it."""

from __future__ import annotations

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Cast, Pick
from shieldwall.core.frames import Activation, Casting
from shieldwall.core.pending import Choice, Option, Pending, Roll
from shieldwall.core.state import MILLI, State, Unit
from shieldwall.core.values import FACE_LABELS, Counts, Labels, Mod, Pool, Target, highest
from shieldwall.geometry.tolerance import within
from shieldwall.rules.features.spells import SPELL_EFFECTS, spell_was_tried
from shieldwall.rules.features.tokens_bids import place_of
from shieldwall.rules.features.tokens_legal import ChooseFromBook, own_casting_mods, spell_named
from shieldwall.rules.features.wizards import MAGIC, WizardBook, has_tried, power_of
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.table.measure import models_apart
from shieldwall.table.sight import sees

STOPPED, WORKS = "stopped", "works"


class ChooseWizardSpell(ChooseFromBook):
    """Choose wizard, spell and targets before any die is rolled, or decline."""

    def book(self, game: Play, unit: Unit, activation: Activation) -> WizardBook:
        return WizardBook(game.rules, game.state, unit, activation)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        if not isinstance(answer, Cast):
            game.finish()
            return
        frame: Casting = game.stack[-1]
        spend_try(game, frame.unit, answer.model, "cast.once")
        game.note(model=answer.model, spell=answer.spell, targets=answer.targets)
        rivals = Rivals(game.rules, game.state, frame.unit, answer.model).everybody()
        game.note(bidders=rivals)


class Oppose(TrunkStep):
    """Each enemy wizard near enough chooses whether to try to stop the spell, before any die is rolled."""

    name = "cast.oppose"

    def ask(self, game: Play) -> Pending | None:
        frame: Casting = game.stack[-1]
        if frame.next >= len(frame.bidders):
            return None
        unit, at = place_of(game.state, frame.bidders[frame.next])
        name = game.state.profiles[unit.models[at].profile].name
        options = (Option("yes", f"try to stop {frame.spell}"), Option("no", "save this round's attempt"))
        # a wizard that can no longer cast this round has no better use for its attempt
        default = "yes" if unit.activated or unit.broken else "no"
        prompt = f"{name} of {unit.name}: try to stop {frame.spell}?"
        return Choice("oppose", unit.seat, prompt, game.rules.cite("cast.oppose"), options, default)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        frame: Casting = game.stack[-1]
        tries = answer.option == "yes"
        if tries:
            model = frame.bidders[frame.next]
            spend_try(game, place_of(game.state, model)[0].id, model, "cast.oppose")
        game.note(bids=(*frame.bids, int(tries)), next=frame.next + 1)
        game.stay()


class RollWizardCast(TrunkStep):
    """One die plus the wizard's power against the number of the spell; natural faces have no special meaning."""

    name = "cast.roll"

    def ask(self, game: Play) -> Pending | None:
        frame: Casting = game.stack[-1]
        target = self._target(game, frame)
        pool = Pool(1, FACE_LABELS, target, frame.spell)
        return Roll("cast", game.state.units[frame.unit].seat, (pool,), game.rules.cite("cast.roll"))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        frame: Casting = game.stack[-1]
        target = self._target(game, frame)
        total = highest(counts[0]) + target.modifier
        game.note(total=total, worked=total >= target.base)

    def _target(self, game: Play, frame: Casting) -> Target:
        unit, at = place_of(game.state, frame.model)
        power = power_of(game.rules, game.state, unit, unit.models[at])
        cite = game.rules.cite("cast.roll")
        own = own_casting_mods(game.rules, game.state, unit, unit.models[at])
        return Target(spell_named(game.state, frame.spell).cost, (Mod(power, f"power {power}", cite), *own))


class RollToStop(TrunkStep):
    """Every wizard that tries rolls; one higher total is enough. The attempt is spent whatever the result."""

    name = "cast.stop"

    def ask(self, game: Play) -> Pending | None:
        frame: Casting = game.stack[-1]
        rivals = opposing(frame)
        if not rivals:
            return None
        pools = tuple(self._pool(game, frame, model) for model in rivals)
        unit, _ = place_of(game.state, rivals[0])
        return Roll("dispel", unit.seat, pools, game.rules.cite("cast.stop"))

    def _pool(self, game: Play, frame: Casting, model: int) -> Pool:
        unit, at = place_of(game.state, model)
        power = power_of(game.rules, game.state, unit, unit.models[at])
        cite = game.rules.cite("cast.stop")
        target = Target(frame.total + 1, (Mod(power, f"power {power}", cite),))
        name = game.state.profiles[unit.models[at].profile].name
        return Pool(1, stopping_labels(frame.total - power), target, name)

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        frame: Casting = game.stack[-1]
        cite = game.rules.cite("cast.stop")
        stopped = False
        for model, count in zip(opposing(frame), counts, strict=True):
            unit, _ = place_of(game.state, model)
            blocked = count.get(STOPPED, 0) > 0
            stopped = stopped or blocked
            game.emit(
                ev.SpellOpposed(unit=unit.id, model=model, spell=frame.spell, stopped=blocked, cite=cite)
            )
        spell_was_tried(game, frame.worked and not stopped)

    def go(self, game: Play) -> None:
        frame: Casting = game.stack[-1]
        spell_was_tried(game, frame.worked)


class UseSpell(TrunkStep):
    """A spell that succeeds may still be declined."""

    name = "cast.use"

    def ask(self, game: Play) -> Pending | None:
        frame: Casting = game.stack[-1]
        options = (Option("yes", f"use {frame.spell}"), Option("no", "let it pass"))
        seat = game.state.units[frame.unit].seat
        return Choice(
            "use_spell", seat, f"{frame.spell} succeeds: use it?", game.rules.cite("cast.use"), options
        )

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        if answer.option == "no":
            game.finish()


class Rivals:
    """Enemy wizards that may try to stop a spell: near enough to the caster, with sight of it, their try not spent."""

    def __init__(self, rules: Ruleset, state: State, unit: int, model: int) -> None:
        self.rules = rules
        self.state = state
        self.unit = state.units[unit]
        self.at = next(at for at, one in enumerate(self.unit.models) if one.id == model)

    def everybody(self) -> tuple[int, ...]:
        """Their ids, in the order of the state's units."""
        return tuple(
            model.id
            for unit in self.state.units
            if unit.side != self.unit.side and unit.place == "table"
            for at, model in enumerate(unit.models)
            if power_of(self.rules, self.state, unit, model)
            and not has_tried(self.state, model)
            and self.is_near(unit, at)
        )

    def is_near(self, unit: Unit, at: int) -> bool:
        """Whether a model is close enough to the caster and sees it."""
        rules, state = self.rules, self.state
        heights = rules.policies.measures_heights()
        apart = models_apart(state, unit.id, at, self.unit.id, self.at, heights)
        if not within(apart, rules.constants.meddle_within / MILLI):
            return False
        method = rules.policies.sight_method(state)
        return sees(state, method, unit.id, at, self.unit.id, self.at, any_direction=True).visible


def spend_try(game: Play, unit: int, model: int, cite: str) -> None:
    """The one try of a wizard in this round is spent."""
    game.emit(ev.WeaponUsed(unit=unit, model=model, key=MAGIC, cite=game.rules.cite(cite)))


def opposing(frame: Casting) -> tuple[int, ...]:
    """The wizards that try to stop the spell being cast."""
    return tuple(model for model, bid in zip(frame.bidders, frame.bids, strict=True) if bid)


def stopping_labels(face: int) -> Labels:
    """A die stops the spell when it shows more than this face."""
    one, two, three, four, five, six = (STOPPED if number > face else WORKS for number in range(1, 7))
    return one, two, three, four, five, six


WIZARD_CASTING: tuple[TrunkStep, ...] = (
    ChooseWizardSpell(),
    Oppose(),
    RollWizardCast(),
    RollToStop(),
    UseSpell(),
    *SPELL_EFFECTS,
)


def can_wizards_cast(rules: Ruleset, state: State, unit: Unit, frame: Activation) -> bool:
    """Whether a unit has a spell it may try now: in its own activation, before it attacks, not idling."""
    if not state.spells or frame.began_broken or frame.attacked or frame.over or unit.place != "table":
        return False
    if not rules.hooks.may_have("casts_with", unit, state.profiles):
        return False
    if not any(power_of(rules, state, unit, model) for model in unit.models):
        return False
    return WizardBook(rules, state, unit, frame).has_any
