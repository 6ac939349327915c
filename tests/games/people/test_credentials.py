"""Wrong passwords: who sends too many for a game is not listened to for an hour, and locks nobody else out."""

from datetime import timedelta

import pytest
from sqlmodel import select

from judge.games.people.credentials import MOST, MOST_FOR_SEAT, MOST_OF_DOMAIN, TOLD_AFTER, WINDOW
from judge.store.engine import reading
from judge.store.tables import Event, WrongPassword
from tests.commands.deskatwork import DeskAtWork

pytestmark = pytest.mark.slow

FAY, EVE = "france@example.org", "eve@example.org"
NO = "Wrong password for"
SHUT = "so no password from there is accepted until"


def says(desk: DeskAtWork, sender: str, text: str, **how: object) -> str:
    return desk.replies(sender, text, **how).flat


def guess(desk: DeskAtWork, sender: str, times: int, target: str = "Fheron") -> None:
    for number in range(times):
        assert NO in says(desk, sender, f"SIGNON {target} guess{number}")


def test_after_too_many_even_the_right_password_is_not_tried(heron: DeskAtWork):
    guess(heron, EVE, MOST)
    began = heron.now
    said = says(heron, EVE, "SIGNON Fheron pwfrance\nA PAR - BUR")
    assert f"{MOST} wrong passwords for heron from eve@example.org" in said
    shut = f"{SHUT} Mon May 4 2026 {began - timedelta(minutes=MOST - 1) + WINDOW:%H:%M}:00 +0000."
    assert f"{shut} For a new password, send FORGOT heron" in said
    assert "Burgundy" not in said


def test_a_stranger_locks_no_player_out_whatever_address_they_write(heron: DeskAtWork):
    guess(heron, EVE, MOST)
    assert "Army Paris -> Burgundy." in says(heron, FAY, "SIGNON Fheron pwfrance\nA PAR - BUR")
    # The player's own address, forged: nothing tells it apart on a judge whose mail server verifies nobody.
    # Six of these are answered within an hour, and the others together.
    for number in range(MOST + 3):
        heron.writes(FAY, f"SIGNON Fheron guess{number}")
    assert "Army Paris -> Picardy." in says(heron, FAY, "SIGNON Fheron pwfrance\nA PAR - PIC")


def test_a_player_guesses_no_other_seat(heron: DeskAtWork):
    guess(heron, FAY, MOST, "Gheron")
    assert SHUT in says(heron, FAY, "SIGNON Gheron pwgermany\nA MUN - BUR")
    assert SHUT in says(heron, FAY, "SIGNON Mheron gm")
    assert "2 units without orders" in says(heron, FAY, "SIGNON Fheron pwfrance\nA PAR - PIC")


def test_another_game_and_another_address_are_counted_for_themselves(heron: DeskAtWork):
    heron.writes("kim@example.org", "CREATE ?gull gm")
    guess(heron, EVE, MOST)
    assert "signed on to gull" in says(heron, EVE, "SIGNON Mgull gm\nSET COMMENT x")
    assert "signed on to heron" in says(heron, "eva@example.org", "SIGNON Mheron gm\nSET COMMENT x")


def test_a_letter_full_of_guesses_ends_after_a_few_of_them_even_from_the_address_of_the_player(heron: DeskAtWork):
    lines = [f"SIGNON Fheron guess{number}" for number in range(20)]
    said = says(heron, FAY, "\n".join([*lines, "SIGNON Fheron pwfrance", "A PAR - BUR"]))
    assert said.count(NO) == MOST and "Burgundy" not in said
    with reading(heron.engine) as session:
        assert len(session.exec(select(WrongPassword)).all()) == MOST
        (event,) = session.exec(select(Event).where(Event.kind == "wrong passwords")).all()
    assert event.text == f"{MOST} from {FAY}"


def test_a_forged_address_has_no_seat_of_its_own(heron: DeskAtWork, tmp_path):
    other = DeskAtWork(tmp_path / "other", "", {"JUDGE_MAILBOX_AUTHSERV_ID": "mx.example.org"})
    other.seat_seven()
    forged = {"Authentication-Results": "mx.example.org; dmarc=fail header.from=example.org"}
    for number in range(MOST):
        assert NO in says(other, FAY, f"SIGNON Fheron guess{number}", headers=forged)
    assert SHUT in says(other, FAY, "SIGNON Fheron pwfrance", headers=forged)
    assert "3 units without orders" in says(other, FAY, "SIGNON Fheron pwfrance\nSET NOWAIT")


def test_the_old_password_of_a_seat_that_nobody_holds_is_guessed_no_better(heron: DeskAtWork):
    heron.writes("kim@example.org", "SIGNON Mheron gm\nSET NONMR")
    heron.ring(heron.now + timedelta(days=60))
    for number in range(MOST):
        assert "You are not registered yet" in says(heron, EVE, f"SIGNON Fheron guess{number}")
    assert SHUT in says(heron, EVE, "SIGNON Fheron pwfrance")
    assert "you play France in heron again" in says(heron, FAY, "SIGNON Fheron pwfrance")


def test_the_password_of_a_game_that_forms_is_guessed_no_better(desk: DeskAtWork):
    desk.writes("kim@example.org", "REGISTER\nName: Kim\nEND\nCREATE ?heron gm\nSIGNON ?heron mine")
    lines = [f"SIGNON ?heron guess{number}" for number in range(9)]
    said = says(desk, "kim@example.org", "\n".join([*lines, "SIGNON ?heron mine"]))
    assert said.count("with another password") == MOST and "6 more players needed" not in said


def test_what_is_old_is_forgotten(heron: DeskAtWork):
    guess(heron, EVE, MOST)
    heron.now += 2 * WINDOW
    guess(heron, EVE, 1)
    with reading(heron.engine) as session:
        assert len(session.exec(select(WrongPassword)).all()) == 1


def tries(desk: DeskAtWork, sender: str, target: str = "Fheron", times: int = 1) -> list[str]:
    """What becomes of so many guesses, one in a letter."""
    return [says(desk, sender, f"SIGNON {target} {sender}{number}") for number in range(times)]


def tried(answers: list[str]) -> int:
    return sum(NO in answer for answer in answers)


def test_guesses_from_many_addresses_of_one_domain_are_counted_together(heron: DeskAtWork):
    answers = [answer for number in range(6) for answer in tries(heron, f"eve{number}@evil.example", times=4)]
    assert tried(answers) == MOST_OF_DOMAIN
    assert f"{MOST_OF_DOMAIN} wrong passwords for France in heron from evil.example" in answers[20]
    assert SHUT in says(heron, "eve99@evil.example", "SIGNON Fheron pwfrance")


def test_a_players_right_password_works_from_anywhere_else(heron: DeskAtWork):
    for number in range(MOST_OF_DOMAIN + 2):
        tries(heron, f"eve{number}@evil.example")
    assert "Army Paris -> Burgundy." in says(heron, FAY, "SIGNON Fheron pwfrance\nA PAR - BUR")
    assert "Army Paris -> Picardy." in says(heron, "fay@work.example", "SIGNON Fheron pwfrance\nA PAR - PIC")
    # Another seat of the same game, even from there.
    assert "Army Munich -> Ruhr." in says(heron, "gus@evil.example", "SIGNON Gheron pwgermany\nA MUN - RUH")


def test_strangers_from_many_domains_are_slowed_for_the_seat_and_its_player_never(heron: DeskAtWork):
    heron.writes("fay@second.example", f"I AM ALSO {FAY}")
    (token,) = {mail.text.split("CONFIRM ")[1].split()[0] for mail in heron.all_mails() if "CONFIRM " in mail.text}
    heron.writes(FAY, f"CONFIRM {token}")
    heron.now += timedelta(days=31)
    answers = [says(heron, f"eve@evil{number}.example", "SIGNON Fheron guess") for number in range(MOST_FOR_SEAT + 2)]
    assert tried(answers) == MOST_FOR_SEAT
    assert f"{MOST_FOR_SEAT} wrong passwords for France in heron from addresses of strangers" in answers[-1]
    assert "If you play it, sign on from your own address" in answers[-1]
    for address in (FAY, "fay@second.example"):
        assert "2 units without orders" in says(heron, address, "SIGNON Fheron pwfrance\nA PAR - BUR")
    heron.now += WINDOW
    assert "Army Paris -> Picardy." in says(heron, "fay@work.example", "SIGNON Fheron pwfrance\nA PAR - PIC")


def test_tags_make_no_other_mailbox(heron: DeskAtWork):
    for number in range(MOST):
        assert tried(tries(heron, f"eve+{number}@evil.example"))
    assert f"{MOST} wrong passwords for heron from eve@evil.example" in tries(heron, "eve+x@evil.example")[0]


def test_the_holder_is_told_after_ten_guesses_however_slowly_they_come(heron: DeskAtWork):
    heron.new_mails()
    for number in range(TOLD_AFTER):
        heron.now += timedelta(hours=3)
        assert not [mail for mail in heron.new_mails() if "Wrong Passwords" in mail.subject]
        mails = heron.writes(f"eve@evil{number}.example", "SIGNON Fheron guess")
    (told,) = [mail for mail in mails if "Wrong Passwords" in mail.subject]
    assert (told.to, told.subject) == (FAY, "JUDG:heron - Wrong Passwords for Your Seat")
    assert "Someone has tried 10 wrong passwords for your place in heron" in told.text
    assert "SIGNON Fheron <your password>" in told.text
    assert "evil" not in told.text


def test_the_holder_is_told_once_a_day_of_all_that_came(heron: DeskAtWork):
    heron.new_mails()
    told = []
    for number in range(70):
        heron.now += timedelta(minutes=25)
        mails = heron.writes(f"eve@evil{number}.example", "SIGNON Mheron guess")
        told += [mail.text.split()[3] for mail in mails if "Wrong Passwords" in mail.subject]
    assert told == ["10", "56"]


def test_what_players_mistype_themselves_is_told_to_nobody_and_slows_no_stranger(heron: DeskAtWork):
    heron.new_mails()
    for _ in range(6):
        heron.now += WINDOW
        assert tried(tries(heron, FAY, times=MOST)) == MOST
    assert not [mail for mail in heron.all_mails() if "Wrong Passwords" in mail.subject]
    assert "Army Paris -> Picardy." in says(heron, "fay@work.example", "SIGNON Fheron pwfrance\nA PAR - PIC")
