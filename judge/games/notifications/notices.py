"""Who gets a mail about a game: every seat or one, once an address, each in its reader's time zone.

The longer mails are in judge/games/notifications/game_mails.py and judge/games/deadlines/reminders.py.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlmodel import Session

from judge.games.core.board import variant_of
from judge.games.core.who_may_see import shown_to
from judge.games.core.work import Work
from judge.games.notifications.pictures import PictureFor
from judge.games.people.credentials import unsubscribe_word
from judge.mails.mail_writer import DataFile, Draft, Due
from judge.rules import words
from judge.store.people import people_of, registered_address
from judge.store.seats import by_address, seats_of
from judge.store.states import MailKind
from judge.store.tables import Game, Person, Phase, Seat

# What a letter may do several of, told to each reader in one mail; the first of them gives the mail its kind.
_TOGETHER: Sequence[MailKind] = ("corrected", "deadline", "changes", "news")
# What a daily mail may hold back from players: news that say nothing of the board or of the time.
_MAY_WAIT: frozenset[MailKind] = frozenset(("news", "absence", "changes", "late", "abandoned", "revealed"))
# A daily mail that is about to go takes nothing more.
_CLOSED = timedelta(minutes=2)

# What the reader of a mail is told besides what all are: by their seats and their time zone.
Own = Callable[[Sequence[Seat], str], Mapping[str, object]]


@dataclass(frozen=True)
class Announcement:
    """A mail to people in a game: a template and its context.

    `phase`: the phase that it is about; no mail goes out before that opens. `prefix` comes first in the subject.
    `picture_for`: the picture that goes with the mail; `data`: what it says, for readers who want JSON.
    """

    game: Game
    phase: Phase | None
    template: MailKind
    subject: str
    context: Mapping[str, object]
    prefix: str = ""
    picture_for: PictureFor | None = None
    data: Callable[[Sequence[Seat]], DataFile] | None = None

    @property
    def phase_is_over(self) -> bool:
        """Whether the phase that it is about was processed, or its game has ended."""
        return self.game.state == "finished" or self.phase is not None and self.phase.processed_at is not None

    @property
    def whole_context(self) -> dict[str, object]:
        """What the template is given for every reader."""
        return {"game": self.game, "phase": self.phase, "variant": variant_of(self.game), **self.context}


@dataclass(frozen=True)
class _Told:
    """An announcement with its readers, {address: their seats}; `own`: what else the template is given for each."""

    announcement: Announcement
    readers: Mapping[str, Sequence[Seat]]
    own: Own | None = None


def tell_all(
    work: Work,
    announcement: Announcement,
    skip: Collection[str] = (),
    *,
    own: Own | None = None,
    seats: Sequence[Seat] | None = None,
) -> None:
    """Mail the announcement to every seat, once an address, except to the addresses in `skip`.

    `own`: what else the template is given for a reader. `seats`: the seats of the game, if the caller has them.
    """
    readers = by_address(seats or seats_of(work.session, announcement.game))
    _tell(work, _Told(announcement, {address: mine for address, mine in readers.items() if address not in skip}, own))


def tell_seat(work: Work, seat: Seat, announcement: Announcement) -> None:
    """Mail the announcement to one seat."""
    _tell(work, _Told(announcement, {seat.address: [seat]}))


def _tell(work: Work, told: _Told) -> None:
    """Mail it now, after what was gathered; what a letter may do several of is gathered (`tell_gathered`)."""
    if work.gathered is not None and told.announcement.template in _TOGETHER:
        work.gathered.append(told)
        return
    tell_gathered(work)
    _mail(work, [told])


def tell_gathered(work: Work) -> None:
    """Mail what the letter has done so far, all of one game to one reader in one mail, as things are now."""
    gathered = work.gathered or []
    waiting: list[_Told] = gathered[:]
    gathered.clear()
    # The new deadline of a phase that the letter has ended since is of no use to anybody.
    waiting = [
        told
        for told in waiting
        if not (told.announcement.template == "deadline" and told.announcement.phase_is_over)
    ]
    games = {told.announcement.game.name: told.announcement.game for told in waiting}
    for game in games.values():
        _mail(work, [told for told in waiting if told.announcement.game is game])


def _mail(work: Work, told: Sequence[_Told]) -> None:
    """Mail these announcements about one game, to each of their readers in one mail."""
    people, mails = people_of(work.session, told[0].announcement.game), []
    for address in dict.fromkeys(address for one in told for address in one.readers):
        mine = [(one, one.readers[address]) for one in told if address in one.readers]
        person = mine[0][1][0].person_id
        # Whoever has lost the seat in the same letter is not among the people any more.
        reader = people.get(person) or work.session.get_one(Person, person)
        parts = []
        for one, seats in mine:
            own = one.own(seats, reader.zone) if one.own else {}
            parts.append(_Part(one.announcement, seats, {**one.announcement.whole_context, **own}))
        mails.append(_notice(work, reader, _final(parts)))
    work.mail(*mails)


@dataclass(frozen=True)
class _Part:
    """What one announcement says to a reader with the seats `mine`; `context`: what its template is given."""

    announcement: Announcement
    mine: Sequence[Seat]
    context: Mapping[str, Any]


def _final(parts: Sequence[_Part]) -> list[_Part]:
    """Return the parts of one mail, with one part for all changes of a kind: the final values, and the old ones."""
    merged: dict[str, _Part] = {}
    for number, part in enumerate(parts):
        template = part.announcement.template
        at = template if template in _MERGED else f"{number}"
        if earlier := merged.get(at):
            subject = _subject([earlier.announcement, part.announcement], part.announcement.phase)
            context = {**part.context, **_MERGED[template](earlier.context, part.context)}
            part = replace(part, announcement=replace(part.announcement, subject=subject), context=context)
        merged[at] = part
    if {"deadline", "corrected"} <= merged.keys():
        corrected = merged["corrected"]
        merged["corrected"] = replace(corrected, context={**corrected.context, "due_is_told": True})
    return list(merged.values())


def _corrections(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> dict[str, object]:
    """The board and the reader's orders as they are after both."""
    own = later if later["power"] else earlier
    return {
        **{key: own[key] for key in ("power", "title", "lines", "bids") if key in own},
        "dropped": [*earlier.get("dropped", ()), *later.get("dropped", ())],
        "sentence": _lines(earlier["sentence"], later["sentence"]),
        "changes": [*earlier["changes"], *later["changes"]],
        "position": later["position"] or earlier["position"],
    }


_MERGED: Mapping[str, Callable[[Mapping[str, Any], Mapping[str, Any]], dict[str, object]]] = {
    "deadline": lambda earlier, later: {"before": earlier["before"], "why": _lines(earlier["why"], later["why"])},
    "changes": lambda earlier, later: {"changes": [*dict.fromkeys([*earlier["changes"], *later["changes"]])]},
    "corrected": _corrections,
}


def _lines(earlier: str, later: str) -> str:
    return "\n".join(dict.fromkeys([*earlier.split("\n"), later]))


def _subject(told: Sequence[Announcement], phase: Phase | None) -> str:
    """`S1901M Deadline Adjustment, Parameter Change`."""
    name = f"{phase.name} " if phase else ""
    return name + ", ".join(dict.fromkeys(one.subject.removeprefix(name) for one in told))


def _notice(work: Work, reader: Person, parts: Sequence[_Part]) -> Draft:
    """Write one mail of these parts to the reader, about the first of their seats; the first part has the heading.

    Observers can unsubscribe with every mail; a player's mails are part of the game.
    """
    said = [part.announcement for part in parts]
    main, mine = said[0], parts[0].mine
    if len(said) > 1:
        phase = next((one.phase for one in said if one.phase), None)
        main = min(said, key=lambda one: _TOGETHER.index(one.template))
        main = replace(main, subject=_subject([main, *said], phase), phase=phase)
    seat, texts = mine[0], []
    for number, part in enumerate(parts):
        template, context = part.announcement.template, {**part.context, "phase": part.announcement.phase or main.phase}
        if number:
            context["continued"] = True
        texts.append(work.services.post.written(template, reader.zone, work.now, context, html=reader.html))
    mail = Draft(
        to=seat.address,
        kind=main.template,
        subject=main.subject,
        prefix=main.prefix,
        threaded=reader.threads,
        body="\n\n".join(text.strip() for text in texts) if len(texts) > 1 else texts[0],
        plain=not reader.html,
        due=due_now(work, main.game, main.phase, main.template) if reader.calendar else None,
        data=main.data(mine) if main.data and reader.data else None,
        game=main.game,
        phase=main.phase,
        picture_id=main.picture_for(seat) if main.picture_for else None,
        unsubscribe=unsubscribe_word(work.services, seat) if seat.role == "observer" else "",
        forms=[form for part in parts for form in part.context.get("forms", ())],
    )
    # Nothing waits for a master, who has to look after the game, and everything may wait for an observer.
    asks = mail.forms or any(seat.role == "master" for part in parts for seat in part.mine)
    waits = seat.role == "observer" or seat.role == "player" and _MAY_WAIT.issuperset(one.template for one in said)
    if asks or mail.due or mail.data or not waits or reader.digest is None:
        return mail
    return replace(mail, until=next_digest(reader.digest, reader.zone, work.now))


def due_now(work: Work, game: Game, phase: Phase | None, what: MailKind = "reply") -> Due | None:
    """Return the deadline for calendars, or that there is none any more; None: neither.

    `what`: the kind of the mail.
    """
    if game.state == "paused" or what == "end":
        return Due("", phase.deadline_at if phase else work.now, cancelled=True)
    return Due(words(phase.name), phase.deadline_at) if phase and not phase.processed_at else None


def next_digest(minutes: int, zone: str, now: datetime) -> datetime:
    """Return the next moment that is so many minutes after midnight in `zone`, and not just about to come."""
    there = (now + _CLOSED).astimezone(ZoneInfo(zone))
    clock = time(minutes // 60, minutes % 60, tzinfo=there.tzinfo)
    moment = datetime.combine(there, clock)
    if moment < there:
        moment = datetime.combine(there + timedelta(days=1), clock)
    return moment.astimezone(now.tzinfo)


def tell_news(work: Work, game: Game, what: str, text: str, skip: Collection[str] = ()) -> None:
    """Mail one paragraph to every seat, except to the addresses in `skip`."""
    tell_all(work, Announcement(game, None, "news", what, {"text": text}), skip)


def tell_comings(work: Work, game: Game, what: str, text: str, skip: Collection[str] = ()) -> None:
    """Announce who comes or goes: to every seat, in a quiet game only to the masters (SET QUIET)."""
    tell_news(work, game, what, text, {*skip, *kept_out(work.session, game)})


def kept_out(session: Session, game: Game) -> set[str]:
    """Return the addresses that must not know who comes, goes or is late: in a quiet game all but the masters'."""
    seats = seats_of(session, game)
    known_to = {seat.address for seat in seats if shown_to(seat, game).changes}
    return {seat.address for seat in seats} - known_to


def tell_left(work: Work, game: Game, seat: Seat, why: str) -> None:
    """Notify the holder of `seat` that they have lost it and `why` (`the master has removed you`)."""
    roles = {"master": "are no longer a master of", "observer": "no longer observe", "player": "are no longer in"}
    lost = f"no longer play {seat.power} in" if seat.power else roles[seat.role]
    text = (
        f"You {lost} {game.name}: {why}. If this was a mistake, write to the keeper of this judge right away: "
        f"{work.services.settings.keeper}."
    )
    tell_loser(work, seat, Announcement(game, None, "news", "You Have Left the Game", {"text": text}))


def tell_loser(work: Work, seat: Seat, announcement: Announcement) -> None:
    """Mail whoever has lost `seat`, at the address they registered from, and at the game's if that is another."""
    person = work.session.get_one(Person, seat.person_id)
    body = work.services.post.render(announcement.template, person.zone, **announcement.whole_context)
    for address in dict.fromkeys([registered_address(work.session, person), seat.address]):
        work.mail(
            Draft(
                to=address,
                kind=announcement.template,
                subject=announcement.subject,
                body=body,
                due=Due("", work.now, cancelled=True) if person.calendar else None,
                game=announcement.game,
                phase=announcement.phase,
            )
        )
