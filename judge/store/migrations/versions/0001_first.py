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
    op.create_table(
        "answered",
        _identity(),
        _text("account"),
        _text("domain"),
        _time("at", index=True),
        _index("answered_account", "account", "at"),
        _index("answered_domain", "domain", "at"),
    )
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
        _index("bounced_dead", "dead_since", where="dead_since IS NOT NULL"),
        _index("bounced_news", "news_at", where="news_at IS NOT NULL"),
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
        _time("notice_at", nullable=True, index=True),
        _flag("proved", default=sa.false()),
        _time("ended_at", nullable=True),
        _index("game_ended", "ended_at"),
        _index("game_living", "name", where="state != 'finished'"),
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
        _index(
            "letter_waiting",
            "state",
            "received_at",
            "id",
            where="state = 'new' OR state = 'held' OR state = 'shunted'",
        ),
        _index("letter_written", "done_at", where="length(raw) > 0"),
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
        _index("pause_account", "account", "forgotten_at"),
        _index("pause_open", "ends_at", where="ended_at IS NULL"),
    )
    op.create_table(
        "person",
        _identity(),
        _text("name"),
        _text("looks", index=True, default=""),
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
        _index("picture_created", "created_at"),
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
        _index("token_expired", "expires_at"),
        _index("token_living", "purpose", "expires_at"),
    )
    op.create_table(
        "watch",
        _identity(),
        _time("swept_at"),
        _time("outage_from", nullable=True),
        _time("outage_to", nullable=True),
    )
    op.create_table(
        "address",
        _identity(),
        _link("person", index=True),
        _text("address", unique=True),
        _time("added_at"),
    )
    op.create_table(
        "application",
        _identity(),
        _link("game", index=True),
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
        _link("game", index=True),
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
        _link("game", index=True),
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
        _index("phase_due", "due_at", where="processed_at IS NULL"),
        _index("phase_notice", "notice_at", where="processed_at IS NULL"),
        _index("phase_one_open", "game_id", where="processed_at IS NULL", unique=True),
    )
    op.create_table(
        "seat",
        _identity(),
        _link("game", index=True),
        _link("person", index=True),
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
        _index("seat_one_per_power", "game_id", "power", where="left_at IS NULL AND power IS NOT NULL", unique=True),
    )
    op.create_table(
        "sheet",
        _identity(),
        _link("picture", ondelete="CASCADE"),
        _text("part"),
        _bytes("data", nullable=True),
        _time("drawn_at", index=True),
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
        _index("wrong_password_for", "game_id", "seat", "domain"),
        _index("wrong_password_from", "address", "game_id"),
    )
    op.create_table("absence", _identity(), _link("seat", index=True), _time("starts_at"), _time("ends_at"))
    op.create_table(
        "attendance",
        _identity(),
        _link("phase"),
        _link("seat"),
        _link("person", index=True),
        _text("result"),
        _time("at"),
        sa.UniqueConstraint("phase_id", "seat_id"),
    )
    op.create_table(
        "bid",
        _identity(),
        _link("phase", index=True),
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
        _link("seat", index=True),
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
        _link("game", nullable=True, index=True),
        _link("phase", nullable=True),
        _link("letter", nullable=True),
        _text("text"),
    )
    op.create_table(
        "mail",
        _identity(),
        _text("message_id", unique=True),
        _link("game", nullable=True, index=True),
        _link("phase", nullable=True),
        _link("letter", nullable=True, index=True),
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
        _index("mail_deferred", "id", where="attempts > 0 AND sent_at IS NULL AND failed_at IS NULL"),
        _index("mail_failed", "failed_at", where="failed_at IS NOT NULL AND dismissed_at IS NULL"),
        _index("mail_of_kind", "recipient", "kind", "created_at"),
        _index("mail_sent", "sent_at", where="sent_at IS NOT NULL"),
        _index("mail_waiting", "next_try_at", "id", where="sent_at IS NULL AND failed_at IS NULL"),
        _index("mail_with_picture", "picture_id", where="picture_id IS NOT NULL"),
        _index("mail_written", "created_at", where="length(raw) > 0"),
    )
    op.create_table(
        "orders",
        _identity(),
        _link("phase", index=True),
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
        _link("game", index=True),
        _link("phase", nullable=True),
        _link("seat", nullable=True),
        _time("sent_at"),
        _text("sender"),
        _flag("grey"),
        _text("recipients"),
        _flag("public"),
        _json("readers"),
        _text("text"),
        _index("press_of_seat", "seat_id", "sent_at"),
    )
    op.create_table(
        "vote",
        _identity(),
        _link("phase", index=True),
        _text("power"),
        _text("kind"),
        _text("choice"),
        sa.UniqueConstraint("phase_id", "power", "kind"),
    )


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


def _link(table: str, *, nullable: bool = False, index: bool = False, ondelete: str | None = None) -> sa.Column[Any]:
    key = sa.ForeignKey(f"{table}.id", ondelete=ondelete)
    return sa.Column(f"{table}_id", sa.Integer, key, nullable=nullable, index=index)


def _column(
    name: str, kind: Any, *, nullable: bool = False, unique: bool = False, index: bool = False, default: Any = None
) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=nullable, unique=unique or None, index=index, server_default=default)


def _index(name: str, *columns: str, unique: bool = False, where: str | None = None) -> sa.Index:
    condition = None if where is None else sa.text(where)
    return sa.Index(name, *columns, unique=unique, sqlite_where=condition, postgresql_where=condition)
