"""Descriptions of missions."""

from __future__ import annotations

_MOST_WIN = "The side that holds more at the end wins."
_MISSION_WORDS = {
    "seize-ground": f"Four markers, one in each quarter of the table. {_MOST_WIN}",
    "relic-hunt": "Three relics. A unit that reaches one carries it, and drops it when it is destroyed. "
    "The side that holds or carries more at the end wins.",
    "sabotage": "Each side guards its own marker. Seize the enemy's to destroy it, and keep yours intact.",
    "breakthrough": f"One marker in the middle of each deployment zone. {_MOST_WIN}",
    "king-of-the-hill": "One marker in the middle of the table. The side that holds it at the end wins.",
}


def mission_words(mission: str) -> str:
    """The description of a mission; the standard mission and the duel have D3+2 markers."""
    return _MISSION_WORDS.get(mission, f"Three to five markers (D3+2), placed in turns. {_MOST_WIN}")
