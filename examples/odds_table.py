"""Exact odds of a table of match-ups: wounds on average, and the chance to destroy the target."""

import shieldwall as sw

ATTACKERS = ["10x Q4 A1", "5x Q3 A2 AP(1)", '10x Q5 24" A1']
TARGETS = ["10x D5 A1", "5x D3 A2", "1x D2 A6 Tough(6)"]

for attacker in ATTACKERS:
    for target in TARGETS:
        found = sw.odds(attacker, target, edition="regiments-3.5")
        print(
            f"{attacker:16} v {target:18} {found.mean:5.2f} wounds, destroyed {float(found.destroyed):6.1%}"
        )
