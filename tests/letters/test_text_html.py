"""HTML as real mail programs write it, and as enemies do."""

import time

import pytest

from judge.letters.letter import html_to_lines
from tests.letters.reading import read_letter
from tests.letters.writing import letter

GMAIL = (
    '<div dir="ltr">SIGNON Fheron secret<div>A PAR - BUR</div><div><br></div><div><br clear="all"></div>'
    '<span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature">Anna</div></div><br>'
    '<div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Tue, 3 Nov 2026 at 10:00, The Judge &lt;'
    '<a href="mailto:judge@example.net">judge@example.net</a>&gt; wrote:<br></div><blockquote class="gmail_quote" '
    'style="margin:0px 0px 0px 0.8ex">A PAR - GAS<br>A MAR H</blockquote></div>'
)
OUTLOOK = (
    '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta charset="utf-8"><!--[if !mso]><style>v\\:* '
    "{behavior:url(#default#VML);}</style><![endif]--><style><!-- p.MsoNormal {margin:0cm} --></style></head>"
    "<body lang=EN-GB><div class=WordSection1><p class=MsoNormal>SIGNON Fheron secret<o:p></o:p></p>\r\n"
    "<p class=MsoNormal>A PAR <span style='font-family:Wingdings'>-</span> BUR<o:p></o:p></p>"
    "<p class=MsoNormal><o:p>&nbsp;</o:p></p><div style='border:none;border-top:solid #E1E1E1 1.0pt'>"
    "<p class=MsoNormal><b>From:</b> The Judge &lt;judge@example.net&gt;<br><b>Sent:</b> 03 November 2026 10:00<br>"
    "<b>To:</b> Anna<br><b>Subject:</b> heron - F1901M Results</p></div><p class=MsoNormal>A PAR - GAS</p></div>"
)
APPLE = (
    "<html><body dir=auto>SIGNON Fheron secret<div>A PAR - BUR<br><br><div dir=ltr>Sent from my iPhone</div>"
    "<div dir=ltr><br><blockquote type=cite>On 3 Nov 2026, at 10:00, The Judge wrote:<br><br></blockquote></div>"
    "<blockquote type=cite><div dir=ltr><span>A PAR - GAS</span><br></div></blockquote></div></body></html>"
)
YAHOO = (
    "<div class=yahoo-style-wrap><div dir=ltr>SIGNON Fheron secret</div><div dir=ltr>A PAR - BUR</div></div>"
    "<div id=yahoo_quoted_1 class=yahoo_quoted><div><div>On Tuesday, 3 November 2026 at 10:00:00 CET, The Judge "
    "&lt;judge@example.net&gt; wrote: </div><div><br></div><div>A PAR - GAS</div></div></div>"
)
TABLE = "<table><tr><td>SIGNON</td><td>Fheron</td><td>secret</td></tr><tr><td>A PAR</td><td>- BUR</td></tr></table>"


@pytest.mark.parametrize("source", [GMAIL, OUTLOOK, APPLE, YAHOO, TABLE])
def test_mail_programs(source: str):
    """The author's lines and nothing of the mail below."""
    read = read_letter(letter(source, "Content-Type: text/html; charset=utf-8"))
    assert [line.text.strip() for line in read.lines if line.kind == "text" and line.text.strip()] == [
        "SIGNON Fheron secret",
        "A PAR - BUR",
    ]


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("one<br>two<BR/>three", ["one", "two", "three"]),
        ("<p>one</p><p>two</p>", ["one", "two"]),
        ("<div>one<div>two</div>three</div>", ["one", "two", "three"]),
        ("one<div><br></div>two", ["one", "", "two"]),
        ("one\n  two\tthree", ["one two three"]),
        ("<pre>one\n  two</pre>three", ["one", "  two", "three"]),
        ("a &lt; b &amp; c < d &#8211; e", ["a < b & c < d – e"]),
        ("<script>if (a<b) x()</script>one<style>p{}</STYLE>two", ["onetwo"]),
        ("<blockquote>one<blockquote>two</blockquote></blockquote>three", ["> one", ">> two", "three"]),
        ("</blockquote>one", ["one"]),
        ("one<!-- two -->three<!-- four", ["onethree"]),
        ("<![CDATA[x]]>one<?xml y?>two<!doctype html>", ["onetwo"]),
        ("one<b", ["one"]),
        ("<li>one<li>two", ["one", "two"]),
        ("&#0;&#xd800;&nosuch;", ["\ufffd\ufffd&nosuch;"]),
        ("", []),
    ],
)
def test_markup(source: str, lines: list[str]):
    """What ends a line, what is text, what is silent, and what is broken."""
    assert html_to_lines(source) == lines


@pytest.mark.parametrize(
    "pattern", ["<", "<!", "<a ", "<![", "<!--", "</", "<?", "<a b='", "&", "<style>", "<blockquote>x<br>", "<pre>\n"]
)
def test_linear_time(pattern: str):
    """A long page of anything is read in a moment."""
    started = time.process_time()
    html_to_lines(pattern * (250_000 // len(pattern)))
    assert time.process_time() - started < 1.25


def test_a_row_of_cells_with_a_paragraph_each_is_one_line():
    rows = [("A", "PAR", "-", "BUR"), ("F", "BRE", "-", "MAO")]
    cells = ["".join(f"<td><p class=MsoNormal>{cell}</p></td>" for cell in row) for row in rows]
    table = f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"
    assert html_to_lines(f"<p>SIGNON Fheron pw</p>{table}") == ["SIGNON Fheron pw", "A PAR - BUR", "F BRE - MAO"]


def test_the_paragraphs_of_a_letter_inside_a_table_stay_lines():
    assert html_to_lines("<table><tr><td><p>A PAR H</p><p>A MAR H</p></td></tr></table>") == ["A PAR H", "A MAR H"]
    assert html_to_lines("<tr><td><p>A PAR H</p><p>A MAR H</p></td><td>F BRE H</td></tr>")[:2] == ["A PAR H", "A MAR H"]


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("A PAR - BUR<sup>1</sup>", "A PAR - BUR^1"),
        ("1<sup>st</sup>: A PAR H", "1st: A PAR H"),
        ("H<b><sup>2</sup></b>O, 5<sup>2</sup></sup>", "H^2O, 52"),
    ],
)
def test_a_raised_number_is_not_a_part_of_the_word_before_it(source: str, line: str):
    assert html_to_lines(source) == [line]
