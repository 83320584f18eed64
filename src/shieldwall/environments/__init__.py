"""Environments for reinforcement learning, for PettingZoo and Gymnasium (docs/environments.md).

| name | what it is |
|---|---|
| `BattleAEC` | both sides as agents (PettingZoo) |
| `BattleEnv` | one side against a bot (Gymnasium), with action masks |
| `vector_env` | several of the latter, each in its own process |
"""

from shieldwall.core.extras import extra_package

extra_package("gymnasium", "An environment", "environments")
extra_package("pettingzoo", "An environment", "environments")

from shieldwall.environments.aec import BattleAEC  # noqa: E402
from shieldwall.environments.battle import Battle  # noqa: E402
from shieldwall.environments.single import BattleEnv, vector_env  # noqa: E402

__all__ = ["Battle", "BattleAEC", "BattleEnv", "vector_env"]
