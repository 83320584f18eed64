"""Shieldwall plays the Age of Fantasy family of tabletop wargames by the book.

For programs, `import shieldwall as sw`:

| name | what it is for |
|---|---|
| `new_game`, `Game` | a game to be answered question by question |
| `play`, `run_games` | whole games by bots: one, or many into a DataFrame |
| `odds` | exact odds of one attack |
| `Army` | army lists: load, check, change, save |
| `register_bot`, `register_rule`, `register_edition` | bots, special rules and editions of your own |
| `SpecialRule`, `Mod`, `answers` | what own rules are built on, and what answers are made of |
| `compare`, `compare_rules`, `balance`, `review` | the lab: which list is better, and why |
| `editions`, `bots`, `numbers` | what there is to play and who plays it; numbers for `sample` |

Everything is loaded when it is first used, so that importing the package takes no noticeable time.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_PLACES = {
    "Army": "shieldwall.api.army",
    "balance": "shieldwall.api.findings",
    "compare": "shieldwall.api.findings",
    "compare_rules": "shieldwall.api.findings",
    "review": "shieldwall.api.findings",
    "AttackOdds": "shieldwall.odds",
    "Game": "shieldwall.api.game",
    "Mod": "shieldwall.core.values",
    "RefusedError": "shieldwall.core.errors",
    "ShieldwallError": "shieldwall.core.errors",
    "SpecialRule": "shieldwall.rules.hooks",
    "new_game": "shieldwall.api.game",
    "numbers": "shieldwall.api.game",
    "play": "shieldwall.api.running",
    "register_bot": "shieldwall.bots.registry",
    "register_edition": "shieldwall.editions",
    "register_rule": "shieldwall.editions",
    "ruleset": "shieldwall.editions",
    "run_games": "shieldwall.api.running",
    "unregister_rule": "shieldwall.editions",
}
_MODULES = {
    "answers": "shieldwall.core.answers",
    "bots": "shieldwall.bots",
    "editions": "shieldwall.editions",
    "environments": "shieldwall.environments",
    "odds": "shieldwall.odds",
}

__all__ = ["__version__", *sorted([*_PLACES, *_MODULES])]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return getattr(import_module(_PLACES[name]), name)
    if name in _MODULES:
        return import_module(_MODULES[name])
    raise AttributeError(f"shieldwall has no {name!r}; it has: {', '.join(__all__)}")


def __dir__() -> list[str]:
    return sorted(__all__)
