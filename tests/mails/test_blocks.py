"""What a template says once is the same as text and as a page: its words, their order, the rows of its tables."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mails.blocks import Written, marked, read, together, wrapped
from judge.mails.pages import page_of
from judge.mails.templates import environment, unbroken
from tests.mails.same_facts import differences

FREE = st.text(st.sampled_from("aB.:,<&->*()  \n\n\t\xa0\x0b7é"), max_size=200)
_STYLE = re.compile(r' (?:style|cellpadding|cellspacing|border|valign|align|class|width)="[^"]*"')


def said(template: str, **context: object) -> Written:
    return Written(environment().from_string(template).render(context))


def page(text: str) -> str:
    """The page of a text, without what it looks like."""
    return _STYLE.sub("", page_of(text))


@given(text=FREE)
def test_whatever_a_text_says_is_on_its_page_and_nothing_else(text: str) -> None:
    assert differences(text, page(text)) == []


FILTERS = [
    "wrap", "hang(4)", "code(4)", "title", "section", "part", "lead", "alarm", "quoted", "said_of_it", "as_said",
    "as_said(true)",
]  # fmt: skip


@pytest.mark.parametrize("name", FILTERS)
@given(text=FREE.filter(lambda text: ":: " not in text))
def test_each_kind_of_line_says_the_same_twice(name: str, text: str) -> None:
    told = said(f"First.\n\n{{{{ text | {name} }}}}\n\nLast.", text=text)
    assert differences(told, page(told)) == []


CELLS = st.lists(st.text(st.sampled_from("aB.:<&->  7é"), max_size=40), min_size=1, max_size=4)


@given(rows=st.lists(CELLS, max_size=6), widths=st.lists(st.integers(0, 30), max_size=3))
def test_the_cells_of_a_row_are_in_one_row(rows: list[list[str]], widths: list[int]) -> None:
    template = "{% for cells in rows %}{{ cells | row(*widths) }}\n{% endfor %}"
    table = "".join(re.findall("(?s)<table.*</table>", page(said(template, rows=rows, widths=widths))))
    shown = [re.findall(r"\w+", re.sub(r"<[^>]*>|&\w+;", " ", row)) for row in re.findall("<tr>(?:(?!</tr>).)*", table)]
    labels = [[], *(re.findall(r"\w+", cells[0]) for cells in rows)]
    for before, cells, row in zip(labels, rows, shown, strict=False):
        whole = re.findall(r"\w+", " ".join(cells))
        assert row in (whole, whole[len(before) :])
    assert len(shown) == len(rows)


HELP = """\
Write to the judge from any mail program, with one command or order a line, in
any form.

{{ "Movement:" | section }}
{% filter columns(25) %}
    A PAR H              hold
    F MAO - SPA/SC       with the coast, where there
                         are two
{% endfilter %}

- A year has a Spring and a Fall. After the Fall a power takes the supply
  centers where its units are.
- In winter each power adjusts.

    SIGNON Fheron secret
    A PAR - BUR

{% for power, order in orders %}
{{ [power ~ ":", order] | row(9) }}
{% endfor %}
"""


def test_a_text_has_real_headings_lists_and_tables() -> None:
    france = [("France", "A PAR - BUR.  (*bounce*)"), ("France", "F BRE H.")]
    orders = [*france, ("Germany", "A MUN H.  (*cut, dislodged*)")]
    told = page(said(HELP, orders=orders))
    for part in (
        "<h1>Write to the judge from any mail program, with one command or order a line, in any form.</h1>",
        '<tr><th scope="row">A\xa0PAR H</th><td>hold</td></tr>',
        '<tr><th scope="row">F\xa0MAO\xa0-\u2060\xa0SPA/SC</th><td>with the coast, where there are two</td></tr>',
        "<li>A year has a Spring and a Fall. After the Fall a power takes the supply centers where its units are.</li>",
        "<pre>SIGNON Fheron secret\nA PAR - BUR</pre>",
        '<tr><th scope="row" rowspan="2">France:</th><td>A\xa0PAR\xa0-\u2060\xa0BUR. <b>✗ bounce</b></td></tr>',
        "<tr><td>F\xa0BRE H.</td></tr>",
        '<tr><th scope="row">Germany:</th><td>A\xa0MUN H. <b>✗ cut, dislodged</b></td></tr>',
    ):  # fmt: skip
        assert part in told.replace(' valign="top"', ""), told


def test_a_text_within_another_keeps_what_its_lines_are() -> None:
    inner = said("{{ ['Spain:', 'DP 1'] | row(7) }}")
    whole = said("First.\n\n{{ inner | wrap }}", inner=together(inner, "Plain."))
    assert whole == "First.\n\nSpain: DP 1\n\nPlain."
    assert [read(line).kind for line in marked(whole).split("\n")] == ["plain", "gap", "row", "gap", "text"]


def test_a_marked_line_stands_alone_also_without_a_line_break_before_it() -> None:
    text = Written(marked("First.") + marked("Second.") + "third" + marked("Fourth."))
    assert text.split("\n") == ["First.", "Second.third", "Fourth."]
    assert differences(text, page_of(text)) == []


def test_a_page_knows_powers_by_their_colors_and_the_readers_own() -> None:
    france = SimpleNamespace(name="France", colour="#123456")
    board: Any = SimpleNamespace(powers=(france,), seats=(france,))
    told = page_of(said("Hello.\n{{ board | colors(['France']) }}\n{{ ['France:', 'A PAR H'] | row(8) }}", board=board))
    assert "background:#123456" in told and 'class="o"' in told


def test_what_the_page_alone_says_leaves_no_line_in_the_text() -> None:
    told = said("One.\n{{ 'Beside.' | aside }}\n{{ pictures }}\nTwo.")
    assert told == "One.\nTwo."
    assert differences(told, page(told).replace("<div>", '<div class="x">')) == []


@pytest.mark.parametrize("change", [
    ("PAR", "MAR"), ("<td>F\xa0BRE H.</td></tr>", ""), ("<tr", "</tr><tr", 0), ("DP 2", "DP 2 3"),
])  # fmt: skip
def test_a_fact_that_only_one_of_both_says_is_found(change: tuple[Any, ...]) -> None:
    told = said("First.\n\n{{ ['France:', 'A PAR - BUR.'] | row(8) }}\n{{ ['France:', 'F BRE H.'] | row(8) }}\nDP 2\n")
    whole = page(told).replace(' valign="top"', "")
    assert differences(told, whole) == []
    old, new, *_ = change
    if new.startswith("</tr>"):
        whole = whole.replace("</td></tr>\n<tr><td>", "</td><td>")
    else:
        whole = whole.replace(old, new)
    assert differences(told, whole) != []


@pytest.mark.parametrize(
    "whole",
    [
        "A VER",
        "F STP/SC",
        "A Vera",
        "A Yuca - Hisp VIA",
        "A VIE S A BUD - RUM",
        "F Quit",
        "DP 2: A SWI S A MAR - SAV",
        "DP CLEAR",
        "BUILD A PAR",
        "(- LOR",
        "- LUX)",
    ],
)
def test_no_line_ends_within_a_unit_or_an_order(whole: str) -> None:
    for length in range(60, 80):
        told = wrapped(f"{'x' * length} {whole}, and more words")
        assert whole in told, told


@pytest.mark.parametrize("line", [
    "Failed: A Calc - Dhak (bounce).", "Failed: F Pana/NC S A Bogo - Quit (void).", "A BUR - PAR", "Army St. Louis",
])  # fmt: skip
def test_no_line_of_a_page_is_broken_within_a_unit_or_a_move_on_any_board(line: str) -> None:
    """Browsers break a line between a hyphen and a no-break space."""
    assert not re.search(r"\b[AF] [A-Z]|- |-\xa0| -|St\\. ", unbroken(line))


def test_a_long_title_ends_after_what_failed() -> None:
    """A title of twelve lines on a phone told all about orders, bids and centers."""
    failed = "Failed: " + "; ".join(["A PAR - BUR (bounce)"] * 5) + "; A MAR S A PAR - BUR (void)."
    told = "A GAO held, as you bid; all 4 of your other bids won. You have 9 centers."
    assert f"<h1>{unbroken(failed)}</h1>" in page(f"{failed} {told}")
    short = "Failed: A PAR - BUR (void). You have 9 centers."
    assert f"<h1>{unbroken(short)}</h1>" in page(short)


def test_an_item_is_indented_as_in_its_text() -> None:
    """Else a list of commands and what they do has no beginnings to look for."""
    whole = page_of(said("{{ 'SET WAIT' | hang(4) }}\n{{ '    wait for the deadline' | hang(4) }}"))
    assert 'text-indent:-16px">SET WAIT<' in whole
    assert 'text-indent:0">    wait for the deadline<' in whole


def test_short_words_for_what_can_be_copied_or_compared_are_not_broken() -> None:
    table = [
        ["    DP 2: A SWI S A MAR - BUR", "two points"], ["    A PAR H", "hold"],
        ["    SET ABSENCE 2026-08-01 TO 2026-08-10", "away"], ["BUL", "fleet ec", "BLA CON RUM"],
        ["a label of several words", "and a cell of some", "more"],
    ]  # fmt: skip
    whole = page_of(said("{% for one in table %}{{ one | row(24, 10) }}\n{% endfor %}", table=table))
    kept = re.findall(r'<(?:th|td)[^>]*style="white-space:nowrap[^>]*>([^<]*)<', whole)
    assert [one.strip() for one in kept] == [*map(unbroken, ["DP 2: A SWI S A MAR - BUR", "A PAR H"]), "fleet ec"]


def test_no_word_is_broken_after_its_first_sign() -> None:
    """On a phone, "SIGNON ?heron secret" looked like "SIGNON ?" and two other words."""
    assert unbroken("DAYS -MTWTF- GRACE 24 - the master") == "DAYS -\u2060MTWTF- GRACE 24 - the master"
    assert unbroken("SIGNON ?heron, SIGNON ?<game>") == "SIGNON ?\u2060heron, SIGNON ?\u2060<game>"
    assert unbroken("Who? No one. ? -> A") == "Who? No one. ? -> A"


def test_a_page_is_measured_as_it_is_sent() -> None:
    """In ASCII, a letter of the Cyrillic alphabet takes seven bytes."""
    assert len(page_of("é" * 10_000)) > 10_000
    assert page_of("й" * 15_000) == ""
