"""Words for what happens before the first round, for casualties one by one, for markers and for messages."""

from __future__ import annotations

import re

import pytest

from shieldwall.scenario.runner import RunReport, report_lines, run_text


def holds(text: str) -> bool:
    report = run_text(text)
    assert not report.faults, report.faults
    return report.results[0].holds


def found(report: RunReport) -> list[str]:
    assert not report.faults, report.faults
    return [one.found for one in report.results[0].differences]


SET_UP = """
scenario: Deployment
edition: regiments-3.5
begin: deployment
edges: {A: south, B: north}
objectives: {Ford: [36, 24]}
defaults: {base: '1x1"', models: 5}
units:
  Pikes: {side: A}
  Halberds: {side: A}
  Wolves: {side: B}
"""


# deploying and placing


def test_none_deploys_nobody() -> None:
    everybody_waits = (
        "{pending: {kind: deploy, side: A}, units: {Pikes: {place: waiting}, Wolves: {place: waiting}}}"
    )
    refused = f"{SET_UP}play: [{{deploy: none, refused: [R35-DEPLOY-04]}}]\nexpect: {everybody_waits}"
    assert holds(refused), report_lines(run_text(refused))
    (text,) = found(run_text(f"{SET_UP}play: [{{deploy: none}}]"))
    assert text == "refused: 'none' is not possible here; possible: Pikes, Halberds (R35-DEPLOY-04)"


ALL_DEPLOYED = """
play:
  - {deploy: Pikes, place: [20, 6]}
  - {deploy: Wolves, place: [20, 42, 180]}
  - {deploy: Halberds, place: [30, 6]}
"""


def test_none_is_deployed_where_everybody_stands() -> None:
    assert holds(f"{SET_UP}{ALL_DEPLOYED}  - {{deploy: none}}\nexpect: {{pending: activate, turn: A}}")


def test_placing_none_is_refused_if_the_unit_must_be_placed() -> None:
    play = "play: [{deploy: Pikes, place: none, refused: [one pose]}]"
    assert holds(f"{SET_UP}{play}\nexpect: {{pending: deploy_place, units: {{Pikes: {{place: waiting}}}}}}")


def test_a_block_is_placed_by_its_front() -> None:
    front = (
        "play: [{deploy: Pikes, place: {front: [20, 11]}}]\n"
        "expect: {units: {Pikes: {front: [20, 11], at: [20, 10.5]}}}"
    )
    assert holds(SET_UP + front), report_lines(run_text(SET_UP + front))
    outside = "play: [{deploy: Pikes, place: {front: [20, 12.1]}, refused: [R35-DEPLOY-03]}]"
    assert holds(SET_UP + outside)
    report = run_text(SET_UP + "play: [{deploy: Pikes, place: {middle: [20, 11]}}]")
    assert "expected a position such as [24, 10], or {front: [24, 10]}" in report.faults[0].text


def test_an_expect_between_two_deployments_deploys_nothing() -> None:
    play = "play: [{deploy: Pikes, place: [20, 6]}]"
    report = f"{SET_UP}{play}\nexpect: {{pending: deploy_place, units: {{Wolves: {{place: waiting}}}}}}"
    assert holds(report), report_lines(run_text(report))  # the only unit of B is picked without a question


def test_a_unit_that_is_only_named_has_been_placed_by_the_next_expect() -> None:
    play = "play: [{deploy: Pikes}]"
    text = f"{SET_UP}{play}\nexpect: {{units: {{Pikes: {{place: table}}, Wolves: {{place: waiting}}}}}}"
    assert holds(text), report_lines(run_text(text))


# where a scenario begins


def test_deployment_begins_with_the_markers_of_the_file() -> None:
    play = "play: [{deploy: Pikes, place: [20, 6]}]"
    assert holds(
        f"{SET_UP}{play}\n"
        "expect: {objectives: {Ford: {at: [36, 24], holder: none}}, no_rolls: [marker_count, roll_off]}"
    )
    rolled = SET_UP.replace("edges: {A: south, B: north}\n", "") + (
        "dice: {roll_off: [2, 5]}\nplay: [{edge: north}]\n"
        "expect: {events: [{rolled_off: {winner: B}}, {edge_chosen: {side: A, edge: south}}]}"
    )
    assert holds(rolled), report_lines(run_text(rolled))


def test_markers_that_lie_there_are_not_placed_again_after_the_edges_are_chosen() -> None:
    text = SET_UP.replace("regiments-3.5", "aof-1.6").replace("edges: {A: south, B: north}\n", "")
    text += (
        "dice: {roll_off: [5, 2]}\nplay: [{edge: south}]\n"
        "expect: {pending: {kind: deploy, side: A}, counts: {marker_placed: 0}}"
    )
    assert holds(text), report_lines(run_text(text))


def test_players_who_place_terrain_by_turns_roll_off_first() -> None:
    text = SET_UP.replace("begin: deployment\nedges: {A: south, B: north}", "begin: terrain")
    text = text.replace("objectives: {Ford: [36, 24]}\n", "") + "until: marker_count\n"
    by_turns = "house_rules: {terrain-mode: alternating}\ndice: {roll_off: [2, 5]}\n"
    assert holds(f"{text}{by_turns}expect: {{events: [{{rolled_off: {{winner: B, purpose: terrain}}}}]}}")
    assert holds(f"{text}expect: {{no_rolls: [roll_off]}}")
    order = "measure: [{terrain_turns: 5, first: B, is: [B, A, B, A, B]}, {terrain_turns: 2, first: A, is: [A, B]}]"
    assert holds(f"{text}{by_turns}{order}")
    together = "house_rules: {terrain-mode: together}\nmeasure: [{terrain_turns: 2, is: [A or B, A or B]}]"
    assert holds(text + together), report_lines(run_text(text + together))


# markers, secrets, carriers


PLACED_IN_PLAY = """
scenario: Markers placed in play
edition: regiments-3.5
begin: set-up
defaults: {models: 5}
units: {Pikes: {side: A}, Wolves: {side: B}, Dogs: {side: B}, Bows: {side: A}}
dice: {marker_count: [1], roll_off: [6, 1]}
play: [{marker_first: A}, {place: [36, 24]}, {place: [48, 24]}]
"""


@pytest.mark.parametrize(
    ("expect", "is_true"),
    [
        ("{marker 1: {at: [36, 24], gone: no, carrier: none, secret: 0}, marker 2: {at: [48, 24]}}", True),
        ("{marker 1: {at: [36, 24.5]}}", False),
        ("{marker 1: {holder: A}}", False),
        ("{marker 3: none}", False),
    ],
)
def test_markers_are_expected_by_their_number_and_position(expect: str, is_true: bool) -> None:
    assert holds(f"{PLACED_IN_PLAY}expect: {{objectives: {expect}}}") is is_true


CARRIED = """
scenario: In a carrier
edition: regiments-3.4
objectives: {Relic: {at: [36, 10], carrier: Pikes}}
units:
  Cart: {side: A, rules: 'Transport(11), Tough(6)', at: [20, 10]}
  Crew: {side: A, models: 5, inside: Cart}
  Pikes: {side: A, models: 5, at: [36, 10]}
  Wolves: {side: B, at: [36, 40, 180]}
play: [{activate: Cart, action: advance, march: 3}]
"""


@pytest.mark.parametrize(
    ("expect", "is_true"),
    [
        ("units: {Crew: {inside: Cart}, Pikes: {inside: none}}", True),
        ("units: {Crew: {inside: none}}", False),
        ("objectives: {Relic: {carrier: Pikes, holder: A}}", True),
        ("objectives: {Relic: {carrier: Cart}}", False),
        ("objectives: {Relic: {carrier: none}}", False),
        ("objectives: {Relic: {gone: yes}}", False),
    ],
)
def test_who_is_carried_and_who_carries(expect: str, is_true: bool) -> None:
    assert holds(f"{CARRIED}expect: {{{expect}}}") is is_true


def test_names_of_carriers_and_pieces_that_are_not_there_are_faults() -> None:
    def fault(expect: str) -> str:
        return run_text(f"{CARRIED}expect: {{{expect}}}").faults[0].text

    assert "there is no carrier or building 'Card'; did you mean Cart?" in fault(
        "units: {Crew: {inside: Card}}"
    )
    assert "there is no unit 'Pike'; did you mean Pikes?" in fault("objectives: {Relic: {carrier: Pike}}")
    assert "there is no piece of terrain 'Wood'" in fault("terrain: {Wood: {secret: 1}}")


# secrets


def test_a_secret_that_was_found_is_expected_of_its_piece() -> None:
    text = """
scenario: A mysterious wood
edition: aof-1.6
house_rules: {mysterious-terrain: on}
terrain:
  Wood: {kind: forest, outline: [[30, 12], [50, 12], [50, 16], [30, 16]]}
  Marsh: {kind: swamp, at: [10, 30], size: [4, 4]}
units:
  Pike: {side: A, base: '1x1"', at: [36, 10]}
  Bow: {side: A, at: [6, 4]}
  Wolf: {side: B, at: [60, 40, 180]}
dice: {mysterious_terrain: [2]}
play: [{activate: Pike, action: advance, walk: [36, 14]}]
"""
    assert holds(f"{text}expect: {{terrain: {{Wood: {{secret: 2}}, Marsh: {{secret: 0}}}}}}")
    assert not holds(f"{text}expect: {{terrain: {{Wood: {{secret: 3}}}}}}")
    assert not holds(f"{text}expect: {{terrain: {{Marsh: {{secret: 2}}}}}}")


# heroes


HERO = """
scenario: Only the hero is left
edition: EDITION
defaults: {base: '1x1"'}
units:
  Pikes: {side: A, models: 0, started: 6, at: [36, 10], hero: {name: Ida, stats: Q3+ D3+, rules: 'Hero, Tough(3)'}}
  Wolves: {side: B, equipment: 'Sling (12", A1)', at: [36, 20, 180]}
  Dogs: {side: B, at: [60, 40, 180]}
turn: B
dice: {to_hit: [4], block: [2], morale: [3]}
play: [{activate: Wolves, action: hold, shoot: {Sling: Pikes}}]
expect: {units: {Pikes: {models: 1, names: [Ida], wounds: 1}}, models: {Pikes/Ida: {wounds: 1}}}
"""


@pytest.mark.parametrize("edition", ["regiments-3.4", "regiments-3.5", "aof-2"])
def test_a_hero_may_be_all_that_is_left_of_a_unit(edition: str) -> None:
    text = HERO.replace("EDITION", edition)
    assert holds(text), report_lines(run_text(text))


def test_a_unit_of_no_models_needs_a_hero_and_what_it_started_with() -> None:
    text = HERO.replace("EDITION", "regiments-3.5")
    (fault,) = run_text(
        re.sub(r", hero: \{.*\}\}", "}", text).replace("models: {Pikes/Ida: {wounds: 1}}", "")
    ).faults[:1]
    assert "a unit of 0 models needs a `hero`" in fault.text
    (fault,) = run_text(text.replace("started: 6, ", "")).faults
    assert "give with `started`" in fault.text


# casualties chosen one by one


STUNNED = """
scenario: Stunned models are knocked out
edition: skirmish-3.2
defaults: {base: '1x1"', stats: Q4+ D4+}
units:
  Bows: {side: A, models: 2, equipment: 'Bow (24", A1)', at: [[24, 10], [25.2, 10]]}
  Wolves: {side: B, models: 4, stunned: [1, 2, 3], at: [[22, 20], [23.2, 20], [24.4, 20], [25.6, 20]]}
  Dog: {side: B, at: [4, 44]}
dice: {to_hit: [4, 4]}
"""


def test_stunned_models_that_are_knocked_out_are_named_in_one_list() -> None:
    play = "play: [{activate: Bows, action: hold, shoot: {Bow: Wolves}, casualties: [Wolves/2, Wolves/3]}]"
    expect = "expect: {models: {Wolves/1: {alive: yes}, Wolves/2: {alive: no}, Wolves/3: {alive: no}}}"
    assert holds(f"{STUNNED}{play}\n{expect}"), report_lines(run_text(f"{STUNNED}{play}\n{expect}"))
    one_too_many = play.replace("Wolves/3]", "Wolves/3, Wolves/1]")
    assert not holds(f"{STUNNED}{one_too_many}")
    refused = play.replace("[Wolves/2, Wolves/3]", "[Wolves/2, Wolves/4], refused: yes")
    assert holds(f"{STUNNED}{refused}\nexpect: {{pending: knocked_out_pick}}")


# messages


ARC = """
scenario: Outside the front arc
edition: regiments-3.5
defaults: {base: '1x1"', models: 5}
units:
  Bows: {side: A, equipment: 'Bow (24", A1)', at: [30, 20]}
  Pikes: {side: A, at: [10, 4]}
  Wolves: {side: B, at: PLACE}
"""


@pytest.mark.parametrize(
    ("place", "words"),
    [("[15, 20]", "on its left flank"), ("[45, 20]", "on its right flank"), ("[30, 5]", "in its rear")],
)
def test_a_target_outside_the_front_arc_is_refused_in_these_words(place: str, words: str) -> None:
    reason = f"Wolves lie outside the front arc of Bows, {words}"
    play = f"play: [{{activate: Bows, action: hold, shoot: {{Bow: Wolves}}, refused: ['{reason}']}}]"
    text = ARC.replace("PLACE", place) + play
    assert holds(text), report_lines(run_text(text))


def test_a_target_behind_a_wall_is_not_said_to_lie_outside_the_arc() -> None:
    wall = "terrain: {Wall: {kind: wall, height: 3, outline: [[20, 24.9], [40, 24.9], [40, 25.1], [20, 25.1]]}}\n"
    play = "play: [{activate: Bows, action: hold, shoot: {Bow: Wolves}, refused: yes}]"
    text = f"{ARC.replace('PLACE', '[30, 30, 180]')}{wall}{play}"
    assert holds(text)
    assert not holds(text.replace("refused: yes", "refused: [front arc]"))


KEY = re.compile(r"\b[umb]\d+\b")


@pytest.mark.parametrize(
    "play",
    [
        "{activate: Wolves}",
        "{activate: Bows, charge: Pikes}",
        "{activate: Bows, action: hold, shoot: {Bow: Pikes}}",
        "{activate: Bows, action: stay}",
    ],
)
def test_messages_name_units_and_never_their_keys(play: str) -> None:
    texts = found(run_text(f"{ARC.replace('PLACE', '[30, 30, 180]')}play: [{play}]"))
    assert texts
    assert not any(KEY.search(text) for text in texts), texts


# army lists


ARMY = """
scenario: An army list
edition: regiments-3.5
house_rules: {force-organisation: on}
defaults: {models: 5, place: waiting}
units:
  Pikes: {side: A, cost: 200}
  Ida: {side: A, models: 1, rules: 'Hero, Tough(3)', cost: 60, army: {joins: Pikes}}
  Wolves: {side: B, cost: 100}
"""


@pytest.mark.parametrize(
    ("changed", "measured"),
    [
        ("", "is: yes, cost: 260"),
        ("Pikes: {side: A, cost: 800}", "is: no, cost: 860, because: [860 of 750 points, R35-ARMY-04]"),
        ("Pikes: {side: A, cost: 262}", "is: yes"),
        ("Pikes: {side: A, cost: 263}", "is: no, because: [the maximum is 262 of 750, R35-FORCE-04]"),
        ("Pikes: {side: A, cost: 200, army: {for_all: {Shields: 63}}}", "is: no, because: [R35-FORCE-04]"),
        ("Bela: {like: Ida, side: A, army: {joins: Pikes}}", "is: no, because: [R35-SR-HERO-02]"),
        ("B1: {like: Pikes, side: A, cost: 1}", "is: yes"),
        (
            "B1: {like: Pikes, side: A, cost: 1}\n  B2: {like: B1, side: A, cost: 1}",
            "is: no, because: [3 copies of Pikes, R35-FORCE-03]",
        ),
        ("Pikes: {side: A, models: 10, part: 5, cost: 200}", "is: yes"),
        (
            "Pikes: {side: A, models: 10, part: 5, army: {for_all: {Shields: 5}, second: {for_some: {Bow: 5}}}}",
            "is: no, because: [Shields must be bought for both copies of Pikes, R35-ARMY-06]",
        ),
        (
            "Pikes: {side: A, models: 10, part: 5, army: {second: {of: Wolves}}}",
            "is: no, because: [Pikes and Wolves are not copies of the same unit, R35-ARMY-05]",
        ),
        (
            "Ida: {side: A, models: 1, rules: 'Tough(3)', army: {joins: Pikes}}",
            "is: no, because: [R35-SR-HERO-01]",
        ),
    ],
)
def test_the_list_of_a_side_is_held_to_the_rows_about_lists(changed: str, measured: str) -> None:
    units = dict(re.findall(r"^  (\w+): (.*)$", f"{ARMY.partition('units:')[2]}\n  {changed}", re.MULTILINE))
    lines = "\n".join(f"  {name}: {unit}" for name, unit in units.items())
    text = f"{ARMY.partition('units:')[0]}units:\n{lines}\nmeasure: [{{army: A, points: 750, {measured}}}]"
    assert holds(text), report_lines(run_text(text))
    verdict = measured.replace("is: yes", "is: maybe").replace("is: no", "is: yes").replace("maybe", "no")
    assert not holds(text.replace(measured, verdict))


@pytest.mark.parametrize(
    ("edition", "row"),
    [("regiments-3.4", "R34-ARMY"), ("skirmish-3.2", "SK32"), ("aof-2", "A2-ARMY"), ("aof-1.6", "A16")],
)
def test_every_edition_holds_a_list_to_its_points(edition: str, row: str) -> None:
    text = ARMY.replace("regiments-3.5", edition).replace("house_rules: {force-organisation: on}\n", "")
    text = text.replace(", army: {joins: Pikes}", "").replace("models: 5", "models: 1")
    assert holds(f"{text}measure: [{{army: A, points: 100, is: no, cost: 260, because: [{row}]}}]")


def test_several_players_of_a_side_need_rules_for_allies() -> None:
    text = ARMY.replace("Ida: {side: A", "Ida: {side: A, player: 2").replace(", army: {joins: Pikes}", "")
    (why,) = found(run_text(f"{text}measure: [{{army: A, is: yes}}]"))
    assert "has no rules for several players of a side" in why
