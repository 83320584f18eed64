"""What every bot can do: answer a question."""

from __future__ import annotations

from typing import Protocol

from shieldwall.core.answers import AnyAnswer
from shieldwall.core.pending import Decision, Numbers
from shieldwall.core.state import State


class Decider(Protocol):
    """The minimum that a user's bot has to provide."""

    def decide(self, view: State, decision: Decision, numbers: Numbers) -> AnyAnswer:
        """A legal answer; `view` holds what the seat may know."""
        ...


class Policy(Protocol):
    """Answers one seat's questions.

    A policy keeps nothing between questions that could affect another game, takes random numbers only from `numbers`,
    and never touches the game's dice.
    """

    @property
    def name(self) -> str:
        """The bot's name in logs and reports."""
        ...

    @property
    def samples_only(self) -> bool:
        """Whether every answer is the decision's own (`default`, `sample`) or has passed its `check` already."""
        ...

    def decide(self, view: State, decision: Decision, numbers: Numbers) -> AnyAnswer:
        """A legal answer; `view` holds what the seat may know."""
        ...
