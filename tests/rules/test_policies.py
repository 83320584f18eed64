"""What an edition must say about itself."""

import pytest

from shieldwall.editions import ruleset
from shieldwall.rulebook import editions
from shieldwall.rules.policies import Policies


def test_an_edition_that_leaves_something_open_cannot_be_made() -> None:
    """It is told what is missing at once, not when somebody asks for it in the middle of a game."""
    with pytest.raises(
        TypeError, match=r"charge_options.*cover_policy.*place_question.*sight_method.*strikers"
    ):
        Policies()  # type: ignore[abstract]


def test_every_edition_says_all_there_is_to_say() -> None:
    assert not [name for name in editions() if type(ruleset(name).policies).__abstractmethods__]
