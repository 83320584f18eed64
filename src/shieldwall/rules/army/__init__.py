"""Army rules: blocks read from the texts of army books, played through the hooks of special rules."""

from shieldwall.rules.army.binding import bind_blocks, bind_rule, bind_rules, bind_weapon, meanings_of
from shieldwall.rules.army.coverage import playable

__all__ = ["bind_blocks", "bind_rule", "bind_rules", "bind_weapon", "meanings_of", "playable"]
