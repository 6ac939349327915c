"""Functions that all questions share: which game is meant, who asks, and where the title goes."""

from typing import Any

from judge.desk.core.command import Call
from judge.desk.core.refusals import CommandError
from judge.desk.core.visit import Visit
from judge.games.core.who_may_see import Fact, Shown, Stage, may_see, shown_to, viewer
from judge.games.telling.pictures import asked_for
from judge.mails.pages import titled
from judge.mails.templates import wrap
from judge.store.games import game_named, open_phase
from judge.store.seats import games_of, seats_ever, seats_of
from judge.store.tables import Game, Phase, Seat

_FIRST = ("master", "player", "observer")


def asked_game(visit: Visit, name: str | None, command: str) -> Game:
    """The named game, else the one signed on to, else the sender's only game. Raises CommandError."""
    if name:
        game = game_named(visit.session, name)
        if not game:
            raise CommandError(f'There is no game "{name}" here. LIST shows the games.')
        return game
    if visit.game:
        return visit.game
    mine = games_of(visit.session, visit.person) if visit.person else []
    if len(mine) != 1:
        yours = f" You are in {', '.join(game.name for game in mine)}." if mine else ""
        raise CommandError(f"Which game? Write {command} <game>; LIST shows the games.{yours}")
    return mine[0]


def asked_phase(visit: Visit, game: Game) -> Phase | None:
    """The open phase of `game`; if the answer is not yet about a game, it is now about this one."""
    phase = visit.phase if visit.game is game else open_phase(visit.session, game)
    if not visit.answer.game:
        visit.answer.game, visit.answer.phase = game, phase
    return phase


def seat_in(visit: Visit, game: Game) -> Seat | None:
    """The sender's seat in `game`: the one signed on to, else one found by address; a master's before a player's.

    The address is enough for a question, since the answer goes to that address.
    """
    if visit.seat and visit.game is game:
        return visit.seat
    if not visit.person:
        return None
    mine = [seat for seat in seats_of(visit.session, game) if seat.person_id == visit.person.id]
    return min(mine, key=lambda seat: _FIRST.index(seat.role), default=None)


def own_seats(visit: Visit, game: Game) -> list[Seat]:
    """The seats in `game` that the sender holds or has held.

    If another person gets a copy of the answer, only the seat signed on to. Raises CommandError for a master who acts
    for a power: neither of the two may read what the other got.
    """
    here = visit.seat if visit.game is game else None
    if here and visit.acting:
        raise CommandError("Ask for press in a separate letter: while you act for a power, its player gets a copy.")
    if here and visit.answer.copy_to:
        return [here]
    return list(seats_ever(visit.session, game, visit.person)) if visit.person else []


def shown_in(visit: Visit, game: Game) -> Shown:
    """What the sender may see of the people in `game`."""
    return shown_to(seat_in(visit, game), game)


def sees(visit: Visit, game: Game, fact: Fact, stage: Stage, power: str = "") -> bool:
    """Whether all who read the answer may see this fact about `power`, "" for all powers but their own."""
    if visit.game is game and visit.seat:
        return visit.sees(fact, stage, power)
    seats = seats_of(visit.session, game)
    mine = [seat for seat in seats if visit.person and seat.person_id == visit.person.id]
    return may_see(viewer(mine, seats), game, fact, stage, power)


def sees_now(visit: Visit, game: Game, fact: Fact, power: str) -> bool:
    """The same for the open phase."""
    return sees(visit, game, fact, "open", power)


def tell(visit: Visit, title: str, template: str, **context: object) -> None:
    """Answer a question with a text made from `template`."""
    tell_text(visit, title, visit.office.post.written(template, visit.zone, visit.now, context))


def tell_text(visit: Visit, title: str, text: str, headed: bool = False) -> None:
    """Answer with `text`: its title is the verdict, or stands above the text if the verdict is about a sign-on.

    `headed`: programs read this text; its heading stands above the verdict.
    """
    if visit.game:
        visit.answer.texts.append(titled(wrap(title), text))
        return
    visit.title(title)
    visit.answer.headed = headed
    if text:
        visit.answer.texts.append(text)


def show(
    visit: Visit, call: Call, game: Game, shown: dict[str, Any] | None, svg: bool = False, part: str = ""
) -> None:
    """Send a picture of that scene of `game`, or of that part of it, with the answer; a mail has room for one."""
    if any(answer.picture_id and not answer.shows_orders for answer in visit.all_answers):
        visit.note(call, "a mail carries one picture only: ask for this one in a separate letter.")
        return
    for answer in visit.all_answers:
        answer.picture_id, answer.shows_orders = None, False
    visit.answer.picture_id = asked_for(visit.turn, shown, seat_in(visit, game), svg, part)
