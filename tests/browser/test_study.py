"""Getting better: an analysis opened from a result, and a battle played on from one of its moments."""

from __future__ import annotations

from playwright.sync_api import expect

from shieldwall.replay import encode_log
from tests.analysis.test_analysis import small_game
from tests.browser.conftest import OpenPage

UPLOAD = "async (text) => (await (await fetch('/api/files', {method: 'POST', body: text})).json()).game"


def test_an_analysis_is_opened_from_a_result_and_the_battle_played_on(visit: OpenPage) -> None:
    table = visit("/", phone=True)
    page = table.page
    game = page.evaluate(UPLOAD, encode_log(small_game()[1]).decode())
    page.goto(f"/result/{game}")
    table.find("analyse").click()
    curve = table.find("curve")
    expect(curve).to_be_visible()
    assert int(curve.get_attribute("data-points") or 0) > 5
    curve.press("ArrowLeft")
    expect(table.find("play-on")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]
    table.find("play-on").click()
    table.find("what-if").get_by_role("button", name="First Rain").click()
    table.find("what-if-go").click()
    table.battle.wait_for()
    expect(table.find("round")).to_have_attribute("data-round", "4")
    page.go_back()
    expect(table.find("analysis")).to_have_attribute("data-status", "done", timeout=150_000)
    expect(table.find("analysis")).to_contain_text("Decisions of")
