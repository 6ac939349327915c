"""Whatever changes the board under orders on file: what has become impossible goes off the file, its player is told,
and the phase is processed at its deadline.
"""

import ast
import random
from datetime import timedelta
from pathlib import Path

import pytest

from judge.games.core.board import board
from judge.games.orders.bids import read_bid_line
from judge.games.orders.filed_orders import FiledOrders
from judge.rules import legal_orders, needs
from judge.rules.board.board_state import BoardState
from judge.rules.selfplay import random_bids, random_orders
from judge.shell import upkeep
from judge.store.engine import reading, transaction
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.rows import game_named, open_phase

KIM, FAY, GUS = "kim@example.org", "france@example.org", "germany@example.org"
JUDGE = Path(__file__).parents[3] / "judge"


def begun(desk: DeskAtWork, variant: str = "standard") -> DeskAtWork:
    desk.seat_all("swan", variant)
    desk.new_mails()
    return desk


def rules(desk: DeskAtWork, *lines: str) -> list[Posted]:
    return desk.writes(KIM, "\n".join(["SIGNON Mswan gm", *lines]))


def orders(desk: DeskAtWork, power: str, *lines: str) -> str:
    name = power.lower()
    text = desk.replies(f"{name}@example.org", "\n".join([f"SIGNON {power[0]}swan pw{name}", *lines])).text
    assert "not understood" not in text and "not recorded" not in text, text
    return text


def processed_at_its_deadline(desk: DeskAtWork) -> list[Posted]:
    """The mails of the moment in which the game waits no longer; what fails then is raised here."""
    before = desk.phase("swan")
    mails = desk.ring(before.grace_ends_at + timedelta(seconds=1))
    assert desk.phase("swan").number > before.number
    return mails


def told(mails: list[Posted], to: str) -> str:
    """What the game tells somebody, in one line."""
    texts = [mail.text for mail in mails if mail.to == to and mail.message["Auto-Submitted"] != "auto-replied"]
    return " ".join("\n".join(texts).split())


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("CORRECT POSITION Nobody: A PAR", "There is no unit in Paris."),
        ("CORRECT POSITION France: A PAR - PIC", "There is no unit in Paris."),
        ("BORDER REMOVE ARMY PAR - BUR", "Army Paris cannot reach Burgundy."),
    ],
)
def test_an_order_that_a_master_makes_impossible(desk: DeskAtWork, change: str, why: str):
    begun(desk)
    orders(desk, "France", "A PAR - BUR", "A MAR S A PAR - BUR")
    mails = rules(desk, change)
    assert "> A PAR - BUR" in told(mails, FAY) and why in told(mails, FAY)
    assert "> A PAR - BUR" not in told(mails, GUS)
    (answer,) = [mail.text for mail in mails if mail.to == KIM and mail.message["Auto-Submitted"] == "auto-replied"]
    assert "Dropped, because they are no longer possible: " in answer and "of France." in answer
    processed_at_its_deadline(desk)


def test_what_the_keeper_changes(desk: DeskAtWork):
    begun(desk)
    orders(desk, "France", "A PAR - BUR")
    assert desk.keeper_runs(upkeep.do, "swan", ["CORRECT POSITION Nobody: A PAR"]) == 0
    assert "> A PAR - BUR" in told(desk.new_mails(), FAY)
    processed_at_its_deadline(desk)


def test_a_correction_taken_back(desk: DeskAtWork):
    begun(desk)
    rules(desk, "CORRECT POSITION France: A PAR - PIC")
    orders(desk, "France", "A PIC - BEL")
    mails = rules(desk, "ROLLBACK S1901M")
    assert "> A PIC - BEL" in told(mails, FAY)
    processed_at_its_deadline(desk)


def test_a_rollback_to_a_board_that_has_another_border_now(desk: DeskAtWork):
    begun(desk)
    orders(desk, "France", "A PAR - BUR", "A MAR - SPA")
    rules(desk, "PROCESS!")
    rules(desk, "BORDER REMOVE ARMY PAR - BUR")
    mails = rules(desk, "ROLLBACK")
    assert "> A PAR - BUR Army Paris cannot reach Burgundy." in told(mails, FAY)
    assert "its board is no longer as it was then" in told(mails, FAY)
    assert "> A PAR" not in told(mails, GUS) and "no longer as it was" not in told(mails, GUS)
    (answer,) = [mail.text for mail in mails if mail.to == KIM and mail.message["Auto-Submitted"] == "auto-replied"]
    assert "Dropped, because they are no longer possible: 1 order of France." in answer
    assert "Army Marseilles -> Spain." in orders(desk, "France")
    processed_at_its_deadline(desk)


def test_a_rollback_to_before_a_power_became_neutrals(desk: DeskAtWork):
    """1648: the army that others supported then is gone, for good."""
    begun(desk, "1648")
    with reading(desk.engine) as session:
        game = game_named(session, "swan")
        variant, position = board(game, open_phase(session, game))
    power, support = next(
        (power, str(order))
        for power, units in position.units.items() if power not in ("Spain", "Neutral")
        for unit in units
        for order in legal_orders(BoardState(variant, position), unit)
        if any(f" S {theirs}" in str(order) for theirs in position.units["Spain"])
    )  # fmt: skip
    orders(desk, power, support)
    rules(desk, "PROCESS!")
    rules(desk, "EJECT Spain", "SET DISORDER Spain")
    mails = rules(desk, "ROLLBACK S1649M")
    assert "Spain" not in desk.phase("swan").position["units"]
    assert f"> {support}" in told(mails, f"{power.lower()}@example.org")
    processed_at_its_deadline(desk)


def test_an_order_kept_for_a_phase_to_come_is_told_when_that_opens(desk: DeskAtWork):
    begun(desk)
    orders(desk, "France", "PHASE F1901M", "A PAR - BUR", "A MAR - SPA")
    rules(desk, "CORRECT POSITION Nobody: A PAR")
    text = told(processed_at_its_deadline(desk), FAY)
    assert "> A PAR - BUR There is no unit in Paris." in text and "Army Marseilles -> Spain." in text
    processed_at_its_deadline(desk)


def test_the_same_letter_sees_the_orders_that_are_left(desk: DeskAtWork):
    """A master who changes the board and acts for a power in one letter."""
    begun(desk)
    orders(desk, "France", "A MAR - SPA")
    rules(desk, "PROCESS!")
    rules(desk, "CORRECT POSITION France: A SPA - POR")
    orders(desk, "France", "A POR H")
    answers = rules(desk, "CORRECT POSITION Nobody: F BRE", "ROLLBACK F1901M", "BECOME France", "A SPA H")
    (answer,) = [mail.text for mail in answers if mail.to == KIM and mail.message["Auto-Submitted"] == "auto-replied"]
    assert "Army Spain HOLD." in answer
    processed_at_its_deadline(desk)


def test_a_group_in_civil_disorder_leaves_neither_orders_nor_bids(desk: DeskAtWork):
    """Nor do they come back with a rollback."""
    begun(desk, "intercontinental")
    with transaction(desk.engine) as session:
        game = game_named(session, "swan")
        book = FiledOrders(session, game, open_phase(session, game))
        seat = next(iter(book.variant.seat_named))
        dice = random.Random(1)
        bids = random_bids(book.variant, book.position, dice)[seat]
        book.bids.give(seat, [read_bid_line(f"DP {bid.points}: {bid.order}") for bid in bids], None, desk.now)
        asked = needs(book.variant, book.position)
        for power in book.variant.powers_of(seat):
            given = random_orders(BoardState(book.variant, book.position), power, asked[power], dice)
            book.give([(str(order), power, order) for order in given], None, desk.now)
        assert book.given(seat) and book.bids.given(seat)
    rules(desk, f"EJECT {seat}", "PROCESS!")
    rules(desk, f"SET DISORDER {seat}")
    for command in ("STATUS", "ROLLBACK"):
        rules(desk, command)
        with reading(desk.engine) as session:
            game = game_named(session, "swan")
            book = FiledOrders(session, game, open_phase(session, game))
            assert book.given(seat) == [] and book.bids.given(seat) == []


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["standard", "1648", "colonia"])
def test_a_game_whose_board_is_changed_all_the_time_is_never_held(desk: DeskAtWork, variant: str):
    """Everybody orders something random, their master changes something random, again and again."""
    begun(desk, variant)
    dice = random.Random(variant)
    dropped = 0
    for _ in range(3):
        everybody_orders(desk, dice)
        for _ in range(3):
            mails = rules(desk, *random_change(desk, dice))
            dropped += sum("Dropped, because they are no longer possible" in mail.text for mail in mails)
        assert rules(desk, "PROCESS!")[-1].to == KIM
    assert dropped


def everybody_orders(desk: DeskAtWork, dice: random.Random) -> None:
    with transaction(desk.engine) as session:
        game = game_named(session, "swan")
        book = FiledOrders(session, game, open_phase(session, game))
        for power, need in needs(book.variant, book.position).items():
            given = random_orders(BoardState(book.variant, book.position), power, need, dice)
            book.give([(str(order), power, order) for order in given], None, desk.now)
        for power, bids in random_bids(book.variant, book.position, dice).items():
            lines = [read_bid_line(f"DP {bid.points}: {bid.order}") for bid in bids]
            book.bids.give(power, lines, None, desk.now)


def random_change(desk: DeskAtWork, dice: random.Random) -> list[str]:
    with reading(desk.engine) as session:
        game = game_named(session, "swan")
        variant, position = board(game, open_phase(session, game))
    (owner, unit), (other, second) = dice.sample(
        [(power, unit) for power, units in position.units.items() for unit in units], 2
    )
    province = variant.provinces[unit.province]
    ways = province.army if unit.kind == "A" else province.fleet[unit.place.partition("/")[2]]
    there = sorted(ways) or [unit.place]
    what = "ARMY" if unit.kind == "A" else "FLEET"
    center = dice.choice([abbr for abbr, place in variant.provinces.items() if place.center])
    return dice.choice([
        [f"CORRECT POSITION Nobody: {unit}"],
        [f"CORRECT POSITION {owner}: {unit} - {dice.choice(there)}"],
        ["CORRECT POSITION", f"Nobody: {unit}", f"Nobody: {second}", f"{owner}: {unit.kind} {second.place}",
         f"{other}: {second.kind} {unit.place}", "END"],
        [f"CORRECT POSITION {owner}: {center}"],
        [f"BORDER REMOVE {what} {unit.place} - {dice.choice(there)}"],
        ["ROLLBACK"],
    ])  # fmt: skip


def test_one_function_changes_the_position_of_a_phase_under_way():
    """All others go through it, and so through what drops impossible orders."""
    writing = {
        f"{path.relative_to(JUDGE)}:{function.name}"
        for path in JUDGE.rglob("*.py")
        for function in ast.walk(ast.parse(path.read_text()))
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Attribute) and target.attr == "position" and getattr(target.value, "id", "") != "self"
    }
    assert writing == {"games/life/corrections.py:set_board"}


TURKEY = "SIGNON Theron pwturkey\nA CON - BUL\nA SMY - CON\nF ANK - BLA\nPHASE F1901M\nA BUL - SER"


def test_orders_and_lines_that_civil_disorder_took_back_are_valid_again_after_it(heron: DeskAtWork) -> None:
    heron.writes("turkey@example.org", TURKEY)
    heron.writes(KIM, "SIGNON Mheron gm\nEJECT Turkey\nSET DISORDER Turkey")
    assert "Constantinople -> Bulgaria" not in heron.would_reply(KIM, "SIGNON Mheron gm\nSTATUS").flat
    mails = heron.writes(KIM, "SIGNON Mheron gm\nSET NO DISORDER Turkey")
    assert "Orders that it had on file for S1901M are valid again." in mails[0].flat
    heron.writes(KIM, "SIGNON Mheron gm\nPROCESS!")
    assert "Turkey: Army Bulgaria -> Serbia." in heron.replies(KIM, "SIGNON Mheron gm\nSTATUS").flat


def test_a_correction_gives_no_orders_back_to_a_power_in_civil_disorder(heron: DeskAtWork) -> None:
    heron.writes("turkey@example.org", TURKEY)
    heron.writes(KIM, "SIGNON Mheron gm\nEJECT Turkey\nSET DISORDER Turkey\nCORRECT POSITION\nFrance: F BRE - MAO\nEND")
    heron.writes(KIM, "SIGNON Mheron gm\nPROCESS!")
    assert "Turkey: Army Constantinople." in heron.replies(KIM, "SIGNON Mheron gm\nSTATUS").flat
    heron.writes(KIM, "SIGNON Mheron gm\nPROCESS!")
    assert "Turkey: Army Constantinople." in heron.replies(KIM, "SIGNON Mheron gm\nSTATUS").flat
