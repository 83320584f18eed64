"""Whole battles in a real browser in the editions that the everyday tests leave out."""

from __future__ import annotations

import pytest

from tests.browser.conftest import OpenPage, browser, built_page, server, visit

__all__ = ["browser", "built_page", "server", "visit"]  # fixtures, found by name


@pytest.mark.parametrize("edition", ["aof-1.6", "regiments-3.4"])
def test_a_battle_is_played_from_the_first_page_to_the_result(visit: OpenPage, edition: str) -> None:
    table = visit()
    table.start(edition, bot="random")
    table.answer_until("activate")
    for _ in range(3):  # by hand, as suggested; then the computer does the rest
        if table.wait_for_my_turn():
            table.go()
    table.play_out()
    table.see_result()
