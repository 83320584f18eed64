"""When expectations are checked, and what a step does if its question is not asked: nothing holds by mistake."""

from __future__ import annotations

import pytest

from shieldwall.scenario.runner import RunReport, report_lines, run_text


def holds(text: str) -> bool:
    report = run_text(text)
    assert not report.faults, report.faults
    return report.results[0].holds


def found(report: RunReport) -> list[tuple[str, str, str]]:
    assert not report.faults, report.faults
    return [(one.what, one.expected, one.found) for one in report.results[0].differences]


# Two charges; the first one leaves its consolidation open.
CHARGES = """
scenario: Two charges
edition: regiments-3.5
defaults: {base: '1x1"', stats: Q4+ D6+}
units:
  Pikes: {side: A, models: 5, equipment: Pike (A1), at: [20, 10]}
  Rear: {side: A, models: 5, at: [50, 4]}
  Wolves: {side: B, models: 1, at: [20, 18, 180]}
  Dogs: {side: B, models: 5, equipment: Teeth (A1), at: [40, 30, 180]}
  Cats: {side: B, models: 5, at: [60, 44, 180]}
dice: {to_hit: [[4, 1, 1, 1, 1]], block: [1]}
play:
  - {activate: Pikes, charge: Wolves}
  - {activate: Dogs, action: advance, march: 4}
"""


@pytest.mark.parametrize(("at", "is_true"), [("[40, 26]", True), ("[40, 30]", False)])
def test_a_question_left_open_does_not_show_the_table_before_the_last_activation(
    at: str, is_true: bool
) -> None:
    assert holds(f"{CHARGES}expect: {{units: {{Dogs: {{at: {at}}}}}}}") is is_true


ONE_EACH = """
scenario: One unit each
edition: regiments-3.5
defaults: {base: '1x1"', stats: Q4+ D6+}
units:
  Bows: {side: A, models: 5, equipment: 'Bow (24", A1)', at: [36, 10]}
  Wolves: {side: B, models: 5, at: [36, 18, 180]}
dice: {to_hit: [4, 4, 4, 1, 1], block: [1, 1, 1], morale: [2]}
play: [{activate: Bows, action: hold, shoot: {Bow: Wolves}}]
"""


@pytest.mark.parametrize(
    ("expect", "is_true"),
    [
        ("units: {Wolves: {shaken: yes}}, round: 1, turn: B, pending: {kind: activate, side: B}", True),
        ("pending: {kind: activate, options: [Wolves]}", True),
        ("units: {Wolves: {shaken: no}}", False),
        ("round: 2", False),
        ("turn: A", False),
        ("pending: action", False),
        ("events: [{action_chosen: {unit: Wolves}}]", False),
        ("no_events: [{action_chosen: {unit: Wolves}}]", True),
    ],
)
def test_units_turn_round_and_question_are_checked_at_one_moment(expect: str, is_true: bool) -> None:
    """Shaken Wolves can only idle, so the engine plays on automatically into the next round."""
    assert holds(f"{ONE_EACH}expect: {{{expect}}}") is is_true


LAST_OF_ROUND = """
scenario: The last unit of a round
edition: regiments-3.5
defaults: {base: '1x1"', stats: Q4+ D6+}
objectives: {Ford: [20, 12]}
units:
  Pikes: {side: A, models: 5, equipment: Pike (A1), at: [20, 10]}
  Wolves: {side: B, models: 5, activated: yes, at: [20, 18, 180]}
dice: {to_hit: [[1, 1, 1, 1, 1]]}
play: [{activate: Pikes, charge: Wolves, strike_back: no}]
"""


def test_a_round_that_ends_automatically_is_checked_before_it_ends() -> None:
    now = "expect: {units: {Pikes: {fatigued: yes, activated: yes}}, round: 1, pending: end of round}"
    assert holds(LAST_OF_ROUND + now)
    then = "until: end of round\nexpect: {units: {Pikes: {fatigued: no, activated: no}}, round: 2}"
    assert holds(LAST_OF_ROUND + then)
    assert not holds(LAST_OF_ROUND + "expect: {units: {Pikes: {fatigued: no}}}")


def test_an_expectation_of_the_next_round_gets_a_hint() -> None:
    ((_, _, text),) = found(run_text(LAST_OF_ROUND + "expect: {round: 2}"))
    assert text == "1 (the round ends next; `until: end of round` checks after that)"


TWO_ARCHERS = """
scenario: A look and a step that is refused
edition: regiments-3.5
defaults: {base: '1x1"', stats: Q4+ D4+}
units:
  Bows: {side: A, models: 1, equipment: 'Bow (24", A1)', at: [36, 10]}
  Pikes: {side: A, models: 5, at: [10, 10]}
  Wolves: {side: B, models: 5, at: [36, 20, 180]}
  Dogs: {side: B, models: 5, at: [60, 40, 180]}
"""


def test_a_refused_last_step_leaves_its_question_open() -> None:
    play = "play: [{activate: Pikes, action: rush, march: 13, refused: [12 inches]}]"
    assert holds(f"{TWO_ARCHERS}{play}\nexpect: {{pending: path, units: {{Pikes: {{at: [10, 10]}}}}}}")
    play = "play: [{activate: Pikes, charge: Wolves, refused: yes}]"
    assert holds(f"{TWO_ARCHERS}{play}\nexpect: {{pending: action, turn: A}}")


def test_a_refused_last_step_keeps_the_moment_before_it() -> None:
    again = ", {activate: Bows, refused: [activated]}]"
    text = ONE_EACH.replace("{Bow: Wolves}}]", "{Bow: Wolves}}" + again)
    assert holds(text + "expect: {units: {Wolves: {shaken: yes}}, round: 1}")
    assert not holds(text + "expect: {units: {Wolves: {shaken: no}}}")


SPELLS = """
scenario: Spells
edition: regiments-3.5
defaults: {base: '1x1"', stats: Q4+ D4+}
spells: {Spark: {cost: 1, range: 12, hits: 1}}
units:
  Mage: {side: A, rules: Caster(2), tokens: 2, spells: [Spark], at: [36, 10]}
  Pikes: {side: A, models: 5, at: [10, 10]}
  Wolves: {side: B, models: 5, at: [36, 30, 180]}
  Witch: {side: B, rules: Caster(2), tokens: 2, spells: [Spark], at: [60, 30, 180]}
"""


WIZARDS = """
scenario: A Wavering wizard
edition: EDITION
spells: {Spark: {cost: 4, range: 12, hits: 1}}
units:
  Mage: {side: A, rules: Wizard(1), spells: [Spark], wavering: yes, at: [36, 10]}
  Pikes: {side: A, models: 5, at: [10, 10]}
  Wolves: {side: B, models: 5, at: [36, 20, 180]}
"""


def test_a_refused_spell_leaves_the_action_open_again() -> None:
    """If another spell could be cast, the question about the spell is open when this one is refused."""
    text = SPELLS.replace("hits: 1}}", "hits: 1}, Bolt: {cost: 1, range: 30, hits: 1}}").replace(
        "[Spark], at: [36, 10]", "[Spark, Bolt], at: [36, 10]"
    )
    refused = "{activate: Mage, cast: {Spark: Wolves}, refused: yes}"
    assert holds(f"{text}play: [{refused}]\nexpect: {{pending: action, units: {{Mage: {{tokens: 2}}}}}}")
    assert holds(
        f"{text}play: [{refused}, {{action: advance, march: 3}}]\nexpect: {{units: {{Mage: {{at: [36, 13]}}}}}}"
    )


def test_a_shaken_caster_is_refused_because_it_idles_and_for_no_other_reason() -> None:
    shaken = SPELLS.replace("spells: [Spark], at: [36, 10]", "spells: [Spark], shaken: yes, at: [36, 10]")
    step = "{activate: Mage, cast: {Spark: Wolves}"
    assert holds(f"{shaken}play: [{step}, refused: [stays idle]}}]")
    assert not holds(f"{shaken}play: [{step}, refused: [12 inches]}}]")
    assert holds(f"{shaken}measure: [{{legal: {step}}}, is: no, because: [stays idle]}}]")
    for wizards in ("aof-2", "aof-1.6"):  # books in which casting is no part of the action
        text = WIZARDS.replace("EDITION", wizards)
        assert not holds(f"{text}play: [{step}, refused: [is not possible here]}}]"), wizards
        assert holds(f"{text}play: [{step}, refused: [stays idle]}}]"), wizards
    assert not holds(f"{shaken}measure: [{{legal: {step}}}, is: no, because: [12 inches]}}]")


def test_a_refused_step_whose_question_is_never_asked_is_an_error() -> None:
    play = "play: [{activate: Pikes, action: hold}, {consolidate: [forward 9], refused: yes}]"
    ((what, expected, text),) = found(run_text(TWO_ARCHERS + play))
    assert (what, expected) == ("consolidate", "to be refused")
    assert text.startswith("it is not asked: consolidate is not asked now")


def test_an_answer_to_a_question_never_asked_cannot_be_measured_as_illegal() -> None:
    measure = "measure: [{legal: {activate: Pikes, action: hold, consolidate: [forward 9]}, is: no}]"
    ((_, _, text),) = found(run_text(TWO_ARCHERS + measure))
    assert "consolidate is not asked" in text


def test_an_earlier_refused_step_counts_only_if_because_says_so() -> None:
    legal = "legal: {activate: Pikes, action: idle, march: 1}, is: no"
    ((_, _, text),) = found(run_text(f"{TWO_ARCHERS}measure: [{{{legal}}}]"))
    assert "a step before it is refused" in text
    assert holds(f"{TWO_ARCHERS}measure: [{{{legal}, because: [idle]}}]")


def test_a_step_tried_after_its_unit_is_done_is_not_answered_by_another_unit() -> None:
    """The only unit of B moves next and would be asked for its path."""
    text = TWO_ARCHERS.replace("  Dogs: {side: B, models: 5, at: [60, 40, 180]}\n", "")
    play = "play: [{activate: Pikes, action: hold}, {action: rush, refused: [Pikes takes the action hold]}]"
    assert holds(f"{text}{play}\nexpect: {{units: {{Wolves: {{activated: no, at: [36, 20]}}}}}}")


SET_UP = """
scenario: Deployment
edition: regiments-3.5
begin: set-up
defaults: {base: '1x1"', models: 5}
units:
  Pikes: {side: A}
  Halberds: {side: A}
  Wolves: {side: B}
  Dogs: {side: B}
dice: {marker_count: [1], roll_off: [6, 1, 6, 1]}
"""


def test_a_unit_that_is_refused_on_the_turn_of_the_other_side_deploys_nobody() -> None:
    play = """
play:
  - {edge: south}
  - {deploy: Pikes, place: [36, 6]}
  - {deploy: Halberds, side: A, refused: [side B]}
  - expect: {pending: {kind: deploy, side: B}, units: {Wolves: {place: waiting}, Dogs: {place: waiting}}}
  - {deploy: Dogs, place: [36, 44, 180]}
expect: {units: {Dogs: {at: [36, 44]}}}
"""
    report = run_text(SET_UP + play)
    assert report.exit_code == 0, report_lines(report)


LAST_ONES = """
scenario: The only unit of each side
edition: regiments-3.5
begin: deployment
edges: {A: south, B: north}
first: B
defaults: {models: 5}
units: {Pikes: {side: A}, Wolves: {side: B}}
"""


def test_a_unit_is_refused_while_the_only_one_of_the_other_side_is_placed() -> None:
    """If only one unit can be deployed, there is no question; the reason names that unit, and nothing is played."""
    for step in ("deploy: Pikes, side: A", "deploy: none"):
        play = f"play: [{{{step}, refused: [Wolves of side B is the only unit]}}]"
        assert holds(f"{LAST_ONES}{play}\nexpect: {{units: {{Wolves: {{place: waiting}}}}}}")
    assert not holds(f"{LAST_ONES}play: [{{deploy: Wolves, refused: yes}}]")


ROUNDS = """
scenario: Actions
edition: regiments-3.5
defaults: {base: '1x1"', stats: Q4+ D4+}
units:
  Pikes: {side: A, models: 5, at: [10, 10]}
  Rear: {side: A, models: 5, at: [50, 4]}
  Wolves: {side: B, models: 5, at: [60, 40, 180]}
play:
  - {activate: Pikes, action: rush, march: 3}
  - until: end of round
"""


def test_actions_are_those_of_now_and_not_of_an_earlier_round() -> None:
    look = "  - {activate: Wolves, action: hold}\n  - measure: {actions: Pikes, is: ACTIONS}"
    assert holds(ROUNDS + look.replace("ACTIONS", "[hold, advance, rush]"))
    assert not holds(ROUNDS + look.replace("ACTIONS", "[rush]"))


def test_every_failing_step_is_reported() -> None:
    play = """
play:
  - {activate: Pikes, action: rush, march: 13}
  - {activate: Wolves, action: advance, march: 6, refused: yes}
  - {activate: Wolves, action: rush, march: 12.5}
  - {activate: Bows, action: rush, march: 14}
"""
    lines = [one[0] for one in found(run_text(TWO_ARCHERS + play))]
    assert len(lines) == 4


def test_questions_and_rolls_are_counted_since_the_last_expect() -> None:
    play = """
dice: {to_hit: [1]}
play:
  - {activate: Bows, action: hold, shoot: {Bow: Wolves}}
  - expect: {asked: [targets], dice_used: {to_hit: 1}}
  - {activate: Wolves, action: hold}
  - expect: {asked: [targets]}
"""
    assert not holds(TWO_ARCHERS + play)
    assert holds(
        TWO_ARCHERS + play.replace("expect: {asked: [targets]}\n", "expect: {dice_used: {to_hit: 0}}\n")
    )


def test_a_roll_of_loose_faces_never_takes_faces_of_a_nested_roll() -> None:
    text = TWO_ARCHERS.replace("Bows: {side: A, models: 1", "Bows: {side: A, models: 3") + (
        "dice: {to_hit: [1, [1, 1]]}\nplay: [{activate: Bows, action: hold, shoot: {Bow: Wolves}}]"
    )
    assert found(run_text(text))[0][0] == "dice"


SKIRMISH = """
scenario: After a melee
edition: skirmish-3.2
defaults: {base: '1x1"', stats: Q4+ D4+}
units:
  Axe: {side: A, equipment: Axe (A1), at: [24, 10]}
  Wolf: {side: B, at: [24, 20]}
  Dog: {side: B, at: [4, 44]}
dice: {to_hit: [4], block: [1], wound_effect: [5]}
"""


def test_a_unit_consolidates_by_a_shift() -> None:
    by_shift = "play: [{activate: Axe, charge: Wolf}, {consolidate: {shift: [1, 0]}}]"
    report = run_text(SKIRMISH + by_shift + "\nexpect: {events: [{moved: {unit: Axe, used: 1}}]}")
    assert report.exit_code == 0, report_lines(report)


def test_none_is_allowed_when_no_unit_must_deploy() -> None:
    assert not run_text(SET_UP + "play: [{edge: south}, {deploy: none, refused: yes}]").faults


def test_a_spell_out_of_range_is_said_to_be_that_where_it_is_simply_cast() -> None:
    text = """
scenario: Too far
edition: regiments-3.5
spells: {Bolt: {cost: 2, range: 8, whom: enemy, hits: 2}}
units:
  Wiz: {side: A, rules: Caster(3), tokens: 3, spells: [Bolt], front: [36, 10]}
  Wolves: {side: B, models: 5, front: [36, 20], facing: 180}
play: [{activate: Wiz, action: hold, cast: {Bolt: Wolves}}]
"""
    [difference] = run_text(text).results[0].differences
    assert difference.found.startswith("refused: Wolves are farther away than the 8 inches of Bolt")
