"""The procedures by which army rules are used; every edition has them all."""

from __future__ import annotations

from shieldwall.rules.army.casting import SPELL_PROCEDURE
from shieldwall.rules.army.choosing import AT_DEPLOYMENT, EFFECT_AT_DEPLOYMENT
from shieldwall.rules.army.picking import RULE_USE, SPELL_USE
from shieldwall.rules.army.redeploying import DEPLOY_AGAIN, DEPLOYED_AGAIN
from shieldwall.rules.army.rule_hits import RULE_HITS

RULE_PROCEDURES = {
    "rule": RULE_USE,
    SPELL_PROCEDURE: SPELL_USE,
    "rule.hits": RULE_HITS,
    AT_DEPLOYMENT: EFFECT_AT_DEPLOYMENT,
    DEPLOY_AGAIN: DEPLOYED_AGAIN,
}
