"""Playing without a password: who may, what needs one all the same, and which replies need no SIGNON line."""

import re
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, select

from judge.commands.command_table import COMMANDS
from judge.commands.core.command import Place, Who
from judge.store.engine import reading, transaction
from judge.store.seats import seats_of
from judge.store.tables import BidRow, Mail, OrderRow, Phase
from tests.commands.core.test_permissions import EXAMPLES, written
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.rows import game_named, open_phase, seat_of_power
from tests.texts import searched

FRANCE, GERMANY, KIM = "france@example.org", "germany@example.org", "kim@example.org"
SERVER = {"JUDGE_MAILBOX_AUTHSERV_ID": "mx.example.org", "JUDGE_GAMES_EARLY_DELAY": "600"}
VERIFIED = {"Authentication-Results": "mx.example.org; dmarc=pass header.from=example.org"}
FORGED = {"Authentication-Results": "mx.example.org; dmarc=fail header.from=example.org"}
OF_ANOTHER_SERVER = {"Authentication-Results": "mx.example.net; dmarc=pass header.from=example.org"}
CHOOSE = "SIGNON Fheron pwfrance\nSET PASSWORDLESS ON"
DONE_SO = "This was done without your password."


@pytest.fixture
def heron(tmp_path: Path) -> DeskAtWork:
    """A judge whose mail server checks who wrote a letter; France has chosen to play without the password."""
    desk = DeskAtWork(tmp_path, "", SERVER)
    desk.seat_seven()
    desk.goes_on("France has chosen", lambda: verified(desk, FRANCE, CHOOSE))
    return desk


def verified(desk: DeskAtWork, sender: str, text: str, **how: Any) -> Posted:
    """The reply to a letter that the mail server has verified."""
    return desk.replies(sender, text, **{"headers": VERIFIED, **how})


def orders(desk: DeskAtWork, game: str = "heron", power: str = "France") -> list[str]:
    """What the power has on file for the open phase."""
    with reading(desk.engine) as session:
        phase = open_phase(session, game_named(session, game))
        found = session.exec(select(OrderRow).where(OrderRow.phase_id == phase.id, OrderRow.power == power))
        return sorted(order.text for order in found)


def has_chosen(desk: DeskAtWork, game: str = "heron", power: str = "France") -> bool:
    with reading(desk.engine) as session:
        return seat_of_power(session, game_named(session, game), power).passwordless


def mail_to(desk: DeskAtWork, address: str, subject: str = "") -> str:
    """The Message-ID of the last mail to that address whose subject has these words."""
    with reading(desk.engine) as session:
        mails = session.exec(select(Mail).where(Mail.recipient == address).order_by(col(Mail.id))).all()
        return [mail.message_id for mail in mails if subject in mail.subject][-1]


# Signing on


def test_signon_alone_is_enough_for_orders_wait_clear_and_press(heron: DeskAtWork):
    answer = verified(heron, FRANCE, "SIGNON Fheron\nA PAR - BUR\nSET WAIT\nPRESS TO Germany\nHello\nENDPRESS")
    assert answer.first_line == "2 units without orders: A MAR, F BRE." and orders(heron) == ["A PAR - BUR"]
    assert "WAIT is set" in answer.text and "sent to Germany." in answer.text
    assert DONE_SO in answer.text and "To turn this off, send SET" in answer.text
    assert "1 order taken back" in verified(heron, FRANCE, "SIGNON Fheron\nCLEAR").first_line


def test_bids_need_no_password(tmp_path: Path):
    desk = DeskAtWork(tmp_path, "", SERVER)
    desk.seat_all("swan", "1648")
    power = desk.deal("swan")[0]
    name = re.split(r"\W", power.lower())[0]
    address, letter = f"{name}@example.org", power[0]
    joined = verified(desk, address, f"SIGNON {power}@swan pw{name}\nSET PASSWORDLESS ON")
    letter = searched(r"SIGNON (\w)swan", joined.text)[1]
    verified(desk, address, f"SIGNON {letter}swan\nDP NONE")
    with reading(desk.engine) as session:
        assert [bid.power for bid in session.exec(select(BidRow))] == [power]


@pytest.mark.parametrize("headers", [{}, FORGED, OF_ANOTHER_SERVER], ids=["nothing", "forged", "another server"])
def test_without_proof_of_the_sender_the_password_is_needed(heron: DeskAtWork, headers: dict[str, str]):
    answer = heron.replies(FRANCE, "SIGNON Fheron\nA PAR - BUR", headers=headers)
    assert answer.first_line.startswith("SIGNON Fheron was refused.") and orders(heron) == []
    assert "Write the password after the SIGNON." in answer.text or headers is FORGED


def test_it_is_for_the_player_of_the_seat_alone(heron: DeskAtWork):
    """Another player, an observer, and a stranger are told no more than ever."""
    heron.observes("olly@example.org", "OBSERVE heron")
    for sender in (GERMANY, KIM, "olly@example.org", "al@example.org"):
        answer = verified(heron, sender, "SIGNON Fheron\nA PAR - BUR")
        assert "The password is missing: write SIGNON Fheron <password>." in answer.text
    assert orders(heron) == []


def test_a_wrong_password_is_not_as_good_as_none(heron: DeskAtWork):
    answer = verified(heron, FRANCE, "SIGNON Fheron pwfrence\nA PAR - BUR", answering=mail_to(heron, FRANCE))
    assert "Wrong password for France in heron" in answer.text and orders(heron) == []


def test_a_signed_letter_that_was_written_to_somebody_else_does_nothing(heron: DeskAtWork):
    """A friend who gets it can send it on to the judge, and the signature stays good."""
    planned = "What do you think?\nSIGNON Fheron\nA PAR - BUR"
    for to in (GERMANY, f"Gus <{GERMANY}>, kim@example.org"):
        answer = verified(heron, FRANCE, planned, headers={**VERIFIED, "To": to})
        assert f"An email that is not addressed to {heron.settings.address} needs" in answer.flat
    assert orders(heron) == []
    assert verified(heron, FRANCE, planned, headers={**VERIFIED, "To": f"{GERMANY}, judge+x@example.org"})
    assert orders(heron) == ["A PAR - BUR"]


def test_a_second_to_field_does_not_help(heron: DeskAtWork):
    raw = (
        f"Authentication-Results: {VERIFIED['Authentication-Results']}\nTo: {heron.settings.address}\nFrom: {FRANCE}\n"
        f"To: {GERMANY}\nSubject: my plans\nMessage-ID: <plans@example.org>\n\nSIGNON Fheron\nA PAR - BUR\n"
    )
    heron.receives(raw.replace("\n", "\r\n").encode())
    assert orders(heron) == []


NEEDING = [
    command
    for command in COMMANDS
    if command.place is Place.GAME and command.who & (Who.PLAYER | Who.MASTER) and not command.passwordless
]


def test_all_else_needs_the_password(heron: DeskAtWork):
    with reading(heron.engine) as session:
        before = [seat.model_dump() for seat in seats_of(session, game_named(session, "heron"))]
    done: list[str] = []
    for at in range(0, len(NEEDING), 8):  # a reply has ten remarks
        some = NEEDING[at : at + 8]
        answer = verified(heron, FRANCE, "".join(f"SIGNON Fheron\n{EXAMPLES[written(one)]}\n" for one in some)).flat
        if answer.count("This needs your password: write SIGNON Fheron <password> above it.") != len(some):
            done += map(written, some)
    assert not done
    with reading(heron.engine) as session:
        game = game_named(session, "heron")
        assert [seat.model_dump() for seat in seats_of(session, game)] == before and game.state == "active"


def test_orders_for_a_later_phase_need_the_password_and_do_not_count_for_this_one(heron: DeskAtWork):
    answer = verified(heron, FRANCE, "SIGNON Fheron\nPHASE F1901M\nA PAR - BUR")
    assert "after it were not saved." in answer.flat and orders(heron) == []


def test_each_signon_of_a_letter_is_for_itself(heron: DeskAtWork):
    heron.seat_by_letters("gull", "standard")
    with transaction(heron.engine) as session:
        seats = seats_of(session, game_named(session, "gull"))
        gull = next(seat for seat in seats if seat.address == FRANCE).power
    blocks = f"SIGNON {gull}@gull\nSET WAIT\nSIGNON Fheron\nA PAR - BUR\nSIGNON Fheron no\nCLEAR"
    answer = verified(heron, FRANCE, blocks)
    assert answer.text.count("refused.") == 2 and orders(heron) == ["A PAR - BUR"]


# Choosing it


def test_choosing_it_needs_the_password_from_an_own_address(heron: DeskAtWork):
    answer = heron.replies(GERMANY, "SIGNON Gheron pwgermany\nSET PASSWORDLESS ON")
    assert "has not verified that this email comes from your address" in answer.flat
    assert "The password is missing" in verified(heron, GERMANY, "SIGNON Gheron\nSET PASSWORDLESS ON").text
    answer = verified(heron, KIM, "SIGNON Gheron pwgermany\nSET PASSWORDLESS ON")
    assert "only the player can choose that, from their own address" in answer.flat
    answer = verified(heron, KIM, "SIGNON Mheron gm\nBECOME Germany\nSET PASSWORDLESS ON")
    assert "Only the player of " in answer.text
    assert not has_chosen(heron, power="Germany")
    verified(heron, GERMANY, "SIGNON Gheron pwgermany\nSET PASSWORDLESS")
    assert has_chosen(heron, power="Germany")


def test_ending_it_needs_no_password(heron: DeskAtWork):
    answer = verified(heron, FRANCE, "SIGNON Fheron\nSET PASSWORDLESS OFF")
    assert "every SIGNON needs your password from now on." in answer.text and DONE_SO not in answer.text
    assert "The password is missing" in verified(heron, FRANCE, "SIGNON Fheron\nA PAR - BUR").text
    assert orders(heron) == []


def test_a_newcomer_can_choose_it_in_the_letter_that_joins_and_then_live_by_replies(tmp_path: Path):
    desk = DeskAtWork(tmp_path, "", SERVER)
    verified(desk, KIM, "REGISTER\nName: Kim Doe\nEND\nCREATE ?heron gm")
    for name in ("a", "b", "c", "d", "e", "f"):
        verified(desk, f"{name}@example.org", f"REGISTER\nName: {name.upper()}\nEND\nSIGNON ?heron pw{name}")
    joined = verified(desk, "jo@example.org", "REGISTER\nName: Jo\nEND\nSIGNON ?heron\nSET PASSWORDLESS ON")
    assert "Once the game has started, a reply to an email about the current phase is enough too." in joined.flat
    (start,) = [mail for mail in desk.all_mails() if mail.to == "jo@example.org" and "Starting" in mail.subject]
    power = searched(r"selected as (\w+) in", start.text)[1]
    assert re.search(r"SIGNON \wheron\n", start.text) and "<your password>" not in start.text
    assert "Or just reply to this email with your orders, one per line." in start.text
    form = searched(r"    ([AF] \w\w\w).* \.\.\.\n", start.text)[1]
    answer = verified(desk, "jo@example.org", f"{form} H\n\nOn Monday the judge wrote:\n> {power}",
                      answering=str(start.message["Message-ID"]))  # fmt: skip
    assert DONE_SO in answer.text and orders(desk, power=power) == [f"{form} H"]


def test_in_a_game_that_is_forming_press_needs_no_password(tmp_path: Path):
    desk = DeskAtWork(tmp_path, "", SERVER)
    verified(desk, KIM, "REGISTER\nName: Kim Doe\nEND\nCREATE ?heron gm")
    verified(desk, "jo@example.org", "REGISTER\nName: Jo\nEND\nSIGNON ?heron pwjo\nSET PASSWORDLESS ON")
    answer = verified(desk, "jo@example.org", "SIGNON ?heron\nPRESS TO M\nHello\nENDPRESS\nSET PASSWORD sesame")
    assert "sent to the master." in answer.text and "write SIGNON ?heron <password> above it" in answer.text


def test_a_judge_that_cannot_verify_or_a_keeper_who_does_not_want_it_says_so(tmp_path: Path):
    for folder, settings in (("a", {}), ("b", SERVER | {"JUDGE_GAMES_PASSWORDLESS": "no"})):
        (tmp_path / folder).mkdir()
        desk = DeskAtWork(tmp_path / folder, "", settings)
        desk.seat_seven()
        assert "This judge always needs the password." in verified(desk, FRANCE, CHOOSE).flat
        assert not has_chosen(desk)


def test_a_master_can_have_it_that_all_sign_on_with_passwords(heron: DeskAtWork):
    start = mail_to(heron, FRANCE, "Starting")
    told = heron.writes(KIM, "SIGNON Mheron gm\nSET STRICT PASSWORDS", headers=VERIFIED)
    assert any(mail.to == FRANCE and "Every sign-on needs the password" in mail.text for mail in told)
    assert "always needs the password" in verified(heron, FRANCE, "SIGNON Fheron\nA PAR - BUR").text
    assert "always needs the password" in verified(heron, FRANCE, "A PAR - BUR", answering=start).flat
    assert "<your password>" in verified(heron, FRANCE, "SIGNON Fheron pwfrance").text
    assert orders(heron) == []
    assert "password always needed" in heron.replies("al@example.org", "LIST heron").text
    heron.writes(KIM, "SIGNON Mheron gm\nSET NO STRICT PASSWORDS", headers=VERIFIED)
    verified(heron, FRANCE, "SIGNON Fheron\nA PAR - BUR")
    assert orders(heron) == ["A PAR - BUR"]


# Replies


def test_a_reply_needs_no_signon(heron: DeskAtWork):
    answer = verified(heron, FRANCE, "A PAR - BUR\nWAIT\nThanks!", answering=mail_to(heron, FRANCE, "Starting"))
    assert answer.first_line == "2 units without orders: A MAR, F BRE." and DONE_SO in answer.text
    assert "WAIT is set" in answer.text and "Thanks!" not in answer.text
    again = verified(heron, FRANCE, "a mar - bur", answering=str(answer.message["Message-ID"]))
    assert orders(heron) == ["A PAR - BUR", "a mar - bur"] and "SIGNON Fheron\n" in again.text


def test_a_letter_without_any_order_does_nothing(heron: DeskAtWork):
    for text in ("Thanks!", "Great result, I will think about Paris.", "> A PAR - BUR"):
        answer = verified(heron, FRANCE, text, answering=mail_to(heron, FRANCE))
        assert answer.first_line == "The judge found no command in your email, so nothing was changed."


def test_a_word_that_may_be_meant_for_a_reader_is_no_command(heron: DeskAtWork):
    verified(heron, FRANCE, "SIGNON Fheron\nA PAR - BUR")
    for text in ("Clear.", "clear", "Wait!", "No wait", "Clear all"):
        answer = verified(heron, FRANCE, f"{text}\nA MAR H", answering=mail_to(heron, FRANCE))
        assert orders(heron) == ["A MAR H", "A PAR - BUR"] and "WAIT is set" not in answer.text
        assert f"> {text}" in answer.text


def test_only_lines_that_are_read_as_a_whole_count(heron: DeskAtWork):
    text = "A PAR -\nBUR\nA MAR - SPA, F BRE - foo\nF BRE ...\nF BRE - MAO"
    answer = verified(heron, FRANCE, text, answering=mail_to(heron, FRANCE))
    assert orders(heron) == ["F BRE - MAO"]
    assert '"foo" is not a province.' in answer.text
    assert "> F BRE ...\n  note: not filled in, so it was not read." in answer.text
    below = verified(heron, FRANCE, f"SIGNON Fheron\n{text}")
    assert orders(heron) == ["A PAR - BUR", "F BRE - MAO"] and "left open" not in below.text


def assert_not_done(desk: DeskAtWork, why: str, **how: Any) -> None:
    """Such a letter with an order files nothing, and its sender is told why."""
    answer = verified(desk, FRANCE, **{"text": "A PAR - BUR", **how})
    told = answer.flat
    assert why in told and "Send the email again, with this line above your orders: SIGNON Fheron" in told, told
    assert orders(desk) == [] and max(map(len, answer.text.splitlines())) <= 79


def test_a_mail_about_an_earlier_phase_is_not_answered_with_orders(heron: DeskAtWork):
    start = mail_to(heron, FRANCE, "Starting")
    heron.writes(KIM, "SIGNON Mheron gm\nPROCESS!")
    assert_not_done(
        heron, "Your email replies to an email about S1901M, which has already been processed.", answering=start
    )
    verified(heron, FRANCE, "A PAR - BUR", answering=mail_to(heron, FRANCE, "S1901M Results"))
    assert orders(heron) == ["A PAR - BUR"]


def test_a_mail_about_no_phase_does_not_say_which_one_is_meant(heron: DeskAtWork):
    heron.writes(GERMANY, "SIGNON Gheron pwgermany\nRESIGN heron")
    why = "Your email replies to an email that is not about the current phase."
    assert_not_done(heron, why, answering=mail_to(heron, FRANCE, "Resignation"))


def test_a_mail_that_was_sent_to_another_player_opens_nothing(heron: DeskAtWork):
    """A forwarded mail tells its Message-ID: who gets it so is not taken for the one who got it first."""
    verified(heron, GERMANY, "SIGNON Gheron pwgermany\nSET PASSWORDLESS ON")
    start = mail_to(heron, GERMANY, "Starting")
    assert_not_done(heron, "Your email replies to an email that was sent to someone else.", answering=start)
    for stranger in ("al@example.org", "olly@example.org"):
        verified(heron, stranger, "A MUN - BUR", answering=start)
    assert orders(heron, power="Germany") == []


@pytest.mark.parametrize("headers", [{}, OF_ANOTHER_SERVER], ids=["nothing", "another server"])
def test_a_reply_that_is_not_verified_does_nothing(heron: DeskAtWork, headers: dict[str, str]):
    why = "The judge's mail server has not verified that this email comes from your address."
    assert_not_done(heron, why, answering=mail_to(heron, FRANCE), headers=headers)


def test_a_forged_reply_does_nothing(heron: DeskAtWork):
    heron.writes(FRANCE, "A PAR - BUR", answering=mail_to(heron, FRANCE), headers=FORGED)
    assert orders(heron) == []


def test_a_machine_that_repeats_a_mail_does_nothing(heron: DeskAtWork):
    letter = "I am away. You wrote:\n    SIGNON Fheron\n    A PAR - BUR\n"
    for mark in ({"Auto-Submitted": "auto-replied"}, {"List-Id": "<friends.example.org>"}, {"Precedence": "bulk"}):
        assert heron.writes(FRANCE, letter, answering=mail_to(heron, FRANCE), headers=VERIFIED | mark) == []
    assert orders(heron) == []


def test_the_former_player_of_a_seat_opens_nothing(heron: DeskAtWork):
    start = mail_to(heron, FRANCE, "Starting")
    heron.writes(KIM, "SIGNON Mheron gm\nEJECT France", headers=VERIFIED)
    joined = "REGISTER\nName: Jo\nEND\nSIGNON Fheron sesame\nSET PASSWORDLESS ON"
    confirmation = verified(heron, "jo@example.org", joined)
    assert "a reply to an email about the current phase is enough" in confirmation.flat
    verified(heron, FRANCE, "A PAR - BUR", answering=start)
    verified(heron, FRANCE, "SIGNON Fheron\nA PAR - BUR")
    assert orders(heron) == []
    answer = verified(heron, "jo@example.org", "A PAR - BUR", answering=start)
    assert "sent to someone else" in answer.flat and orders(heron) == []
    verified(heron, "jo@example.org", "A PAR - PIC", answering=str(confirmation.message["Message-ID"]))
    assert orders(heron) == ["A PAR - PIC"]


@pytest.mark.parametrize("line", ["SINON Fheron pwfrance", "SINGON Fheron pwfrance"])
def test_a_signon_that_cannot_be_read_is_not_taken_for_none(heron: DeskAtWork, line: str):
    answer = verified(heron, FRANCE, f"{line}\nA PAR - BUR", answering=mail_to(heron, FRANCE))
    assert orders(heron) == [] and "pwfrance" not in answer.text


def test_a_signon_to_another_game_is_what_counts(heron: DeskAtWork):
    heron.seat_by_letters("gull", "standard")
    power = next(power for power in heron.deal("gull") if power)
    answering = mail_to(heron, FRANCE, "heron")
    answer = verified(heron, FRANCE, f"A PAR - BUR\nSIGNON {power}@gull wrong\nA PAR - PIC", answering=answering)
    assert "Wrong password" in answer.text and orders(heron) == []


def test_a_player_of_two_games_orders_in_the_one_whose_mail_is_answered(heron: DeskAtWork):
    heron.seat_by_letters("gull", "standard")
    with transaction(heron.engine) as session:
        seat = next(seat for seat in seats_of(session, game_named(session, "gull")) if seat.address == FRANCE)
        seat.passwordless, power = True, seat.power
    assert power
    answer = verified(heron, FRANCE, "SET WAIT", answering=mail_to(heron, FRANCE, "gull"))
    assert "Game: gull" in answer.text and f"{power}: no orders yet." in answer.text or "no order" in answer.text
    with reading(heron.engine) as session:
        assert not seat_of_power(session, game_named(session, "heron"), "France").waits
        assert seat_of_power(session, game_named(session, "gull"), power).waits


def test_with_several_seats_in_a_game_a_reply_must_say_which(tmp_path: Path):
    """One person plays all four powers of Red, and takes Blue over."""
    desk = DeskAtWork(tmp_path, "", SERVER)
    desk.seat_all("crane", "intercontinental")
    with transaction(desk.engine) as session:
        seats = [seat for seat in seats_of(session, game_named(session, "crane")) if seat.power]
        mine, other = seats[0], seats[1]
        mine.passwordless, me = True, mine.address
        phase_id = open_phase(session, game_named(session, "crane")).id
    first = verified(desk, me, "SET WAIT", answering=mail_to(desk, me, "Starting"))
    assert DONE_SO in first.text and "Or just reply to this email" in first.text
    with transaction(desk.engine) as session:
        again = session.merge(other)
        again.person_id, again.address = mine.person_id, me
    answer = verified(desk, me, "SET NOWAIT", answering=mail_to(desk, me, "Starting"))
    assert "You have several roles in that game, so say which one you mean" in answer.flat
    signon = searched(r"SIGNON (\w)crane", first.text)[1]
    below = verified(desk, me, f"SIGNON {signon}crane\nSET NOWAIT")
    assert DONE_SO in below.text and "Or just reply" not in below.text
    with reading(desk.engine) as session:
        assert session.get_one(Phase, phase_id).processed_at is None


# Its own text


def test_a_mail_repeated_without_marks_lets_nothing_count(heron: DeskAtWork):
    """The old form below would take the new orders back."""
    old = verified(heron, FRANCE, "SIGNON Fheron\nA PAR - BUR\nA MAR H\nF BRE H")
    text = f"A PAR - PIC\n\n{old.text}"
    answer = verified(heron, FRANCE, text, answering=str(old.message["Message-ID"]))
    assert "repeats one from the judge" in answer.text
    assert orders(heron) == ["A MAR H", "A PAR - BUR", "F BRE H"]


def test_a_mail_quoted_below_or_above_is_not_read(heron: DeskAtWork):
    old = verified(heron, FRANCE, "SIGNON Fheron\nA PAR - BUR\nA MAR H\nF BRE H")
    quoted = "On Mon, 4 May 2026 at 10:00, JUDG <judge@example.org> wrote:\n" + "".join(
        f"> {line}\n" for line in old.text.splitlines()
    )
    answering = str(old.message["Message-ID"])
    verified(heron, FRANCE, f"A PAR - PIC\n\n{quoted}", answering=answering)
    assert orders(heron) == ["A MAR H", "A PAR - PIC", "F BRE H"]
    verified(heron, FRANCE, f"{quoted}\nA PAR - GAS\n", answering=answering)
    assert orders(heron) == ["A MAR H", "A PAR - GAS", "F BRE H"]


def test_the_wrapped_end_of_a_quoted_line_is_no_order(heron: DeskAtWork):
    text = (
        "A MAR H\n> I would be glad if you could move out of my way this spring, with\nA PAR - BUR\n"
        "> and that is all.\nF BRE H"
    )
    answer = verified(heron, FRANCE, text, answering=mail_to(heron, FRANCE))
    assert orders(heron) == ["A MAR H", "F BRE H"]
    assert "> A PAR - BUR\n  note: this may be part of a quoted email, so it was not read." in answer.text


def test_a_long_line_of_press_cannot_be_made_an_order_of_its_reader(heron: DeskAtWork):
    """Its writer knows where mail programs wrap, and that each piece but the first then stands there without a mark."""
    piece = "x" * 30 + " " + "y" * 40
    text = f"Thank you.\n> {piece}\n{piece}\nA PAR - MUN\n\nA MAR H"
    verified(heron, FRANCE, text, answering=mail_to(heron, FRANCE))
    assert orders(heron) == ["A MAR H"]
    answer = verified(heron, FRANCE, f"SIGNON Fheron\nF BRE H\n{text}")
    assert '"A PAR - MUN" may be yours' in answer.flat and orders(heron) == ["A MAR H"]


def test_a_signed_letter_of_an_earlier_phase_is_not_done_again(heron: DeskAtWork):
    heron.writes(KIM, "SIGNON Mheron gm\nPROCESS!")
    early = {**VERIFIED, "Date": "Mon, 04 May 2026 08:30:00 +0000"}
    answer = verified(heron, FRANCE, "SIGNON Fheron\nA PAR - BUR", headers=early)
    assert "was written before F1901M opened" in answer.text and orders(heron) == []
    late = {**VERIFIED, "Date": "Mon, 04 May 2026 10:00:00 +0000"}
    verified(heron, FRANCE, "SIGNON Fheron\nA PAR - BUR", headers=late)
    assert orders(heron) == ["A PAR - BUR"]


# Message-IDs


def test_message_ids_cannot_be_guessed_and_each_reader_has_another(heron: DeskAtWork):
    heron.writes(KIM, "SIGNON Mheron gm\nPROCESS!")
    with reading(heron.engine) as session:
        ids = [mail.message_id for mail in session.exec(select(Mail))]
    secret = [searched(r"(?:\.|<)([0-9a-f]{20})@example\.org>$", one)[1] for one in ids]
    assert len(set(secret)) == len(ids) > 16


def test_press_that_is_not_ended_is_not_sent(heron: DeskAtWork):
    letter = "PRESS TO Germany\nHello\nA PAR - BUR"
    (answer,) = heron.writes(FRANCE, letter, answering=mail_to(heron, FRANCE), headers=VERIFIED)
    assert "a message must end with ENDPRESS on a line of its own." in " ".join(answer.text.split())
    assert orders(heron) == []
