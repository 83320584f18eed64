"""What a pupil does in a guided battle."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.browser.table import TURN, Table

MOST_STEPS = 60


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
        """Click or tap a unit on the table."""
        if self.touch:
            self.table.tap(self.unit(name))
        else:
            self.table.click(self.unit(name))
        self.table.until_judged()

    def drag_by(self, right: float, up: float) -> None:
        """Drag the unit at hand on by inches of the table."""
        inch = self.table.page.evaluate(
            "() => document.querySelector('.table > g').transform.baseVal.consolidate().matrix.a"
        )
        self.table.drag(self.table.find("ghost"), right * inch, -up * inch)

    def be_shown(self) -> None:
        """Skip to the task, let the coach show it, and play that."""
        self.table.wait_for_my_turn()
        task = self.task()
        self.press(self.table.find("coach-show"))
        expect(self.table.find("said")).to_contain_text("Like this")
        self.table.until_judged()
        self.press(self.table.find("go"))
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
