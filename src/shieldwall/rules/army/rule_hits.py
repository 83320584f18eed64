"""Hits that come without a roll to hit, of rules and of spells: their own rules, dice for natural faces, one model."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.frames import Attack, AttackKind, HitGroup, Packet, RuleHits
from shieldwall.core.pending import Pending, Roll
from shieldwall.core.state import State, Unit, Weapon
from shieldwall.core.values import FIVE, ONE, PASS, SIX, Counts, Labels, Mod, Pool
from shieldwall.rules.attack_math import Attackers
from shieldwall.rules.hook_tables import compile_hooks
from shieldwall.rules.hooks import AttackContext, HitKind, SpecialRule
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep

FACES = ("marks", "six", "six_counts_as", "backfires")  # hooks about natural rolls to hit


class Struck(Attackers):
    """Hits of a rule or a spell on a unit, or on one model of it, which then counts as a unit of one. `bearer` is the
    unit that deals them with the id of its model, `weapon` the hits with their rules under the name they come from.

    Only the rules that the hits are dealt with count for them: to those they are an attack, to the rules of the
    target they are what `kind` says.
    """

    __slots__ = ("taken",)

    def __init__(
        self,
        rules: Ruleset,
        state: State,
        bearer: tuple[Unit, int],
        target: Unit,
        weapon: Weapon,
        picked: int = -1,
        kind: AttackKind = "spell",
    ) -> None:
        unit, model = bearer
        profile = next((one.profile for one in unit.models if one.id == model), 0)
        self.rules = rules
        self.volley = None
        self._own = {}
        self.taken = AttackContext(
            state=state,
            kind=kind,
            unit=unit,
            target=target,
            profile=state.profiles[profile],
            weapon=weapon,
            round=state.round,
            picked=picked,
        )
        self.ctx = replace(self.taken, kind="shoot")
        self.weapon = compile_hooks(rules.specials.build(weapon.rules))
        self.model, self.unit, self.marked = {}, {}, {}
        single = next((one for one in target.models if one.id == picked), None)
        hooks = rules.hooks
        self.target = (
            hooks.of_unit(target, state.profiles)
            if single is None
            else hooks.of_model(target, single, state.profiles)
        )

    def theirs(self, hook: str) -> tuple[SpecialRule, ...]:
        found = (rule.in_attack(self.taken) for rule in self.target.get(hook, ()))
        return tuple(rule for rule in found if rule is not None)

    def _as_taken(self, kind: HitKind) -> HitKind:
        for rule in self.theirs("hit_on_me"):
            kind = rule.hit_on_me(self.taken, kind)
        return kind

    def needs_dice(self) -> bool:
        """Whether a die must be rolled for each hit because its rules depend on natural faces."""
        return any(self.own(hook) for hook in FACES)

    def face_labels(self) -> Labels:
        """How the dice for natural faces are read; every one of them is a hit."""
        low = ONE if self.own("backfires") else PASS
        five = FIVE if self._lowest_face() <= 5 else PASS
        return (low, PASS, PASS, PASS, five, SIX if self.reads_sixes() else PASS)

    def groups(self, counts: Counts, note: str) -> tuple[HitGroup, ...]:
        """The hits by kind; `counts` are the dice for natural faces, plain hits where none were thrown."""
        hits = {**counts, PASS: counts.get(PASS, 0) + counts.get(ONE, 0)}
        factor = self.multiplier()
        models = 1 if self.ctx.picked >= 0 else len(self.ctx.target.models)
        found = self.hit_groups(hits, note)

        def multiplied(count: int) -> int:
            return self.rules.policies.spell_hits(self.ctx.state, count, factor, models)

        left = multiplied(sum(group.count for group in found))
        groups: list[HitGroup] = []
        for group in found:  # where all hits together have a limit, those of natural 6s count first
            count = min(left, multiplied(group.count))
            left -= count
            groups += [replace(group, count=count)] if count else []
        return tuple(groups)


def hits_frame(hits: Struck, bearer: int, mods: tuple[Mod, ...] = ()) -> Attack:
    """The procedure that resolves hits; if their rules depend on natural faces, a die is rolled for each first."""
    ctx = hits.ctx
    assert ctx.weapon is not None
    name, count = ctx.weapon.name, ctx.weapon.attacks
    if hits.needs_dice():
        return RuleHits(
            procedure="rule.hits",
            kind=hits.taken.kind,
            unit=ctx.unit.id,
            victim=ctx.target.id,
            model=ctx.picked,
            dice=count,
            rule=name,
            rules=ctx.weapon.rules,
            bearer=bearer,
            mods=mods,
        )
    groups = with_mods(hits.groups({PASS: count}, name), mods)
    if ctx.picked < 0:
        return Attack("attack", kind=hits.taken.kind, unit=ctx.unit.id, hits=groups)
    return RuleHits("attack", kind=hits.taken.kind, unit=ctx.unit.id, hits=groups, model=ctx.picked)


def with_mods(groups: tuple[HitGroup, ...], mods: tuple[Mod, ...]) -> tuple[HitGroup, ...]:
    """Hits with more that changes the blocks against them."""
    return tuple(replace(group, mods=(*group.mods, *mods)) for group in groups) if mods else groups


class RollForFaces(TrunkStep):
    """One die for each hit of a rule or a spell, where what it brings depends on natural faces."""

    name = "rule.faces"

    def ask(self, game: Play) -> Pending | None:
        frame = game.top(RuleHits)
        hits = self._hits(game, frame)
        pool = Pool(frame.dice, hits.face_labels(), None, frame.rule)
        return Roll("rule", game.state.units[frame.unit].seat, (pool,), "")

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        frame = game.top(RuleHits)
        hits = self._hits(game, frame)
        groups = with_mods(hits.groups(counts[0], frame.rule), frame.mods)
        landed = sum(group.count for group in groups)
        game.emit(ev.Hit(unit=frame.unit, target=frame.victim, hits=landed, note=frame.rule))
        wounds = counts[0].get(ONE, 0) * hits.recoil()
        attack = replace(frame, procedure="attack", step="", hits=groups, victim=-1, dice=0, rules=())
        recoil = Attack(
            "attack", kind=frame.kind, unit=frame.unit, victim=frame.unit, packets=(Packet(wounds),)
        )
        game.push(attack, *([recoil] if wounds else []))

    def _hits(self, game: Play, frame: RuleHits) -> Struck:
        state = game.state
        bearer = (state.units[frame.unit], frame.bearer)
        weapon = Weapon(frame.rule, frame.dice, 0, frame.rules)
        return Struck(game.rules, state, bearer, state.units[frame.victim], weapon, frame.model, frame.kind)


RULE_HITS: tuple[TrunkStep, ...] = (RollForFaces(),)
