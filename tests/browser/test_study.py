"""Getting better: an analysis opened from a result, a battle played on from one of its moments, and a puzzle."""

from __future__ import annotations

from playwright.sync_api import expect

from shieldwall.puzzles import puzzles
from shieldwall.replay import encode_log
from tests.analysis.test_analysis import small_game
from tests.browser.conftest import OpenPage
from tests.browser.table import MOST_CLICKS, TURN, Table
from tests.browser.test_access import look_at

# after an answer: the next question of this player once nothing is being judged, or the verdict
ASKED_OR_JUDGED = """() => { const b = document.querySelector('[data-testid=battle]').dataset;
    const p = document.querySelector('[data-testid=puzzle]').dataset;
    return p.verdict || (b.settled === 'true' && p.judging === 'false' && b.myTurn === 'true' && p.seen === p.seq) }"""
ENDED = "() => document.querySelector('[data-testid=puzzle]')?.dataset.verdict"
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
    expect(table.find("analysis")).to_have_attribute("data-status", "done", timeout=300_000)
    expect(table.find("analysis")).to_contain_text("Decisions of")
    complaints: list[str] = []
    look_at(page, complaints)
    assert not complaints, "\n".join(complaints)


def play(table: Table, unit: int, key: str, target: int = -1) -> None:
    """One activation by hand: a unit, its action, a target, and then whatever is suggested until it is over."""
    click(table, unit)
    table.page.keyboard.press(key)
    table.until_judged()
    if target >= 0:
        click(table, target)
    for _ in range(MOST_CLICKS):
        table.page.wait_for_function(ASKED_OR_JUDGED, timeout=TURN)
        if table.page.evaluate(ENDED):
            return
        table.until_judged()
        table.go()
    raise AssertionError("the activation never ended")


def click(table: Table, unit: int) -> None:
    table.click(table.find(f"unit-{unit}"))
    table.until_judged()


def test_a_puzzle_is_failed_hinted_and_solved(visit: OpenPage) -> None:
    puzzle = next(one for one in puzzles().values() if one.solution.key.does == "charge")
    table = visit("/puzzles")
    table.find("puzzle-today").wait_for()
    table.find(f"puzzle-{puzzle.id}").click()
    card = table.find("puzzle")
    expect(card).to_contain_text(puzzle.task[:40])
    expect(table.find("hint")).to_have_count(0)
    table.wait_for_my_turn()
    expect(table.page.locator(".left h2")).to_contain_text("To activate")
    play(table, puzzle.others[-1].key.unit, "h")
    expect(table.find("puzzle-verdict")).to_contain_text("there is better")
    table.find("puzzle-help").click()
    expect(table.find("puzzle-hint")).to_contain_text(puzzle.hint[:30])
    table.find("puzzle-again").click()
    expect(card).to_have_attribute("data-verdict", "")
    table.wait_for_my_turn()
    play(table, puzzle.solution.key.unit, "c", puzzle.solution.key.target)
    expect(table.find("puzzle-verdict")).to_contain_text("Solved")
    expect(table.find("puzzle-solution")).to_contain_text("99 % confidence")
    table.page.goto("/puzzles")
    expect(table.find(f"puzzle-{puzzle.id}")).to_have_attribute("data-mark", "helped")
    expect(table.find("progress")).to_contain_text("1 of")
