"""A PettingZoo environment: both sides are agents and take turns as the game asks them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv  # type: ignore[import-untyped]

from shieldwall.api.game import AnyArmy
from shieldwall.api.menu import SLOTS
from shieldwall.environments.battle import SEATS, Battle, BattleKeywords
from shieldwall.environments.observations import Observer
from shieldwall.environments.spaces import observation_space, seen

AGENTS = ("player_0", "player_1")


class BattleAEC(AECEnv):  # type: ignore[misc]
    """A battle between two agents, `player_0` and `player_1`.

    An agent is selected whenever its side has to choose. Actions are the slots of the menu (`shieldwall.api.menu`);
    observations are a dictionary with the `observation` and its `action_mask`. For an action that the mask forbids,
    the question's own suggestion is taken, and `infos[agent]["illegal_action"]` says so. The winner is rewarded with
    1, the loser with -1, a draw with 0. For other keywords see `BattleKeywords`.
    """

    metadata: dict[str, Any] = {"name": "shieldwall_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012
    render_mode = None

    def __init__(
        self,
        edition: str = "regiments-3.5",
        armies: Sequence[AnyArmy] = (),
        *,
        observations: str = "flat",
        **battle: Unpack[BattleKeywords],
    ) -> None:
        super().__init__()
        self.battle = Battle(edition, armies, **battle)
        self.observations = observations
        self.possible_agents = list(AGENTS)
        inner = observation_space(observations)
        mask = spaces.Box(0, 1, (SLOTS,), np.int8)
        self._spaces = {
            agent: spaces.Dict({"observation": inner, "action_mask": mask}) for agent in self.possible_agents
        }
        self._actions = {agent: spaces.Discrete(SLOTS) for agent in self.possible_agents}
        self._observers = [Observer(side) for side in range(SEATS)]
        self._random = np.random.default_rng()
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Dict:
        """What an agent sees."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[Any]:
        """What an agent may do: one of 64 slots."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin another game; the same seed begins the same series of games."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.battle.reset(int(self._random.integers(1 << 31)))
        for observer in self._observers:
            observer.reset(self.battle.state)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = AGENTS[max(0, self.battle.side)]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees now."""
        side = AGENTS.index(agent)
        observer = self._observers[side]
        observer.look(self.battle)
        return {"observation": seen(observer, self.observations), "action_mask": self._mask(side)}

    def _mask(self, side: int) -> NDArray[np.int8]:
        mask = np.zeros(SLOTS, dtype=np.int8)
        if self.battle.side == side and self.battle.menu is not None:
            mask[list(self.battle.menu.slots)] = 1
        return mask

    def step(self, action: int | None) -> None:
        """Let the selected agent act."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        is_legal = action is not None and self.battle.step(int(action))
        self.infos[agent] = {} if is_legal else {"illegal_action": True}
        self.rewards = dict(zip(AGENTS, self.battle.rewards(), strict=True))
        if self.battle.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = AGENTS[self.battle.side]
        self._accumulate_rewards()

    def render(self) -> None:
        """Nothing is drawn; `shieldwall battle --svg` draws games."""

    def close(self) -> None:
        """Nothing to release."""
