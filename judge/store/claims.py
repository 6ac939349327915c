"""Claims: of several processes that send or draw for one judge, each mail and each picture is in the hands of one.

A claim is a lock that its process holds, so it is free at the moment at which that process ends, in whatever way;
nothing has to expire. On PostgreSQL the row is locked, in a transaction that stays open while the work is done and
that commits what became of it. SQLite has one writing transaction for everybody, which must not wait for a mail server:
there each row has a byte of a file beside the database, and the system locks that byte for one process.
"""

import fcntl
import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Literal, Protocol

from sqlalchemy import Engine, Select
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from judge.store.engine import transaction_in_turn

Work = Literal["mails", "pictures"]


class Claims(Protocol):
    """The rows that one thread works on. With SQLite threads of one process do not keep each other away: they must
    share out the rows among them.
    """

    def take(self, id: int, **values: Any) -> bool:
        """Whether the row of that id is ours from now on: nobody else has it, and with these values the question of
        `claims_of` still finds it.
        """

    def noting(self, ids: Collection[int], *, wait: bool = True) -> AbstractContextManager[Mapping[int, Session]]:
        """By row, the transactions that record what became of these rows: one of all, or one of each. At the end of the
        block they are committed, and these rows are free; others stay ours.

        Without `wait` there are none where one would have to wait for another thread of ours; then nothing is free. If
        one fails, the rows stay ours where that is possible, to be recorded the next time.
        """

    def give_back(self) -> None:
        """Every row is free, whatever became of it."""


def claims_of(engine: Engine, work: Work, question: Select[Any]) -> Claims:
    """The claims of one thread in the database that `engine` opens; none are taken yet.

    `question` asks for the row `id` of that work as long as there is something to do about it.
    """
    if engine.dialect.name == "postgresql":
        return _Rows(engine, question.with_for_update(key_share=True, skip_locked=True))
    return _Bytes(engine, work, question)


class _Rows:
    """PostgreSQL: SELECT … FOR UPDATE SKIP LOCKED, in the weaker form that lets others refer to the row; each row in a
    transaction of its own, since several are in hand while one is noted.
    """

    def __init__(self, engine: Engine, question: Select[Any]):
        self._engine = engine
        self._question = question
        self._sessions: dict[int, Session] = {}

    def take(self, id: int, **values: Any) -> bool:
        session = Session(self._engine, expire_on_commit=False)
        try:
            found = session.execute(self._question, {"id": id, **values}).first() is not None
        except BaseException:
            session.close()
            raise
        if found:
            self._sessions[id] = session
        else:
            session.close()
        return found

    @contextmanager
    def noting(self, ids: Collection[int], *, wait: bool = True) -> Iterator[Mapping[int, Session]]:
        with ExitStack() as held:
            sessions = {id: held.enter_context(self._taken(id)) for id in ids}
            yield sessions
            for session in sessions.values():
                session.commit()

    def give_back(self) -> None:
        for id in list(self._sessions):
            with suppress(DBAPIError):  # the server is gone, and the lock with it
                self._sessions.pop(id).close()

    def _taken(self, id: int) -> Session:
        return self._sessions.pop(id, None) or Session(self._engine, expire_on_commit=False)


class _Bytes:
    """SQLite: locks on the bytes of a file beside the database, for each row the byte at the place of its id."""

    def __init__(self, engine: Engine, work: Work, question: Select[Any]):
        self._engine = engine
        self._question = question
        database = engine.url.database
        self._path = Path(f"{Path(database).resolve()}.{work}-in-hand") if database and database != ":memory:" else None
        self._file: int | None = None
        self._taken: set[int] = set()

    def take(self, id: int, **values: Any) -> bool:
        if not self._lock(id):
            return False
        self._taken.add(id)
        with self._engine.connect() as connection:
            found = connection.execute(self._question, {"id": id, **values}).first() is not None
        if not found:
            self._unlock({id})
        return found

    @contextmanager
    def noting(self, ids: Collection[int], *, wait: bool = True) -> Iterator[Mapping[int, Session]]:
        with transaction_in_turn(self._engine, wait=wait) as session:
            yield dict.fromkeys(ids, session) if session else {}
        if session is not None:
            self._unlock(set(ids))

    def give_back(self) -> None:
        self._unlock(set(self._taken))

    def _lock(self, id: int) -> bool:
        if self._path is None:  # in memory: no other process can be there
            return True
        if self._file is None:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, id)
        except (BlockingIOError, PermissionError):  # whichever of the two the system says
            return False
        return True

    def _unlock(self, ids: set[int]) -> None:
        for id in ids & self._taken:
            if self._file is not None:
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, id)
        self._taken -= ids
