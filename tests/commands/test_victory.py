"""A game with neutrals is won by mail: by so many centers, and more than anybody else has."""

from datetime import timedelta
from functools import partial

import pytest

from judge.rules import load_variant
from tests.commands.deskatwork import DeskAtWork, Posted


def after_fall(desk: DeskAtWork, variant: str, owned: dict[str, int]) -> list[Posted]:
    """The mails after a Fall in which these powers own so many centers."""
    desk.seat_all("swan", variant)
    centers = sorted(load_variant(variant).centers)
    taken = {power: [centers.pop() for _ in range(number)] for power, number in owned.items()}
    units = {power: [f"A {next(filter(partial(inland, variant), own))}"] for power, own in taken.items()}
    desk.lay(f"F{desk.phase('swan').name[1:]}", "swan", units=units, centers=taken)
    desk.new_mails()
    return desk.ring(desk.now + timedelta(days=10))


def inland(variant: str, center: str) -> bool:
    return load_variant(variant).provinces[center].kind == "land"


@pytest.mark.parametrize(("variant", "enough"), [("1648", 18), ("ambition_empire", 15)])
def test_so_many_centers_win(desk, variant, enough):
    mails = after_fall(desk, variant, {"France": enough, "Spain": enough - 1})
    assert "\n\nFrance has won swan.\n\n" in mails[0].text
    assert {mail.subject.rpartition(" ")[2] for mail in mails} == {"Results", "France"}


@pytest.mark.parametrize(("variant", "enough"), [("1648", 18), ("ambition_empire", 15)])
def test_if_two_are_level_the_game_goes_on(desk, variant, enough):
    mails = after_fall(desk, variant, {"France": enough, "Spain": enough})
    assert not any("won" in mail.text for mail in mails)
    assert "The next phase of 'swan' will be" in mails[-1].text
