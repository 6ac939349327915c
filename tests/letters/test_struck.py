"""What is struck out is not there: in text, in HTML, and in text of which the HTML strikes something out."""

import time

import pytest

from judge.letters import Letter
from judge.letters.letter import html_to_lines
from judge.letters.struck import struck_as
from tests.letters.reading import read_letter
from tests.letters.writing import letter, multipart, part
from tests.texts import listed, table

NOTE = "struck-out words were not read"


def said(read: Letter, kind: str = "text") -> list[str]:
    return [line.text for line in read.lines if line.kind == kind and line.text]


def of_html(page: str) -> Letter:
    return read_letter(letter(page, "Content-Type: text/html; charset=utf-8"))


def of_both(text: str, page: str) -> Letter:
    return read_letter(multipart("alternative", part(text), part(page, "text/html; charset=utf-8")))


@pytest.mark.parametrize(
    "page",
    listed("""
        <s>A PAR H</s><br>A MAR H
        <del>A PAR H</del><br>A MAR H
        <STRIKE>A PAR H</STRIKE><br>A MAR H
        <s><b>A PAR</b> H</s><br>A MAR H
        <b><s>A PAR H</b></s><br>A MAR H
        <p style="color:red; text-decoration: line-through">A PAR H</p>A MAR H
        <div style='TEXT-DECORATION:underline Line-Through'>A PAR H</div>A MAR H
        <span style="text-decoration-line:line-through">A PAR H</span><br>A MAR H
        <span style=text-decoration:line-through>A <span>PAR</span> H</span><br>A MAR H
        <p style="text-decoration:line-through">A PAR H<p>A MAR H
        <ul><li style="text-decoration:line-through">A PAR H<li>A MAR H</ul>
        <div><span style="text-decoration:line-through">A PAR H</div><div>A MAR H</div>
        <table><tr style="text-decoration:line-through"><td>A PAR</td><td>H</td></tr><tr><td>A MAR H</td></tr></table>
        <table><tr><td><s>A PAR H</td></tr><tr><td>A MAR H</td></tr></table>
        <style>p.x, i.s1 {color: red; text-decoration: line-through}</style><i class="y s1">A PAR H</i><br>A MAR H
        <style>p.x, #old {text-decoration: line-through}</style><p id=old>A PAR H</p>A MAR H
        <style>i {text-decoration: line-through} p.x:hover {}</style><i>A PAR H</i><br>A MAR H
        <s>A</s> <s>PAR H</s><br><del style="text-decoration:none">A MAR H</del>
        <br style="text-decoration:line-through"><s>A PAR H</s><hr style="text-decoration:line-through">A MAR H
        <s>A ~PAR~ H</s><br>A MAR H
        </s><s>A PAR H</s></s><br>A MAR H"""),
)  # fmt: skip
def test_a_struck_line_of_html(page: str):
    for read in (of_html(page), of_both("A PAR H\nA MAR H", page), of_both("1. A PAR H\n2. A MAR H", page)):
        assert [line.removeprefix("2. ") for line in said(read)] == ["A MAR H"] and read.notes == (NOTE,)
        (line,) = said(read, "struck")
        assert line.replace("~~", "").removeprefix("1. ") == "A PAR H"


def test_signs_around_a_struck_line_are_struck_too():
    """A text version has -these- in place of strikes; what is left must not begin a signature."""
    read = of_both("-A PAR H-\nA MAR H", "<s>A PAR H</s><br>A MAR H")
    assert said(read) == ["A MAR H"] and said(read, "struck") == ["-~~A PAR H~~-"]


def test_a_strike_that_is_not_closed_goes_on():
    assert said(of_html("<div><s>A PAR H</div><div>A MAR H</s></div>A MUN H")) == ["A MUN H"]


@pytest.mark.parametrize(
    ("written", "left"),
    table("""
        A PAR - ~~BUR~~ PIC => A PAR - PIC
        ~~Hello~~ Goodbye => Goodbye
        I ~~hate~~ like you => I like you
        BU~~E~~R => BUR
        A P\u0336A\u0336R\u0336 MAR H => A MAR H
        A ~~PAR~~ ~~BUR~~ MAR H => A MAR H
        ~~~Orders~~~ => ~~~Orders~~~
        ~~ A PAR H ~~ => ~~ A PAR H ~~
        A PAR ~~> BUR => A PAR ~~> BUR
        SIGNON Fheron ~~old~~ new => SIGNON Fheron new"""),
)
def test_struck_words_of_a_line(written: str, left: str):
    assert said(read_letter(letter(written))) == [left]


def test_struck_lines_of_text():
    struck = "~~A PAR - BUR\nA MAR H~~\n1. ~~F BRE H~~\n> ~~A MUN H~~\nA\u0336 \u0336K\u0336"
    read = read_letter(letter(f"{struck}\n\n~~x\n\ny~~"))
    assert said(read, "struck") == ["~~A PAR - BUR~~", "~~A MAR H~~", "1. ~~F BRE H~~", "~~A K~~"]
    assert said(read) == ["~~x", "y~~"] and said(read, "quote") == [">"]


@pytest.mark.parametrize(
    ("text", "page", "left"),
    [
        ("A PAR H\nA MAR H\nA PAR H", "A PAR H<br>A MAR H<br><s>A PAR H</s>", ["A PAR H", "A MAR H"]),
        # Wrapped, with the numbers of a list, with addresses of links, and not the same quote.
        ("A PAR H, A\nMAR H\nA MUN H", "<s>A PAR H, A MAR H</s><br>A MUN H", ["A MUN H"]),
        ("1. A PAR H\n2. A MUN H", "<ol><li><s>A PAR H</s><li>A MUN H</ol>", ["2. A MUN H"]),
        (
            "x <http://x>\nA PAR H\nA MUN H\ny <http://y>",
            "x<br><s>A PAR H</s><br>A MUN H<br>y",
            ["x <http://x>", "A MUN H", "y <http://y>"],
        ),
        ("A PAR - BUR PIC\n> a <x>", "A PAR - <s>BUR</s> PIC<blockquote>a <s>b</s></blockquote>", ["A PAR - PIC"]),
        ("I hate you\nlike my dog", "I <s>hate</s> you like <s>my</s> dog", ["I you", "like dog"]),
        # What cannot be found is perhaps any line that the page does not have.
        ("A PAR - BUR\nA MUN H", "<s>Army Paris to Burgundy</s><br>A MUN H", ["A MUN H"]),
        ("x <y>\nA PAR H\nA MUN H\nA PAR H\nz <y>", "x<br><s>A PAR H</s><br>A MUN H<br>z", ["A MUN H"]),
        # Nothing of the writer's own is struck, or it is not in the text.
        ("A PAR H", "A PAR H<blockquote><s>A PAR H</s></blockquote>", ["A PAR H"]),
        ("A PAR H", "<s>A MUN H</s><br>A PAR H", ["A PAR H"]),
        ("A PAR H", "<s></s>A PAR H", ["A PAR H"]),
    ],
)
def test_text_of_which_the_html_strikes_something(text: str, page: str, left: list[str]):
    found = said(of_both(text, page))
    assert [line for line in found if line not in ("x <http://x", "x <y>", "z <y>")] == left


@pytest.mark.parametrize("piece", ["<s>", "<s>a</s>", "<div><s>a</div>", "<p style='text-decoration:", "<s>a<br>"])
def test_linear_time(piece: str):
    started = time.process_time()
    lines = html_to_lines(piece * (100_000 // len(piece)))
    struck_as(["a"] * 20_000, [*lines[:5_000], "~~a~~", "b" * 20_000])
    assert time.process_time() - started < 2.5
