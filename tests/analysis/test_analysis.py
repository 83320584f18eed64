"""Analysing a finished game: its decisions, playouts from them, the chance to win, and the blame."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from shieldwall import analysis
from shieldwall.analysis import Analysis, BlamedDecision, Effort, analyse, chance_to_win, recorded_game
from shieldwall.analysis.account import account_of, summary_of, unblamed_words, whole_points
from shieldwall.analysis.chance import by_facts
from shieldwall.analysis.decisions import (
    CandidateMistake,
    candidate_mistake,
    repeated_activations,
    worst_candidates,
)
from shieldwall.analysis.facts import PositionFacts, facts_of
from shieldwall.analysis.moments import begins_activation
from shieldwall.analysis.swings import Swing
from shieldwall.analysis.what_if import AsRecorded
from shieldwall.bots import play_game, policy
from shieldwall.bots.numbers import numbers_for
from shieldwall.bots.plan import ActivationPlan
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
from shieldwall.story import Names

SMALL = Effort(candidates=1, first_battles=2, blamed=1, battles=4)


@cache
def played(edition: str, lists: tuple[str, str], seed: int = 3) -> tuple[Ruleset, Log]:
    """A game of a thinking bot against one that does not think."""
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
                break  # the other side's answer is not repeated
            state, _, waits = submit_checked(rules, state, waits, answer)
        else:
            assert state == then.state


def test_neither_side_is_favoured_where_nothing_is_ahead() -> None:
    assert by_facts(PositionFacts(0.0, 0.0, 0.0, 1.0)).chance == 0.5
    ahead, behind = PositionFacts(1.0, 0.2, 0.1, 0.4), PositionFacts(-1.0, -0.2, -0.1, 0.4)
    assert by_facts(ahead).chance == pytest.approx(1 - by_facts(behind).chance)
    assert by_facts(ahead).low < by_facts(ahead).chance < by_facts(ahead).high


def test_the_chance_is_high_for_the_side_about_to_win() -> None:
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


def test_the_command_prints_the_analysis_and_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, log = small_game()
    found = small_analysis()
    blamed = BlamedDecision(
        number=3, step=40, round=2, side=1, unit=6, did="Ash Axes held", better_unit=6,
        better="Ash Axes charge Harbour Pikes", chance=0.25, better_chance=0.5, cost=0.25, low=0.1, high=0.4,
        battles=48, deed="Holding Ash Axes back",
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
    assert "Holding Ash Axes back in round 2 cost 25 points (10 to 40)." in told
    assert "Played on 48 times each way with the same dice: 25% against 50%." in told
    assert found.unblamed[0] in told
    assert found.summary in told
    assert "are average:" in told
    assert main(["analyse", str(tmp_path / "none.jsonl")]) == 2


def test_the_account_of_a_game_adds_up_to_its_result() -> None:
    found = small_analysis()
    assert sum(line.points for line in found.account) == round(100 * found.curve[-1].chance)
    for line in found.account:
        if line.parts:
            assert sum(part.points for part in line.parts) + line.rest == line.points
    assert [line.about for line in found.account] == ["start", "decisions", "decisions", "dice", "estimates"]
    assert found.sides[found.winner] in found.summary


def test_points_are_whole_and_add_up() -> None:
    assert whole_points([33.4, 33.4, 33.2], 100) == [34, 33, 33]
    assert whole_points([-41.4, 26.3, 15.1], 0) == [-41, 26, 15]
    assert whole_points([50.0, -0.4], 50) == [50, 0]
    assert whole_points([10.0, 10.0], 18) == [9, 9]


def swing(step: int, side: int, choice: float, dice: float) -> Swing:
    return Swing(step, 2, 0, side, choice, dice, 0.0)


def test_a_decision_found_not_to_blame_counts_as_a_wrong_estimate() -> None:
    names = Names(small_game()[1].header.setup)
    swings = [swing(1, 0, -0.5, 0.0), swing(2, 1, 0.1, -0.1)]
    blamed = account_of(names, 0.5, swings, 0.0, cleared=())
    cleared = account_of(names, 0.5, swings, 0.0, cleared={1})
    assert [line.points for line in blamed] == [50, -50, 10, -10, 0]
    assert [line.points for line in cleared] == [50, 0, 10, -10, -50]
    assert cleared[-1].parts[0].step == 1


def test_a_summary_names_what_decided_the_game() -> None:
    names = Names(small_game()[1].header.setup)
    sides = ("Coast", "Kiln")
    lost = account_of(names, 0.5, [swing(1, 0, -0.4, 0.0), swing(2, 1, 0.1, -0.2)], 0.0, ())
    assert summary_of(sides, 1, lost) == (
        "Kiln won because Coast's decisions cost 40 points and the dice brought 20 points, "
        "although its own decisions cost 10."
    )
    even = account_of(names, 0.5, [swing(1, 0, 0.02, -0.02)], 0.5, ())
    assert summary_of(sides, -1, even) == "A draw, and a close game throughout."
    assert summary_of(sides, -1, lost).startswith(
        "A draw. Coast's decisions cost 40 points; Kiln's decisions cost 10"
    )
    assert (
        unblamed_words(-12)
        == "No single decision was clearly a mistake, but small losses add up to 12 points."
    )
    assert unblamed_words(5) == "No decision was clearly a mistake."


def test_candidates_alternate_between_largest_loss_and_largest_gap() -> None:
    rules, log = small_game()
    moments = [one for one in recorded_game(rules, log).moments if one.side == 0][:4]
    plan = ActivationPlan(0, "hold", "nothing")
    gaps, losses = (0.3, 0.2, 0.1, 0.0), (0.0, 0.1, 0.0, 0.6)
    doubts = [
        CandidateMistake(one, plan, gap, loss) for one, gap, loss in zip(moments, gaps, losses, strict=True)
    ]
    found = worst_candidates(doubts, 0, 3)
    assert [one.moment for one in found] == [moments[3], moments[0], moments[1]]
    assert worst_candidates(doubts, 1, 3) == []


def test_a_unit_that_leaves_the_table_in_its_activation_is_judged_by_where_it_stood() -> None:
    rules, log = small_game()
    moment = next(one for one in recorded_game(rules, log).moments if one.unit >= 0 and len(one.units) > 1)
    ends = repeated_activations(rules, moment)
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
    found = candidate_mistake(rules, moment, gone)
    assert found is not None
    assert found.moment is moment
