"""Who gets a mail about a game: every seat or one, once an address, each in its reader's time zone.

The longer mails are in judge/games/notifications/game_mails.py and judge/games/deadlines/schedule.py.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlmodel import Session

from judge.games.core.board import variant_of
from judge.games.core.who_may_see import shown_to
from judge.games.core.work import Work
from judge.games.notifications import pictures
from judge.games.people.credentials import unsubscribe_word
from judge.mails.mail_writer import DataFile, Draft, Due
from judge.rules import words
from judge.store.people import addresses_of, people_of
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
    `scene`: what the picture that goes with the mail shows; `data`: what it says, for readers who want JSON.
    """

    game: Game
    phase: Phase | None
    template: MailKind
    subject: str
    context: Mapping[str, Any]
    prefix: str = ""
    scene: dict[str, Any] | None = None
    data: Callable[[Sequence[Seat]], DataFile] | None = None

    @property
    def phase_is_over(self) -> bool:
        """Whether the phase that it is about was processed, or its game has ended."""
        return self.game.state == "finished" or self.phase is not None and self.phase.processed_at is not None

    @property
    def whole_context(self) -> dict[str, Any]:
        """What the template is given for every reader."""
        return {"game": self.game, "phase": self.phase, "variant": variant_of(self.game), **self.context}


# An announcement with its readers, {address: their seats}, and what else the template is given for each.
_Told = tuple[Announcement, Mapping[str, Sequence[Seat]], Own | None]


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
    _tell(work, (announcement, {address: mine for address, mine in readers.items() if address not in skip}, own))


def tell_seat(work: Work, seat: Seat, announcement: Announcement) -> None:
    """Mail the announcement to one seat."""
    _tell(work, (announcement, {seat.address: [seat]}, None))


def _tell(work: Work, told: _Told) -> None:
    """Mail it now, after what was gathered; what a letter may do several of is gathered (`tell_gathered`)."""
    if work.gathered is not None and told[0].template in _TOGETHER:
        work.gathered.append(told)
        return
    tell_gathered(work)
    _mail(work, [told])


def tell_gathered(work: Work) -> None:
    """Mail what the letter has done so far, all of one game to one reader in one mail, as things are now."""
    gathered = work.gathered or []
    # The new deadline of a phase that the letter has ended since is of no use to anybody.
    waiting: list[_Told] = [told for told in gathered if told[0].template != "deadline" or not told[0].phase_is_over]
    gathered.clear()
    games = {announcement.game.name: announcement.game for announcement, *_ in waiting}
    for game in games.values():
        _mail(work, [told for told in waiting if told[0].game is game])


def _mail(work: Work, told: Sequence[_Told]) -> None:
    """Mail these announcements about one game, to each of their readers in one mail."""
    people, mails = people_of(work.session, told[0][0].game), []
    for address in dict.fromkeys(address for _, readers, _ in told for address in readers):
        mine = [seat for _, readers, _ in told for seat in readers.get(address, ())]
        # Whoever has lost the seat in the same letter is not among the people any more.
        reader = people.get(mine[0].person_id) or work.session.get_one(Person, mine[0].person_id)
        parts = [
            replace(one, context={**one.whole_context, **(own(readers[address], reader.zone) if own else {})})
            for one, readers, own in told
            if address in readers
        ]
        mails.append(_notice(work, reader, mine, _final(parts)))
    work.mail(*mails)


def _final(parts: Sequence[Announcement]) -> list[Announcement]:
    """Return the parts of one mail, with one part for all changes of a kind: the final values, and the old ones."""
    merged: dict[str, Announcement] = {}
    for number, part in enumerate(parts):
        at = part.template if part.template in _MERGED else f"{number}"
        if earlier := merged.get(at):
            context = {**part.context, **_MERGED[part.template](earlier.context, part.context)}
            part = replace(part, subject=_subject([earlier, part], part.phase), context=context)
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


def _notice(work: Work, reader: Person, mine: Sequence[Seat], parts: Sequence[Announcement]) -> Draft:
    """Write one mail of these parts to the reader, about the first of their seats; the first part has the heading.

    Observers can unsubscribe with every mail; a player's mails are part of the game.
    """
    main, seat, texts = parts[0], mine[0], []
    if len(parts) > 1:
        phase = next((one.phase for one in parts if one.phase), None)
        main = min(parts, key=lambda one: _TOGETHER.index(one.template))
        main = replace(main, subject=_subject([main, *parts], phase), phase=phase)
    for number, part in enumerate(parts):
        context = {**part.context, "phase": part.phase or main.phase} | ({"continued": True} if number else {})
        texts.append(work.services.post.written(part.template, reader.zone, work.now, context, html=reader.html))
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
        picture_id=pictures.for_seat(work, main.scene, seat),
        unsubscribe=unsubscribe_word(work.services, seat) if seat.role == "observer" else "",
        forms=[form for part in parts for form in part.context.get("forms", ())],
    )
    # Nothing waits for a master, who has to look after the game, and everything may wait for an observer.
    asks = mail.forms or any(one.role == "master" for one in mine)
    waits = seat.role == "observer" or seat.role == "player" and _MAY_WAIT.issuperset(one.template for one in parts)
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
    return next_at(now + _CLOSED, time(*divmod(minutes, 60)), zone)


def next_at(after: datetime, at: time, zone: str) -> datetime:
    """Return the first moment after `after`, in UTC, at which the clocks of `zone` show `at`."""
    local = after.astimezone(ZoneInfo(zone))
    day = local.date() if local.time() < at else local.date() + timedelta(days=1)
    return datetime.combine(day, at, local.tzinfo).astimezone(UTC)


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
    for address in dict.fromkeys([addresses_of(work.session, person)[0].address, seat.address]):
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
