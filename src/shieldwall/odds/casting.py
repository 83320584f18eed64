"""Odds of a spell before it is cast: the chance that it works, and what it may do to whom.

Like every preview it plays the edition's own steps. It starts at the running casting (or at the one that the running
activation may begin) and ends with the morale tests. Other questions on the way are answered by their default.
"""

from __future__ import annotations

from copy import copy
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.answers import AnyAnswer, Bid, Cast, Pick
from shieldwall.core.engine import begin, pending_of, step_after, submit_checked
from shieldwall.core.frames import Activation, Casting, Preparation
from shieldwall.core.pending import Choice, Decision, Roll
from shieldwall.core.state import State
from shieldwall.core.values import Pool
from shieldwall.odds.api import of_line
from shieldwall.odds.memory import at_moment, remembered
from shieldwall.odds.playbook import Chooser, Playbook
from shieldwall.odds.preview import LIGHT, AttackPreview, briefly, without_parting
from shieldwall.rules.features.tokens_bids import BidTokens, place_of
from shieldwall.rules.ruleset import Ruleset

EFFECTS = frozenset(("cast.hits", "cast.lend", "cast.test", "cast.move"))
MOST_OPTIONS = 4  # ways to oppose a spell that are tried per question


class CastChance(Struct, frozen=True):
    """The chance of a spell to work (0 to 1): as things stand, and with everything others can put in its way."""

    works: float
    at_worst: float


def cast_chance(rules: Ruleset, state: State, *answers: AnyAnswer, seat: int = -1) -> CastChance:
    """The chance that a spell works after these answers to the questions of a casting.

    Bids that are still sealed count as none, except those of `seat` itself: odds must not give them away.
    """
    question = ("cast_chance", rules, answers, seat)
    return remembered(state, question, lambda: _chance(rules, state, answers, seat))


def _chance(rules: Ruleset, state: State, answers: tuple[AnyAnswer, ...], seat: int) -> CastChance:
    bare = _without_effects(rules)
    there = casting_moment(bare, state, seat)

    def works(policy: Chooser | None) -> float:
        found = of_line(bare, there, Playbook(answers, policy=policy), budget=LIGHT)
        worked = [chance for mark, chance in found.marks.items() if mark.endswith(": worked")]
        return float(sum(worked))

    return CastChance(works(None), min(works(_in_the_way(way)) for way in range(MOST_OPTIONS)))


def cast_preview(rules: Ruleset, state: State, cast: Cast) -> AttackPreview:
    """What a spell may do to those it is cast on, the chance that it fails included."""

    def answer() -> AttackPreview:
        light = without_parting(rules)
        there = casting_moment(light, state)
        caster = next(frame.unit for frame in there.stack if isinstance(frame, Casting))
        return briefly(of_line(light, there, [cast], budget=LIGHT), caster)

    return remembered(state, ("cast_preview", rules, cast), answer)


def cast_throw(rules: Ruleset, state: State, cast: Cast) -> Pool | None:
    """The dice that decide about a spell; None where they have been thrown before it is named."""
    there = casting_moment(rules, state)
    pending = pending_of(rules, there)
    answer: AnyAnswer = cast
    while isinstance(pending, Decision):
        progress = submit_checked(rules, there, pending, answer)
        there = progress.state
        pending = pending_of(rules, there)
        if not any(isinstance(frame, Casting) for frame in there.stack):
            return None
        answer = pending.default() if isinstance(pending, Decision) else answer
    return pending.pools[0] if isinstance(pending, Roll) and pending.purpose == "cast" else None


def casting_moment(rules: Ruleset, state: State, seat: int = -1) -> State:
    """The same table with nothing but the casting at hand, and the end of its activation, still to come."""
    activation = next(frame for frame in reversed(state.stack) if isinstance(frame, Activation))
    top = state.stack[-1]
    casting = top if isinstance(top, Casting) else rules.policies.casting_frame(activation.unit)
    ending = replace(activation, step=step_after(rules, "activation", "act.shoot"))
    there = at_moment(state, (Preparation(procedure="game"), ending, _unsealed(state, casting, seat)))
    return there if pending_of(rules, there) is not None else begin(rules, there).state


def _unsealed(state: State, casting: Casting, seat: int) -> Casting:
    """The casting as a seat knows it: sealed bids of others are none."""
    known = tuple(
        bid if at < casting.opened or place_of(state, model)[0].seat == seat else 0
        for at, (model, bid) in enumerate(zip(casting.bidders, casting.bids, strict=False))
    )
    return replace(casting, bids=known) if known != casting.bids else casting


@lru_cache(maxsize=MOST_OPTIONS)
def _in_the_way(way: int) -> Chooser:
    """Enemies put in all they have; where they choose between options, they take the one at place `way`."""

    def answer(state: State, decision: Decision) -> AnyAnswer | None:
        if isinstance(decision, BidTokens) and not decision.helps:
            return Bid(decision.lowest)
        if decision.kind == "oppose" and isinstance(decision, Choice):
            return Pick(decision.options[min(way, len(decision.options) - 1)].key)
        return None

    return answer


@lru_cache(maxsize=64)
def _without_effects(rules: Ruleset) -> Ruleset:
    """The same edition with spells that do nothing when they work."""
    light = copy(without_parting(rules))
    light.procedures = {
        name: tuple(step for step in steps if step.name not in EFFECTS)
        for name, steps in light.procedures.items()
    }
    return light
