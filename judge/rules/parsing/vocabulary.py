"""The words of orders, in upper case, as classic judges accept them and as people write them."""

from itertools import product

from judge.rules.board.names import word_set


def _phrases(word: str, *parts: str) -> dict[str, str]:
    """Return all phrases that combine one choice of each part, each with the word that it means."""
    return dict.fromkeys(map(" ".join, product(*(part.split("|") for part in parts))), word)


KIND_WORDS = {"A": "A", "ARMY": "A", "F": "F", "FLEET": "F"}
FLEET_WORDS = {"F", "FLEET"}
HOLD = word_set("H HOLD HOLDS HOLDING STAND STANDS")
# Speech recognition hears "too" and "two" for "to".
TO = {"-", "TO", "INTO", "TOO", "TWO"}
MOVE = word_set("M MOVE MOVES MOVING ATTACK ATTACKS ATTACKING GO GOES")
SUPPORT = word_set("S SUP SUPPORT SUPPORTS SUPPORTING SUPPORT-HOLDS")
CONVOY = word_set("C CONVOY CONVOYS CONVOYING TRANSPORT TRANSPORTS FERRY")
RETREAT = word_set("R RET RETREAT RETREATS RETREATING")
DISBAND = word_set("D DISBAND DISBANDS DISBANDED DISBANDING DESTROY DESTROYS DESTROYED")
REMOVE = {"R", "REM", "RMV", "REMOVE", "REMOVES", "REMOVED", "REMOVING", "DEBUILD", "SCRAP", *DISBAND}
BUILD = word_set("B BLD BLDS BUILD BUILDS BUILDING BUILT CONSTRUCT RAISE")
WAIVE = word_set("W WAIVE WAIVES WAIVED WAIVING WAIVE-ALL")
# Words after a waive that mean "as many as are due".
ALL = word_set("WAIVE-ALL ALL BOTH REST REMAINING EVERYTHING")
# Words for the units that have no other order: "all others hold".
OTHERS = word_set("OTHER OTHERS REST REMAINING ELSE")
HOME = {"HOME"}
NUMBERS = {"ONE": "1", "TWO": "2", "THREE": "3", "FOUR": "4", "FIVE": "5"}
NOISE = word_set("NEUTRAL THE OF AN IS WILL SHALL MUST ORDER ORDERS ORDERED IN FROM MY OUR OWN")
ORDER_WORDS = HOLD | MOVE | SUPPORT | CONVOY | RETREAT | DISBAND | REMOVE | BUILD | WAIVE | HOME
# Words that say what a unit does.
SAYS_WHAT = ORDER_WORDS | TO
# The sets ANY_… have more words. Without a unit next to them, these additional words are not taken for orders, since
# they are frequent in sentences.
ANY_HOLD = HOLD | word_set("STAY STAYS STAYING REMAIN REMAINS DEFEND DEFENDS")
ANY_MOVE = MOVE | word_set("""
    ADVANCE ADVANCES ENTER ENTERS GOING HEAD HEADS HEADING INVADE INVADES MARCH MARCHES MARCHING PROCEED
    PROCEEDS SAIL SAILS SAILING TAKE TAKES TRAVEL TRAVELS
""")
ANY_SUPPORT = SUPPORT | word_set("""
    SUPP SUPPS SUPPT SUPS SUPT SPT HELP HELPS HELPING ASSIST ASSISTS ASSISTING AID AIDS AIDING BACKS BACKING
""")
ANY_CONVOY = CONVOY | word_set("CONV FERRIES CARRY CARRIES SHIPS")
ANY_RETREAT = RETREAT | word_set("WITHDRAW WITHDRAWS WITHDRAWING FLEE FLEES FLEEING")
# Words after an army that is convoyed.
CONVOYED = word_set("CONVOYED TRANSPORTED FERRIED CARRIED SHIPPED")
# Words before the fleets that convoy an army. Words of the second set are recognized only if a fleet or a sea follows.
BY_WAY_OF = {"VIA", "BY"}
ALSO_BY_WAY_OF = word_set("THROUGH USING WITH OVER ACROSS")
# Phrases of several words, each with the single word of this module that it means.
PHRASES = {
    **_phrases("SUPPORTS", "GIVE|GIVES|GIVING|LEND|LENDS|LENDING|PROVIDE|PROVIDES", "SUPPORT", "TO|FOR"),
    **_phrases("SUPPORT-HOLDS", "SUP|SUPPORT|SUPPORTS|SUPPORTING", "H|HOLD|HOLDS|HOLDING"),
    **_phrases("SUPPORT-HOLDS", "SUP|SUPPORT|SUPPORTS|SUPPORTING", "-", "H|HOLD|HOLDS|HOLDING"),
    **_phrases("SUPPORT-HOLDS", "S", "-|/", "H"),
    **_phrases("HOLD", "|".join(ANY_HOLD), "FAST|POSITION|POSITIONS|ITS POSITION|THEIR POSITIONS|STILL|PUT|IN PLACE"),
    **_phrases("HOLD", "IN PLACE"),
    **_phrases("HOLD", "DO|DOES|DOING", "NOTHING"),
    **_phrases("VIA", "BY WAY OF"),
    **_phrases("WITHDRAWS", "FALL|FALLS|FALLING|GO|GOES|PULL|PULLS", "BACK"),
    **_phrases("D", "OFF", "THE BOARD|BOARD|THE MAP|MAP"),
    **_phrases("D", "OTB"),
    **_phrases("WAIVE-ALL", "NO", "BUILD|BUILDS"),
    **_phrases("WAIVE-ALL", "BUILD|BUILDS", "NONE|NOTHING"),
}
# Words for something supported that is not a unit: "the move of A MAR to BUR".
ATTEMPTS = word_set("MOVE MOVEMENT ATTACK ADVANCE ENTRY")
# Words for "to" after a verb of motion: "heads for Burgundy".
TOWARDS = word_set("FOR ON ONTO TOWARD TOWARDS")
# Words between the orders of a line.
BETWEEN = word_set("AND ALSO PLUS THEN UND ET & + / |")
# Polite words before or after an order, and words with which people begin a line of orders.
COURTESIES = word_set("PLEASE PLS PLZ KINDLY BITTE SVP")
OPENINGS = word_set("""
    ALSO AND ARE ET FINALLY FROM HERE HAVE I LET LIKE MY ORDER ORDERS OUR PLUS THE THEN THESE TO UND WANT WE WILL
    WOULD
""")
# Words before the unit that gives a support or a convoy: "support A PAR - BUR with A MAR".
DONE_BY = {"WITH", "BY", "FROM", "USING"}
THANKS = word_set("THANKS THANK YOU THX DANKE MERCI")
# Signs that ask or forbid. An order next to one of them is perhaps not meant.
DOUBTS = "?☒✗✘✖❌❎🗷🚫⛔🛑👎❓❔"
# Words that begin a condition. Above orders, "If Italy attacks:" makes them conditional.
CONDITIONS = word_set("""
    IF IFF UNLESS WHEN WHENEVER ASSUMING SUPPOSING PROVIDING DEPENDING WENN FALLS SOFERN TENZIJ
""")
# Words between two orders of which only one is meant.
CHOICE = word_set("OR ELSE OTHERWISE ODER SONST OU SINON")
# Words that take an order back.
TAKEN_BACK = word_set("""
    CANCEL CANCELS CANCELED CANCELLED WITHDRAWN REVOKE REVOKED RETRACTED VOID INVALID IGNORE IGNORED DISREGARD
    DELETE DELETED SCRATCH SKIP DROP DROPPED WRONG MISTAKE ERROR GESTRICHEN ANNULE ANNULLATO REJECT REJECTED DISCARDED
""")
# Words that take an order back, or make it one of several choices.
NOT_MEANT = (
    CHOICE
    | TAKEN_BACK
    | word_set("""
    OPTIONAL OPTIONALLY ALTERNATIVE ALTERNATIVELY BACKUP FALLBACK TENTATIVE TENTATIVELY
    PROVISIONAL DRAFT NOT DONT DON'T NICHT OPTION OPTIONS
""")
)
# Words that may change, cancel or postpone an order. If text next to an order has such a word, it is not a remark.
CONDITIONAL = (
    CONDITIONS
    | NOT_MEANT
    | word_set("""
    PROVIDED SI WHETHER INSTEAD RATHER ONLY EXCEPT DEPENDS CONDITION CONDITIONAL CONDITIONALLY CASE UNTIL TILL
    ONCE MAYBE PERHAPS POSSIBLY PROBABLY SHOULD WOULD COULD MIGHT UNSURE TBC TBD NO NONE NOPE NEVER CANNOT CANT
    CAN'T WONT WON'T ISNT ISN'T WITHDRAW REMOVED NEXT LATER TOMORROW AFTERWARDS THEN SPRING FALL AUTUMN WINTER
    AUSSER NUR KEIN KEINE NIE AVOID AVOIDED CONSIDER BAD RISKY NIEMALS NEIN VIELLEICHT SAUF SEULEMENT PAS JAMAIS
    NON PEUT SOLO SALVO NUNCA QUIZAS FORSE SE MAI ALS ALLEEN NIET MISSCHIEN
""")
)
# Words of headings, such as "Old orders:", "Plan B:", "Last turn:" and "New orders:". The words of WITH_LETTER need a
# letter or a number after them.
EARLIER = word_set("""
    OLD FORMER PREVIOUS PREVIOUSLY EARLIER ALTE ALTEN FRUHERE ANCIEN ANCIENS VIEJAS VIEJOS ANTERIORES VECCHI СТАРЫЕ
    СТАРОЕ
""")
OLD = EARLIER | word_set("""
    SUPERSEDED OUTDATED OBSOLETE PRELIMINARY CONTINGENCY FAKE FALSE EXAMPLE EXAMPLES PROPOSAL PROPOSED SUGGESTION
    SUGGESTIONS SUGGESTED IDEA IDEAS UNGULTIG ENTWURF VORSCHLAG ANNULES BROUILLON CANCELADO CANCELADOS CANCELADA
    CANCELADAS BORRADOR ANNULLATI BOZZA ОТМЕНЕНО ОТМЕНА ЧЕРНОВИК
""")
WITH_LETTER = word_set("PLAN VARIANT CHOICE VARIANTE ВАРИАНТ ПЛАН")
OLD_TIMES = word_set("TURN TURN'S SEASON SEASON'S PHASE ROUND YEAR TIME WEEK")
NEW = word_set("""
    NEW NOW CORRECT CORRECTED CORRECTION REVISED UPDATED ACTUAL REAL FINAL INSTEAD NEUE NEU NOUVEAUX NUEVAS
    NUOVI НОВЫЕ
""")
OF_ORDERS = word_set("""
    PLEASE VALID ORDER ORDERS MOVES PLAN PLANS BEFEHLE ORDRES ORDENES ORDINI ПРИКАЗЫ THESE THOSE THIS THAT THEM
    ALL DO EMAIL MESSAGE MEINE MES MIS LOS LAS LES DIE
""")
# Abbreviations of provinces that can also be words of a sentence: "And now for Italy", "War it is".
SENTENCE_WORDS = word_set("""
    ALAS AND BOTH CAN GOT HERE MAN PER RED RUN SEA SIN SUN WAR
""")
_COASTS = ("N NC NORTH NORTHERN", "S SC SOUTH SOUTHERN", "E EC EAST EASTERN", "W WC WEST WESTERN")
ONE_COAST = {word: words.split()[1] for words in _COASTS for word in words.split()}
