"""Models that come back: in whole battles, by the laws, and never more than a unit began with."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from shieldwall.armies.demo import demo_setup
from shieldwall.bots import play_game, policy
from shieldwall.bots.invariants import Judge
from shieldwall.core import blocks as b
from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer
from shieldwall.core.engine import Progress
from shieldwall.core.pending import Pending
from shieldwall.core.state import RuleRef, State
from shieldwall.dice import SeededDice
from shieldwall.editions import ruleset
from shieldwall.replay import Recorder, verify
from shieldwall.rulebook import editions

RISE = RuleRef("Rise", blocks=(b.Restores(3),))


def everybody_rises(state: State) -> State:
    profiles = tuple(replace(profile, rules=(*profile.rules, RISE)) for profile in state.profiles)
    return replace(state, profiles=profiles)


class Returns:
    """Looks at everybody who comes back."""

    def __init__(self) -> None:
        self.models = 0

    def began(self, progress: Progress) -> None:
        """Nobody has come back yet."""

    def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
        for event in progress.events:
            if isinstance(event, ev.Restored):
                self.models += len(event.models)
                unit = progress.state.units[event.unit]
                own = [model.id for model in unit.models if model.id != unit.attached]
                began = [model.id for model in unit.roster]
                assert own == [model for model in began if model in own], "in the order of the list"
                assert {model.id for model in event.models} <= set(began), "nobody who joined comes back"
                assert len(unit.models) <= unit.start_models


@pytest.mark.parametrize("edition", editions())
def test_battles_with_models_that_come_back_keep_the_laws(edition: str) -> None:
    rules, returns = ruleset(edition), Returns()
    for seed in range(2):
        state = everybody_rises(demo_setup(edition, seed))
        judge, dice = Judge(rules), SeededDice.from_seed(seed)
        recorder = Recorder(rules, state, ["solo", "solo"], dice.commitment)
        bots = [policy("solo", seed), policy("solo", seed)]
        watchers = [judge, recorder, returns]
        played = play_game(rules, state, bots, dice, seed=seed, watchers=watchers, trusting=False)
        assert (played.forfeit, judge.problems) == ("", [])
        assert verify(recorder.log()).ok
    assert returns.models > 0


def test_games_without_such_a_rule_record_no_models() -> None:
    rules = ruleset("regiments-3.5")
    state = demo_setup("regiments-3.5", 0)
    bots = [policy("random", 0), policy("random", 0)]
    played = play_game(rules, state, bots, SeededDice.from_seed(0), seed=0)
    assert not any(unit.roster for unit in played.state.units)
