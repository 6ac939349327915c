"""Export a game to another judge, or import one, as one JSON object with everything about the game.

The object has no passwords, tokens or keys. The judge that imports the object mails everyone in the game a new
password. An ended game can be published without its people, for anyone to read.
"""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any
from zoneinfo import available_timezones

from pydantic import TypeAdapter
from sqlmodel import Session

from judge.addresses import normal
from judge.games.core.board import is_signed_on_to, outcome_of, signon_of, standing, variant_of
from judge.games.core.settings import GameSettings, change_settings, settings_of
from judge.games.core.who_may_see import ANYBODY, may_see, played_stage
from judge.games.core.work import Work
from judge.games.deadlines import calendar, schedule
from judge.games.life.game_record import told_again
from judge.games.notifications.game_data import phase_json
from judge.games.orders.filed_orders import FiledOrders
from judge.mails.mail_writer import Draft, MailWriter
from judge.rules.board.orders import order_from_json
from judge.rules.board.phase import split_phase
from judge.rules.variant.registry import edition_files, keep_edition
from judge.store import export
from judge.store.games import game_named, open_phase, played
from judge.store.seats import seats_of
from judge.store.tables import NEVER, Game

# The version of the JSON object's format. Objects of other versions are refused.
FORM = 1
_MARK = "judge game"
_NAME = re.compile(r"[a-z0-9]{1,20}")


class NoArchive(ValueError):
    """The data is not a game that this judge can import. The text says why."""


def packed(session: Session, game: Game) -> dict[str, Any]:
    """Return the whole game, with its rows, and the files of its variant if the keeper has made the variant."""
    files = {name: data.decode() for name, data in edition_files(game.variant).items()}
    return {_MARK: FORM, "variant": files, "rows": export.rows_of(session, game)}


def public(session: Session, game: Game) -> dict[str, Any]:
    """Return an ended game for the public, with the results of each phase, without the names of its people."""
    variant, revealed = variant_of(game), may_see(ANYBODY, game, "bids", played_stage(game))
    phases = []
    for phase in played(session, game):
        position, outcome = outcome_of(game, phase)
        phases.append(phase_json(game, variant, position, outcome, outcome.bids.bids if revealed else ()))
    return {"game": game.name, "variant": variant.name, "result": game.result, "phases": phases}


def public_history(session: Session, game: Game, post: MailWriter, zone: str) -> str:
    """Return the history of a game as HISTORY mails it, in the layout that programs read (docs/formats.md)."""
    variant = variant_of(game)
    pages = [told_again(post, zone, game, phase) for phase in played(session, game)]
    head = post.render("public_history", zone, game=game, variant=variant, phase=None)
    return "\n\n".join([head, *pages]) + "\n"


def unpacked(work: Work, text: str, name: str) -> Game:
    """Import a game from the JSON in `text`, and mail its people new passwords.

    The game is imported as `name`, or under its own name. A running game is paused until its master resumes it, so that
    no deadline passes during the move. Raises NoArchive.
    """
    try:
        game = _put(work, json.loads(text), name)
        _try(work, game)
    except NoArchive:
        raise
    except (LookupError, ArithmeticError, TypeError, AttributeError, ValueError, RecursionError) as mistake:
        raise NoArchive(f"this is not a file of judge games export ({mistake!r:.200})") from mistake
    game.idle = False
    change_settings(game, before={})  # people have other ids on this judge
    if phase := open_phase(work.session, game):
        phase.held_since = None
    if phase and phase.deadline_at < NEVER:
        if game.state == "active":
            # The time that was left is unknown, so the phase gets its whole length.
            game.state, game.stopped_at = "paused", phase.opened_at
        schedule.stand_still(work, phase)
    work.log("keeper", game, "imported")
    for seat in seats_of(work.session, game):
        if not is_signed_on_to(game, seat):
            continue
        word = work.draws.word("password")
        seat.password = work.services.passwords.keep_generated(word)
        context = {"game": game, "seat": seat, "password": word, "signon": signon_of(game, seat)}
        body = work.services.post.render("moved", work.settings.zone, **context)
        work.mail(Draft(to=seat.address, kind="promoted", subject="Moved", body=body, game=game, secret=word))
    return game


def _put(work: Work, given: Any, name: str) -> Game:
    """Write the rows of a game, as `name` or under its own name.

    Raises NoArchive, or another error if the data is not a game.
    """
    # Reject NaN, Infinity and lone surrogates, since Python's JSON accepts them and a database does not.
    json.dumps(given, ensure_ascii=False, allow_nan=False).encode()
    if given[_MARK] != FORM:
        raise NoArchive(f"this archive has format {given[_MARK]}, but this judge reads format {FORM}")
    rows, files = given["rows"], {name: data.encode() for name, data in given["variant"].items()}
    name = (name or rows["game"][0]["name"]).lower()
    if not _NAME.fullmatch(name):
        raise NoArchive(f"{name!r:.60} is not a name for a game: use up to 20 letters and digits")
    if game_named(work.session, name):
        raise NoArchive(f"there is already a game {name}; to import it under another name: --name OTHER")
    keep_edition(rows["game"][0]["variant"], files)
    _check(rows)
    return export.put(work.session, rows, name)


def _check(rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    """Check those values in the rows that other code uses without a check.

    Raises NoArchive, or LookupError and others if a row or a value is missing.
    """
    for seat in rows["seat"]:
        if normal(seat["address"]) != seat["address"]:
            raise NoArchive(f"{seat['address']!r:.60} is not an address in the form that is stored")
    zones = available_timezones()
    for row in (*rows["game"], *rows["person"]):
        if row["zone"] not in zones:
            raise NoArchive(f"{row['zone']!r:.60} is not a time zone")
    for row in rows["game"]:
        TypeAdapter(GameSettings).validate_json(json.dumps(row["settings"]), strict=True)
    for row in rows["orders"]:
        order_from_json(row["meaning"])


def _try(work: Work, game: Game) -> None:
    """Read the whole game and try its next step, so that only a game that can be played is imported."""
    settings = settings_of(game)
    for timing in (settings.move, settings.retreat, settings.adjust):
        calendar.terms(timing.of_first_phase, work.now, game.zone)
    for hours in settings.remind:
        timedelta(hours=hours)  # timedelta cannot represent thousands of years
    if game.state != "forming" and not game.started_at:
        raise NoArchive("it does not say when the game began")
    standing(work.session, game)
    for phase in played(work.session, game):
        split_phase(phase.name)
        outcome_of(game, phase)
    if opened := open_phase(work.session, game):
        split_phase(opened.name)
        FiledOrders(work.session, game, opened).adjudicated()
    elif game.state in ("active", "paused"):
        raise NoArchive("it is running but has no open phase")
