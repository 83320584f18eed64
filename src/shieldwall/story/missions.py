"""Missions in words: what a battle is about, before it begins."""

from __future__ import annotations

_MOST_WIN = "Whoever holds most at the end wins."
_MISSION_WORDS = {
    "seize-ground": f"Four markers, one in each quarter of the table. {_MOST_WIN}",
    "relic-hunt": "Three relics. A unit that reaches one carries it, and drops it where it is lost. "
    "Whoever holds or carries most at the end wins.",
    "sabotage": "Each side guards a marker of its own. Seize the enemy's to destroy it, and keep yours whole.",
    "breakthrough": f"One marker in the middle of each deployment zone. {_MOST_WIN}",
    "king-of-the-hill": "One marker in the middle of the table. Whoever holds it at the end wins.",
}


def mission_words(mission: str) -> str:
    """What a battle is about; the standard mission and the duel are played for D3+2 markers."""
    return _MISSION_WORDS.get(mission, f"Three to five markers (D3+2), placed by turns. {_MOST_WIN}")
