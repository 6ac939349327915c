"""Who may see orders, bids and votes, by every way that a letter or a keeper's command can ask.

Each game is played in two worlds that are the same but for one fact: Wren's orders, her bids, her vote. Whoever may not
know it gets the same mails in both, to the letter; whoever may gets others. So no way is missed by its words, and what
is told by a refusal or by a mail that does not come is found too.
"""

import json
import re
from collections.abc import Iterable, Sequence, Set
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from judge.commands.command_table import COMMANDS
from judge.commands.core.command import Command, Who
from judge.rules import format_order, load_variant, start_position
from judge.rules.board.board_state import BoardState
from judge.rules.phases.needs import legal_orders
from judge.shell import upkeep
from tests.beginnings import once
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.commands.who_may_know import DRAWN
from tests.texts import table

# What is played: the variant, and what its master sets before others join.
GAMES = {"standard": ("standard", ""), "1648": ("1648", ""), "1648 revealed": ("1648", "SET REVEAL BIDS")}
# When all is asked that can be: that there are no points, or that bids are revealed, makes a difference then.
ASKED = {"standard": ("open",), "1648": ("open", "processed", "ended"), "1648 revealed": ("ended",)}
# A bid of Wren's, in 1648: for an order that is the same as none, so that the results are the same.
BID = "DP 2: A SWI H"
# Kim is the master and plays; Max is a master who does not; Wren's are the facts; Lark plays, Obed observes.
VIEWERS = ("wren", "lark", "obed", "sten", "max", "kim", "keeper")
PLAYERS = ("kim", "wren", "lark")
ALL = frozenset(VIEWERS)
# {what: at which stage: who is shown it}. Nobody else may notice any difference.
TABLE: dict[str, dict[str, Set[str]]] = {
    "orders": {"open": {"wren", "max", "keeper"}, "processed": ALL, "ended": ALL},
    "bids": {
        "open": {"wren", "max", "keeper"},
        "processed": {"wren", "max", "keeper"},
        "ended": {"wren", "max", "keeper", "kim"},
    },
    "votes": {"open": {"wren"}, "processed": set(), "ended": set()},
}
QUESTIONS = """\
STATUS swan
STATUS ALL
LIST
LIST swan
LIST FULL
SUMMARY swan
HISTORY swan BROAD
HISTORY swan BIDS FROM {start}
MAP swan
MAP swan {start} SVG
GET DATA swan
WHOGAME swan FULL
INFO PLAYER
INFO {province} swan
GET RULES swan"""


# What is made of the key of each desk.
_CHANCE = re.compile(r"UNSUBSCRIBE%20(?:\w+-)?\d+-[0-9a-f]+")


def seen(mail: Posted) -> str:
    return _CHANCE.sub("", DRAWN.sub(b"", mail.raw).decode()) + json.dumps(mail.picture)


class World:
    """The game; `facts`: which of Wren's are those of the other world. `said`: {(viewer, stage): all that they got}."""

    def __init__(self, folder: Path, variant: str, settings: str, facts: Iterable[str] = ()):
        folder.mkdir(exist_ok=True)
        self.variant = load_variant(variant)
        self.facts = frozenset(facts)
        self.desk = DeskAtWork(folder, "", {"JUDGE_GAMES_EARLY_DELAY": "600"})
        self.stage = "open"
        self.word = {"kim": "gm"}
        self.said: dict[tuple[str, str], list[str]] = {}
        self.desk.goes_on(("who may see", variant, settings), lambda: self._gather(variant, settings))
        self._look_around()

    def writes(self, who: str, text: str) -> list[Posted]:
        return self._read(self.desk.writes(f"{who}@example.org", text))

    def keeps(self, *lines: str) -> None:
        """`judge games do swan`, and what it prints."""
        out = StringIO()
        with redirect_stdout(out):
            self.desk.keeper_runs(upkeep.do, "swan", lines)
        self.said.setdefault(("keeper", self.stage), []).append(out.getvalue())
        self._read(self.desk.new_mails())

    def _read(self, mails: list[Posted]) -> list[Posted]:
        for mail in mails:
            self.said.setdefault((mail.to.partition("@")[0], self.stage), []).append(seen(mail))
        return mails

    def plays(self, who: str, *lines: str) -> list[Posted]:
        return self.writes(who, f"SIGNON {self.powers[who]}@swan pw{who}\n" + "\n".join(lines))

    def rules(self, who: str, *lines: str) -> list[Posted]:
        return self.writes(who, f"SIGNON Mswan {self.word[who]}\n" + "\n".join(lines))

    def _gather(self, variant: str, settings: str) -> None:
        self.writes("kim", f"REGISTER\nName: Kim Doe\nEND\nCREATE ?swan gm {variant}\n{settings}\nSET DATA ON")
        for name in ("sten", "obed", "max"):
            self.writes(name, f"REGISTER\nName: {name.title()} Doe\nEND")
        self.writes("obed", "OBSERVE swan\nSET DATA ON")
        self.writes("max", "OBSERVE swan\nSET DATA ON")
        self.rules("kim", "PROMOTE max@example.org")
        for name in PLAYERS:
            self.writes(name, f"REGISTER\nName: {name.title()} Doe\nEND\nSIGNON ?swan pw{name}\nSET DATA ON")
        self.rules("kim", "FORCE BEGIN")

    def _look_around(self) -> None:
        """Who plays what, what the second master's password is, and what Wren's first unit may be ordered."""
        (told,) = [mail for mail in self.desk.all_mails() if "You are a master" in mail.subject]
        self.word["max"] = told.text.partition("SIGNON Mswan ")[2].split()[0]
        self.powers = dict(zip(PLAYERS, self.desk.deal("swan"), strict=False))
        self.said.clear()
        position = start_position(self.variant)
        self.units = position.units[self.powers["wren"]]
        options = [format_order(order) for order in legal_orders(BoardState(self.variant, position), self.units[0])]
        self.hold, self.other = f"{self.units[0]} H", next(order for order in options if " - " in order)
        self.order = self.other if "orders" in self.facts else self.hold

    def give_facts(self) -> None:
        """Wren orders, bids and votes; in the other world as many letters come from her."""
        self.desk.goes_on(("facts", self.variant.name, sorted(self.facts)), self._give_facts)

    def _give_facts(self) -> None:
        self.plays("wren", self.order, *(f"{unit} H" for unit in self.units[1:]))
        if self.variant.points:
            self.plays("wren", "STATUS" if "bids" in self.facts else BID)
        self.plays("wren", "STATUS" if "votes" in self.facts else "SET DRAW")

    def ask(self) -> None:
        """Every question and every look, by everybody; nothing is changed."""
        province = self.units[0].province
        asked = QUESTIONS.format(start=self.variant.start, province=province)
        for who in ("lark", "obed", "sten", "max"):
            self.writes(who, asked)
        for who in ("wren", "lark", "kim"):
            self.plays(who, asked, "SET DATA ON", "STATUS")
        for who in ("max", "kim"):
            self.rules(who, asked, "PREDICT", "SET DATA ON")
            if self.stage != "ended":
                self.rules(who, f"BECOME {self.powers['wren']}", "STATUS", "LIST", f"HISTORY swan BIDS FROM {START}")
        self.keeps("LIST", "PREDICT", f"HISTORY swan FROM {START}", f"HISTORY swan BIDS FROM {START}", "STATUS")
        if self.stage == "open":
            self.keeps(f"BECOME {self.powers['wren']}", "STATUS")

    def go(self, stages: Sequence[str]) -> None:
        """The whole course, asked at these stages."""
        self._give_facts()  # what is said to that counts
        lines = {"open": "STATUS", "processed": f"PROCESS! {self.variant.start}", "ended": "TERMINATE swan"}
        for stage, line in lines.items():
            self.stage = stage
            self.rules("max", line)
            if stage in stages:
                self.ask()


START = "S1500M"  # before every game


@cache
def said(game: str, *facts: str) -> dict[tuple[str, str], list[str]]:
    def played() -> dict[tuple[str, str], list[str]]:
        with TemporaryDirectory() as folder:
            world = World(Path(folder), *GAMES[game], facts)
            world.go(ASKED[game])
            return world.said

    return once(f"who sees {facts} in {game}", played)


def _expected(game: str, fact: str, stage: str) -> set[str]:
    everybody = fact == "bids" and stage == "ended" and game == "1648 revealed"
    return set(ALL) if everybody else set(TABLE[fact][stage])


# There are bids only where there are points, and it is only these that are revealed.
CASES = [("standard", "orders"), *(("1648", fact) for fact in TABLE), ("1648 revealed", "bids")]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "fact"), CASES)
def test_who_sees_what_is_as_the_table_says(game: str, fact: str):
    one, other = said(game), said(game, fact)
    for stage in ASKED[game]:
        differs = {who for who in VIEWERS if one.get((who, stage)) != other.get((who, stage))}
        assert differs == _expected(game, fact, stage), stage


# What a master who plays can write about another's power; PROVINCE and ORDER are of its unit.
TRIES = table("""
    BECOME {wren} / {order} / STATUS
    BECOME {wren} / {order} / {other}
    BECOME {wren} / CLEAR
    BECOME {wren} / CLEAR {province}
    BECOME {wren} / SET WAIT / LIST / MAP swan
    BECOME {wren} / SET NO DRAW / SET DRAW / SET NO CONCEDE / SET CONCEDE {wren}
    BECOME {wren} / PHASE F1999M / {order} / CLEAR
    BECOME {wren} / DP 1: A SWI H / DP CLEAR / DP NONE / DP 0: A SWI
    BECOME {wren} / SET PASSWORD sesame / RESIGN swan / SET ADDRESS kim@example.org / SET PASSWORDLESS ON
    BECOME wren@example.org / STATUS / PREDICT
    BECOME max@example.org / PREDICT / LIST / HISTORY swan BIDS
    BECOME max@example.org / BECOME {wren} / STATUS
    BECOME {kim} / BECOME {wren} / STATUS / {order}
    CORRECT ORDERS {wren}: {order}
    CORRECT ORDERS {wren}: CLEAR
    CORRECT ORDERS {wren}: CLEAR {unit}
    CORRECT POSITION Nobody: {unit}
    CORRECT POSITION {wren}: {other}
    EJECT {wren} / SET DISORDER {wren} / LIST
    BECOME {wren} / > {order}
    BECOME {wren} / > {other}
    BECOME {wren} / Hello / -- / {other}
    BECOME {wren} / SIGNOFF / {order}
    BECOME {wren} / SIGNOFF / {other}
    PAUSE / LIST swan / RESUME / LIST swan""")


def test_nothing_a_master_who_plays_tries_tells_what_is_on_file(tmp_path: Path):
    """Not by an answer, a refusal, or a mail that others do not get."""
    one, other = (World(tmp_path / str(len(facts)), *GAMES["1648"], facts) for facts in ((), TABLE))
    words = {**one.powers, "order": one.hold, "other": one.other, "unit": str(one.units[0]),
             "province": one.units[0].province}  # fmt: skip
    for world in (one, other):
        world.give_facts()
    master = "SIGNON Mswan gm\n"
    for (tried,) in TRIES:
        lines = tried.format(**words)
        letter = f"{master}{lines}\n{master}LIST\nSTATUS\nPREDICT\nROLLBACK\nLIST"
        told = [
            [(mail.to, seen(mail)) for mail in world.desk.would_write("kim@example.org", letter)
             if mail.to.partition("@")[0] in ("kim", "lark", "obed", "sten")]
            for world in (one, other)
        ]  # fmt: skip
        assert told[0] and told[0] == told[1], tried


def test_a_border_that_is_taken_away_tells_no_master_who_plays_whose_orders_need_it(tmp_path: Path):
    """How many powers still have to order is told to anybody, and so is not what is asked here."""
    for game in ("standard", "1648"):
        told = []
        for facts in ((), ("orders",)):
            folder = tmp_path / f"{game}{len(facts)}"
            world = World(folder, *GAMES[game], facts)
            world.give_facts()
            kind = {"A": "ARMY", "F": "FLEET"}[world.other[0]]
            world.said.clear()
            world.rules("kim", f"BORDER REMOVE {kind} {world.other[2:]}")
            told.append(world.said["kim", "open"])
        assert told[0] == told[1]


def test_the_same_person_under_another_address_is_as_blind(tmp_path: Path):
    """Their master's mails go to one of their addresses, the player's to another."""
    world = World(tmp_path, "1648", "")
    told = world.writes("kim2", "I AM ALSO kim@example.org")
    word = next(mail for mail in told if mail.to == "kim@example.org").text.partition("CONFIRM ")[2].split()[0]
    world.writes("kim", f"CONFIRM {word}")
    world.plays("kim", "SET ADDRESS kim2@example.org")
    world.give_facts()
    mails = world.rules("max", f"PROCESS! {world.variant.start}")
    told = [mail for mail in mails if mail.to in ("kim@example.org", "kim2@example.org")]
    assert len(told) == 2
    for mail in told:
        assert "only you, the master, see these" not in mail.text
        assert b"A SWI H" not in mail.raw and b"2: Army Switzerland HOLD" not in mail.raw
    full = next(mail for mail in mails if mail.to == "max@example.org")
    assert "only you, the master, see these" in full.text


def test_a_player_with_the_masters_password_is_no_master_who_sees(tmp_path: Path):
    """The answer goes to whoever writes: to a player who is told what the master sees."""
    world = World(tmp_path, "standard", "")
    world.give_facts()
    signon = f"SIGNON Mswan {world.word['max']}"
    assert "PREDICT is refused" in world.desk.replies("lark@example.org", f"{signon}\nPREDICT").text
    assert "PREDICT is refused" not in world.desk.replies("max@example.org", f"{signon}\nPREDICT").text


PERSONAL = {
    "SET PASSWORD", "SET PASSWORDLESS", "SET PASSWORDLESS OFF", "SET ADDRESS", "SET ZONE", "SET PREFERENCE", "RESIGN",
    "SET DRAW", "SET NO DRAW", "SET CONCEDE", "SET NO CONCEDE", "SET REVEAL BIDS", "SET NO REVEAL BIDS",
    "SET HTML", "SET CALENDAR", "SET DATA", "SET THREADS", "SET DIGEST", "SET CHECK", "SET PUBLIC NAME", "WHATIF",
    "DISAGREE", "SET IGNORE", "SET NO IGNORE", "SET NOTICES", "INVITE", "REMATCH",
}  # fmt: skip


def test_what_belongs_to_a_player_is_done_by_nobody_else():
    marked = {command.names[0] for command in COMMANDS if isinstance(command, Command) and command.personal}
    assert marked == PERSONAL
    assert all(Who.PLAYER in command.who for command in COMMANDS if isinstance(command, Command) and command.personal)


OF_A_PLAYER = (
    "SET PASSWORD sesame", "SET DRAW", "SET NO DRAW", "SET CONCEDE {wren}", "SET NO CONCEDE", "RESIGN swan",
    "SET ADDRESS max@example.org", "SET ZONE Asia/Tokyo", "SET DATA OFF", "SET PASSWORDLESS OFF",
)  # fmt: skip


@pytest.mark.parametrize("who", ["max", "kim", "keeper"])
def test_a_master_does_none_of_it_for_a_player(who: str, tmp_path: Path):
    world = World(tmp_path, "standard", "")
    power = world.powers["wren"]
    lines = [f"BECOME {power}", *(line.format(**world.powers) for line in OF_A_PLAYER)]
    if who == "keeper":
        world.keeps(*lines)
        text = world.said["keeper", "open"][-1]
    else:
        text = next(mail.text for mail in world.rules(who, *lines) if mail.to == f"{who}@example.org")
    told = " ".join(text.split())
    for name in ("SET PASSWORD", "SET DRAW", "SET NO DRAW", "SET CONCEDE", "SET NO CONCEDE", "RESIGN", "SET ADDRESS",
                 "SET ZONE", "SET DATA", "SET PASSWORDLESS OFF"):  # fmt: skip
        assert f"Only the player of {power} can send {name}." in told
    assert "orders" in world.plays("wren", "STATUS")[0].text


def test_become_enters_orders_and_shows_these_alone(tmp_path: Path):
    world = World(tmp_path, "standard", "")
    world.give_facts()
    mails = world.rules("kim", f"BECOME {world.powers['wren']}", world.other)
    text = next(mail.text for mail in mails if mail.to == "kim@example.org" and mail.answers)
    hidden = "You also play in this game, so you see only what this email contains, not what is on file."
    assert hidden in " ".join(text.split())
    assert f"{world.powers['wren']}: " in text and "HOLD" not in text
    copy = next(mail.text for mail in mails if mail.to == "wren@example.org" and mail.answers)
    assert f"{world.powers['wren']}: " in copy
    assert "->" in world.plays("wren", "STATUS")[0].text


def test_all_bids_come_to_a_master_who_plays_when_the_game_has_ended(tmp_path: Path):
    world = World(tmp_path, "1648", "")
    world.give_facts()
    world.rules("max", f"PROCESS! {world.variant.start}")
    asked = world.desk.replies("kim@example.org", "SIGNON Mswan gm\nHISTORY BIDS").text
    assert "others' bids are hidden until the game has ended." in " ".join(asked.split())
    ended = world.rules("max", "TERMINATE swan")
    bids = [mail for mail in ended if "All Bids" in mail.subject]
    assert [mail.to for mail in bids] == ["kim@example.org"] and "2: Army Switzerland HOLD" in bids[0].text


def test_who_became_a_master_meanwhile_is_not_admitted_to_a_power_either(tmp_path: Path):
    """They asked as an observer; what they have seen since counts when another master decides."""
    world = World(tmp_path, "standard", "")
    vacant = world.desk.deal("swan")[3]
    world.rules("kim", "SET APPROVAL")
    world.writes("obed", f"SIGNON {vacant}@swan pwobed")
    world.rules("kim", "PROMOTE obed@example.org")
    world.give_facts()
    answer = next(mail.text for mail in world.rules("max", "APPROVE obed@example.org") if mail.answers)
    assert "could not join" in answer and "could see others' orders for S1901M" in " ".join(answer.split())


def test_a_master_who_saw_the_orders_does_not_begin_to_play_in_that_phase(tmp_path: Path):
    """In games without points too."""
    world = World(tmp_path, "standard", "")
    vacant = world.desk.deal("swan")[3]
    world.give_facts()
    refused = world.desk.replies("max@example.org", f"SIGNON {vacant}@swan pwmax").text
    assert "could see others' orders for S1901M" in " ".join(refused.split())
    world.rules("max", "PROCESS! S1901M")
    taken = world.desk.replies("max@example.org", f"SIGNON {vacant}@swan pwmax").flat
    assert "so you can't see others' orders for the current phase" in taken
