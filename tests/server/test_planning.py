"""A whole activation by one drag: the distance decides the action, and the answers come from the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

import pytest

from shieldwall.core.answers import Aims, Faces, Leg, Pick
from shieldwall.core.codec import encode, state_hash
from shieldwall.core.engine import pending_of, submit
from shieldwall.core.pending import Choice, Decision, Roll
from shieldwall.core.state import MILLI, Pose, State, Unit, acting
from shieldwall.rules.ruleset import Ruleset
from shieldwall.scenario.build import build, started
from shieldwall.scenario.load import load_text
from shieldwall.server import jobs
from shieldwall.server.coaching import advice
from shieldwall.server.forms import question_for
from shieldwall.server.messages import Preview, Previewed
from shieldwall.server.previews import previewed
from shieldwall.server.question_views import PlannedAnswer
from shieldwall.table.block_drag import drag_block
from shieldwall.table.block_moves import MarchLimits
from shieldwall.table.formations import centre_of
from tests.odds.scenes import scene
from tests.server.test_previews import positions

EDITIONS = ("regiments-3.5", "skirmish-3.2", "aof-2")
Asked = tuple[Ruleset, State, Choice]


def choices(edition: str, most: int = 12, seed: int = 1) -> Iterator[Asked]:
    """The first choices of a unit in a random game."""
    found = positions(edition, seed)
    asked = ((r, s, d) for r, s, d in found if d.kind == "activate" and isinstance(d, Choice))
    return islice(asked, most)


def planned(asked: Asked, unit: int, **wish: object) -> Previewed:
    return previewed(*asked, 1, Preview(1, unit=unit, **wish))  # type: ignore[arg-type]


def towards_middle(state: State, unit: Unit, inches: float) -> Pose:
    x, y = centre_of(unit)
    ahead = 1 if y < state.depth // 2 else -1
    heading = unit.block.heading if unit.block is not None else 0
    return Pose(x, y + ahead * round(inches * MILLI), heading)


def plays(rules: Ruleset, state: State, answers: tuple[PlannedAnswer, ...]) -> State:
    """Give the answers of a plan one after another; each must answer the current question, and be legal."""
    for planned_answer in answers:
        pending = pending_of(rules, state)
        if not isinstance(pending, Decision) or pending.kind != planned_answer.kind:
            break  # dice come first, or there is no target after all
        assert not pending.check(planned_answer.answer)
        state = submit(rules, state, planned_answer.answer).state
    return state


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_action_is_read_from_the_distance_and_every_answer_is_legal(edition: str) -> None:
    seen = set()
    for asked in choices(edition):
        rules, state, decision = asked
        before = state_hash(state)
        for option in decision.options:
            unit = state.units[option.unit]
            if unit.place != "table":
                continue
            for inches in (0.1, 3.0, 9.0):
                found = planned(asked, unit.id, drag=towards_middle(state, unit, inches))
                plan = found.plan
                assert plan is not None
                if len(plan.actions) < 2:
                    continue  # there is nothing to read: something comes before the action, or it has just one
                seen.add((inches, plan.action))
                assert [a.kind for a in plan.answers][:2] == ["activate", "action"]
                assert plan.answers[0].answer == Pick(option.key)
                plays(rules, state, plan.answers)
        assert state_hash(state) == before, "nothing has happened yet"
    assert {(0.1, "hold"), (3.0, "advance"), (9.0, "rush")} <= seen
    assert not {(0.1, "advance"), (0.1, "rush"), (9.0, "hold")} & seen


def test_an_action_set_by_hand_stays_whatever_the_distance() -> None:
    for asked in choices("skirmish-3.2", 4):
        unit = asked[1].units[asked[2].options[0].unit]
        found = planned(asked, unit.id, drag=towards_middle(asked[1], unit, 2.0), action="rush")
        assert found.plan is not None
        if found.plan.actions:
            assert found.plan.action == "rush"
            assert found.allowance == asked[0].allowance(asked[1], unit, "rush")


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_unit_dragged_against_an_enemy_it_can_reach_charges_it(edition: str) -> None:
    games = (asked for seed in (1, 2, 4) for asked in choices(edition, 60, seed))
    for asked in games:
        rules, state, decision = asked
        for option in decision.options:
            plan = planned(asked, option.unit, action="charge").plan
            if plan is None or not any(a.key == "charge" and a.legal for a in plan.actions):
                continue
            whom = planned(asked, option.unit, action="charge").targets
            assert whom
            foe = state.units[whom[0].unit]
            found = planned(asked, option.unit, drag=Pose(*centre_of(foe), 0))
            assert found.plan is not None
            assert (found.plan.action, found.plan.target) == ("charge", foe.id)
            plays(rules, state, found.plan.answers)
            return
    pytest.fail("nobody could ever charge")


def test_a_unit_with_a_single_action_is_planned_as_a_whole() -> None:
    """Artillery of Regiments may only hold: it turns where it stands, and shoots."""
    for asked in choices("regiments-3.5", 60):
        rules, state, decision = asked
        for option in decision.options:
            found = planned(
                asked, option.unit, drag=towards_middle(state, state.units[option.unit], 9.0), patient=True
            )
            if found.plan is None or len(found.plan.actions) != 1 or found.plan.target < 0:
                continue
            plan = found.plan
            assert plan.action == "hold"
            assert plan.sentence == f"{state.units[option.unit].name} can only hold"
            assert [answer.kind for answer in plan.answers] == ["activate", "pivot", "targets"]
            assert found.end is not None
            assert found.end.centre is not None
            at = (found.end.centre.x, found.end.centre.y)
            assert at == centre_of(state.units[option.unit]), "however far it is dragged"
            plays(rules, state, plan.answers)
            words = advice(rules, state, decision, plan.answers)
            assert words.startswith(f"Shoot {state.units[plan.target].name}"), words
            return
    pytest.fail("no artillery could ever shoot")


def test_a_plan_ends_with_a_volley_at_the_chosen_target_or_holds_fire() -> None:
    for asked in choices("regiments-3.5", 60):
        for option in asked[2].options:
            found = planned(asked, option.unit, patient=True)
            assert found.plan is not None
            open_to = [t for t in found.targets if t.legal]
            if found.plan.action != "hold" or not open_to:
                continue
            for target in open_to:
                plan = planned(asked, option.unit, target=target.unit).plan
                assert plan is not None
                assert plan.answers[-1] == PlannedAnswer("targets", Aims(target.aims))
            silent = planned(asked, option.unit, target=-2).plan
            assert silent is not None
            assert silent.answers[-1].answer == Aims(())
            assert silent.target == -1
            return
    pytest.fail("nobody could ever shoot")


def test_a_question_says_whether_it_can_be_planned() -> None:
    rules, state, decision = next(choices("aof-2"))
    assert question_for(rules, state, decision, True).plans
    assert not question_for(rules, state, decision, False).plans
    other = next(p for p in positions("aof-2") if p[2].kind not in ("activate", "action"))
    assert not question_for(*other, True).plans


def test_marches_that_are_as_good_as_each_other_can_be_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two marches of one length with the same end are told apart by their legs; a `Leg` alone has no order."""
    _, state, decision = next(choices("regiments-3.5"))
    unit = state.units[decision.options[0].unit]
    assert unit.block is not None
    limits = MarchLimits("advance", 6 * MILLI)
    both = ((Leg("side", 0), Leg("forward", 100)), (Leg("back", 0), Leg("forward", 100)))
    monkeypatch.setattr("shieldwall.table.block_drag._aims", lambda *_: iter(both))
    assert drag_block(state, unit, limits, unit.block) is not None


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_suggestion_is_a_whole_activation_with_a_reason_in_words(edition: str) -> None:
    for rules, state, decision in choices(edition, 3):
        position = jobs.Position("game", state.rolls_made, edition, encode(state))
        jobs._games.clear()
        found = jobs.hint(position, "tactician", decision.seat)
        assert found is not None
        assert found.answers[0].kind == "activate"
        assert len(found.answers) >= 2
        plays(rules, state, found.answers)
        assert re.fullmatch(r"[A-Z].+[.]", found.why), found.why
        assert "battles" not in found.why
        assert not re.search(r"\bmarkers(;|\.|$)", found.why)


def test_advice_names_the_marker_and_says_who_can_contest_it() -> None:
    said = set()
    for edition in EDITIONS:
        for rules, state, decision in choices(edition, 30):
            for option in decision.options:
                for marker in state.markers:
                    drag = Pose(marker.x, marker.y, 0)
                    found = planned((rules, state, decision), option.unit, drag=drag)
                    if found.plan is not None and found.legal and found.plan.action == "rush":
                        said.add(advice(rules, state, decision, found.plan.answers))
    assert any(
        re.match(r"Rush to marker \d: no enemy can contest it this round\.", words) for words in said
    ), said


def test_advice_to_go_towards_an_enemy_says_what_is_in_reach_from_there() -> None:
    said = set()
    for edition in EDITIONS:
        for rules, state, decision in choices(edition, 40):
            for option in decision.options:
                drag = towards_middle(state, state.units[option.unit], 4.0)
                found = planned((rules, state, decision), option.unit, drag=drag)
                if found.plan is not None and found.legal and found.plan.answers:
                    said.add(advice(rules, state, decision, found.plan.answers))
    words = [one for one in said if re.match(r"(Advance|Rush) towards [A-Z]", one)]
    assert any(one.endswith("close enough to charge it next round.") for one in words), said
    later = [
        re.search(r"a step closer, so that it can (?:charge|shoot) it in (\d+) rounds\.$", one)
        for one in words
    ]
    assert any(later), said
    assert all(int(one[1]) >= 2 for one in later if one), said


WOLVES_NEAR = """
scenario: A step back
edition: aof-2
units:
  Bows: {side: A, models: 1, at: [24, 12]}
  Wolves: {side: B, models: 1, at: [24, 22.5]}
  Dogs: {side: B, models: 1, at: [28, 17]}
"""


def test_advice_to_withdraw_counts_the_enemies_that_could_charge() -> None:
    rules, state, _ = scene(WOLVES_NEAR)
    decision = pending_of(rules, state)
    assert isinstance(decision, Choice)
    found = planned((rules, state, decision), 0, drag=Pose(24_000, 7_000, 0))
    assert found.plan is not None
    words = advice(rules, state, decision, found.plan.answers)
    assert words == (
        "Advance away from the enemy: 2 of them could charge it next round where it is, only 1 there."
    )


def test_advice_to_shoot_claims_only_what_was_worked_out() -> None:
    """How much it hurts and how much is left, not how other targets compare, which nobody has asked."""
    shots = set()
    for edition in EDITIONS:
        for rules, state, decision in choices(edition, 20):
            for option in decision.options:
                found = planned((rules, state, decision), option.unit)
                if found.plan is not None and found.legal and found.plan.target >= 0:
                    shots.add(advice(rules, state, decision, found.plan.answers))
    assert any(re.search(r": about [\d.]+ wounds? of the \d+ left\.$", words) for words in shots), shots
    assert not any("any other" in words for words in shots)


def test_advice_to_charge_names_the_target() -> None:
    said = set()
    for rules, state, decision in choices("regiments-3.5", 60):
        for option in decision.options:
            found = planned((rules, state, decision), option.unit, action="charge")
            for target in found.targets:
                if not target.legal or not found.plan or found.plan.action != "charge":
                    continue
                charge = planned((rules, state, decision), option.unit, action="charge", target=target.unit)
                if charge.plan is None or not charge.plan.answers:
                    continue
                words = advice(rules, state, decision, charge.plan.answers)
                assert words.startswith(f"Charge {state.units[target.unit].name}: ")
                said.add(words)
    assert said, "nobody could charge"


MIRE = """
scenario: A unit that begins on dangerous ground
edition: skirmish-3.2
terrain:
  Lava: {kind: lava, outline: [[20, 8], [28, 8], [28, 14], [20, 14]]}
units:
  Pikes: {side: A, models: 3, stats: Q4+ D4+, base: 25mm round, at: [24, 12]}
  Wolf: {side: B, models: 1, at: [24, 40, 180]}
"""


def test_dice_for_dangerous_ground_come_first_and_the_move_is_judged_all_the_same() -> None:
    loaded, _ = load_text(MIRE)
    built = build(loaded[0].scenario)
    rules, state = built.ruleset, started(loaded[0].scenario, built)
    decision = pending_of(rules, state)
    assert isinstance(decision, Choice)
    after = submit(rules, state, Pick("u0"))
    assert isinstance(after.pending, Roll), "dice before the action"
    found = planned((rules, state, decision), 0, drag=towards_middle(state, state.units[0], 4.0))
    assert found.plan is not None
    assert (found.legal, found.plan.action) == (True, "advance")
    assert "tests first" in found.plan.sentence
    assert [answer.kind for answer in found.plan.answers] == ["activate", "action", "path"]
    stands = submit(rules, after.state, Faces((2,) * after.pending.dice)).state
    moved = plays(rules, stands, found.plan.answers[1:])
    assert centre_of(moved.units[0]) != centre_of(state.units[0]), "what was planned holds where all are safe"


LAST_TWO = """
scenario: Nobody answers any more
edition: aof-2
units:
  Bows: {side: A, models: 1, at: [20, 4]}
  Pikes: {side: A, models: 1, at: [30, 4]}
  Axes: {side: A, models: 1, at: [40, 4]}
  Wolves: {side: B, models: 1, at: [60, 44]}
"""


def test_a_plan_and_a_hint_end_with_the_unit_although_the_last_one_follows_at_once() -> None:
    """With one unit left and nobody to answer, its action is asked for right after: that is another activation."""
    rules, state, _ = scene(LAST_TWO)
    while sum(not unit.activated for unit in state.units) > 2 or acting(state) >= 0:
        decision = pending_of(rules, state)
        assert isinstance(decision, Decision)
        held = Pick("hold") if decision.kind == "action" else decision.default()
        state = submit(rules, state, held).state
    decision = pending_of(rules, state)
    assert isinstance(decision, Choice)
    assert len(decision.options) == 2
    for option in decision.options:
        found = planned((rules, state, decision), option.unit, action="hold")
        assert found.plan is not None
        assert [answer.kind for answer in found.plan.answers] == ["activate", "action"]
    position = jobs.Position("last two", 1, "aof-2", encode(state))
    hinted = jobs.hint(position, "tactician", decision.seat)
    assert hinted is not None
    assert [answer.kind for answer in hinted.answers].count("action") == 1
