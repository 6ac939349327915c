"""What the people of the demo write: Spring to Winter 1901 of a standard game, power by power.

In Fall Austria dislodges the Italian army in Trieste, which may go to Budapest or Tyrolia; Italians, Germans and French
build, Austria has to remove a unit. A convoy, three stand-offs, a support that the attacked unit cannot cut.
"""

from dataclasses import dataclass

GAME = "heron"
JUDGE = "judge@judge.test"


@dataclass(frozen=True)
class Character:
    """A person in the demo: `style` is how the mail program writes (see `correspondent.STYLES`)."""

    name: str
    address: str
    zone: str
    style: str = "plain"


MASTER = Character("Mina Gamemaster", "mina@example.org", "Europe/London")
OBSERVER = Character("Otto Onlooker", "otto@example.org", "Europe/Vienna")
PLAYERS = (
    Character("Ada Archer", "ada@example.org", "Europe/London"),
    Character("Ben Baker", "ben@example.net", "America/New_York", "html"),
    Character("Cléo Carpentier", "cleo@example.org", "Europe/Paris", "quoted-printable"),
    Character("Dmitri Dorn", "dmitri@example.com", "Europe/Moscow", "base64"),
    Character("Elif Eren", "elif@example.org", "Europe/Istanbul", "both"),
    Character("Flavia Ferro", "flavia@example.net", "Europe/Rome"),
    Character("Göran Grün", "goran@example.org", "Europe/Berlin", "latin-1"),
)

Orders = dict[str, tuple[str, ...]]         # by the letter of the power; in the spelling of the sender

SPRING: Orders = {
    "A": ("A BUD - SER", "A VIE H", "F TRI - ALB"),
    "E": ("F LON - NTH", "F EDI - NWG", "A LVP - YOR"),
    "F": ("army paris to burgundy", "a mar-spa", "Fleet Brest -> Mid-Atlantic Ocean"),
    "G": ("A BER - KIE", "A MUN - RUH", "F KIE - DEN"),
    "I": ("A VEN - TRI", "A ROM - VEN", "F NAP - ION"),
    "R": ("A MOS - UKR", "A WAR - GAL", "F SEV - BLA", "F STP/SC - BOT"),
    "T": ("A CON - BUL", "A SMY - CON", "F ANK - BLA"),
}

# What England writes first: an order that cannot be carried out, and a remark that is not an order.
SPRING_SLIP = ("F LON - NTH", "F EDI - NWG", "A LVP - NWY", "Sorry for the late orders!")

FALL: Orders = {
    "A": ("A SER - TRI", "A VIE S A SER - TRI", "F ALB - GRE"),
    "E": ("A YOR - NWY via convoy", "F NTH C A YOR - NWY", "F NWG - BAR"),
    "F": ("A BUR - BEL", "A SPA H", "F MAO - POR"),
    "G": ("A KIE - HOL", "A RUH - BEL", "F DEN - SWE"),
    "I": ("A TRI - VIE", "A VEN H", "F ION - TUN"),
    "R": ("A GAL S A UKR - RUM", "A UKR - RUM", "F SEV S A UKR - RUM", "F BOT - SWE"),
    "T": ("A BUL - GRE", "A CON H", "F ANK - BLA"),
}

RETREATS: Orders = {"I": ("A TRI - BUD",)}

# Turkey sends nothing: the deadline ends the winter, and its build is not built.
WINTER: Orders = {
    "A": ("Remove F ALB",),
    "E": ("Build F EDI",),
    "F": ("Build F BRE", "Waive"),
    "G": ("B A MUN", "B F KIE"),
    "I": ("build a rome", "build f naples"),
    "R": ("B F STP/NC",),
}
