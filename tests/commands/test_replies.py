"""What emails once said wrongly: each sentence is sought where a letter once brought it, next to the right one."""

import re

import pytest

from tests.commands.deskatwork import DeskAtWork, Posted
from tests.texts import flat

KIM, JO = "kim@example.org", "jo@example.org"
AS_KIM = "SIGNON Mheron gm\n"


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
    assert desk.replies(JO, example).text.startswith("heron has been created. You are its master (GM).")
    assert desk.game("heron").variant == "standard"


def test_square_brackets_in_lists_of_commands_mean_optional_and_nothing_else(desk: DeskAtWork):
    told = desk.replies(JO, "HELP commands").text
    heading = told.partition("Words in [square brackets] are optional.")[0]
    assert heading.splitlines()[0].startswith("Commands") and "every command" not in heading
    listed = told[len(heading) :] + desk.replies(JO, "HELP master").text
    optional = re.findall(r"\[([^]\n]*)\]", listed)
    assert len(optional) > 20
    assert not re.findall(r"\[[^]\n]*\b(?:player|master|observer|anyone|registered)s?\b[^]\n]*\]\s*$", listed, re.M)


def test_the_settings_in_help_hosting_are_all_new_and_earn_no_warning(desk: DeskAtWork) -> None:
    blocks = re.findall(r"(?:^    .*\n)+", desk.would_reply(KIM, "HELP HOSTING").text, re.MULTILINE)
    create, settings = (block.replace("Your Name", "Kim Doe") for block in blocks[:2])
    desk.writes(KIM, create)
    reply = desk.replies(KIM, settings).flat
    assert reply.startswith("4 settings of heron have been changed.")
    assert re.findall("note: (.*?[.])", reply) == ["the comment has been changed."]
