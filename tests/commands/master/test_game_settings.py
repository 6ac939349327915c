"""What a master sets for a whole game, by letters: several settings in a line, who may, and what it changes."""

from datetime import UTC, datetime

from sqlmodel import select

from judge.games.core.settings import GameSettings, settings_of
from judge.store.engine import transaction
from judge.store.games import game_named
from judge.store.tables import Attendance
from tests.commands.deskatwork import ALL_HOLD, DeskAtWork, Posted
from tests.texts import flat

KIM = "Kim Doe <kim@example.org>"


def settings(desk: DeskAtWork) -> GameSettings:
    game = desk.game()
    return settings_of(game)


def rule(desk: DeskAtWork, text: str) -> list[Posted]:
    return desk.writes(KIM, f"SIGNON Mheron gm\n{text}")


def told(desk: DeskAtWork, text: str) -> str:
    """What the master is answered."""
    return desk.replies(KIM, f"SIGNON Mheron gm\n{text}").flat


def play(desk: DeskAtWork, power: str, text: str) -> list[Posted]:
    return desk.writes(f"{power}@example.org", f"SIGNON {power}@heron pw{power}\n{text}")


def register(desk: DeskAtWork, name: str, then: str = "") -> list[Posted]:
    return desk.writes(f"{name}@example.org", f"REGISTER\nName: {name.title()}\nEND\n{then}")


def to(mails: list[Posted], what: str) -> list[str]:
    """Who gets a mail with these words in its subject."""
    return [mail.to.partition("@")[0] for mail in mails if what in mail.subject]


# --- several settings in a line -----------------------------------------------------------------------------------


def test_everybody_is_told_of_all_changes_of_a_letter_in_one_mail(heron):
    mails = rule(heron, "SET GRACE 24, NONMR, GREY\nSET RETREAT NEXT 12, CENTERS 20")
    (mail,) = [mail for mail in mails if mail.to == "france@example.org"]
    assert [line for line in mail.text.splitlines()[5:] if line] == [
        "Grace is 24 hours in all later phases.",
        "NoNMR: powers still late when grace ends become open to replacements, and the",
        "phase waits.",
        "Press is grey: unsigned.",
        "Retreats NEXT: 12 hours (was 23 hours).",
        "20 centers win (was 18).",
    ]
    now = settings(heron)
    assert (now.move.grace, now.retreat.grace, now.adjust.grace, now.retreat.next) == (24, 24, 24, 12)
    assert (now.nmr, now.grey_press, now.white_press, now.victory) == (False, True, False, 20)


def test_a_comma_inside_of_a_setting_does_not_end_it(heron):
    rule(heron, "SET COMMENT Friendly, no press before Friday, NMR")
    with transaction(heron.engine) as session:
        game = game_named(session, "heron")
        assert game and game.comment == "Friendly, no press before Friday, NMR"
    assert settings(heron).white_press
    answer = told(heron, "SET DEADLINE Fri, 21:00, NODIAS, REMIND 24, 4")
    assert "The deadline of S1901M is now Fri May 8 2026 21:00:00 +0000" in answer
    assert not settings(heron).dias and list(settings(heron).remind) == [24, 4]
    mail = play(heron, "france", "SET DRAW France, Italy")[-1]
    assert "your vote is recorded" in mail.text


# --- how many centers win -----------------------------------------------------------------------------------------


def test_the_game_is_won_with_as_many_centers_as_are_set(heron):
    rule(heron, "SET CENTERS 6")
    play(heron, "russia", "A WAR - UKR; F STP/SC - BOT; F SEV - BLA")
    rule(heron, "PROCESS!")
    play(heron, "russia", "A UKR - RUM; F BOT - SWE")
    assert "(* VICTORY!! *)" in told(heron, "PREDICT")
    mails = rule(heron, "PROCESS!")
    assert len(to(mails, "Victory: Russia")) == 8
    assert "18 centers" not in heron.replies("france@example.org", "LIST heron").text


# --- who sees the game, who is asked ------------------------------------------------------------------------------


def test_a_game_that_is_not_listed_is_shown_to_its_own_people_and_to_who_knows_its_name(heron):
    rule(heron, "SET NOLIST")
    register(heron, "al")
    for question in ("LIST", "LIST FULL"):
        assert "heron" not in heron.replies("al@example.org", question).text
        assert "heron" in heron.replies("france@example.org", question).text
        assert "heron" in heron.replies("kim@example.org", question).text
    assert "not listed" in heron.replies("al@example.org", "LIST heron").flat


# --- quiet --------------------------------------------------------------------------------------------------------


def test_in_a_quiet_game_only_the_master_and_who_is_concerned_are_told(heron):
    heron.observes("watch@example.org", "OBSERVE heron")
    rule(heron, "SET QUIET, NONMR, NO REMIND\nSET GRACE 2026-05-12 23:30")
    for power in ALL_HOLD.keys() - {"turkey", "france"}:
        play(heron, power, ALL_HOLD[power])
    late = heron.ring(datetime(2026, 5, 11, 23, 30, 1, tzinfo=UTC))
    assert to(late, "Late Notice: FT") == ["kim"]
    assert sorted(to(late, "[You are late!] JUDG:heron - S1901M Late Notice: ")) == ["france", "turkey"]
    unnamed = [mail for mail in late if mail.subject.endswith("Late Notice: ?")]
    assert {mail.to.partition("@")[0] for mail in unnamed} == {
        "austria", "england", "germany", "italy", "russia", "watch"
    }  # fmt: skip
    assert all("is waiting for orders from some power." in mail.text for mail in unnamed)
    assert not any("France" in mail.text or "Turkey" in mail.text for mail in unnamed)
    gone = heron.ring(datetime(2026, 5, 12, 23, 30, 1, tzinfo=UTC))
    assert {(mail.to, mail.subject.rpartition(" ")[2]) for mail in gone} == {
        ("kim@example.org", "FT"),
        ("france@example.org", "F"),
        ("turkey@example.org", "T"),
    }
    assert to(play(heron, "france", ALL_HOLD["france"]), "Returning") == ["kim"]
    answer = heron.replies("england@example.org", "LIST heron\nSUMMARY heron\nLIST").flat
    assert "become open to replacements, and the phase waits for them (NoNMR)" in answer, "the rule, in any case"
    answer = answer.replace("become open to replacements", "")
    assert "open" not in answer and "Openings" not in answer and "until" not in answer
    assert "Turkey: 3/3 open" in heron.replies("kim@example.org", "LIST heron").flat


# --- approval -----------------------------------------------------------------------------------------------------


def word_in(mails: list[Posted]) -> str:
    """The word that the mail to the master bears."""
    (mail,) = [mail for mail in mails if mail.to == "kim@example.org" and "Asks to Join" in mail.subject]
    return next(line.split()[1] for line in mail.text.splitlines() if line.strip().startswith("APPROVE"))


def test_a_seat_that_is_open_is_taken_with_the_master_s_approval(heron):
    rule(heron, "SET APPROVAL")
    play(heron, "turkey", "RESIGN heron")
    mails = register(heron, "al", "SIGNON Theron mine\nA CON H")
    assert "asks to play Turkey in heron" in mails[0].flat
    assert "these lines were not read: A CON H." in mails[-1].flat
    other = word_in(register(heron, "bo", "SIGNON Theron hers"))
    mails = heron.writes(KIM, f"APPROVE {word_in(mails)}")
    assert "you play Turkey in heron. Sign on with SIGNON Theron" in flat(
        next(mail.text for mail in mails if mail.subject.endswith("Joining"))
    )
    assert "You act" not in heron.replies("al@example.org", "SIGNON Theron mine\nA CON H").text
    answer = heron.replies(KIM, f"APPROVE {other}").flat
    assert "Bo could not join, and has been notified: Turkey in heron is no longer available." in answer


def test_the_player_of_old_comes_back_without_asking(heron):
    rule(heron, "SET APPROVAL, NONMR, NO REMIND")
    heron.ring(datetime(2026, 5, 11, 23, 30, 1, tzinfo=UTC))
    assert "you play Turkey in heron again" in play(heron, "turkey", "A CON H")[-1].flat


# --- UNSTART ------------------------------------------------------------------------------------------------------


def test_unstart_leaves_nothing_of_the_first_deal(heron):
    play(heron, "france", "A PAR - BUR\nPHASE F1901M\nA BUR - MUN\nSET DRAW")
    play(heron, "italy", "SET IGNORE France")
    play(heron, "turkey", "RESIGN heron")
    rule(heron, "SET DISORDER Turkey\nPAUSE\nUNSTART")
    assert "you ignore no one" in heron.replies("italy@example.org", "SIGNON ?heron pwitaly\nSET IGNORE").flat
    assert "forming" in heron.replies("al@example.org", "LIST heron").text
    assert "has not started" in heron.replies("france@example.org", "SUMMARY heron").text
    assert not settings(heron).disorder and settings(heron).manual_start
    register(heron, "al", "SIGNON ?heron mine")
    rule(heron, "FORCE BEGIN")
    answer = heron.replies("al@example.org", "LIST heron").text
    assert "Al <al@example.org>" in answer and "disorder" not in answer
    for power in ALL_HOLD.keys() - {"turkey"}:
        for mail in heron.writes(f"{power}@example.org", f"SIGNON ?heron pw{power}"):
            assert "You play" in mail.text
    prediction = told(heron, "PREDICT")
    assert "-> Burgundy" not in prediction
    mails = rule(heron, "PROCESS!")
    assert to(mails, "Pending Orders") == []


def test_who_was_late_in_a_game_that_is_unstarted_was_not(heron):
    rule(heron, "SET GRACE 2026-05-12 23:30")
    heron.ring(datetime(2026, 5, 11, 23, 30, 1, tzinfo=UTC))
    with transaction(heron.engine) as session:
        assert len(session.exec(select(Attendance)).all()) == 7
    rule(heron, "UNSTART")
    with transaction(heron.engine) as session:
        assert session.exec(select(Attendance)).all() == []


# --- permanent civil disorder -------------------------------------------------------------------------------------


def without_turkey(desk: DeskAtWork, flags: str = "") -> DeskAtWork:
    play(desk, "turkey", "A CON - BUL\nPHASE F1901M\nA BUL - SER\nRESIGN heron")
    rule(desk, f"SET DISORDER Turkey{flags}")
    return desk


def test_nobody_waits_for_a_power_in_disorder_and_its_units_hold(heron):
    without_turkey(heron, ", NONMR, NO REMIND")
    for power in ALL_HOLD.keys() - {"turkey"}:
        play(heron, power, ALL_HOLD[power])
    mails = heron.ring(heron.now.replace(hour=heron.now.hour + 1))
    (results,) = [mail for mail in mails if mail.to == "kim@example.org"]
    assert "Turkey:  Army Constantinople, No Order Processed." in results.text
    mails = heron.ring(datetime(2026, 5, 30, tzinfo=UTC))
    assert not [mail for mail in mails if "T" in mail.subject.rpartition(": ")[2] and "Notice" in mail.subject]


def test_its_dislodged_units_disband_at_once(heron):
    """The army in Smyrna could retreat to Syria, but nobody is waited for."""
    without_turkey(heron, ", NONMR")
    for russia, italy in (
        ("F SEV - BLA; A MOS - SEV", "F NAP - ION"),
        ("A SEV - ARM", "F ION - AEG"),
        ("A ARM - SMY", "F AEG S A ARM - SMY"),
    ):
        play(heron, "russia", russia)
        play(heron, "italy", italy)
        results = [mail.text for mail in rule(heron, "PROCESS!") if mail.to == "kim@example.org"]
    assert any("The Turkish Army in Smyrna can retreat to Syria." in text for text in results)
    assert any("The Turkish Army in Smyrna had no order and is disbanded." in text for text in results)
    assert "Movement for Fall of 1902" in heron.replies("kim@example.org", "STATUS heron").text


def test_what_cannot_be_set_is_answered_exactly_and_a_players_word_changes_nothing(heron):
    before = settings(heron)
    heron.expects("kim@example.org", "SIGNON Mheron gm\n", {
        "SET GREY, NOSNOW": '"NOSNOW" is not a setting. For a list, send HELP SET.',
        "SET BLACK PRESS": '"BLACK PRESS" is not a setting.',
        "SET WAIT!": "Nothing has changed. Write SET WAIT or SET NOWAIT.",
        "SET RELIABILITY often": "Nothing has changed. Write SET RELIABILITY <percent>.",
        "SET CENTERS 0": "On this board the number to win can be from 1 to 34, not 0.",
        "SET CENTERS 35": "from 1 to 34, not 35.",
        "SET CENTERS 4": "Russia has 4 centers already, so the number to win must be higher.",
        "SET CENTERS 18": "already set, so nothing changed.",
        "SET GRACE 2000": "GRACE 2000: write a number of hours like 72 or 0.5, up to 60 days.",
        "SET DISORDER": "Nothing has changed. Write SET DISORDER <",
    })  # fmt: skip
    play(heron, "france", "SET QUIET, CENTERS 20\nSET GRACE 24\nSET DISORDER Turkey")
    assert settings(heron) == before
