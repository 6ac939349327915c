"""The agreement of the players to an act that one of them may not do.

The act is done when all players have sent the same line. An answer is kept until its player changes it, or for seven
days. It expires earlier if

- the line means the open phase, and the phase ends,
- the line is about a player, and the player leaves,
- someone carries out the line.

A player can ask the other players in up to three emails a day. The agreement is not needed

- from the player whom the line is about (EJECT), and from players who have nothing left on the board,
- from players who missed the last movement phase,
- from players who have not answered seven days after the email that asks them, or after they joined.

The line takes effect with the email that completes the agreement, never at a later time by itself.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from judge.games.core.acts import May
from judge.games.core.board import board, signon_of, variant_of
from judge.games.core.who_may_see import shown_to
from judge.games.core.work import Refusal, Work
from judge.games.notifications import notices
from judge.mails.templates import when
from judge.rules import counted, listed, still_in
from judge.store.games import asked_by, last_moves, open_phase
from judge.store.seats import attendance_of_phase, consents, drop_consents, has_master, seats_of
from judge.store.tables import Consent, Game, Phase, Seat

KEPT = timedelta(days=7)
NOTICE = timedelta(days=2)
# The time after which a question to the players is forgotten. If a player asks again, all players are asked again.
_FORGOTTEN = timedelta(days=14)
# The beginnings of lines about the open phase. Answers to such lines expire when the phase ends. After a rollback,
# there may be another phase of the same name.
_OF_THE_PHASE = ("EXTEND ", "SET DEADLINE ", "SET GRACE ", "SET START ", "SET NO START", "PROCESS ", "PROCESS! ")
# The number of emails in which a player may ask within a DAY, since all players get each question.
ASKS, DAY = 3, timedelta(days=1)


def answer(work: Work, game: Game, seat: Seat, line: str, alone: May, about: Seat | None = None) -> str:
    """Record that the player in `seat` wants `line` carried out, and ask the other players the first time.

    `alone` is the right of one player to do the act without the others. `about` is the seat of the player concerned,
    who may have left. Returns "" if the line may be carried out now, else the reply to the player.
    """
    if alone is May.DOES:
        drop_consents(work.session, game, line)
        return ""
    asked_at = _asked_at(work, game, line, about)
    first = asked_at is None
    if first:
        _refuse_more(work, game, seat)
    asked_at = asked_at or work.told_at
    _keep(work, game, seat, line, agrees=True, asked_at=asked_at)
    missing = _missing(work, game, line, asked_at, about)
    may_now = alone is May.NOTICE and work.now >= asked_at + NOTICE
    if may_now or not missing:
        drop_consents(work.session, game, line)
        return ""
    if first:
        _ask(work, game, seat, line, alone, missing)
    since = asked_at if alone is May.NOTICE else max([asked_at, *(one.joined_at for one in missing)])
    return _waiting(work, game, line, alone, since, _whose_word(game, seat, missing))


def disagree(work: Work, game: Game, seat: Seat, named: str = "") -> list[str]:
    """Record that the player in `seat` does not agree to the line `named`, and return the lines concerned.

    If `named` is "", all lines about which the players have been asked are meant.
    """
    lines = dict.fromkeys(one.line for one in consents(work.session, game) if named.upper() in ("", one.line.upper()))
    open_lines = {line: asked_at for line in lines if (asked_at := _asked_at(work, game, line))}
    for line, asked_at in open_lines.items():
        _keep(work, game, seat, line, agrees=False, asked_at=asked_at)
    return list(open_lines)


def _asked_at(work: Work, game: Game, line: str, about: Seat | None = None) -> datetime | None:
    """Return when the players were asked about this line, or None if they were not asked, or too long ago.

    The result is also None if, at that time, the line meant another phase or another player.
    """
    phase = _phase_meant(work, game, line)
    since = [phase.opened_at] if phase else []
    if about:
        since.append(about.left_at or about.joined_at)
    asked = (one.asked_at for one in _answers(work, game, line))
    remembered = (at for at in asked if work.now - at < _FORGOTTEN)
    return next((at for at in remembered if at >= max(since, default=at)), None)


def _answers(work: Work, game: Game, line: str) -> list[Consent]:
    return [one for one in consents(work.session, game) if one.line == line]


def _phase_meant(work: Work, game: Game, line: str) -> Phase | None:
    """Return the phase with which the answers about this line expire, or None if there is none."""
    return open_phase(work.session, game) if line.startswith(_OF_THE_PHASE) else None


def _until(phase: Phase | None, asked_at: datetime) -> datetime | None:
    """Return when silent players stop being needed, or None if the phase ends before that."""
    until = asked_at + KEPT
    return None if phase and phase.due_at and until >= phase.deadline_at else until


def _refuse_more(work: Work, game: Game, seat: Seat) -> None:
    """Raise Refusal if the player in `seat` has asked the others too often within a day."""
    asked = asked_by(work.session, game, _named(seat), work.now - DAY)
    earlier = sorted({at for at in asked if at < work.now})
    if len(earlier) >= ASKS:
        again = when(earlier[-ASKS] + DAY, game.zone)
        raise Refusal(f"The other players have been asked {ASKS} times within a day. Send this again after {again}.")


def _keep(work: Work, game: Game, seat: Seat, line: str, *, agrees: bool, asked_at: datetime) -> None:
    mine = [one for one in _answers(work, game, line) if one.seat_id == seat.id]
    row = mine[0] if mine else Consent(game_id=game.key, seat_id=seat.key, line=line, agrees=agrees,
                                       asked_at=asked_at, answered_at=work.now)  # fmt: skip
    row.agrees, row.asked_at, row.answered_at = agrees, asked_at, work.now
    work.session.add(row)
    work.session.flush()


def _missing(work: Work, game: Game, line: str, asked_at: datetime, about: Seat | None) -> list[Seat]:
    answers = {one.seat_id: one for one in _answers(work, game, line) if one.asked_at >= asked_at}
    long_ago = work.now - KEPT
    missing = []
    for seat in asked(work, game):
        # A player who answered no, or whose answer has expired, is not silent, and is still needed.
        if answer := answers.get(seat.key):
            is_needed = not answer.agrees or answer.answered_at < long_ago
        else:
            is_needed = seat.role == "master" or max(asked_at, seat.joined_at) > long_ago
        if is_needed and seat is not about:
            missing.append(seat)
    return missing


def asked(work: Work, game: Game) -> list[Seat]:
    """Return the seats of the players who are asked.

    These players are still in the game, and did not miss the last movement phase. Reopening an ended game also needs
    its masters.
    """
    seats, roles = seats_of(work.session, game), {"player", "master"} if game.state == "finished" else {"player"}
    players = [seat for seat in seats if seat.role in roles]
    phase = open_phase(work.session, game)
    if not phase:
        return players
    alive = still_in(*board(game, phase))
    missed = _missed(work, game, phase)
    return [seat for seat in players if seat.power in alive and seat.id not in missed]


def _missed(work: Work, game: Game, phase: Phase) -> set[int]:
    moves = last_moves(work.session, game, phase.number)
    if not moves:
        return set()
    return {seat for seat, met in attendance_of_phase(work.session, moves).items() if met.result == "missed"}


def _ask(work: Work, game: Game, asker: Seat, line: str, alone: May, missing: Sequence[Seat]) -> None:
    phase = open_phase(work.session, game)
    is_notice = alone is May.NOTICE
    until = work.told_at + NOTICE if is_notice else _until(_phase_meant(work, game, line), work.told_at)
    who = _named(asker)
    context = {
        "who": who, "line": line, "until": until, "notice": is_notice, "signon": "",
    }  # fmt: skip
    announcement = notices.Announcement(game, phase, "consent", f"Your Word: {line}", context, about=line)
    needed = {seat.id for seat in missing}

    def own(mine: Sequence[Seat], zone: str) -> dict[str, object]:
        seat = next((one for one in mine if one.id in needed), None)
        return {"signon": signon_of(game, seat)} if seat else {}

    notices.tell_all(work, announcement, {asker.address}, own=own)
    work.log("asked", game, f"{who}: {line}", phase)


def _named(asker: Seat) -> str:
    return "The master" if asker.role == "master" else asker.power or "A player"


def _whose_word(game: Game, asker: Seat, missing: Sequence[Seat]) -> str:
    """Return, in words, the players whose agreement is needed.

    The names are sorted, so that their order does not show who joined first. A game that hides who has left names no
    one.
    """
    if not shown_to(asker, game).changes:
        return "the other players"
    powers = {seat.power for seat in missing}
    people = [power.name for power in variant_of(game).seats if power.name in powers]
    people += ["the master"] * has_master(missing)
    return listed(people) if people else counted(len(missing), "other player")


def _waiting(work: Work, game: Game, line: str, alone: May, asked_at: datetime, whose: str) -> str:
    if alone is May.NOTICE:
        since = when(asked_at + NOTICE, game.zone)
        return (
            f"Not done yet: all players have been notified. From {since} any player can send {line} again, and then it "
            "takes effect."
        )
    told = f"Not done yet: this needs the agreement of {whose}. They have been asked to send {line} as well."
    phase = _phase_meant(work, game, line)
    until = _until(phase, asked_at)
    if phase and not until:
        return f"{told} The question lapses when {phase.name} is processed."
    since = when(asked_at + KEPT, game.zone)
    return f"{told} If you send the line again after {since}, it takes effect without those who have not answered."
