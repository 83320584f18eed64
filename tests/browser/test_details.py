"""Details that players notice: losses picked on the table, spells in sight, lost lines, bars beside each other."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Route, WebSocketRoute, expect

from tests.browser.conftest import DESKTOP, OpenPage
from tests.browser.small import ME, small_battle
from tests.browser.table import (
    BARS,
    CUT,
    LANDSCAPE,
    MOST_CLICKS,
    OPEN_POINT,
    OVERLAPS,
    PORTRAIT,
    TURN,
    Table,
    asked_of,
)

SMALL = {"width": 1280, "height": 800}
ZOOMED = {"width": 960, "height": 600}  # a page of 1440 x 900 at 150 %
LATER = "2100-01-01"  # where a clock stands still
PAINT = "(base) => getComputedStyle(base).fill"


def until(table: Table, kind: str) -> None:
    """Play on until a kind of question comes: whole activations by the computer, everything else as suggested."""
    for _ in range(MOST_CLICKS):
        assert table.wait_for_my_turn(), f"the game ended before anybody asked for {kind!r}"
        if table.kind == kind:
            return
        (table.find("do-activation") if table.kind == "activate" else table.find("go")).click()
    raise AssertionError(f"never asked for {kind!r}")


def test_casualties_are_picked_on_the_table(visit: OpenPage) -> None:
    table = visit()
    small_battle(table, "aof-2", ("quay-crossbows", "harbour-pikes"), (ME, ME))
    until(table, "casualties")
    expect(table.find("question")).to_contain_text(re.compile(r"Choose \d+ models? of "))
    expect(table.find("said")).to_contain_text("The rear goes first")
    spared = table.page.locator("[data-testid^=choose-][aria-pressed=false]").first
    number = (spared.get_attribute("data-testid") or "").removeprefix("choose-")
    unit = table.page.locator(f".unit.sel:has([data-model='{number}'])")
    model = unit.locator(f"[data-model='{number}']")
    table.click(model)
    expect(table.find(f"choose-{number}")).to_have_attribute("aria-pressed", "true")
    table.go()
    expect(model).to_have_count(0)


def test_what_is_left_to_the_suggestion_for_good_is_left_to_it_in_the_next_battle_too(
    visit: OpenPage,
) -> None:
    table = visit()
    for battle in range(2):
        table.page.goto("/")
        small_battle(table, "aof-2", ("quay-crossbows", "harbour-pikes"), (ME, ME))
        if not battle:
            until(table, "casualties")
            table.find("always").click()
            table.wait_for_my_turn()
            assert table.kind != "casualties"
        table.find("menu").click()
        expect(table.find("ask-again-casualties")).to_have_text("Casualties: ask me again")
        table.find("menu").click()
    table.find("menu").click()
    table.find("ask-again-casualties").click()
    expect(table.find("ask-again-casualties")).to_have_count(0)
    table.page.reload()
    assert table.wait_for_my_turn()
    table.find("menu").click()
    expect(table.find("notify")).to_be_visible()
    expect(table.find("ask-again-casualties")).to_have_count(0)


def test_two_bots_do_not_show_the_end_before_it_is_shown(visit: OpenPage) -> None:
    """The server plays as fast as it can, and the page shows nothing meanwhile: its clock stands still."""
    table = visit()
    table.page.clock.install()
    table.page.route_web_socket("**", without_pauses)
    table.page.add_init_script("localStorage.setItem('shieldwall.speed', 'normal')")
    table.page.reload()
    table.start("skirmish-3.2", opponent="bots", bot="random")
    table.page.clock.pause_at(LATER)
    expect(table.battle).to_have_attribute("data-status", "over", timeout=TURN)
    expect(table.battle).to_have_attribute("data-settled", "false")
    early = table.page.evaluate("""() => ({ moment: !!document.querySelector('[data-testid=moment]'),
      turn: document.querySelector('.turn')?.textContent, title: document.title,
      said: document.querySelector('[data-testid=question]')?.textContent,
      settled: document.querySelector('[data-testid=battle]').dataset.settled })""")
    assert early["settled"] == "false", "the page shows what came before"
    assert not early["moment"]
    assert early["turn"] != "Over"
    assert not re.search("won|draw|over", f"{early['said']} {early['title']}", re.IGNORECASE)
    table.page.clock.resume()
    for _ in range(MOST_CLICKS):
        if table.battle.get_attribute("data-settled") == "true":
            break
        table.page.keyboard.press("Space")
    expect(table.find("moment")).to_be_visible()


def without_pauses(page: WebSocketRoute) -> None:
    """Bots on the server do not wait for the page."""
    server = page.connect_to_server()

    def forward_socket(message: str | bytes) -> None:
        told = json.loads(message)
        server.send(json.dumps(told | {"delay": 0}) if told.get("type") == "pace" else message)

    page.on_message(forward_socket)


def test_every_spell_is_shown_once_and_whole_on_a_small_screen(visit: OpenPage) -> None:
    table = visit()
    table.page.set_viewport_size(SMALL)
    table.find("edition").select_option("regiments-3.5")
    table.find("army-ready:glasswood-covenant-750").click()
    table.find("start").click()
    table.battle.wait_for(timeout=TURN)
    table.answer_until("activate")
    archers = table.page.locator(
        ".left .ucard.candidate[title='Glade Archers 1']"
    )  # two casters stand among them
    archers.click()
    table.find("action-cast").click()
    expect(table.find("action-cast")).to_have_attribute("aria-pressed", "true")
    table.go()
    expect(table.find("question")).to_have_attribute("data-kind", "cast")
    names = table.page.locator("[data-testid^=spell-]:not([data-testid^=spell-on-])").evaluate_all(
        "all => all.map((one) => one.dataset.testid)"
    )
    table.until_resting()  # with all of their odds
    assert len(names) >= 2
    assert len(set(names)) == len(names), "each spell once"
    for name in names:
        expect(table.find(name)).to_be_in_viewport(ratio=1)
        assert table.find(name).evaluate(OPEN_POINT), f"{name} is not below the button"
    target = table.page.locator("[data-testid^=spell-on-]").first
    expect(target).to_be_in_viewport(ratio=1)
    assert target.evaluate(OPEN_POINT), "nor is whom it would be cast on"
    expect(table.page.locator(".left .nm").first).to_contain_text("Glade")  # the list shows names
    assert table.page.locator(".left .nm > span").evaluate_all(CUT) == [], "and their numbers"


def test_a_drag_without_a_connection_spends_nothing(visit: OpenPage) -> None:
    table = visit(troubled=True)
    table.page.clock.install()
    small_battle(table, "skirmish-3.2", ("harbour-pikes", "salt-rangers"))
    table.answer_until("activate")
    number = table.at_hand()[0]
    unit = table.find(f"unit-{number}")
    before = unit.get_attribute("data-y")
    x, y = table.open_point(unit)
    table.page.context.set_offline(True)
    expect(table.page.get_by_text("Connection lost")).to_be_visible()
    for size in (PORTRAIT, DESKTOP):
        table.page.set_viewport_size(size)
        assert (
            table.page.evaluate(OVERLAPS, ["header.bar .tag", "header.bar .score", "header.bar button"]) == []
        ), size
    table.page.clock.pause_at(LATER)  # it does not give up asking for a verdict before the test has looked
    table.page.mouse.move(x, y)
    table.page.mouse.down()
    table.page.mouse.move(x, y - 30)
    table.page.mouse.move(x, y - 60)
    table.page.mouse.up()
    table.page.keyboard.press("Enter")
    expect(table.battle).to_have_attribute("data-judging", "true")  # it waits for its verdict
    expect(unit).to_have_attribute("data-y", before or "")
    table.page.keyboard.press("Escape")
    table.page.clock.resume()
    table.page.context.set_offline(False)
    expect(table.page.get_by_text("Connection lost")).to_be_hidden()
    expect(table.find("question")).to_have_attribute("data-kind", "activate")
    expect(unit).to_have_attribute("data-y", before or "")
    assert "acted" not in table.classes_of(number), "nothing was spent"
    table.activate_by_hand(unit=number, up=50)
    expect(table.find("verdict")).to_be_visible()


def test_enter_does_what_the_button_says(visit: OpenPage) -> None:
    table = visit()
    small_battle(table, "skirmish-3.2", ("harbour-pikes", "salt-rangers"), (ME, ME))
    table.answer_until("activate")
    table.until_resting()
    expect(table.find("said")).not_to_be_empty()
    expect(table.find("hint")).to_have_count(0)  # the suggestion says all that it could say
    keys = table.page.keyboard
    table.page.locator("body").press("n")
    table.until_judged()
    for action, words in (("h", "Stay here"), ("r", "Rush")):
        keys.press(action)
        table.until_judged()
        if action == "r":
            for _ in range(4):
                keys.press("ArrowUp")
            table.until_judged()
        expect(table.find("go")).to_contain_text(words)
        expect(table.find("hint")).to_be_visible()  # for whoever goes another way
    number = table.page.locator(".unit.sel").get_attribute("data-unit")
    unit = table.find(f"unit-{number}")
    before = unit.get_attribute("data-y")
    unit.focus()  # Enter presses the big button there as well
    keys.press("Enter")
    expect(unit).not_to_have_attribute("data-y", before or "")
    expect(unit).to_have_class(re.compile("acted"))


def test_threat_ranges_know_who_cannot_charge(visit: OpenPage) -> None:
    table = visit()
    small_battle(table, "regiments-3.4", ("mole-bombard", "harbour-pikes"))  # the bombard never moves there
    table.answer_until("activate")
    table.click(
        table.page.locator(".unit.a[data-tip='Harbour Pikes']")
    )  # whoever they could shoot would be its target
    for name, charges in (("Mole Bombard", 0), ("Harbour Pikes", 1)):
        table.click(table.page.locator(f".unit.b[data-tip='{name}']"))
        expect(table.page.locator(".region.fan, .region.gold").first).to_be_attached()
        expect(table.page.locator(".region.gold")).to_have_count(charges)
        table.page.keyboard.press("Escape")


def test_a_bot_is_never_asked_to_let_a_move_be_taken_back(visit: OpenPage) -> None:
    """What cannot be taken back alone any more is not offered at all."""
    table = visit()
    small_battle(table, "skirmish-3.2", ("harbour-pikes", "salt-rangers"))
    table.answer_until("activate")
    table.find("do-activation").click()
    table.answer_until("activate")  # the bot has acted since
    expect(table.find("ask-back")).to_have_count(0)
    assert "take back" not in table.page.locator("aside.right").inner_text()


def test_words_about_a_move_cover_neither_where_the_unit_stands_nor_where_it_goes(visit: OpenPage) -> None:
    table = visit()
    small_battle(table, "regiments-3.5", ("harbour-pikes", "quay-crossbows"))
    table.answer_until("activate")
    number = table.at_hand()[0]
    for size in (DESKTOP, SMALL):
        table.page.set_viewport_size(size)
        for up in (25, 45, 70):  # the way leaves no room for words between start and end, or just a little
            table.activate_by_hand(unit=number, up=up)
            assert table.page.locator(".pill.legal, .pill.refuse").count()
            parts = [
                ".pill.legal, .pill.refuse",
                ".ghost [data-drag=ghost].edge",
                f"[data-testid=unit-{number}] .tray",
            ]
            for part in parts:
                assert table.page.locator(part).count(), part
            assert [one for one in table.page.evaluate(OVERLAPS, parts) if "pill" in one] == []
            table.page.keyboard.press("Escape")


def test_acted_units_keep_their_colour_and_names_say_where_they_stand(
    visit: OpenPage,
) -> None:
    table = visit()
    table.start("regiments-3.5", bot="random")
    table.answer_until("activate")
    mine = table.page.locator(".unit.a")
    painted = {
        number: table.find(f"unit-{number}").locator("[data-model] path").nth(1).evaluate(PAINT)
        for number in numbers(table)
    }
    for unit in mine.all():
        label = unit.get_attribute("aria-label") or ""
        assert re.search(r"inches|near|left|right|middle|edge|corner", label), label
    assert table.page.locator(".pieces[tabindex='0']").count() == 1
    assert table.page.locator(".terrain[tabindex='0']").count() == 0, "one stop for all terrain"
    table.find("do-activation").click()
    table.answer_until("activate")
    acted = table.page.locator(".unit.a.acted").first
    number = acted.get_attribute("data-unit") or ""
    assert acted.locator("[data-model] path").nth(1).evaluate(PAINT) == painted[number]
    assert acted.evaluate("(unit) => Number(getComputedStyle(unit).opacity)") > 0.6


def numbers(table: Table) -> list[str]:
    """The numbers of this player's units on the table."""
    return table.page.locator(".unit.a").evaluate_all("all => all.map((one) => one.dataset.unit)")


@pytest.mark.parametrize("edition", ["regiments-3.5", "skirmish-3.2"])
def test_no_bar_covers_another_and_a_phone_on_its_side_shows_table_and_question(
    visit: OpenPage, edition: str
) -> None:
    table = visit(phone=True)
    table.start(edition, bot="random")
    table.answer_until("activate")
    for size in (PORTRAIT, LANDSCAPE, {"width": 360, "height": 640}, ZOOMED, SMALL, DESKTOP):
        table.page.set_viewport_size(size)
        expect(table.find("question")).to_be_in_viewport(ratio=1)
        expect(table.find("go")).to_be_in_viewport(ratio=1)
        table.open_point(table.page.locator(".unit.sel"))
        assert table.page.evaluate(OVERLAPS, BARS) == [], f"at {size}"


SINGERS = """format: shieldwall-book/1
id: oaks
name: Oak Wardens
version: "1"
system: skirmish-3.2
rules:
  Root Grasp: >-
    Once each activation, before it attacks, pick one enemy unit within 48 inches and roll 4 dice.
    For each 5+, it takes one hit with AP(1).
units:
  - {id: singers, name: Singers, size: 3, quality: 4, defense: 4, cost: 90, equipment: Spear (A1), rules: "Root Grasp"}
"""


def test_a_question_of_an_army_rule_says_what_the_rule_does(visit: OpenPage) -> None:
    table = visit()
    table.find("start").wait_for()
    assert table.page.request.post("/api/books", data=SINGERS, timeout=TURN).ok
    small_battle(table, "skirmish-3.2", ("singers", "singers"), book=("oaks", "Oak Wardens"))
    until(table, "activate")
    table.go()
    until(table, "rule_pick")
    expect(table.find("rule-asked")).to_contain_text("pick one enemy unit within 48 inches")
    expect(table.find("go")).to_contain_text("Pick Singers")


def test_whoever_waits_sees_the_table_on_a_phone(visit: OpenPage) -> None:
    host = visit(phone=True)
    host.start("skirmish-3.2", opponent="friend")
    expect(host.find("invite-link")).to_be_in_viewport(ratio=1)  # the next thing to do is to send it
    friend = visit(host.find("invite-link").input_value(), phone=True)
    friend.find("join").tap()
    friend.battle.wait_for(timeout=TURN)
    for table in (host, friend):
        expect(table.battle).to_have_attribute("data-phase", "battle", timeout=TURN)
        expect(table.battle).to_have_attribute("data-settled", "true")
    waiting = asked_of((host, friend)).other((host, friend))
    sheet = waiting.page.locator("aside.right")
    expect(sheet).to_have_class(re.compile("peek"))
    box = sheet.bounding_box()
    assert box is not None
    assert box["height"] < PORTRAIT["height"] * 0.3, "most of the screen is the table"


def test_a_start_that_fails_says_why_in_names(visit: OpenPage) -> None:
    table = visit(troubled=True)
    table.find("start").wait_for()
    table.page.route("**/api/games", refused)
    table.find("start").click()
    problem = table.page.get_by_role("alert")
    expect(problem).to_contain_text("Harbour Watch: 800 points; 750 are allowed")
    expect(problem).to_be_in_viewport(ratio=1)
    expect(table.find("start")).to_be_enabled()


def refused(route: Route) -> None:
    """What the server says to an army that is too large."""
    words = "Harbour Watch: 800 points; 750 are allowed"
    if route.request.method == "POST":
        route.fulfill(status=400, json={"code": "malformed", "reasons": [{"text": words, "cite": ""}]})
    else:
        route.continue_()
