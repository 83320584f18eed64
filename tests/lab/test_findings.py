"""Comparisons, balances and reviews: fair intervals, complete files, and resuming after an interruption."""

import json
from pathlib import Path

import msgspec
import polars
import pytest

from shieldwall.armies import ready_list
from shieldwall.armies.list_file import write_list
from shieldwall.cli.balance import lists_in
from shieldwall.cli.compare import sorted_settings
from shieldwall.cli.main import main
from shieldwall.core.errors import ShieldwallError
from shieldwall.lab.balance import balance_lists
from shieldwall.lab.compare import compare_lists, compare_rules, mean_interval
from shieldwall.lab.games import HANDED_IN
from shieldwall.lab.html import heat_map, intervals, page
from shieldwall.lab.reports import journal_of, page_of
from shieldwall.lab.review import ReviewOrder, review_list
from shieldwall.lab.series import Runner, SeriesPlan
from shieldwall.rulebook.house_rules import HouseRuleError

EDITION = "regiments-3.4"
ALONE = Runner(workers=1)
ONE, TWO = "kilnfolk-750", "lantern-coast-750"


def test_a_list_against_itself_is_even_within_its_interval() -> None:
    found, outcomes = compare_lists(EDITION, (ONE, ONE), SeriesPlan(bot="random", games=6), ALONE)
    assert found.score == 0.5
    assert found.low <= 0.5 <= found.high
    assert "do not show which list is better" in found.verdict
    assert all(one.difference == 0 for one in found.differences)
    assert [one.swapped for one in outcomes] == [False, True] * 3


def test_a_cluster_by_its_address_writes_the_same_report(tmp_path: Path) -> None:
    from distributed import LocalCluster

    command = ["compare", ONE, TWO, "-e", EDITION, "--bot", "random", "--games", "2", "--json", "--report"]
    assert main([*command, str(tmp_path / "here.html"), "--workers", "1"]) == 0
    with LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=False,
        dashboard_address=None,
        protocol="tcp",
        host="127.0.0.1",
    ) as cluster:
        address = cluster.scheduler_address.removeprefix("tcp://")
        assert main([*command, str(tmp_path / "there.html"), "--cluster", address]) == 0
    assert (tmp_path / "here.json").read_bytes() == (tmp_path / "there.json").read_bytes()
    assert (tmp_path / "here.html").read_bytes() == (tmp_path / "there.html").read_bytes()


def test_markers_and_points_are_counted_for_the_right_list() -> None:
    found, outcomes = compare_lists(EDITION, (ONE, TWO), SeriesPlan(games=2), ALONE)
    by_name = {one.what: one for one in found.differences}
    assert by_name["points destroyed"].first == by_name["points lost"].second
    mean = sum(one.markers[0] for one in outcomes) / len(outcomes)
    assert by_name["markers held at the end"].first == mean
    assert {unit.name for one in outcomes for unit in one.units if unit.owner == 0}.isdisjoint(
        unit.name for one in outcomes for unit in one.units if unit.owner == 1
    )


def test_a_house_rule_is_compared_on_the_same_tables() -> None:
    settings = [(("control-lasts", "on"),), (("control-lasts", "off"),)]
    lists = ("kilnfolk-500", "lantern-coast-500")
    found, outcomes = compare_rules("aof-1.6", settings, lists, SeriesPlan(bot="random", games=4), ALONE)
    assert [one.options for one in found.settings] == ["control-lasts=on", "control-lasts=off"]
    assert [one.seed for one in outcomes[:4]] == [one.seed for one in outcomes[4:]]
    held = next(one for one in found.differences[0] if one.what == "markers held, both sides")
    assert held.second <= held.first
    with pytest.raises(HouseRuleError):
        compare_rules("aof-1.6", [(("control-last", "on"),), ()], lists, SeriesPlan(games=2), ALONE)
    with pytest.raises(ShieldwallError, match="two or more settings"):
        compare_rules("aof-1.6", [()], lists, SeriesPlan(games=2), ALONE)


def test_settings_are_split_into_common_and_compared_ones() -> None:
    assert sorted_settings(["a=1"]) == ((("a", "1"),), [])
    common, settings = sorted_settings(["a=1", "b=2", "a=3"])
    assert common == (("b", "2"),)
    assert settings == [(("a", "1"), ("b", "2")), (("a", "3"), ("b", "2"))]
    with pytest.raises(ShieldwallError, match="compare one house rule at a time"):
        sorted_settings(["a=1", "a=2", "b=1", "b=2"])
    with pytest.raises(ShieldwallError, match="NAME=VALUE"):
        sorted_settings(["a"])


def test_the_command_writes_a_page_json_and_parquet_and_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "found.html"
    order = ["compare", ONE, TWO, "-e", EDITION, "--bot", "random", "--games", "2", "--workers", "1"]
    assert main([*order, "--report", str(out)]) == 0
    capsys.readouterr()
    html = out.read_text()
    assert html.startswith("<!doctype html>")
    assert "http" not in html  # nothing is loaded from elsewhere
    assert "<svg" in html
    assert json.loads((tmp_path / "found.json").read_text())["games"] == 2
    assert polars.read_parquet(tmp_path / "found.parquet").height == 2
    journal = journal_of(out)
    assert journal is not None
    before = journal.read_bytes()
    assert main([*order, "--report", str(out)]) == 0  # nothing is left to play
    assert journal.read_bytes() == before


@pytest.mark.parametrize(
    ("order", "says"),
    [
        (["compare", ONE], "a comparison needs two lists"),
        (["compare", ONE, TWO, "--bot", "nobody"], "no bot called 'nobody'"),
        (["compare", ONE, TWO, "--report", "found.pdf"], "ends with .html"),
        (["compare", ONE, TWO, "--report", "no/such/place/found.html"], "create it first"),
        (["balance", "no-such-folder"], "there is no folder"),
        (["army", "review", "no-such-list"], "no-such-list"),
    ],
)
def test_impossible_comparisons_are_refused_at_once(
    order: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(order) == 2
    assert says in capsys.readouterr().err


def test_a_balance_rates_every_list_and_knows_every_meeting(tmp_path: Path) -> None:
    for name in (ONE, TWO, "saltgrass-clans-750"):
        (tmp_path / f"{name}.yaml").write_text(write_list(ready_list(EDITION, name)))
    lists = lists_in(str(tmp_path), EDITION, 0)
    found, outcomes = balance_lists(EDITION, lists, SeriesPlan(bot="random", games=2), ALONE)
    HANDED_IN.clear()
    assert len(outcomes) == 6
    assert sorted(one.bot for one in found.rated) == sorted(lists)
    assert sum(one.elo for one in found.rated) == pytest.approx(0, abs=1e-6)
    for one in lists:
        for other in lists:
            score, back = found.score(one, other), found.score(other, one)
            assert (score is None) == (one == other)
            assert score is None or back == pytest.approx(1 - score)
    assert "Who beats whom" in page_of(found)


def test_a_review_ranks_units_and_tests_swaps_that_are_legal(tmp_path: Path) -> None:
    army = ready_list(EDITION, ONE)
    found, outcomes = review_list(
        army,
        (),
        ReviewOrder(field=(TWO,), swaps=1),
        SeriesPlan(bot="random", games=2),
        Runner(out=tmp_path / "r.games.jsonl", workers=1),
    )
    HANDED_IN.clear()
    assert [one.per_point for one in found.units] == sorted(one.per_point for one in found.units)
    assert sum(one.cost for one in found.units) == 750
    assert len(found.swaps) == 1
    assert found.swaps[0].low <= found.swaps[0].change <= found.swaps[0].high
    assert len(outcomes) == 4
    page = page_of(found)
    assert "What to swap" in page
    assert ("Shown to be better" in page) == any(swap.low > 0 for swap in found.swaps)
    assert msgspec.json.decode(msgspec.json.encode(found))["army"] == army.name


def test_pages_escape_what_people_wrote() -> None:
    made = page("<b>", "a & b", [intervals([("<i>", 1.0, 0.5, 2.0)], 1.0), heat_map(["<u>"], [[None]])], "x")
    assert "<b>" not in made
    assert "<i>" not in made
    assert "<u>" not in made


def test_the_interval_of_a_mean_holds_it() -> None:
    low, high = mean_interval([1.0, 2.0, 3.0])
    assert (low, high) == pytest.approx((2.0 - 2.484, 2.0 + 2.484), abs=0.001)
    assert mean_interval([1.0]) == (float("-inf"), float("inf"))


def test_narrow_columns_leave_out_what_both_names_begin_with() -> None:
    from shieldwall.cli.compare import short_names

    assert short_names(("regiments-3.5/kilnfolk-750", "regiments-3.5/a-b")) == ("kilnfolk-750", "a-b")
    assert short_names(("aof-2/kilnfolk-750", "mine.json")) == ("aof-2/kilnfolk-750", "mine.json")
