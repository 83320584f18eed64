"""Exact odds: what a line of play may come to, worked out by the engine itself."""

from shieldwall.odds.asking import Budget, forget, of_line
from shieldwall.odds.lines import Line, LineError
from shieldwall.odds.result import Amount, Branch, Distribution, Odds, UnitOdds

__all__ = [
    "Amount",
    "Branch",
    "Budget",
    "Distribution",
    "Line",
    "LineError",
    "Odds",
    "UnitOdds",
    "forget",
    "of_line",
]
