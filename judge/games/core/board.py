"""The board of a game as it plays it, the outcomes of its phases, and whether it needs a master for its bids."""

import json
from collections.abc import Collection
from functools import lru_cache

from sqlmodel import Session

from judge.games.core.settings import settings_of
from judge.rules import (
    Outcome,
    Position,
    Variant,
    load_variant,
    outcome_from_json,
    position_after,
    position_from_json,
    still_in,
)
from judge.rules.board.phase import year
from judge.rules.game_options import told, with_house_rules
from judge.store.games import last_phase
from judge.store.seats import masters_of
from judge.store.tables import Game, Phase, Seat


def variant_of(game: Game) -> Variant:
    """The variant as `game` plays it: with the master's settings for it, and with the groups that were drawn."""
    return with_house_rules(load_variant(game.variant), settings_of(game).house_rules)


def published_variant(game: Game) -> Variant:
    """The variant as its own files have it, without what is settled for `game` alone."""
    return load_variant(game.variant)


def variant_at(game: Game, phase: Phase | None) -> Variant:
    """The variant as `game` plays it in `phase`: with the canals that are open then. Without a phase: as it begins."""
    variant = variant_of(game)
    return variant.at(phase.name if phase else variant.start)


def whole_variant_at(game: Game, phase: Phase | None) -> Variant:
    """The same, but with nothing closed that is closed in one season only: BORDER and COAST change this board."""
    variant = variant_of(game)
    # In a winter nothing is closed, since nothing moves; what changes with the year, such as a canal, is the same.
    return variant.at(f"W{year(phase.name if phase else variant.start)}A")


def border_words(game: Game, variant: Variant) -> list[str]:
    """The changes to the board of `game`, one sentence each; `variant`: the variant at the time that is meant."""
    return told(variant, settings_of(game).borders)


def board(game: Game, phase: Phase) -> tuple[Variant, Position]:
    """The variant of `game` as it is in `phase`, and the position before the phase."""
    variant = variant_at(game, phase)
    return variant, _position(variant, json.dumps(phase.position))


def vacant(game: Game, phase: Phase, held: Collection[str]) -> list[str]:
    """List the powers still in the game that have no player and may get one, in the variant's order.

    `held`: those that have a player.
    """
    variant, position = board(game, phase)
    free = still_in(variant, position) - {*held, *settings_of(game).disorder}
    return [seat.name for seat in variant.seats if seat.name in free]


@lru_cache(maxsize=512)
def _position(variant: Variant, text: str) -> Position:
    """Cached, since all letters of a phase are about the same position."""
    return position_from_json(variant, json.loads(text))


def outcome_of(game: Game, phase: Phase) -> tuple[Position, Outcome]:
    """The position before a processed phase of `game`, and the outcome of the phase."""
    variant, position = board(game, phase)
    return position, outcome_from_json(variant, phase.outcome or {}, position)


def standing(session: Session, game: Game) -> Position | None:
    """The position of a game: before its open phase, or at the game's end; None while the game is forming."""
    last = last_phase(session, game)
    if not last or game.state == "forming":
        return None
    if last.outcome:
        return position_after(variant_of(game), last.outcome)
    return board(game, last)[1]


def variant_now(session: Session, game: Game) -> Variant:
    """Return the variant in the open phase of `game`, at its end, or (while it is forming) at its start.

    Canals open in the course of a game.
    """
    return variant_at(game, last_phase(session, game))


def signon_of(game: Game, seat: Seat) -> str:
    """Return what its holder writes after SIGNON: Fheron, Mheron, Oheron, and ?heron before powers are given out."""
    if seat.power:
        return variant_of(game).seat_named[seat.power].at(game.name)
    return {"master": "M", "observer": "O"}.get(seat.role, "?") + game.name


def is_signed_on_to(game: Game, seat: Seat) -> bool:
    """Whether the seat has a sign-on: in a game for one its master's has, and those of its powers have none."""
    return seat.role != "player" or not settings_of(game).solo


def letters_of(game: Game, powers: Collection[str]) -> str:
    """`EF`: the letters of these powers, in the variant's order."""
    return "".join(seat.letter for seat in variant_of(game).seats if seat.name in powers)


def needs_master(game: Game) -> bool:
    """Whether the game cannot be played without a master."""
    return variant_of(game).points is not None


def lacks_master(session: Session, game: Game) -> bool:
    """Whether the game needs a master and has none."""
    return needs_master(game) and not masters_of(session, game)
