"""Delete old data, and everything about a person who asks to be forgotten.

The record of games is kept permanently, with its phases, orders, press and events. Other data is deleted by age: old
letters and mails, pictures that no mail shows, and expired tokens. The row of a letter stays, with its fingerprint, so
the letter is recognized if it comes again. The row of a mail about a game that is running, or ended only lately, stays
with its Message-ID. So an answer to the mail is filed for its phase. Waiting letters and mails are not deleted. Letters
in quarantine and undeliverable mails stay too, since the keeper has to decide about them.

When a person is forgotten, rows that record who did what stay, since games are made of them. But they no longer name
the person. Rows that are only about the person are deleted, such as addresses, tokens, applications, and mails that the
person got. The letters that the person wrote are emptied. In all other texts, in every table, **** replaces the address
in any of its spellings.
"""

import re
from collections import Counter
from collections.abc import Collection
from contextlib import suppress
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Engine,
    TextClause,
    delete,
    exists,
    func,
    or_,
    select,
    text,
    update,
)
from sqlmodel import Session, SQLModel, col
from sqlmodel import select as select_rows

from judge.store.engine import empty_log, transaction
from judge.store.rows import MASK, count, mask_pattern
from judge.store.seats import OF_THE_PERSON, leave_seat, masters_of, seats_held, seats_in_living_games
from judge.store.tables import (
    WRITTEN,
    Address,
    Answered,
    Application,
    BouncedAddress,
    Game,
    Invitation,
    KnownLetter,
    LetterRow,
    Mail,
    Pause,
    Person,
    Picture,
    Seat,
    Token,
    WrongPassword,
)

# NAME is the name of a forgotten person. _MASKED replaces an address in a column that must have one.
NAME = "forgotten"
_MASKED = MASK.decode()
# The number of rows that are masked in one transaction. Other processes wait for the database during one such batch
# only.
BATCH = 100

# The columns with the address or account of the only reader that a row is about.
_OF_ONE_READER: tuple[Any, ...] = (
    WrongPassword.address,
    Answered.account,
    Pause.account,
    Pause.address,
    BouncedAddress.address,
)


# --- old data --- Each of these functions changes at most `most` rows from before a moment, and returns the number.
# Other processes wait only briefly. Call none of them in a transaction with letters or deadlines.


def _some(table: Any, most: int, *which: ColumnElement[bool] | TextClause) -> ColumnElement[bool]:
    """Return a condition for at most `most` of the rows that meet these conditions."""
    return col(table.id).in_(select(col(table.id)).where(*which).limit(most))


def letters(session: Session, before: datetime, most: int) -> int:
    """Empty at most `most` letters that were handled before that moment, and return their number."""
    done = (text(WRITTEN), col(LetterRow.done_at) < before, col(LetterRow.state).in_(["done", "ignored"]))
    return _count(session, update(LetterRow).where(_some(LetterRow, most, *done)).values(raw=b"", error=""))


def mails(session: Session, before: datetime, most: int) -> int:
    """Delete mails from before that moment that no one can answer, and empty other old mails.

    At most `most` rows are changed. Returns their number.
    """
    old = (col(Mail.created_at) < before, or_(col(Mail.sent_at).is_not(None), col(Mail.dismissed_at).is_not(None)))
    over = select(col(Game.id)).where(col(Game.state) == "finished", col(Game.ended_at) < before)
    changed = _count(session, delete(Mail).where(_some(Mail, most, col(Mail.game_id).is_(None), *old)))
    changed += _count(session, delete(Mail).where(_some(Mail, most - changed, col(Mail.game_id).in_(over), *old)))
    written = _some(Mail, most - changed, text(WRITTEN), *old)
    return changed + _count(session, update(Mail).where(written).values(raw=b"", picture_id=None))


def pictures(session: Session, before: datetime, most: int) -> int:
    """Delete at most `most` pictures from before that moment that no mail shows, and return their number."""
    shown = exists().where(col(Mail.picture_id) == Picture.id)
    return _count(session, delete(Picture).where(_some(Picture, most, col(Picture.created_at) < before, ~shown)))


def tokens(session: Session, before: datetime, most: int) -> int:
    """Delete at most `most` tokens that expired before that moment, and return their number."""
    return _count(session, delete(Token).where(_some(Token, most, col(Token.expires_at) < before)))


# --- forgetting a person ---


def seats_that_hold(session: Session, person: Person | None) -> list[tuple[str, Seat]]:
    """Return the seats that prevent the deletion of a person's data, with the names of the games.

    Such a seat is that of a player, or of the only master, in a game that has not ended.
    """
    held = seats_in_living_games(session, person)
    return [
        (game.name, seat)
        for seat, game in held
        if seat.role == "player"
        or seat.role == "master"
        and all(master.person_id == seat.person_id for master in masters_of(session, game))
    ]


def games_played(session: Session, person: Person) -> list[str]:
    """Return the names of the games in which the person has ever had a seat."""
    seated = select_rows(Game.name).join(Seat).where(Seat.person_id == person.id)
    return list(session.exec(seated.distinct().order_by(Game.name)))


def telling_name(session: Session, person: Person) -> str:
    """Return the person's name, or "" if a text with the name may mean someone else.

    A name may be masked in texts only if it has several words and no one else has it.
    """
    is_alone = count(session, Person, func.lower(Person.name) == person.name.lower()) == 1
    return person.name if " " in person.name and is_alone else ""


def forget_person(session: Session, person: Person | None, addresses: Collection[str], now: datetime) -> Counter[str]:
    """Delete rows that are only about the person, and empty their letters and mails.

    Returns the number of rows by kind.
    """
    done: Counter[str] = Counter()
    if person:
        person.name, person.zone = NAME, "UTC"
        person.registered_at = person.standby_since = None
        person.public_name = False
        session.add(person)
        for seat in seats_held(session, person):
            leave_seat(session, seat, now)
        theirs = set(session.exec(select_rows(Seat.id).where(Seat.person_id == person.id)))
        for token in session.exec(select_rows(Token)).all():
            data = token.data
            if data.get("person") == person.id or data.get("seat") in theirs or data.get("address") in addresses:
                session.delete(token)
                done["tokens"] += 1
        seats = update(Seat).where(col(Seat.person_id) == person.id)
        done["seats"] = _count(session, seats.values(address=_MASKED, password="", **OF_THE_PERSON))
        for table, what in (
            (Application, "applications"),
            (Address, "addresses"),
            (KnownLetter, "copies"),
            (Invitation, "invitations"),
        ):
            done[what] = _count(session, delete(table).where(col(table.person_id) == person.id))
    for column in _OF_ONE_READER:
        about = _count(session, delete(column.class_).where(column.in_(addresses)))
        done["counts of replies, passwords and bounces"] += about
    written = update(LetterRow).where(col(LetterRow.sender).in_(addresses))
    undone = col(LetterRow.state).in_(["new", "held", "shunted"])
    _count(session, written.where(undone).values(state="ignored", done_at=now))
    emptied = dict.fromkeys(("subject", "error", "message_id"), "")
    done["letters"] = _count(session, written.values(**emptied, raw=b"", sender=_MASKED, written_at=None))
    got, newest = col(Mail.recipient).in_(addresses), select(func.max(col(Mail.id))).scalar_subquery()
    done["mails"] = _count(session, delete(Mail).where(got, col(Mail.id) < newest))
    # Only empty the newest mail. Otherwise SQLite would give its id to the next mail. If the newest mail were being
    # sent at that moment, the next mail would be noted as sent.
    last: dict[str, Any] = dict.fromkeys(("secret", "picture_id", "gathered", "taken_by", "taken_at"))
    last |= {"recipient": _MASKED, "subject": "", "raw": b"", "error": "", "failed_at": now, "dismissed_at": now}
    done["mails"] += _count(session, update(Mail).where(got).values(**last))
    return done


def pattern_of(addresses: Collection[str], name: str = "") -> re.Pattern[str]:
    """Return a pattern that finds these addresses and the name in any text.

    The pattern finds addresses in any letter case, with a tag, in a link or in a return path (jo=example.org). It finds
    the name with any white space between its words.
    """
    spellings = []
    for address in sorted(addresses, key=len, reverse=True):
        local, _, domain = address.rpartition("@")
        domains = {domain}
        with suppress(UnicodeError):  # a domain outside of ASCII has another form in headers
            domains.add(domain.encode("idna").decode())
        # A whole local part has 64 octets at most (RFC 5321, 4.5.3.1.1).
        spellings.append(
            rf"(?<![\w.-]){re.escape(local)}(?:\+[^\s@<>]{{0,64}})?(?:@|=40|%40|=)"
            rf"(?:{'|'.join(map(re.escape, sorted(domains)))})(?![\w-]|\.\w)"
        )
    if name:
        words = r"\s+".join(map(re.escape, name.split()))
        spellings.append(rf"(?<!\w){words}(?!\w)")
    return re.compile("|".join(spellings), re.IGNORECASE)


def mask_everywhere(engine: Engine, addresses: Collection[str], name: str) -> int:
    """Mask the addresses and the name in all other rows, a few rows at a time.

    Returns the number of changed rows. The function reads the whole database, which takes minutes for a million letters
    and mails.
    """
    sought = pattern_of(addresses, name)
    in_bytes = re.compile(sought.pattern.encode(), re.IGNORECASE)

    def masked(value: Any) -> Any:
        match value:
            case bytes():
                return mask_pattern(value, in_bytes)
            case str():
                return sought.sub(_MASKED, value)
            case dict():
                return {masked(key): masked(one) for key, one in value.items()}
            case list():
                return [*map(masked, value)]
        return value

    total = 0
    for table in SQLModel.metadata.sorted_tables:
        page = select(table).order_by(table.c.id).limit(BATCH)
        last: int | None = 0
        while last is not None:
            with transaction(engine) as session:
                connection = session.connection()
                rows, last = connection.execute(page.where(table.c.id > last)).mappings().all(), None
                for row in rows:
                    last = row["id"]
                    if values := {name: new for name, cell in row.items() if (new := masked(cell)) != cell}:
                        connection.execute(update(table).where(table.c.id == last).values(values))
                        total += 1
    return total


def close_up(engine: Engine) -> None:
    """Rebuild the database file, so that no masked text is left in its free space.

    Raises OperationalError if another process keeps the database busy.
    """
    empty_log(engine)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("VACUUM" if engine.dialect.name == "sqlite" else "VACUUM FULL")
    empty_log(engine)


def _count(session: Session, statement: Any) -> int:
    return int(session.connection().execute(statement).rowcount)
