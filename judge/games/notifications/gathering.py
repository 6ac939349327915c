"""When something is told to people in a game, and in how many mails: decided here for all notices.

What the clock does is told at once. What a letter does is told at its end: one mail a reader and game, of the state
that then holds. Of several announcements about the same thing only the last is told (`Announcement.about`); what no
longer holds is not told (`_still_true`). The results of a phase are a mail of their own.

News that say nothing of the board, a power or a deadline (`_MAY_WAIT`) can wait: in the digest of a reader who has one,
or until the next notice of a game that is forming (`Announcement.apart`). Strangers get only a few of them
(`has_had_enough`). Whoever does not want a kind of notices gets none of it (`is_wanted`).
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from judge.games.core.board import variant_of
from judge.games.core.settings import Terms
from judge.games.core.who_may_see import shown_to
from judge.games.core.work import Work
from judge.games.notifications import pictures
from judge.games.people.credentials import unsubscribe_word
from judge.mails.blocks import Written, together
from judge.mails.mail_writer import DataFile, Draft, Due
from judge.rules import words
from judge.store.people import people_of
from judge.store.rows import id_of
from judge.store.seats import has_master, places_in
from judge.store.sent_mails import last_mailed, mails_since, notices_to_stranger
from judge.store.states import MailKind
from judge.store.tables import NEVER, Game, Person, Phase, Seat

# The order of what one mail tells; the first of it gives the mail its kind.
_ORDER: Sequence[MailKind] = (
    "end", "start", "position", "pending", "corrected", "deadline", "application", "consent", "absence", "changes",
    "news", "revealed",
)  # fmt: skip
# What is about the open phase, and of no use once that is over.
_OF_OPEN_PHASE: frozenset[MailKind] = frozenset(("start", "position", "pending", "deadline", "absence"))
# What is about the end of a game, which ROLLBACK may have undone.
_OF_END: frozenset[MailKind] = frozenset(("end", "revealed"))
# What may wait.
_MAY_WAIT: frozenset[MailKind] = frozenset(("news", "absence", "changes", "late", "abandoned", "revealed"))
# The kinds of notices that a reader may do without (SET NOTICES), and what is of each kind besides who comes and goes.
# All else must be known.
OPTIONAL = ("press", "reminders", "news")
_KINDS: Mapping[MailKind, str] = {
    "press": "press", "reminder": "reminders", "absence": "news", "late": "news", "abandoned": "news",
}  # fmt: skip
# A daily mail that is about to go takes nothing more.
_CLOSED = timedelta(minutes=2)
# The lines for programs, which a mail has once.
_HEADING = re.compile(r"(?m)^:: .*$\n*")
# What a start and its undoing are about: who plays what, which never waits.
OF_POWERS = "powers"
# How many mails a stranger gets until they write, and how often about one game.
MOST_TO_STRANGERS = 3
STRANGERS_AGAIN = timedelta(days=1)

# What the reader of a mail is told besides what all are: by their seats and their time zone.
Own = Callable[[Sequence[Seat], str], Mapping[str, object]]


@dataclass(frozen=True)
class Announcement:
    """A mail to people in a game: a template and its context.

    `phase`: the phase that it is about; no mail goes out before that opens. `prefix` comes first in the subject.
    `scene`: what the picture that goes with the mail shows; `data`: what it says, for readers who want JSON.
    `about`: of several about the same thing a letter tells only the last ("": this is about nothing else).
    `result_of`: the phase whose results it brings. `apart`: if any reader had news of the game within that time, nobody
    gets this; the next notice of the forming game tells how it stands then. `lost`: its reader has lost their seat.
    `comings`: it says who comes or goes.
    """

    game: Game
    phase: Phase | None
    template: MailKind
    subject: str
    context: Mapping[str, Any]
    prefix: str = ""
    scene: dict[str, Any] | None = None
    data: Callable[[Sequence[Seat]], DataFile] | None = None
    about: str = ""
    result_of: Phase | None = None
    apart: timedelta | None = None
    lost: bool = False
    comings: bool = False

    @property
    def optional(self) -> str:
        """Which of the kinds of `OPTIONAL` it is; "" if its reader must know it, such as that they are late."""
        if self.lost or self.prefix:
            return ""
        return "news" if self.comings else _KINDS.get(self.template, "")

    @property
    def may_wait(self) -> bool:
        """Whether it is news that say nothing of the board or of the time."""
        return self.template in _MAY_WAIT and self.about != OF_POWERS

    @property
    def whole_context(self) -> dict[str, Any]:
        """What the template is given for every reader."""
        return {"game": self.game, "phase": self.phase, "variant": variant_of(self.game), **self.context}


@dataclass(frozen=True)
class Told:
    """An announcement with its readers, {address: their seats}, and what else the template is given for each."""

    announcement: Announcement
    readers: Mapping[str, Sequence[Seat]]
    own: Own | None = None


@dataclass(frozen=True)
class _Later:
    """What is done for a game at the end of the letter, once for all of the `powers`."""

    game: Game
    does: Callable[[Work, Game, Collection[str]], None]
    powers: Collection[str]


def tell(work: Work, told: Told) -> None:
    """Tell it at the end of the letter, or now if no letter is being carried out."""
    if work.gathered is None:
        _mail(work, [told])
    else:
        work.gathered.append(told)


def at_end(
    work: Work, game: Game, does: Callable[[Work, Game, Collection[str]], None], powers: Collection[str]
) -> None:
    """Call `does` with the game and these powers at the end of the letter, or now if none is being carried out.

    Once for a game, with the powers of all calls.
    """
    if work.gathered is None:
        does(work, game, powers)
    else:
        work.gathered.append(_Later(game, does, powers))


def tell_gathered(work: Work) -> None:
    """Mail what the letter has done, all of one game to one reader in one mail, as things are now."""
    gathered = work.gathered or []
    told = [one for one in gathered if isinstance(one, Told)]
    later = [one for one in gathered if isinstance(one, _Later)]
    gathered.clear()
    for name in dict.fromkeys(one.announcement.game.name for one in told):
        _mail(work, [one for one in told if one.announcement.game.name == name])
    _do_once(work, later)


def _do_once(work: Work, later: Sequence[_Later]) -> None:
    """Do what was put off, once for a game with the powers of all calls."""
    calls: dict[tuple[str, Any], list[_Later]] = {}
    for one in later:
        calls.setdefault((one.game.name, one.does), []).append(one)
    for same in calls.values():
        powers = dict.fromkeys(power for one in same for power in one.powers)
        same[0].does(work, same[0].game, list(powers))


def _mail(work: Work, told: Sequence[Told]) -> None:
    """Mail these announcements about one game: to each of their readers one mail, and the results by themselves."""
    game = told[0].announcement.game
    latest = {one.announcement.about: one for one in told}
    unsaid = {about for about, one in latest.items() if _is_put_off(work, one)}
    told = [one for one in told if one.announcement.about not in unsaid]
    people, places = people_of(work.session, game), _places(work, game, told)
    mails: list[tuple[int, Draft]] = []
    for address in dict.fromkeys(address for one in told for address in one.readers):
        mails += _mails_to(work, address, told, people, places)
    mails.sort(key=lambda one: one[0])
    work.mail(*(mail for _, mail in mails))


def _mails_to(
    work: Work, address: str, told: Sequence[Told], people: Mapping[int, Person], places: Mapping[int, int]
) -> Iterator[tuple[int, Draft]]:
    """Yield the mails to one reader, each with the number of the first announcement in it."""
    mine = list({seat.id: seat for one in told for seat in one.readers.get(address, ())}.values())
    # Whoever has lost the seat in the same letter is not among the people any more.
    reader = people.get(mine[0].person_id) or work.session.get_one(Person, mine[0].person_id)
    parts = _still_true(address, told)
    for numbers in _parted(parts):
        final = _final([_as_read(told[number], parts[number], address, reader.zone) for number in numbers])
        if final and (mail := _notice(work, address, reader, mine, final, places)):
            yield numbers[0], mail


def _places(work: Work, game: Game, told: Sequence[Told]) -> dict[int, int]:
    """Which of the game's seats each is, if observers are among the readers."""
    for one in told:
        for mine in one.readers.values():
            if any(seat.role == "observer" for seat in mine):
                return places_in(work.session, game)
    return {}


def _parted(parts: Mapping[int, Announcement]) -> list[list[int]]:
    """The numbers of the parts of each mail: results have one to themselves, and all else has one together."""
    alone = [[number] for number, part in parts.items() if part.result_of]
    together = [number for number, part in parts.items() if not part.result_of]
    together.sort(key=lambda number: _rank(parts[number]))
    return [*alone, together] if together else alone


def _as_read(told: Told, part: Announcement, address: str, zone: str) -> Announcement:
    """A part with all that its template is given for this reader."""
    more: Mapping[str, object] = {}
    # What is left of an announcement says no more to one reader than to others.
    if told.own and part is told.announcement:
        more = told.own(told.readers[address], zone)
    return replace(part, context={**part.whole_context, **more})


def _is_put_off(work: Work, told: Told) -> bool:
    """Whether its readers have had news of the game not long ago; then the next notice of the game comes in time."""
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
    """Return what is still true for the reader at `address`, {its number in `told`: announcement}."""
    mine: dict[int, Announcement] = {}
    for number, one in enumerate(told):
        seats = one.readers.get(address)
        if seats is None:
            continue
        if one.announcement.lost or not all(seat.left_at for seat in seats):
            mine[number] = one.announcement
    last = {one.about: number for number, one in mine.items()}
    now = {number: _as_it_is(one) for number, one in mine.items() if not one.about or last[one.about] == number}
    return {number: one for number, one in now.items() if one}


def _as_it_is(one: Announcement) -> Announcement | None:
    """What is left of an announcement as things are now; None: nothing."""
    ended = one.game.state == "finished"
    if one.template == "changes" and not one.context["changes"]:
        return None
    if one.result_of:
        # Without an outcome ROLLBACK has opened that phase again.
        return one if one.result_of.outcome is not None else None
    if one.template in _OF_END:
        return one if ended else None
    is_past = one.phase is not None and one.phase.processed_at is not None
    if not ended and not is_past:
        return one
    if one.template == "corrected":
        text = " ".join([one.context["sentence"], *one.context["changes"]])
        return replace(one, template="news", phase=None, context={"text": text})
    if one.template in _OF_OPEN_PHASE:
        return None
    # What is told as it was keeps what each reader is told besides.
    return replace(one, phase=None) if one.phase else one


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
    """Write one mail of these parts to the reader, about the first of their seats; the first part has the heading.

    `places`: {id of a seat: its number in the game}, if observers are among the readers. None if the reader does not
    want it, or is a stranger who has had enough of such news. Observers can unsubscribe with every mail; a player's
    mails are part of the game.
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
        unsubscribe=unsubscribe_word(work, main.game, places[id_of(seat)]) if observes else "",
    )


def is_wanted(reader: Person, mine: Sequence[Seat], kind: str) -> bool:
    """Whether the reader in these seats gets notices of that kind of `OPTIONAL`; a master of the game gets all."""
    return kind not in reader.unwanted or has_master(mine)


def _is_urgent(mine: Sequence[Seat], parts: Sequence[Announcement]) -> bool:
    """Whether the reader is asked for something, or is a master, who has to look after the game."""
    return has_master(mine) or any(part.context.get("forms") for part in parts)


def _until(work: Work, reader: Person, main: Announcement) -> datetime | None:
    """When the reader's next digest goes out; None if they have none, or must hear that they have lost the seat."""
    if reader.digest is None or main.lost:
        return None
    return next_digest(reader.digest, reader.zone, work.now)


def _heading_part(parts: Sequence[Announcement]) -> Announcement:
    """The first part, with the subject and the phase of the whole mail, and whether its reader has lost a seat."""
    if len(parts) == 1:
        return parts[0]
    phase = next((one.phase for one in parts if one.phase), None)
    lost = any(one.lost for one in parts)
    return replace(parts[0], subject=_subject(parts, phase), phase=phase, lost=lost)


def _due(work: Work, reader: Person, main: Announcement) -> Due | None:
    """What the reader's calendar is told: nothing is due any more for whoever has lost the seat."""
    if not reader.calendar:
        return None
    if main.lost:
        return Due("", work.now, cancelled=True)
    return due_now(work, main.game, main.phase, main.template)


def _is_enough(work: Work, address: str, reader: Person, mine: Sequence[Seat], game: Game) -> bool:
    """Whether the reader is a stranger to a forming game and has had enough of its news."""
    if game.state != "forming" or any(one.proved for one in mine):
        return False
    return has_had_enough(work, reader, address, game)


def _body(work: Work, reader: Person, phase: Phase | None, parts: Sequence[Announcement]) -> str:
    """The text of these parts, with the lines for programs once."""
    texts: list[Written] = []
    for part in parts:
        context = {**part.context, "phase": part.phase or phase}
        text = work.services.post.render(part.template, reader.zone, **context)
        texts.append(Written(_HEADING.sub("", text.marked).strip()) if texts else text)
    return together(*texts)


def has_had_enough(work: Work, person: Person, address: str, game: Game) -> bool:
    """Whether somebody who has not asked for news of the game, as far as we know, gets none now: a few are enough.

    These are people on the standby list, and those put into a game by a letter that proved nothing.
    """
    recent = notices_to_stranger(work.session, person, address, work.now - STRANGERS_AGAIN, game)
    return bool(recent) or left_to_stranger(work, person, address) <= 0


def left_to_stranger(work: Work, person: Person, address: str) -> int:
    """How many such news they may still get until they write."""
    answered = last_mailed(work.session, address, "reply") or datetime.min.replace(tzinfo=UTC)
    return MOST_TO_STRANGERS - notices_to_stranger(work.session, person, address, answered)


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
    return [part for part in merged.values() if not _is_set_back(part)]


def _is_set_back(part: Announcement) -> bool:
    """Whether the letter has moved the moments of a phase and put all of them back; a game that resumes is told of."""
    phase = part.phase
    if part.template != "deadline" or part.about or not phase:
        return False
    before: Terms = part.context["before"]
    return before == Terms(phase.opened_at, phase.earliest_at, phase.deadline_at, phase.grace_ends_at)


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
    "corrected": _corrections,
}


def _lines(earlier: str, later: str) -> str:
    return "\n".join(dict.fromkeys([*earlier.split("\n"), later]))


def _subject(told: Sequence[Announcement], phase: Phase | None) -> str:
    """`S1901M Deadline Adjustment, Parameter Change`."""
    name = f"{phase.name} " if phase else ""
    return name + ", ".join(dict.fromkeys(one.subject.removeprefix(name) for one in told))


def due_now(work: Work, game: Game, phase: Phase | None, what: MailKind = "reply") -> Due | None:
    """Return the deadline for calendars, or that there is none any more; None: neither.

    `what`: the kind of the mail.
    """
    if game.state == "paused" or what == "end":
        return Due("", phase.deadline_at if phase else work.now, cancelled=True)
    if not phase or phase.processed_at or phase.deadline_at >= NEVER:
        return None
    return Due(words(phase.name), phase.deadline_at)


def next_digest(minutes: int, zone: str, now: datetime) -> datetime:
    """Return the next moment that is so many minutes after midnight in `zone`, and not just about to come."""
    return next_at(now + _CLOSED, time(*divmod(minutes, 60)), zone)


def next_at(after: datetime, at: time, zone: str) -> datetime:
    """Return the first moment after `after`, in UTC, at which the clocks of `zone` show `at`."""
    local = after.astimezone(ZoneInfo(zone))
    day = local.date() if local.time() < at else local.date() + timedelta(days=1)
    return datetime.combine(day, at, local.tzinfo).astimezone(UTC)
