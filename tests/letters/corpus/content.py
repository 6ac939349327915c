"""What the letters say: France's own lines, and the mail of the judge that a program repeats below or above them.

What is repeated holds other orders than the letter, so that a line of it that is read shows.
"""

import html

SIGNON = "SIGNON Fheron pwfrance"
ORDERS = [SIGNON, "A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"]
PRESS = [SIGNON, "PRESS TO Turkey", "Shall we meet in Vienna?", "", "Yours, F."]
SAID = "Shall we meet in Vienna?\n\nYours, F."
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


def divs(text: list[str], attributes: str = "") -> str:
    """Each line in a <div>, an empty one with a <br>: as the editors of most web mails write."""
    return "".join(f"<div{attributes}>{html.escape(line) or '<br>'}</div>" for line in text)


def breaks(text: list[str]) -> str:
    """Lines with <br> between them, indentation in hard blanks."""
    return "<br>\n".join(html.escape(line).replace("  ", "&nbsp; ") for line in text)


def paragraphs(text: list[str], attributes: str = "", filling: str = "<br>") -> str:
    """Each line in a <p>."""
    return "".join(f"<p{attributes}>{html.escape(line) or filling}</p>\n" for line in text)
