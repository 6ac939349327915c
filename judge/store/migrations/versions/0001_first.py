"""The tables when the steps before them were merged into this one.

A revision is the whole name of its file, `0001_first`, and not its number: databases from before the merge have the
numbers 0001 to 0027 in their notes and mean other steps (judge/store/engine.py). One at 0027 has the tables that are
made here.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001_first"
down_revision = None


def upgrade() -> None:
    op.create_table("answered", _identity(), _text("account"), _text("domain"), _time("at"))
    op.create_table(
        "bounced_address",
        _identity(),
        _text("address", unique=True),
        _number("bounces"),
        _time("last_at"),
        _text("reason"),
        _number("refused", default="0"),
        _text("refusal", default=""),
        _time("dead_since", nullable=True),
        _time("told_at", nullable=True),
        _time("news_at", nullable=True),
        _time("dismissed_at", nullable=True),
    )
    op.create_table(
        "game",
        _identity(),
        _text("name", unique=True),
        _text("variant"),
        _text("state"),
        _text("zone"),
        _json("settings"),
        _text("comment"),
        _text("result"),
        _time("created_at"),
        _time("started_at", nullable=True),
        _time("notice_at", nullable=True),
        _flag("proved", default=sa.false()),
        _time("ended_at", nullable=True),
    )
    op.create_table(
        "letter",
        _identity(),
        _text("fingerprint", unique=True),
        _big("uidvalidity"),
        _big("uid"),
        _time("received_at"),
        _time("kept_at"),
        _bytes("raw"),
        _flag("cut"),
        _text("sender"),
        _text("subject"),
        _text("state"),
        _number("attempts"),
        _text("error"),
        _time("done_at", nullable=True),
    )
    op.create_table(
        "pause",
        _identity(),
        _text("address"),
        _text("account"),
        _text("domain"),
        _flag("registered"),
        _time("begun_at"),
        _time("ends_at"),
        _time("forgotten_at"),
        _json("answers"),
        _number("more"),
        _text("secret", nullable=True),
        _time("ended_at", nullable=True),
    )
    op.create_table(
        "person",
        _identity(),
        _text("name"),
        _text("looks", default=""),
        _text("zone"),
        _flag("html", default=sa.true()),
        _flag("calendar", default=sa.false()),
        _number("digest", nullable=True),
        _flag("threads", default=sa.false()),
        _flag("data", default=sa.false()),
        _time("registered_at", nullable=True),
        _time("standby_since", nullable=True),
    )
    op.create_table(
        "picture",
        _identity(),
        _text("digest", unique=True),
        _text("form"),
        _json("scene"),
        _time("created_at"),
    )
    op.create_table(
        "token",
        _identity(),
        _text("digest", unique=True),
        _text("purpose"),
        _json("data"),
        _time("created_at"),
        _time("expires_at"),
        _time("used_at", nullable=True),
    )
    op.create_table(
        "watch",
        _identity(),
        _time("swept_at"),
        _time("outage_from", nullable=True),
        _time("outage_to", nullable=True),
    )
    op.create_table("address", _identity(), _link("person"), _text("address", unique=True), _time("added_at"))
    op.create_table(
        "application",
        _identity(),
        _link("game"),
        _link("person"),
        _text("address"),
        _text("password"),
        _text("power", nullable=True),
        _text("role", default="player"),
        _time("asked_at"),
        sa.UniqueConstraint("game_id", "person_id"),
    )
    op.create_table(
        "future_line",
        _identity(),
        _link("game"),
        _text("power"),
        _text("phase_name"),
        _text("text"),
        _json("meaning", nullable=True),
        _link("letter", nullable=True),
        _time("given_at"),
    )
    op.create_table(
        "phase",
        _identity(),
        _link("game"),
        _number("number"),
        _text("name"),
        _json("position"),
        _json("uncorrected", nullable=True),
        _json("outcome", nullable=True),
        _time("opened_at"),
        _time("earliest_at"),
        _time("deadline_at"),
        _time("grace_ends_at"),
        _time("due_at", nullable=True),
        _time("notice_at", nullable=True),
        _time("held_since", nullable=True),
        _time("processed_at", nullable=True),
        sa.UniqueConstraint("game_id", "number"),
    )
    op.create_table(
        "seat",
        _identity(),
        _link("game"),
        _link("person"),
        _text("role"),
        _text("power", nullable=True),
        _text("address"),
        _text("password"),
        _text("preference"),
        _flag("waits"),
        _number("guesses", default="0"),
        _text("maps", nullable=True),
        _flag("passwordless", default=sa.false()),
        _time("joined_at"),
        _time("left_at", nullable=True),
    )
    op.create_table(
        "sheet",
        _identity(),
        _link("picture", ondelete="CASCADE"),
        _text("part"),
        _bytes("data", nullable=True),
        _time("drawn_at"),
        sa.UniqueConstraint("picture_id", "part"),
    )
    op.create_table(
        "wrong_password",
        _identity(),
        _text("address"),
        _text("domain", default=""),
        _link("game"),
        _text("seat", default=""),
        _time("at"),
    )
    op.create_table("absence", _identity(), _link("seat"), _time("starts_at"), _time("ends_at"))
    op.create_table(
        "attendance",
        _identity(),
        _link("phase"),
        _link("seat"),
        _link("person"),
        _text("result"),
        _time("at"),
        sa.UniqueConstraint("phase_id", "seat_id"),
    )
    op.create_table(
        "bid",
        _identity(),
        _link("phase"),
        _text("power"),
        _number("points"),
        _text("province"),
        _text("text"),
        _json("meaning", nullable=True),
        _link("letter", nullable=True),
        _time("given_at"),
        sa.UniqueConstraint("phase_id", "power", "text"),
    )
    op.create_table(
        "counted_letter",
        _identity(),
        _link("seat"),
        _link("letter"),
        _text("message_id"),
        _text("digest"),
        _time("written_at", nullable=True),
    )
    op.create_table(
        "event",
        _identity(),
        _time("at"),
        _text("kind"),
        _link("game", nullable=True),
        _link("phase", nullable=True),
        _link("letter", nullable=True),
        _text("text"),
    )
    op.create_table(
        "mail",
        _identity(),
        _text("message_id", unique=True),
        _link("game", nullable=True),
        _link("phase", nullable=True),
        _link("letter", nullable=True),
        _text("kind"),
        _text("recipient"),
        _text("subject"),
        _bytes("raw"),
        _json("gathered", nullable=True),
        _text("secret", nullable=True),
        _flag("masked", default=sa.false()),
        _link("picture", nullable=True),
        _number("press_id", nullable=True),
        _time("created_at"),
        _time("next_try_at"),
        _number("attempts"),
        _time("sent_at", nullable=True),
        _time("failed_at", nullable=True),
        _time("told_at", nullable=True),
        _time("dismissed_at", nullable=True),
        _time("bounced_at", nullable=True),
        _time("withheld_at", nullable=True),
        _text("return_tag", default=""),
        _time("cited_at", nullable=True),
        _text("error"),
    )
    op.create_table(
        "orders",
        _identity(),
        _link("phase"),
        _text("power"),
        _text("slot"),
        _text("text"),
        _json("meaning"),
        _link("letter", nullable=True),
        _time("given_at"),
        sa.UniqueConstraint("phase_id", "power", "slot"),
    )
    op.create_table(
        "press",
        _identity(),
        _link("game"),
        _link("phase", nullable=True),
        _link("seat", nullable=True),
        _time("sent_at"),
        _text("sender"),
        _flag("grey"),
        _text("recipients"),
        _flag("public"),
        _json("readers"),
        _text("text"),
    )
    op.create_table(
        "vote",
        _identity(),
        _link("phase"),
        _text("power"),
        _text("kind"),
        _text("choice"),
        sa.UniqueConstraint("phase_id", "power", "kind"),
    )
    # In the order in which the merged steps made them: where two seem equally good for a query, it decides which one
    # SQLite takes (tests/service/test_plans.py). Among the columns they would be made in a random order.
    _index("ix_address_person_id", "address", "person_id")
    _index("phase_one_open", "phase", "game_id", unique=True, where="processed_at IS NULL")
    _index("ix_phase_game_id", "phase", "game_id")
    _index("mail_waiting", "mail", "next_try_at", "id", where="sent_at IS NULL AND failed_at IS NULL")
    _index("ix_mail_game_id", "mail", "game_id")
    _index("ix_mail_letter_id", "mail", "letter_id")
    _index("ix_event_game_id", "event", "game_id")
    _index("ix_vote_phase_id", "vote", "phase_id")
    _index("ix_future_line_game_id", "future_line", "game_id")
    _index("seat_one_per_power", "seat", "game_id", "power", unique=True, where="left_at IS NULL AND power IS NOT NULL")
    _index("ix_seat_game_id", "seat", "game_id")
    _index("ix_seat_person_id", "seat", "person_id")
    _index("ix_absence_seat_id", "absence", "seat_id")
    _index("ix_attendance_person_id", "attendance", "person_id")
    _index("ix_game_notice_at", "game", "notice_at")
    _index("ix_application_game_id", "application", "game_id")
    _index("wrong_password_from", "wrong_password", "address", "game_id")
    _index("ix_bid_phase_id", "bid", "phase_id")
    _index("ix_press_game_id", "press", "game_id")
    _index("mail_of_kind", "mail", "recipient", "kind", "created_at")
    _index("ix_orders_phase_id", "orders", "phase_id")
    _index("wrong_password_for", "wrong_password", "game_id", "seat", "domain")
    _index("answered_domain", "answered", "domain", "at")
    _index("answered_account", "answered", "account", "at")
    _index("ix_answered_at", "answered", "at")
    _index("pause_open", "pause", "ends_at", where="ended_at IS NULL")
    _index("pause_account", "pause", "account", "forgotten_at")
    _index("press_of_seat", "press", "seat_id", "sent_at")
    _index("ix_sheet_drawn_at", "sheet", "drawn_at")
    _index("phase_due", "phase", "due_at", where="processed_at IS NULL")
    _index("phase_notice", "phase", "notice_at", where="processed_at IS NULL")
    _index("token_living", "token", "purpose", "expires_at")
    _index("token_expired", "token", "expires_at")
    _index("picture_created", "picture", "created_at")
    _index("game_ended", "game", "ended_at")
    _index("game_living", "game", "name", where="state != 'finished'")
    waiting = "state = 'new' OR state = 'held' OR state = 'shunted'"
    _index("letter_waiting", "letter", "state", "received_at", "id", where=waiting)
    _index("letter_written", "letter", "done_at", where="length(raw) > 0")
    _index("mail_written", "mail", "created_at", where="length(raw) > 0")
    _index("mail_with_picture", "mail", "picture_id", where="picture_id IS NOT NULL")
    _index("mail_failed", "mail", "failed_at", where="failed_at IS NOT NULL AND dismissed_at IS NULL")
    _index("bounced_dead", "bounced_address", "dead_since", where="dead_since IS NOT NULL")
    _index("mail_sent", "mail", "sent_at", where="sent_at IS NOT NULL")
    _index("mail_deferred", "mail", "id", where="attempts > 0 AND sent_at IS NULL AND failed_at IS NULL")
    _index("bounced_news", "bounced_address", "news_at", where="news_at IS NOT NULL")
    _index("ix_person_looks", "person", "looks")
    _index("ix_counted_letter_seat_id", "counted_letter", "seat_id")


def _identity() -> sa.Column[Any]:
    return sa.Column("id", sa.Integer, primary_key=True)


def _text(name: str, **options: Any) -> sa.Column[Any]:
    return _column(name, sa.String(), **options)


def _number(name: str, **options: Any) -> sa.Column[Any]:
    return _column(name, sa.Integer(), **options)


def _big(name: str) -> sa.Column[Any]:
    return _column(name, sa.BigInteger())


def _flag(name: str, **options: Any) -> sa.Column[Any]:
    return _column(name, sa.Boolean(), **options)


def _time(name: str, **options: Any) -> sa.Column[Any]:
    return _column(name, sa.DateTime(timezone=True), **options)


def _json(name: str, **options: Any) -> sa.Column[Any]:
    return _column(name, sa.JSON(), **options)


def _bytes(name: str, **options: Any) -> sa.Column[Any]:
    return _column(name, sa.LargeBinary(), **options)


def _link(table: str, *, nullable: bool = False, ondelete: str | None = None) -> sa.Column[Any]:
    key = sa.ForeignKey(f"{table}.id", ondelete=ondelete)
    return sa.Column(f"{table}_id", sa.Integer, key, nullable=nullable)


def _column(
    name: str, kind: Any, *, nullable: bool = False, unique: bool = False, default: Any = None
) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=nullable, unique=unique or None, server_default=default)


def _index(name: str, table: str, *columns: str, unique: bool = False, where: str | None = None) -> None:
    condition = None if where is None else sa.text(where)
    op.create_index(name, table, list(columns), unique=unique, sqlite_where=condition, postgresql_where=condition)
