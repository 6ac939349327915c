"""The first tables: people, games, seats, phases, orders, letters, mails, events."""

import sqlalchemy as sa
from alembic import op

from judge.store.migrations.columns import identity, link, text, time, where

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table("person", identity(), text("name"), text("zone"), time("registered_at", nullable=True))
    op.create_table(
        "address",
        identity(),
        link("person", index=True),
        text("address", unique=True),
        time("added_at"),
    )
    op.create_table(
        "game",
        identity(),
        text("name", unique=True),
        text("variant"),
        text("state", index=True),
        text("zone"),
        sa.Column("settings", sa.JSON, nullable=False),
        text("result"),
        time("created_at"),
        time("started_at", nullable=True),
        time("ended_at", nullable=True),
    )
    op.create_table(
        "seat",
        identity(),
        link("game", index=True),
        link("person", index=True),
        text("role"),
        text("power", nullable=True),
        text("address"),
        text("password"),
        sa.Column("waits", sa.Boolean, nullable=False),
        time("joined_at"),
        time("left_at", nullable=True),
        where("seat_one_per_power", "game_id", "power", where="left_at IS NULL AND power IS NOT NULL", unique=True),
    )
    op.create_table(
        "phase",
        identity(),
        link("game", index=True),
        sa.Column("number", sa.Integer, nullable=False),
        text("name"),
        sa.Column("position", sa.JSON, nullable=False),
        sa.Column("outcome", sa.JSON),
        time("opened_at"),
        time("earliest_at"),
        time("deadline_at"),
        time("grace_ends_at"),
        time("due_at", nullable=True, index=True),
        time("processed_at", nullable=True),
        sa.UniqueConstraint("game_id", "number"),
        where("phase_one_open", "game_id", where="processed_at IS NULL", unique=True),
    )
    op.create_table(
        "letter",
        identity(),
        text("fingerprint", unique=True),
        sa.Column("uidvalidity", sa.BigInteger, nullable=False),
        sa.Column("uid", sa.BigInteger, nullable=False),
        time("received_at"),
        time("kept_at"),
        sa.Column("raw", sa.LargeBinary, nullable=False),
        sa.Column("cut", sa.Boolean, nullable=False),
        text("sender"),
        text("subject"),
        text("state"),
        sa.Column("attempts", sa.Integer, nullable=False),
        text("error"),
        time("done_at", nullable=True),
        sa.Index("letter_waiting", "state", "received_at", "id"),
    )
    op.create_table(
        "orders",
        identity(),
        link("phase", index=True),
        text("power"),
        text("slot"),
        text("text"),
        link("letter", nullable=True),
        time("given_at"),
        sa.UniqueConstraint("phase_id", "power", "slot"),
    )
    op.create_table(
        "mail",
        identity(),
        text("message_id", unique=True),
        link("game", nullable=True, index=True),
        link("phase", nullable=True),
        link("letter", nullable=True, index=True),
        text("kind"),
        text("recipient"),
        text("subject"),
        sa.Column("raw", sa.LargeBinary, nullable=False),
        text("secret", nullable=True),
        time("created_at"),
        time("next_try_at"),
        sa.Column("attempts", sa.Integer, nullable=False),
        time("sent_at", nullable=True),
        time("failed_at", nullable=True),
        text("error"),
        where("mail_waiting", "next_try_at", "id", where="sent_at IS NULL AND failed_at IS NULL"),
        where("mail_failed", "failed_at", where="failed_at IS NOT NULL"),
    )
    op.create_table(
        "event",
        identity(),
        time("at"),
        text("kind"),
        link("game", nullable=True, index=True),
        link("phase", nullable=True),
        link("letter", nullable=True),
        text("text"),
    )
