"""Questions: what they tell of people and to whom, of games that have ended, and within 78 columns."""

import random
import time
from datetime import timedelta

import pytest
from sqlmodel import select

from judge.commands.command_table import COMMANDS
from judge.commands.core.command import Place
from judge.games.core.work import Work
from judge.games.life import lifecycle
from judge.games.life.applications import Entrant
from judge.games.life.membership import take_over
from judge.games.orders.filed_orders import FiledOrders
from judge.rules import needs
from judge.rules.board.board_state import BoardState
from judge.rules.selfplay import random_orders
from judge.store import games
from judge.store.engine import transaction
from judge.store.seats import players_of
from judge.store.tables import Person, Phase
from tests.commands.deskatwork import DeskAtWork
from tests.commands.whole_lines import may_be_long
from tests.rows import game_named, open_phase, person_at

QUESTIONS = ("LIST", "LIST heron", "LIST FULL", "STATUS heron", "SUMMARY heron", "HISTORY heron FROM S1901M LINES 9999",
             "MAP heron", "INFO STP heron", "INFO MAO heron", "VERSION")  # fmt: skip


def play(desk: DeskAtWork, phases_to_play: int, seed: int = 1) -> None:
    """So many phases of the game pass, one every three days, with random orders."""
    desk.goes_on(("play", phases_to_play, seed), lambda: _play(desk, phases_to_play, seed))


def _play(desk: DeskAtWork, phases_to_play: int, seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(phases_to_play):
        desk.now += timedelta(days=3)
        with transaction(desk.engine) as session:
            game = game_named(session, "heron")
            phase = games.open_phase(session, game)
            if phase is None:
                return
            book = FiledOrders(session, game, phase)
            for power, need in needs(book.variant, book.position).items():
                orders = random_orders(BoardState(book.variant, book.position), power, need, dice)
                book.give([(str(order), power, order) for order in orders], None, desk.now)
            lifecycle.process(Work(session, desk.services, desk.now), game, phase)
    desk.new_mails()


def test_neither_a_stranger_nor_an_observer_is_shown_an_address_of_a_player(heron):
    asked = "\n".join([*QUESTIONS, "WHOGAME heron", "WHOGAME heron FULL"])
    for before in ("", "OBSERVE heron\n"):
        assert "@example.org" not in heron.would_reply("al@elsewhere.example", before + asked).text


def test_an_observer_s_address_is_for_the_master_alone(heron):
    heron.observes("Al Poe <al@elsewhere.example>", "OBSERVE heron")
    told = heron.replies("france@example.org", "WHOGAME FULL").text
    assert "Al Poe" in told and "al@elsewhere.example" not in told
    assert "Al Poe <al@elsewhere.example>" in heron.replies("kim@example.org", "WHOGAME FULL").text


def test_a_forged_sender_is_a_stranger(tmp_path):
    """What our mail server found forged has no rights by address."""
    desk = DeskAtWork(tmp_path, "", {"JUDGE_MAILBOX_AUTHSERV_ID": "mx.example.org"})
    desk.seat_seven()
    forged = {"Authentication-Results": "mx.example.org; dmarc=fail"}
    assert "@example.org" not in desk.replies("france@example.org", "WHOGAME heron", headers=forged).text
    assert "italy@example.org" in desk.replies("france@example.org", "WHOGAME heron").text


def test_who_came_later_is_told_with_the_phase(heron):
    play(heron, 3)
    heron.writes("italy@example.org", "SIGNON Iheron pwitaly\nRESIGN heron")
    with transaction(heron.engine) as session:
        game = game_named(session, "heron")
        assert players_of(session, game).get("Italy") is None
        name = open_phase(session, game).name
        phase, heron.now = open_phase(session, game), heron.now + timedelta(minutes=5)
        kim = person_at(session, "kim@example.org")
        entrant = Entrant(kim, "kim@example.org", "")
        take_over(Work(session, heron.services, heron.now), game, phase, "Italy", entrant)
    told = heron.replies("al@elsewhere.example", "SUMMARY heron").text
    assert f"Italy:       Italy, until {name}\nItaly:       Kim Doe, from {name}\n" in told
    assert "from S1901M" not in told


def test_list_writes_a_name_with_a_dot_in_one_way(heron):
    told = heron.replies("al@elsewhere.example", "LIST heron").text
    assert told.count("St Petersburg") == 2 and "St. Petersburg" not in told


def test_the_end_names_all_who_played(heron):
    heron.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!\nEJECT France")
    heron.writes("jo@example.org", "REGISTER\nName: Jo Doe\nEND\nSIGNON Fheron sesame")
    heron.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!\nEJECT Italy\nSET DISORDER Italy")
    heron.writes("jo@example.org", "SIGNON Fheron sesame\nRESIGN heron")
    mails = heron.writes("kim@example.org", "SIGNON Mheron gm\nTERMINATE heron")
    told = next(mail.text for mail in mails if "Who played what:" in mail.text)
    rows = ("France:      France, until F1901M", "France:      Jo Doe, from F1901M, until S1902M",
            "Italy:       Italy, until S1902M", "Italy:       in civil disorder at the end")  # fmt: skip
    assert "\n".join(rows[:2]) in told and "\n".join(rows[2:]) in told
    assert "\n".join(rows[:2]) in heron.replies("al@elsewhere.example", "SUMMARY heron").text


@pytest.mark.parametrize("end", ["draw", "terminate"])
def test_a_game_that_was_ended_by_its_people_is_told_as_it_stood(heron, end):
    play(heron, 2)
    before = heron.replies("al@elsewhere.example", "MAP heron").text.partition("* supply center")[2]
    if end == "terminate":
        heron.writes("kim@example.org", "SIGNON Mheron gm\nTERMINATE heron")
    else:
        for power in ("austria", "england", "france", "germany", "italy", "russia", "turkey"):
            heron.writes(f"{power}@example.org", f"SIGNON {power}@heron pw{power}\nSET DRAW")
    told = heron.replies("al@elsewhere.example", "MAP heron").text
    assert told.startswith("The board of heron at its end.")
    assert told.partition("* supply center")[2] == before
    assert "heron: ended." in heron.replies("al@elsewhere.example", "LIST heron").text
    assert "Ended" in heron.replies("al@elsewhere.example", "SUMMARY heron").text
    assert "heron" not in heron.replies("al@elsewhere.example", "LIST").text.partition("judge.")[2]
    assert "(heron.002)" in heron.replies("al@elsewhere.example", "HISTORY heron FROM S1901M").text


def test_history_tells_the_results_as_they_were_mailed(heron):
    play(heron, 12, seed=5)
    began = time.process_time()
    told = heron.replies("al@elsewhere.example", "HISTORY heron FROM S1901M LINES 9999").text
    assert time.process_time() - began < 0.5, "it would be felt by the letters behind"
    with transaction(heron.engine) as session:
        outcomes = [phase.number for phase in session.exec(select(Phase)) if phase.outcome]
    assert len(outcomes) == 12
    for number in outcomes:
        assert f"(heron.{number:03})" in told


def test_no_answer_is_wider_than_78_columns(heron):
    """Also with the longest names, after some years, from the master's seat and a stranger's."""
    play(heron, 12, seed=5)
    with transaction(heron.engine) as session:
        for person in session.exec(select(Person)):
            person.name = f"{person.name} Maria Theresia Walburga Amalia Christina von Habsburg"
            session.add(person)
        game = game_named(session, "heron")
        game.comment = "a game among friends, slow in summer, quick in winter, " * 3
        session.add(game)
    for sender in ("al@elsewhere.example", "kim@example.org", "france@example.org"):
        told = heron.would_reply(sender, "\n".join(QUESTIONS)).text.splitlines()
        assert max(len(line) for line in told if not may_be_long(line)) <= 78


def test_a_question_changes_nothing(heron):
    """Every question of the table may come from anybody, so none of them may change a game."""
    asked = [name for command in COMMANDS if command.place is Place.ANYWHERE for name in command.names]
    assert {"LIST", "STATUS", "WHOGAME", "SUMMARY", "HISTORY", "MAP", "HELP", "GET", "VERSION"} <= set(asked)
    before = heron.phase().model_dump()
    heron.writes("france@example.org", "\n".join([*QUESTIONS, "WHOGAME heron"]))
    assert heron.phase().model_dump() == before


def test_a_list_says_how_to_take_over_a_power(heron: DeskAtWork):
    heron.writes("kim@example.org", "SIGNON Mheron gm\nEJECT Turkey")
    told = heron.replies("jo@example.org", "LIST").flat
    assert "Openings (units/centers): Turkey (3/3). SIGNON Theron <password> takes over Turkey." in told
