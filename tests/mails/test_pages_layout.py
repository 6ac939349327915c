"""Texts without a page of their own, as HTML: lines flow, columns are tables, and nothing is lost or added."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mails.pages import laid_out
from judge.mails.templates import text_page
from tests.transcripts.test_transcripts import FOLDER

FREE = st.text(st.sampled_from("aB.:,<&->*()  \n\n\t\xa0\x0b7é"), max_size=200)


def words(text: str) -> list[str]:
    """The words of a text, each where it stands first: a power's name stands once beside its orders."""
    return [*dict.fromkeys(re.sub(r"[>*()✗→-]", " ", text).split())]


def seen(page: str) -> list[str]:
    """The words of HTML, as its reader sees them: a cell ends a word, a failure stands behind a sign."""
    return words(html.unescape(re.sub(r"<[^>]*>", " ", page)))


@given(text=FREE)
def test_whatever_a_text_says_is_on_its_page_and_nothing_else(text: str) -> None:
    assert seen(laid_out(text)) == words(text)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_every_mail_says_as_html_what_it_says_as_text(path) -> None:
    for told in re.split(r"^(?:<<<|>>>|[@%#] ).*\n", path.read_text(), flags=re.MULTILINE):
        assert seen(laid_out(told)) == words(told)
        small = [line for line in told.splitlines() if line.startswith(":: ")]
        page = text_page(told)
        assert sorted(seen(page[page.index("<body") :])) == sorted(words(told))
        assert all(html.escape(line) in page for line in small)


HELP = """\
Write to the judge from any mail program, with one command or order a line, in
any form.

Topics:

info           what this is, and how to write a letter, which goes on where it
               has no room
registration   who you are

Movement:

    A PAR H                  hold
    F MAO - SPA/SC           with the coast, where there
                             are two

- A year has a Spring and a Fall. After the Fall a power takes the supply
  centers where its units are.
- In winter each power adjusts.

    SIGNON Fheron secret
    A PAR - BUR

Power     1901 1902
Austria      3    4

     Ank Ber Bud Con Edi Hol Lon Mar
Year   Bel Bre Bul Den Gre Kie Lvp Mos
1901 T . G F A . T . E . . G E E F R G

France:  Army Paris -> Burgundy.  (*bounce*)
France:  Fleet Brest HOLD.
Germany: Army Munich -> Burgundy.  (*bounce, dislodged*)
"""


def test_a_text_has_real_headings_lists_and_tables() -> None:
    page = re.sub(r' (?:style|cellpadding|cellspacing|border|valign|align|class)="[^"]*"', "", laid_out(HELP))
    for part in (
        "with one command or order a line, in any form.</p>", "<h2>Topics:</h2>",
        '<tr><th scope="row">info</th><td>what this is, and how to write a letter, which goes on where it has no room<',
        '<th scope="row">F MAO - SPA/SC</th><td>with the coast, where there are two</td>',
        "<li>A year has a Spring and a Fall. After the Fall a power takes the supply centers where its units are.</li>",
        "<pre>SIGNON Fheron secret\nA PAR - BUR</pre>",
        '<tr><th scope="row">Power</th><th scope="col">1901</th><th scope="col">1902</th></tr>',
        "<pre>     Ank Ber Bud Con", "Army Paris → Burgundy. <b>✗ bounce</b><br>Fleet Brest HOLD.</td>",
        "<b>✗ bounce, dislodged</b>",
    ):  # fmt: skip
        assert part in page, page
