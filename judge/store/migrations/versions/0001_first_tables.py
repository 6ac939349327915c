"""The first tables: people, games, seats, phases, orders, letters, mails, events."""

from datetime import datetime

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table("person", _id(), _text("name"), _text("zone"), _time("registered_at", nullable=True))
    op.create_table(
        "address",
        _id(),
        _link("person", index=True),
        _text("address", unique=True),
        _time("added_at"),
    )
    op.create_table(
        "game",
        _id(),
        _text("name", unique=True),
        _text("variant"),
        _text("state", index=True),
        _text("zone"),
        sa.Column("settings", sa.JSON, nullable=False),
        _text("result"),
        _time("created_at"),
        _time("started_at", nullable=True),
        _time("ended_at", nullable=True),
    )
    op.create_table(
        "seat",
        _id(),
        _link("game", index=True),
        _link("person", index=True),
        _text("role"),
        _text("power", nullable=True),
        _text("address"),
        _text("password"),
        sa.Column("waits", sa.Boolean, nullable=False),
        _time("joined_at"),
        _time("left_at", nullable=True),
        _where("seat_one_per_power", "game_id", "power", where="left_at IS NULL AND power IS NOT NULL", unique=True),
    )
    op.create_table(
        "phase",
        _id(),
        _link("game", index=True),
        sa.Column("number", sa.Integer, nullable=False),
        _text("name"),
        sa.Column("position", sa.JSON, nullable=False),
        sa.Column("outcome", sa.JSON),
        _time("opened_at"),
        _time("earliest_at"),
        _time("deadline_at"),
        _time("grace_ends_at"),
        _time("due_at", nullable=True, index=True),
        _time("processed_at", nullable=True),
        sa.UniqueConstraint("game_id", "number"),
        _where("phase_one_open", "game_id", where="processed_at IS NULL", unique=True),
    )
    op.create_table(
        "letter",
        _id(),
        _text("fingerprint", unique=True),
        sa.Column("uidvalidity", sa.BigInteger, nullable=False),
        sa.Column("uid", sa.BigInteger, nullable=False),
        _time("received_at"),
        _time("kept_at"),
        sa.Column("raw", sa.LargeBinary, nullable=False),
        sa.Column("cut", sa.Boolean, nullable=False),
        _text("sender"),
        _text("subject"),
        _text("state"),
        sa.Column("attempts", sa.Integer, nullable=False),
        _text("error"),
        _time("done_at", nullable=True),
        sa.Index("letter_waiting", "state", "received_at", "id"),
    )
    op.create_table(
        "orders",
        _id(),
        _link("phase", index=True),
        _text("power"),
        _text("slot"),
        _text("text"),
        _link("letter", nullable=True),
        _time("given_at"),
        sa.UniqueConstraint("phase_id", "power", "slot"),
    )
    op.create_table(
        "mail",
        _id(),
        _text("message_id", unique=True),
        _link("game", nullable=True, index=True),
        _link("phase", nullable=True),
        _link("letter", nullable=True, index=True),
        _text("kind"),
        _text("recipient"),
        _text("subject"),
        sa.Column("raw", sa.LargeBinary, nullable=False),
        _text("secret", nullable=True),
        _time("created_at"),
        _time("next_try_at"),
        sa.Column("attempts", sa.Integer, nullable=False),
        _time("sent_at", nullable=True),
        _time("failed_at", nullable=True),
        _text("error"),
        _where("mail_waiting", "next_try_at", "id", where="sent_at IS NULL AND failed_at IS NULL"),
        _where("mail_failed", "failed_at", where="failed_at IS NOT NULL"),
    )
    op.create_table(
        "event",
        _id(),
        _time("at"),
        _text("kind"),
        _link("game", nullable=True, index=True),
        _link("phase", nullable=True),
        _link("letter", nullable=True),
        _text("text"),
    )


def _id() -> sa.Column[int]:
    return sa.Column("id", sa.Integer, primary_key=True)


def _text(name: str, *, nullable: bool = False, unique: bool = False, index: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String, nullable=nullable, unique=unique or None, index=index)


def _time(name: str, *, nullable: bool = False, index: bool = False) -> sa.Column[datetime]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable, index=index)


def _link(table: str, *, nullable: bool = False, index: bool = False) -> sa.Column[int]:
    return sa.Column(f"{table}_id", sa.Integer, sa.ForeignKey(f"{table}.id"), nullable=nullable, index=index)


def _where(name: str, *columns: str, where: str, unique: bool = False) -> sa.Index:
    condition = sa.text(where)
    return sa.Index(name, *columns, unique=unique, sqlite_where=condition, postgresql_where=condition)
