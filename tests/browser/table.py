"""What a player does at the page, in a player's words."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import Protocol

from playwright.sync_api import Locator, Page, expect

MOST_CLICKS = 400  # several times the longest battle played here
SLOWLY = 0.3  # seconds between two touches of a drag
MOST_TOUCHES = 8  # of a drag
TURN = 120_000  # milliseconds for the other side's turn; bots think with uncompiled geometry here


# A point where something can be taken hold of, near its middle: no panel covers it. Null where all of it is covered.
OPEN_POINT = """(what) => {
  const { x, y, width, height } = what.getBoundingClientRect();
  const parts = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8];
  const points = parts.flatMap((a) => parts.map((b) => [x + a * width, y + b * height]));
  return points.find(([px, py]) => what.contains(document.elementFromPoint(px, py))) ?? null;
}"""

# Nothing moves by itself any more: the battle says so, and for three frames nothing took another place or size.
# A panel that grew is measured one frame later, and the table may give way to it.
RESTING = """() => {
  const battle = document.querySelector('[data-testid=battle]');
  const parts = document.querySelectorAll('svg.table > g, aside.right, [data-testid=tray]');
  const boxes = [...parts].map((one) => one.getBoundingClientRect());
  const now = JSON.stringify([innerWidth, innerHeight, boxes, battle?.dataset.resting]);
  const seen = (window.restingSeen ??= { now: '', frames: 0 });
  seen.frames = now === seen.now ? seen.frames + 1 : 0;
  seen.now = now;
  const rests = seen.frames >= 3 && battle?.dataset.resting !== 'false';
  if (rests) seen.now = '';
  return rests;
}"""

PORTRAIT, LANDSCAPE = {"width": 390, "height": 844}, {"width": 844, "height": 390}  # a phone, and on its side
# What lies over each other among the parts that a player needs at the same time.
OVERLAPS = """(names) => {
  const boxes = names.flatMap((name) => [...document.querySelectorAll(name)]
    .map((one) => ({ name, one, box: one.getBoundingClientRect() }))
    .filter(({ box, one }) => box.width > 0 && box.height > 0 && getComputedStyle(one).visibility !== 'hidden'));
  return boxes.flatMap((a, i) => boxes.slice(i + 1)
    .filter((b) => a.box.left < b.box.right - 1 && b.box.left < a.box.right - 1
      && a.box.top < b.box.bottom - 1 && b.box.top < a.box.bottom - 1)
    .map((b) => `${a.name} and ${b.name}`)); }"""
# The texts of those that are not wide enough for it.
CUT = "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
BARS = ["header.bar", "[data-testid=tray]", "aside.right", ".tools", ".clocks"]


class Hand(Protocol):
    """What drags things over the table: a mouse or a finger."""

    def move(self, x: float, y: float) -> None: ...
    def down(self) -> None: ...
    def up(self) -> None: ...


class Finger:
    """Drags on a touch screen; until it is down nothing feels it.

    Its touches are dated slowly one after the other: after a quick one the browser takes the next tap for the end of a
    swipe, and swallows it.
    """

    def __init__(self, page: Page) -> None:
        self._screen = page.context.new_cdp_session(page)
        self._at: list[dict[str, float]] = []
        self._is_down = False
        self._when = time.time() - SLOWLY * MOST_TOUCHES

    def _touch(self, what: str, at: list[dict[str, float]]) -> None:
        self._when += SLOWLY
        self._screen.send(
            "Input.dispatchTouchEvent", {"type": what, "touchPoints": at, "timestamp": self._when}
        )

    def move(self, x: float, y: float) -> None:
        """To a point of the screen."""
        self._at = [{"x": x, "y": y}]
        if self._is_down:
            self._touch("touchMove", self._at)

    def down(self) -> None:
        """Touch the screen."""
        self._is_down = True
        self._touch("touchStart", self._at)

    def up(self) -> None:
        """Let go."""
        self._is_down = False
        self._touch("touchEnd", [])


class Table:
    """A page with a game on it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def find(self, name: str) -> Locator:
        """Something by its test id."""
        return self.page.get_by_test_id(name)

    def start(self, edition: str, opponent: str = "bot", setup: str = "at_once", bot: str = "") -> None:
        """From the first page into a battle."""
        self.find("edition").select_option(edition)
        self.find(f"opponent-{opponent}").click()
        self.find("setup").select_option(setup)
        if bot:
            self.find("bot").select_option(bot)
        self.find("start").click()
        self.battle.wait_for(timeout=TURN)  # the first table of a server waits for its workers to start

    @property
    def battle(self) -> Locator:
        """The battle page; its attributes say how the game stands."""
        return self.find("battle")

    @property
    def kind(self) -> str:
        """The kind of question this screen is asked, or "" while somebody else is."""
        return self.find("question").get_attribute("data-kind") or ""

    def wait_for_my_turn(self) -> bool:
        """Wait until this screen is asked; false when the game is over instead."""
        # asked in one go: between two questions to the page the turn may pass
        stands = self.page.wait_for_function(
            """() => { const b = document.querySelector('[data-testid=battle]')?.dataset ?? {};
            return b.myTurn === 'true' ? 'asked' : b.status === 'over' && b.settled === 'true' ? 'over' : '' }""",
            timeout=TURN,
        )
        return bool(stands.json_value() == "asked")

    def is_over(self) -> bool:
        """Whether the battle has ended."""
        return self.battle.get_attribute("data-status") == "over"

    def go(self) -> None:
        """Press the big button."""
        self.find("go").click()

    def answer_until(self, kind: str) -> None:
        """Take the suggested answer until a kind of question comes."""
        for _ in range(MOST_CLICKS):
            assert self.wait_for_my_turn(), f"the game ended before anybody asked for {kind!r}"
            if self.kind == kind:
                self.until_resting()
                return
            self.go()
        raise AssertionError(f"never asked for {kind!r}")

    def activate_by_hand(self, *, unit: str = "", up: float = 40) -> str:
        """At the choice of a unit: drag one of mine at once; its number."""
        number = unit or self.at_hand()[0]
        self.drag(self.find(f"unit-{number}"), 4, -up)
        return number

    def classes_of(self, unit: str) -> list[str]:
        """How a unit is marked on the table."""
        return (self.find(f"unit-{unit}").get_attribute("class") or "").split()

    def at_hand(self) -> list[str]:
        """The numbers of my units that can be dragged now and that no panel covers."""
        self.page.locator(".unit.movable").first.wait_for()
        self.until_resting()
        movable = self.page.locator(".unit.movable").all()
        return [unit.get_attribute("data-unit") or "" for unit in movable if unit.evaluate(OPEN_POINT)]

    def drag(self, what: Locator, dx: float, dy: float, hand: Hand | None = None) -> None:
        """Drag something by pixels, with stops on the way as a hand makes them, until where it ends is judged."""
        x, y = self.open_point(what)
        hand = hand or self.page.mouse
        hand.move(x, y)
        hand.down()
        for part in (0.3, 0.7, 1.0):
            hand.move(x + dx * part, y + dy * part)
        hand.up()
        self.until_judged()

    def until_judged(self) -> None:
        """Wait for the server's verdict on what was tried; pages without a battle have none."""
        if self.battle.count():
            expect(self.battle).to_have_attribute("data-judging", "false")

    def until_resting(self) -> None:
        """Wait until nothing moves by itself any more: shown, judged, advised, and the table lies still."""
        self.page.wait_for_function(RESTING, polling="raf", timeout=TURN)

    def click(self, what: Locator) -> None:
        """Click something on the table where no panel covers it."""
        self.page.mouse.click(*self.open_point(what))

    def open_point(self, what: Locator) -> tuple[float, float]:
        """Where something on the table can be clicked or tapped, once it lies still."""
        self.until_resting()
        point = what.evaluate(OPEN_POINT)
        assert point, "nothing of it can be reached"
        return point[0], point[1]

    def tap(self, what: Locator) -> None:
        """Tap something on the table where no panel covers it."""
        self.page.touchscreen.tap(*self.open_point(what))

    def play_out(self) -> None:
        """Let the computer do each of my activations until the battle is over."""
        for _ in range(MOST_CLICKS):
            if not self.wait_for_my_turn():
                return
            self.find("do-activation").or_(self.find("do-setup")).first.click()
        raise AssertionError("the battle never ended")

    def other(self, tables: Sequence[Table]) -> Table:
        """Whoever sits across."""
        return next(table for table in tables if table is not self)

    def resign(self) -> None:
        """Give up."""
        self.find("menu").click()
        self.find("resign").click()
        self.find("resign-sure").click()

    def see_result(self) -> None:
        """Go on to the page after the battle."""
        self.find("to-result").click()
        expect(self.page).to_have_url(re.compile("/result/"))
        expect(self.find("verdict")).to_be_visible()


def asked_of(tables: Sequence[Table]) -> Table:
    """Whoever of several people is asked next."""
    end = time.monotonic() + TURN / 1000
    while time.monotonic() < end:
        for table in tables:
            if table.battle.get_attribute("data-my-turn") == "true":
                return table
        tables[0].page.wait_for_timeout(50)
    raise AssertionError("nobody is asked")
