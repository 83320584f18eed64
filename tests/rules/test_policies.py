"""What an edition must define."""

import pytest

from shieldwall.editions import ruleset
from shieldwall.rulebook import editions
from shieldwall.rules.policies import Policies


def test_an_edition_that_leaves_a_policy_open_is_refused() -> None:
    """Missing policies are reported at once, not in the middle of a game."""
    with pytest.raises(
        TypeError, match=r"charge_options.*cover_policy.*place_question.*sight_method.*strikers"
    ):
        Policies()  # type: ignore[abstract]


def test_every_edition_answers_every_policy() -> None:
    assert not [name for name in editions() if type(ruleset(name).policies).__abstractmethods__]
