"""What a judge learns in its first letters: words of commands, boards, templates of mails, the SQL of its statements.

Every judge would read and compile them anew, which takes longer than what most tests ask of it; one that is forked from
a process that has practised knows them (tests/forked.py). A judge that is started as a keeper does it knows nothing.
"""

from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from tests import beginnings
from tests.commands.deskatwork import START, DeskAtWork
from tests.servers import plainuser


def practise() -> None:
    """A game begins, has orders, and comes to its first results."""
    beginnings.share_statements()
    with TemporaryDirectory(dir=plainuser.quick_place()) as folder:
        desk = DeskAtWork(Path(folder), "", {})
        desk.seat_by_letters("heron", "standard")
        desk.writes("france@example.org", "SIGNON Fheron pwfrance\nA PAR - BUR\nA MAR S A PAR - BUR\nLIST")
        desk.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS! S1901M")
        desk.ring(START + timedelta(days=1))
        desk.engine.dispose()
