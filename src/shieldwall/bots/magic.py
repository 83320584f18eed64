"""Sensible casting: what a spell does now, and when tokens are well spent."""

from __future__ import annotations

from shieldwall.bots.board_summary import card_of
from shieldwall.bots.expected_damage import hit_wounds, spell_wounds
from shieldwall.bots.explanation import Considered, Explanation
from shieldwall.bots.targeting import harm
from shieldwall.core.answers import AnyAnswer, Bid, Cast
from shieldwall.core.blocks import TakeHits, TakeTest
from shieldwall.core.frames import Casting
from shieldwall.core.state import Spell, State, Unit, Weapon
from shieldwall.rules.army.casting import pick_of
from shieldwall.rules.army.rule_hits import Struck
from shieldwall.rules.features.tokens_bids import BidTokens
from shieldwall.rules.features.tokens_legal import CastSpell, is_under
from shieldwall.rules.ruleset import Ruleset

GRANTED = 0.12  # the worth of granting a unit a rule, or of putting one on an enemy, as a share of its value
SPARE = 2  # tokens kept back before any are spent against an enemy's spell
MOST_AGAINST = 2


def best_cast(view: State, decision: CastSpell) -> tuple[AnyAnswer, Explanation]:
    """The spell and targets that do the most for their cost."""
    rules = decision.book.rules
    weighed: list[tuple[float, str, Cast]] = []
    for option in decision.options:
        worth = {
            target: spell_worth(
                rules, view, decision.book.unit, option.model, option.spell, view.units[target]
            )
            for target in option.targets
        }
        ranked = tuple(sorted(worth, key=lambda target: (-worth[target], target)))
        order = decision.from_one_place(option, ranked)[: option.spell.targets]
        names = ", ".join(view.units[target].name for target in order)
        score = sum(worth[target] for target in order) / max(1, option.spell.cost) ** 0.5
        weighed.append(
            (score, f"{option.spell.name} on {names}", Cast(option.model, option.spell.name, order))
        )
    weighed.sort(key=lambda one: -one[0])
    considered = tuple(Considered(what, round(score, 2)) for score, what, _ in weighed)
    return weighed[0][2], Explanation(f"Casts {weighed[0][1]}.", considered)


def spell_worth(rules: Ruleset, view: State, caster: Unit, model: int, spell: Spell, target: Unit) -> float:
    """The effect of a successful spell on one target, in points."""
    card = card_of(rules, view, target)
    if spell.hits:
        return harm(view, target, card, spell_wounds(rules, view, caster, model, spell, target))
    pick = pick_of(spell)
    if pick is not None:
        return _pick_worth(rules, view, (caster, model), spell, target)
    if is_under(target, spell) or not (spell.grants or spell.test or spell.moves):
        return 0.0
    usefulness = 0.5 if target.activated and spell.on != "enemy" else 1.0
    return GRANTED * card.value * usefulness


def _pick_worth(rules: Ruleset, view: State, caster: tuple[Unit, int], spell: Spell, target: Unit) -> float:
    """The effect of a successful spell that works like an army rule on one target, in points."""
    pick, card = pick_of(spell), card_of(rules, view, target)
    worth = 0.0
    for block in pick.then if pick is not None else ():
        if isinstance(block, TakeHits) and block.hits:
            weapon = Weapon(spell.name, block.hits, spell.reach, block.rules)
            worth += harm(view, target, card, hit_wounds(Struck(rules, view, caster, target, weapon)))
        elif isinstance(block, TakeHits):
            worth += harm(view, target, card, float(block.wounds))
        else:
            worth += GRANTED * card.value * (0.5 if isinstance(block, TakeTest) else 1.0)
    return worth


def bid(view: State, decision: BidTokens) -> Bid:
    """Spend spare tokens on one's own spell, and a few against a strong enemy spell."""
    frame = next(frame for frame in reversed(view.stack) if isinstance(frame, Casting))
    spell = next(spell for spell in view.spells if spell.name == frame.spell)
    if decision.helps:
        held = decision.highest
        return Bid(max(0, min(1, held - SPARE)))
    held = -decision.lowest
    if not spell.hits and held <= SPARE:
        return Bid(0)
    return Bid(-min(MOST_AGAINST, held))
