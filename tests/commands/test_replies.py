"""What emails once said wrongly: each sentence is sought where a letter once brought it, next to the right one."""

import re
from datetime import timedelta

import pytest

from tests.commands.deskatwork import ALL_HOLD, DeskAtWork, Posted
from tests.texts import flat

KIM, FRANCE, JO = "kim@example.org", "france@example.org", "jo@example.org"
AS_KIM = "SIGNON Mheron gm\n"
EJECT_ALL = "\n".join(f"EJECT {name}@example.org" for name in ALL_HOLD)


def read(mail: Posted) -> str:
    """What its reader sees, in the text and on the page."""
    return f"{mail.flat} {flat(re.sub(r'<[^>]*>', ' ', mail.page))}"


@pytest.mark.parametrize("line", ["DEADLINE Fri May 8 21:00", "GRACE Thu May 14 21:00", "DEADLINE Wed May 20 21:00"])
def test_a_deadline_or_grace_that_is_moved_is_never_said_to_have_ended(heron: DeskAtWork, line):
    heron.writes(KIM, f"{AS_KIM}SET GRACE 24\nSET GRACE Wed May 13 21:00")
    mails = heron.writes(KIM, f"{AS_KIM}SET {line}")
    told = [read(mail) for mail in mails if "Adjustment" in mail.subject]
    assert len(told) == 7  # the master has the reply
    for text in told:
        assert re.search(r"\(The (deadline|end of grace) was \w{3} May 1[13]", text)
        assert not re.search(r"\b(it|grace|deadline) (has )?ended\b", text, re.IGNORECASE)


@pytest.mark.parametrize(("variant", "powers"), [("standard", 1), ("intercontinental", 4)])
def test_only_players_are_selected_and_told_what_they_play(desk: DeskAtWork, variant, powers):
    desk.writes(KIM, f"REGISTER\nName: Kim\nEND\nCREATE ?heron gm {variant}")
    desk.writes(JO, "REGISTER\nName: Jo\nEND")
    desk.observes(JO)
    for number in range(len(desk.deal("heron"))):
        desk.writes(f"p{number}@example.org", f"REGISTER\nName: Pat{number}\nEND\nSIGNON ?heron secret")
    starts = {mail.to: read(mail) for mail in desk.all_mails() if "Game Starting" in mail.subject}
    players = [text for to, text in starts.items() if to not in (KIM, JO)]
    assert len(players) >= 7 and all("You have been selected as " in text for text in players)
    played = [text.partition("selected as ")[2].partition(".")[0] for text in players]
    assert all(one.count(",") == max(0, powers - 2) for one in played)
    for to, right in {KIM: "You are the master of heron.", JO: "You are observing heron."}.items():
        assert right in starts[to]
        assert "selected" not in starts[to] and "you play" not in starts[to].lower()


def test_the_example_in_help_variants_creates_a_game_as_it_is_printed(desk: DeskAtWork):
    desk.writes(JO, "REGISTER\nName: Jo\nEND")
    (example,) = re.findall(r"^    CREATE .*$", desk.replies(JO, "HELP VARIANTS").text, re.MULTILINE)
    assert desk.replies(JO, example).text.startswith("heron has been created; you are its master (GM).")
    assert desk.game("heron").variant == "standard"


def test_grace_is_advised_for_the_phases_that_lack_it_and_for_no_other(heron: DeskAtWork):
    def notes(lines: str) -> str:
        told = heron.would_reply(KIM, AS_KIM + lines).text
        return flat(" ".join(re.findall(r"^  note: .*(?:\n  .*)*", told, re.MULTILINE)))

    assert "without grace, late players lose their power at once. SET GRACE 48 helps." in notes("SET NONMR")
    partly = notes("SET MOVE GRACE 48\nSET NONMR")
    assert "without grace in retreats and adjustments" in partly and "MOVE" not in partly
    cured = notes("SET MOVE GRACE 48\n" + "\n".join(re.findall(r"SET \w+ GRACE 48", partly)) + "\nSET NONMR")
    assert "grace" not in cured
    assert "grace" not in notes("SET GRACE 48\nSET NONMR")
    assert "late players" not in notes("SET NONMR\nSET GRACE 48")
    assert "late players" not in notes("SET NMR\nSET GRACE 24")


def test_a_wrong_password_of_the_master_is_said_to_be_the_masters(heron: DeskAtWork):
    reply = heron.replies(KIM, "SIGNON Mheron wrong").flat
    assert "Wrong password for the master of heron." in reply
    assert "power" not in reply and "do not match" not in reply


@pytest.mark.parametrize("command", ["RESIGN", "TERMINATE"])
def test_a_game_that_was_named_is_not_asked_for_again(heron: DeskAtWork, command):
    heron.seat_seven("crane")
    sender, seat = (KIM, "Mcrane gm") if command == "TERMINATE" else (FRANCE, "Fcrane pwfrance")
    reply = heron.replies(sender, f"SIGNON {seat}\n{command} heron").flat
    assert "Nothing has changed: you are signed on to crane, not heron." in reply
    assert "name the game" not in reply
    assert "you have to name the game" in heron.replies(sender, f"SIGNON {seat}\n{command}").flat


def test_square_brackets_in_lists_of_commands_mean_optional_and_nothing_else(desk: DeskAtWork):
    told = desk.replies(JO, "HELP commands").text
    heading = told.partition("Words in [square brackets] are optional.")[0]
    assert heading.splitlines()[0].startswith("Commands") and "every command" not in heading
    listed = told[len(heading) :] + desk.replies(JO, "HELP master").text
    optional = re.findall(r"\[([^]\n]*)\]", listed)
    assert len(optional) > 20
    assert not re.findall(r"\[[^]\n]*\b(?:player|master|observer|anyone|registered)s?\b[^]\n]*\]\s*$", listed, re.M)


AS_FRANCE = "SIGNON Fheron pwfrance\n"
TOLD = " All players have been notified."


# Of each letter to heron what is said, and what is not: after `before`, who writes, and the lines.
@pytest.mark.parametrize(("before", "sender", "lines", "said", "not_said"), [
    ("EJECT Turkey", KIM, "CORRECT ORDERS Turkey: A CON H", f"have been changed.{TOLD}", "gets the new orders"),
    ("EJECT Turkey", KIM, "CORRECT ORDERS\nTurkey: A CON H\nFrance: A PAR H\nEND",
     "notified, and the player of France gets the new orders.", "players get"),
    ("", KIM, "CORRECT ORDERS\nItaly: A ROM H\nFrance: A PAR H\nEND",
     "notified, and the players of France and Italy get the new orders.", "player gets"),
    ("EJECT Turkey", FRANCE, "PRESS TO Turkey\nHello.\nENDPRESS", "No one else plays Turkey. Nothing was sent.",
     "no one else in"),
    ("EJECT Turkey", FRANCE, "PRESS TO T, O\nHello.\nENDPRESS", "No one else plays Turkey or observes the game.",
     "in the game"),
    ("", FRANCE, "PRESS TO France\nHello.\nENDPRESS", "You would be its only reader.", "no one else"),
    ("", KIM, "PRESS TO M\nHello.\nENDPRESS", "No one else is the master.", "in the game"),
    ("", KIM, "SET DEADLINE 2020-01-01", "2020-01-01 is more than two years ago", "away"),
    ("", KIM, "SET DEADLINE 2030-01-01", "2030-01-01 is more than two years away", "ago"),
    ("", KIM, "SET MOVE NEXT 0", "a phase has to last a minute or more", "more than 0"),
    ("", KIM, "SET MOVE NEXT 0.001", "a phase has to last a minute or more", "hours (was"),
    ("", FRANCE, "A PAR - XXX, A MAR - YYY\nF BRE - ZZZ", "2 lines not understood.", "3 lines"),
    ("", FRANCE, "PHASE F1901M\nA PAR - XXX, A MAR - YYY\nF BRE - ZZZ", "2 lines refused.", "3 lines"),
    ("", FRANCE, "A PAR - XXX\nA PAR - XXX", "2 lines not understood.", "1 line"),
    ("", JO, "SIGNON Mheron gm\nSTATUS", "a copy has gone to the master's own address", "the player's"),
    ("", JO, "SIGNON Fheron pwfrance\nSTATUS", "a copy has gone to the player's own address", "the master's"),
    ("TERMINATE heron", FRANCE, "INFO PLAYER italy@example.org", "is not in a current game with you", "share no game"),
    ("EJECT Turkey\nSET DISORDER Turkey", FRANCE, "INFO CON", "Builds: no one", "Turkey, while"),
    ("", FRANCE, "INFO CON", "Builds: Turkey, while it owns the center", "no one"),
    ("SET QUIET\nEJECT Turkey\nSET DISORDER Turkey", FRANCE, "INFO CON", "Builds: Turkey, while", "no one"),
    ("", KIM, "PAUSE", f"To restart it, send RESUME.{TOLD}", "and all"),
    *((EJECT_ALL, KIM, line, said, "notified") for line, said in {
        "PAUSE": "heron is now paused.", "SET DEADLINE 2026-06-01": "has been changed.", "UNSTART": "is forming again",
        "SET NONMR, GREY": "2 settings of heron have been changed.", "CORRECT POSITION Italy: A GAS": "corrected.",
        "SET DISORDER Turkey": "Turkey is in civil disorder.", "BORDER REMOVE ARMY PAR - BUR": "has been corrected",
        "SET START 2026-06-01": "So the deadline moves to it",
        "CORRECT ORDERS France: A PAR H": "have been changed."}.items()),
])  # fmt: skip
def test_each_half_of_a_sentence_is_true(
    heron: DeskAtWork, before: str, sender: str, lines: str, said: str, not_said: str
) -> None:
    if before:
        heron.goes_on(before, lambda: heron.writes(KIM, AS_KIM + before))
    signon = {KIM: AS_KIM, FRANCE: AS_FRANCE}.get(sender, "") if not lines.startswith("INFO PLAYER") else ""
    reply = heron.would_reply(sender, signon + lines).flat
    assert said in reply
    assert not_said not in reply


def test_the_settings_in_help_hosting_are_all_new_and_earn_no_warning(desk: DeskAtWork) -> None:
    blocks = re.findall(r"(?:^    .*\n)+", desk.would_reply(KIM, "HELP HOSTING").text, re.MULTILINE)
    create, settings = (block.replace("Your Name", "Kim Doe") for block in blocks[:2])
    desk.writes(KIM, create)
    reply = desk.replies(KIM, settings).flat
    assert reply.startswith("4 settings of heron have been changed.")
    assert re.findall("note: (.*?[.])", reply) == ["the comment has been changed."]


def test_press_to_all_reaches_observers_and_says_how_to_leave_them_out(heron: DeskAtWork) -> None:
    written = f"{AS_FRANCE}PRESS TO ALL%s\nHello.\nENDPRESS"
    assert "observers" not in heron.would_reply(FRANCE, written % "").flat
    heron.observes(JO)
    assert "and 1 observer. To leave observers out, write PRESS TO ALL BUT O." in heron.would_reply(
        FRANCE, written % "").flat  # fmt: skip
    assert "observer" not in heron.would_reply(FRANCE, written % " BUT O").flat


def test_bids_are_kept_from_observers(desk: DeskAtWork) -> None:
    desk.seat_all("swan", "1648")
    desk.observes(JO, "OBSERVE swan")
    assert (
        "Only the master can read all bids, and each player their own."
        in desk.would_reply(JO, "HISTORY swan BIDS").flat
    )


def test_who_resigns_for_somebody_has_not_left_themselves(heron: DeskAtWork) -> None:
    assert heron.would_reply(JO, f"{AS_FRANCE}RESIGN heron").flat.startswith("France has left heron.")
    assert heron.would_reply(FRANCE, f"{AS_FRANCE}RESIGN heron").flat.startswith("You have left heron.")
    heron.writes(KIM, f"{AS_KIM}EJECT France")
    taken = heron.would_reply(FRANCE, AS_FRANCE).flat
    assert "You no longer play France in heron; another player can now take over." in taken


def test_a_full_game_says_what_it_waits_for_and_not_for_0_players(desk: DeskAtWork) -> None:
    desk.writes(KIM, "REGISTER\nName: Kim Doe\nEND\nCREATE ?heron gm\nSET MANUALSTART, UNMODERATED")
    for number in range(7):
        desk.writes(f"p{number}@example.org", f"REGISTER\nName: Pat{number}\nEND\nSIGNON ?heron secret")
    asks = ("STATUS ALL", "STATUS heron", "SIGNON ?heron secret")

    def told() -> list[str]:
        week = next(mail.flat for mail in desk.ring(desk.now + timedelta(days=8)) if mail.to == "p1@example.org")
        return [week, *(desk.would_reply("p1@example.org", ask).flat for ask in asks)]

    desk.writes(JO, "REGISTER\nName: Jo\nEND")
    full = "heron is full. It will start when "
    assert [text for text in told() if f"{full}its master sends FORCE BEGIN." not in text] == []
    assert f"{full}its master" in desk.would_reply(JO, "SIGNON ?heron pw").flat
    desk.writes(KIM, f"{AS_KIM}EJECT {KIM}")
    assert [text for text in told() if f"{full}each of its players has sent FORCE BEGIN." not in text] == []
    assert "0 more" not in desk.would_reply(JO, "LIST").flat
    asked = desk.would_reply("p1@example.org", "SIGNON ?heron secret\nFORCE BEGIN").flat
    assert "this needs the word of 6 other players." in asked


def test_civil_disorder_is_said_to_hold_units_only_where_there_are_any(desk: DeskAtWork) -> None:
    for game, variant in (("heron", "standard"), ("swan", "1648")):
        desk.seat_all(game, variant)
        desk.writes(KIM, f"SIGNON M{game} gm\nEJECT Turkey\nSET DISORDER Turkey")
    assert "Turkey is in permanent civil disorder: its units hold." in desk.would_reply(FRANCE, "STATUS heron").flat
    assert "Turkey is in permanent civil disorder. " in desk.would_reply(FRANCE, "STATUS swan").flat


def test_who_has_two_places_is_not_two_people(heron: DeskAtWork) -> None:
    heron.writes(KIM, f"{AS_KIM}EJECT Turkey")
    heron.writes(KIM, "SIGNON Theron pwkim")
    reply = heron.would_reply(KIM, f"{AS_KIM}EJECT {KIM}").flat
    assert "kim@example.org has 2 places in heron. Name the power" in reply


def test_a_master_who_takes_wait_back_reads_no_more_than_is_so(heron: DeskAtWork) -> None:
    heron.writes(KIM, f"{AS_KIM}SET MANUALPROCESS")
    assert heron.would_reply(KIM, f"{AS_KIM}SET NO WAIT").flat.startswith("You no longer hold up S1901M.")
