"""What people and games may not be called, forged CREATEs, and several seats from one domain."""

from tests.commands.deskatwork import DeskAtWork

KIM, EVE = "kim@example.org", "eve@evil.example"
OURS = {"JUDGE_MAILBOX_AUTHSERV_ID": "mx.example.org", "JUDGE_GAMES_OPEN_GAMES": "2"}


def verified(address: str) -> dict[str, str]:
    return {"Authentication-Results": f"mx.example.org; dmarc=pass header.from={address.rpartition('@')[2]}"}


def test_a_name_that_looks_like_another_in_one_alphabet(desk: DeskAtWork):
    desk.writes(KIM, "REGISTER\nName: Capa\nEND")
    assert desk.replies(EVE, "REGISTER\nName: Сара\nEND").first_line == "REGISTER was refused."  # noqa: RUF001
    assert "change your name" in desk.replies(KIM, "REGISTER\nName: capa\nEND").first_line


def test_an_observers_name_is_no_office(heron: DeskAtWork):
    heron.observes("Judge Keeper <eve@evil.example>")
    assert "Judge Keeper" not in heron.replies(KIM, "WHOGAME heron").text


def test_forged_games_use_up_nothing_of_what_their_victim_may_create(tmp_path):
    desk = DeskAtWork(tmp_path, "", OURS)
    desk.writes(KIM, "REGISTER\nName: Kim\nEND", headers=verified(KIM))
    desk.writes(KIM, "CREATE ?one x\nCREATE ?two x\nCREATE ?three x")
    answer = desk.replies(KIM, "CREATE ?four gm\nCREATE ?five gm\nCREATE ?six gm", headers=verified(KIM))
    assert "four has been created" in answer.text and "five has been created" in answer.text
    assert "which is the limit" in answer.flat


def test_who_signs_on_with_a_password_has_proved_it_too(desk: DeskAtWork):
    desk.writes(KIM, "REGISTER\nName: Kim\nEND\nCREATE ?heron gm")
    limit = desk.settings.open_games
    desk.writes(KIM, "".join(f"CREATE ?game{number} x\n" for number in range(limit)))
    assert "which is the limit" in desk.replies(KIM, "CREATE ?crane gm").flat
    assert "crane has been created" in desk.replies(KIM, "SIGNON Mheron gm\nCREATE ?crane gm").text


def test_seats_that_are_taken_from_one_domain_are_told_to_the_master(desk: DeskAtWork):
    desk.writes(KIM, "REGISTER\nName: Kim\nEND\nCREATE ?heron gm")
    told = []
    for number in range(3):
        mails = desk.writes(f"eve{number}@evil.example", f"REGISTER\nName: Eve {number}x\nEND\nSIGNON ?heron pw")
        told.append([mail.flat for mail in mails if "One Domain" in mail.subject and mail.to == KIM])
    # Once an hour.
    assert [len(mails) for mails in told] == [0, 1, 0]
    assert "2 places" in told[1][0] and "evil.example" in told[1][0] and "eve1@evil.example" in told[1][0]


def test_games_are_not_called_like_words_of_commands(desk: DeskAtWork):
    taken = (
        "m", "M", "f", "all", "to", "from", "judge", "list", "press", "signon", "help", "set", "status", "france",
        "Turkey", "master", "observer", "endif", "end", "wait", "phase", "process",
    )  # fmt: skip
    desk.expects(KIM, "REGISTER\nName: Kim\nEND\nCREATE ?", {
        **{f"{game} gm": f'A game cannot be called "{game.lower()}"' for game in taken},
        **{f"{game} gm": f"{game} has been created" for game in
           ("heron", "allies", "m2", "1901", "judgement", "marshal")},
    })  # fmt: skip


def test_names_that_others_would_take_for_somebody_else_are_refused_and_others_are_not(desk: DeskAtWork):
    desk.writes(KIM, "REGISTER\nName: Kim Doe\nEND")
    refused = (
        "Judge Keeper", "The Keeper", "Judge", "The Judge", "Game Master", "master", "GM", "Moderator", "JUDG",
        "the keeper of this judge", "Јudge Keeper", "Ｊｕｄｇｅ", "K\u200beeper", "Postmaster",  # noqa: RUF001
        "Kіm Doe", "Кim Doe", "Kim D\u043ee", "КІМ Doe", "Kιm Doe",  # noqa: RUF001
    )  # fmt: skip
    taken = (
        "Kim Doe", "Kim Dow", "Judge Dredd", "Иван Петров", "Jürgen Müller", "Ελένη", "José O'Brien", "Сара", "李小龍",
        "Kim Doe II", "Masterson", "Ivan Иванов",
    )  # fmt: skip
    desk.expects(EVE, "REGISTER\nName: ", {
        **{f"{name}\nEND": "REGISTER was refused." for name in refused},
        **{f"{name}\nEND": "You are registered" for name in taken},
    })  # fmt: skip


def test_signs_of_addresses_are_left_out_of_names(desk: DeskAtWork):
    for written, name in (("Jo <jo@x.example>", "Jo jo x.example"), ("@Jo", "Jo"), ("J<>o Roe", "J o Roe")):
        answer = desk.would_reply(KIM, f"REGISTER\nName: {written}\nEND").flat
        assert f"registered, {name}." in answer and "left out of your name" in answer, answer
    assert "left out" not in desk.would_reply(KIM, "REGISTER\nName: Jo\nEND").flat
    assert "was refused" in desk.would_reply(KIM, "REGISTER\nName: <@>\nEND").flat


def test_lines_of_the_form_that_are_not_stored_are_named(desk: DeskAtWork) -> None:
    told = desk.replies(
        "jo@example.org", "REGISTER\nName: Jo Roe\nPassword: hush4\nCountry: Norway\nTime zone: Oslo\nEND"
    )
    assert "You are registered, Jo Roe." in told.flat and "Timezone: Europe/Oslo" in told.flat
    assert "These lines were left out: Password: ****, Country: Norway." in told.flat
