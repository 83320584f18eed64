"""Direct play: the table takes the window, a drag is a whole activation, nothing lies over what matters."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import DESKTOP, OpenPage
from tests.browser.small import small_battle
from tests.browser.table import OPEN_POINT, OVERLAPS, PORTRAIT, Table

SCALE = """() => { const g = document.querySelector('svg.table > g');
  return Number(/scale\\(([\\d.]+)/.exec(g.getAttribute('transform'))[1]) }"""
# Units of which the middle is not in the window or under a panel.
HIDDEN = """(names) => [...document.querySelectorAll(names)].filter((unit) => {
  const { x, y, width, height } = unit.getBoundingClientRect();
  return !document.elementFromPoint(x + width / 2, y + height / 2)?.closest('.board');
}).map((unit) => unit.dataset.tip) """
ORIGIN = "() => document.querySelector('svg.table > g').getAttribute('transform')"


def box_of(what: Locator) -> dict[str, float]:
    box = what.bounding_box()
    assert box is not None
    return dict(box)


def overlaps(a: dict[str, float], b: dict[str, float]) -> bool:
    return (
        a["x"] < b["x"] + b["width"]
        and b["x"] < a["x"] + a["width"]
        and a["y"] < b["y"] + b["height"]
        and b["y"] < a["y"] + a["height"]
    )


def shooter(table: Table) -> str:
    """A unit of mine that can shoot somebody after a short advance; others act until there is one."""
    for _ in range(24):
        table.answer_until("activate")
        up = table.page.evaluate(SCALE) * 2
        for number in table.at_hand():
            if number not in table.at_hand():  # the table gave way to the unit before
                continue
            table.drag(table.find(f"unit-{number}"), 0, -up)
            if "Shoot" in table.find("go").inner_text():
                return number
        table.find("do-activation").click()
    raise AssertionError("nobody ever came into range")


# What lies under the odds: units, where one would go, words about it, markers, panels.
UNDER_CARD = """() => {
  const card = document.querySelector('[data-testid=table-odds]').getBoundingClientRect();
  const names = '.unit, .ghost .edge, .ghost .handle, .pill, .marker, aside, .tools, [data-testid=tray]';
  return [...document.querySelectorAll(names)].filter((one) => {
    const box = (one.querySelector('.tray, .coin') ?? one).getBoundingClientRect();
    return box.left < card.right - 1 && card.left < box.right - 1
      && box.top < card.bottom - 1 && card.top < box.bottom - 1;
  }).map((one) => `${one.getAttribute('class')} ${one.dataset.tip ?? ''}`) }"""
WHOLE = """() => { const frame = document.querySelector('.board .grid').getBoundingClientRect();
  return frame.left >= -1 && frame.right <= innerWidth + 1 && frame.top >= 40 && frame.bottom <= innerHeight + 1 }"""
SMALL, SLIM = {"width": 1280, "height": 800}, {"width": 360, "height": 740}
QUESTIONS = 6


TOOLS = ("Zoom in", "Zoom out", "Whole table", "Measure", "Ranges and sight", "Deployment zones", "Legend")
SHEET_TOOLS = ("Whole table", "Measure", "Ranges and sight", "Legend")
LOW = {"width": 960, "height": 600}


@pytest.mark.parametrize(
    ("edition", "large", "small"), [("regiments-3.5", 17.0, 15.0), ("skirmish-3.2", 17.0, 15.0)]
)
def test_the_whole_table_is_in_sight_and_nothing_of_mine_is_covered_when_a_question_begins(
    visit: OpenPage, edition: str, large: float, small: float
) -> None:
    """On two usual screens: my units, whoever can be picked and whoever can be shot or charged. Tools cover nobody."""
    table = visit()
    table.start(edition, bot="solo")
    for number in range(QUESTIONS):
        assert table.wait_for_my_turn()
        for size, least in ((SMALL, small), (DESKTOP, large)):
            table.page.set_viewport_size(size)
            table.until_resting()
            assert table.page.evaluate(SCALE) >= least, f"pixels an inch at {size}"
            assert table.page.evaluate(WHOLE), f"the whole table at {size}"
            hidden = table.page.evaluate(HIDDEN, ".unit.a, .unit.candidate, .unit.target, .unit.sel")
            assert hidden == [], f"at {size}, question {number + 1}"
        if not number:
            tools_are_at_hand(table)
        table.go()


def tools_are_at_hand(table: Table) -> None:
    """Without a menu, and over no unit; on a phone they stand in the sheet."""
    for size in (LOW, SMALL, DESKTOP):
        table.page.set_viewport_size(size)
        table.until_resting()
        bar = table.find("board-tools")
        for name in TOOLS:
            expect(bar.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
        found = table.page.evaluate(OVERLAPS, [".unit [data-model]", "[data-testid=board-tools]"])
        assert [one for one in found if "board-tools" in one] == [], f"a model under the tools at {size}"
    table.page.set_viewport_size(PORTRAIT)
    table.until_resting()
    sheet = table.page.locator("aside.right")
    for name in SHEET_TOOLS:
        expect(sheet.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    before = table.page.evaluate(ORIGIN)
    sheet.get_by_role("button", name="Whole table").click()
    table.until_resting()
    assert table.page.evaluate(ORIGIN) != before, "the whole table is shown"
    table.page.set_viewport_size(DESKTOP)
    table.until_resting()


def test_on_a_phone_most_of_the_screen_is_the_table_and_the_unit_at_hand_and_its_targets_are_in_sight(
    visit: OpenPage,
) -> None:
    """Whoever is asked sees more of it than of anything else: a line of the log above, question and button below."""
    table = visit(phone=True)
    table.start("regiments-3.5", bot="solo")
    for _ in range(QUESTIONS):
        assert table.wait_for_my_turn()
        table.until_resting()
        assert table.page.evaluate(HIDDEN, ".unit.sel, .unit.target") == []
        if table.kind == "activate":
            for size in (SLIM, PORTRAIT):
                table.page.set_viewport_size(size)
                table.until_resting()
                top = box_of(table.find("tray"))
                below = box_of(table.page.locator("aside.right"))
                free = below["y"] - top["y"] - top["height"]
                assert free >= size["height"] * 0.6, f"{free} pixels of the table at {size}"
        table.find("go").tap()


def test_the_table_lies_still_under_a_hand(visit: OpenPage) -> None:
    """Whoever has moved the mouse over the table since the question came is about to press."""
    table = visit()
    table.start("regiments-3.5", bot="random")
    table.answer_until("activate")
    before = table.page.evaluate(ORIGIN)
    for number in table.at_hand():
        table.click(table.find(f"unit-{number}"))
        table.until_resting()
        assert table.page.evaluate(ORIGIN) == before


def test_a_panel_gives_way_to_a_unit_that_is_put_down_below_it(visit: OpenPage) -> None:
    """The table lies still; where the unit would go, and the words about it, stay in sight."""
    table = visit()
    table.start("regiments-3.5", bot="random")
    table.answer_until("activate")
    panel = table.page.locator("aside.right")
    number = table.at_hand()[-1]
    before = table.page.evaluate(ORIGIN)
    x, y = table.open_point(table.find(f"unit-{number}"))
    mouse, edge = table.page.mouse, box_of(panel)
    mouse.move(x, y)
    mouse.down()
    for part in (0.4, 0.8, 1.0):
        mouse.move(x + (edge["x"] + 150 - x) * part, y + (edge["y"] + 160 - y) * part)
    expect(table.find("ghost")).to_be_visible()
    mouse.up()
    table.until_judged()
    table.until_resting()
    ghost = table.find("ghost").locator("rect.edge:not(.back)")
    assert not overlaps(box_of(ghost), box_of(panel))
    assert table.page.evaluate(ORIGIN) == before


def test_one_shooting_activation_takes_two_gestures_and_the_odds_cover_nothing(visit: OpenPage) -> None:
    table = visit()
    small_battle(table, "regiments-3.5", ("quay-crossbows", "quay-crossbows", "harbour-pikes"))
    mine = shooter(table)  # by the first gesture
    expect(table.find("go")).to_contain_text("Shoot")
    expect(table.find("action-advance")).to_have_attribute("aria-pressed", "true")
    odds = table.find("odds-card")
    expect(odds).to_contain_text("wounds")
    for size in (SMALL, DESKTOP):
        table.page.set_viewport_size(size)
        table.until_resting()
        expect(table.find("table-odds")).to_be_visible()  # beside the target
        expect(odds.get_by_role("img", name=re.compile("Wounds: 0: "))).to_be_visible()  # as bars
        panel = box_of(table.page.locator(".right"))
        for what in (table.find("ghost"), table.find(f"unit-{mine}"), table.page.locator(".pill.legal")):
            assert not overlaps(box_of(what.first), panel), "the unit at hand is free of panels"
        assert table.page.evaluate(UNDER_CARD) == [], f"the odds cover nothing that matters at {size}"
    table.page.get_by_role("button", name="Open the whole log").click()
    shots = table.find("log").get_by_text("to hit").count()
    table.page.keyboard.press("Escape")
    table.go()  # the second gesture
    table.wait_for_my_turn()
    table.page.get_by_role("button", name="Open the whole log").click()
    expect(table.find("log").get_by_text("to hit")).not_to_have_count(shots)


def test_the_action_follows_the_hand_and_can_be_set_by_hand(visit: OpenPage) -> None:
    table = visit()
    small_battle(table, "skirmish-3.2", ("harbour-pikes", "salt-rangers"))  # with nothing in the way
    table.answer_until("activate")
    scale = table.page.evaluate(SCALE)
    unit = table.find(f"unit-{table.at_hand()[0]}")
    table.drag(unit, 0, -3 * scale)
    expect(table.find("action-advance")).to_have_attribute("aria-pressed", "true")
    table.drag(unit, 0, -9 * scale)
    expect(table.find("action-rush")).to_have_attribute("aria-pressed", "true")
    table.drag(unit, 0, -3 * scale)
    expect(table.find("action-advance")).to_have_attribute("aria-pressed", "true")
    table.find("action-rush").click()
    expect(table.find("action-rush")).to_have_attribute("aria-pressed", "true")
    table.find("action-hold").click()
    expect(table.find("action-hold")).to_have_attribute("aria-pressed", "true")
    expect(table.find("go")).to_contain_text(re.compile("Stay here|Shoot"))  # somebody may be in range


def test_plates_gaps_and_the_list_all_select_and_a_drag_on_a_unit_never_pans(visit: OpenPage) -> None:
    table = visit()
    table.start("aof-2", bot="random")
    table.answer_until("activate")
    numbers = table.at_hand()
    assert len(numbers) >= 2
    chosen = table.page.locator(".unit.sel")
    for number in numbers[:2]:
        table.find(f"plate-{number}").click()
        expect(chosen).to_have_attribute("data-unit", number)  # a plate selects
    for number in numbers[:2]:
        table.find(f"card-{number}").click()
        expect(chosen).to_have_attribute("data-unit", number)  # the list selects
    table.until_resting()
    several = next(n for n in numbers if table.page.evaluate(GAP, n))
    table.find(f"card-{next(n for n in numbers if n != several)}").click()
    table.until_resting()
    x, y = table.page.evaluate(GAP, several)
    table.page.mouse.click(x, y)
    expect(chosen).to_have_attribute("data-unit", several)  # a gap between models selects
    table.until_resting()
    before = table.page.evaluate(ORIGIN)
    foes = table.page.locator(".unit:not(.movable)").all()
    table.drag(next(foe for foe in foes if foe.evaluate(OPEN_POINT)), 60, 40)
    table.drag(table.find(f"unit-{several}"), 30, -30)
    assert table.page.evaluate(ORIGIN) == before, "the table stays where it is"


GAP: Any = """(number) => {
  const unit = document.querySelector(`[data-testid=unit-${number}]`);
  const boxes = [...unit.querySelectorAll('[data-model]')].map((m) => m.getBoundingClientRect());
  const spots = boxes.flatMap((a, i) => boxes.slice(i + 1).map((b) =>
    [(a.x + a.width / 2 + b.x + b.width / 2) / 2, (a.y + a.height / 2 + b.y + b.height / 2) / 2]));
  const bare = spots.find(([x, y]) => { const at = document.elementFromPoint(x, y);
    return at && !at.closest('[data-model]') && at.closest('[data-unit]')?.dataset.unit === String(number); });
  return bare ?? null; }"""
