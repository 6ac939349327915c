"""Names of provinces: whatever can mean only one province is understood, however it is written; whatever could mean two
is asked back.
"""

import time
import unicodedata
from collections import defaultdict

import pytest

from judge.rules import Hold, OrderError, load_variant, parse_order
from judge.rules.board.names import SHORTEST_BEGINNING, Names
from judge.rules.board.province import Province
from judge.rules.parsing.vocabulary import KIND_WORDS, ORDER_WORDS
from judge.rules.variant.registry import built_in_names
from tests.texts import table

WAYS = {
    "as it is": lambda name: name,
    "in capitals": str.upper,
    "in small letters": str.lower,
    "no blanks": lambda name: name.replace(" ", ""),
    "hyphens for blanks": lambda name: name.replace(" ", "-"),
    "blanks for hyphens": lambda name: name.replace("-", " "),
    "no hyphens": lambda name: name.replace("-", ""),
    "two blanks": lambda name: name.replace(" ", "  "),
    "underlines": lambda name: name.replace(" ", "_"),
    "no dots": lambda name: name.replace(".", ""),
    "dots for blanks": lambda name: name.replace(". ", ".").replace(" ", "."),
    "no accents": lambda name: _plain(name),
    "no apostrophes": lambda name: name.replace("'", ""),
    "curly apostrophes": lambda name: name.replace("'", "’"),
    "nothing but letters": lambda name: "".join(filter(str.isalnum, _plain(name))),
}


def _plain(text: str) -> str:
    text = text.replace("ł", "l").replace("ø", "o")
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def _compared(text: str) -> str:
    """Letters and digits only, written down here once more."""
    return "".join(filter(str.isalnum, _plain(text))).upper()


def _other_saint(name: str) -> str:
    first, blank, rest = name.partition(" ")
    return f"{ {'st.': 'saint', 'st': 'saint', 'saint': 'st'}.get(first.lower(), first) }{blank}{rest}"


def understood(variant, name: str) -> list[str]:
    """The provinces that a fleet's or an army's name may mean in an order to hold; [] if it means none."""
    try:
        order = parse_order(variant, "M", f"A {name} H")
        assert isinstance(order, Hold)
        return [order.unit.province]
    except OrderError as error:
        return sorted(one.abbr for one in variant.provinces.values() if f"({one.abbr})" in error.message)


@pytest.mark.parametrize("board", built_in_names())
def test_every_name_is_understood_in_every_way_of_writing(board):
    variant = load_variant(board)
    wrong = [
        (way, written, understood(variant, written))
        for province in variant.provinces.values()
        for way, write in WAYS.items()
        for written in (write(province.name), write(province.abbr))
        if understood(variant, written) != [province.abbr]
    ]
    assert not wrong


@pytest.mark.parametrize("board", built_in_names())
def test_every_beginning_means_one_province_or_is_asked_back(board):
    """A beginning is a whole name of one province, or means all whose words begin so."""
    variant = load_variant(board)
    begun: dict[str, set[str]] = defaultdict(set)
    whole: dict[str, set[str]] = {}
    for province in variant.provinces.values():
        for word in (province.abbr, province.name, *province.aliases):
            for spelled in {word, _other_saint(word)}:
                for end in range(1, len(_compared(spelled)) + 1):
                    begun[_compared(spelled)[:end]].add(province.abbr)
    for province in variant.provinces.values():
        whole |= {_compared(alias): {province.abbr} for alias in province.aliases if len(_compared(alias)) <= 4}
    for province in variant.provinces.values():
        whole[_compared(province.name)] = {province.abbr}
    whole |= {_compared(abbr): {abbr} for abbr in variant.provinces}
    wrong = []
    for province in variant.provinces.values():
        for word in (province.abbr, province.name, *province.aliases):
            for end in range(SHORTEST_BEGINNING, len(word) + 1):
                for written in {word[:end], word[:end].replace(" ", "").replace(".", "")}:
                    written = written.rstrip(" -")
                    if len(_compared(written)) < SHORTEST_BEGINNING:
                        continue
                    meant = whole.get(_compared(written)) or begun[_compared(written)]
                    found = set(understood(variant, written))
                    # Where a blank stands tells more, unless a word may be one of an order: then less.
                    near = " " in written and found and (found <= meant or len(found) > 1 and found >= meant)
                    if found != meant and not near:
                        wrong.append((written, found, meant))
    assert not wrong


@pytest.mark.parametrize(
    ("board", "text", "order"),
    table("""
        intercontinental => F East Mediterranean - Suez           => F EMS - Suez
        intercontinental => F East Med S A Cairo                  => F EMS S A Cair
        intercontinental => A Santiago de H                       => A Sant H
        intercontinental => A St.Petersburg H                     => A StPe H
        intercontinental => A SaintPetersburg H                   => A StPe H
        intercontinental => F RedSea - Aden                       => F RedS - Aden
        intercontinental => F East Mediterranean S A Cairo - Suez => F EMS S A Cair - Suez
        standard         => F Barents S A Finland - Norway        => F BAR S A FIN - NWY
        standard         => F Mid-Atl - Portugal                  => F MAO - POR
        standard         => F Nor Atl - Liverpool                 => F NAO - LVP
        standard         => F N.Atl. - Liverpool                  => F NAO - LVP
        standard         => F Gulf Lyon - Spain/sc                => F LYO - SPA/SC
        standard         => A Saint Petersburg - Mos              => A STP - MOS
        standard         => F StPetersburg/nc - Nwy               => F STP/NC - NWY
        standard         => F Bay of B H                          =>
        standard         => F Gulf of B H                         => F BOT H
        standard         => A SWE DEN                             => A SWE - DEN
        standard         => A MAR S A PAR - BUR                   => A MAR S A PAR - BUR
        standard         => MAR S PAR - BUR                       => MAR S PAR - BUR"""),
)
def test_short_names_and_orders_side_by_side(board, text, order):
    if not order:
        with pytest.raises(OrderError):
            parse_order(load_variant(board), "M", text)
        return
    assert str(parse_order(load_variant(board), "M", text)) == order


@pytest.mark.parametrize(
    ("board", "text", "asked"),
    table("""
        intercontinental => F Kodi - Alaska => "Alaska" could be Alaska Current (Alas) or Nulato (Nula).
        1648             => F Black - Cri   => "Black" could be Black Sea (BLA) or Black Ruthenia (BRU).
        colonia          => A Philippines H => "Philippines" could be Manila (MNL) or Phillipine Sea (PFP).
        ambition_empire  => F Bar S A Nov   => "Bar" could be Barents Sea (BAS) or Barcelona (BRC).
        standard         => F NTH - Nor Sea => "Nor Sea" could be North Sea (NTH) or Norwegian Sea (NWG).
        standard         => F Gulf S A PIE  => "Gulf" could be Gulf of Bothnia (BOT) or Gulf of Lyon (LYO)."""),
)
def test_what_could_mean_two_provinces_is_asked_back_aliases_too(board, text, asked):
    with pytest.raises(OrderError) as error:
        parse_order(load_variant(board), "M", text)
    assert str(error.value) == f"{asked} Write one of the abbreviations."


def test_an_abbreviation_of_another_judge_belongs_to_its_province():
    """NOR is Norway, as the classic judges have it, though North Sea begins so."""
    assert str(parse_order(load_variant("standard"), "M", "A SWE - NOR")) == "A SWE - NWY"


def test_no_abbreviation_is_a_word_of_an_order():
    """Else an order could be read in two ways."""
    words = ORDER_WORDS | KIND_WORDS.keys()
    assert not {name for board in built_in_names() for name in load_variant(board).names.exact if name in words}


def test_a_lexicon_is_read_in_linear_time():
    """By processor time: eight times as many provinces with one beginning take about eight times as long."""

    def seconds(count: int) -> float:
        provinces = [Province(f"P{at}", f"Port of Number {at}", "sea") for at in range(count)]
        began = time.process_time()
        names = Names(provinces)
        assert len(names.find("PORT OF")) == count
        assert names.find("PORT NUM 7") == sorted(f"P{at}" for at in range(count) if str(at).startswith("7"))
        return time.process_time() - began

    few = min(seconds(1_000) for _ in range(3))
    assert min(seconds(8_000) for _ in range(2)) < 8 * few * 3 + 0.05


@pytest.mark.parametrize("words", ["", " ", "''", "!?", ". .", "A", "'"])
def test_what_holds_no_letters_is_no_name(words):
    names = load_variant("standard").names
    assert names.find(words) == []
