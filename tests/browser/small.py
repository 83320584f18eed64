"""Small battles that tests put together themselves, so that what they look at happens soon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.browser.table import TURN, Table

LIST = """format: shieldwall-list/1
name: {name}
edition: {edition}
points: {points}
books: [{{id: {book}, name: {title}, version: '1'}}]
units:
{units}"""
ME: dict[str, str] = {"who": "me"}
BOT = {"who": "bot", "bot": "random"}


def small_battle(
    table: Table,
    edition: str,
    units: Sequence[str],
    seats: Sequence[dict[str, str]] = (ME, BOT),
    book: tuple[str, str] = ("lantern-coast", "Lantern Coast"),
    **more: Any,
) -> None:
    """Both sides have these units of a book; nothing is on the table but them and the markers."""
    table.find("start").wait_for()  # from here on the server knows this visitor, and whose armies these are
    keys = []
    lines = "".join(f"- {{id: u{number}, unit: {unit}}}\n" for number, unit in enumerate(units, start=1))
    for name in ("Day Watch", "Night Watch"):
        text = LIST.format(name=name, edition=edition, points=750, book=book[0], title=book[1], units=lines)
        answer = table.page.request.post("/api/armies/import", data={"text": text}, timeout=TURN)
        assert answer.ok, answer.text()
        keys.append(answer.json()["id"])
    order = {
        "edition": edition,
        "seats": [seat | {"army": key} for seat, key in zip(seats, keys, strict=True)],
        "nonce": "ab" * 16,
        "table": {"kind": "empty"},
        "setup": "at_once",
    }
    answer = table.page.request.post("/api/games", data=order | more, timeout=TURN)
    assert answer.ok, answer.text()
    table.page.goto(f"/game/{answer.json()['game']}")
    table.battle.wait_for(timeout=TURN)
