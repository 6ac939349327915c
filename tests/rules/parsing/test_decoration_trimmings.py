"""Orders as people write them to each other: in bold, behind bullets, in sentences, side by side, with comments."""

import pytest

from judge.rules import OrderError, format_order, load_variant, looks_like_order
from judge.rules.board.phase import PhaseKind
from judge.rules.parsing import vocabulary
from judge.rules.parsing.lines import readings
from tests.texts import listed, table

STANDARD = load_variant("standard")
VARIANTS = ("1648", "1900", "ambition_empire", "build_anywhere", "colonia", "intercontinental", "standard")
# Words that stand only behind a unit, or that are taken away only where a line is no order with them.
ANY = vocabulary.ANY_HOLD | vocabulary.ANY_MOVE | vocabulary.ANY_SUPPORT | vocabulary.ANY_CONVOY
WORDS = ANY - vocabulary.ORDER_WORDS | {"INTO"}


def read(text: str, phase_kind: PhaseKind = "M", variant: str = "standard", seat: str = "France") -> list[str]:
    """The orders of a line in normal form; "?" for one that cannot be read."""
    found = readings(load_variant(variant), seat, phase_kind, text)
    return ["?" if isinstance(one, OrderError) else format_order(one.order) for one in found]


@pytest.mark.parametrize(
    "line",
    listed("""
        *A PAR - PIC*
        **A PAR - PIC**
        ***A PAR - PIC***
        _A PAR - PIC_
        __A PAR - PIC__
        `A PAR - PIC`
        A **PAR** - *PIC*
        *A PAR* - *PIC*
        *A* _PAR_ - `PIC`
        A PAR - PIC*
        *A PAR - PIC
        "A PAR - PIC"
        ▪ A PAR - PIC
        ◦ A PAR-PIC
        ‣ A PAR - PIC
        ➢A PAR - PIC
        § A PAR - PIC
        · A PAR - PIC
        a) A PAR - PIC
        (b) A PAR - PIC
        1.) A PAR - PIC
        1: A PAR - PIC
        (3) A PAR - PIC
        1.A PAR-PIC
        b. A PAR - PIC
        f. A PAR - PIC
        1. A PAR - PIC
        1) A PAR - PIC
        12. A PAR - PIC
        - A PAR - PIC
        * A PAR - PIC
        • A PAR - PIC
        – A PAR - PIC
        - - A PAR - PIC
        -A PAR - PIC
        -> A PAR - PIC
        [x] A PAR - PIC
        - [x] **A PAR - PIC**
        1 - A PAR - PIC
        ☑ A PAR - PIC
        ⚔️ A PAR - PIC
        [1] A PAR - PIC
        A PAR too PIC
        A PAR two PIC
        Army Paris moves too Picardy
        **A PAR - PIC**: secures the border
        **A PAR - PIC:** keeps England out, and Germany
        1. *A PAR - PIC* : so that it holds.
        **A PAR → PIC** – secures the border
        - *A PAR - PIC* -- secures the border
        1️⃣ A PAR - PIC
        🇫🇷 A PAR - PIC
        1st: A PAR - PIC
        2nd. A PAR - PIC
        | A PAR | - PIC |
        | A PAR | - | PIC |
        \\- A PAR \\- PIC
        A PAR &rarr; PIC
        А PAR - РIС
        A PAR - PIC<sup>1</sup>
        A PAR - PIC^1
        A PAR - PIC¹
        A PAR ― PIC
        A PAR − PIC
        A PAR – PIC
        A PAR — PIC
        A PAR ‐ PIC
        A PAR ‑ PIC
        A PAR ~> PIC
        A PAR → PIC
        A PAR ⇒ PIC
        A PAR => PIC
        A PAR -> PIC
        A PAR ==> PIC
        A PAR into PIC
        Army Paris moves into Picardy
        Army Paris marches to Picardy
        A PAR heads for PIC
        A PAR goes to PIC
        A PAR attacks on PIC
        A PAR enters Picardy
        A PAR to move to PIC
        A PAR moves from Paris to Picardy
        Move A PAR to PIC
        The army in Paris moves to Picardy
        My army in Paris will go to Picardy
        please A PAR - PIC
        Please move A PAR to PIC
        A PAR - PIC please
        A PAR - PIC, please!
        A PAR - PIC, thank you
        And A PAR - PIC
        Then, please, A PAR - PIC
        Bitte A PAR - PIC
        A PAR - PIC (to annoy England, I hope)
        A PAR - PIC (the old plan)
        A PAR - PIC # the old plan
        A PAR - PIC // the old plan
        **A PAR - PIC** (sic)
        A PAR - PIC.
        A PAR - PIC!"""),
)
def test_an_order_is_read_through_its_trimmings(line: str):
    assert looks_like_order(STANDARD, line)
    assert read(line) == ["A PAR - PIC"]


@pytest.mark.parametrize(
    "line",
    [
        "❌ A PAR - PIC",
        "⛔ A PAR - PIC",
        "🚫A PAR - PIC",
        "A PAR - PIC ❌",
        "A PAR - PIC ⛔️",
        "A PAR - PIC 🚫 no",
        "A PAR - PIC ❓",
        "**A PAR - PIC** – unless England objects",
        "**A PAR - PIC** – A MAR H",
        "❓ A PAR - PIC",
        "| A PAR | A PIC |",
        "1st A PAR",
        "From Paris with love to Picardy",
        "A PAR PIC too",
        "A PAR - PIC two",
        "two A PAR PIC",
        "**A PAR - PIC**: unless England objects",
        "**A PAR - PIC**: A MAR H",
        "**A PAR - PIC**: holds, A MAR - SPA",
        "**A PAR - PIC**: or to BUR?",
        "**A PAR - PIC**: rejected",
        "**Option A**: A PAR - PIC",
        "A PAR - PIC: secures the border",
        "From Paris to Picardy it is one step",
    ],
)
def test_what_forbids_or_asks_is_no_trimming(line: str):
    assert read(line) != ["A PAR - PIC"]


@pytest.mark.parametrize(
    ("line", "order"),
    table("""
        Fleet Brest sails to MAO      => F BRE - MAO
        F BRE to hold                 => F BRE H
        Hold F BRE                    => F BRE H
        F BRE stays                   => F BRE H
        ➢ F BRE stays (for now)       => F BRE H
        A MAR to support A PAR to BUR => A MAR S A PAR - BUR
        A MAR helps A PAR into BUR    => A MAR S A PAR - BUR
        F NTH carries A LON to NWY    => F NTH C A LON - NWY
        **F MAO** - _SPA/SC_          => F MAO - SPA/SC"""),
)
def test_more_words_for_what_a_unit_does(line: str, order: str):
    assert looks_like_order(STANDARD, line)
    assert read(line) == [order]


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        *table("""
            A PAR - BUR and A MAR H                     => A PAR - BUR; A MAR H
            A PAR - BUR & A MAR - SPA + F BRE - MAO     => A PAR - BUR; A MAR - SPA; F BRE - MAO
            A PAR to Burgundy and Marseilles to Spain   => A PAR - BUR; MAR - SPA
            A PAR - BUR A MAR S A PAR - BUR F BRE - MAO => A PAR - BUR; A MAR S A PAR - BUR; F BRE - MAO
            A PAR - BUR. A MAR H. F BRE - MAO.          => A PAR - BUR; A MAR H; F BRE - MAO
            A PAR - LOM and A MAR H                     => ?; A MAR H
            A LON - BEL via NTH and ENG and A PAR H     => A LON - BEL VIA; A PAR H
            A PAR - BUR? A MAR H                        => ?; A MAR H
            A PAR - BUR, and A MAR H                    => A PAR - BUR; A MAR H
            1. A PAR - BUR 2. A MAR H 3. F BRE - MAO    => A PAR - BUR; A MAR H; F BRE - MAO
            1) Paris-Burgundy 2) Marseilles-Spain       => PAR - BUR; MAR - SPA
            • A PAR - BUR • A MAR H • F BRE - MAO       => A PAR - BUR; A MAR H; F BRE - MAO
            My orders: A PAR - BUR, A MAR H             => A PAR - BUR; A MAR H
            Here are my orders: A PAR - BUR and A MAR H => A PAR - BUR; A MAR H
            I would like to move A PAR to BUR.          => A PAR - BUR
            MOVE A PAR BUR                              => A PAR - BUR
            *A PAR - BUR*, F BRE - ENG; **A MAR H**     => A PAR - BUR; F BRE - ENG; A MAR H"""),
        ("A PAR-BUR / A MAR-SPA / F BRE-MAO", "A PAR - BUR; A MAR - SPA; F BRE - MAO"),
    ],
)
def test_orders_side_by_side(line: str, orders: str):
    assert read(line) == orders.split("; ")


def test_one_word_for_several_builds():
    assert read("Build A PAR and F BRE", "A") == ["BUILD A PAR", "BUILD F BRE"]
    assert read("REMOVE A PAR, F BRE", "A") == ["REMOVE A PAR", "REMOVE F BRE"]
    assert read("BUILD A PAR, REMOVE F BRE, A MAR", "A") == ["BUILD A PAR", "REMOVE F BRE", "REMOVE A MAR"]


@pytest.mark.parametrize(
    "line",
    listed("""
        A PAR - BUR (if England attacks)
        A PAR - BUR (or PIC)
        A PAR S A MAR (- BUR)
        A PAR S A MAR (BUR)
        A PAR S A MAR (to BUR)
        A PAR S A MAR (moving to BUR)
        (A PAR - BUR)
        A PAR - BUR (A MAR H)
        A PAR - BUR or A PAR - PIC
        A PAR - BUR if A MUN - BUR
        A PAR S A MAR (hold)
        Attack A PAR
        Move A PAR
        Hold A PAR - BUR
        A PAR - BUR?
        A PAR H ?"""),
)
def test_what_could_mean_another_order_is_not_read(line: str):
    assert "?" in read(line) and len(read(line)) == 1


@pytest.mark.parametrize(
    "line",
    listed("""
        # A PAR - BUR
        ~~A PAR - BUR~~
        I please you and A friend
        please support me, A friend in Paris
        Please a friend told me to go there
        The army in Paris moves me
        And so on
        Please help me
        And a friend of mine likes Paris
        My fleet is strong
        Thank you for the game
        ***
        -----
        I like Paris
        I want to go to Spain with my fleet
        We would like a draw
        These are my orders"""),
)
def test_a_sentence_is_no_order(line: str):
    assert not looks_like_order(STANDARD, line)


def test_the_new_words_begin_no_province():
    for name in VARIANTS:
        assert not [word for word in WORDS if load_variant(name).names.find(word)]


@pytest.mark.parametrize(("variant", "word", "place"), [("intercontinental", "FOR", "Form"), ("colonia", "ON", "ONT")])
def test_a_word_for_towards_may_also_begin_a_province(variant: str, word: str, place: str):
    board = load_variant(variant)
    here = next(iter(board.provinces))
    assert read(f"A {here} moves {word}", variant=variant, seat=board.seats[0].name) == [f"A {here} - {place}"]


@pytest.mark.parametrize(
    "line",
    listed("""
        GB A Live - Edin
        GB: A Live - Edin
        GB. A Live - Edin
        GB - A Live - Edin
        GB-A Live-Edin
        GB > A Live - Edin
        GB) A Live - Edin
        (GB) A Live - Edin
        [GB] Army Live - Edin
        Great Britain - A Live - Edin
        Great Britain = A Live - Edin
        British - A Live - Edin
        | GB | A Live | - Edin |
        Britain's A Live - Edin
        A Live - Edin (GB)
        A Live - Edin (Great Britain)"""),
)
def test_a_power_may_be_named_in_any_way_before_an_order_of_a_group(line: str):
    assert read(line, variant="intercontinental", seat="Blue") == ["A Live - Edin"]
    assert looks_like_order(load_variant("intercontinental"), line)


@pytest.mark.parametrize(
    "line",
    listed("""
        GB REMOVE F Engl
        GB - REMOVE F Engl
        (GB) REMOVE F Engl
        Britain removes F Engl
        Great Britain removed F Engl"""),
)
def test_a_power_may_be_named_in_any_way_before_a_winter_order_of_a_group(line: str):
    assert read(line, "A", "intercontinental", "Blue") == ["REMOVE F Engl"]
    assert looks_like_order(load_variant("intercontinental"), line)


@pytest.mark.parametrize(
    "line",
    listed("""
        Great Britain holds
        GREAT BRITAIN HOLD
        Britain: hold
        GB: all units hold
        Britain units hold
        Great Britain hold all.
        Cape Colony holds"""),
)
def test_a_power_that_holds_is_all_its_units_but_a_province_is_its_unit(line: str):
    board = load_variant("intercontinental")
    assert looks_like_order(board, line)
    assert read(line, variant="intercontinental", seat="Blue") == read("All hold", variant="intercontinental")
    assert read("Cape holds", variant="intercontinental", seat="Blue") == ["Cape H"]


@pytest.mark.parametrize("line", ["So a fleet in Brest would help", "Us a treaty", "It a pity", "GB and I agree"])
def test_letters_of_powers_are_words_too(line: str):
    assert not looks_like_order(load_variant("intercontinental"), line)


@pytest.mark.parametrize("line", ["US - A Wash H", "(US) A Wash H", "United States = A Wash H"])
def test_a_sign_after_the_name_of_a_power_is_a_colon(line: str):
    (mistake,) = readings(load_variant("intercontinental"), "Blue", "M", line)
    assert str(mistake) == "You do not play United States."


def test_words_after_an_order_are_no_heading():
    (mistake,) = readings(load_variant("standard"), "France", "M", "A PAR - PIC: move to Picardy")
    assert str(mistake) == 'There are other words after "A PAR - PIC". Write the order only.'
