"""What a game was decided by: the chance to win through the battle, what decisions cost, and how much was luck."""

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
from shieldwall.analysis.telling import AccountLine, AccountPart

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
