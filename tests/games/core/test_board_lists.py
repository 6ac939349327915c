"""The order of lists: the variant's, in every mail."""

import re
from pathlib import Path

import pytest

from judge.rules import load_variant
from tests.commands.deskatwork import DeskAtWork


@pytest.mark.parametrize("lines", ["WHOGAME swan", "SUMMARY swan", "LIST swan", "STATUS swan", "MAP swan", "start"])
def test_every_list_has_the_variants_order(tmp_path: Path, lines: str) -> None:
    desk = DeskAtWork(tmp_path, "", {})
    desk.seat_all("swan", "intercontinental")
    asked = desk.all_mails() if lines == "start" else [desk.would_reply("blue@example.org", lines)]
    (text,) = [mail.text for mail in asked if lines != "start" or "Starting" in mail.subject and mail.to[:3] == "red"]
    colors = [color.name for color in load_variant("intercontinental").seats]
    told = [*dict.fromkeys(re.findall(rf"^({'|'.join(colors)})\b(?!\(| has)", text, re.MULTILINE))]
    own = ["Red"] if lines == "start" else []
    assert [one for one in told if one not in own] == [one for one in colors if one in told and one not in own]
    assert len(told) == len(colors) or lines == "MAP swan"
    powers = [*dict.fromkeys(re.findall(r"^(British Raj|Algeria|Angola|Argentina|China)\b", text, re.MULTILINE))]
    assert powers in ([], ["British Raj", "Algeria", "Angola", "Argentina", "China"])
