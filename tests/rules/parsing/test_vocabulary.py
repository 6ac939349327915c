"""The words with which a text beside an order is no remark: one phrase for each of them."""

import pytest

from judge.rules import OrderError, load_variant
from judge.rules.parsing.lines import readings
from judge.rules.parsing.vocabulary import CONDITIONAL
from tests.texts import listed

STANDARD = load_variant("standard")
# In each phrase one word takes the remark away.
PHRASES = listed("""
    if you like
    iff you agree
    unless Italy attacks
    when Italy agrees
    whenever you like
    whether he comes
    or PIC
    else PIC
    otherwise hold
    instead of hold
    rather hold
    I would hold
    only with Italy
    except in fog
    provided Italy agrees
    providing Italy agrees
    assuming he agrees
    supposing he agrees
    depending on you
    it depends on you
    on condition that he agrees
    conditional
    conditionally
    in case he agrees
    until he agrees
    till he agrees
    once he agrees
    maybe
    perhaps
    possibly
    probably
    optional
    optionally
    alternative
    alternatively
    backup
    fallback
    should he agree
    we could
    it might do
    tentative
    tentatively
    provisional
    draft
    unsure
    TBC
    TBD
    not this time
    no
    none
    nope
    never!
    dont
    I don't mean it
    I cannot
    I cant
    I can't
    I wont
    I won't
    it isnt so
    it isn't so
    cancel this
    he cancels
    canceled
    cancelled
    withdraw this
    withdrawn
    revoke this
    revoked
    retracted
    void
    invalid
    please ignore
    ignored
    disregard this
    delete this
    deleted
    removed
    scratch this
    skip this
    drop this
    dropped
    wrong
    by mistake
    in error
    next turn
    later
    tomorrow
    afterwards
    then PIC
    in spring
    in the fall
    in autumn
    in winter
    wenn er will
    falls er will
    sofern er will
    ausser bei Nebel
    nur mit Italien
    oder PIC
    sonst PIC
    nicht so
    kein Befehl
    keine Bewegung
    nie
    niemals
    nein
    vielleicht
    gestrichen
    si Italia
    sauf en avril
    seulement avec lui
    ou PIC
    sinon PIC
    pas encore
    jamais
    non
    peut être
    annule
    solo con Italia
    salvo PIC
    nunca
    quizas
    forse
    se viene
    mai
    annullato
    als het kan
    alleen dan
    niet zo
    tenzij hij komt
    misschien
    option 2
    one of my options
    reject this
    rejected
    discarded
    avoid this
    avoided
    to consider
    bad idea
    risky""")


@pytest.mark.parametrize("phrase", PHRASES)
def test_an_order_with_a_condition_beside_it_is_not_read_as_one_without(phrase: str) -> None:
    (read,) = readings(STANDARD, "France", "M", f"A PAR - BUR ({phrase})")
    assert isinstance(read, OrderError)


def test_each_word_stands_in_a_phrase_by_itself() -> None:
    said = [CONDITIONAL & {word.strip("!,") for word in phrase.upper().split()} for phrase in PHRASES]
    assert frozenset().union(*(words for words in said if len(words) == 1)) == CONDITIONAL


@pytest.mark.parametrize("remark", listed("""
    as agreed
    sorry
    with all my heart
    hello Italy, trust me
    see my letter of May"""))  # fmt: skip
def test_other_words_are_a_remark(remark: str) -> None:
    (read,) = readings(STANDARD, "France", "M", f"A PAR - BUR ({remark})")
    assert not isinstance(read, OrderError) and read.remark == f"({remark})"
