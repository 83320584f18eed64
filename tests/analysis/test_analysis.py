"""A game looked at afterwards: cut at its decisions, played on from them, the chance to win, what is blamed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from shieldwall import analysis
from shieldwall.analysis import Analysis, BlamedDecision, Effort, analyse, chance_to_win, recorded_game
from shieldwall.analysis.chance import by_facts
from shieldwall.analysis.decisions import doubt_about, tried_again
from shieldwall.analysis.facts import PositionFacts, facts_of
from shieldwall.analysis.moments import begins_activation
from shieldwall.analysis.what_if import AsRecorded
from shieldwall.bots import play_game, policy
from shieldwall.bots.numbers import numbers_for
from shieldwall.bots.playout_policy import PlayoutBot
from shieldwall.cli.main import main
from shieldwall.core.answers import AnyAnswer, Faces
from shieldwall.core.engine import submit_checked
from shieldwall.core.events import Rolled
from shieldwall.core.pending import Pending, Roll
from shieldwall.dice import SeededDice
from shieldwall.editions import ruleset
from shieldwall.lab.games import setup_of
from shieldwall.replay import Log, Recorder, write_log
from shieldwall.rules.ruleset import Ruleset

SMALL = Effort(candidates=1, first_battles=2, blamed=1, battles=4)


@cache
def played(edition: str, lists: tuple[str, str], seed: int = 3) -> tuple[Ruleset, Log]:
    """A game of a bot that thinks against one that does not."""
    rules = ruleset(edition)
    setup = setup_of(edition, lists, seed)
    recorder = Recorder(rules, setup)
    bots = [policy("tactician", seed), policy("random", seed)]
    play_game(rules, setup, bots, SeededDice.from_seed(seed), recorder, seed=seed)
    return rules, recorder.log()


def small_game() -> tuple[Ruleset, Log]:
    return played("aof-1.6", ("kilnfolk-500", "saltgrass-clans-500"))


@cache
def small_analysis() -> Analysis:
    return analyse(small_game()[1], SMALL, SHARES.append)


SHARES: list[float] = []


def test_recorded_answers_and_dice_lead_from_one_decision_to_the_next() -> None:
    rules, log = small_game()
    game = recorded_game(rules, log)
    assert len(game.moments) > 5
    for now, then in zip(game.moments, game.moments[1:], strict=False):
        thrown = iter([event for event in now.events if isinstance(event, Rolled)])
        seats = {now.decision.seat: AsRecorded(now, PlayoutBot())}
        state = now.state
        waits: Pending | None = now.decision
        while waits is not None and (state is now.state or not begins_activation(waits, now.unit)):
            if isinstance(waits, Roll):
                answer: AnyAnswer = Faces(tuple(f for pool in next(thrown).rolls for f in pool.faces))
            elif waits.seat in seats:
                answer = seats[waits.seat].decide(state, waits, numbers_for("test", 0))
            else:
                break  # the other side answered something: not ours to repeat
            state, _, waits = submit_checked(rules, state, waits, answer)
        else:
            assert state == then.state


def test_neither_side_is_favoured_where_nothing_is_ahead() -> None:
    assert by_facts(PositionFacts(0.0, 0.0, 0.0, 1.0)).chance == 0.5
    ahead, behind = PositionFacts(1.0, 0.2, 0.1, 0.4), PositionFacts(-1.0, -0.2, -0.1, 0.4)
    assert by_facts(ahead).chance == pytest.approx(1 - by_facts(behind).chance)
    assert by_facts(ahead).low < by_facts(ahead).chance < by_facts(ahead).high


def test_the_chance_knows_who_is_about_to_win() -> None:
    rules, log = small_game()
    game = recorded_game(rules, log)
    assert game.end.winner in (0, 1)
    last = game.moments[-1]
    late, early = (
        chance_to_win(rules, moment.state, moment.side).chance for moment in (last, game.moments[0])
    )
    assert abs(late - (1 - game.end.winner)) < abs(early - (1 - game.end.winner))
    assert facts_of(rules, last.state, last.side).left < facts_of(rules, game.moments[0].state, 0).left


def test_an_analysis_has_a_point_for_every_activation_and_blames_only_what_is_worse() -> None:
    rules, log = small_game()
    found = small_analysis()
    assert len(found.curve) == len(recorded_game(rules, log).moments) + 1
    assert found.curve[-1].chance == (1.0 if found.winner == 0 else 0.0)
    assert [row.side for row in found.luck] == [0, 1]
    assert sorted(SHARES) == SHARES
    assert SHARES[-1] == 1.0
    for one in found.decisions:
        assert one.better_chance - one.chance == pytest.approx(one.cost)
        assert one.cost > 0
        assert one.low < one.cost < one.high


def test_the_command_tells_it_and_gives_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, log = small_game()
    found = small_analysis()
    blamed = BlamedDecision(
        number=3, step=40, round=2, side=1, unit=6, did="Ash Axes held", better_unit=6,
        better="Ash Axes charge Harbour Pikes", chance=0.25, better_chance=0.5, cost=0.25, low=0.1, high=0.4,
        battles=48,
    )  # fmt: skip
    monkeypatch.setattr(
        analysis, "analyse", lambda log, effort, progress: replace(found, decisions=(blamed,))
    )
    file = tmp_path / "battle.jsonl"
    write_log(log, file)
    assert main(["analyse", str(file), "--json"]) == 0
    assert msgspec.json.decode(capsys.readouterr().out, type=Analysis).decisions == (blamed,)
    assert main(["analyse", str(file)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "Better: Ash Axes charge Harbour Pikes." in told
    assert "25% instead of 50% in 48 battles each: it cost 25 percentage points (10 to 40)." in told
    assert "No decision was clearly a mistake" in told
    assert "expected; fair dice" in told
    assert main(["analyse", str(tmp_path / "none.jsonl")]) == 2


def test_a_unit_that_leaves_the_table_in_its_activation_is_judged_by_where_it_stood() -> None:
    rules, log = small_game()
    moment = next(one for one in recorded_game(rules, log).moments if one.unit >= 0 and len(one.units) > 1)
    ends = tried_again(rules, moment)
    gone = [
        replace(
            end,
            units=tuple(
                replace(unit, place="transport", poses=(), block=None) if unit.id == moment.unit else unit
                for unit in end.units
            ),
        )
        for end in ends
    ]
    found = doubt_about(rules, moment, gone)
    assert found is not None
    assert found.moment is moment
