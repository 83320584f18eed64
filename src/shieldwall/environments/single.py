"""A Gymnasium environment: one side is the agent, a bot plays the other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Unpack

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from shieldwall.api.game import AnyArmy
from shieldwall.api.menu import SLOTS
from shieldwall.bots import Policy
from shieldwall.core.errors import ShieldwallError
from shieldwall.environments.battle import SEATS, Battle, BattleKeywords, Opponent
from shieldwall.environments.observations import Observer
from shieldwall.environments.spaces import observation_space, seen


class BattleEnv(gymnasium.Env[Any, Any]):
    """A battle against a bot.

    `side` is 0, 1, or None to alternate from game to game. Actions are the slots of the menu (`shieldwall.api.menu`);
    `info["action_mask"]`, and `action_masks()` for libraries that call it, say which are legal now. For an illegal
    action the question's own suggestion is taken, and `info["illegal_action"]` says so. For other keywords see
    `BattleKeywords`.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        edition: str = "regiments-3.5",
        armies: Sequence[AnyArmy] = (),
        *,
        opponent: str | Policy = "random",
        side: int | None = None,
        observations: str = "flat",
        **battle: Unpack[BattleKeywords],
    ) -> None:
        if side not in (None, 0, 1):
            raise ShieldwallError(f"the side is 0, 1 or None, not {side!r}")
        self.battle = Battle(edition, armies, **battle)
        self.opponent = Opponent(opponent)
        self.observations = observations
        self.observation_space = observation_space(observations)
        self.action_space = spaces.Discrete(SLOTS)
        self.side = side
        self.playing = side or 0
        self._observers = [Observer(number) for number in range(SEATS)]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin another game; the same seed begins the same series of games."""
        super().reset(seed=seed)
        while True:
            number = int(self.np_random.integers(1 << 31))
            self.playing = number % SEATS if self.side is None else self.side
            self.battle.reset(number)
            self.opponent.reset(self.battle, number, 1 - self.playing)
            self.opponent.play(self.battle, self.playing)
            if not self.battle.is_over:
                break
        for observer in self._observers:
            observer.reset(self.battle.state)
        self.battle.rewards()
        return self._look(), self._info()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Act, and let the opponent play until it is this side's turn again."""
        is_legal = self.battle.step(int(action))
        self.opponent.play(self.battle, self.playing)
        reward = self.battle.rewards()[self.playing]
        info = self._info() if is_legal else self._info() | {"illegal_action": True}
        if self.battle.is_over:
            info["winner"] = self.battle.state.winner
            info["is_won"] = self.battle.state.winner == self.playing
        return self._look(), reward, self.battle.is_over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now."""
        mask = np.zeros(SLOTS, dtype=np.bool_)
        if self.battle.menu is not None:
            mask[list(self.battle.menu.slots)] = True
        return mask

    def _look(self) -> Any:
        observer = self._observers[self.playing]
        observer.look(self.battle)
        return seen(observer, self.observations)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8)}


def vector_env(
    edition: str = "regiments-3.5", count: int = 2, **settings: Any
) -> gymnasium.vector.AsyncVectorEnv:
    """Several battles at once, each in its own process, as a Gymnasium vector environment.

    `settings` are those of `BattleEnv`. Masks are in `info["action_mask"]`, one row for each battle.
    """
    if count < 1:
        raise ShieldwallError(f"at least one battle is needed, not {count}")
    makers = [partial(BattleEnv, edition, **settings) for _ in range(count)]
    return gymnasium.vector.AsyncVectorEnv(makers, context="spawn")
