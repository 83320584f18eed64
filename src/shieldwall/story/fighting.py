"""Sentences about fights: shots, blows, wounds, morale, magic."""

from __future__ import annotations

from shieldwall.armies.parse import describe_rule
from shieldwall.core import events as ev
from shieldwall.core.state import Effect, State
from shieldwall.dice.words import count
from shieldwall.rules.special.granted_by_spells import lent_words
from shieldwall.story.names import Names, inches

_LOSSES = {
    "wounds": "fell",
    "knocked out": "went down for good",
    "routed": "fled the table",
    "fell": "fell to their death",
    "danger": "were lost to dangerous ground",
    "left behind": "were left behind",
    "replaced": "made way for a copy",
}
_DEEDS = {"cast": "tried a spell", "block": "tried to block a spell", "magic": "used magic"}
_ENDINGS = {
    "wounds": "That was the last of {unit}.",
    "routed": "{unit} routed.",
    "knocked out": "That was the last of {unit}.",
    "replaced": "{unit} is gone and will be replaced.",
}
# how long timed effects last
_LASTS = {
    "round": "until the round ends",
    "activation": "until its activation ends",
    "melee": "for this melee",
    "near": "while it stands near",
    "once": "until it is used",
    "game": "for the rest of the game",
    "next activation": "until its next activation",
    "bearer": "while its bearer lives",
}


def charge_failed(event: ev.ChargeFailed, names: Names, state: State) -> str:
    """A charge did not reach its target."""
    why = f": {event.why}" if event.why else ""
    return f"The charge of {names.unit(event.unit)} at {names.unit(event.target)} fell short{why}."


def declared(event: ev.Declared, names: Names, state: State) -> str:
    """A target was named."""
    unit, target = names.unit(event.unit), names.unit(event.target)
    if event.group == "charge":
        return f"{unit} charged {target}."
    if event.group.lower() == "impact":
        return f"{unit} crashed into {target}."
    if _is_ranged(event, state):
        return f"{unit} shot at {target} with {event.group}."
    return f"{unit} struck at {target} with {event.group}."


def _is_ranged(event: ev.Declared, state: State) -> bool:
    unit = state.units[event.unit]
    weapons = (weapon for model in unit.models for weapon in state.profiles[model.profile].weapons)
    name = event.group.rsplit(" (", 1)[0] if event.group.endswith(")") else event.group
    return any(weapon.reach > 0 and weapon.name in (event.group, name) for weapon in weapons)


def volley_lost(event: ev.VolleyLost, names: Names, state: State) -> str:
    """Attacks had no target left."""
    return f"{event.group} of {names.unit(event.unit)} had no target left in {names.unit(event.target)}."


def hit(event: ev.Hit, names: Names, state: State) -> str:
    """Hits landed."""
    how = f" ({event.note})" if event.note else ""
    hits = count(event.hits, "hit") if event.hits else "no hits"
    return f"{names.unit(event.unit)} scored {hits} on {names.unit(event.target)}{how}."


def blocked(event: ev.Blocked, names: Names, state: State) -> str:
    """Hits were blocked or not."""
    unit = names.unit(event.unit)
    if not event.wounds:
        return f"{unit} blocked {'it' if event.blocked == 1 else f'all {event.blocked}'}."
    return f"{unit} blocked {event.blocked or 'none'} and took {count(event.wounds, 'wound')}."


def ignored(event: ev.Ignored, names: Names, state: State) -> str:
    """Wounds were shrugged off."""
    return f"{names.unit(event.unit)} shrugged off {count(event.wounds, 'wound')}."


def wounded(event: ev.Wounded, names: Names, state: State) -> str:
    """A model took wounds."""
    who = names.member(event.unit, event.model)
    model = next((model for model in state.units[event.unit].models if model.id == event.model), None)
    wounds = count(event.wounds, "wound")
    if model is None:
        return f"{who} took {wounds}."
    total, whole = model.wounds + event.wounds, state.profiles[model.profile].wounds
    so_far = f"{total} of {whole}" if total <= whole else f"{total - whole} more than it can take"
    return f"{who} took {wounds} ({so_far})."


def removed(event: ev.Removed, names: Names, state: State) -> str:
    """Models left the table."""
    return f"{names.members(event.unit, event.models)} {lost(event, state)}."


def lost(event: ev.Removed, state: State) -> str:
    """How models left the table, and how many of the unit remain: "fell, 4 left"."""
    how = _LOSSES.get(event.cause, f"were lost ({event.cause})")
    if len(event.models) == 1:
        how = how.replace("were ", "was ").replace(" they ", " it ").replace("their", "its")
    left = len(state.units[event.unit].models) - len(event.models)
    rest = f", {left} left" if left > 0 else ""
    return f"{how}{rest}"


def destroyed(event: ev.Destroyed, names: Names, state: State) -> str:
    """A unit is gone."""
    return _ENDINGS.get(event.cause, "Nothing is left of {unit}.").format(unit=names.unit(event.unit))


def stunned(event: ev.Stunned, names: Names, state: State) -> str:
    """Models were stunned."""
    were = "was" if len(event.models) == 1 else "were"
    return f"{names.members(event.unit, event.models)} {were} stunned."


def healed(event: ev.Healed, names: Names, state: State) -> str:
    """Wounds were taken off a model."""
    who = names.member(event.unit, event.model)
    return f"{who} recovered from {event.wounds} wound{'s' if event.wounds != 1 else ''}."


def restored(event: ev.Restored, names: Names, state: State) -> str:
    """Lost models came back."""
    return f"{names.unit(event.unit)} got back {count(len(event.models), 'model')}."


def recovered(event: ev.Recovered, names: Names, state: State) -> str:
    """A unit is itself again."""
    return f"{names.unit(event.unit)} recovered."


def broke(event: ev.Broke, names: Names, state: State) -> str:
    """A unit lost its nerve."""
    return f"{names.unit(event.unit)} lost their nerve."


def morale_tested(event: ev.MoraleTested, names: Names, state: State) -> str:
    """Nerve was tested."""
    how = "passed a morale test" if event.passed else "failed a morale test"
    return f"{names.unit(event.unit)} {how}" + (f" (after {event.why})." if event.why else ".")


def tired(event: ev.Tired, names: Names, state: State) -> str:
    """Fighting tires."""
    if event.models and len(event.models) < len(state.units[event.unit].models):
        return f"{names.members(event.unit, event.models)} became fatigued."
    return f"{names.unit(event.unit)} became fatigued."


def rested(event: ev.Rested, names: Names, state: State) -> str:
    """Fatigue ended."""
    return "Fatigue ended for all units."


def melee_scored(event: ev.MeleeScored, names: Names, state: State) -> str:
    """A melee was counted up."""
    one, two = names.unit(event.unit), names.unit(event.target)
    if event.score == event.target_score:
        return f"The melee between {one} and {two} was a draw at {event.score}."
    winner, high, low = (one, event.score, event.target_score)
    if event.score < event.target_score:
        winner, high, low = two, low, high
    return f"{winner} won the melee, {high} to {low}."


def tokens_gained(event: ev.TokensGained, names: Names, state: State) -> str:
    """Spell tokens came in."""
    who = names.member(event.unit, event.model)
    return (
        f"{who} holds {count(event.now, 'spell token')}." if event.now else f"{who} has no spell token left."
    )


def tokens_spent(event: ev.TokensSpent, names: Names, state: State) -> str:
    """Spell tokens were paid."""
    push = f" ({event.push:+d} to the casting roll)" if event.push else ""
    tokens = count(event.tokens, "spell token")
    return f"{names.member(event.unit, event.model)} spent {tokens}{push}."


def spell_cast(event: ev.SpellCast, names: Names, state: State) -> str:
    """A spell was attempted."""
    caster = f"{names.member(event.unit, event.model)}"
    if not event.worked:
        return f"{caster} failed to cast {event.spell} on {names.units(event.targets)}."
    return f"{caster} cast {event.spell} on {names.units(event.targets)}."


def spell_opposed(event: ev.SpellOpposed, names: Names, state: State) -> str:
    """A model tried to stop a spell."""
    who = names.member(event.unit, event.model)
    return f"{who} stopped {event.spell}." if event.stopped else f"{who} could not stop {event.spell}."


def effect_began(event: ev.EffectBegan, names: Names, state: State) -> str:
    """A timed effect began on a unit."""
    effect, unit = event.effect, names.unit(event.unit)
    lent = _lent(effect)
    what = f"{effect.name} lends {unit} {lent}" if lent else f"{effect.name} lies on {unit}"
    return f"{what} {_lasts(effect)}."


def effect_words(effect: Effect) -> str:
    """A timed effect in a few words: its name, what it grants and how long it lasts."""
    lent = _lent(effect)
    return f"{effect.name}: {lent} {_lasts(effect)}" if lent else f"{effect.name} {_lasts(effect)}"


def _lent(effect: Effect) -> str:
    return ", ".join(lent_words(rule, describe_rule) for rule in effect.grants if rule.name != effect.name)


def _lasts(effect: Effect) -> str:
    return _LASTS.get(effect.until, f"until {effect.until}")


def effect_ended(event: ev.EffectEnded, names: Names, state: State) -> str:
    """Timed effects ran out."""
    if event.until == "near":
        return f"{event.name} no longer reaches {names.unit(event.unit)}."
    if event.name:
        return f"{event.name} on {names.unit(event.unit)} was used up."
    return f"Effects on {names.unit(event.unit)} ended with the {event.until}."


def weapon_used(event: ev.WeaponUsed, names: Names, state: State) -> str:
    """Something limited was used."""
    if event.model < 0:  # a power of the whole unit
        return f"{names.unit(event.unit)} used {event.key}."
    who = names.member(event.unit, event.model)
    if event.key in _DEEDS:
        return f"{who} {_DEEDS[event.key]}."
    what = event.key
    model = next((model for model in state.units[event.unit].models if model.id == event.model), None)
    if model is not None and event.key.startswith("weapon "):
        what = state.profiles[model.profile].weapons[int(event.key.removeprefix("weapon "))].name
    return f"{who} used {what}."


def jumped(event: ev.Jumped, names: Names, state: State) -> str:
    """A model jumped."""
    how = "landed safely" if event.landed else "missed the landing"
    return f"{names.member(event.unit, event.model)} jumped and {how}."


def fell(event: ev.Fell, names: Names, state: State) -> str:
    """A model fell."""
    return f"{names.member(event.unit, event.model)} fell {inches(event.height)}."
