"""Lines that begin with a word that is English, and on some map a province: prose, and orders for that province."""

import re
import time

import pytest

from judge.rules import OrderError, is_only_orders, load_variant, looks_like_order, parse_order, variant_names
from tests.texts import listed

STANDARD = load_variant("standard")

# Words that people begin sentences with.
OPENERS = set(
    re.findall(
        r"\w+",
        """
    alas all also and any are art ask both but can come did for get good got had has have her here his hope how its
    just last let like look man many may more most much new next not now one only our per please red run sea see she
    sin since some soon sorry still sun take thank thanks that the then there they this time too two very war was well
    what when while who why will wish with would yes yet you your
""",
    )
)
PROSE = listed("""
    {} now for something different: see you soon
    {} I will support you in Tunis
    {} a good week to all of you
    {} - well, let us see
    {} the armies will move - I think - to war
    {} to Norway I say no
    {} hold on to your hats
    {} support from Norway is welcome
    {} Norway is mine
    {} is in order
    {} thanks!
    {} so on...
    {}""")
ORDERS = listed("""
    {} h
    {} {other}
    {} - {other}
    {}-{other}
    {} -> {other}
    {} → {other}
    {} to {other}
    {} moves to {other}
    {} s {other}
    {} S A {other} - {other}
    {} supports {other}
    {} c a {other} - {other}
    {} hold
    {} holds.
    {} d
    {} disband
    {} r {other}
    * {} h
    {} h; {other} h
    a {} - {other}
    f {} h""")
MISWRITTEN = ["{} - Xyzzy", "{} s a xyzzy - {other}", "{} h quickly", "a {} - xyzzy", "{} suports {other} - {other}"]
HOMONYMS = [
    (load_variant(name), word)
    for name in variant_names()
    for word in sorted(OPENERS)
    if word.upper() in load_variant(name).names.exact
]
NAMED = [f"{variant.name}-{word}" for variant, word in HOMONYMS]


def test_there_are_such_words():
    assert {(variant.name, word) for variant, word in HOMONYMS} >= {
        ("colonia", "and"), ("ambition_empire", "and"), ("intercontinental", "here"), ("standard", "war"),
    }  # fmt: skip


@pytest.mark.parametrize(("variant", "word"), HOMONYMS, ids=NAMED)
def test_sentences_are_no_orders(variant, word):
    taken = [line for form in PROSE if looks_like_order(variant, line := form.format(word.title()))]
    assert not taken


@pytest.mark.parametrize(("variant", "word"), HOMONYMS, ids=NAMED)
@pytest.mark.parametrize("written", [str.lower, str.upper, str.title])
def test_orders_for_the_province_are_read(variant, word, written):
    other = next(abbr for abbr in variant.provinces if abbr.upper() != word.upper())
    lines = [written(form.format(word, other=other)) for form in ORDERS + MISWRITTEN]
    assert not [line for line in lines if not looks_like_order(variant, line)]


def test_a_line_of_blanks_costs_no_more_than_it_is_long():
    started = time.process_time()
    for blanks in (" " * 30_000, "\t" * 30_000):
        assert not looks_like_order(STANDARD, f"War{blanks}it is")
        with pytest.raises(OrderError):
            parse_order(STANDARD, "M", f"War{blanks}it is")
    assert time.process_time() - started < 1  # a square of it would be half a minute


def test_an_order_is_what_it_was():
    colonia = load_variant("colonia")
    assert str(parse_order(colonia, "M", "and h")) == "AND H"
    assert looks_like_order(colonia, "Red Sea convoys army Egypt to Xyzzy")


@pytest.mark.parametrize(("lines", "is_order"), [
    ("""
        A PAR - BUR
        a paris to burgundy
        Germany: A MUN - RUH; A BER - KIE
        France A PAR - BUR
        **A MUN - BUR**
        ~~A PAR H~~
        (A PAR H)
        1. A MUN - BUR please
        A MUN - BUR (as agreed)
        A BUR R PIC
        BUILD A PAR, F BRE
        WAIVE
        all hold
        please hold all units
        ALL HOLD, thanks
        A PAR - BURGANDY
        A PRA - BUR
        Army Paris to Burgundi
        A PAR -
        A MUN
     """, True),
    ("""
        I'll go A PAR - BUR, you support
        A PAR - BUR, you support
        A PAR - BUR is what I want
        A PAR - BUR if you agree
        A PAR - BUR?
        Your plan: F LON - ENG
        A BUD - SER, A VIE - TYR would be great
        A Burgundy wine
        A friend to all
        Munich to Burgundy would be nice
        Burgundy is mine, Munich is yours
        Paris
        Retreat!
        Hold on.
        France: hold the line
     """, False),
])  # fmt: skip
def test_a_line_is_nothing_but_orders_or_a_sentence(lines: str, is_order: bool) -> None:
    for line in listed(lines):
        assert is_only_orders(STANDARD, line) is is_order, line
