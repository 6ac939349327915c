"""What orders and bids on file mean, beside their texts.

Until now their texts were in normal form, as the judge itself writes orders, and were read again each time they were
needed. That form can be read without a board.
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    for table in ("orders", "bid"):
        op.add_column(table, sa.Column("meaning", sa.JSON(none_as_null=True), nullable=True))
        _understand(table)
    with op.batch_alter_table("orders") as orders:
        orders.alter_column("meaning", nullable=False)


def _understand(name: str) -> None:
    """Fill in the meaning of every row that has a text."""
    connection = op.get_bind()
    table = sa.table(name, *map(sa.column, ("id", "phase_id", "text")), sa.column("meaning", sa.JSON))
    phase = sa.table("phase", *map(sa.column, ("id", "name")))
    texts = sa.select(table.c.id, table.c.text, phase.c.name).join(phase, phase.c.id == table.c.phase_id)
    rows = [
        {"row": row, "means": _meaning(text, phase_name[-1])}
        for row, text, phase_name in connection.execute(texts.where(table.c.text != ""))
    ]
    if rows:
        here = table.c.id == sa.bindparam("row")
        connection.execute(sa.update(table).where(here).values(meaning=sa.bindparam("means", type_=sa.JSON)), rows)


def _meaning(text: str, phase_kind: str) -> dict[str, str | bool]:
    """The order in a text in normal form, as judge/rules/board/order_json.py writes it; `phase_kind`: M, R, A.

    A unit whose kind was never named is written as its place only: "PAR H".
    """
    first, _, rest = text.partition(" ")
    match first:
        case "WAIVE":
            return {"verb": "waive"}
        case "HOME":
            return {"verb": "home", "center": rest}
        case "BUILD" | "REMOVE":
            return {"verb": first.lower(), "unit": rest}
    unit, words = _unit_and_rest(text.split(" "))
    what, *more = words
    match what:
        case "H":
            return {"verb": "hold", "unit": unit}
        case "D":
            return {"verb": "disband", "unit": unit}
        case "-" if phase_kind == "R":
            return {"verb": "retreat", "unit": unit, "to": more[0]}
        case "-":
            return {"verb": "move", "unit": unit, "to": more[0], "via": more[1:] == ["VIA"]}
    other, way = _unit_and_rest(more)
    to = way[1] if way else ""
    if what == "S":
        return {"verb": "support", "unit": unit, "helped": other, "to": to}
    if what == "C":
        return {"verb": "convoy", "unit": unit, "army": other, "to": to}
    raise ValueError(f"the order {text!r} on file is not in normal form")


def _unit_and_rest(words: list[str]) -> tuple[str, list[str]]:
    """("A PAR", the text after it)."""
    count = 2 if words[0] in ("A", "F") else 1
    return " ".join(words[:count]), words[count:]
