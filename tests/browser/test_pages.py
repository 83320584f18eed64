"""The pages around a battle."""

from __future__ import annotations

import gzip
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Route, expect

from tests.armies.forge_samples import as_bytes, book, export_list
from tests.browser.conftest import STATIC, OpenPage
from tests.browser.table import CUT, OVERLAPS

LAPTOP = {"width": 1280, "height": 800}
HEIGHT = "document.documentElement.scrollHeight"


def test_a_newcomer_is_in_a_battle_after_one_click(visit: OpenPage) -> None:
    """On a laptop all choices are in sight, and the button covers none of them."""
    table = visit()
    table.page.set_viewport_size(LAPTOP)
    for choice in ("edition", "opponent-bot", "goal", "start"):
        expect(table.find(choice)).to_be_in_viewport(ratio=1)
    assert table.page.evaluate(OVERLAPS, ["[data-testid=goal]", "[data-testid=start]"]) == []
    for width in (1100, 820, 390, 360):
        table.page.set_viewport_size(LAPTOP | {"width": width})
        assert table.page.locator(".opt-card b, .opt-card small").evaluate_all(CUT) == [], f"at {width}"
    table.find("start").click()
    table.battle.wait_for()
    assert table.wait_for_my_turn()


def test_the_rules_are_searched_and_set_side_by_side(visit: OpenPage) -> None:
    table = visit("/rules")
    table.find("rules-search").fill("flank charge")
    expect(table.find("rules").locator("article").first).to_be_visible()
    table.find("beside").check()
    expect(table.find("columns").locator("section")).to_have_count(5)
    assert table.page.title() == "Rules · Shieldwall"


def test_a_whole_book_is_read_by_its_chapters(visit: OpenPage) -> None:
    table = visit("/rules")
    chapters = table.find("chapters").locator("details.chapter")
    expect(chapters.first).to_be_visible()
    assert chapters.count() >= 5
    table.find("rules-edition").select_option("skirmish-3.2")
    expect(table.page.get_by_role("heading", name="Skirmish")).to_be_visible()
    chapters.first.locator("summary").first.click()
    expect(chapters.first.locator("article").first).to_be_visible()
    expect(chapters.first.locator("article").first).to_contain_text("SK32-")


def test_odds_change_with_the_action(visit: OpenPage) -> None:
    table = visit("/odds")
    expect(table.find("odds")).to_be_visible()
    table.find("action-charge").click()
    expect(table.find("odds").locator("section")).to_have_count(2)
    words = table.find("odds-words")
    expect(words).to_contain_text(
        "Harbour Pikes charge Slag Troll"
    )  # the unit that was picked, not the hero in it
    table.find("arc-rear").click()
    expect(words).to_contain_text("charge the rear of Slag Troll")
    expect(table.find("odds").locator("section").last).to_contain_text(
        "no wounds"
    )  # nobody strikes back there


def test_an_army_is_built_saved_and_found_again(visit: OpenPage) -> None:
    table = visit("/armies")
    table.page.locator("[data-testid^=book-]").first.click()
    table.page.locator("[data-testid^=add-]").first.click()
    expect(table.find("cost")).not_to_have_text("0")
    table.find("army-name").fill("Sunday <b>levy</b>")
    table.find("save").click()
    expect(table.find("save")).to_have_text("Saved")
    table.page.goto("/armies")
    expect(table.page.get_by_text("Sunday <b>levy</b>", exact=True)).to_be_visible()


def test_an_army_in_the_making_is_kept_and_played_and_an_empty_one_is_not_offered(visit: OpenPage) -> None:
    table = visit("/armies")
    table.page.locator("[data-testid^=book-]").first.click()
    table.find("army-name").fill("Nobody")
    table.page.get_by_role("link", name="Play").click()  # walks away without saving
    expect(table.find("start")).to_be_visible()
    expect(table.page.get_by_text("No units yet")).to_be_visible()
    offered = table.page.locator(".opt-card", has_text="Nobody")
    assert offered.count() == 0
    table.page.get_by_role("link", name="Edit").click()
    expect(table.find("army-name")).to_have_value("Nobody")
    table.page.locator("[data-testid^=add-]").first.click()
    expect(table.find("cost")).not_to_have_text("0")
    table.find("play-army").click()
    expect(offered).to_have_attribute("aria-pressed", "true")


def test_a_pasted_list_becomes_an_army(visit: OpenPage) -> None:
    table = visit("/armies")
    table.page.locator("[data-testid^=book-]").first.wait_for()
    home = table.page.request.get("/api/home").json()
    ready = next(army for edition in home["editions"] for army in edition["armies"])
    text = table.page.request.get(f"/api/armies/{ready['id']}/file").json()["text"]
    table.find("import-text").fill(text)
    table.find("import").click()
    expect(table.page.locator("[data-testid^=entry-]")).to_have_count(ready["units"])


def test_a_list_that_names_its_units_by_number_is_brought_with_its_book(
    visit: OpenPage, tmp_path: Path
) -> None:
    """First without the book, which is then asked for by name; the list is whole as soon as the book is there."""
    (tmp_path / "book.json").write_bytes(as_bytes(book()))
    (tmp_path / "list.json").write_bytes(as_bytes(export_list()))
    table = visit("/armies")
    table.page.locator("[data-testid^=book-]").first.wait_for()
    table.find("import-file").set_input_files(tmp_path / "list.json")
    expect(table.find("remarks")).to_contain_text("the book Bee Keepers")
    expect(table.page.get_by_text("the army book Bee Keepers")).to_have_count(1)
    table.page.goto("/armies")
    table.page.locator("[data-testid^=book-]").first.wait_for()
    table.find("import-file").set_input_files(tmp_path / "book.json")
    expect(table.find("army-news")).to_contain_text("Added to your books: Bee Keepers")
    whole = table.page.locator("[data-testid^=army-]", has_text="365 points")
    expect(whole).to_have_count(1)
    drop = table.page.locator("[data-testid^=drop-]")
    expect(drop).to_have_count(1)
    drop.click()
    expect(table.find("army-news")).to_contain_text("removed from your books")
    expect(drop).to_have_count(0)


def test_a_book_and_its_list_are_brought_together(visit: OpenPage, tmp_path: Path) -> None:
    (tmp_path / "book.json").write_bytes(as_bytes(book()))
    (tmp_path / "list.json").write_bytes(as_bytes(export_list()))
    table = visit("/armies")
    table.page.locator("[data-testid^=book-]").first.wait_for()
    table.find("import-file").set_input_files([tmp_path / "list.json", tmp_path / "book.json"])
    expect(table.find("cost")).to_have_text("365")
    expect(table.find("army-name")).to_have_value("Hive")


def test_a_table_of_ones_own_is_laid_out(visit: OpenPage) -> None:
    table = visit("/setup")
    pieces = table.page.locator("[data-testid^=piece-]")
    pieces.first.wait_for()
    generated = pieces.count()
    table.find("by-hand").click()
    table.find("add-forest").click()
    expect(pieces).to_have_count(generated + 1)  # the table that was shown is the start of one's own
    piece = pieces.last
    before = piece.get_attribute("d")
    table.drag(piece, 60, 40)
    expect(piece).not_to_have_attribute("d", before or "")


def as_if_two_ended_at_once(route: Route) -> None:
    """A result in which every activation ended together with another one, by the same answer."""
    response = route.fetch()
    result = response.json()
    result["luck_track"] = [step for step in result["luck_track"] for _ in range(2)]
    route.fulfill(response=response, json=result)


def test_a_finished_battle_is_watched_again(visit: OpenPage) -> None:
    table = visit()
    table.page.route("**/api/games/*/result", as_if_two_ended_at_once)
    table.start("skirmish-3.2")
    for _ in range(2):
        table.answer_until("activate")
        table.find("do-activation").click()
    assert table.wait_for_my_turn()
    table.resign()
    table.see_result()
    caption = table.find("caption")
    expect(caption).to_contain_text("Round")  # the replay is there, at its end
    expect(table.page.get_by_role("heading", name="Luck")).to_be_visible()
    for tall in (1080, 900):
        table.page.set_viewport_size({"width": 1440, "height": tall})
        table.until_resting()
        assert table.page.evaluate(HEIGHT) <= 1150, (
            f"nearly all of it at a glance in a window {tall} pixels tall"
        )
    table.find("scrubber").focus()
    table.page.keyboard.press("Home")
    expect(caption).to_contain_text("Set-up")
    table.page.keyboard.press("ArrowRight")
    expect(caption).not_to_contain_text("Set-up")
    with table.page.expect_download() as download:
        table.find("share").click()
    assert download.value.suggested_filename.endswith(".jsonl")


@pytest.mark.parametrize("path", ["/", "/armies", "/odds", "/rules", "/setup"])
def test_no_page_sticks_out_of_a_phone(visit: OpenPage, path: str) -> None:
    table = visit(path, phone=True)
    table.page.wait_for_load_state("networkidle")
    assert table.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_first_page_is_small_and_is_sent_as_small_as_it_is(server: str) -> None:
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    assets = [name for name in (STATIC / "assets").iterdir() if name.name in page]
    first = [STATIC / "index.html", STATIC / "theme.js", *assets]
    # what the first script pulls in with it is small too, but is counted by the browser, not here
    weight = sum(len(gzip.compress(path.read_bytes())) for path in first)
    assert assets
    assert weight < 200_000
    for path in assets:
        asked = Request(f"{server}/assets/{path.name}", headers={"accept-encoding": "gzip"})
        with urlopen(asked) as answer:
            assert answer.headers["content-encoding"] == "gzip"
            sent = answer.read()
        assert gzip.decompress(sent) == path.read_bytes()
        assert len(sent) < path.stat().st_size / 2
        with urlopen(f"{server}/assets/{path.name}") as answer:  # whoever cannot read that
            assert answer.headers["content-encoding"] is None
            assert answer.read() == path.read_bytes()


def test_an_army_is_deleted_by_the_second_click_only(visit: OpenPage) -> None:
    table = visit("/armies")
    table.page.get_by_role("button", name="Copy to my armies").first.click()
    expect(table.find("play-army")).to_be_visible()
    table.page.goto("/armies")
    mine = table.page.locator("article[data-testid^=army-]")
    expect(mine).to_have_count(1)
    table.page.get_by_role("button", name="Delete").click()
    expect(mine).to_have_count(1)
    table.find("delete-sure").click()
    expect(mine).to_have_count(0)


OAK_BOOK = """format: shieldwall-book/1
id: oaks
name: Oak Wardens
version: "1"
system: regiments-3.5
rules:
  Oathbound: "When charging, this model gets AP(+1)."
  Deep Roots: "This model sings to the trees until they answer."
units:
  - {id: wardens, name: Wardens, size: 5, quality: 4, defense: 4, cost: 110, equipment: Spear (A1),
     rules: "Oathbound, Deep Roots"}
"""
OAK_LIST = """format: shieldwall-list/1
name: Grove
edition: regiments-3.5
points: 750
books: [{id: oaks, name: Oak Wardens, version: "1"}]
units:
"""


def test_rules_that_are_not_played_are_named_and_problems_are_mended_with_a_click(
    visit: OpenPage, tmp_path: Path
) -> None:
    """From the import of a list to the battle it is played in."""
    (tmp_path / "book.yaml").write_text(OAK_BOOK)
    units = "".join(f"  - {{id: u{number}, unit: wardens}}\n" for number in range(1, 8))
    (tmp_path / "list.yaml").write_text(OAK_LIST + units)
    table = visit("/armies")
    table.page.locator("[data-testid^=book-]").first.wait_for()
    table.find("import-file").set_input_files([tmp_path / "list.yaml", tmp_path / "book.yaml"])
    expect(table.find("coverage").locator("summary")).to_have_text("1 of 2 rules are played")
    table.find("coverage").locator("summary").click()
    expect(table.find("coverage")).to_contain_text("Deep Roots not played This model sings to the trees")
    table.find("entry-u2").click()
    lines = table.find("rule-lines")
    lines.get_by_text("Oathbound").click()
    expect(lines).to_contain_text("When charging, this model gets AP(+1).")
    expect(lines.locator("summary", has_text="Deep Roots")).to_contain_text("not played")
    expect(lines.locator("summary", has_text="Oathbound")).not_to_contain_text("not played")
    table.find("repair").click()
    expect(table.find("cost")).to_have_text("660")
    expect(table.find("repair")).to_have_count(0)
    table.find("save").click()
    expect(table.find("save")).to_have_text("Saved")
    table.find("play-army").click()
    expect(table.find("unplayed")).to_have_text(
        "Grove: 1 of 2 rules are played; not played: Deep Roots (Wardens)"
    )
