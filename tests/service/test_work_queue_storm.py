"""Many games due at once: letters are fetched and answered in between; none overtakes its own game's deadline."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import col, select, update

from judge.letters.mailbox import Mailbox
from judge.service import daemon as daemons
from judge.store import inbox
from judge.store.engine import transaction
from judge.store.tables import Game, LetterRow, Mail, OrderRow, Phase
from tests.commands.deskatwork import DeskAtWork, Received
from tests.service.daemonatwork import DaemonAtWork
from tests.service.test_daemon import letter

NOW = datetime.now(UTC).replace(microsecond=0)
DUE = NOW - timedelta(seconds=30)
GAMES = ("heron", "dove", "crow")


@pytest.fixture
def desk(tmp_path):
    """Three games have been due for half a minute."""
    desk = DeskAtWork(tmp_path, "", {})
    desk.now = NOW - timedelta(days=3)
    for game in GAMES:
        desk.seat_seven(game)
    with transaction(desk.engine) as session:
        session.execute(update(Phase).values(due_at=DUE, deadline_at=DUE, grace_ends_at=DUE, notice_at=None))
    return desk


def daemon_of(desk: DeskAtWork) -> DaemonAtWork:
    daemon = DaemonAtWork(desk)
    daemon.swept_at = DUE + timedelta(seconds=10)
    return daemon


def post(desk: DeskAtWork, *texts: str, came_at: datetime = NOW - timedelta(seconds=5), sender: str = "jo") -> None:
    """Letters of somebody who has no seat, if it is not said who writes."""
    raws = [letter(number, text).replace(b"france@", f"{sender}@".encode()) for number, text in enumerate(texts)]
    letters = [Received(raw, came_at, number) for number, raw in enumerate(raws)]
    with transaction(desk.engine) as session:
        inbox.keep(session, letters, lambda letter: str(hash(letter.raw)), now=NOW)


def told(desk: DeskAtWork) -> list[str]:
    """What was decided, in order: games that were processed, and letters that were answered."""
    with transaction(desk.engine) as session:
        names = {game.id: game.name for game in session.exec(select(Game))}
        subjects = {row.id: row.subject[-1:] for row in session.exec(select(LetterRow))}
        written = select(Mail).where(col(Mail.created_at) > NOW - timedelta(hours=1))
        mails = session.exec(written.order_by(col(Mail.id))).all()
    words = [subjects[mail.letter_id] if mail.letter_id else names[mail.game_id] for mail in mails]
    return list(dict.fromkeys(words))


def test_a_letter_about_other_things_overtakes_the_deadlines(desk):
    post(desk, "HELP orders", "SIGNON Fcrow pwfrance\r\nLIST crow")
    daemon_of(desk).work()
    assert told(desk)[:3] == ["0", "heron", "crow"], "they take turns; the second letter needs its game"
    assert sorted(told(desk)) == ["0", "1", *sorted(GAMES)]


def test_a_letter_finds_its_own_game_as_it_is_after_the_deadline(desk):
    post(desk, "SIGNON Fdove pwfrance\r\nF BRE - MAO\r\nA PAR H\r\nA MAR H")
    daemon_of(desk).work()
    assert told(desk).index("dove") < told(desk).index("0")
    with transaction(desk.engine) as session:
        of_dove = select(Phase.name).join(Game).where(Game.name == "dove").order_by(col(Phase.number))
        phases = session.exec(of_dove).all()
        ordered = session.exec(select(Phase.name).join(OrderRow, col(OrderRow.phase_id) == Phase.id)).all()
        (row,) = session.exec(select(LetterRow).where(col(LetterRow.received_at) >= DUE)).all()
    assert phases == ["S1901M", "F1901M"]
    assert set(ordered) <= {"F1901M"}
    assert row.state == "done"


@pytest.mark.parametrize("is_another_due_earlier", [False, True])
def test_a_letter_that_came_in_time_counts_before_its_deadline(desk, is_another_due_earlier: bool):
    """In time is also the second of the deadline."""
    if is_another_due_earlier:
        with transaction(desk.engine) as session:
            heron = select(Game.id).where(Game.name == "heron").scalar_subquery()
            earlier = update(Phase).where(col(Phase.game_id) == heron).values(due_at=DUE - timedelta(seconds=9))
            session.execute(earlier)
    post(desk, "SIGNON Fdove pwfrance\r\nF BRE - MAO", came_at=DUE)
    daemon_of(desk).work()
    assert told(desk).index("0") < told(desk).index("dove")
    with transaction(desk.engine) as session:
        assert session.exec(select(Phase.name).join(OrderRow, col(OrderRow.phase_id) == Phase.id)).all() == ["S1901M"]


def test_a_letter_waits_until_the_mailbox_was_looked_through_after_its_games_deadline(desk):
    post(desk, "SIGNON Fdove pwfrance\r\nA PAR H", "HELP orders")
    daemon = daemon_of(desk)
    daemon.swept_at = DUE
    daemon.work()
    assert told(desk) == ["1"], "HELP on a topic is about no game, so it does not wait with the letter before it"
    daemon.swept_at = DUE + timedelta(seconds=10)
    daemon.work()
    assert set(told(desk)) == {"0", "1", *GAMES}


def test_the_games_of_the_sender_come_before_their_letter(desk):
    """Whatever it is about: what they are told of their games is what has become of them."""
    post(desk, "HELP orders", sender="france")
    daemon_of(desk).work()
    assert told(desk) == [*GAMES, "0"]


def test_the_game_that_a_letter_answers_comes_before_it(desk):
    """From an address that nobody knows, and without a word about the game."""
    with transaction(desk.engine) as session:
        heron, dove = (session.exec(select(Game).where(Game.name == name)).one() for name in ("heron", "dove"))
        session.execute(update(Phase).where(col(Phase.game_id) == heron.id).values(due_at=DUE - timedelta(seconds=9)))
        mail = session.exec(select(Mail.message_id).where(Mail.game_id == dove.id)).first()
    raw = f"From: away@example.org\r\nMessage-ID: <7@x>\r\nIn-Reply-To: {mail}\r\nSubject: yes\r\n\r\nHELP\r\n"
    with transaction(desk.engine) as session:
        inbox.keep(session, [Received(raw.encode(), NOW - timedelta(seconds=5), 7)], str, now=NOW)
    daemon_of(desk).work()
    assert told(desk).index("dove") < told(desk).index("s") < told(desk).index("heron")


def test_letters_are_fetched_between_deadlines(desk, mail_system, monkeypatch):
    """HELP on a topic that comes when the first game was processed is answered before the last one is."""
    monkeypatch.setattr(daemons, "LOOK_EVERY", 0.0)
    environment = {
        "JUDGE_MAILBOX_HOST": mail_system.host, "JUDGE_MAILBOX_PORT": str(mail_system.imap_port),
        "JUDGE_MAILBOX_SECURITY": "plain", "JUDGE_MAILBOX_USER": "judge",
        "JUDGE_MAILBOX_PASSWORD": mail_system.password,
    }  # fmt: skip
    fetching = DeskAtWork(desk.settings.home, "", environment)
    daemon = daemon_of(fetching)
    processed: list[list[str]] = []

    def come() -> None:
        if not processed:
            mail_system.deliver(letter(1, "HELP orders").replace(b"france@", b"jo@"), "judge")
        processed.append(told(desk))

    daemon.hurries(come)
    with Mailbox(fetching.settings.mailbox) as mailbox:
        daemon.swept_at = DUE + timedelta(seconds=10)
        daemon.work(mailbox)
    assert told(desk)[0] in GAMES
    assert "1" in told(desk)[1:3], told(desk)
    assert set(told(desk)) == {"1", *GAMES}
