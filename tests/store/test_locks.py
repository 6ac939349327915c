"""Whose a taken mail is, and since when it no longer is theirs."""

from datetime import timedelta

import pytest
from sqlalchemy import Engine, text
from sqlmodel import select

from judge.store.engine import reading, transaction
from judge.store.locks import LEASE, take_back
from judge.store.tables import Mail
from tests.mails.test_sender_several import NOON, put
from tests.texts import mapped

# who took it, how many thirds of a lease and seconds ago, whether we have it in hand => whose it is, since when
TAKEN = mapped("""
    me    1 -1 yes  =>  me then
    me    1  0 yes  =>  me now
    me    9  0 yes  =>  me now
    me    0  1 no   =>  nobody
    gone  0  1 no   =>  nobody""")
WHILE_OTHERS_WORK = mapped("""
    there 3 -1 no   =>  there then
    there 3  0 no   =>  nobody
    me    0  1 no   =>  nobody""")


def _is_left(engine: Engine, case: str) -> str:
    """Whose the mail is after what the case says, and since when."""
    who, thirds, seconds, in_hand = case.split()
    then = NOON - int(thirds) * LEASE / 3 - timedelta(seconds=int(seconds))
    put(engine, ("al", "results", "first"))
    with transaction(engine) as session:
        mail = session.exec(select(Mail)).one()
        mail.taken_by, mail.taken_at = who, then
    with transaction(engine) as session:
        take_back(session, Mail, "me", [1] if in_hand == "yes" else [], NOON)
    with reading(engine) as session:
        mail = session.exec(select(Mail)).one()
    return f"{mail.taken_by} { {then: 'then', NOON: 'now'}[mail.taken_at] }" if mail.taken_at else "nobody"


@pytest.mark.parametrize("case", TAKEN)
def test_a_mail_is_taken_back_from_who_has_ended_and_kept_by_who_says_so(engine: Engine, case: str):
    assert _is_left(engine, case) == TAKEN[case]


@pytest.mark.postgres
@pytest.mark.parametrize("url", ["postgres"], indirect=True)
@pytest.mark.parametrize("case", WHILE_OTHERS_WORK)
def test_a_mail_is_taken_back_from_who_does_not_move_for_a_lease(engine: Engine, case: str):
    with engine.connect() as other:
        other.execute(text("SET application_name = 'there'"))
        assert _is_left(engine, case) == WHILE_OTHERS_WORK[case]
