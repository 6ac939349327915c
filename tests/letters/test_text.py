"""Characters as they are matched, and as they are passed on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.letters.text import clean, decode, fold


@pytest.mark.parametrize(
    ("written", "matched"),
    [
        ("A PAR – BUR", "A PAR - BUR"),
        ("A PAR — BUR", "A PAR - BUR"),
        ("A PAR → BUR", "A PAR - BUR"),
        ("A PAR ⇒ BUR", "A PAR - BUR"),
        ("A PAR ➡\ufe0f BUR", "A PAR - BUR"),
        ("A PAR − BUR", "A PAR - BUR"),
        ("A PARーBUR", "A PAR-BUR"),
        ("Ａ　ＰＡＲ　ー　ＢＵＲ", "A PAR - BUR"),
        ("A PAR ｰ BUR, A MAR ㅡ SPA, F BRE 一 MAO, F LON ── NTH", "A PAR - BUR, A MAR - SPA, F BRE - MAO, F LON - NTH"),
        ("-----元のメッセージ-----", "-----元のメッセージ-----"),
        ("2026年5月4日(月) 第一", "2026年5月4日(月) 第一"),
        ("A\u00a0PAR\u202f-\u2003BUR \u00a0", "A PAR - BUR"),
        ("A\tPAR", "A PAR"),
        ("A P\u200bA\u00adR\ufeff", "A PAR"),
        ("‘a’ “b” „c“ «d»", '\'a\' "b" "c" "d"'),
        ("Ａ ＰＡＲ－ＢＵＲ", "A PAR-BUR"),
        ("Galicie\u0301", "Galicié"),
        ("\u202eRUB - RAP A\u202c", "RUB - RAP A"),
        ("A\0 P\x1bAR\x07", "A PAR"),
        ("Smyrna / İzmir", "Smyrna / İzmir"),
    ],
)
def test_fold(written: str, matched: str):
    """What phones and word processors make of dashes, blanks and quotes."""
    assert fold(written) == matched


def test_clean_keeps_what_was_meant():
    """Press keeps its typography and its smileys, but not what hides or turns text."""
    assert clean("  “Hm” – naïve\u00a0👩\u200d🚀!\u202e\0 ") == "  “Hm” – naïve\u00a0👩\u200d🚀!"
    assert clean("A\tPAR") == "A       PAR"


@given(st.binary(max_size=60), st.text(max_size=12) | st.sampled_from(["utf-7", "utf-16", "cp037", "hz", "idna"]))
def test_decode_never_raises(data: bytes, charset: str):
    """Whatever the charset, the text can be stored."""
    text = decode(data, charset)
    assert text.encode().decode() == text


@given(st.text(max_size=60))
def test_fold_is_settled(line: str):
    """What was folded stays as it is."""
    assert fold(fold(line)) == fold(line)
