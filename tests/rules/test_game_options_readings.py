"""Other published readings of 1900, chosen by the master before the start: the Suez Canal Rules 7 word for word, and
Egypt and Algeria as homes when units are removed without an order.
"""

import json

import pytest

from judge.rules import answer_line, load_variant
from judge.rules.describe import rules_in_words
from judge.rules.game_options import GameOptions, with_house_rules
from judge.rules.variant.variant import variants_folder
from tests.rules.boards import mistakes

USUAL = load_variant("1900")


def answer(readings: list[str], **line: object) -> dict:
    text, good = answer_line(json.dumps({"variant": "1900", "settings": {"readings": readings}, **line}))
    assert good, text
    return json.loads(text)


# An army from Konya to Egypt by a fleet in the East Mediterranean, against an equal army from Cyrenaica.
CONVOY = {
    "phase": "S1901M",
    "units": {"Turkey": ["A PAL"], "Italy": ["F EAS", "A KON"]},
    "orders": {"Turkey": ["A PAL - EGY"], "Italy": ["F EAS C A KON - EGY", "A KON - EGY"]},
}


@pytest.mark.parametrize(("readings", "landed"), [([], []), (["convoys"], ["A EGY"])])
def test_suez_canal_rules_7_word_for_word(readings, landed):
    """ "An army convoyed to Egypt or Hejaz attacks at half strength": also one that does not come around the Cape."""
    assert [unit for unit in answer(readings, **CONVOY)["units"]["Turkey"] if unit == "A EGY"] == landed


def test_that_reading_leaves_armies_convoyed_elsewhere_alone():
    elsewhere = {
        "phase": "S1901M",
        "units": {"Turkey": ["A PAL"], "Italy": ["F EAS", "A EGY"]},
        "orders": {"Turkey": ["A PAL - DAM"], "Italy": ["F EAS C A EGY - DAM", "A EGY - DAM VIA"]},
    }
    for readings in ([], ["convoys"]):
        assert [one["results"] for one in answer(readings, **elsewhere)["orders"]] == [["bounce"], ["ok"], ["bounce"]]


@pytest.mark.parametrize(("readings", "left"), [([], "A SER"), (["removals"], "A ALG")])
def test_egypt_and_algeria_as_homes_in_default_removals(readings, left):
    """1900, Egypt & Algeria, "Minor Rules Change for vDip". France has lost Algeria, where its army stands."""
    out = answer(
        readings,
        phase="W1905A",
        units={"France": ["A ALG", "A SER"]},
        centers={"France": ["SER"]},
    )
    assert out["units"]["France"] == [left]


def test_what_is_chosen_is_told_and_what_may_be_chosen_too():
    offered = " ".join(rules_in_words(USUAL))
    assert "The master can choose before the start: SET READING CONVOYS. An army that is convoyed to Egypt" in offered
    chosen = with_house_rules(USUAL, GameOptions(readings=("convoys", "removals")))
    told = " ".join(rules_in_words(chosen))
    assert "In this game: An army that is convoyed to Egypt or Hejaz attacks at half strength" in told
    assert "An army convoyed to Egypt or Hejaz attacks at half strength, but cuts support" in told
    assert "without such a border" not in told, "the usual reading is not told beside it"


def test_an_unknown_reading_is_refused():
    text, good = answer_line('{"variant": "1900", "phase": "S1900M", "settings": {"readings": ["cape"]}}')
    assert not good and "a list of these: convoys, removals" in text
    text, good = answer_line('{"variant": "standard", "phase": "S1901M", "settings": {"readings": ["convoys"]}}')
    assert not good and "none" in text


def test_mistakes_in_readings_are_found():
    folder = variants_folder() / "1900"
    rules, board = ((folder / name).read_text() for name in ("variant.toml", "provinces.toml"))
    wrong = rules.replace("removals = { near", "removal = { near").replace("convoys]\nsays", "convoys]\nsay")
    wrong = wrong.replace("every_convoy = true", "every_convoy = 1")
    told = [mistake.text for mistake in mistakes(wrong, board)]
    assert "readings.removals: there is no key removal" in told
    assert "readings.convoys: says is missing" in told
    assert "readings.convoys: every_convoy must be true or false" in told
