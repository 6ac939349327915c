"""`judge people forget`: a person's addresses are taken out of the database.

The daemon may run meanwhile. Returns the exit status: 0, 1 if it was refused or is not finished, 2 if there is no
database.
"""

from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy.exc import OperationalError

from judge.addresses import normal
from judge.settings import Settings
from judge.shell.calling import Refused
from judge.shell.database import for_keepers, opened
from judge.store import retention
from judge.store.engine import in_words, reading, transaction
from judge.store.locks import take_turn
from judge.store.tables import Seat

_REMAINS = """\
What remains, and why:
  Their seats in {games}: orders, results and press are what these games were, and what appeals are decided by; whose
  they were is not told any more. Their name there is "{name}".
  A hash of each letter, so that a letter that comes a second time is known. It tells nothing of its writer."""
_NOT_TOUCHED = """\
Not touched, and yours to see to:
  backups made so far: remove them when the next are made
  the mailbox: its folder for letters that are done holds them as they came; search there for the address
  the log of the daemon, which names the readers of mails; mails that others have got already"""


@for_keepers
def forget(settings: Settings, address: str, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> int:
    """Forget the person who writes from that address, with all their other addresses."""
    written, address = address, normal(address)
    if not address:
        raise Refused(f"{written!r} is no mail address")
    if address in (settings.address, settings.keeper):
        raise Refused(f"{address} is the judge's own or its keeper's: judge.ini has it")
    engine = opened(settings)
    with reading(engine) as session:
        person, addresses = retention.known_as(session, address)
        name = retention.telling_name(session, person) if person else ""
        held = retention.seats_that_hold(session, person) if person else []
        games = retention.games_played(session, person) if person else []
    if held:
        raise Refused("\n".join([f"{address} is needed by people who play:", *(_needed(*seat) for seat in held)]))
    with transaction(engine) as session:
        take_turn(session)
        done = retention.forget_person(session, person, addresses, now())
    done["other rows masked"] = retention.mask_everywhere(engine, addresses, name)
    if not person and not any(done.values()):
        raise Refused(f"nothing is known of {address}")
    print(f"Forgotten: {', '.join(addresses)}")
    print("\n".join(f"  {what}: {count}" for what, count in done.items() if count))
    if games:
        print(_REMAINS.format(games=", ".join(games), name=retention.NAME))
    if person and not name:
        print("  Their name in texts of others: it is a single word, or another person here has the same.")
    print(_NOT_TOUCHED)
    try:
        retention.close_up(engine)
    except OperationalError as error:
        again = "traces may be left between the rows: ask once more, or while judge run is stopped"
        raise Refused(f"the database could not be written anew ({in_words(error)}); {again}") from error
    return 0


def _needed(game: str, seat: Seat) -> str:
    if seat.role == "master":
        ends = f'judge games do {game} "TERMINATE {game}" ends it'
        return f"  they alone are master of {game}: judge games appoint {game} ADDRESS makes another, {ends}"
    power = seat.power or "their seat"
    return f'  they play {power} in {game}: judge games do {game} "EJECT {seat.power or "ADDRESS"}", then ask again'
