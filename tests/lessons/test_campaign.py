"""Campaigns: ours are valid and cover all editions and missions, goals work, and bad files get reasons."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from shieldwall.cli.main import main
from shieldwall.core.errors import MalformedError
from shieldwall.editions import EDITIONS
from shieldwall.lessons.battles import NoBattleError, set_battle
from shieldwall.lessons.campaign import (
    CampaignGoal,
    NoCampaignError,
    battle_problems,
    battle_start,
    campaign,
    goal_met,
    is_won,
    read_campaign,
)
from shieldwall.lessons.files import text_of
from shieldwall.rules.missions import SIX

OURS = "lamp-and-kiln"
RUNGS = ("random", "solo", "tactician", "greedy", "search")
QUICK = Path(__file__).parents[1] / "browser" / "quick-campaign.yaml"


def test_our_campaign_has_twelve_sound_battles_over_all_editions_and_missions() -> None:
    battles = campaign(OURS).file.battles
    assert len(battles) == 12
    assert {battle.edition for battle in battles} == set(EDITIONS)
    assert {battle.mission for battle in battles} == {mission.id for mission in SIX}
    rungs = [RUNGS.index(battle.bot) for battle in battles]
    assert rungs == sorted(rungs)
    assert rungs[0] == 0
    assert rungs[-1] == 4
    for battle in battles:
        assert battle_problems(battle) == []
        assert battle_start(battle).pieces


def test_goals_mean_what_they_say() -> None:
    battle = read_campaign(QUICK.read_text(), "quick").battle("last-stand")
    start = battle_start(battle)
    units = tuple(replace(unit, models=()) if unit.name == "Wolves" else unit for unit in start.units)
    state = replace(start, units=units, markers=tuple(replace(marker, holder=0) for marker in start.markers))
    assert goal_met(CampaignGoal("", win=True), state, 0)
    assert not goal_met(CampaignGoal("", win=True), state, -1)
    assert goal_met(CampaignGoal("", hold=1), state, None)
    assert not goal_met(CampaignGoal("", hold=2), state, None)
    assert goal_met(CampaignGoal("", destroy="Wolves"), state, None)
    assert not goal_met(CampaignGoal("", keep="Wolves"), state, None)
    assert goal_met(CampaignGoal("", lose_at_most=0), state, None)
    assert is_won(battle, start, 0)  # optional goals are not needed
    assert not is_won(battle, start, 1)


def test_a_battle_of_a_campaign_is_a_set_battle() -> None:
    battle = set_battle(f"campaign/{OURS}/first-firing")
    assert battle.edition == "regiments-3.4"
    assert battle.start.mission == "breakthrough"
    assert battle.bot == "solo"
    for key in (f"campaign/{OURS}/chess", "campaign/chess/first-firing", "campaign"):
        with pytest.raises(NoBattleError):
            set_battle(key)
    with pytest.raises(NoCampaignError, match=OURS):
        campaign("chess")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("bot: random", "bot: deep-blue", "no bot"),
        ("keep: Warden Ysolde", "keep: Warden Yseult", "Warden Yseult"),
        ("edition: skirmish-3.2", "edition: chess", "no edition"),
        ("saltgrass-clans-150]", "saltgrass-clans-151]", "saltgrass-clans-151"),
        ("mission: duel", "mission: bingo", "bingo"),
        ("at: [14, 20], size: [6, 4]", "outline: [[1, 1]]", "Dune rocks"),
    ],
)
def test_every_problem_of_a_battle_is_named(old: str, new: str, why: str) -> None:
    found = read_campaign(text_of("campaigns", OURS).replace(old, new, 1), "broken")
    assert any(why in problem for problem in battle_problems(found.file.battles[0]))


def test_every_problem_of_a_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(MalformedError, match="tale"):
        read_campaign(text_of("campaigns", OURS).replace("story:", "tale:", 1), "broken")
    with pytest.raises(MalformedError, match="two battles"):
        read_campaign(
            text_of("campaigns", OURS).replace("id: the-dark-lamp", "id: horse-thieves", 1), "broken"
        )
    file = tmp_path / "mine.yaml"
    file.write_text(QUICK.read_text().replace("destroy: Wolves", "destroy: Foxes"))
    assert main(["campaign", "check", str(file)]) == 2
    assert "Foxes" in capsys.readouterr().out
    assert main(["campaign", "check", str(QUICK)]) == 0
    file.write_bytes(b"campaign: Caf\xe9\n")
    for command in (["campaign", "check"], ["campaign", "play"], ["play", "--campaign"]):
        assert main([*command, str(file)]) == 2
        assert "is not UTF-8 text (byte 13)" in "".join(capsys.readouterr())


def test_bots_play_a_battle_of_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["campaign", "play", str(QUICK), "--battle", "last-stand", "--bot", "solo"]) == 0
    assert "won 1 of 1" in capsys.readouterr().out


def test_the_example_of_the_reference_is_sound() -> None:
    page = (Path(__file__).parents[2] / "docs" / "scenarios.md").read_text(encoding="utf-8")
    example = page.split("```yml\n", 1)[1].split("```", 1)[0]
    found = read_campaign(example, "example")
    assert [problem for battle in found.file.battles for problem in battle_problems(battle)] == []
