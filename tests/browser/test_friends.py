"""Two people at two browsers: a clock, talk, taking back, reloads, somebody who watches, and two rematches."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import AT_HOME, DESKTOP, OpenPage, start_server
from tests.browser.table import LANDSCAPE, PORTRAIT, Table, asked_of


def test_friends_play_with_a_clock_take_back_reload_and_have_two_rematches(visit: OpenPage) -> None:
    host = visit()
    host.find("opponent-friend").click()
    host.find("clock").select_option("game-60")
    host.start("skirmish-3.2", opponent="friend", setup="by_hand")
    link = host.find("invite-link").input_value()
    expect(host.page).to_have_title("Waiting for a friend · Shieldwall")
    friend = visit(link)
    expect(friend.find("clock")).to_contain_text("60 minutes per side")
    friend.page.get_by_label("Your name").fill("Bram")
    watcher = visit(link, troubled=True)  # opens the link as well, and is slower
    expect(watcher.find("join")).to_be_enabled()
    friend.find("join").click()
    friend.battle.wait_for()
    watcher.find("join").click()
    watcher.find("watch").click()
    expect(watcher.find("watching")).to_be_visible()
    friend.page.goto(link)  # whoever plays in the battle goes on
    tables = (host, friend)
    for table in (*tables, watcher):
        expect(table.find("clocks")).to_be_visible()
    _take_back(tables, watcher)
    _talk(host, friend)
    host.resign()
    for table in (*tables, watcher):
        expect(table.find("moment")).to_contain_text("gave up")
    # from the battle itself, with swapped armies; the offer is still there after a reload
    first = host.page.url
    host.find("rematch-swapped").click()
    expect(friend.find("rematch-state")).to_contain_text("offers a rematch with swapped armies")
    friend.page.reload()
    friend.find("rematch-yes").click()
    for table in (*tables, watcher):
        expect(table.page).not_to_have_url(first)
        expect(table.find("clocks")).to_be_visible()
    # from the page after the battle, declined at first
    asked_of(tables)
    expect(friend.find("round")).to_have_text(host.find("round").inner_text())
    friend.resign()
    expect(host.find("moment")).to_be_visible()
    host.find("to-result").click()
    friend.find("rematch").click()
    host.find("rematch-no").click()
    expect(friend.find("rematch-state")).to_contain_text("does not want a rematch")
    second = friend.page.url
    host.find("rematch").click()
    friend.find("rematch-yes").click()
    for table in tables:
        expect(table.page).not_to_have_url(second)
        table.battle.wait_for()
    # everybody finds the battle in the list, with whose turn it is and how long they have
    asked_of(tables).page.goto("/")
    games = next(table for table in tables if table.page.url.endswith("/"))
    newest = games.page.locator("[data-testid^=game-]").first
    expect(newest.locator(".tag")).to_have_text("Your turn")
    expect(games.page).to_have_title(re.compile(r"^\(1\) Your turn"))


def _take_back(tables: tuple[Table, Table], watcher: Table) -> None:
    """One asks to take back what the other has answered since; the other refuses at first, reloads, and agrees."""
    one = asked_of(tables)
    other = one.other(tables)
    expect(one.page).to_have_title(re.compile("^● Your turn"))
    while asked_of(tables) is one:
        one.go()
    expect(one.find("ask-back")).to_have_count(0)  # alone they could still take it back
    other.go()
    one.find("ask-back").click()
    other.find("back-no").click()
    expect(one.find("log")).to_contain_text("I would rather not let")
    one.find("ask-back").click()
    expect(other.find("take-back")).to_have_count(0)  # one thing at a time
    for size in (PORTRAIT, LANDSCAPE, DESKTOP):  # in sight of whoever waits
        other.page.set_viewport_size(size)
        expect(other.find("back-yes")).to_be_in_viewport(ratio=0.99)
    other.page.reload()
    other.find("back-yes").click()
    for table in (*tables, watcher):
        expect(table.find("log")).to_contain_text(re.compile("took back a move; .+ agreed"))
    one.page.reload()
    expect(one.find("log")).to_contain_text(re.compile("took back a move; .+ agreed"))


def _talk(host: Table, friend: Table) -> None:
    """Quick messages and words of one's own are heard until they are muted; links are copied from the menu."""
    for table in (host, friend):
        table.page.get_by_role("button", name="Open the whole log").click()
    host.find("quick").first.click()
    expect(friend.find("log")).to_contain_text("Good luck!")
    friend.find("mute").check()
    host.find("say").fill("Are you there?")
    host.page.keyboard.press("Enter")
    expect(host.find("log")).to_contain_text("Are you there?")
    assert "Are you there?" not in friend.find("log").inner_text()
    for table in (host, friend):
        table.page.get_by_role("button", name="Close the log").click()
    host.find("menu").click()
    host.find("copy-watch").click()
    expect(host.find("copied")).to_contain_text(re.compile("copied|/game/"))
    host.find("menu").click()


def test_time_that_runs_out_is_claimed(
    browser: Browser, built_page: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A minute takes a fifth of a second here, so that a quarter of an hour is over soon."""
    monkeypatch.setenv("MINUTE_MS", "200")
    served = start_server(tmp_path)
    contexts = [browser.new_context(viewport=DESKTOP, base_url=served.address) for _ in range(2)]
    try:
        host, friend = (Table(context.new_page()) for context in contexts)
        for context in contexts:
            context.add_init_script(AT_HOME)
        host.page.goto("/")
        host.find("opponent-friend").click()
        host.find("clock").select_option("game-15")
        host.start("skirmish-3.2", opponent="friend")
        host.find("menu").click()
        host.find("copy-invite").click()
        expect(host.find("copied")).to_contain_text(re.compile("copied|/join"))
        host.page.keyboard.press("Escape")
        friend.page.goto(host.find("invite-link").input_value())
        friend.find("join").click()
        tables = (host, friend)
        for _ in tables:  # the time of each runs from its first answer, which is a whole activation here
            asked_of(tables).go()
        late = asked_of(tables)
        early = late.other(tables)
        expect(early.find("late")).to_contain_text("has run out of time")
        expect(late.find("out")).to_be_visible()
        early.find("claim").click()
        for table in tables:
            expect(table.find("moment")).to_contain_text("ran out of time")
        early.find("menu").click()
        early.find("copy-replay").click()
        expect(early.find("copied")).to_contain_text(re.compile("copied|/result/"))
    finally:
        for context in contexts:
            context.close()
        served.process.terminate()
        served.process.wait(timeout=30)


def test_a_game_over_days_says_whose_turn_it_is_and_how_long_they_have(visit: OpenPage) -> None:
    host = visit()
    host.find("opponent-friend").click()
    host.find("clock").select_option("turn-3")
    host.start("skirmish-3.2", opponent="friend")
    friend = visit(host.find("invite-link").input_value())
    expect(friend.find("clock")).to_contain_text("3 days per turn")
    friend.find("join").click()
    asked = asked_of((host, friend))
    asked.find("do-activation").click()
    asked = asked_of((host, friend))
    for table in (host, friend):
        table.page.goto("/")
        row = table.page.locator("[data-testid^=game-]").first
        if table is asked:
            expect(row.locator(".tag")).to_have_text("Your turn")
            expect(row.get_by_test_id("left")).to_contain_text(re.compile(r"[23] d"))
        else:
            expect(row.locator(".tag")).not_to_have_text("Your turn")


NOTES = "async () => (await (await navigator.serviceWorker.ready).getNotifications()).map((n) => n.title)"


def test_the_page_can_be_installed_notifies_and_opens_without_a_line(visit: OpenPage) -> None:
    table = visit(troubled=True)
    page = table.page
    page.context.grant_permissions(["notifications"])
    expect(table.find("start")).to_be_visible()
    page.evaluate("() => navigator.serviceWorker.ready")
    page.reload()  # from here on the worker keeps what the page is made of
    expect(table.find("start")).to_be_visible()
    manifest = page.request.get("/manifest.webmanifest").json()
    for icon in manifest["icons"]:
        assert page.request.get(icon["src"]).ok
    table.start("skirmish-3.2", bot="random")
    assert table.wait_for_my_turn()
    table.find("menu").click()
    table.find("notify").check()
    table.find("menu").click()
    page.evaluate("() => Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    table.find("do-activation").click()  # somebody who looks elsewhere is told when the turn comes back
    page.wait_for_function(f"async () => (await ({NOTES})()).includes('Your turn')", timeout=60_000)
    context = page.context
    context.set_offline(True)
    expect(page.get_by_text("Connection lost, trying again")).to_be_visible()
    page.goto("/")
    expect(page.get_by_text("The server cannot be reached")).to_be_visible()
    context.set_offline(False)
    page.go_back()
    assert table.wait_for_my_turn() or table.is_over()
    expect(page.get_by_text("Connection lost")).to_be_hidden()
