"""Tokens spent for or against a spell: which casters may spend them, how many, and the sealed question."""

from __future__ import annotations

import math

from shieldwall.core.answers import AnyAnswer, Bid
from shieldwall.core.forms import TokensForm
from shieldwall.core.frames import Casting
from shieldwall.core.pending import Decision, Numbers, Refusal
from shieldwall.core.state import MILLI, Model, State, Unit
from shieldwall.geometry.tolerance import within
from shieldwall.rules.features.token_helpers import is_caster, payments_of, tokens_at_hand
from shieldwall.rules.features.tokens_legal import TokenRules, sees_all_round
from shieldwall.rules.ruleset import Ruleset
from shieldwall.table.measure import models_apart, units_apart
from shieldwall.table.sight import sees, shooting_scan


def place_of(state: State, model_id: int) -> tuple[Unit, int]:
    """The unit of a living model and the model's place in it."""
    for unit in state.units:
        for at, model in enumerate(unit.models):
            if model.id == model_id:
                return unit, at
    raise LookupError(f"model {model_id} is not in the game")


class Bidders:
    """Who may bid tokens for or against the spell being cast."""

    __slots__ = ("all_round", "frame", "limit", "method", "rules", "state", "tokens")

    def __init__(self, rules: Ruleset, state: State, tokens: TokenRules, frame: Casting) -> None:
        self.rules = rules
        self.state = state
        self.tokens = tokens
        self.frame = frame
        self.method = rules.policies.sight_method(state)
        self.all_round = sees_all_round(state, tokens)
        self.limit = rules.constants.meddle_within / MILLI

    def everybody(self) -> tuple[int, ...]:
        """Models of either side: the caster first, then its friends, then its enemies."""
        side = self.state.units[self.frame.unit].side
        casters = self.rules.hooks.by_hook("tokens_gained", self.state.profiles)
        found: list[tuple[bool, bool, int]] = []
        for unit in self.state.units:
            if unit.place != "table" or unit.broken:
                continue
            holders = [
                at
                for at, model in enumerate(unit.models)
                if model.profile in casters and self._holds(unit, at, model)
            ]
            for at in self.near_enough(unit, holders) if holders else ():
                model = unit.models[at].id
                found.append((model != self.frame.model, unit.side != side, model))
        return tuple(model for _, _, model in sorted(found))

    def _holds(self, unit: Unit, at: int, model: Model) -> bool:
        """Whether a model has tokens to bid: its own, or some that a friend keeps for it."""
        if model.stunned or not is_caster(self.rules, self.state, unit, model):
            return False
        return tokens_at_hand(self.rules, self.state, unit, at) > 0

    def near_enough(self, unit: Unit, holders: list[int]) -> list[int]:
        """Those of a unit's token holders that are close enough to the caster and in sight."""
        if self.tokens.from_model:
            return [at for at in holders if self._is_near_caster(unit, at)]
        if unit.id == self.frame.unit:
            return holders  # each stands in the caster's unit and sees itself
        heights = self.rules.policies.measures_heights()
        if not within(units_apart(self.state, unit.id, self.frame.unit, heights), self.limit):
            return []
        scan = shooting_scan(
            self.state, self.method, unit.id, only=self.frame.unit, any_direction=self.all_round
        )
        near, seen = scan.nearest[:, 0], scan.nearest_seen[:, 0]
        return [at for at in holders if within(float(near[at]), self.limit) and seen[at] < math.inf]

    def _is_near_caster(self, unit: Unit, at: int) -> bool:
        if unit.models[at].id == self.frame.model:
            return True
        caster, place = place_of(self.state, self.frame.model)
        heights = self.rules.policies.measures_heights()
        if not within(models_apart(self.state, caster.id, place, unit.id, at, heights), self.limit):
            return False
        all_round = self.all_round
        return sees(self.state, self.method, caster.id, place, unit.id, at, any_direction=all_round).visible


def _taken(rules: Ruleset, state: State, frame: Casting, side: int) -> dict[int, int]:
    """Tokens that sealed bids of a side take from models that keep them for others, by that model."""
    taken: dict[int, int] = {}
    for model, bid in list(zip(frame.bidders, frame.bids, strict=False))[frame.opened :]:
        unit, at = place_of(state, model)
        if bid and unit.side == side:
            for payment in payments_of(rules, state, unit, at, abs(bid), taken):
                taken[payment.model] = taken.get(payment.model, 0) + payment.tokens
    return taken


class BidTokens(Decision):
    """How many tokens a model bids; positive ones help the casting roll, negative ones hinder it."""

    __slots__ = ("helps", "highest", "lowest", "model")

    def __init__(self, rules: Ruleset, state: State, tokens: TokenRules, frame: Casting) -> None:
        unit, at = place_of(state, frame.bidders[frame.next])
        held = tokens_at_hand(rules, state, unit, at, _taken(rules, state, frame, unit.side))
        name = state.profiles[unit.models[at].profile].name
        prompt = f"{name}: spend spell tokens for or against {frame.spell}? It has {held}"
        super().__init__("bid", unit.seat, prompt, rules.cite("cast.bid"))
        self.model = unit.models[at].id
        self.helps = unit.side == state.units[frame.unit].side
        self.lowest = -held if tokens.free_sign or not self.helps else 0
        self.highest = held if tokens.free_sign or self.helps else 0

    def form(self) -> TokensForm:
        return TokensForm(self.model, self.lowest, self.highest)

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if not isinstance(answer, Bid) or type(answer.tokens) is not int:
            return (Refusal("a bid is a whole number of tokens, 0 for none", self.cite),)
        if not self.lowest <= answer.tokens <= self.highest:
            span = f"from {self.lowest} to {self.highest}"
            return (Refusal(f"a bid of {answer.tokens} is not possible here; it must be {span}", self.cite),)
        return ()

    def default(self) -> Bid:
        return Bid(0)

    def sample(self, numbers: Numbers) -> Bid:
        """A random number of tokens, for or against the spell according to the holder's side."""
        if self.helps:
            return Bid(numbers.below(self.highest + 1))
        return Bid(-numbers.below(-self.lowest + 1))
