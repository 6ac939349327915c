"""Send emails about a game to all people in it, or to one of them.

Each address gets one email, in the reader's time zone. The longer emails are in judge/games/notifications/game_mails.py
and judge/games/deadlines/schedule.py.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from sqlmodel import Session

from judge.games.core.who_may_see import shown_to
from judge.games.core.work import Work
from judge.games.notifications import gathering
from judge.games.notifications.gathering import Announcement as Announcement
from judge.games.notifications.gathering import Own, Told
from judge.store.people import addresses_of
from judge.store.seats import by_address, has_master, masters_of, seats_of
from judge.store.tables import Game, Person, Seat


def tell_all(
    work: Work,
    announcement: Announcement,
    skip: Collection[str] = (),
    *,
    own: Own | None = None,
    seats: Sequence[Seat] | None = None,
) -> None:
    """Mail the announcement to all people in the game, once for each address, except the addresses in `skip`.

    `own` returns further template variables for a reader. `seats` contains the seats of the game, if the caller has
    them.
    """
    readers = by_address(seats or seats_of(work.session, announcement.game))
    told = {address: mine for address, mine in readers.items() if address not in skip}
    gathering.tell(work, Told(announcement, told, own))


def tell_seat(work: Work, seat: Seat, announcement: Announcement) -> None:
    """Mail the announcement to the person in `seat`."""
    gathering.tell(work, Told(announcement, {seat.address: [seat]}))


def tell_news(work: Work, game: Game, what: str, text: str, skip: Collection[str] = (), *, about: str = "") -> None:
    """Mail one paragraph to all people in the game, except to the addresses in `skip`.

    `about` is the field of `Announcement`.
    """
    tell_all(work, news_of(game, what, text, about=about), skip)


def news_of(game: Game, what: str, text: str, *, about: str = "", apart: timedelta | None = None) -> Announcement:
    """Return an announcement of one paragraph.

    `about` and `apart` are fields of `Announcement`.
    """
    return Announcement(game, None, "news", what, {"text": text}, about=about or text, apart=apart)


def tell_comings(work: Work, news: Announcement, skip: Collection[str] = (), to_masters: str = "") -> None:
    """Announce to all people who joins or leaves, but only to the masters in a quiet game (SET QUIET).

    `to_masters` is the text for the masters, who know all people by name.
    """

    def own(mine: Sequence[Seat], zone: str) -> Mapping[str, object]:
        return {"text": to_masters} if to_masters and has_master(mine) else {}

    tell_all(work, replace(news, comings=True), {*skip, *kept_out(work.session, news.game)}, own=own)


def tell_masters(work: Work, game: Game, what: str, text: str, skip: Collection[str] = ()) -> None:
    """Mail one paragraph to the masters, except to the addresses in `skip`."""
    tell_news(work, game, what, text, all_but_masters(work.session, game) | {*skip})


def all_but_masters(session: Session, game: Game) -> set[str]:
    """Return the addresses in the game that do not belong to a master."""
    return by_address(seats_of(session, game)).keys() - by_address(masters_of(session, game)).keys()


def kept_out(session: Session, game: Game) -> set[str]:
    """Return the addresses of people who must not learn, in a quiet game, who joins, leaves or is late."""
    seats = seats_of(session, game)
    told = by_address(seat for seat in seats if shown_to(seat, game).changes)
    return by_address(seats).keys() - told.keys()


def tell_left(work: Work, game: Game, seat: Seat, why: str) -> None:
    """Notify the person in `seat` that they have lost it, and `why`, such as `the master has removed you`."""
    text = (
        f"{lost(game, seat)}: {why}. If this was a mistake, write to the keeper of this judge right away: "
        f"{work.settings.keeper}."
    )
    tell_loser(work, seat, news_of(game, "No Longer in the Game", text, about=f"left {seat.id}"))


def lost(game: Game, seat: Seat) -> str:
    """Return `You no longer play Turkey in heron`, for a person who has left or was removed."""
    roles = {"master": "are no longer a master of", "observer": "no longer observe", "player": "are no longer in"}
    what = f"no longer play {seat.power} in" if seat.power else roles[seat.role]
    return f"You {what} {game.name}"


def tell_loser(work: Work, seat: Seat, announcement: Announcement) -> None:
    """Mail the person who has lost `seat`, at their oldest address and, if it differs, at the seat's address."""
    person = work.session.get_one(Person, seat.person_id)
    addresses = (addresses_of(work.session, person)[0].address, seat.address)
    gathering.tell(work, Told(replace(announcement, lost=True), {address: [seat] for address in addresses}))
