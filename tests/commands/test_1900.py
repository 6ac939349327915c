"""1900 by letter: its rules on request, the way around the cape on the map, the winter of an emergency."""

from datetime import timedelta

import pytest

from tests.commands.deskatwork import DeskAtWork
from tests.texts import flat

KIM = "kim@example.org"
RUSSIA = "russia@example.org"
SIGNON = "SIGNON Rheron pwrussia\n"


@pytest.fixture
def heron(desk: DeskAtWork) -> DeskAtWork:
    """Game heron, of 1900, in its first Spring."""
    desk.seat_seven(variant="1900")
    desk.new_mails()
    return desk


def winter(desk: DeskAtWork, *centers: str) -> None:
    """It is the winter of 1901; Russia has two armies, and these centers."""
    desk.lay("W1901A", units={"Russia": ["A UKR", "A GAL"]}, centers={"Russia": list(centers)})


def test_the_rules_on_request_fit_on_a_phone(heron: DeskAtWork):
    text = heron.replies(KIM, "GET 1900").text
    assert "A  Austria-Hungary: A BUD, A TRI, A VIE\nB  Britain:         F EDI, F EGY, F GIB, F LON\n" in text
    assert "borders on Egypt and\nHejaz." in text
    assert "Warsaw, it may have 1 unit more than it has centers and build in Siberia too." in text
    assert max(map(len, text.splitlines())) <= 79


def test_long_names_of_powers_leave_room_for_their_players(heron: DeskAtWork):
    text = heron.replies(KIM, "WHOGAME heron").text
    assert "\nAustria-Hungary: " in text and "\nBritain:         Britain <" in text


def test_info_tells_which_border_leads_around_the_cape(heron: DeskAtWork):
    text = heron.replies(KIM, "INFO MID heron").flat
    assert "Egypt [EGY] (half strength, around the Cape of Good Hope), English Channel [ENG]," in text
    gibraltar = heron.replies(KIM, "INFO GIB heron").flat
    assert "Kind: port: a fleet there convoys as one at sea does; armies may go there too" in gibraltar


def test_suez_3_a_move_around_the_cape_is_confirmed_and_told_with_its_half_strength(heron: DeskAtWork):
    reply = heron.replies("britain@example.org", "SIGNON Bheron pwbritain\nF EGY - MID").flat
    assert "Fleet Egypt -> Mid-Atlantic Ocean. (Half strength, around the Cape of Good Hope.)" in reply
    heron.writes("france@example.org", "SIGNON Fheron pwfrance\nF BRE - MID")
    results = heron.ring(heron.now + timedelta(days=9))[0].flat
    assert "Fleet Egypt -> Mid-Atlantic Ocean. (half strength, around the Cape of Good Hope) (*bounce*)" in results
    assert "Fleet Brest -> Mid-Atlantic Ocean. France" in results


@pytest.mark.parametrize(
    ("units", "orders", "told"),
    [
        (["A MOR", "F MID"], ["A MOR - EGY", "F MID C A MOR - EGY"],
         "Army Morocco -> Mid-Atlantic Ocean -> Egypt. (half strength, around the Cape of Good Hope)"),
        (["A TUN", "F ION", "F EAS"], ["A TUN - EGY", "F ION C A TUN - EGY", "F EAS C A TUN - EGY"],
         "Army Tunisia -> Ionian Sea -> Eastern Mediterranean Sea -> Egypt. Britain"),
    ],
)  # fmt: skip
def test_suez_7_a_landing_tells_whether_it_was_around_the_cape(heron: DeskAtWork, units, orders, told):
    heron.lay(units={"Britain": units, "France": ["A PAR"]})
    reply = heron.replies("britain@example.org", "SIGNON Bheron pwbritain\n" + "\n".join(orders)).flat
    assert "-> Egypt. (Half strength if fleets land it around the Cape of Good Hope.)" in reply
    assert told in heron.ring(heron.now + timedelta(days=9))[0].flat


def test_an_army_that_walks_between_egypt_and_hejaz_has_its_strength(heron: DeskAtWork):
    heron.writes(KIM, "SIGNON Mheron gm\nCORRECT POSITION Turkey: A DAM - HEJ\nCORRECT POSITION Britain: F EGY - CYR")
    reply = heron.replies("turkey@example.org", "SIGNON Theron pwturkey\nA HEJ - EGY").flat
    assert "Army Hejaz -> Egypt." in reply and "alf strength" not in reply


def test_get_map_marks_borders_of_half_strength_and_explains_the_port(heron: DeskAtWork):
    text = heron.replies(KIM, "GET MAP 1900").text
    assert "EGY(half)" in text and "HEJ(half)" in text and text.count("MID(half)") == 2
    assert "(half): fleets move at half strength, around the Cape of Good Hope, and" in text
    assert "port (Gibraltar): a fleet there convoys as one at sea does" in flat(text)
    assert "(half)" not in heron.replies(KIM, "GET MAP standard").text


def test_in_an_emergency_there_is_one_unit_more_also_in_siberia(heron: DeskAtWork):
    winter(heron, "MOS", "SEV")
    reply = heron.replies(RUSSIA, SIGNON + "BUILD A SIB")
    assert reply.first_line == "Orders complete."
    assert "Builds an army in Siberia." in reply.text
    results = heron.ring(heron.now + timedelta(days=8))[0].text
    assert "Russia:    2 Supply centers,  3 Units:  Builds   0 units." in results
    assert "Russia is in an emergency: it can have 1 more unit than centers, and can also build in Siberia." in (
        " ".join(results.split())
    )


def test_in_an_emergency_an_order_too_many_is_one_too_many(heron: DeskAtWork):
    winter(heron, "MOS", "SEV")
    reply = heron.replies(RUSSIA, SIGNON + "BUILD A SIB\nBUILD A MOS")
    assert "You have 1 build; this line is one too many." in reply.text


def test_without_an_emergency_siberia_is_refused(heron: DeskAtWork):
    winter(heron, "MOS", "SEV", "STP", "WAR")
    text = heron.replies(RUSSIA, SIGNON + "BUILD A SIB").flat
    assert "You can build in Siberia only while you own some but not all of your home centers." in text


def test_suez_8_a_retreat_around_the_cape_is_marked_with_what_it_means(heron: DeskAtWork):
    heron.lay("S1900R", units={}, dislodged={"Britain": [{"unit": "F MID", "from": "BRE", "by_convoy": False}]})
    text = heron.replies("britain@example.org", "SIGNON Bheron pwbritain\nF MID - HEJ\nHELP CAPE\nHELP SUEZ").text
    assert "Hejaz is around the Cape of Good Hope: if another unit retreats there over a normal" in flat(text)
    assert "GET RULES heron explains all of it" in text
    form = heron.would_reply("britain@example.org", "SIGNON Bheron pwbritain\nCLEAR").text
    assert "- EGY (around the Cape of Good Hope)" in flat(form.replace("//", ""))
    assert "1900: GET RULES 1900" in heron.replies("x@example.org", "HELP EMERGENCY").text
    assert "Colonia: GET RULES colonia" in heron.replies("y@example.org", "HELP COLONIES").text
