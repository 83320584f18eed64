"""The environments pass the checkers of PettingZoo and Gymnasium in every edition."""

import time
import warnings

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, performance_benchmark, seed_test

from shieldwall.api.menu import SLOTS
from shieldwall.core.errors import ShieldwallError
from shieldwall.editions import EDITIONS
from shieldwall.environments import BattleAEC, BattleEnv, vector_env
from shieldwall.environments.observations import FLAT

SMALL = {
    "aof-1.6": ("kilnfolk-500", "lantern-coast-500"),
    "skirmish-3.2": ("kilnfolk-150", "lantern-coast-150"),
}


def armies(edition: str) -> tuple[str, str]:
    return SMALL.get(edition, ("kilnfolk-750", "lantern-coast-750"))


@pytest.mark.parametrize("edition", EDITIONS)
def test_both_sides_as_agents_pass_the_checks_of_pettingzoo(edition: str) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*gymnasium.spaces.box.*")  # a mask needs a dictionary
        api_test(BattleAEC(edition, armies(edition), tables=1), num_cycles=60, verbose_progress=False)
    seed_test(lambda: BattleAEC(edition, armies(edition), tables=1), num_cycles=40)


def test_the_benchmark_of_pettingzoo_plays_on_from_game_to_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It lasts five seconds by the clock; here the clock runs twenty times as fast."""
    began = time.time()
    real = time.time
    monkeypatch.setattr(time, "time", lambda: began + 20 * (real() - began))
    performance_benchmark(BattleAEC("aof-2", armies("aof-2"), tables=1))
    assert "turns per second" in capsys.readouterr().out


def test_battles_run_side_by_side_in_processes() -> None:
    env = vector_env("regiments-3.4", 2, tables=1)
    try:
        seen, info = env.reset(seed=5)
        assert seen.shape == (2, FLAT)
        assert info["action_mask"].shape == (2, SLOTS)
        seen, *_ = env.step(np.array([int(np.flatnonzero(mask)[0]) for mask in info["action_mask"]]))
        assert seen.shape == (2, FLAT)
    finally:
        env.close()


@pytest.mark.parametrize("edition", EDITIONS)
def test_one_side_as_an_agent_passes_the_checks_of_gymnasium(edition: str) -> None:
    for form in ("flat", "dict"):
        env = BattleEnv(edition, armies(edition), tables=1, observations=form)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*(not within|unwrapped|spec).*")
            check_env(env, skip_render_check=True)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_game_of_masked_actions_ends_with_a_winner_and_a_loser_or_a_draw(edition: str) -> None:
    env = BattleAEC(edition, armies(edition), tables=1, observations="dict")
    env.reset(seed=3)
    numbers = np.random.default_rng(3)
    ended: dict[str, float] = {}
    for agent in env.agent_iter():
        seen, reward, over, _, info = env.last()
        assert "illegal_action" not in info
        if over:
            ended[agent] = reward
            env.step(None)
            continue
        assert env.observation_space(agent).contains(seen)
        env.step(int(numbers.choice(np.flatnonzero(seen["action_mask"]))))
    assert sorted(ended) == ["player_0", "player_1"]
    assert sum(ended.values()) == 0


def test_an_action_that_is_not_legal_takes_the_suggestion_and_says_so() -> None:
    env = BattleEnv("regiments-3.4", armies("regiments-3.4"), tables=1)
    _, info = env.reset(seed=1)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    assert env.action_masks().sum() == info["action_mask"].sum()
    assert env.step(wrong)[4]["illegal_action"]


def test_sides_are_seen_from_their_own_edge() -> None:
    """The same table looks the same from both edges: own units are near the bottom once they are deployed."""
    env = BattleAEC("regiments-3.4", armies("regiments-3.4"), tables=1, observations="dict")
    env.reset(seed=1)
    while env.battle.state.round == 0:
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    for agent in env.possible_agents:
        units = env.observe(agent)["observation"]["units"]
        own, enemy = units[:24], units[24:]
        assert own[own[:, 0] > 0, 2].max() < enemy[enemy[:, 0] > 0, 2].min()


def test_rewards_for_markers_add_up_to_the_lead() -> None:
    env = BattleEnv("regiments-3.4", armies("regiments-3.4"), tables=1, reward="markers", side=0)
    _, info = env.reset(seed=2)
    total, over = 0.0, False
    while not over:
        _, reward, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[-1]))
        total += reward
    state = env.battle.state
    lead = sum((marker.holder == 0) - (marker.holder == 1) for marker in state.markers)
    won = 0 if state.winner is None else 1 if state.winner == 0 else -1
    assert total == pytest.approx(0.1 * lead + won)


@pytest.mark.parametrize(
    "wrong",
    [{"side": 2}, {"observations": "picture"}, {"reward": "gold"}, {"tables": 0}, {"opponent": "nobody"}],
)
def test_what_there_is_not_is_refused_with_a_reason(wrong: dict[str, object]) -> None:
    with pytest.raises(ShieldwallError):
        BattleEnv("regiments-3.4", **wrong).reset()  # type: ignore[arg-type]
