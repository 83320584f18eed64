"""Everybody gets in: axe finds nothing on any page in either theme, and nothing sticks out on narrow screens."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from shieldwall.puzzles import puzzles
from tests.browser.conftest import DESKTOP, ROOT, OpenPage
from tests.browser.lessons import Pupil
from tests.browser.table import BARS, LANDSCAPE, OVERLAPS, PORTRAIT, TURN, Table

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
FOUND = """async (rules) => {
  const named = { 'label-content-name-mismatch': { enabled: true } };  // not on by itself
  const found = await axe.run(document, rules ? { runOnly: rules } : { rules: named });
  return found.violations.flatMap((v) => v.nodes.map((n) =>
    `${v.id}: ${n.target.join(' ')}: ${n.failureSummary?.split('\\n')[1] ?? v.help}`)); }"""
FOLLOW = """(path) => { const link = document.createElement('a');
  link.href = path; document.body.append(link); link.click(); link.remove(); }"""
COMING = ":is(.loading, [role=status]:text-matches('Fetching|Loading|Laying|Counting|Thinking|Looking'))"
NARROW = (360, 768)
PAGES = ("/", "/setup", "/armies", "/odds", "/rules", "/join#nobody", "/nowhere")


def look_at(page: Page, complaints: list[str]) -> None:
    """Axe in both themes; the second one is only asked about colours, since nothing else differs."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))  # the page's own policy lets no script in
    where = page.url.split("/", 3)[-1]
    for rules in (None, ["color-contrast"]):
        found: list[Any] = page.evaluate(FOUND, rules)
        complaints += [
            f"/{where} ({page.evaluate('document.documentElement.dataset.theme')}): {one}" for one in found
        ]
        page.get_by_role("button", name="Change theme").click()


def narrow(page: Page, complaints: list[str]) -> None:
    """Nothing sticks out sideways, with everything unfolded."""
    page.evaluate("document.querySelectorAll('main details').forEach((one) => (one.open = true))")
    for width in NARROW:
        page.set_viewport_size({"width": width, "height": 780})
        Table(page).until_resting()
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            complaints.append(f"{page.url} is {wide} wide on a screen of {width}")
    page.set_viewport_size(DESKTOP)


def test_every_page_is_open_to_everybody(visit: OpenPage) -> None:
    table = visit(troubled=True)  # one address leads nowhere
    page = table.page
    complaints: list[str] = []
    table.find("start").wait_for()
    linked = page.locator("nav a, header a").evaluate_all("all => all.map((a) => a.getAttribute('href'))")
    copy = page.request.post("/api/armies/ready:kilnfolk-150/copy?edition=skirmish-3.2", timeout=TURN)
    for path in dict.fromkeys((*PAGES, f"/armies/{copy.json()['id']}", *linked)):
        page.evaluate(FOLLOW, path)  # without loading everything anew
        table.until_resting()
        page.locator("main").first.wait_for()
        expect(page.locator(COMING), path).to_have_count(0)
        look_at(page, complaints)
        narrow(page, complaints)
    assert not complaints, "\n".join(complaints)


def test_a_lesson_and_a_puzzle_in_play_are_open_to_everybody(visit: OpenPage) -> None:
    """With a unit at hand, both with names in the list and as roundels."""
    table = visit()
    complaints: list[str] = []
    table.find("first-regiments").click()
    table.battle.wait_for()
    pupil = Pupil(table)
    pupil.read_on()
    pupil.choose("Quay Crossbows")
    look_at_list(table, complaints)
    # wounds and tokens are counted on the cards of this one
    puzzle = next(
        one
        for one in puzzles().values()
        if any(model.wounds for unit in one.position.units for model in unit.models)
    )
    table.page.evaluate(FOLLOW, "/puzzles")
    table.find(f"puzzle-{puzzle.id}").click()
    assert table.wait_for_my_turn()
    table.click(table.page.locator(".unit.candidate").first)
    look_at_list(table, complaints)
    assert not complaints, "\n".join(complaints)


def look_at_list(table: Table, complaints: list[str]) -> None:
    """The battle on the screen, with names in the list of units and without."""
    table.until_resting()
    look_at(table.page, complaints)
    table.page.get_by_role("button", name=re.compile("^(Fold the list|Show names)$")).click()
    look_at(table.page, complaints)


def test_a_battle_and_its_end_are_open_to_everybody(visit: OpenPage) -> None:
    table = visit()
    page = table.page
    complaints: list[str] = []
    table.start("regiments-3.5", bot="random")
    table.answer_until("activate")
    table.activate_by_hand(up=40)
    expect(table.find("verdict")).to_be_visible()
    look_at(page, complaints)
    page.keyboard.press("l")
    page.keyboard.press("k")
    look_at(page, complaints)
    page.keyboard.press("Escape")
    table.find("menu").click()
    look_at(page, complaints)
    page.keyboard.press("Escape")
    narrow(page, complaints)
    page.set_viewport_size(LANDSCAPE)
    for part in ("question", "go", "undo"):
        expect(table.find(part)).to_be_in_viewport(ratio=1)
    table.until_resting()
    assert page.locator(".right .scroll").evaluate("one => one.clientHeight") > 60, "its fields can be read"
    page.set_viewport_size(DESKTOP)
    table.resign()
    expect(table.find("moment")).to_be_visible()
    look_at(page, complaints)
    for size in (LANDSCAPE, PORTRAIT, DESKTOP):  # and covered by nothing
        page.set_viewport_size(size)
        expect(table.find("to-result")).to_be_in_viewport(ratio=0.99)
        complaints += page.evaluate(OVERLAPS, ["[data-testid=moment]", *BARS])
    table.see_result()
    expect(table.find("caption")).not_to_be_empty()
    expect(page.locator(".verd [role=status]")).not_to_have_text(re.compile("Counting"))
    look_at(page, complaints)
    narrow(page, complaints)
    assert not complaints, "\n".join(complaints)
