"""Who a sender is: addresses in their one form, and wrong passwords counted by seat and domain too."""

import sqlalchemy as sa
from alembic import op

from judge.addresses import normal

revision = "0015"
down_revision = "0014"

_ADDRESSES = ("address", "seat", "application")


def upgrade() -> None:
    op.add_column("wrong_password", sa.Column("domain", sa.String, nullable=False, server_default=sa.text("''")))
    op.add_column("wrong_password", sa.Column("seat", sa.String, nullable=False, server_default=sa.text("''")))
    op.create_index("wrong_password_for", "wrong_password", ["game_id", "seat", "domain"])
    op.add_column("seat", sa.Column("guesses", sa.Integer, nullable=False, server_default="0"))
    for table in _ADDRESSES:
        _normalise(table)


def _normalise(name: str) -> None:
    """A text that is not an address stays as it is; so does an address that would become equal to another row's where
    each must be unique.
    """
    table = sa.table(name, sa.column("id", sa.Integer), sa.column("address", sa.String))
    connection = op.get_bind()
    rows = connection.execute(sa.select(table.c.id, table.c.address).order_by(table.c.id)).all()
    taken = {address for _, address in rows} if name == "address" else set()
    for row_id, address in rows:
        form = normal(address)
        if form and form != address and form not in taken:
            connection.execute(table.update().where(table.c.id == row_id).values(address=form))
            taken |= {form} if name == "address" else set()
