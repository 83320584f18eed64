"""A special rule of your own: weapons that hit more easily on a charge, in play and in the odds."""

import shieldwall as sw


class Eager(sw.SpecialRule):
    scope = "weapon"

    def to_hit(self, ctx):
        return self.mod(1) if ctx.charging else None


sw.register_rule("Eager", Eager, editions=["regiments-3.5"])
print("plain", sw.odds("10x Q4 A1", "10x D4 A1").mean, "eager", sw.odds("10x Q4 A1 Eager", "10x D4 A1").mean)
