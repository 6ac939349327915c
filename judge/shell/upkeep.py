"""Commands of the keeper for games and for the database, such as `judge games` and `judge copy`.

Each public function returns the exit status. It is 1 if the work was refused, 2 if it could not be started, otherwise
0. The daemon may run at the same time, except for `copy`. Only one of the two processes changes games at a time, and
the daemon sends the mails.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError

from judge.addresses import normal
from judge.commands import operator_commands
from judge.commands.core.command import CommandError
from judge.commands.core.context import CommandContext
from judge.commands.handler import LetterHandler
from judge.games.core.passwords import SlowWork
from judge.games.core.work import KEY_FILE, KeyUnusable, Work, make_services
from judge.games.life import export_import
from judge.letters.mailbox import FiledLetters, MailboxError
from judge.letters.sandbox import sandboxed_fingerprints
from judge.mails.templates import when
from judge.rules.board.names import by_number, counted
from judge.service.public_pages import PublicPages
from judge.service.work_queue import store
from judge.settings import Settings
from judge.shell.calling import Refused, Unable
from judge.store import event_times, inbox, retention
from judge.store.engine import UNUSABLE, StoreError, in_words, migrate, open_engine, opened, reading, shown, transaction
from judge.store.export import copy_rows
from judge.store.games import all_games, game_named, open_phase
from judge.store.locks import AlreadyRunning, daemon_lock_of, take_turn
from judge.store.people import addresses_of, people_of, person_at
from judge.store.seats import masters_of, seats_of
from judge.store.tables import Seat

# Errors that end a command, each printed on one line (judge/shell/calling.py).
ERRORS = (*UNUSABLE, KeyUnusable)
# The file mode of an exported game. The file has orders, press and addresses, so only the keeper may read it.
_MODE = 0o600
# The maximum size of a file with a game, in bytes.
_MOST_BYTES = 512 * 1024 * 1024
# The search for letters begins this much earlier. A letter may have waited, and the mail server's clock may differ from
# ours.
MARGIN = timedelta(days=1)

_REMAINS = """\
What remains, and why:
  Their orders, results and press in {games}, which are the record of those games. They appear there as "{name}".
  A hash of each of their emails, so that a copy is recognized. It reveals nothing about the writer."""
_NOT_TOUCHED = """\
Not deleted; please do this yourself:
  Backups made so far: delete them once there are newer ones.
  The mailbox: its folder of processed emails has them as they arrived. Search it for the address.
  The daemon's log names the recipients of emails. Emails that others have received cannot be recalled."""


def _now() -> datetime:
    return datetime.now(UTC)


def list_games(settings: Settings) -> int:
    """Print a line for each game with its phase, its deadline and its masters."""
    lines = []
    with reading(opened(settings)) as session:
        for game in all_games(session):
            phase, people = open_phase(session, game), people_of(session, game)
            masters = [f"{people[seat.person_id].name} <{seat.address}>" for seat in masters_of(session, game)]
            until = f"{phase.name} until {when(phase.deadline_at, settings.zone)}" if phase else ""
            paused = ", paused" if game.state == "paused" else ""
            if game.idle:
                paused = ", paused for lack of orders"
            master = f"master {', '.join(masters)}" if masters else "NO MASTER"
            lines.append(f"{game.name:<20} {until or game.result or game.state}{paused}; {master}")
    print("\n".join(lines) or "No games yet.")
    return 0


def publish(settings: Settings) -> int:
    """Write all public pages again."""
    if not settings.public.folder:
        raise Unable("[public] folder in judge.ini is empty; set it to the folder for the pages")
    pages = PublicPages(opened(settings), make_services(settings))
    listed, played = pages.write()
    games = counted(listed, "listed game") if listed else "No listed game"
    print(f"{games}, {played} with results: {settings.public.folder / 'index.html'}")
    return 0


def show_game(settings: Settings, game: str) -> int:
    """Print all that a master may know about a game.

    The log records that the keeper has looked at the game.
    """
    return do(settings, game, ["LIST"])


def do(settings: Settings, game: str, lines: Sequence[str]) -> int:
    """Carry out lines in a game as its master.

    The lines are read from standard input if none are given.
    """
    return _stand_in(settings, game, "\n".join(lines) if lines else sys.stdin.read(), operator_commands.do_lines)


def appoint(settings: Settings, game: str, address: str) -> int:
    """Make a registered person a master of a game."""
    appointed = partial(operator_commands.appoint, address=normal(address) or address)
    return _stand_in(settings, game, f"A new master: {address}", appointed)


def _stand_in(
    settings: Settings, game: str, asked: str,
    ask: Callable[[CommandContext, LetterHandler], tuple[str, bool]],
) -> int:  # fmt: skip
    """Carry out a request of the keeper as if it had come in a letter, and print the answer.

    The request is stored first, so that it is one letter however often it is tried.
    """
    engine, services = opened(settings), make_services(settings)
    handler = LetterHandler(services)
    with transaction(engine) as session:
        letter_id = operator_commands.keep_slip(session, services, asked, _now())
    while True:
        try:
            with transaction(engine) as session:
                take_turn(session)
                now = _now()
                watch = event_times.watch_of(session)
                # during a replay the request comes after the replayed events
                if watch and not watch.replays_until:
                    event_times.happens(watch, now, now)
                keeper = operator_commands.stand_in(session, handler, game, letter_id, now)
                answer, good = ask(keeper, handler)
            break
        except SlowWork as slow:  # passwords are hashed between two attempts to answer
            slow.do()
        except CommandError as refusal:
            with transaction(engine) as session:
                operator_commands.drop_slip(session, handler, letter_id, _now())
            raise Refused(refusal) from None
    print(answer)
    return 0 if good else 1


def export(settings: Settings, game: str, to: Path | None, *, public: bool = False) -> int:
    """Write a whole game into the file `to`, which only the keeper may read.

    By default the file is `<name>.game.json`. If `public` is true, an ended game is exported without its people. The
    game is then written as JSON (`<name>.public.json`), and also as in HISTORY, in a file next to the JSON.
    """
    path = to or Path(f"{game}.{'public' if public else 'game'}.json")
    beside = path.with_suffix(".txt")
    with reading(opened(settings)) as session:
        row = game_named(session, game)
        if not row:
            raise Refused(f"there is no game {game}")
        if public and row.state != "finished":
            raise Refused(f"{game} has not ended; --public is for ended games only")
        told = export_import.public(session, row) if public else export_import.packed(session, row)
        texts = {path: json.dumps(told, ensure_ascii=False, indent=1) + "\n"}
        if public:
            texts[beside] = export_import.public_history(session, row, make_services(settings).post, settings.zone)
    _write_new(texts)
    holds = "It contains orders, press and addresses, but no passwords. To read it: judge games import"
    print(f"Written without people: {path} and {beside}" if public else f"Written: {path}\n{holds}")
    return 0


def _write_new(texts: Mapping[Path, str]) -> None:
    for file, text in texts.items():
        try:
            file.touch(_MODE, exist_ok=False)
            file.write_text(text, encoding="utf-8")
        except FileExistsError:
            raise Refused(f"{file} exists already; choose another with --to FILE") from None


def take_in(settings: Settings, file: Path, name: str = "") -> int:
    """Import the game in the file, completely or not at all.

    Its people get new passwords by mail.
    """
    engine, services = opened(settings), make_services(settings)
    if file.stat().st_size > _MOST_BYTES:
        raise Refused(f"{file} is too large to be a game")
    try:
        text = file.read_text(encoding="utf-8")
        with transaction(engine) as session:
            take_turn(session)
            game = export_import.unpacked(Work(session, services, _now()), text, name)
            arrived, people, paused = game.name, len(seats_of(session, game)), game.state == "paused"
    except UnicodeDecodeError:
        raise Refused(f"{file} is not a text file") from None
    except export_import.NoArchive as why:
        raise Refused(why) from None
    print(f"{arrived} was imported. New passwords will be sent to {people} {by_number(people, 'person', 'people')}.")
    if paused:
        print(f'It is paused until its master sends RESUME, or you run: judge games do {arrived} "RESUME {arrived}"')
    return 0


def copy(settings: Settings, to: str) -> int:
    """Copy all rows into the empty database `to`, while the daemon does not run.

    Returns 0. Raises Refused if nothing was copied.
    """
    try:
        source, target = opened(settings), open_engine(to)
        guard = daemon_lock_of(source)
        guard.take()
        try:
            migrate(target)
            counts = copy_rows(source, target)
        finally:
            guard.release()
    except (StoreError, AlreadyRunning) as error:
        raise Refused(error) from error
    print("\n".join(f"{name:<16} {count}" for name, count in counts.items()))
    print(f"Copied. To use it from the next start on, set [store] url = {shown(target.url)}")
    return 0


def recover(settings: Settings, since: str) -> int:
    """Store the letters that the database lacks and that arrived after `since`.

    The judge files a letter away when it is stored, and never looks for it in the mailbox again. So a database that was
    restored from an earlier backup lacks later letters. Letters that the database has are recognized by their
    fingerprint, so nothing takes effect twice. The missing letters are replayed. Each takes effect at the time at which
    it came, between the deadlines of that time. `since` is in the judge's time zone, unless it names another time zone.
    Returns 0. Raises Unable if the letters cannot be read.
    """
    if not settings.mailbox.host:
        raise Unable("judge.ini has no [mailbox], so there are no filed emails to read")
    try:
        moment = datetime.fromisoformat(since)
    except ValueError:
        raise Unable(f"--since {since}: write a date or a time, such as 2026-11-20 or 2026-11-20T04:00") from None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(settings.zone))
    # If the home folder has only the key, the lost database is created again.
    engine = open_engine(settings.store_url) if (settings.home / KEY_FILE).exists() else opened(settings)
    migrate(engine)
    with reading(engine) as session:
        swept_at = inbox.last_sweep(session) or moment
    # The database has the letters from before the last check of the mailbox.
    first_day = (min(moment, swept_at) - MARGIN).astimezone(UTC).date()
    found = new = 0
    try:
        with FiledLetters(settings.mailbox) as filed:
            _begin_replay(engine)
            for batch in filed.since(first_day):
                found += len(batch)
                # Read the letters in a sandbox, since one may have crashed a daemon.
                names = sandboxed_fingerprints([letter.raw for letter in batch])
                new += len(store(engine, batch, names, _now()))
            unread = sum(map(len, filed.withheld.at_last_look.values()))
    except MailboxError as error:
        raise Unable(error) from error
    # A running daemon may already have handled the letters that were stored first.
    _begin_replay(engine)
    print(
        f"Filed emails that arrived since {first_day}: {found}. "
        f"New to the database: {new}. judge run will read them in order of arrival."
    )
    if unread:
        print(f"Listed by the mail server, but not readable: {unread}. Run judge recover again later.")
    return 0


def _begin_replay(engine: Engine) -> None:
    with transaction(engine) as session:
        take_turn(session)
        event_times.begin_replay(session, _now())


def forget(settings: Settings, address: str) -> int:
    """Remove a person and all their addresses from the database.

    The daemon may run at the same time.
    """
    written, address = address, normal(address)
    if not address:
        raise Refused(f"{written!r} is not an email address")
    if address in (settings.address, settings.keeper):
        raise Refused(f"{address} belongs to the judge or its keeper: judge.ini needs it")
    engine = opened(settings)
    addresses, name, games = [address], "", list[str]()
    with reading(engine) as session:
        person = person_at(session, address)
        held = retention.seats_that_hold(session, person)
        if person:
            addresses = [own.address for own in addresses_of(session, person)]
            name = retention.telling_name(session, person)
            games = retention.games_played(session, person)
    if held:
        raise Refused("\n".join([f"{address} cannot be removed yet:", *(_needed(*seat) for seat in held)]))
    with transaction(engine) as session:
        take_turn(session)
        done = retention.forget_person(session, person, addresses, _now())
    done["other rows masked"] = retention.mask_everywhere(engine, addresses, name)
    if not person and not any(done.values()):
        raise Refused(f"{address} is not in the database")
    print(f"Removed: {', '.join(addresses)}")
    _tell_what_is_left(done, games, keeps_name=person is not None and not name)
    _close_up(engine)
    return publish(settings) if settings.public.folder else 0


def _tell_what_is_left(done: Mapping[str, int], games: Sequence[str], *, keeps_name: bool) -> None:
    print("\n".join(f"  {what}: {count}" for what, count in done.items() if count))
    if games:
        print(_REMAINS.format(games=", ".join(games), name=retention.NAME))
    if keeps_name:
        print("  Their name in what others wrote, because it is a single word or someone else here has the same name.")
    print(_NOT_TOUCHED)


def _close_up(engine: Engine) -> None:
    """Remove all traces of deleted rows from the database's file.

    Raises Refused if the file cannot be rewritten.
    """
    try:
        retention.close_up(engine)
    except OperationalError as error:
        again = "traces may be left in the file, so run this again, or while judge run is stopped"
        raise Refused(f"the database could not be rewritten ({in_words(error)}); {again}") from error


def _needed(game: str, seat: Seat) -> str:
    if seat.role == "master":
        ends = f'or end the game: judge games do {game} "TERMINATE {game}"'
        return f"  They are the only master of {game}. Appoint another: judge games appoint {game} ADDRESS; {ends}"
    played = f"They play {seat.power}" if seat.power else "They have a place"
    return f'  {played} in {game}. First run: judge games do {game} "EJECT {seat.power or "ADDRESS"}"'
