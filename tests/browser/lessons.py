"""What a pupil does in a guided battle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playwright.sync_api import Locator, expect

from shieldwall.lessons.lesson import lesson
from tests.browser.table import OPEN_POINT, TURN, Finger, Table

MOST_STEPS = 60
DEPTH = 36  # inches of table in every lesson
# where the middle of a unit stands on the table, in inches from its lower left corner
STANDS_AT = """(unit, depth) => {
  const to = document.querySelector('.table > g').getScreenCTM().inverse();
  const spots = [...unit.querySelectorAll('[data-model]')].map((model) => {
    const { x, y, width, height } = model.getBoundingClientRect();
    return new DOMPoint(x + width / 2, y + height / 2).matrixTransform(to); });
  const mean = (key) => spots.reduce((sum, spot) => sum + spot[key], 0) / spots.length;
  return [mean('x'), depth - mean('y')]; }"""


class Pupil:
    """Somebody who is taught at a table, by mouse or with a finger."""

    def __init__(self, table: Table, *, touch: bool = False) -> None:
        self.table = table
        self.touch = touch

    @property
    def coach(self) -> Locator:
        return self.table.find("coach")

    def press(self, what: Locator) -> None:
        """A click, or a tap."""
        if self.touch:
            what.tap()
        else:
            what.click()

    def read_on(self) -> None:
        """Press Next until the coach wants something done."""
        for _ in range(MOST_STEPS):
            assert self.table.wait_for_my_turn()
            expect(self.coach).not_to_have_attribute("data-until", "")
            if self.coach.get_attribute("data-until") != "next":
                return
            step = self.coach.get_attribute("data-step") or ""
            self.press(self.table.find("coach-next"))
            expect(self.coach).not_to_have_attribute("data-step", step)
        raise AssertionError("the coach never stops talking")

    def unit(self, name: str) -> Locator:
        """A unit of the table by its name."""
        return self.table.page.locator(f'.unit[data-tip="{name}"]')

    def choose(self, name: str) -> None:
        """Click or tap a unit on the table, or in the list where a panel covers it or it is off the screen."""
        self.table.until_resting()
        unit = self.unit(name)
        if not unit.evaluate(OPEN_POINT):
            self._choose_in_list(unit.get_attribute("data-unit") or "")
        elif self.touch:
            self.table.tap(unit)
        else:
            self.table.click(unit)
        self.table.until_judged()

    def _held(self, name: str) -> Locator:
        """What to take hold of to drag a unit: itself, or the ghost that covers the one at hand."""
        self.table.until_resting()
        unit = self.unit(name)
        if not unit.evaluate(OPEN_POINT):  # whoever is off the screen of a phone is shown once it is chosen
            self.choose(name)
            self.table.until_resting()
        return unit if unit.evaluate(OPEN_POINT) else self.table.find("ghost")

    def _choose_in_list(self, unit: str) -> None:
        card = self.table.find(f"card-{unit}")
        if card.is_visible():  # beside the table
            self.press(card)
            return
        row = self.table.find(f"option-u{unit}").or_(self.table.find(f"from-{unit}"))
        if not row.count():  # the only one left is at hand already
            return
        self.pull_up(row)
        self.press(row)

    def pull_up(self, what: Locator) -> None:
        """Pull the sheet of a phone up, so that something in it can be seen."""
        if not what.is_visible():
            self.press(self.table.find("grip"))
            expect(what).to_be_visible()
            self.table.until_resting()

    def drag_by(self, right: float, up: float) -> None:
        """Drag the unit at hand on by inches of the table."""
        self._drag(self.table.find("ghost"), right, up)

    def _drag(self, what: Locator, right: float, up: float) -> None:
        self.table.until_resting()
        inch = self.table.page.evaluate(
            "() => document.querySelector('.table > g').transform.baseVal.consolidate().matrix.a"
        )
        hand = Finger(self.table.page) if self.touch else None
        self.table.drag(what, right * inch, -up * inch, hand)

    def attempt(self, step: Mapping[str, Any]) -> None:
        """Carry out an activation of a lesson by hand, right or wrong: the unit, its way, its action, its target."""
        unit = self.unit(step["activate"])
        if way := self._way(unit, step):
            self._drag(self._held(step["activate"]), *way)
        else:
            self.choose(step["activate"])
        action = "charge" if "charge" in step else step["action"]
        self.take(action)
        target = step.get("charge") or step.get("shoot", "")
        if target and target != "none":
            self.aim_at(target)
        elif target and self.table.find("hold-fire").count():
            self.press(self.table.find("hold-fire"))
        self.table.until_judged()
        self.press(self.table.find("go"))

    def _way(self, unit: Locator, step: Mapping[str, Any]) -> tuple[float, float] | None:
        """How far to the right and up a unit goes, in inches; None where it stays or a charge finds its way."""
        if "shift" in step:
            right, up = step["shift"]
            return right, up
        if "march" in step:
            return 0.0, sum(float(part.removeprefix("forward ")) for part in step["march"])
        if "drag" not in step:
            return None
        self.table.until_resting()
        x, y = unit.evaluate(STANDS_AT, DEPTH)
        return step["drag"][0] - x, step["drag"][1] - y

    def play_with_wrong_turns(self, name: str, most: int = 99) -> None:
        """A whole lesson by hand: at each task the wrong tries of its file, up to `most`, then the right one."""
        for number, task in enumerate(lesson(name).tasks):
            self.wait_for_task(number)
            self.read_on()
            for wrong in task.wrong[:most]:
                self.attempt(wrong.attempt)
                expect(self.table.find("coach-reply"), f"task {number}: {wrong.attempt}").to_have_text(
                    wrong.say
                )
                assert self.task() == number, "nothing was played"
                if self.table.find("undo").is_enabled():  # not where nothing was changed
                    self.press(self.table.find("undo"))
            assert task.do is not None
            self.attempt(task.do)
            self.wait_until_done(number)

    def aim_at(self, name: str) -> None:
        """Choose a target: in the list where the sheet of a phone shows it, else on the table."""
        row = self.table.find(f"from-{self.unit(name).get_attribute('data-unit')}")
        if self.touch and row.is_visible():
            self.press(row)
            self.table.until_judged()
        else:
            self.choose(name)

    def take(self, action: str) -> None:
        """Choose an action, unless the way already says it."""
        button = self.table.find(f"action-{action}")
        self.pull_up(button)
        if button.get_attribute("aria-pressed") != "true":
            self.press(button)
            self.table.until_judged()

    def be_shown(self) -> None:
        """Skip to the task, let the coach show it, and play that."""
        self.table.wait_for_my_turn()
        task = self.task()
        self.press(self.table.find("coach-show"))
        expect(self.table.find("said")).to_contain_text("Like this")
        self.table.until_judged()
        self.press(self.table.find("go"))
        self.wait_until_done(task)

    def wait_until_done(self, task: int) -> None:
        """Wait until a task lies behind and it is this player's turn again, or the battle is over."""
        self.table.page.wait_for_function(
            """(task) => { const b = document.querySelector('[data-testid=battle]').dataset;
            return b.status === 'over' || (b.myTurn === 'true' && Number(b.task) > task) }""",
            arg=task,
            timeout=TURN,
        )

    def task(self) -> int:
        """How many tasks are done."""
        return int(self.table.battle.get_attribute("data-task") or "-1")

    def wait_for_task(self, number: int) -> None:
        """Wait until so many tasks are done and it is this player's turn."""
        expect(self.table.battle).to_have_attribute("data-task", str(number), timeout=TURN)
        self.table.wait_for_my_turn()
