"""A story turns the events of a game into lines."""

from msgspec.structs import replace
from toy import TOY, toy_setup

from shieldwall.bots import RandomBot, play_game
from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer
from shieldwall.core.engine import Progress
from shieldwall.core.pending import Pending
from shieldwall.core.state import Pose, State
from shieldwall.core.values import labels_from
from shieldwall.dice import SeededDice
from shieldwall.story import Story, StoryLine


def told(*events: ev.AnyEvent) -> list[StoryLine]:
    story = Story(toy_setup())
    return story.add(toy_setup(), events) + story.end()


def roll(purpose: str, *faces: int) -> ev.Rolled:
    return ev.Rolled(
        purpose=purpose, seat=0, rolls=(ev.ThrownPool(faces, labels_from(4), "", 4),), cite="R35-SHOOT-15"
    )


def test_a_volley_is_one_line_from_weapon_to_hits() -> None:
    lines = told(
        ev.Declared(unit=0, target=4, group="Bow", attacks=3, cite="R35-SHOOT-01"),
        roll("to_hit", 6, 5, 1),
        ev.Hit(unit=0, target=4, hits=2, cite="R35-SHOOT-15"),
        ev.Hit(unit=0, target=4, hits=6, note="times 3", cite="R35-SR-BLAST-01"),
    )
    assert [line.text for line in lines] == [
        "Red Archers 1 shot at Blue Archers 1 with Bow; "
        "to hit, 3 dice, 4+: 6 5 | 1 -> 2 hits -> times 3: 6 hits."
    ]
    assert lines[0].cites == ("R35-SHOOT-01", "R35-SHOOT-15", "R35-SR-BLAST-01")
    assert str(lines[0]).endswith("6 hits. [R35-SHOOT-01, R35-SHOOT-15, R35-SR-BLAST-01]")
    assert lines[0].kind == "dice"


def test_two_weapons_are_declared_in_one_line_and_rolled_apart() -> None:
    bow = ev.Rolled(purpose="to_hit", seat=0, rolls=(ev.ThrownPool((6, 1), labels_from(4), "Bow", 4),))
    lines = told(
        ev.Declared(unit=0, target=4, group="Bow", attacks=2),
        ev.Declared(unit=0, target=5, group="Sling", attacks=3),
        bow,
        ev.Hit(unit=0, target=4, hits=1),
    )
    assert [line.text for line in lines] == [
        "Red Archers 1 shot at Blue Archers 1 with Bow, and at Blue Archers 2 with Sling.",
        "To hit, Bow, 2 dice, 4+: 6 | 1 -> 1 hit.",
    ]


def without_dice(*events: ev.AnyEvent) -> list[StoryLine]:
    story = Story(toy_setup(), dice=False)
    return story.add(toy_setup(), events) + story.end()


def test_without_dice_an_attack_is_one_plain_sentence_with_all_its_rules() -> None:
    lines = without_dice(
        ev.Declared(unit=0, target=4, group="Bow", attacks=3, cite="R35-SHOOT-01"),
        roll("to_hit", 6, 5, 1),
        ev.Hit(unit=0, target=4, hits=2),
        roll("block", 5, 1),
        ev.Blocked(unit=4, blocked=1, wounds=1, cite="R35-SHOOT-17"),
    )
    assert [line.text for line in lines] == [
        "Red Archers 1 shot at Blue Archers 1 with Bow: 2 hits; Blue Archers 1 blocked 1 and took 1 wound."
    ]
    assert lines[0].cites == ("R35-SHOOT-01", "R35-SHOOT-15", "R35-SHOOT-17")


def test_without_dice_hits_of_two_weapons_stay_separate() -> None:
    lines = without_dice(
        ev.Declared(unit=0, target=4, group="Bow", attacks=2),
        ev.Declared(unit=0, target=5, group="Sling", attacks=3),
        roll("to_hit", 6, 1),
        ev.Hit(unit=0, target=4, hits=1),
    )
    assert [line.text for line in lines] == [
        "Red Archers 1 shot at Blue Archers 1 with Bow, and at Blue Archers 2 with Sling.",
        "Red Archers 1 scored 1 hit on Blue Archers 1.",
    ]
    wounds = without_dice(roll("to_wound", 6, 5, 1), ev.Blocked(unit=4, blocked=1, wounds=2))
    assert [line.text for line in wounds] == ["Blue Archers 1 took 2 wounds."]


def test_blocks_are_not_mentioned_if_the_attacker_rolls_to_wound() -> None:
    """A16-SHOOT-03"""
    hurt = told(roll("to_wound", 6, 5, 1), ev.Blocked(unit=4, blocked=1, wounds=2))
    assert [line.text for line in hurt] == ["To wound, 3 dice, 4+: 6 5 | 1 -> Blue Archers 1 took 2 wounds."]
    whole = told(roll("second_die", 1), ev.Blocked(unit=4, blocked=1, wounds=0))
    assert whole[0].text.endswith("-> Blue Archers 1 took no wound.")


def test_losses_of_one_unit_are_one_line() -> None:
    lines = told(
        ev.Removed(unit=4, models=(12, 13), cause="wounds"),
        ev.Removed(unit=4, models=(14,), cause="wounds"),
        ev.Destroyed(unit=4, cause="wounds"),
        ev.Removed(unit=5, models=(15,), cause="wounds"),
    )
    assert [line.text for line in lines] == [
        "Blue Archers 1: 2 × Archer fell, 1 left; Archer fell. That was the last of Blue Archers 1.",
        "Blue Archers 2: Archer fell, 2 left.",
    ]


def test_an_activation_begins_with_one_line_even_across_submits() -> None:
    story = Story(toy_setup())
    assert story.add(toy_setup(), [ev.Activated(unit=0)]) == []
    assert story.add(toy_setup(), [ev.ActionChosen(unit=0, action="advance")]) == []
    moved = ev.Moved(unit=0, poses=tuple(Pose(i, i) for i in range(3)), used=6000, how="advance")
    assert story.add(toy_setup(), [moved]) == []
    assert [line.text for line in story.end()] == ['Red Archers 1 (Red) advanced 6".']
    assert story.end() == []


def test_a_charge_names_its_target_in_the_same_line() -> None:
    lines = told(
        ev.Activated(unit=0),
        ev.ActionChosen(unit=0, action="charge"),
        ev.Declared(unit=0, target=4, group="charge", attacks=0),
    )
    assert [line.text for line in lines] == ["Red Archers 1 (Red) charged Blue Archers 1."]


def test_a_unit_that_both_sides_have_is_said_to_be_somebodys_once() -> None:
    start = toy_setup()
    both = replace(start, units=tuple(replace(unit, name="Archers") for unit in start.units))
    story = Story(both)
    story.add(both, [ev.Activated(unit=0), ev.ActionChosen(unit=0, action="hold")])
    assert [line.text for line in story.end()] == ["Red's Archers 1 held their ground."]


def test_a_failed_test_and_its_consequence_are_one_line() -> None:
    lines = told(roll("morale", 2), ev.MoraleTested(unit=4, passed=False, why="wounds"), ev.Broke(unit=4))
    assert [line.text for line in lines] == [
        "Nerve, 1 die, 4+: - | 2 -> Blue Archers 1 failed a morale test (after wounds), and broke."
    ]


def test_a_whole_game_is_narrated_without_a_gap() -> None:
    class Teller:
        def __init__(self) -> None:
            self.story = Story(toy_setup())
            self.lines: list[StoryLine] = []

        def began(self, progress: Progress) -> None:
            self.lines += self.story.add(toy_setup(), progress.events)

        def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
            self.lines += self.story.add(before, progress.events)

    teller = Teller()
    result = play_game(TOY, toy_setup(), (RandomBot(), RandomBot()), SeededDice.from_seed(2), teller, seed=2)
    lines = teller.lines + teller.story.end()
    assert "won the battle" in lines[-1].text or "draw" in lines[-1].text
    assert sum(line.kind == "turn" for line in lines) == result.turns
    assert sum("to hit" in line.text for line in lines) > 5
    assert {line.round for line in lines} >= {0, 1, 2}


def test_a_rush_that_only_turns_is_not_described_as_a_move() -> None:
    before = toy_setup().units[0].poses
    chosen = ev.ActionChosen(unit=0, action="rush")
    turned = tuple(replace(pose, heading=pose.heading + 9000) for pose in before)
    lines = told(chosen, ev.Moved(unit=0, poses=turned, used=0, how="rush"))
    assert [line.text for line in lines] == ["Red Archers 1 (Red) turned on the spot."]
    under_way = tuple(replace(pose, x=pose.x + 1000) for pose in before)
    lines = told(chosen, ev.Moved(unit=0, poses=under_way, used=0, how="rush"))
    assert [line.text for line in lines] == ["Red Archers 1 (Red) rushed."]


def test_a_unit_that_could_have_moved_and_did_not_stayed_where_it_was() -> None:
    chosen = ev.ActionChosen(unit=0, action="advance")
    lines = told(ev.Activated(unit=0), chosen, ev.ActivationEnded(unit=0))
    assert [line.text for line in lines] == ["Red Archers 1 (Red) stayed where they were."]
    lines = told(chosen, ev.Declared(unit=0, target=4, group="Bow", attacks=3))
    assert [line.text for line in lines] == [
        "Red Archers 1 (Red) stayed where they were.",
        "Red Archers 1 shot at Blue Archers 1 with Bow.",
    ]


def test_a_move_that_dangerous_ground_interrupts_is_told_once_it_is_over() -> None:
    before = toy_setup().units[0].poses
    under_way = tuple(replace(pose, x=pose.x + 1000) for pose in before)
    chosen = ev.ActionChosen(unit=0, action="rush")
    over = ev.Moved(unit=0, poses=under_way, used=9000, how="rush")
    lines = told(chosen, ev.Removed(unit=0, models=(0,), cause="danger"), over)
    assert [line.text for line in lines] == [
        "Red Archers 1 (Red) set out.",
        "Red Archers 1: Archer was lost to dangerous ground, 2 left.",
        'Red Archers 1 rushed 9".',
    ]
    lines = told(ev.Moved(unit=0, poses=under_way, used=0, how="charge"), replace(over, how="charge"))
    assert [line.text for line in lines] == ['Red Archers 1 charged 9".']


def test_the_end_of_a_unit_is_told_once() -> None:
    setup = toy_setup()
    lone = replace(setup, units=tuple(replace(unit, models=unit.models[:1]) for unit in setup.units))
    wounds = ev.Wounded(unit=4, model=12, wounds=2)
    gone = (ev.Removed(unit=4, models=(12,), cause="knocked out"), ev.Destroyed(unit=4, cause="knocked out"))
    story = Story(lone)
    texts = [line.text for line in story.add(lone, [wounds, *gone]) + story.end()]
    assert texts == [
        "Archer of Blue Archers 1 took 2 wounds (1 more than it can take) and went down for good."
    ]
    assert [line.text for line in told(wounds, *gone)] == [
        "Archer of Blue Archers 1 took 2 wounds (1 more than it can take) and went down for good, 2 left. "
        "That was the last of Blue Archers 1."
    ]


def test_whose_a_unit_is_can_be_left_to_the_page() -> None:
    story = Story(toy_setup(), owners=False)
    story.add(toy_setup(), [ev.Activated(unit=0), ev.ActionChosen(unit=0, action="hold")])
    assert [line.text for line in story.end()] == ["Red Archers 1 held their ground."]
