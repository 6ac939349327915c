"""The picture in an email: its content, and the form in which the reader wants the picture.

This module draws nothing. A picture shows a position, or a processed phase with its orders, as far as anyone may know
them (judge/games/core/who_may_see.py). So it has no bids, and no HOLD of a neutral, which could reveal bids. Only two
kinds of pictures show orders on file. One is that of a prediction, for a reader who may see these orders. The other is
that of a player's own orders and bids, in their confirmation.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlmodel import Session

from judge.games.core.board import outcome_of, standing, variant_of
from judge.games.core.settings import settings_of
from judge.games.core.work import Work
from judge.maps.draw import parts_showing, parts_to_see, provinces_in, provinces_of
from judge.maps.geometry import NoGeometry, load_geometry
from judge.maps.scene import read_scene
from judge.rules import Order, Outcome, Position, format_order, position_to_json
from judge.rules.json_forms import outcome_as_told
from judge.store import pictures
from judge.store.games import played
from judge.store.states import MapsWish, PictureForm
from judge.store.tables import Game, Seat

# The content of a picture, as JSON (judge/maps/scene.py).
Scene = dict[str, Any]
# The maximum number of phases in an animated picture, so that it is drawn within seconds (judge/mails/drawing.py).
MOST_FRAMES = 60
# {a player's setting of SET MAPS: the form of the pictures}.
_FORMS: dict[MapsWish, PictureForm] = {"on": "png", "orders": "png", "small": "small"}


def scene(game: Game, position: Position, outcome: Outcome | None = None, occasion: str = "") -> Scene | None:
    """Return the scene of `position`, with the orders in `outcome` if given, or None if the board has no map."""
    variant = variant_of(game)
    try:
        load_geometry(variant.edition)
    except NoGeometry:
        return None
    settings = settings_of(game)
    rules = {"borders": [*settings.borders], "holders": {**settings.holders}, "canals": {**settings.canals}}
    return {
        "variant": variant.edition,
        **{rule: settled for rule, settled in rules.items() if settled},
        "name": game.name,
        "occasion": occasion,
        "position": position_to_json(variant, position),
        "outcome": outcome_as_told(variant, outcome) | {"bids": []} if outcome else None,
    }


def film(session: Session, game: Game) -> Scene | None:
    """Return the scene of an animated picture of a game, with its phases and its end.

    If the phases are too many, only every second one is shown, or fewer. Returns None if the board has no map.
    """
    last = standing(session, game)
    end = last and scene(game, last)
    if not end:
        return None
    frames = [scene(game, *outcome_of(game, phase), "results") or end for phase in played(session, game)]
    frames.append(end)
    while len(frames) > MOST_FRAMES:
        frames = frames[::-2][::-1]
    shown = [{key: one[key] for key in ("position", "outcome", "occasion")} for one in frames]
    return {**end, "occasion": "film", "frames": shown}


def own_orders(
    game: Game, position: Position, orders: Mapping[str, Sequence[Order]], bids: Sequence[Order]
) -> Scene | None:
    """Return the scene of one player's orders, {power: its orders}, or None if the board has no map.

    `bids` are the orders of neutrals for which the player bids. The picture shows the parts of the board with the
    player's own orders. If there is room, the picture also shows the parts with the bids.
    """
    shown = scene(game, position, occasion="orders")
    if shown is None:
        return None
    given = {power: [*map(format_order, some)] for power, some in orders.items() if some}
    bid_for = {next(iter(orders)): [*map(format_order, bids)]} if bids else {}
    own = (provinces_of(order) for some in orders.values() for order in some)
    parts = parts_showing(load_geometry(shown["variant"]), own, map(provinces_of, bids))
    return {**shown, "orders": given, "bids": bid_for, "parts": parts}


def for_seat(work: Work, shown: Scene | None, seat: Seat) -> int | None:
    """Return the picture of that scene in the player's form, or None if they want no picture.

    If the board has parts, the picture also shows those with the player's units and centers.
    """
    form = _FORMS.get(seat.maps or "on")
    if not (shown and form):
        return None
    return pictures.keep(work.session, _seen_by(shown, seat.power, form), form, work.now)


def with_confirmation(work: Work, shown: Scene | None) -> int | None:
    """Return the picture of a player's own orders, with only the parts of the board that show them, or None."""
    if not shown:
        return None
    return pictures.keep(work.session, shown, "small" if shown["parts"] == [""] else "png", work.now)


def asked_for(work: Work, shown: Scene | None, seat: Seat | None, svg: bool, part: str) -> int | None:
    """Return the picture for a reader who asks for it, even if other emails have none, or None.

    The picture is an SVG, or a PNG of the size that the reader has set. If `part` is given, the picture shows only that
    part of the board.
    """
    if not shown:
        return None
    form: PictureForm = "film" if "frames" in shown else "svg" if svg else "png"
    if part:
        return pictures.keep(work.session, {**shown, "parts": [part]}, form, work.now)
    if seat and seat.maps == "small" and form == "png":
        form = "small"
    return pictures.keep(work.session, _seen_by(shown, seat.power if seat else None, form), form, work.now)


def part_named(game: Game, name: str) -> str:
    """Return the part of the board with that name, or the only part whose name contains it, or ""."""
    parts, wanted = parts_of(game), name.lower()
    found = [part for part in parts if f" {wanted} " in f" {part.lower()} "]
    exact = [part for part in found if part.lower() == wanted]
    return (exact or found)[0] if exact or len(found) == 1 else ""


def provinces_of_part(game: Game, part: str) -> frozenset[str]:
    """Return the provinces in a part of the game's board, or none for the whole board ("")."""
    return provinces_in(load_geometry(variant_of(game).edition), part) if part else frozenset()


def parts_of(game: Game) -> list[str]:
    """Return the names of the parts of the game's board, or none if it has no parts or no map."""
    try:
        return [part.name for part in load_geometry(variant_of(game).edition).parts]
    except NoGeometry:
        return []


def parts_words(game: Game) -> str:
    """Return a sentence on the parts of the game's board, or "" if there are at most two."""
    parts = parts_of(game)
    if len(parts) < 3:
        return ""
    return f"The map has parts: {', '.join(parts)}. To see a part, send MAP {game.name} {parts[0]}."


def _seen_by(shown: Scene, power: str | None, form: PictureForm) -> Scene:
    """Return the scene with the parts of the board for a player of `power`."""
    geometry = load_geometry(shown["variant"])
    if form != "png" or len(geometry.parts) < 2:
        return shown
    drawn = read_scene(shown)
    return {**shown, "parts": parts_to_see(geometry, drawn, drawn.variant.powers_of(power) if power else ())}
