"""What the letters say: France's own lines, and the mail of the judge that a program repeats below or above them.

What is repeated holds other orders than the letter, so that a line of it that is read shows.
"""

PRESS = ["SIGNON Fheron pwfrance", "PRESS TO Turkey", "Shall we meet in Vienna?", "", "Yours, F."]
TOLD = """\
Orders complete.

:: Judge: JUDG  Game: heron  Variant: Standard Diplomacy
:: Deadline: S1901M Mon May 11 2026 23:30:00 +0000

Movement orders for Spring of 1901.  (heron.001)

France: Army Paris -> Picardy.
France: Army Marseilles -> Spain.
France: Fleet Brest -> English Channel.

Time to the deadline: 7 days 13 hours.

To change your orders, write to judge@example.org:

    SIGNON Fheron <your password>
    A MAR - SPA
    A PAR - PIC
    F BRE - ENG
    SIGNOFF""".splitlines()
# The letter that France sent before, as a program repeats it that quotes what was sent.
SENT_BEFORE = ["SIGNON Fheron pwfrance", "A PAR - PIC", "A MAR - SPA", "F BRE - ENG"]


def lines(*parts: str | list[str]) -> str:
    """A text of these lines, the last of them ended too."""
    return "".join(f"{line}\n" for part in parts for line in ([part] if isinstance(part, str) else part))


def marked(told: list[str] = TOLD, mark: str = ">", space: str = " ") -> list[str]:
    """The lines behind quote marks; an empty one has the mark alone."""
    return [f"{mark}{space}{line}".rstrip() for line in told]
