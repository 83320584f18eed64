"""Dragging on a full table: ten units a side, and what each step of a drag costs the page."""

from __future__ import annotations

from typing import Any

from tests.browser.conftest import OpenPage
from tests.browser.table import OPEN_POINT, TURN, Table

STEPS = 120
FRAME = 1000 / 60  # milliseconds
UNITS = ("harbour-pikes", "lamp-halberds", "quay-crossbows", "heron-knights", "salt-rangers")
FRAMES = """() => { window.frames_seen = []; let last = performance.now();
  const next = (now) => { window.frames_seen.push(now - last); last = now; requestAnimationFrame(next); };
  requestAnimationFrame(next); }"""


def ten_units(name: str) -> str:
    units = "".join(f"\n- {{id: u{n}, unit: {UNITS[n % len(UNITS)]}}}" for n in range(10))
    books = "[{id: lantern-coast, name: Lantern Coast, version: '1'}]"
    head = f"format: shieldwall-list/1\nname: {name}\nedition: regiments-3.5\npoints: 2000\n"
    return f"{head}books: {books}\nunits:{units}\n"


def full_table(table: Table) -> None:
    """Ten units a side on a generated table."""
    keys = []
    for name in ("Ten Lamps", "Ten Oars"):
        answer = table.page.request.post("/api/armies/import", data={"text": ten_units(name)}, timeout=TURN)
        assert answer.ok, answer.text()
        keys.append(answer.json()["id"])
    seats = [{"who": "me", "army": key} for key in keys]
    order = {"edition": "regiments-3.5", "seats": seats, "nonce": "ab" * 16, "setup": "at_once"}
    answer = table.page.request.post(
        "/api/games", data=order | {"table": {"kind": "generate", "seed": 5}}, timeout=TURN
    )
    assert answer.ok, answer.text()
    table.page.goto(f"/game/{answer.json()['game']}")
    table.battle.wait_for(timeout=TURN)


def test_a_step_of_a_drag_costs_the_page_less_than_a_frame(visit: OpenPage) -> None:
    """Processor time of the page's own thread, so that a busy machine does not count."""
    table = visit()
    full_table(table)
    table.answer_until("activate")
    assert table.page.locator(".unit").count() == 20
    watch = table.page.context.new_cdp_session(table.page)
    watch.send("Performance.enable", {"timeDomain": "threadTicks"})
    unit = table.find(f"unit-{table.at_hand()[0]}")
    x, y = unit.evaluate(OPEN_POINT)
    table.page.mouse.move(x, y)
    table.page.mouse.down()
    table.page.mouse.move(x, y - 20)
    before = _busy(watch)
    table.page.evaluate(FRAMES)
    for step in range(STEPS):
        table.page.mouse.move(x + step % 40, y - 20 - step)
    spent = (_busy(watch) - before) * 1000 / STEPS
    frames = sorted(table.page.evaluate("window.frames_seen"))
    table.page.mouse.up()
    print(f"\n{spent:.1f} ms a step, median frame {frames[len(frames) // 2]:.1f} ms of {len(frames)}")
    assert spent < FRAME


def _busy(watch: Any) -> float:
    """Seconds that the page's thread has worked so far."""
    found = {one["name"]: one["value"] for one in watch.send("Performance.getMetrics")["metrics"]}
    return float(found["TaskDuration"])
