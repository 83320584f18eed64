"""Casting without tokens: one try a round for each wizard, D6+X against the spell; enemies may stop it with a
higher roll.
"""

from __future__ import annotations

from shieldwall.core.frames import Activation
from shieldwall.core.pending import Refusal
from shieldwall.core.state import Model, Spell, State, Unit
from shieldwall.rules.features.tokens_legal import Spellbook, TokenRules, procedures_for
from shieldwall.rules.hooks import UnitContext
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.special.loose_armies import Wizard

MAGIC = Wizard.kept_as  # the name under which a wizard's one attempt per round is recorded


def power_of(rules: Ruleset, state: State, unit: Unit, model: Model) -> int:
    """What a model adds to its die when it casts or stops spells; 0 for those who can do neither."""
    hooks = rules.hooks.of_model(unit, model, state.profiles)
    return sum(rule.casts_with(UnitContext(state, unit)) for rule in hooks.get("casts_with", ()))


def has_tried(state: State, model: Model) -> bool:
    """Whether a wizard has already cast a spell, or tried to stop one, this round."""
    return any(use.key == MAGIC and use.round == state.round for use in model.uses)


class WizardBook(Spellbook):
    """The spells of a unit's wizards in its running activation."""

    def __init__(self, rules: Ruleset, state: State, unit: Unit, activation: Activation) -> None:
        super().__init__(rules, state, unit, activation, TokenRules())
        self.casters = {
            model.id: at
            for at, model in enumerate(unit.models)
            if state.profiles[model.profile].spells and power_of(rules, state, unit, model)
        }

    def obstacles(self, model: Model, spell: Spell) -> list[Refusal]:
        cite = self.rules.cite
        name = self.state.profiles[model.profile].name
        problems = []
        if has_tried(self.state, model):
            text = f"{name} has already cast a spell, or tried to stop one, this round"
            problems.append(Refusal(text, cite("cast.once")))
        if any(procedure not in self.rules.procedures for procedure in procedures_for(spell)):
            why = f"{spell.name} has an effect that spells do not have in this edition"
            problems.append(Refusal(why, cite("cast.list")))
        return problems
