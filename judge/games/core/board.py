"""The board of a game under the game's settings, its positions and outcomes, and whether it needs a master."""

from collections.abc import Collection

from sqlmodel import Session

from judge.games.core.settings import Terms, settings_of
from judge.rules import (
    Outcome,
    Position,
    Variant,
    load_variant,
    outcome_from_json,
    position_after,
    position_from_json,
    still_in,
    year,
)
from judge.rules.game_options import told, with_house_rules
from judge.store.games import last_phase
from judge.store.seats import masters_of
from judge.store.tables import Game, Phase, Seat


def variant_of(game: Game) -> Variant:
    """Return the variant as `game` plays it, with the master's settings and the groups drawn for powers."""
    return with_house_rules(load_variant(game.variant), settings_of(game).house_rules)


def turn_of(game: Game, who: str) -> int:
    """Return the rank of `who` ("Master", a power, a group or "Observer") for sorting lists of a game's people."""
    order = ["Master", *variant_of(game).seat_named]
    return order.index(who) if who in order else len(order)


def published_variant(game: Game) -> Variant:
    """Return the variant from its own files, without the settings of `game`."""
    return load_variant(game.variant)


def variant_at(game: Game, phase: Phase | None) -> Variant:
    """Return the variant as `game` plays it in `phase`, for example with the canals open in that phase.

    If `phase` is None, the first phase is meant.
    """
    variant = variant_of(game)
    return variant.at(phase.name if phase else variant.start)


def whole_variant_at(game: Game, phase: Phase | None) -> Variant:
    """Return the variant in the year of `phase`, including provinces that are closed in some seasons.

    The commands BORDER and COAST change this board.
    """
    variant = variant_of(game)
    # In winter all provinces are open, since no unit moves. A canal that opens in a year is still open in its winter.
    return variant.at(f"W{year(phase.name if phase else variant.start)}A")


def border_words(game: Game, variant: Variant) -> list[str]:
    """Return a sentence on each change that the master has made to the board of `game`.

    `variant` is the variant in the phase that the sentences are about.
    """
    return told(variant, settings_of(game).borders)


def board(game: Game, phase: Phase) -> tuple[Variant, Position]:
    """Return the variant of `game` in `phase`, and the position before the phase."""
    variant = variant_at(game, phase)
    return variant, position_from_json(variant, phase.position)


def terms_of(phase: Phase) -> Terms:
    """Return the four moments of a phase."""
    return Terms(phase.opened_at, phase.earliest_at, phase.deadline_at, phase.grace_ends_at)


def vacant(game: Game, phase: Phase, held: Collection[str]) -> list[str]:
    """List the powers that have no player and are still in the game, so that someone can take them over.

    `held` contains the powers that have a player. The powers are in the variant's order.
    """
    variant, position = board(game, phase)
    return variant.seats_in_order(still_in(variant, position) - {*held, *settings_of(game).disorder})


def outcome_of(game: Game, phase: Phase) -> tuple[Position, Outcome]:
    """Return the position before a processed phase of `game`, and the outcome of the phase."""
    variant, position = board(game, phase)
    return position, outcome_from_json(variant, phase.outcome or {}, position)


def standing(session: Session, game: Game) -> Position | None:
    """Return the position before the open phase or at the end of the game, or None while the game is forming."""
    last = last_phase(session, game)
    if not last or game.state == "forming":
        return None
    if last.outcome:
        return position_after(variant_of(game), last.outcome)
    return board(game, last)[1]


def variant_now(session: Session, game: Game) -> Variant:
    """Return the variant in the last phase of `game`, or in the first phase while the game is forming."""
    return variant_at(game, last_phase(session, game))


def signon_of(game: Game, seat: Seat) -> str:
    """Return the word that the seat's player writes after SIGNON: Fheron, Mheron, Oheron.

    Before powers are assigned, the word is ?heron.
    """
    if seat.power:
        return variant_of(game).seat_named[seat.power].at(game.name)
    return {"master": "M", "observer": "O"}.get(seat.role, "?") + game.name


def is_signed_on_to(game: Game, seat: Seat) -> bool:
    """Return whether someone can sign on to the seat. In a game of one person, no one signs on to the powers' seats."""
    return seat.role != "player" or not settings_of(game).solo


def letters_of(game: Game, powers: Collection[str]) -> str:
    """Return the one-letter abbreviations of these powers in the variant's order, such as `EF`."""
    variant = variant_of(game)
    return "".join(variant.seat_named[name].letter for name in variant.seats_in_order(powers))


def needs_master(game: Game) -> bool:
    """Return whether the game needs a master, as one with Diplomacy Points does."""
    return variant_of(game).points is not None


def lacks_master(session: Session, game: Game) -> bool:
    """Return whether the game needs a master and has none."""
    return needs_master(game) and not masters_of(session, game)
