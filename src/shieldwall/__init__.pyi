"""What `__init__.py` loads on first use, for type checkers and editors."""

from shieldwall.api.army import Army as Army
from shieldwall.api.findings import balance as balance
from shieldwall.api.findings import compare as compare
from shieldwall.api.findings import compare_rules as compare_rules
from shieldwall.api.findings import review as review
from shieldwall.api.game import Game as Game
from shieldwall.api.game import new_game as new_game
from shieldwall.api.game import numbers as numbers
from shieldwall.api.running import play as play
from shieldwall.api.running import run_games as run_games
from shieldwall.bots.registry import register_bot as register_bot
from shieldwall.core import answers as answers
from shieldwall.core.errors import RefusedError as RefusedError
from shieldwall.core.errors import ShieldwallError as ShieldwallError
from shieldwall.core.values import Mod as Mod
from shieldwall.editions import register_edition as register_edition
from shieldwall.editions import register_rule as register_rule
from shieldwall.editions import ruleset as ruleset
from shieldwall.editions import unregister_rule as unregister_rule
from shieldwall.odds.matchup import AttackOdds as AttackOdds
from shieldwall.odds.matchup import odds as odds
from shieldwall.rules.hooks import SpecialRule as SpecialRule

__version__: str
