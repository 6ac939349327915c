"""Beside the standard game: the opening of 1648, in which three powers bid for Swabia's help (the rulebook's example).

Austria and Spain put a point each behind its support of Vienna's attack on Bavaria, France one behind its own on
Lorraine. All players have given orders and have spent or declined all points, so the phase ends at once.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from judge.demo.correspondent import Correspondent, ReceivedMail, Unanswered
from judge.demo.script import Character, Orders
from judge.demo.stage import Stage

GAME = "swan"
# A board for nine needs two more than the other game.
NEWCOMERS = (
    Character("Hana Horák", "hana@example.org", "Europe/Prague"),
    Character("Ivo Ilić", "ivo@example.net", "Europe/Zagreb"),
)
OPENING: Orders = {
    "A": ("A VIE - BAV", "A PRA H", "F TRI H", "DP 1: A SWA S A VIE - BAV", "DP NONE"),
    "D": ("A HOL H", "F CHR H", "F COP H", "DP NONE"),
    "E": ("F BRI H", "F LON H", "DP NONE"),
    "F": ("A PAR - LOR", "A MAR H", "F BRE H", "DP 1: A SWA S A PAR - LOR", "DP NONE"),
    "P": ("A CRA H", "A VIL H", "A WAR H", "DP NONE"),
    "R": ("A MOS H", "A NOV H", "A VOR H", "DP NONE"),
    "S": ("A FLA H", "A MAD H", "F NAP H", "F SEV H", "DP 1: A SWA S A VIE - BAV", "DP NONE"),
    "T": ("A BEL H", "A DAM H", "F CON H", "DP NONE"),
    "W": ("A ABO H", "A RIG H", "A STE H", "F STO H", "DP NONE"),
}
SUPPORT = "Army Swabia SUPPORT Austrian Army Vienna -> Bavaria."


@dataclass
class Swabia:
    """The scene: `master` and `people`, nine of them, play it before `stage`; an answer may take `patience()`."""

    stage: Stage
    master: Correspondent
    people: list[Correspondent]
    patience: Callable[[], float]

    def play(self) -> None:
        seats = self._gather()
        for letter, lines in OPENING.items():
            self._signs_on(seats[letter], letter, *lines)
        for letter in OPENING:
            self._expects(seats[letter], containing="Orders complete")
        self.stage.step("all nine have ordered, and have bid or declined their points")
        copies = {letter: self._results(person) for letter, person in seats.items()}
        of_master = self._results(self.master)
        if SUPPORT not in " ".join(of_master.text.split()):
            raise Unanswered(f"Swabia did not do as it was bid:\n{of_master.text}")
        self.stage.step(f"Swabia: {SUPPORT}")
        self.stage.show(of_master, "The master's copy ends with all bids", since="Diplomacy Points")
        self.stage.show(copies["F"], "France's copy ends with its own", since="Your Diplomacy Points")
        self.stage.show(copies["T"], "and Turkey, which bid nothing, learns nothing", since="Your Diplomacy Points")

    def _gather(self) -> dict[str, Correspondent]:
        """The game begins; {letter of a power: who plays it}."""
        self.master.writes(f"CREATE ?{GAME} overlord 1648")
        self._expects(self.master, containing=f"game {GAME} is created")
        for person in self.people:
            person.writes(f"SIGNON ?{GAME} {_password(person)}")
        seats = {}
        for person in self.people:
            start = self._expects(person, subject=f"{GAME} - S1649M Game Starting")
            found = re.search(rf"SIGNON (\w){GAME}\b", start.text)
            if not found:
                raise Unanswered(f"the start mail does not say how to sign on:\n{start.text}")
            seats[found[1]] = person
        self.stage.step("nine powers are dealt; thirty-one neutrals stand between them")
        return seats

    def _signs_on(self, person: Correspondent, letter: str, *lines: str) -> None:
        person.writes(f"SIGNON {letter}{GAME} {_password(person)}", *lines, "SIGNOFF", subject=GAME)

    def _results(self, person: Correspondent) -> ReceivedMail:
        return self._expects(person, subject=f"{GAME} - S1649M Results")

    def _expects(self, person: Correspondent, **what: str) -> ReceivedMail:
        return person.expects(**what, seconds=self.patience())


def _password(person: Correspondent) -> str:
    return f"{person.address.partition('@')[0]}1649"
