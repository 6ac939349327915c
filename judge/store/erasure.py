"""A person is forgotten: their addresses are taken out of everything in the database, whatever holds them.

Rows that say who did what stay, since games are made of them; whom they are about is then nobody any more. What is only
about the person goes: addresses, tokens, wrong passwords, counted answers, applications. Letters that they wrote and
mails that they got are emptied, as those that are too old (judge/store/retention.py). In all other texts, whatever
table they are in, **** takes the place of the address, in any writing of it.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Engine, LargeBinary, String, Table, cast, delete, func, or_, select, update
from sqlalchemy.orm import aliased
from sqlmodel import Session, SQLModel, col
from sqlmodel import select as select_rows

from judge.store.engine import empty_log, transaction
from judge.store.rows import MASK, mask_pattern
from judge.store.seats import OF_THE_PERSON, leave_seat, seats_held
from judge.store.tables import (
    Address,
    Answered,
    Application,
    BouncedAddress,
    Game,
    LetterRow,
    Mail,
    Pause,
    Person,
    Seat,
    Token,
    WrongPassword,
)

# What takes the place of a forgotten person's name, and of an address where a row must have one.
NAME = "forgotten"
_MASKED = MASK.decode()
# Rows in one transaction; whoever waits for the database waits for one such batch.
BATCH = 100

# By these columns their rows are about one reader alone.
_OF_ONE_READER: tuple[Any, ...] = (
    WrongPassword.address, Answered.account, Pause.account, Pause.address, BouncedAddress.address
)


def known_as(session: Session, address: str) -> tuple[Person | None, list[str]]:
    """The person who writes from `address` (in its one form), and all their addresses; for a stranger only that one."""
    person = session.exec(
        select_rows(Person).join(Address).where(Address.address == address)
    ).first()
    if person is None:
        return None, [address]
    own = session.exec(select_rows(Address.address).where(Address.person_id == person.id).order_by(col(Address.id)))
    return person, list(own)


def seats_that_hold(session: Session, person: Person) -> list[tuple[str, Seat]]:
    """The seats, with the names of their games, of a person whom others need there: a player, or the only master, of a
    game that has not ended.
    """
    others = aliased(Seat)
    another = select_rows(others.id).where(
        others.game_id == Seat.game_id,
        others.role == "master",
        others.person_id != person.id,
        col(others.left_at).is_(None),
    )
    needed = or_(col(Seat.role) == "player", (col(Seat.role) == "master") & ~another.exists())
    sits = select_rows(Game.name, Seat).join(Seat).where(Seat.person_id == person.id, col(Seat.left_at).is_(None))
    held = session.exec(sits.where(Game.state != "finished", needed).order_by(Game.name, col(Seat.id)))
    return [(name, seat) for name, seat in held]


def games_played(session: Session, person: Person) -> list[str]:
    """The names of the games in which the person has ever had a seat."""
    seated = select_rows(Game.name).join(Seat).where(Seat.person_id == person.id)
    return list(session.exec(seated.distinct().order_by(Game.name)))


def telling_name(session: Session, person: Person) -> str:
    """The person's name, if it is theirs alone and of more words than one; else "": then texts may mean others."""
    namesakes = select_rows(func.count()).select_from(Person).where(func.lower(Person.name) == person.name.lower())
    return person.name if " " in person.name and session.exec(namesakes).one() == 1 else ""


def forget_person(session: Session, person: Person | None, addresses: Collection[str], now: datetime) -> Counter[str]:
    """Take away what is about the person alone, and empty what they wrote and got; {what: how many rows}."""
    done: Counter[str] = Counter()
    if person:
        person.name, person.zone = NAME, "UTC"
        person.registered_at = person.standby_since = None
        session.add(person)
        for seat in seats_held(session, person):
            leave_seat(session, seat, now)
        seats = update(Seat).where(col(Seat.person_id) == person.id)
        done["seats"] = _count(session, seats.values(address=_MASKED, password="", **OF_THE_PERSON))
        done["tokens"] = _drop_tokens(session, person, addresses)
        for table, what in ((Application, "applications"), (Address, "addresses")):
            done[what] = _count(session, delete(table).where(col(table.person_id) == person.id))
    for column in _OF_ONE_READER:
        about = _count(session, delete(column.class_).where(column.in_(addresses)))
        done["counts of answers, passwords and mails that came back"] += about
    done["letters"] = _empty_letters(session, addresses, now)
    done["mails"] = _empty_mails(session, addresses, now)
    return done


def pattern_of(addresses: Collection[str], name: str = "") -> re.Pattern[str]:
    """Finds these addresses in any text: small or large, with a tag, as in a link or a return path (jo=example.org);
    and the name, however its words are parted.
    """
    writings = [_writings(address) for address in sorted(addresses, key=len, reverse=True)]
    if name:
        words = r"(?:\s|\\n)+".join(map(re.escape, name.split()))
        writings.append(rf"(?<!\w){words}(?!\w)")
    return re.compile("|".join(writings), re.IGNORECASE)


def mask_everywhere(engine: Engine, addresses: Collection[str], name: str = "") -> int:
    """Mask the addresses and the name in all other rows, a few rows at a time; returns how many rows were changed.

    Reads the whole database, which takes a minute for a million letters and mails.
    """
    domains = {part for address in addresses for part in _spellings(address.rpartition("@")[2])}
    if name:
        # Databases differ in what is small beyond ASCII; "" is in every text.
        domains.add(max(re.findall("[a-z]+", name.lower()), key=len, default=""))
    sought = _Sought(pattern_of(addresses, name), sorted(domains))
    changed = 0
    for table in SQLModel.metadata.sorted_tables:
        texts = [column for column in table.c if isinstance(column.type, String | JSON | LargeBinary)]
        last = 0 if texts else None
        while last is not None:
            with transaction(engine) as session:
                last, done = _mask_page(session, table, texts, sought, last)
                changed += done
    return changed


def close_up(engine: Engine) -> None:
    """Write the database anew, so that nothing of what was masked is left between its rows; raises OperationalError if
    another process keeps it busy.
    """
    empty_log(engine)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("VACUUM" if engine.dialect.name == "sqlite" else "VACUUM FULL")
    empty_log(engine)


class _Sought:
    """The pattern, for texts and for bytes, and words, one of which stands (small) wherever it is found."""

    def __init__(self, pattern: re.Pattern[str], words: Collection[str]):
        self.text = pattern
        self.bytes = re.compile(pattern.pattern.encode(), re.IGNORECASE)
        self.words = words


def _mask_page(
    session: Session, table: Table, columns: list[Column[Any]], sought: _Sought, after: int
) -> tuple[int | None, int]:
    """Mask the next rows; the number of the last one (None: there are no more), and how many were changed."""
    page = select(table.c.id, *columns).where(table.c.id > after).order_by(table.c.id).limit(BATCH)
    if not any(isinstance(column.type, LargeBinary) for column in columns):
        page = page.where(or_(*_may_hold(columns, sought.words)))
    rows = session.connection().execute(page).all()
    changed = 0
    for number, *values in rows:
        masked = {
            column.name: new
            for column, value in zip(columns, values, strict=True)
            if value and (new := _masked(value, sought)) != value
        }
        if masked:
            session.connection().execute(update(table).where(table.c.id == number).values(masked))
            changed += 1
    return (rows[-1][0] if rows else None), changed


def _may_hold(columns: list[Column[Any]], words: Collection[str]) -> Iterator[Any]:
    for column in columns:
        text, is_json = func.lower(cast(column, String)), isinstance(column.type, JSON)
        for word in words:
            yield text.contains(json.dumps(word)[1:-1] if is_json else word, autoescape=True)


def _masked(value: Any, sought: _Sought) -> Any:
    match value:
        case bytes():
            return mask_pattern(value, sought.bytes)
        case str():
            return sought.text.sub(_MASKED, value)
    return json.loads(sought.text.sub(_MASKED, json.dumps(value, ensure_ascii=False)))


def _drop_tokens(session: Session, person: Person, addresses: Collection[str]) -> int:
    """Delete the tokens that were mailed to the person, or are about a seat or an address of theirs; how many."""
    seats = set(session.exec(select_rows(Seat.id).where(Seat.person_id == person.id)))
    theirs = [
        token
        for token in session.exec(select_rows(Token))
        if token.data.get("person") == person.id
        or token.data.get("seat") in seats
        or token.data.get("address") in addresses
    ]
    for token in theirs:
        session.delete(token)
    return len(theirs)


def _empty_letters(session: Session, addresses: Collection[str], now: datetime) -> int:
    mine = update(LetterRow).where(col(LetterRow.sender).in_(addresses))
    undone = col(LetterRow.state).in_(["new", "held", "shunted"])
    _count(session, mine.where(undone).values(state="ignored", done_at=now))
    emptied = {"raw": b"", "sender": _MASKED, "subject": "", "error": "", "message_id": "", "written_at": None}
    return _count(session, mine.values(emptied))


def _empty_mails(session: Session, addresses: Collection[str], now: datetime) -> int:
    """Empty the mails to these addresses; those that still wait are not sent. How many."""
    mine = update(Mail).where(col(Mail.recipient).in_(addresses))
    waits = (col(Mail.sent_at).is_(None), col(Mail.failed_at).is_(None))
    _count(session, mine.where(*waits).values(failed_at=now))
    _count(session, mine.where(col(Mail.failed_at).is_not(None)).values(dismissed_at=now))
    emptied = {"raw": b"", "recipient": _MASKED, "subject": "", "error": "", "secret": None, "picture_id": None}
    return _count(session, mine.values(emptied | {"gathered": None}))


def _writings(address: str) -> str:
    local, _, domain = address.rpartition("@")
    domains = "|".join(re.escape(one) for one in _spellings(domain))
    # A whole local part has 64 octets at most (RFC 5321, 4.5.3.1.1).
    return rf"(?<![\w.-]){re.escape(local)}(?:\+[^\s@<>]{{0,64}})?(?:@|=40|%40|=)(?:{domains})(?![\w-]|\.\w)"


def _spellings(domain: str) -> list[str]:
    """A domain outside of ASCII has another form in headers."""
    try:
        return list(dict.fromkeys([domain, domain.encode("idna").decode()]))
    except UnicodeError:
        return [domain]


def _count(session: Session, statement: Any) -> int:
    return int(session.connection().execute(statement).rowcount)

