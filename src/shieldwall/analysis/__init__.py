"""What decided a game: the chance to win throughout the battle, the cost of decisions, and the part of luck."""

from shieldwall.analysis.account import AccountLine, AccountPart
from shieldwall.analysis.chance import WinChance, chance_to_win
from shieldwall.analysis.decisions import USUAL_EFFORT, BlamedDecision, Effort
from shieldwall.analysis.moments import Moment, RecordedGame, recorded_game
from shieldwall.analysis.report import (
    Analysis,
    AnalysisError,
    CurvePoint,
    DiceLuck,
    analyse,
    growing_analysis,
)
from shieldwall.analysis.rolls import SurprisingRoll
from shieldwall.analysis.swings import LuckAndSkill

__all__ = [
    "USUAL_EFFORT",
    "AccountLine",
    "AccountPart",
    "Analysis",
    "AnalysisError",
    "BlamedDecision",
    "CurvePoint",
    "DiceLuck",
    "Effort",
    "LuckAndSkill",
    "Moment",
    "RecordedGame",
    "SurprisingRoll",
    "WinChance",
    "analyse",
    "chance_to_win",
    "growing_analysis",
    "recorded_game",
]
