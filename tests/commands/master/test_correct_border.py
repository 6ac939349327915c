"""BORDER: who may, when, who is told, what becomes of orders on file, and that other games keep their board."""

from pathlib import Path

from tests.commands.deskatwork import DeskAtWork

KIM, FAY = "kim@example.org", "france@example.org"
POWERS = ("austria", "england", "france", "germany", "italy", "russia", "turkey")


def rules(desk: DeskAtWork, *lines: str, game: str = "heron") -> str:
    return desk.replies(KIM, "\n".join([f"SIGNON M{game} gm", *lines])).text


def orders(desk: DeskAtWork, *lines: str) -> str:
    return desk.replies(FAY, "\n".join(["SIGNON Fheron pwfrance", *lines])).text


def test_everybody_is_told_observers_too(heron: DeskAtWork):
    heron.observes("otto@example.org", "OBSERVE heron")
    mails = heron.writes(KIM, "SIGNON Mheron gm\nBORDER ADD FLEET BAL - SKA")
    told = [mail for mail in mails if mail.subject == "JUDG:heron - S1901M Border Corrected"]
    assert len({mail.to for mail in told}) == 9
    assert all("Fleets can move between Baltic Sea [BAL] and Skagerrak [SKA]." in mail.text for mail in told)


def test_a_border_can_be_corrected_while_the_game_is_forming_and_the_start_mail_tells_it(desk: DeskAtWork):
    desk.writes(KIM, "REGISTER\nName: Kim Doe\nEND\nCREATE ?heron gm standard")
    for number in range(6):
        desk.writes(f"p{number}@example.org", f"REGISTER\nName: P{number}\nEND\nSIGNON ?heron secret")
    mails = desk.writes(KIM, "SIGNON Mheron gm\nBORDER REMOVE ARMY PAR - BUR")
    news = [mail for mail in mails if mail.subject == "JUDG:heron - Border Corrected"]
    assert len({mail.to for mail in news}) == 7
    assert all("Armies cannot move between Burgundy [BUR] and Paris [PAR]." in mail.flat for mail in news)
    starts = desk.writes("p6@example.org", "REGISTER\nName: P6\nEND\nSIGNON ?heron secret")
    starts = [mail for mail in starts if "Game Starting" in mail.subject]
    assert len(starts) == 8
    for mail in starts:
        told = "The board of this game has been corrected: Armies cannot move between Burgundy [BUR] and Paris [PAR]. "
        assert told in mail.flat


def test_players_may_not_even_in_a_game_without_a_master(tmp_path: Path):
    """What falls with a border would tell them of the orders of others."""
    desk = DeskAtWork(tmp_path, "", {"JUDGE_GAMES_CREATOR_IS_MASTER": "no"})
    desk.writes(KIM, "REGISTER\nName: Kim Doe\nEND\nCREATE ?heron gm standard")
    said = desk.replies(KIM, "SIGNON ?heron gm\nSET NO PARTIAL\nBORDER ADD FLEET BAL - SKA").text
    assert "Press goes to everyone in the game" in said and "BORDER is for a master, and heron has none." in said


def test_a_complete_phase_waits_again_for_who_loses_an_order(heron: DeskAtWork):
    for power in POWERS:
        letter = power[0].upper()
        signon = f"SIGNON {letter}heron pw{power}"
        on_file = heron.replies(f"{power}@example.org", f"{signon}\nSTATUS").text.splitlines()
        units = [line.partition(": ")[2].partition(",")[0] for line in on_file if "no order (will HOLD)" in line]
        heron.writes(f"{power}@example.org", "\n".join([signon, *(f"{unit} H" for unit in units)]))
    orders(heron, "A PAR - BUR")
    phase = heron.phase()
    assert phase.due_at and phase.due_at < phase.deadline_at
    mails = heron.writes(KIM, "SIGNON Mheron gm\nBORDER REMOVE ARMY PAR - BUR")
    assert heron.phase().due_at == heron.phase().grace_ends_at
    notices = {mail.to: mail.text for mail in mails if "Border Corrected" in mail.subject}
    assert "> A PAR - BUR\n  Army Paris cannot reach Burgundy." in notices.pop(FAY)
    assert not [text for text in notices.values() if "cannot get" in text]


def test_the_border_counts_in_the_adjudication_the_prediction_and_the_results_told_again(heron: DeskAtWork):
    assert "Fleets can move between" in rules(heron, "BORDER ADD FLEET Brest - Irish Sea")
    assert "Orders complete." not in orders(heron, "F BRE - IRI")
    assert "France:  Fleet Brest -> Irish Sea." in rules(heron, "PREDICT")
    rules(heron, "PROCESS! S1901M")
    assert "IRI  Irish Sea                   Fleet" in heron.replies(KIM, "MAP heron").text
    assert "France:  Fleet Brest -> Irish Sea." in heron.replies(KIM, "HISTORY heron FROM S1901M").text
    rules(heron, "ROLLBACK")
    assert "Fleet Brest -> Irish Sea." in orders(heron)


def test_other_games_have_the_board_of_the_variant(heron: DeskAtWork):
    heron.seat_seven("gull")
    rules(heron, "BORDER ADD FLEET BAL - SKA")
    assert "Skagerrak [SKA]" in heron.replies(KIM, "INFO BAL heron").text
    assert "Skagerrak [SKA]" not in heron.replies(KIM, "INFO BAL gull").text
    for question in ("STATUS", "LIST", "MAP", "GET MAP"):
        assert "corrected" not in heron.replies(KIM, f"{question} gull").text.lower()
