"""Hundreds of volleys at units with a hero, each worked out from the books and then played by the engine."""

from __future__ import annotations

import pytest
import yaml
from hero_volleys import BOOKS, Figure, Volley, volley

from shieldwall.scenario.runner import run_text

VOLLEYS = 150


def stats(figure: Figure) -> dict[str, str]:
    tough = (f"Tough({figure.tough})",) if figure.tough > 1 else ()
    hero = ("Hero",) if figure.is_hero else ()
    return {
        "stats": f"Q{figure.quality}+ D{figure.defense}+",
        "rules": ", ".join((*hero, *figure.rules, *tough)),
    }


def scenario_of(one: Volley) -> str:
    """The situation, its dice and everything expected of it, as a scenario file."""
    ranks = one.edition.startswith("regiments")
    base = '1x1"' if ranks else "25mm"
    weapon = ", ".join(('24"', f"A{one.attacks}", *one.weapon))
    plain, hero = [stats(figure) for figure in (one.figures[0], one.figures[-1])]
    row = [[30 + 1.5 * place, 20] for place in range(len(one.figures))]
    shooters = [[30 + 1.5 * place, 10] for place in range(one.shooters)]
    shooting = {"side": "A", "models": one.shooters, "base": base, "stats": f"Q{one.quality}+ D4+"}
    target = {"side": "B", "models": len(one.figures) - 1, "base": base, "started": one.started, **plain}
    units = {
        "Archers": {**shooting, "equipment": f"Bow ({weapon})", "at": [36, 10] if ranks else shooters},
        "Trolls": {
            **target,
            "hero": {"name": "Ida", "base": base, **hero},
            "at": [36, 22, 180] if ranks else row,
        },
        "Dog": {"side": "B", "at": [66, 44]},
    }
    if one.shooters == 1 and not ranks:
        units["Archers"]["at"] = shooters[0]
    one.play()
    after: dict[str, object] = {"alive": bool(one.figures)}
    if one.figures:
        after |= {"models": len(one.figures), "wounds": sum(figure.wounds for figure in one.figures)}
        after |= {"shaken" if ranks else "wavering": one.broken}
    return yaml.safe_dump(
        {
            "scenario": "A volley at a unit with a hero",
            "edition": one.edition,
            "units": units,
            "dice": dict(one.dice),
            "play": [{"activate": "Archers", "action": "hold", "shoot": "Trolls"}],
            "expect": {
                "hits": one.hits,
                "wounds": one.unblocked,
                "ignored": one.ignored,
                "units": {"Trolls": after},
            },
        },
        sort_keys=False,
    )


@pytest.mark.parametrize("edition", BOOKS)
def test_volleys_at_a_unit_with_a_hero_go_as_the_book_says(edition: str) -> None:
    """R35-SR-HERO-04, R34-SR-TOUGH-04, A2-SR-HERO-04, A16-FORCE-02: and every other rule such a volley meets."""
    wrong = []
    for seed in range(VOLLEYS):
        text = scenario_of(volley(edition, seed))
        report = run_text(text)
        if report.exit_code:
            found = [
                str(one)
                for one in (*report.faults, *(report.results[0].differences if report.results else ()))
            ]
            wrong.append((seed, found, text))
    assert not wrong, wrong[0]
