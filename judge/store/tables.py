"""The tables, with everything that the judge knows between two letters.

Positions, outcomes and settings are JSON in the forms that the rules define. Values that are searched for, or that must
be exact (times, states, who has which seat), have columns. The words that a column allows are in judge/store/states.py.
All times are UTC. A deadline is stored only in the row of its phase. Letters and mails are kept for a time (judge.ini),
without passwords once they are done.

To add a column, add a line here and a migration (judge/store/migrations).
"""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, Column, Index, String, UniqueConstraint, text
from sqlmodel import Field, SQLModel

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

# The conditions for unfinished games and for unfinished letters. Queries must use the same conditions, or no index is
# used.
LIVING = "state != 'finished'"
WAITING = "state = 'new' OR state = 'held' OR state = 'shunted'"
# The deadline of a phase that has none, as in a game of one player.
NEVER = datetime(9000, 1, 1, tzinfo=UTC)
# The condition for letters and mails whose bytes have not been pruned (judge/store/retention.py).
WRITTEN = "length(raw) > 0"
# The conditions for letters with a Message-ID, by which duplicates are recognized, and for ignored letters from known
# people.
ACTED = "message_id != ''"
IGNORED = "state = 'ignored' AND error != ''"


# Columns that several tables have: a letter and a phase that a row may refer to, and a list.
_LETTER: Any = Field(default=None, foreign_key="letter.id")
_PHASE: Any = Field(default=None, foreign_key="phase.id")
_LIST: Any = Field(default_factory=list, sa_type=JSON)


def _index_where(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    return Index(name, *columns, unique=unique, sqlite_where=text(where), postgresql_where=text(where))


def _json_or_null() -> Any:
    return Field(default=None, sa_column=Column(JSON(none_as_null=True)))


class Row(SQLModel):
    """A row of any table.

    Its id is None until the row is written.
    """

    id: int | None = Field(default=None, primary_key=True)

    @property
    def key(self) -> int:
        """The id of a row that was read or flushed.

        Raises ValueError for any other row, so that no foreign key is stored as None by mistake.
        """
        if self.id is None:
            raise ValueError(f"this {type(self).__name__} was not flushed: it has no id yet")
        return self.id


class Person(Row, table=True):
    """A person who writes to the judge.

    `looks` is the name as it looks to others (judge/games/people/identity.py). `zone` is the IANA name of the time zone
    used in their mails. `html` is true if their mails have pages as well as texts. `calendar` is true if mails come
    with the deadline as a calendar entry. `digest` is when they get a digest of routine news, in minutes of their day
    (None: no digest). `threads` is true if all mails about a game have one subject. `data` is true if mails about a
    phase come with the phase as JSON. `public_name` is true if public pages may show the name. `checks` is true if
    confirmations have notes on orders that look like mistakes. `unwanted` has the kinds of notices that they have
    chosen not to get (SET NOTICES). `registered_at` is None for an observer who has not registered. `standby_since` is
    when they joined the standby list.
    """

    name: str
    looks: str = Field(default="", index=True)
    zone: str
    html: bool = True
    calendar: bool = False
    digest: int | None = None
    threads: bool = False
    data: bool = False
    public_name: bool = False
    checks: bool = True
    unwanted: list[str] = _LIST
    registered_at: datetime | None = None
    standby_since: datetime | None = None


class Address(Row, table=True):
    """An email address from which a person writes, in its normal form (judge/addresses.py)."""

    person_id: int = Field(foreign_key="person.id", index=True)
    address: str = Field(unique=True)
    added_at: datetime


class Game(Row, table=True):
    """A game with its settings and its state.

    `settings` are as in judge/games/core/settings.py. `notice_at` is when the people in a forming game are next
    notified of what the game waits for (judge/games/life/forming.py). `proved` is true if the letter that created the
    game proved its sender. `stopped_at` is when the game was paused. `idle` is true if it was paused because no one
    sent orders, and is waiting for some (judge/games/life/lifecycle.py).
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
    proved: bool = False
    stopped_at: datetime | None = None
    idle: bool = False
    ended_at: datetime | None = None


class Seat(Row, table=True):
    """A person's role in a game, and a player's power once the game has started.

    Mail about the game goes to `address`. `preference` has the powers that the player asked for, as written. `maps`
    says which pictures the results have (None: on). `left_at` is when the player left, though the row stays. `guesses`
    is how many wrong passwords strangers have tried for this seat since the player was last notified. `passwordless` is
    true if the player has chosen to play without the password (judge/games/core/passwords.py). `proved` is true if a
    letter has proved that the player wants the seat. `ignores` names those whose press is not mailed to the player (SET
    IGNORE).
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
    guesses: int = 0
    maps: MapsWish | None = Field(default=None, sa_type=String)
    passwordless: bool = False
    proved: bool = False
    ignores: list[str] = _LIST
    joined_at: datetime
    left_at: datetime | None = None


class Application(Row, table=True):
    """A person's request to join a game whose master decides, or to wait in line for a free seat.

    `role` is "player" or "observer". `power` is the power whose seat the person asks for once the game has begun.
    `preference` has the powers that the person asks for, as in `Seat`. `queued` is true if the person waits in line for
    a free seat of a full game.
    """

    __table_args__ = (UniqueConstraint("game_id", "person_id"),)

    game_id: int = Field(foreign_key="game.id", index=True)
    person_id: int = Field(foreign_key="person.id")
    address: str
    password: str
    power: str | None = None
    role: Role = Field(default="player", sa_type=String)
    preference: str = ""
    queued: bool = False
    asked_at: datetime


class Invitation(Row, table=True):
    """An invitation that was mailed, or a lasting refusal of invitations, which has no person.

    `digest` is the digest of the address, made with the judge's key, so the row names no one. `person_id` is the person
    who has invited the reader to the game.
    """

    digest: str = Field(index=True)
    person_id: int | None = Field(default=None, foreign_key="person.id", index=True)
    game_id: int | None = Field(default=None, foreign_key="game.id")
    at: datetime


class Phase(Row, table=True):
    """One phase of a game, and the open one if it has no `processed_at`.

    `opened_at` is when its time began. Letters that reached the mailbox before `known_at` never affect this phase,
    since no mail about it could have gone out. If `known_at` is None, `opened_at` is meant instead. Before
    `earliest_at`, the phase is not processed, even if all orders are in. `deadline_at` is when orders are due. Late
    orders are accepted until `grace_ends_at`. `due_at` is when, as far as is known, the judge will process the phase.
    If `due_at` is None, the phase waits for orders, its master or RESUME. `notice_at` is when the next notice about
    the phase is due (judge/games/deadlines/schedule.py).

    `kept` has data for reopening the phase that is in no other row (judge/store/kept.py). `held_since` is when the
    judge first failed to process the phase. Further attempts follow. No later phase is due before `floor_at`, since the
    master, an absence or an extension has set this deadline. `newcomers` has the powers whose new players were given
    more time.
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
    kept: dict[str, Any] | None = _json_or_null()
    outcome: dict[str, Any] | None = _json_or_null()
    opened_at: datetime
    earliest_at: datetime
    deadline_at: datetime
    grace_ends_at: datetime
    due_at: datetime | None = None
    notice_at: datetime | None = None
    floor_at: datetime | None = None
    known_at: datetime | None = None
    newcomers: list[str] = _LIST
    held_since: datetime | None = None
    processed_at: datetime | None = None

    @property
    def rings_at(self) -> datetime | None:
        """The time at which the judge must next do something about the phase, or None."""
        return min(filter(None, (self.due_at, self.notice_at)), default=None)

    @property
    def early_at(self) -> datetime | None:
        """The time at which the complete phase is processed, or None if it waits for its deadline or for orders."""
        return None if self.due_at in (None, self.deadline_at, self.grace_ends_at) else self.due_at


class Absence(Row, table=True):
    """A time in which the player of the seat cannot write.

    Deadlines of later phases avoid it.
    """

    seat_id: int = Field(foreign_key="seat.id", index=True)
    starts_at: datetime
    ends_at: datetime


class KnownLetter(Row, table=True):
    """A verified letter that was answered, so that a later copy of it proves nothing.

    `digest` is that of its body and its Date (judge/letters/authentication.py). `written_at` is its Date.
    """

    __tablename__ = "known_letter"
    __table_args__ = (Index("known_letter_written", "person_id", "written_at"),)

    person_id: int = Field(foreign_key="person.id")
    message_id: str
    digest: str
    written_at: datetime | None


class Attendance(Row, table=True):
    """The punctuality of a player in one phase when the player owed orders."""

    __table_args__ = (UniqueConstraint("phase_id", "seat_id"),)

    phase_id: int = Field(foreign_key="phase.id")
    seat_id: int = Field(foreign_key="seat.id")
    person_id: int = Field(foreign_key="person.id", index=True)
    result: Met = Field(sa_type=String)
    at: datetime


class WrongPassword(Row, table=True):
    """A failed sign-on to a game.

    `address` (without its tag) and `domain` are those of the sender. `seat` is the power, or "master", if a stranger
    tried to sign on to that seat. `seat` is "" if the sender tried their own seat.
    """

    __tablename__ = "wrong_password"
    __table_args__ = (
        Index("wrong_password_from", "address", "game_id"),
        Index("wrong_password_for", "game_id", "seat", "domain"),
    )

    address: str
    domain: str = ""
    game_id: int = Field(foreign_key="game.id")
    seat: str = ""
    at: datetime


class Answered(Row, table=True):
    """An answer that was mailed to a letter without a sign-on, and counts against a limit.

    `account` names a limit and a mailbox (judge/games/people/rate_limits.py). `domain` is "" if no limit of the domain
    applies.
    """

    __table_args__ = (Index("answered_account", "account", "at"), Index("answered_domain", "domain", "at"))

    account: str
    domain: str
    at: datetime = Field(index=True)


class Pause(Row, table=True):
    """A pause for answers to a reader, because there were too many for their account or domain.

    `account` and `domain` are as in `Answered`, but `domain` is "" if it was not the reason. If the next pause begins
    before `forgotten_at`, the next pause is longer. `answers` has the text of each waiting answer to `address`, with
    the time of its letter. `more` is the number of further answers that are not kept. `secret` is as in `Mail`.
    `ended_at` is when the answers were mailed.
    """

    __table_args__ = (
        Index("pause_account", "account", "forgotten_at"),
        _index_where("pause_open", "ends_at", where="ended_at IS NULL"),
    )

    address: str
    account: str
    domain: str
    begun_at: datetime
    ends_at: datetime
    forgotten_at: datetime
    answers: list[dict[str, Any]] = _LIST
    more: int = 0
    secret: str | None = None
    ended_at: datetime | None = None


class Watch(Row, table=True):
    """The table's only row, with the last check of the mailbox, the last outage, and the last event's time.

    `replays_until` is the end of the time whose letters are replayed after a backup was restored
    (judge/store/event_times.py). `recovered_until` is the same time, but kept after the replay.
    """

    swept_at: datetime
    outage_from: datetime | None = None
    outage_to: datetime | None = None
    event_at: datetime | None = None
    replays_until: datetime | None = None
    recovered_until: datetime | None = None


class OrderRow(Row, table=True):
    """One order on file for a phase, until a later order for the same slot replaces it.

    A slot is a province or a waive. `meaning` is how the judge read the line (judge/rules/board/orders.py), so that the
    line is not read a second time. `text` is the line as the player wrote it, without comment. In rows of older
    versions, `text` is the order in normal form. `displaced` is in the row of a winter letter's first order.
    `displaced` has the orders of earlier letters that the letter replaced, in normal form.
    """

    __tablename__ = "orders"
    __table_args__ = (UniqueConstraint("phase_id", "power", "slot"),)

    phase_id: int = Field(foreign_key="phase.id", index=True)
    power: str
    slot: str
    text: str
    meaning: dict[str, Any] = Field(sa_type=JSON)
    letter_id: int | None = _LETTER
    given_at: datetime
    displaced: list[str] = _LIST


class BidRow(Row, table=True):
    """One bid on file, which is a number of Diplomacy Points for an order of the neutral in `province`.

    `meaning` and `text` of the order are as in `OrderRow`. A row without points, province and order means that the
    power does not want to spend more points. The bidders are recorded only in this table and in the outcomes of phases.
    """

    __tablename__ = "bid"
    __table_args__ = (UniqueConstraint("phase_id", "power", "text"),)

    phase_id: int = Field(foreign_key="phase.id", index=True)
    power: str
    points: int
    province: str
    text: str
    meaning: dict[str, Any] | None = _json_or_null()
    letter_id: int | None = _LETTER
    given_at: datetime


class Vote(Row, table=True):
    """A power's vote in a phase.

    `choice` has the powers that the power accepts, comma-separated, or "" for all survivors.
    """

    __table_args__ = (UniqueConstraint("phase_id", "power", "kind"),)

    phase_id: int = Field(foreign_key="phase.id", index=True)
    power: str
    kind: VoteKind = Field(sa_type=String)
    choice: str


class Consent(Row, table=True):
    """A player's answer to a line that needs the agreement of the players (judge/games/life/consent.py).

    `line` is as all players have to write it. `asked_at` is when the players were first asked. `answered_at` is the
    time of the player's newest answer.
    """

    __table_args__ = (UniqueConstraint("game_id", "line", "seat_id"),)

    game_id: int = Field(foreign_key="game.id", index=True)
    seat_id: int = Field(foreign_key="seat.id")
    line: str
    agrees: bool
    asked_at: datetime
    answered_at: datetime


class FutureLine(Row, table=True):
    """A line that a player wrote for a future phase, or the lines from IF to ENDIF.

    The line is read when that phase opens.
    """

    __tablename__ = "future_line"

    game_id: int = Field(foreign_key="game.id", index=True)
    power: str
    phase_name: str
    text: str
    letter_id: int | None = _LETTER
    given_at: datetime


class Press(Row, table=True):
    """A press message that the judge has passed on.

    `seat_id` is the sender's seat, which is hidden from readers if `grey` is true. `seat_id` is None for the keeper,
    who has no seat. `sender` and `recipients` are the names in the mail ("" for all players). `public` is true if
    observers also got the message. `readers` has the seats to which it was mailed.
    """

    __table_args__ = (Index("press_of_seat", "seat_id", "sent_at"),)

    game_id: int = Field(foreign_key="game.id", index=True)
    phase_id: int | None = _PHASE
    seat_id: int | None = Field(default=None, foreign_key="seat.id")
    sent_at: datetime
    sender: str
    grey: bool
    recipients: str
    public: bool
    readers: list[int] = Field(sa_type=JSON)
    text: str


class Token(Row, table=True):
    """A code mailed to an address, to prove that the person can read mail there.

    The code works once, until `expires_at`. Only its keyed digest is stored. `purpose` says what the code does, and
    `data` has the values for that purpose (judge/store/people.py).
    """

    __table_args__ = (Index("token_living", "purpose", "expires_at"), Index("token_expired", "expires_at"))

    digest: str = Field(unique=True)
    purpose: TokenPurpose = Field(sa_type=String)
    data: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None = None


class LetterRow(Row, table=True):
    """A received letter.

    `raw` has its bytes as they came. Once the letter is done, `raw` has only its headers and text, with passwords
    masked (judge/letters/letter.py). In rows of older versions, it still has all parts of the letter. When the letter
    is too old to be kept, `raw` is emptied. The row stays, so that a copy is recognized.

    `error` is the traceback of a letter that failed, or says why a known person's letter was not answered. `message_id`
    and `written_at` (its Date) are set if copies of the letter must do nothing, even changed ones. For other letters,
    `message_id` is "".
    """

    __tablename__ = "letter"
    __table_args__ = (
        _index_where("letter_waiting", "state", "received_at", "id", where=WAITING),
        _index_where("letter_written", "done_at", where=WRITTEN),
        _index_where("letter_acted", "message_id", where=ACTED),
        _index_where("letter_ignored", "done_at", where=IGNORED),
    )

    fingerprint: str = Field(unique=True)
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
    message_id: str = ""
    written_at: datetime | None = None


class Picture(Row, table=True):
    """A map in mails.

    `scene` is everything that is drawn, and `form` how it is drawn. The file is made when the first mail with the
    picture is due, and kept outside the database. `digest` identifies scene and form, so that the same picture is drawn
    only once. `drawing` identifies the picture without the parts of the board to show, so that all parts are drawn
    together. `taken_by` is the process that is drawing it, since `taken_at`. `drawn_at` and `failed_at` are when it was
    drawn, or could not be drawn.
    """

    __table_args__ = (
        Index("picture_created", "created_at"),
        _index_where("picture_taken", "taken_by", where="taken_by IS NOT NULL"),
    )

    digest: str = Field(unique=True)
    drawing: str = Field(index=True)
    form: PictureForm = Field(sa_type=String)
    scene: dict[str, Any] = Field(sa_type=JSON)
    created_at: datetime
    taken_by: str | None = None
    taken_at: datetime | None = None
    drawn_at: datetime | None = None
    failed_at: datetime | None = None


class Sheet(Row, table=True):
    """A part of a picture that one process has drawn and others send.

    The part "" is the whole board. With SQLite, one process draws and sends. So only sheets that cannot be written to
    the folder of pictures are here.
    """

    __table_args__ = (UniqueConstraint("picture_id", "part"),)

    picture_id: int = Field(foreign_key="picture.id", ondelete="CASCADE")
    part: str
    data: bytes | None = None
    drawn_at: datetime = Field(index=True)


class Mail(Row, table=True):
    """A mail in the outbox.

    Its Message-ID is fixed here, so that mail programs recognize a second copy of it. The row of an old mail about a
    running game stays, so that answers to it are understood. Its `raw` is emptied.
    """

    __table_args__ = (
        _index_where("mail_waiting", "next_try_at", "id", where="sent_at IS NULL AND failed_at IS NULL"),
        Index("mail_of_kind", "recipient", "kind", "created_at"),
        _index_where("mail_failed", "failed_at", where="failed_at IS NOT NULL AND dismissed_at IS NULL"),
        # This index finds the earlier mails to the same reader and about the same game.
        _index_where("mail_in_order", "recipient", "game_id", "id", where="sent_at IS NULL AND failed_at IS NULL"),
        _index_where("mail_taken", "taken_by", where="taken_by IS NOT NULL"),
        _index_where("mail_written", "created_at", where=WRITTEN),
        _index_where("mail_sent", "sent_at", where="sent_at IS NOT NULL"),
        _index_where("mail_with_picture", "picture_id", where="picture_id IS NOT NULL"),
    )

    message_id: str = Field(unique=True)
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    # The phase that the mail is about. An answer to the mail is meant for this phase. For a mail with results, it is
    # the phase that the results opened.
    phase_id: int | None = _PHASE
    letter_id: int | None = Field(default=None, foreign_key="letter.id", index=True)
    kind: MailKind = Field(sa_type=String)
    recipient: str
    subject: str
    raw: bytes
    # The paragraphs of a digest that may still get more news.
    gathered: list[dict[str, str]] | None = _json_or_null()
    # The passwords and tokens in the mail.
    secret: str | None = None
    # True if the secrets are masked in `raw` and `subject`, since the mail was sent, given up or withheld.
    masked: bool = False
    # The picture to add to `raw` when the mail is sent.
    picture_id: int | None = Field(default=None, foreign_key="picture.id")
    press_id: int | None = None
    created_at: datetime
    next_try_at: datetime
    attempts: int = 0
    sent_at: datetime | None = None
    # The times at which the mail was given up, the keeper was notified, and the keeper dismissed the mail.
    failed_at: datetime | None = None
    told_at: datetime | None = None
    dismissed_at: datetime | None = None
    # The time at which a report said that the mail did not arrive.
    bounced_at: datetime | None = None
    # The time since which the mail is withheld, because mails to its reader bounce. Until the reader writes, the mail
    # also counts as given up.
    withheld_at: datetime | None = None
    # The secret in the mail's return path (judge/mails/smtp.py).
    return_tag: str = Field(default="", index=True)
    # The time at which a letter referred to the mail. From that time on, others may know its Message-ID.
    cited_at: datetime | None = None
    error: str = ""
    # The process that is sending the mail, until the outcome is stored.
    taken_by: str | None = None
    # The time at which the sending process took the mail, or last renewed its note (judge/store/locks.py).
    taken_at: datetime | None = None
    waiting_for: WaitingFor = Field(default="", sa_type=String)


class BouncedAddress(Row, table=True):
    """An address from which mails have bounced since its owner last wrote.

    `bounces` is the number of mails that bounced because no one can be reached there, the last for `reason`. `refused`
    is the number of mails that were refused for other reasons, the last for `refusal`. `dead_since` is when mails to
    the address began to be withheld. `told_at` is when the masters of its games were last notified. `news_at` is the
    time of a change that these masters have not yet been notified of. `dismissed_at` is when the keeper dismissed the
    dead address.
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
    refused: int = 0
    refusal: str = ""
    dead_since: datetime | None = None
    told_at: datetime | None = None
    news_at: datetime | None = None
    dismissed_at: datetime | None = None


class Posted(Row, table=True):
    """The table's only row, with the last event that was posted to `[watch] results_webhook`.

    An event that was skipped after the last attempt also counts. `attempts` is how often the next event has failed, and
    `next_try_at` when it is tried again.
    """

    event_id: int
    attempts: int = 0
    next_try_at: datetime | None = None


class Event(Row, table=True):
    """One event in the log, which is for the keeper and for appeals.

    An event never contains a password or press.
    """

    at: datetime
    kind: EventKind = Field(sa_type=String)
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    phase_id: int | None = _PHASE
    letter_id: int | None = _LETTER
    text: str
