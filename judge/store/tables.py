"""The tables: everything the judge knows between two letters.

Positions, outcomes and settings are JSON in the forms the rules define; everything that is searched for, or that must
be exact (times, states, who has which seat), is a column; if a column allows only a few words, they are listed in
judge/store/states.py. All times are UTC. The open phase's row is the only truth about a deadline; letters and mails
are kept for a time (judge.ini), without passwords once they are done.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Column, Index, String, UniqueConstraint, false, text, true
from sqlmodel import AutoString, Field, SQLModel

from judge.store.states import (
    EventKind,
    GameState,
    LetterState,
    MailKind,
    MapsWish,
    Met,
    PictureForm,
    Role,
    TokenPurpose,
    VoteKind,
    WaitingFor,
)

# Games that have not ended; letters that are not done. Queries must say it in the same words, or no index is used.
LIVING = "state != 'finished'"
WAITING = "state = 'new' OR state = 'held' OR state = 'shunted'"
# The rows of letters and mails whose bytes have not been pruned (judge/store/retention.py).
WRITTEN = "length(raw) > 0"
# Letters of which a copy does nothing; letters of known people that were ignored.
ACTED = "message_id != ''"
IGNORED = "state = 'ignored' AND error != ''"


def _index_where(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    """An index of the rows that `where` names."""
    return Index(name, *columns, unique=unique, sqlite_where=text(where), postgresql_where=text(where))


def _later(value: bool | int | str, **more: Any) -> Any:
    """A column that was added when there were rows already: these got the default from the database."""
    default = (true() if value else false()) if isinstance(value, bool) else text(repr(str(value)))
    return Field(default=value, sa_column_kwargs={"server_default": default}, **more)


class Row(SQLModel):
    """A row of any table; before it is written its id is None."""

    id: int | None = Field(default=None, primary_key=True)


class Person(Row, table=True):
    """A person who writes to the judge; `zone` is the IANA name of the time zone used in their mails.

    An observer need not register: then `registered_at` is None. `standby_since`: since when they wish to be asked
    when a seat is open. `html`: whether their mails have pages beside their texts; `calendar`: whether these bring the
    deadlines as entries for a calendar; `digest`: when, in minutes of the day in their zone, they get news that ask
    nothing of them, all in one mail (None: at once); `threads`: whether all mails about a game have one subject;
    `data`: whether mails that tell a phase bring it as JSON. `looks`: the name as it looks to others
    (judge/games/people/names.py).
    """

    name: str
    looks: str = _later("", index=True)
    zone: str
    html: bool = _later(True)
    calendar: bool = _later(False)
    digest: int | None = None
    threads: bool = _later(False)
    data: bool = _later(False)
    registered_at: datetime | None = None
    standby_since: datetime | None = None


class Address(Row, table=True):
    """A mail address a person writes from, in its one form (judge/addresses.py), like all addresses in these tables."""

    person_id: int = Field(foreign_key="person.id", index=True)
    address: str = Field(unique=True)
    added_at: datetime


class Game(Row, table=True):
    """A game; its `settings` are as in judge/games/core/settings.py.

    `notice_at`: when the people in a forming game are told next what it waits for (judge/games/life/lobby.py).
    `proved`: the letter that created it proved who its creator is; others may be forged. `stopped_at`: since when it is
    paused; `idle`: because nobody ordered anything, until a player does (judge/games/life/idle.py).
    """

    __table_args__ = (_index_where("game_living", "name", where=LIVING), Index("game_ended", "ended_at"))

    name: str = Field(unique=True)
    variant: str
    state: GameState = Field(sa_type=String)
    zone: str
    settings: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    comment: str = ""
    result: str = ""
    created_at: datetime
    started_at: datetime | None = None
    notice_at: datetime | None = Field(default=None, index=True)
    proved: bool = _later(False)
    stopped_at: datetime | None = None
    idle: bool = _later(False)
    ended_at: datetime | None = None


class Seat(Row, table=True):
    """A person's role in a game, and a player's power once the game has started.

    `address` is where this game's mail goes; `preference` the powers that the player asked for, as written; `maps`
    which pictures its results have (None: on). If the player leaves, the row stays, with `left_at` set. `guesses`: how
    many wrong passwords strangers have tried for this seat since the player was last told of them. `passwordless`: the
    player has chosen to play without the password (judge/games/core/passwordless.py).
    """

    __table_args__ = (
        _index_where(
            "seat_one_per_power", "game_id", "power", where="left_at IS NULL AND power IS NOT NULL", unique=True
        ),
    )

    game_id: int = Field(foreign_key="game.id", index=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    role: Role = Field(sa_type=String)
    power: str | None = None
    address: str
    password: str
    preference: str = ""
    waits: bool = False
    guesses: int = _later(0)
    maps: MapsWish | None = Field(default=None, sa_type=String)
    passwordless: bool = _later(False)
    joined_at: datetime
    left_at: datetime | None = None


class Application(Row, table=True):
    """A person's request to join a game whose master decides: a seat, or (once it has begun) the seat of `power`; or to
    observe it (`role`).
    """

    __table_args__ = (UniqueConstraint("game_id", "person_id"),)

    game_id: int = Field(foreign_key="game.id", index=True)
    person_id: int = Field(foreign_key="person.id")
    address: str
    password: str
    power: str | None = None
    role: Role = _later("player", sa_type=String)
    asked_at: datetime


class Phase(Row, table=True):
    """One phase of a game; the row without `processed_at` is the game's open phase.

    `opened_at`: letters that reached the mailbox earlier never affect this phase. `earliest_at`: it is not processed
    earlier, even if all orders are in. `deadline_at`, `grace_ends_at`: when orders are due, and until when late orders
    are accepted. `due_at`: when the judge will process it, as far as is known now (None: not before something else
    happens). `notice_at`: when the next notice about it is due (judge/games/deadlines/reminder_schedule.py).
    `uncorrected`: the position it opened with, if a master has corrected `position`. `held_since`: since when the judge
    has failed to process it; it is tried again and again.
    """

    __table_args__ = (
        UniqueConstraint("game_id", "number"),
        _index_where("phase_one_open", "game_id", where="processed_at IS NULL", unique=True),
        _index_where("phase_due", "due_at", where="processed_at IS NULL"),
        _index_where("phase_notice", "notice_at", where="processed_at IS NULL"),
    )

    game_id: int = Field(foreign_key="game.id", index=True)
    number: int
    name: str
    position: dict[str, Any] = Field(sa_type=JSON)
    uncorrected: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    outcome: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    opened_at: datetime
    earliest_at: datetime
    deadline_at: datetime
    grace_ends_at: datetime
    due_at: datetime | None = None
    notice_at: datetime | None = None
    held_since: datetime | None = None
    processed_at: datetime | None = None

    @property
    def rings_at(self) -> datetime | None:
        """When the judge must next do something about the phase."""
        return min((moment for moment in (self.due_at, self.notice_at) if moment), default=None)


class Absence(Row, table=True):
    """A time in which the player of the seat cannot write: deadlines of later phases avoid it."""

    seat_id: int = Field(foreign_key="seat.id", index=True)
    starts_at: datetime
    ends_at: datetime


class CountedLetter(Row, table=True):
    """A verified letter that counted for a seat whose player needs no password: if it comes again, it does nothing.

    `digest`: of its body and its Date (judge/letters/authentication.py). `written_at`: its Date, or when it came if
    that is earlier; None if it has none.
    """

    __tablename__ = "counted_letter"

    seat_id: int = Field(foreign_key="seat.id", index=True)
    letter_id: int = Field(foreign_key="letter.id")
    message_id: str
    digest: str
    written_at: datetime | None


class Attendance(Row, table=True):
    """Whether a player was on time in one phase in which they owed orders."""

    __table_args__ = (UniqueConstraint("phase_id", "seat_id"),)

    phase_id: int = Field(foreign_key="phase.id")
    seat_id: int = Field(foreign_key="seat.id")
    person_id: int = Field(foreign_key="person.id", index=True)
    result: Met = Field(sa_type=String)
    at: datetime


class WrongPassword(Row, table=True):
    """A sign-on to a game that failed: from which address (without its tag) and domain, and when.

    `seat`: the power, or "master", if a stranger tried to sign on for that seat; "" if the sender tried their own seat.
    """

    __tablename__ = "wrong_password"
    __table_args__ = (
        Index("wrong_password_from", "address", "game_id"),
        Index("wrong_password_for", "game_id", "seat", "domain"),
    )

    address: str
    domain: str = _later("")
    game_id: int = Field(foreign_key="game.id")
    seat: str = _later("")
    at: datetime


class Answered(Row, table=True):
    """An answer that was mailed to a letter that did not sign on: counted for its reader's `account` (the name of a
    budget and a mailbox, judge/games/people/rate_limits.py) and `domain` ("" if the domain has no budget for it).
    """

    __table_args__ = (Index("answered_account", "account", "at"), Index("answered_domain", "domain", "at"))

    account: str
    domain: str
    at: datetime = Field(index=True)


class Pause(Row, table=True):
    """A time in which answers to a reader wait, since there were too many for the `account` (as in `Answered`), or for
    the `domain` ("" if not). `registered`: whether the reader is.

    The next pause is longer if it begins before `forgotten_at`. `answers`: the text of each answer to `address` that
    waits, with the time of its letter; `more`: how many others there are. `secret`: as in `Mail`. `ended_at`: when
    what waited was mailed.
    """

    __table_args__ = (
        Index("pause_account", "account", "forgotten_at"),
        _index_where("pause_open", "ends_at", where="ended_at IS NULL"),
    )

    address: str
    account: str
    domain: str
    registered: bool
    begun_at: datetime
    ends_at: datetime
    forgotten_at: datetime
    answers: list[dict[str, Any]] = Field(default_factory=list, sa_type=JSON)
    more: int = 0
    secret: str | None = None
    ended_at: datetime | None = None


class Watch(Row, table=True):
    """One row: when the judge last looked through its mailbox, and its last outage."""

    swept_at: datetime
    outage_from: datetime | None = None
    outage_to: datetime | None = None


class OrderRow(Row, table=True):
    """One order on file for a phase; a later order for the same slot (province or waive) replaces it.

    `meaning` is how the judge read it (judge/rules/board/orders.py); the line is not read a second time. `text` is
    the line as the player wrote it, without comment (in rows of older versions: the order in normal form).
    """

    __tablename__ = "orders"
    __table_args__ = (UniqueConstraint("phase_id", "power", "slot"),)

    phase_id: int = Field(foreign_key="phase.id", index=True)
    power: str
    slot: str
    text: str
    meaning: dict[str, Any] = Field(sa_type=JSON)
    letter_id: int | None = Field(default=None, foreign_key="letter.id")
    given_at: datetime


class BidRow(Row, table=True):
    """One bid on file: a number of a power's Diplomacy Points for an order of the neutral in `province`.

    `meaning` and `text` of the order are as in `OrderRow`. A row without points, province and order means that the
    power spends no more points. Only this table and the phases' outcomes hold who bid what.
    """

    __tablename__ = "bid"
    __table_args__ = (UniqueConstraint("phase_id", "power", "text"),)

    phase_id: int = Field(foreign_key="phase.id", index=True)
    power: str
    points: int
    province: str
    text: str
    meaning: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    letter_id: int | None = Field(default=None, foreign_key="letter.id")
    given_at: datetime


class Vote(Row, table=True):
    """What a power votes for in a phase; `choice`: the powers it accepts, comma-separated; "" for all survivors."""

    __table_args__ = (UniqueConstraint("phase_id", "power", "kind"),)

    phase_id: int = Field(foreign_key="phase.id", index=True)
    power: str
    kind: VoteKind = Field(sa_type=String)
    choice: str


class FutureLine(Row, table=True):
    """A line that a player wrote for a future phase, or the lines from IF to ENDIF; read when that phase opens."""

    __tablename__ = "future_line"

    game_id: int = Field(foreign_key="game.id", index=True)
    power: str
    phase_name: str
    text: str
    letter_id: int | None = Field(default=None, foreign_key="letter.id")
    given_at: datetime


class Press(Row, table=True):
    """A message that the judge has carried; `seat_id` is the sender's seat, which readers are not told if `grey` is
    set; None: the keeper, who has no seat.

    `sender` and `recipients`: their names in the mail ("" for everybody). `public`: observers got it too. `readers`:
    the seats to which it was mailed.
    """

    __table_args__ = (Index("press_of_seat", "seat_id", "sent_at"),)

    game_id: int = Field(foreign_key="game.id", index=True)
    phase_id: int | None = Field(default=None, foreign_key="phase.id")
    seat_id: int | None = Field(default=None, foreign_key="seat.id")
    sent_at: datetime
    sender: str
    grey: bool
    recipients: str
    public: bool
    readers: list[int] = Field(sa_type=JSON)
    text: str


class Token(Row, table=True):
    """A word mailed to a person to prove that they can read mail to that address; works once, until `expires_at`.

    Only its keyed digest is stored. `purpose` names what it does, `data` holds the values for that
    (judge/store/people.py).
    """

    __table_args__ = (Index("token_living", "purpose", "expires_at"), Index("token_expired", "expires_at"))

    digest: str = Field(unique=True)
    purpose: TokenPurpose = Field(sa_type=String)
    data: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None = None


class LetterRow(Row, table=True):
    """A received letter. `raw` has its bytes; once it is answered, its headers and text (judge/letters/letter.py), in
    rows of older versions its bytes with passwords masked. `raw` is empty once the letter is too old to be kept; the
    row stays, so that the letter is known if it comes again. `error`: the traceback of one that failed; why one of a
    known person was ignored. `message_id`, `written_at` (its Date): of one that was carried out, and of which a copy
    does nothing, whatever has changed on its way; else "".
    """

    __tablename__ = "letter"
    __table_args__ = (
        _index_where("letter_waiting", "state", "received_at", "id", where=WAITING),
        _index_where("letter_written", "done_at", where=WRITTEN),
        _index_where("letter_acted", "message_id", where=ACTED),
        _index_where("letter_ignored", "done_at", where=IGNORED),
    )

    fingerprint: str = Field(unique=True)
    uidvalidity: int = Field(sa_type=BigInteger)
    uid: int = Field(sa_type=BigInteger)
    received_at: datetime
    kept_at: datetime
    raw: bytes
    cut: bool = False
    sender: str = ""
    subject: str = ""
    state: LetterState = Field(default="new", sa_type=String)
    attempts: int = 0
    error: str = ""
    done_at: datetime | None = None
    message_id: str = _later("")
    written_at: datetime | None = None


class Picture(Row, table=True):
    """A map in mails: `scene` is everything that is drawn, `form` is how it is drawn.

    The picture itself is made when the first mail with it is due, and kept beside the database. `digest` identifies
    scene and form, so that the same picture is drawn only once; `drawing` leaves out which parts of the board it shows,
    so that these are drawn only once. `taken_by`: the process that draws it now; `drawn_at`, `failed_at`: when it was
    drawn, or could not be.
    """

    __table_args__ = (
        Index("picture_created", "created_at"),
        _index_where("picture_taken", "taken_by", where="taken_by IS NOT NULL"),
    )

    digest: str = Field(unique=True)
    drawing: str = Field(index=True, sa_column_kwargs={"server_default": text("''")})
    form: PictureForm = Field(sa_type=String)
    scene: dict[str, Any] = Field(sa_type=JSON)
    created_at: datetime
    taken_by: str | None = None
    drawn_at: datetime | None = None
    failed_at: datetime | None = None


class Sheet(Row, table=True):
    """A part of a picture ("" is the whole board) that one process has drawn and others send.

    With SQLite, where one process draws and sends, only what cannot be kept in the folder of pictures is here.
    """

    __table_args__ = (UniqueConstraint("picture_id", "part"),)

    picture_id: int = Field(foreign_key="picture.id", ondelete="CASCADE")
    part: str
    data: bytes | None = None
    drawn_at: datetime = Field(index=True)


class Mail(Row, table=True):
    """A mail in the outbox; its Message-ID is fixed here, so that mail programs recognise a second copy of it.

    `phase_id` is the phase that the mail is about (for results, the phase that they opened): a letter that answers it
    is meant for that phase. `secret` holds the generated passwords and tokens that the mail hands out: they are masked
    in `raw` and `subject` once the mail has gone (`masked`). The picture is added to `raw` when the mail is sent.
    `failed_at`: when it was given up; `told_at`: when the keeper was told of that; `dismissed_at`: when the keeper
    dismissed it. `bounced_at`: when a report said that it did not arrive; `withheld_at`: since when it is not sent,
    because mails to its reader come back (it is given up, too, until the reader writes). `return_tag`: the secret in
    the address that it is sent from (judge/mails/return_path.py); `cited_at`: when a letter referred to it, so that
    its Message-ID may be known to others. Of an old mail about a game
    that is still played `raw` is empty and there is no picture: the row stays for letters that answer it. `press_id`:
    the message that it carries. `gathered`: the news that it brings together, as long as more may come. `taken_by`: the
    process that has it in hand, until what became of it is noted; `waiting_for`: why it is not sent yet.
    """

    __table_args__ = (
        _index_where("mail_waiting", "next_try_at", "id", where="sent_at IS NULL AND failed_at IS NULL"),
        Index("mail_of_kind", "recipient", "kind", "created_at"),
        _index_where("mail_failed", "failed_at", where="failed_at IS NOT NULL AND dismissed_at IS NULL"),
        # By the reader and the game, what waits before a mail.
        _index_where("mail_in_order", "recipient", "game_id", "id", where="sent_at IS NULL AND failed_at IS NULL"),
        _index_where("mail_taken", "taken_by", where="taken_by IS NOT NULL"),
        _index_where("mail_written", "created_at", where=WRITTEN),
        _index_where("mail_sent", "sent_at", where="sent_at IS NOT NULL"),
        _index_where("mail_with_picture", "picture_id", where="picture_id IS NOT NULL"),
    )

    message_id: str = Field(unique=True)
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    phase_id: int | None = Field(default=None, foreign_key="phase.id")
    letter_id: int | None = Field(default=None, foreign_key="letter.id", index=True)
    kind: MailKind = Field(sa_type=String)
    recipient: str
    subject: str
    raw: bytes
    gathered: list[dict[str, str]] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    secret: str | None = None
    masked: bool = _later(False)
    picture_id: int | None = Field(default=None, foreign_key="picture.id")
    press_id: int | None = None
    created_at: datetime
    next_try_at: datetime
    attempts: int = 0
    sent_at: datetime | None = None
    failed_at: datetime | None = None
    told_at: datetime | None = None
    dismissed_at: datetime | None = None
    bounced_at: datetime | None = None
    withheld_at: datetime | None = None
    return_tag: str = _later("")
    cited_at: datetime | None = None
    error: str = ""
    taken_by: str | None = None
    waiting_for: WaitingFor = Field(default="", sa_type=String, sa_column_kwargs={"server_default": text("''")})


class BouncedAddress(Row, table=True):
    """An address from which `bounces` mails came back since its owner last wrote, because nobody can be reached there,
    the last for `reason`; `refused` others came back for reasons that are not the address's, the last for `refusal`.

    `dead_since`: since when mails to it are withheld. `told_at`: when the masters of its games were last told;
    `news_at`: what is to be told to them since then. `dismissed_at`: when the keeper dismissed the dead address.
    """

    __tablename__ = "bounced_address"
    __table_args__ = (
        _index_where("bounced_dead", "dead_since", where="dead_since IS NOT NULL"),
        _index_where("bounced_news", "news_at", where="news_at IS NOT NULL"),
    )

    address: str = Field(unique=True)
    bounces: int
    last_at: datetime
    reason: str = ""
    refused: int = _later(0)
    refusal: str = _later("")
    dead_since: datetime | None = None
    told_at: datetime | None = None
    news_at: datetime | None = None
    dismissed_at: datetime | None = None


class Event(Row, table=True):
    """The log of what happened, for the keeper and for appeals; never holds a password or press."""

    at: datetime
    kind: EventKind = Field(sa_type=String)
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    phase_id: int | None = Field(default=None, foreign_key="phase.id")
    letter_id: int | None = Field(default=None, foreign_key="letter.id")
    text: str


# SQLModel's own type for texts calls Python for each of them, for the sake of MySQL.
for _column in (column for table in SQLModel.metadata.tables.values() for column in table.columns):
    if isinstance(_column.type, AutoString):
        _column.type = String()
