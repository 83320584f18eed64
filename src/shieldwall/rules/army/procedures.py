"""The procedures by which army rules are used; every edition has them all."""

from __future__ import annotations

from collections.abc import Sequence

from shieldwall.rules.army.bringing_on import BRING_ON
from shieldwall.rules.army.bringing_on import PROCEDURE as BRINGING_ON
from shieldwall.rules.army.casting import SPELL_PROCEDURE
from shieldwall.rules.army.choosing import AT_DEPLOYMENT, EFFECT_AT_DEPLOYMENT
from shieldwall.rules.army.coming_back import COPIES, COPIES_PROCEDURE, COPY_PROCEDURE, COPY_STEPS
from shieldwall.rules.army.nerve import nerve_procedure
from shieldwall.rules.army.picking import AFTER_FAILING, FAILED_USE, NERVE, RULE_USE, SPELL_USE
from shieldwall.rules.army.redeploying import DEPLOY_AGAIN, DEPLOYED_AGAIN
from shieldwall.rules.army.rule_hits import RULE_HITS
from shieldwall.rules.ruleset import TrunkStep


def rule_procedures(morale: Sequence[TrunkStep]) -> dict[str, tuple[TrunkStep, ...]]:
    """All of them; `morale` is the edition's own morale test."""
    return {
        "rule": RULE_USE,
        SPELL_PROCEDURE: SPELL_USE,
        **dict.fromkeys(AFTER_FAILING.values(), FAILED_USE),
        "rule.hits": RULE_HITS,
        NERVE: nerve_procedure(morale),
        AT_DEPLOYMENT: EFFECT_AT_DEPLOYMENT,
        DEPLOY_AGAIN: DEPLOYED_AGAIN,
        BRINGING_ON: BRING_ON,
        COPY_PROCEDURE: COPY_STEPS,
        COPIES_PROCEDURE: COPIES,
    }
