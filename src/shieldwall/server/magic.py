"""Spells as forms for the page: what each does, how likely it is to work, and what tokens would change."""

from __future__ import annotations

import math

from shieldwall.armies.parse import describe_rule
from shieldwall.core.answers import AnyAnswer, Bid, Cast, Pick
from shieldwall.core.forms import LegalCast, OptionForm, SpellForm, TokensForm
from shieldwall.core.grammar import inch_words
from shieldwall.core.pending import Decision
from shieldwall.core.state import Spell, State
from shieldwall.dice.words import count, target_words
from shieldwall.odds import CastChance, cast_chance, cast_preview, cast_throw
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.special.granted_by_spells import lent_words
from shieldwall.server.outcomes import Clock, outcome_of
from shieldwall.server.question_views import BidForm, CastForm, Outcome, SpellChance, SpellView
from shieldwall.server.words import percent

CASTS = frozenset((("action", "cast"), ("cast_or_go", "cast")))  # options that start casting
MOST_BIDS = 21  # bids whose chances are computed


def cast_form(rules: Ruleset, state: State, form: SpellForm, clock: Clock) -> CastForm:
    """Every spell that may be tried, with its chance and targets."""
    labels = model_labels(state, tuple(option.model for option in form.casts))
    views = (
        _spell_view(rules, state, option, label, clock)
        for option, label in zip(form.casts, labels, strict=True)
    )
    return CastForm(form.unit, tuple(views))


def casting_of(rules: Ruleset, state: State, decision: Decision, answer: AnyAnswer) -> SpellChance | None:
    """What a legal answer does to a spell, computed without a time limit; None if the answer is about no spell."""
    match decision.form(), answer:
        case SpellForm(casts=casts), Cast():
            found = cast_chance(rules, state, answer)
            option = next(
                option
                for option in casts
                if (option.model, option.spell.name) == (answer.model, answer.spell)
            )
            odds = None
            if option.spell.hits:
                odds = _outcome(rules, state, option, answer.targets[0], Clock(math.inf))
            return SpellChance(found.works, chance_words(found), _needs_words(rules, state, answer), odds)
        case TokensForm(), Bid():
            found = cast_chance(rules, state, answer, seat=decision.seat)
            return SpellChance(found.works, chance_words(found))
        case OptionForm(), Pick() if tells_chance(decision, answer.option):
            return SpellChance(-1.0, casting_hint(rules, state, decision, answer.option, Clock(math.inf)))
        case _:
            return None


def tells_chance(decision: Decision, key: str) -> bool:
    """Whether an option starts a spell, or supports or opposes one."""
    return (decision.kind, key) in CASTS or decision.kind == "oppose"


def _spell_view(rules: Ruleset, state: State, option: LegalCast, label: str, clock: Clock) -> SpellView:
    spell = option.spell
    works, chance, needs = -1.0, "", ""
    if option.targets and not clock.is_spent:
        cast = Cast(option.model, spell.name, option.targets[:1])
        found = cast_chance(rules, state, cast)
        works, chance, needs = found.works, chance_words(found), _needs_words(rules, state, cast)
    return SpellView(
        caster=option.model,
        caster_name=label,
        spell=spell.name,
        cost=spell.cost,
        reach=spell.reach,
        text=spell_words(spell),
        targets=tuple(option.targets),
        most_targets=spell.targets,
        works=works,
        chance=chance,
        needs=needs,
        odds=tuple(_outcome(rules, state, option, target, clock) for target in option.targets)
        if spell.hits
        else (),
    )


def _outcome(rules: Ruleset, state: State, option: LegalCast, target: int, clock: Clock) -> Outcome | None:
    """What one target can expect; other targets of the same spell make no difference."""
    if clock.is_spent:
        return None
    found = cast_preview(rules, state, Cast(option.model, option.spell.name, (target,)))
    brief = next((brief for brief in found.targets if brief.unit == target), None)
    return outcome_of(brief) if brief is not None else None


def _needs_words(rules: Ruleset, state: State, cast: Cast) -> str:
    pool = cast_throw(rules, state, cast)
    if pool is None or pool.target is None:
        return ""
    return f"{target_words(pool.target)} on {count(pool.dice, 'die', 'dice')}"


def bid_form(rules: Ruleset, state: State, seat: int, form: TokensForm, clock: Clock) -> BidForm:
    """How many tokens may be spent, and the spell's chance with each number."""
    bids = range(form.low, form.high + 1)
    chances: list[float] = []
    for bid in bids if len(bids) <= MOST_BIDS else ():
        if clock.is_spent:
            break
        chances.append(cast_chance(rules, state, Bid(bid), seat=seat).works)
    known = tuple(chances) if len(chances) == len(bids) else ()
    return BidForm(form.model, form.low, form.high, known)


def casting_hint(rules: Ruleset, state: State, decision: Decision, key: str, clock: Clock) -> str:
    """How likely a spell is to work if an option is taken; empty if there is no time to compute it."""
    if clock.is_spent:
        return ""
    if decision.kind == "oppose":
        found = cast_chance(rules, state, Pick(key), seat=decision.seat)
        return f"the spell then succeeds {percent(found.works)} of the time"
    return chance_words(cast_chance(rules, state))


def chance_words(chance: CastChance) -> str:
    """A chance, and what opponents can make of it: "50 % to work, 17 % if opponents spend everything against it"."""
    words = f"{percent(chance.works)} to work"
    if percent(chance.at_worst) != percent(chance.works):
        words += f", {percent(chance.at_worst)} if opponents spend everything against it"
    return words


def model_labels(state: State, ids: tuple[int, ...]) -> tuple[str, ...]:
    """The names of models, in the order of their ids."""
    names = {m.id: state.profiles[m.profile].name for unit in state.units for m in unit.models}
    return tuple(names.get(model, "model") for model in ids)


def spell_words(spell: Spell) -> str:
    """A spell in one line."""
    parts = []
    if spell.hits:
        rules = ", ".join(describe_rule(rule) for rule in spell.rules)
        parts.append(f"{spell.hits} hits" + (f" with {rules}" if rules else ""))
    lent = ", ".join(lent_words(rule, describe_rule) for rule in spell.grants)
    lasting = f"{lent} until the {spell.until} ends"
    if spell.test:
        parts.append(f"a {spell.test} test" + (f"; units that fail have {lasting}" if lent else ""))
    elif lent:
        parts.append(lasting)
    if spell.moves:
        parts.append(f"moves its target up to {inch_words(spell.moves)}")
    whom = {"enemy": "enemies", "friend": "friends", "self": "the caster"}[spell.on]
    return f"{spell.name}: {'; '.join(parts) or 'no effect of its own'} ({whom}, {inch_words(spell.reach)})"
