"""Exact odds of several match-ups: average wounds, and the chance to destroy the target."""

import shieldwall as sw

for attacker in ["10x Q4 A1", "5x Q3 A2 AP(1)", '10x Q5 24" A1']:
    for target in ["10x D5 A1", "5x D3 A2", "1x D2 A6 Tough(6)"]:
        found = sw.odds(attacker, target, edition="regiments-3.5")
        wounds, gone = found.mean, float(found.destroyed)
        print(f"{attacker:16} v {target:18} {wounds:5.2f} wounds, destroyed {gone:6.1%}")
