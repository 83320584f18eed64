"""What one seat may see of a state. Built from an allow-list: a field that is not named here is never sent."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.frames import Casting
from shieldwall.core.state import State

_OPEN = frozenset(State.__struct_fields__) - {"stack"}


def view(state: State, seat: int) -> State:
    """The state as `seat` (or a spectator, -1) may know it: other seats' sealed bids are taken out."""
    visible = {name: getattr(state, name) for name in sorted(_OPEN)}
    stack = tuple(
        _without_sealed(frame, state, seat) if isinstance(frame, Casting) else frame for frame in state.stack
    )
    seen = State(**visible, stack=stack)
    seen.__dict__["positions"] = state.positions
    return seen


def _without_sealed(frame: Casting, state: State, seat: int) -> Casting:
    """Bids stay sealed until the last bidder has answered, except one's own and those made openly."""
    if frame.next >= len(frame.bidders):
        return frame
    owners = [_seat_of_model(state, bidder) for bidder in frame.bidders]
    bids = tuple(bid if owners[i] == seat or i < frame.opened else 0 for i, bid in enumerate(frame.bids))
    return replace(frame, bids=bids)


def _seat_of_model(state: State, model_id: int) -> int:
    for unit in state.units:
        if any(model.id == model_id for model in unit.models):
            return unit.seat
    return -1
