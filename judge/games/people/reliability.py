"""The reliability of people: whether they sent the orders that they owed (HELP questions).

There is one entry for each person and phase, with one of these results:

- on time;
- late: orders were missing at the deadline, and sent in grace;
- missed: the phase was processed without them;
- abandoned: the player lost the power because orders were missing.

njudge kept points for life. Here an entry weighs half as much for every 180 days of its age. The score is the weighted
mean of 1 for on time, ½ for late and 0 for missed or abandoned. An abandoned phase weighs as much as five other phases,
since the other six players lose their game.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.games.core.settings import ENOUGH_PHASES
from judge.games.core.who_may_see import shown_to
from judge.games.core.work import Work
from judge.store.seats import attendance_of_person, attendance_of_phase, note_attendance
from judge.store.states import Met
from judge.store.tables import Attendance, Phase, Seat

HALF_LIFE = timedelta(days=180)
_CREDIT: dict[Met, float] = {"on time": 1.0, "late": 0.5, "missed": 0.0, "abandoned": 0.0}
_WEIGHT: dict[Met, float] = {"abandoned": 5.0}


@dataclass(frozen=True)
class Reliability:
    """The number of phases in which a player owed orders, by result.

    `score` is from 0 to 1, and 1 without any phase.
    """

    due: int
    on_time: int
    late: int
    missed: int
    abandoned: int
    score: float


def record_of(work: Work, person_id: int) -> Reliability:
    """Return the record of a person over all games."""
    return _record([entry for entry, _ in attendance_of_person(work.session, person_id)], work.now)


def refusal(work: Work, person_id: int, least: int) -> str:
    """Return why a person may not join a game for players at least `least` percent reliable, or ""."""
    record = record_of(work, person_id)
    if not least or record.due < ENOUGH_PHASES or record.score * 100 >= least:
        return ""
    return (
        f"It is for players who are {least}% reliable or more (SET RELIABILITY), and you are {record.score:.0%} "
        "reliable. INFO PLAYER shows why. Every phase with your orders on time makes you more reliable."
    )


def record_shown(work: Work, person_id: int) -> Reliability:
    """Return the record of a person as others may see it.

    This record leaves out games that hide who plays or who is late. In a game that hides who plays, all players hear
    which power was late. A record that became worse that day would reveal the player of the power.
    """
    entries = ((entry, shown_to(None, game)) for entry, game in attendance_of_person(work.session, person_id))
    return _record([entry for entry, shown in entries if shown.names and shown.changes], work.now)


def _record(entries: Sequence[Attendance], now: datetime) -> Reliability:
    counts = Counter(entry.result for entry in entries)
    weights = [_WEIGHT.get(entry.result, 1.0) * 0.5 ** ((now - entry.at) / HALF_LIFE) for entry in entries]
    credit = sum(weight * _CREDIT[entry.result] for weight, entry in zip(weights, entries, strict=True))
    return Reliability(
        due=len(entries),
        on_time=counts["on time"],
        late=counts["late"],
        missed=counts["missed"],
        abandoned=counts["abandoned"],
        score=credit / sum(weights) if entries else 1.0,
    )


def note(work: Work, phase: Phase, seats: Collection[Seat], result: Met) -> None:
    """Record the result of the players in these seats in `phase`, in place of an earlier result."""
    known = attendance_of_phase(work.session, phase)
    for entry in (known[seat.key] for seat in seats if seat.id in known):
        entry.result, entry.at = result, work.now
    note_attendance(work.session, phase, [seat for seat in seats if seat.id not in known], result, work.now)


def note_processed(
    work: Work, phase: Phase, players: Mapping[str, Seat], asked: Collection[str], missing: Collection[str]
) -> None:
    """Record the results of a processed phase. Powers `asked` but not `missing` were on time unless noted late.

    If the phase was processed before its deadline, players who still owed orders have not missed it.
    """
    known = attendance_of_phase(work.session, phase)
    gave = [players[power] for power in asked if power in players and power not in missing]
    note_attendance(work.session, phase, [seat for seat in gave if seat.id not in known], "on time", work.now)
    owing = [players[power] for power in missing if power in players]
    if owing and work.now >= phase.deadline_at:
        note(work, phase, owing, "missed")
