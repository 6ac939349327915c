"""Decide when people in a game are notified, and which notices share an email.

News from the clock is sent immediately. If an email to the judge causes news, the news is sent after that whole email
has been handled. Each reader then gets one email for each game. Of several announcements about the same thing, only the
last is sent (`Announcement.about`). Announcements that are no longer true are dropped (`_still_true`). The results of a
phase have a separate email.

Some kinds of news (`_MAY_WAIT`) can wait. Such news waits for the reader's digest, or for the next notice of a forming
game (`Announcement.apart`). Strangers get only a few such emails (`has_had_enough`). A reader who does not want a kind
of notices gets none of that kind (`is_wanted`).
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from judge.games.core.board import terms_of, variant_of
from judge.games.core.settings import Terms
from judge.games.core.who_may_see import shown_to
from judge.games.core.work import Work
from judge.games.notifications import pictures
from judge.games.people.credentials import unsubscribe_word
from judge.mails.blocks import Written, together
from judge.mails.mail_writer import DataFile, Draft, Due
from judge.rules import words
from judge.store.people import people_of
from judge.store.seats import has_master, of_role, places_in
from judge.store.sent_mails import last_mailed, mails_since, notices_to_stranger
from judge.store.states import MailKind
from judge.store.tables import NEVER, Game, Person, Phase, Seat

# The order of the parts of one email. The first part gives the email its kind.
_ORDER: Sequence[MailKind] = (
    "end", "start", "position", "pending", "corrected", "deadline", "application", "consent", "absence", "changes",
    "news", "revealed",
)  # fmt: skip
# News about the open phase, which is out of date when the phase is over.
_OF_OPEN_PHASE: frozenset[MailKind] = frozenset(("start", "position", "pending", "deadline", "absence"))
# The emails that say when orders are due, unless another part of the same email does.
_TELL_DUE: frozenset[MailKind] = frozenset(("corrected", "news"))
# News about the end of a game, which ROLLBACK may have undone.
_OF_END: frozenset[MailKind] = frozenset(("end", "revealed"))
_MAY_WAIT: frozenset[MailKind] = frozenset(("news", "absence", "changes", "late", "abandoned", "revealed"))
# The kinds of notices that a reader can turn off (SET NOTICES), and the emails of each kind. News of who joins and
# leaves is also of the kind "news". All other emails are sent to everyone.
OPTIONAL = ("press", "reminders", "news")
_KINDS: Mapping[MailKind, str] = {
    "press": "press", "reminder": "reminders", "absence": "news", "late": "news", "abandoned": "news",
}  # fmt: skip
# A digest that will be sent within this time gets no more news.
_CLOSED = timedelta(minutes=2)
# The lines for programs, which an email has only once.
_HEADING = re.compile(r"(?m)^:: .*$\n*")
# The `about` of news that powers were assigned, or that the assignment was undone. Such news never waits.
OF_POWERS = "powers"
# The `about` of news that a game has ended, or that it is open again. Whoever hears of one must hear of the other.
OF_ENDING = "end"
# The number of emails that a stranger gets before writing to the judge, and the minimum time between two about one
# game.
MOST_TO_STRANGERS = 3
STRANGERS_AGAIN = timedelta(days=1)

# A function from the seats and the time zone of a reader to the template's variables for this reader.
Own = Callable[[Sequence[Seat], str], Mapping[str, object]]


@dataclass(frozen=True)
class Announcement:
    """An email to people in a game: a template and its context.

    `phase` is the phase that the announcement is about. No email is sent before that phase opens. `prefix` comes first
    in the subject. `scene` is the content of the picture. `data` returns the file for readers who want JSON. If an
    email to the judge causes several announcements with the same `about`, only the last is sent. If `about` is "", all
    are sent. `result_of` is the phase whose results the announcement has. `apart` is the shortest time between two
    announcements to a forming game. Before that, the announcement is not sent, since the game's next notice is enough.
    `lost` is true if its reader has lost their place. `comings` is true if the announcement says who joins or leaves.
    """

    game: Game
    phase: Phase | None
    template: MailKind
    subject: str
    context: Mapping[str, Any]
    prefix: str = ""
    scene: pictures.Scene | None = None
    data: Callable[[Sequence[Seat]], DataFile] | None = None
    about: str = ""
    result_of: Phase | None = None
    apart: timedelta | None = None
    lost: bool = False
    comings: bool = False

    @property
    def optional(self) -> str:
        """Return the announcement's kind in `OPTIONAL`, or "" if readers cannot turn it off."""
        if self.lost or self.prefix:
            return ""
        return "news" if self.comings else _KINDS.get(self.template, "")

    @property
    def may_wait(self) -> bool:
        """Return whether the announcement can wait for a digest."""
        return self.template in _MAY_WAIT and self.about not in (OF_POWERS, OF_ENDING)


@dataclass(frozen=True)
class Told:
    """An announcement, its readers as {address: their seats}, and a function that returns a reader's own variables."""

    announcement: Announcement
    readers: Mapping[str, Sequence[Seat]]
    own: Own | None = None


@dataclass(frozen=True)
class _Later:
    """A task for a game, done once for all `powers` after the email that caused it."""

    game: Game
    does: Callable[[Work, Game, Collection[str]], None]
    powers: Collection[str]


def tell(work: Work, told: Told) -> None:
    """Send the announcement when the email that caused it has been handled, or immediately if no email did."""
    if work.gathered is None:
        _mail(work, [told])
    else:
        work.gathered.append(told)


def at_end(
    work: Work, game: Game, does: Callable[[Work, Game, Collection[str]], None], powers: Collection[str]
) -> None:
    """Call `does` with the game and these powers when the email that caused this has been handled.

    If no email caused it, `does` is called immediately. After several such requests, `does` is called once for a game,
    with the powers of all of them.
    """
    if work.gathered is None:
        does(work, game, powers)
    else:
        work.gathered.append(_Later(game, does, powers))


def tell_gathered(work: Work) -> None:
    """Send the news that an email has caused, in one email for each game and reader."""
    gathered = work.gathered or []
    told = [one for one in gathered if isinstance(one, Told)]
    later = [one for one in gathered if isinstance(one, _Later)]
    gathered.clear()
    for name in dict.fromkeys(one.announcement.game.name for one in told):
        _mail(work, [one for one in told if one.announcement.game.name == name])
    _do_once(work, later)


def _do_once(work: Work, later: Sequence[_Later]) -> None:
    calls: dict[tuple[str, Any], list[_Later]] = {}
    for one in later:
        calls.setdefault((one.game.name, one.does), []).append(one)
    for same in calls.values():
        powers = dict.fromkeys(power for one in same for power in one.powers)
        same[0].does(work, same[0].game, list(powers))


def _mail(work: Work, told: Sequence[Told]) -> None:
    """Send these announcements about one game in one email to each reader, with results in a separate email."""
    game = told[0].announcement.game
    latest = {one.announcement.about: one for one in told}
    unsaid = {about for about, one in latest.items() if _is_put_off(work, one)}
    told = [one for one in told if one.announcement.about not in unsaid]
    people, places = people_of(work.session, game), _places(work, game, told)
    mails: list[tuple[int, Draft]] = []
    for address in dict.fromkeys(address for one in told for address in one.readers):
        mails += _mails_to(work, address, told, people, places)
    mails.sort(key=lambda one: one[0])
    players = {address for one in told for address, mine in one.readers.items() if of_role(mine, "player")}
    work.notified.update((game.name, mail.to) for _, mail in mails if mail.to in players)
    work.mail(*(mail for _, mail in mails))


def _mails_to(
    work: Work, address: str, told: Sequence[Told], people: Mapping[int, Person], places: Mapping[int, int]
) -> Iterator[tuple[int, Draft]]:
    """Yield the emails to one reader, each with the number of the first announcement in it."""
    mine = list({seat.id: seat for one in told for seat in one.readers.get(address, ())}.values())
    # `people` does not have a person who has just left the game.
    reader = people.get(mine[0].person_id) or work.session.get_one(Person, mine[0].person_id)
    parts = _still_true(address, told)
    for numbers in _parted(parts):
        final = _final([_as_read(told[number], parts[number], address, reader.zone) for number in numbers])
        if final and (mail := _notice(work, address, reader, mine, final, places)):
            yield numbers[0], mail


def _places(work: Work, game: Game, told: Sequence[Told]) -> dict[int, int]:
    """Return {id of a seat: its number in the game}, or {} without observers among the readers."""
    for one in told:
        for mine in one.readers.values():
            if of_role(mine, "observer"):
                return places_in(work.session, game)
    return {}


def _parted(parts: Mapping[int, Announcement]) -> list[list[int]]:
    """Return the numbers of the parts in each email. Each result has its own email, and all other parts share one."""
    alone = [[number] for number, part in parts.items() if part.result_of]
    together = [number for number, part in parts.items() if not part.result_of]
    together.sort(key=lambda number: _rank(parts[number]))
    return [*alone, together] if together else alone


def _as_read(told: Told, part: Announcement, address: str, zone: str) -> Announcement:
    more: Mapping[str, object] = {}
    # `_as_it_is` may have changed the announcement. Then all its readers read the same.
    if told.own and part is told.announcement:
        more = told.own(told.readers[address], zone)
    same = {"game": part.game, "phase": part.phase, "variant": variant_of(part.game)}
    return replace(part, context={**same, **part.context, **more})


def _is_put_off(work: Work, told: Told) -> bool:
    """Return whether the announcement is not sent, since some reader has recently had news of the game.

    If the game is forming, its next notice is sent sooner.
    """
    one = told.announcement
    if not one.apart:
        return False
    since = work.now - one.apart
    if not any(mails_since(work.session, address, "news", since, one.game) for address in told.readers):
        return False
    if one.game.state == "forming" and shown_to(None, one.game).changes:
        one.game.notice_at = min(filter(None, [one.game.notice_at, work.now + one.apart]))
    return True


def _still_true(address: str, told: Sequence[Told]) -> dict[int, Announcement]:
    """Return {number in `told`: announcement} for those that are still true for the reader at `address`."""
    last: dict[str | int, int] = {}
    for number, one in enumerate(told):
        seats = one.readers.get(address)
        if not seats:
            continue
        has_left = all(seat.left_at for seat in seats)
        if one.announcement.lost or not has_left:
            # Of announcements with the same `about`, only the last is sent.
            last[one.announcement.about or number] = number
    now = {number: _as_it_is(told[number].announcement) for number in sorted(last.values())}
    return {number: one for number, one in now.items() if one}


def _as_it_is(one: Announcement) -> Announcement | None:
    """Return the part of the announcement that is still true, or None if nothing is."""
    if _is_undone(one):
        return None
    is_over = one.game.state == "finished" or one.phase is not None and one.phase.processed_at is not None
    if one.result_of or one.template in _OF_END or not is_over:
        return one
    if one.template == "corrected":
        text = " ".join([one.context["sentence"], *one.context["changes"]])
        return replace(one, template="news", phase=None, context={"text": text})
    if one.template in _OF_OPEN_PHASE:
        return None
    # Return the announcement itself if possible, since only an unchanged one gets variables for each reader.
    return replace(one, phase=None) if one.phase else one


def _is_undone(one: Announcement) -> bool:
    if one.result_of:
        # If the outcome is gone, ROLLBACK has opened that phase again.
        return one.result_of.outcome is None
    if one.template in _OF_END:
        return one.game.state != "finished"
    return one.template == "changes" and not one.context["changes"]


def _rank(one: Announcement) -> int:
    return _ORDER.index(one.template) if one.template in _ORDER else len(_ORDER)


def _notice(
    work: Work,
    address: str,
    reader: Person,
    mine: Sequence[Seat],
    parts: Sequence[Announcement],
    places: Mapping[int, int],
) -> Draft | None:
    """Return one email with these parts to the reader, about the first of their seats.

    `places` is {id of a seat: its number in the game}, if observers are among the readers. Returns None if the reader
    does not want the email, or is a stranger who has been sent enough. Only an observer can unsubscribe with an email,
    since a player's emails are part of the game.
    """
    if not any(is_wanted(reader, mine, one.optional) for one in parts):
        return None
    main, seat = _heading_part(parts), mine[0]
    observes = seat.role == "observer" and not seat.left_at
    due = _due(work, reader, main)
    data = [main.data(mine)] if main.data and reader.data else []
    until = None
    if not due and not data and not _is_urgent(mine, parts):
        is_news = all(one.may_wait for one in parts)
        if is_news and _is_enough(work, address, reader, mine, main.game):
            return None
        if is_news or seat.role == "observer":
            until = _until(work, reader, main)
    return Draft(
        to=address,
        kind=main.template,
        subject=main.subject,
        prefix=main.prefix,
        threaded=reader.threads,
        body=_body(work, reader, main.phase, parts),
        plain=not reader.html,
        until=until,
        due=due,
        data=data,
        game=main.game,
        phase=main.phase,
        picture_id=pictures.for_seat(work, main.scene, seat),
        unsubscribe=unsubscribe_word(work, main.game, places[seat.key]) if observes else "",
    )


def is_wanted(reader: Person, mine: Sequence[Seat], kind: str) -> bool:
    """Return whether the reader in the seats `mine` wants notices of that kind (see `OPTIONAL`).

    A master of the game gets all notices.
    """
    return kind not in reader.unwanted or has_master(mine)


def _is_urgent(mine: Sequence[Seat], parts: Sequence[Announcement]) -> bool:
    """Return whether the reader has to act, or is a master."""
    return has_master(mine) or any(part.context.get("forms") for part in parts)


def _until(work: Work, reader: Person, main: Announcement) -> datetime | None:
    """Return when the reader's next digest is sent, or None if they get none or have lost the seat."""
    if reader.digest is None or main.lost:
        return None
    return next_digest(reader.digest, reader.zone, work.now)


def _heading_part(parts: Sequence[Announcement]) -> Announcement:
    """Return the email's first part, changed to have the subject and the phase of the whole email."""
    if len(parts) == 1:
        return parts[0]
    phase = next((one.phase for one in parts if one.phase), None)
    lost = any(one.lost for one in parts)
    return replace(parts[0], subject=_subject(parts, phase), phase=phase, lost=lost)


def _due(work: Work, reader: Person, main: Announcement) -> Due | None:
    """Return the deadline for the reader's calendar, or its cancellation if the reader has lost the seat, or None."""
    if not reader.calendar:
        return None
    if main.lost:
        return Due("", work.now, cancelled=True)
    return due_now(work, main.game, main.phase, main.template)


def _is_enough(work: Work, address: str, reader: Person, mine: Sequence[Seat], game: Game) -> bool:
    """Return whether the reader is a stranger in a forming game who has been sent enough news."""
    if game.state != "forming" or any(one.proved for one in mine):
        return False
    return has_had_enough(work, reader, address, game)


def _body(work: Work, reader: Person, phase: Phase | None, parts: Sequence[Announcement]) -> str:
    texts: list[Written] = []
    for part in parts:
        context = {**part.context, "phase": part.phase or phase}
        text = work.services.post.render(part.template, reader.zone, clock=work.now, **context)
        texts.append(Written(_HEADING.sub("", text.marked).strip()) if texts else text)
    return together(*texts)


def has_had_enough(work: Work, person: Person, address: str, game: Game) -> bool:
    """Return whether a stranger to the game has been sent as many emails as strangers get.

    Strangers are people on the standby list, or people who were put into the game by an unproved email.
    """
    recent = notices_to_stranger(work.session, person, address, work.now - STRANGERS_AGAIN, game)
    return bool(recent) or left_to_stranger(work, person, address) <= 0


def left_to_stranger(work: Work, person: Person, address: str) -> int:
    """Return how many more emails a stranger may get before writing to the judge."""
    answered = last_mailed(work.session, address, "reply") or datetime.min.replace(tzinfo=UTC)
    return MOST_TO_STRANGERS - notices_to_stranger(work.session, person, address, answered)


def _final(parts: Sequence[Announcement]) -> list[Announcement]:
    """Return the parts of an email, with several changes of the same kind in one part.

    This part shows the values before the first change and after the last.
    """
    merged: dict[str, Announcement] = {}
    for number, part in enumerate(parts):
        at = part.template if part.template in _MERGED else f"{number}"
        if earlier := merged.get(at):
            context = {**part.context, **_MERGED[part.template](earlier.context, part.context)}
            part = replace(part, subject=_subject([earlier, part], part.phase), context=context)
        merged[at] = part
    told = [part for part in merged.values() if not _is_set_back(part)]
    if all(part.template != "deadline" for part in told):
        return told
    return [
        replace(part, context={**part.context, "due_is_told": True}) if part.template in _TELL_DUE else part
        for part in told
    ]


def _is_set_back(part: Announcement) -> bool:
    """Return whether a deadline was moved, and then moved back.

    The end of a pause is announced even if the deadline is the same.
    """
    phase = part.phase
    if part.template != "deadline" or part.about or not phase:
        return False
    before: Terms = part.context["before"]
    return before == terms_of(phase)


def _corrections(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> dict[str, object]:
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
    "corrected": _corrections,
}


def _lines(earlier: str, later: str) -> str:
    return "\n".join(dict.fromkeys([*earlier.split("\n"), later]))


def _subject(told: Sequence[Announcement], phase: Phase | None) -> str:
    """Return the subject of an email with these parts, such as `S1901M Deadline Adjustment, Parameter Change`."""
    name = f"{phase.name} " if phase else ""
    return name + ", ".join(dict.fromkeys(one.subject.removeprefix(name) for one in told))


def due_now(work: Work, game: Game, phase: Phase | None, what: MailKind = "reply") -> Due | None:
    """Return the deadline for calendars, or the cancellation of the old deadline, or None if there is neither.

    `what` is the kind of the email.
    """
    if game.state == "paused" or what == "end":
        return Due("", phase.deadline_at if phase else work.now, cancelled=True)
    if not phase or phase.processed_at or phase.deadline_at >= NEVER:
        return None
    return Due(words(phase.name), phase.deadline_at)


def next_digest(minutes: int, zone: str, now: datetime) -> datetime:
    """Return the next moment that is `minutes` after midnight in `zone`, and at least two minutes ahead."""
    return next_at(now + _CLOSED, time(*divmod(minutes, 60)), zone)


def next_at(after: datetime, at: time, zone: str) -> datetime:
    """Return the first moment after `after`, in UTC, at which the clocks of `zone` show `at`."""
    local = after.astimezone(ZoneInfo(zone))
    day = local.date() if local.time() < at else local.date() + timedelta(days=1)
    return datetime.combine(day, at, local.tzinfo).astimezone(UTC)
