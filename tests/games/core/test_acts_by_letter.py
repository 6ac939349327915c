"""The table of acts, walked by letters: what each sender may do to a game, and the word of the players."""

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlmodel import Session

from judge.commands.command_table import COMMANDS
from judge.commands.core.command import Who
from judge.commands.operator_commands import do_lines, keep_slip, stand_in
from judge.games.core.acts import ACTS, May
from judge.games.life.consent import NOTICE
from judge.store.engine import transaction
from tests.commands.deskatwork import ALL_HOLD, DeskAtWork, Posted
from tests.texts import flat

KIM = "kim@example.org"
# Each act as a line, and the game in which it is time for it: playing, paused, with an open power, forming.
LINES = {act: (line, game) for act, line, game in (row.split(" | ") for row in """\
PROCESS | PROCESS! S1901M | heron
ROLLBACK | ROLLBACK | egret
TERMINATE | TERMINATE % | heron
FORCE BEGIN | FORCE BEGIN | gull
UNSTART | UNSTART | heron
PAUSE | PAUSE | heron
RESUME | RESUME | crane
RESUME <date> | RESUME 2026-06-20 21:00 | crane
EXTEND | EXTEND 2 days | heron
SET DEADLINE (later) | SET DEADLINE 2026-06-20 21:00 | heron
SET DEADLINE (earlier) | SET DEADLINE 2026-05-07 21:00 | heron
SET GRACE <date> (later) | SET GRACE 2026-06-20 21:00 | heron
SET GRACE <date> (earlier) | SET GRACE 2026-05-10 21:00 | egret
SET START (later) | SET START 2026-06-20 21:00 | heron
SET START (earlier) | SET START 2026-05-07 21:00 | egret
EJECT | EJECT Italy | heron
REMATCH | REMATCH | ibis
DENY | DENY jo@example.org | heron
PROMOTE | PROMOTE olly@example.org | heron
SET DISORDER | SET DISORDER Turkey | egret
SET NO DISORDER | SET NO DISORDER Russia | egret
CORRECT POSITION | CORRECT POSITION France: A GAS | heron
CORRECT ORDERS | CORRECT ORDERS France: A PAR - BUR | heron
BORDER, COAST | BORDER REMOVE ARMY PAR - BUR | heron
BECOME | BECOME Italy | heron
PREDICT | PREDICT | heron
APPROVE, REFUSE | APPROVE jo@example.org | heron
SET COMMENT | SET COMMENT for friends | heron
settings that give players more time | SET GRACE 96 | heron
all other settings | SET MOVE NEXT 1 | heron""".splitlines())}  # fmt: skip
SAID_WORD = "Not done yet: this needs the agreement"
SAID_NOTICE = "Not done yet: all players have been notified. From "
SAID_NOT = ("for the master of the game: sign on with", "is for a master, and ", "PREDICT is refused")
REFUSED = "could not be carried out"
# They change nothing in a game.
NO_ACTS = {"OFFICIAL"}


class Games(DeskAtWork):
    """heron plays; egret has played a phase, Turkey is open in it and Russia in disorder; crane pauses; gull forms.

    ibis is over. All are UNMODERATED, and Kim is their master. Olly observes.
    """

    def begin(self) -> None:
        for game in ("heron", "egret", "crane"):
            self.seat_seven(game)
            self.writes(KIM, f"SIGNON M{game} gm\nSET UNMODERATED, GRACE 48")
        self.seat_seven("ibis")
        self.writes(KIM, "SIGNON Mibis gm\nSET UNMODERATED\nTERMINATE ibis")
        self.writes(KIM, "CREATE ?gull gm\nSET UNMODERATED")
        for name in ("france", "italy", "turkey"):
            self.writes(f"{name}@example.org", f"SIGNON ?gull pw{name}")
        for game in ("heron", "egret", "crane", "gull"):
            self.observes("olly@example.org", f"OBSERVE {game}")
        for name, orders in ALL_HOLD.items():
            self.writes(f"{name}@example.org", f"SIGNON {name}@egret pw{name}\n{orders}")
        self.writes(KIM, "SIGNON Mcrane gm\nPAUSE\nSIGNON Megret gm\nPROCESS\nSET START in 5 days\n"
                         "EJECT Turkey\nEJECT Russia\nSET DISORDER Russia")  # fmt: skip

    def lose_masters(self) -> None:
        for game in ("heron", "egret", "crane", "gull"):
            self.writes(KIM, f"SIGNON M{game} gm\nEJECT {KIM}")

    def moderate(self) -> None:
        for game in ("heron", "egret", "crane", "gull"):
            self.writes(KIM, f"SIGNON M{game} gm\nSET MODERATED")

    def let_the_master_play(self) -> None:
        self.writes(KIM, "SIGNON ?gull pwkim")
        for game in ("heron", "egret", "crane"):
            self.writes(KIM, f"SIGNON M{game} gm\nEJECT Austria")
            self.writes(KIM, f"SIGNON A{game} pwkim")

    def agree(self, right: Callable[[str], May]) -> None:
        """All players but France ask for each act that needs the word of the players, each for some of them first, and
        two days pass.
        """
        others = sorted(ALL_HOLD.keys() - {"france"})
        for act, (line, game) in LINES.items():
            if right(act) is May.WORD:
                others = others[1:] + others[:1]
                for name in ("italy", "turkey") if game == "gull" else others:
                    self.writes(f"{name}@example.org", signed(game, name, line))
        self.writes("france@example.org", signed("egret", "france", "SET DISORDER Turkey"))
        self.now += NOTICE

    def keeper(self, game: str, line: str) -> tuple[str, list[Posted]]:
        with transaction(self.engine) as session:
            number = keep_slip(session, self.services, line.replace("%", game), self.now)

        def done(session: Session) -> tuple[str, list[Posted]]:
            told, _ = do_lines(stand_in(session, self.desk, game, number, self.now), self.desk)
            session.flush()
            return flat(told), self._newer(session.connection())

        return self.undone(done)

    def mails(self, sender: str, game: str, line: str) -> list[Posted]:
        """The mails after the line."""
        self.new_mails()
        if sender == "keeper":
            return self.keeper(game, line)[1]
        return self.would_write(sender, signed(game, sender.partition("@")[0], line))

    def asked(self, sender: str, game: str, line: str) -> str:
        if sender == "keeper":
            return self.keeper(game, line)[0]
        return self.would_reply(sender, signed(game, sender.partition("@")[0], line)).flat


def signed(game: str, name: str, line: str) -> str:
    """The line below a sign-on of Kim, or of the player of that name."""
    player = f"{'?' if game == 'gull' else name[0].upper()}{game} pw{name}"
    return f"SIGNON {f'M{game} gm' if name == 'kim' else player}\n{line.replace('%', game)}"


@pytest.fixture
def games(tmp_path: Path) -> Games:
    desk = Games(tmp_path, "", {"JUDGE_GAMES_EARLY_DELAY": "600"})
    desk.goes_on("games for acts", desk.begin)
    return desk


def allowed(told: str) -> May:
    """What the reply says of the sender's right."""
    if SAID_WORD in told:
        return May.WORD
    if SAID_NOTICE in told:
        return May.NOTICE
    return May.NOT if any(words in told for words in SAID_NOT) else May.DOES


def nothing(desk: Games) -> None:
    pass


COLUMNS: dict[str, tuple[str, Callable[[Games], None], Callable[[str], May]]] = {
    "a master": (KIM, nothing, lambda act: May.DOES),
    "a master who plays": (KIM, Games.let_the_master_play, lambda act: ACTS[act].plays),
    "a player of an unmoderated game": ("france@example.org", nothing, lambda act: ACTS[act].player),
    "a player of a game without a master": ("france@example.org", Games.lose_masters, lambda act: ACTS[act].player),
    "a player of a moderated game": ("france@example.org", Games.moderate, lambda act: ACTS[act].moderated),
    "the keeper": ("keeper", nothing, lambda act: May.DOES),
}


@pytest.mark.parametrize("column", COLUMNS)
def test_each_act_is_done_by_those_of_whom_the_table_says_so(games: Games, column: str) -> None:
    sender, prepare, right = COLUMNS[column]
    games.goes_on(column, lambda: prepare(games))
    told = {act: games.asked(sender, game, line) for act, (line, game) in LINES.items()}
    assert LINES.keys() == ACTS.keys()
    assert {act: (words, allowed(words)) for act, words in told.items() if allowed(words) is not right(act)} == {}
    failed = {act: words for act, words in told.items() if right(act) is May.DOES and REFUSED in words}
    assert failed.keys() <= {"APPROVE, REFUSE"}, failed


# What is said to nobody but those whom it concerns.
PRIVATE = {"REMATCH", "DENY", "BECOME", "PREDICT", "SET COMMENT", "APPROVE, REFUSE"}
WHO = {"a master": "The master", "a master who plays": "The master", "the keeper": "The keeper of this judge"}


def acts_of(column: str) -> dict[str, str]:
    """{act: who is told to have done it}, of the acts that a sender of that column can do."""
    _, _, right = COLUMNS[column]
    done = {act: right(act) for act in ACTS if act not in PRIVATE}
    if column in WHO:
        return dict.fromkeys(done, WHO[column])
    words = {May.DOES: "France", May.NOTICE: "France", May.WORD: "A vote of the players"}
    return {act: words[may] for act, may in done.items() if may in words}


@pytest.mark.parametrize("column", COLUMNS)
def test_each_mail_about_an_act_says_who_acted(games: Games, column: str) -> None:
    sender, prepare, right = COLUMNS[column]
    games.goes_on(column, lambda: prepare(games))
    if sender not in (KIM, "keeper"):
        games.goes_on((column, "agrees"), lambda: games.agree(right))
    wrong = {}
    for act, who in acts_of(column).items():
        line, game = LINES[act]
        reader = "italy" if game == "gull" else "england"
        mails = [mail for mail in games.mails(sender, game, line) if mail.to == f"{reader}@example.org"]
        told = [mail.flat for mail in mails if not mail.answers]
        if not told or not all(who in text for text in told):
            wrong[act] = told
    assert wrong == {}


def test_each_command_of_a_master_is_an_act() -> None:
    of_masters = [one for one in COMMANDS if one.who is Who.MASTER and one.word not in NO_ACTS]
    assert {one.word: one.act for one in of_masters if one.act not in ACTS} == {}
