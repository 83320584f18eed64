"""Models that help friendly casters nearby: they keep tokens for them, or let them cast from where they stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from shieldwall.core.state import MILLI, Model, State, Unit
from shieldwall.geometry.tolerance import within
from shieldwall.rules.hooks import SpecialRule, UnitContext
from shieldwall.rules.ruleset import Ruleset
from shieldwall.table.measure import models_apart


class Helper(NamedTuple):
    """A model that helps a caster: its unit, its place in it, and the rule that lets it help."""

    unit: Unit
    at: int
    rule: SpecialRule

    @property
    def model(self) -> Model:
        """The model itself."""
        return self.unit.models[self.at]


class Payment(NamedTuple):
    """Spell tokens that one model pays."""

    unit: int
    model: int
    tokens: int


def group_caster(rules: Ruleset, state: State, unit: Unit) -> Model | None:
    """The model that casts for all of its unit that have a rule to cast as a group: the first of them."""
    bearers = rules.hooks.by_hook("casts_for_group", state.profiles)
    return next((model for model in unit.models if model.profile in bearers), None) if bearers else None


def token_rules(rules: Ruleset, state: State, unit: Unit, model: Model) -> tuple[SpecialRule, ...]:
    """The rules by which a model gains spell tokens: of a group that casts together only one model does."""
    found = rules.hooks.of_profile(state.profiles[model.profile]).get("tokens_gained", ())
    if not rules.hooks.by_hook("casts_for_group", state.profiles):
        return found
    caster = group_caster(rules, state, unit)
    is_it = caster is not None and caster.id == model.id
    return tuple(rule for rule in found if is_it or "casts_for_group" not in rule.hooks)


def is_caster(rules: Ruleset, state: State, unit: Unit, model: Model) -> bool:
    """Whether a model gains spell tokens of its own, not only tokens for others."""
    return any("keeps_tokens" not in rule.hooks for rule in token_rules(rules, state, unit, model))


def token_stores(rules: Ruleset, state: State, caster: Unit, at: int) -> tuple[Helper, ...]:
    """Models that keep tokens which a caster may spend."""
    return tuple(
        helper
        for helper in _helpers(rules, state, caster, at, "keeps_tokens")
        if not is_caster(rules, state, helper.unit, helper.model)
    )


def conduits(rules: Ruleset, state: State, caster: Unit, at: int) -> tuple[Helper, ...]:
    """Models from whose position a caster may cast."""
    return tuple(_helpers(rules, state, caster, at, "casts_for_others"))


def _helpers(rules: Ruleset, state: State, caster: Unit, at: int, hook: str) -> Iterator[Helper]:
    """Models of other friendly units that answer a hook with a distance and are within it of a caster."""
    printed = rules.hooks.by_hook(hook, state.profiles)
    if not printed or caster.place != "table":
        return
    heights = rules.policies.measures_heights()
    for unit in state.units:
        if unit.id == caster.id or unit.side != caster.side or unit.place != "table":
            continue
        ctx = UnitContext(state, unit)
        for place, model in enumerate(unit.models):
            for rule in printed.get(model.profile, ()):
                reach = getattr(rule, hook)(ctx) / MILLI
                if within(models_apart(state, caster.id, at, unit.id, place, heights), reach):
                    yield Helper(unit, place, rule)


def tokens_at_hand(
    rules: Ruleset, state: State, caster: Unit, at: int, taken: Mapping[int, int] | None = None
) -> int:
    """Spell tokens that a caster may spend: its own and those kept for it, minus those `taken` by others."""
    own = caster.models[at].tokens
    if not rules.hooks.by_hook("keeps_tokens", state.profiles):
        return own
    gone = taken or {}
    stores = token_stores(rules, state, caster, at)
    return own + sum(max(0, store.model.tokens - gone.get(store.model.id, 0)) for store in stores)


def payments_of(
    rules: Ruleset,
    state: State,
    caster: Unit,
    at: int,
    tokens: int,
    taken: Mapping[int, int] | None = None,
) -> tuple[Payment, ...]:
    """Who pays when a caster spends tokens: first the caster itself, then the models that keep tokens for it."""
    gone = taken or {}
    own = min(tokens, caster.models[at].tokens)
    found = [Payment(caster.id, caster.models[at].id, own)]
    left = tokens - own
    for store in token_stores(rules, state, caster, at) if left else ():
        paid = min(left, store.model.tokens - gone.get(store.model.id, 0))
        found.append(Payment(store.unit.id, store.model.id, paid))
        left -= paid
    return tuple(payment for payment in found if payment.tokens > 0)
