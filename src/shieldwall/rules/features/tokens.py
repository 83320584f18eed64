"""Casting with spell tokens: choose, pay, sealed bids of both sides, one die, effect."""

from __future__ import annotations

from collections.abc import Sequence

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Bid, Cast
from shieldwall.core.frames import Activation, Casting
from shieldwall.core.pending import Pending, Roll
from shieldwall.core.state import State, Unit
from shieldwall.core.values import PASS, Counts, Mod, Target, pool_of_tests
from shieldwall.rules.features.spells import SPELL_EFFECTS, casting_procedures, spell_was_tried
from shieldwall.rules.features.token_helpers import payments_of
from shieldwall.rules.features.tokens_bids import Bidders, BidTokens, place_of
from shieldwall.rules.features.tokens_legal import (
    BACK,
    CastSpell,
    ChooseFromBook,
    Spellbook,
    TokenRules,
    own_casting_mods,
    spell_named,
    switched,
)
from shieldwall.rules.hooks import UnitContext
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.rules.steps.danger import DANGER
from shieldwall.rules.steps.morale import MORALE

__all__ = [
    "BACK",
    "FREE_SIGN",
    "BidTokens",
    "CastSpell",
    "TokenRules",
    "can_cast",
    "casting_steps",
    "token_procedures",
]


class ChooseSpell(ChooseFromBook):
    """Choose caster, spell and targets before any token is spent, or decline."""

    def __init__(self, tokens: TokenRules) -> None:
        self.tokens = tokens

    def book(self, game: Play, unit: Unit, activation: Activation) -> Spellbook:
        return Spellbook(game.rules, game.state, unit, activation, self.tokens)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        if not isinstance(answer, Cast):
            game.finish()
            return
        activation = game.nearest(Activation)
        assert activation is not None
        game.note_on(Activation, tried=(*activation.tried, (answer.model, answer.spell)))
        game.note(model=answer.model, spell=answer.spell, targets=answer.targets)


class PaySpell(TrunkStep):
    """The attempt is paid for whether it succeeds or not. Who may spend tokens is fixed before anyone does."""

    name = "cast.pay"

    def __init__(self, tokens: TokenRules) -> None:
        self.tokens = tokens

    def go(self, game: Play) -> None:
        frame: Casting = game.stack[-1]
        spell = spell_named(game.state, frame.spell)
        cite = game.rules.cite("cast.pay")
        caster, at = place_of(game.state, frame.model)
        for payment in payments_of(game.rules, game.state, caster, at, spell.cost):
            game.emit(
                ev.TokensSpent(unit=payment.unit, model=payment.model, tokens=payment.tokens, cite=cite)
            )
        game.note(bidders=Bidders(game.rules, game.state, self.tokens, frame).everybody())


class CommitTokens(TrunkStep):
    """Every model in reach with tokens bids without seeing the other bids, unless the caster's side goes first."""

    name = "cast.bid"

    def __init__(self, tokens: TokenRules) -> None:
        self.tokens = tokens

    def ask(self, game: Play) -> Pending | None:
        frame: Casting = game.stack[-1]
        if frame.next >= len(frame.bidders):
            return None
        return BidTokens(game.rules, game.state, self.tokens, frame)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Bid)
        frame: Casting = game.stack[-1]
        game.note(bids=(*frame.bids, answer.tokens), next=frame.next + 1)
        if switched(game.state, "token-bids", "caster-first", self.tokens.caster_bids_first):
            open_bids(game)
        game.stay()


class OpenBids(TrunkStep):
    """Reveal and spend all committed tokens together."""

    name = "cast.open"

    def go(self, game: Play) -> None:
        open_bids(game)


class RollCast(TrunkStep):
    """One die and all committed tokens; a natural 1 fails and a natural 6 succeeds."""

    name = "cast.roll"

    def __init__(self, tokens: TokenRules) -> None:
        self.tokens = tokens

    def ask(self, game: Play) -> Pending | None:
        frame: Casting = game.stack[-1]
        target = cast_target(game.rules, game.state, frame, self.tokens)
        pool = pool_of_tests(1, target, frame.spell)
        return Roll("cast", game.state.units[frame.unit].seat, (pool,), game.rules.cite("cast.roll"))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        spell_was_tried(game, counts[0].get(PASS, 0) > 0)


def casting_steps(tokens: TokenRules) -> tuple[TrunkStep, ...]:
    """The procedure that casts one spell."""
    return (
        ChooseSpell(tokens),
        PaySpell(tokens),
        CommitTokens(tokens),
        OpenBids(),
        RollCast(tokens),
        *SPELL_EFFECTS,
    )


FREE_SIGN = TokenRules()


def token_procedures(
    tokens: TokenRules, morale: Sequence[TrunkStep] = MORALE, danger: Sequence[TrunkStep] = DANGER
) -> dict[str, tuple[TrunkStep, ...]]:
    """Everything an edition's procedures need for casting with tokens; `morale` and `danger` are its own tests."""
    return casting_procedures(casting_steps(tokens), morale, danger)


def can_cast(
    rules: Ruleset, state: State, unit: Unit, frame: Activation, tokens: TokenRules = FREE_SIGN
) -> bool:
    """Whether a unit has a spell it may try now: in its own activation, before it attacks, not idling."""
    if not state.spells or frame.began_broken or frame.attacked or frame.over or unit.place != "table":
        return False
    if "tokens_gained" not in rules.hooks.of_unit(unit, state.profiles):
        return False
    return Spellbook(rules, state, unit, frame, tokens).has_any


def open_bids(game: Play) -> None:
    """Reveal and spend the committed tokens that are still sealed."""
    frame: Casting = game.stack[-1]
    cite = game.rules.cite("cast.open")
    for model, bid in list(zip(frame.bidders, frame.bids, strict=False))[frame.opened :]:
        if not bid:
            continue
        unit, at = place_of(game.state, model)
        for payment in payments_of(game.rules, game.state, unit, at, abs(bid)):
            push = payment.tokens if bid > 0 else -payment.tokens
            game.emit(
                ev.TokensSpent(
                    unit=payment.unit, model=payment.model, tokens=payment.tokens, push=push, cite=cite
                )
            )
    game.note(opened=len(frame.bids))


def cast_target(rules: Ruleset, state: State, frame: Casting, tokens: TokenRules) -> Target:
    """The needed casting roll with every committed token as a reason."""
    cite = rules.cite("cast.bid")
    mods = []
    for model, bid in zip(frame.bidders, frame.bids, strict=True):
        if bid:
            unit, at = place_of(state, model)
            name = state.profiles[unit.models[at].profile].name
            mods.append(Mod(bid, f"{abs(bid)} token{'s' if abs(bid) > 1 else ''} of {name}", cite))
    return Target(rules.constants.cast_target, (*mods, *casting_mods(rules, state, frame, tokens)))


def casting_mods(rules: Ruleset, state: State, frame: Casting, tokens: TokenRules) -> tuple[Mod, ...]:
    """Modifiers of a casting roll by special rules of the caster, its unit, and a friend it casts through."""
    unit = state.units[frame.unit]
    caster = next((model for model in unit.models if model.id == frame.model), None)
    if caster is None:
        return ()
    own = own_casting_mods(rules, state, unit, caster)
    place = _mod_of_place(rules, state, frame, tokens)
    return own if place is None else (*own, place)


def _mod_of_place(rules: Ruleset, state: State, frame: Casting, tokens: TokenRules) -> Mod | None:
    """The modifier of the friend from whose position the spell is cast: the best one that reaches all targets."""
    if not rules.hooks.by_hook("casts_for_others", state.profiles):
        return None
    caster, at = place_of(state, frame.model)
    running = Activation(procedure="activation", unit=caster.id)  # earlier attempts make no difference here
    book = Spellbook(rules, state, caster, running, tokens)
    places = book.places_for(at, book.as_cast(at, frame.spell), frame.targets)
    found = [helper.rule.to_cast_through(UnitContext(state, helper.unit)) for helper in places if helper]
    return max((mod for mod in found if mod is not None), key=lambda mod: mod.amount, default=None)
