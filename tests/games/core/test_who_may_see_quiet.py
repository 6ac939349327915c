"""A quiet game tells nobody but its masters who is late, who has left and who came (SET QUIET).

Each game is played in two worlds that are the same but for one person: all that a player, an observer and a stranger
are mailed must be the same in both, to the letter, whatever they ask.
"""

import re
from collections.abc import Callable
from datetime import timedelta
from difflib import ndiff
from functools import partial
from itertools import zip_longest
from pathlib import Path

import pytest

from tests.commands.deskatwork import ALL_HOLD, START, DeskAtWork
from tests.commands.people.test_passwordless import VERIFIED, verified
from tests.commands.people.test_passwordless_press import SERVER
from tests.games.core.test_who_may_see_by_letter import seen

QUIET = "SET QUIET, WHITE/GREY\nSET NONMR\nSET NO REMIND\nSET ALL GRACE 48\nSET LATECOUNT"
KIM = "kim@example.org"
AS_KIM = "SIGNON Mheron gm\n"
# Who looks on: Nora is the one who comes, Stan the one on the standby list.
PLAYERS = ("england", "germany")
OTHERS = ("olga", "al")
POWERS = ("austria", "england", "france", "germany", "italy", "russia", "turkey")
ASKED = ("england", "france", "italy", "nora", "kim", "olga")
QUESTIONS = "\n".join(
    ["STATUS heron", "STATUS ALL", "LIST", "LIST heron", "LIST FULL", "SUMMARY heron", "WHOGAME heron", "STATS",
     "STATS heron",     "WHOGAME heron FULL", "INFO PLAYER", "INFO PAR heron", "GET RULES heron",
     *(f"{asks} {who}@example.org" for who in ASKED for asks in ("INFO PLAYER", "WHOIS"))]
)  # fmt: skip
LOOKING_BACK = "\nHISTORY heron BROAD\nMAP heron"
SIGNED = "STATUS\nLIST\nWHOGAME\nSUMMARY\n" + "\n".join(
    f"PRESS TO {who}\nhello\nENDPRESS" for who in ("ALL", "France", "Italy", "Nora", "FIM")
)


Happens = Callable[..., object]


class World:
    """A quiet game, and all that those who look on have been mailed in it."""

    def __init__(self, folder: Path, settings: str = QUIET) -> None:
        folder.mkdir()
        self.desk = DeskAtWork(folder, "", SERVER)
        self.desk.seat_all("heron", "standard", settings)
        self.desk.goes_on(("quiet", settings), self._others_come)
        press = [mail for mail in self.desk.all_mails() if mail.to == "england@example.org" and "Press" in mail.subject]
        self.press = [str(mail.message["Message-ID"]) for mail in press]

    def _others_come(self) -> None:
        for name in ("olga", "al", "nora", "stan"):
            self.desk.writes(f"{name}@example.org", f"REGISTER\nName: {name.title()} Doe\nEND")
        self.desk.observes("olga@example.org")
        verified(self.desk, "stan@example.org", "STANDBY")
        choose = "SIGNON Eheron pwengland\nSET PASSWORDLESS ON"
        verified(self.desk, "england@example.org", choose)
        for who in ("france", "italy", "germany"):
            self.plays(who, "PRESS TO EFGI\nhello\nENDPRESS\nPRESS GREY TO EFGI\nhello\nENDPRESS")

    def told(self, happens: Callable[["World"], object]) -> dict[str, list[str]]:
        """What each of them is mailed from now on, by what happens and as answers to all questions."""
        first = len(self.desk.all_mails())
        happens(self)
        self.asks(QUESTIONS + LOOKING_BACK)
        self.desk.writes(KIM, f"{AS_KIM}PROCESS! S1901M")
        self.asks(QUESTIONS)
        readers = (*PLAYERS, *OTHERS, "stan")
        # All see in the results for whom there were no orders.
        mails = [mail for mail in self.desk.all_mails()[first:] if "Results" not in mail.subject]
        return {who: [seen(mail) for mail in mails if mail.to == f"{who}@example.org"] for who in readers}

    def plays(self, power: str, text: str) -> None:
        self.desk.writes(f"{power}@example.org", f"SIGNON {power.title()}@heron pw{power}\n{text}")

    def asks(self, questions: str) -> None:
        for who in (*PLAYERS, *OTHERS):
            self.desk.writes(f"{who}@example.org", questions)
        for who in PLAYERS:
            self.plays(who, SIGNED)
        for answering in self.press:
            for text in ("So be it.", "PRESS REPLY ALL\nSo be it."):
                self.desk.writes("england@example.org", text, answering=answering, headers=VERIFIED)
        self.desk.writes("al@example.org", "SIGNON ?heron pwal")

    def all_order_but(self, late: str) -> None:
        for power in POWERS:
            self.plays(power, "STATUS" if power == late else ALL_HOLD[power])

    def passes(self, days: float) -> None:
        self.desk.ring(START + timedelta(days=days))

    def nora_comes(self, power: str) -> None:
        self.desk.writes("nora@example.org", f"SIGNON {power}@heron pwnora")


def late(world: World, who: str) -> None:
    """The others are waiting for them."""
    world.all_order_but(who)
    world.passes(8)


def abandons(world: World, who: str) -> None:
    world.all_order_but(who)
    world.passes(11)


def resigns(world: World, who: str) -> None:
    world.plays(who or "turkey", "RESIGN heron" if who else "STATUS")


def is_ejected(world: World, who: str) -> None:
    world.desk.writes(KIM, f"{AS_KIM}EJECT {who}")


def is_replaced(world: World, who: str) -> None:
    resigns(world, who)
    world.nora_comes(who)


def is_late_and_replaced(world: World, who: str) -> None:
    """The phase gets more time for the new player."""
    abandons(world, who)
    world.nora_comes(who)


def is_late_and_back(world: World, who: str) -> None:
    abandons(world, who)
    world.plays(who, "STATUS")


CASES = [(happens, "france", "italy") for happens in
         (late, abandons, resigns, is_ejected, is_replaced, is_late_and_replaced, is_late_and_back)]  # fmt: skip
CASES.append((resigns, "france", ""))


def different(one: list[str], other: list[str]) -> str:
    """The lines that differ in the first mail that does."""
    pair = next(((left, right) for left, right in zip_longest(one, other, fillvalue="") if left != right), ("", ""))
    return "\n".join(line for line in ndiff(pair[0].splitlines(), pair[1].splitlines()) if line[:1] in "-+")


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(("happens", "one", "other"), CASES)
def test_nobody_notices_who_it_is(happens: Happens, one: str, other: str, tmp_path: Path) -> None:
    """The one on the standby list reads that somebody has left."""
    told = [World(tmp_path / (who or "nobody")).told(partial(happens, who=who)) for who in (one, other)]
    for who in (*PLAYERS, *OTHERS, *["stan"] * bool(other)):
        assert not different(told[0][who], told[1][who]), who


def test_the_standby_list_reads_whom_to_ask(tmp_path: Path) -> None:
    world = World(tmp_path / "quiet")
    (mail,) = [mail for mail in world.desk.writes(KIM, f"{AS_KIM}EJECT Turkey") if mail.to == "stan@example.org"]
    assert mail.subject == "JUDG:heron - Player Needed" and mail.first_line.startswith("heron needs a player")
    assert not any(word in f"{mail.subject}{mail.text}" for word in ("Turkey", "Theron", "units", "S1901M"))
    ask = "\n".join(line.strip() for line in mail.text.splitlines() if line.startswith("    "))
    asked = world.desk.writes("stan@example.org", ask)
    assert any(one.to == KIM and "Which power is open?" in one.text for one in asked), asked


def test_everybody_sees_their_own_seat_and_masters_see_all(tmp_path: Path) -> None:
    world = World(tmp_path / "quiet")
    is_replaced(world, "italy")
    for who, told in (("nora", "Nora Doe"), ("kim", "Nora Doe"), ("england", "Italy")):
        for line in ("WHOGAME heron", "LIST heron", "SUMMARY heron"):
            assert re.search(rf"Italy: .*{told}", world.desk.would_reply(f"{who}@example.org", line).text), (who, line)
    assert "Nora Doe" in world.desk.would_reply(KIM, "WHOIS nora@example.org").text
    assert "heron" in world.desk.would_reply("nora@example.org", "WHOIS nora@example.org").text


def test_what_was_known_before_a_game_became_quiet_stays_known(tmp_path: Path) -> None:
    world = World(tmp_path / "loud", "SET NONMR, WHITE/GREY")
    is_replaced(world, "italy")
    world.desk.writes(KIM, f"{AS_KIM}SET QUIET")
    resigns(world, "france")
    for line in ("WHOGAME heron", "LIST heron", "SUMMARY heron"):
        listed = world.desk.would_reply("england@example.org", line).text
        assert re.search("Italy: .*Nora Doe", listed) and re.search("France: .*France", listed), line
    world.desk.writes(KIM, f"{AS_KIM}SET NO QUIET")
    assert re.search("France: .*open", world.desk.would_reply("england@example.org", "LIST heron").text)


def test_a_quiet_game_that_forms_tells_nobody_who_has_joined(tmp_path: Path) -> None:
    told = []
    for joins in ("ida", "sten"):
        desk = DeskAtWork(tmp_path / joins, "", SERVER)
        desk.writes(KIM, "REGISTER\nName: Kim Doe\nEND\nCREATE ?heron gm standard\nSET QUIET")
        for name in ("fay", "ida", "sten"):
            desk.writes(f"{name}@example.org", f"REGISTER\nName: {name.title()} Doe\nEND")
        desk.writes("fay@example.org", "SIGNON ?heron pwfay")
        desk.writes(f"{joins}@example.org", f"SIGNON ?heron pw{joins}")
        lines = "WHOGAME heron FULL\nLIST heron\nWHOIS ida@example.org\nWHOIS sten@example.org"
        told.append([seen(desk.would_reply("fay@example.org", lines))])
        assert "Fay Doe" in told[-1][0] and f"{joins.title()} Doe" in desk.would_reply(KIM, lines).text
    assert not different(*told)
