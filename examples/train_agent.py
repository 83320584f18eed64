"""Train an agent to beat the random bot: the cross-entropy method on a linear policy, with nothing but numpy.

python examples/train_agent.py                       two processes, a few minutes; writes training.json
python examples/train_agent.py --generations 2 --population 4 --games 2 --workers 1     a quick look

The policy gives each legal action the score `features @ weights` and takes the best. The features are the columns of
`actions` in the observation. Every generation draws policies around the best of the last one.
"""

import argparse
import json
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

import numpy as np

from shieldwall.environments import BattleEnv
from shieldwall.environments.observations import ACTION_COLUMNS, FLAT, SLOTS

ACTIONS = slice(FLAT - SLOTS * ACTION_COLUMNS, FLAT)
KEPT = 0.25  # of the policies of a generation


def play(edition: str, games: int, weights: np.ndarray, seed: int) -> tuple[float, float]:
    """The mean reward and the share of points of a policy; draws are half a point."""
    env = BattleEnv(edition, opponent="random", reward="markers", tables=8)
    total = points = 0.0
    for game in range(games):
        seen, info = env.reset(seed=seed + game)
        is_over = False
        while not is_over:
            scores = seen[ACTIONS].reshape(SLOTS, ACTION_COLUMNS) @ weights
            action = int(np.argmax(np.where(info["action_mask"], scores, -np.inf)))
            seen, reward, is_over, _, info = env.step(action)
            total += reward
        points += 0.5 if info["winner"] is None else float(info["is_won"])
    return total / games, points / games


def train(options: argparse.Namespace) -> list[dict[str, float]]:
    """The curve: the score of the mean policy after every generation, in games it was not trained on."""
    numbers = np.random.default_rng(options.seed)
    mean, spread = np.zeros(ACTION_COLUMNS), np.ones(ACTION_COLUMNS)
    curve = []
    with ProcessPoolExecutor(options.workers, get_context("spawn")) as pool:
        for generation in range(options.generations + 1):
            judge = partial(play, options.edition, options.games)
            tests = [
                pool.submit(play, options.edition, 20, mean, 900_000 + 20 * part)
                for part in range(options.tests)
            ]
            policies = mean + spread * numbers.standard_normal((options.population, ACTION_COLUMNS))
            seeds = [1000 * generation] * options.population  # the same games for all of a generation
            found = np.array([reward for reward, _ in pool.map(judge, policies, seeds)])
            best = policies[np.argsort(-found)[: max(2, int(KEPT * options.population))]]
            score = float(np.mean([test.result()[1] for test in tests]))
            played = generation * options.population * options.games
            curve.append({"generation": generation, "games": played, "score": score})
            print(f"after {played:5} games: {100 * score:5.1f} % against random", flush=True)
            mean, spread = best.mean(axis=0), best.std(axis=0) + 0.1
    return curve


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edition", default="regiments-3.4")
    parser.add_argument("--generations", type=int, default=10)
    parser.add_argument("--population", type=int, default=32)
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--tests", type=int, default=5, help="times 20 games after every generation")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="training.json")
    options = parser.parse_args()
    with open(options.out, "w", encoding="utf-8") as file:
        json.dump(train(options), file, indent=1)
