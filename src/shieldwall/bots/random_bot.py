"""The bot that plays at random: the bottom of the ladder, and a way to find bugs."""

from __future__ import annotations

from shieldwall.core.answers import AnyAnswer
from shieldwall.core.pending import Decision, Numbers
from shieldwall.core.state import State


class RandomBot:
    """Answers with whatever the decision samples."""

    name = "random"
    samples_only = True

    def decide(self, view: State, decision: Decision, numbers: Numbers) -> AnyAnswer:
        """Any legal answer."""
        return decision.sample(numbers)
