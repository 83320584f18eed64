"""The page in rough hands: two tabs, reloads, dead links, hostile files and endless names."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage

LONG = "<img src=x onerror=alert(1)> & " + "Wolf" * 12
WIDEST = 390


def test_two_tabs_of_one_player_follow_each_other(visit: OpenPage) -> None:
    one = visit()
    one.start("regiments-3.5", opponent="seat")
    one.answer_until("activate")
    turn = one.page.locator(".turn")
    whose = turn.inner_text()
    page = one.page.context.new_page()
    page.goto(one.page.url)
    two = type(one)(page)
    two.battle.wait_for()
    two.answer_until("activate")
    one.page.keyboard.press("r")
    one.page.keyboard.press("Enter")
    expect(two.page.locator(".turn")).not_to_have_text(whose)
    two.page.keyboard.press("Escape")
    expect(turn).to_have_text(whose)


def test_a_reload_in_the_middle_of_a_move_asks_again_and_the_way_back_leads_home(visit: OpenPage) -> None:
    table = visit()
    table.start("regiments-3.5")
    table.answer_until("activate")
    table.page.keyboard.press("n")
    table.page.keyboard.press("ArrowUp")
    expect(table.find("verdict")).to_be_visible()
    table.page.reload()
    table.battle.wait_for()
    expect(table.find("question")).to_have_attribute("data-kind", "activate")
    table.until_resting()
    expect(table.find("verdict")).to_have_count(0)  # what was only tried is forgotten
    table.page.go_back()
    expect(table.find("start")).to_be_visible()
    table.page.go_forward()
    expect(table.find("question")).to_have_attribute("data-kind", "activate")


def test_links_that_lead_nowhere_say_so(visit: OpenPage) -> None:
    table = visit("/nothing/here", troubled=True)
    expect(table.page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    for path, words in (
        ("/game/0123456789abcdef01234567", "no such game"),
        ("/game/%3Cscript%3E", "no such game"),
        ("/result/%E0%A4%A", "no such game"),
        ("/result/0123456789abcdef01234567", "no such game"),
        ("/armies/0123456789abcdef01234567", "You have no such army"),
        ("/join#nonsense", "This invitation is not valid here"),
    ):
        table.page.goto(path)
        expect(table.page.get_by_text(re.compile(words))).to_be_visible()
        on = table.page.get_by_role("link", name=re.compile("Back to the first page|All your armies"))
        expect(on, path).to_be_visible()  # and where to go from there


def test_hostile_files_are_refused_in_words_and_nothing_breaks(visit: OpenPage, tmp_path: Path) -> None:
    table = visit("/armies", troubled=True)
    table.page.locator("[data-testid^=book-]").first.wait_for()
    aliases = 'a: &a ["x", "x"]\n' + "".join(f"b{n}: [*a, *a]\n" for n in range(9))
    for text in ("<script>alert(1)</script>", "[" * 5_000, aliases, "x" * 190_000):
        table.find("import-text").fill(text)
        table.find("import").click()
        expect(table.find("army-problem")).to_be_visible()
    for name, data in (("broken.jsonl", b"[" * 9_000), ("picture.json", bytes(range(256)))):
        table.page.goto("/")
        path = tmp_path / name
        path.write_bytes(data)
        table.find("open-file").set_input_files(path)
        expect(table.find("file-problem")).to_be_visible()


def test_endless_names_with_markup_are_text_and_fit_a_phone(visit: OpenPage) -> None:
    table = visit("/armies", phone=True)
    page = table.page
    page.locator("[data-testid^=book-]").first.wait_for()
    made = page.request.post("/api/armies/ready:kilnfolk-150/copy?edition=skirmish-3.2").json()
    army = made["army"] | {"name": LONG}
    army["entries"] = [entry | {"name": LONG[:60]} for entry in army["entries"]]
    assert page.request.put(f"/api/armies/{made['id']}", data={"army": army}).ok
    for path in (f"/armies/{made['id']}", "/armies", "/"):
        page.goto(path)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= WIDEST, path
    table.find("edition").select_option("skirmish-3.2")
    table.find(f"army-{made['id']}").tap()
    table.find("start").tap()
    table.battle.wait_for()
    assert table.wait_for_my_turn()
    table.find("grip").tap()
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDEST
    assert page.locator("img").count() == 0, "markup became an element"
    page.goto("/")
    expect(page.get_by_text(LONG[:40]).first).to_be_visible()
    expect(page.get_by_role("link", name="Continue").first).to_be_in_viewport()
    page.locator("[data-testid^=hide-]").tap()
    table.find("hide-sure").tap()
    expect(page.get_by_text("No games yet")).to_be_visible()
