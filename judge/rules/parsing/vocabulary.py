"""The words of orders, in upper case: those that the classic judges accept and those that people write."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


KIND_WORDS = {"A": "A", "ARMY": "A", "F": "F", "FLEET": "F"}
FLEET_WORDS = {"F", "FLEET"}
HOLD = {"H", "HOLD", "HOLDS", "HOLDING", "STAND", "STANDS"}
TO = {"-", "TO", "INTO"}
MOVE = {"M", "MOVE", "MOVES", "MOVING", "ATTACK", "ATTACKS", "ATTACKING", "GO", "GOES"}
SUPPORT = {"S", "SUP", "SUPPORT", "SUPPORTS", "SUPPORTING", "SUPPORT-HOLDS"}
CONVOY = {"C", "CONVOY", "CONVOYS", "CONVOYING", "TRANSPORT", "TRANSPORTS", "FERRY"}
RETREAT = {"R", "RET", "RETREAT", "RETREATS", "RETREATING"}
DISBAND = {"D", "DISBAND", "DISBANDS", "DISBANDED", "DISBANDING", "DESTROY", "DESTROYS", "DESTROYED"}
REMOVE = {"R", "REM", "RMV", "REMOVE", "REMOVES", "REMOVED", "REMOVING", "DEBUILD", "SCRAP", *DISBAND}
BUILD = {"B", "BLD", "BLDS", "BUILD", "BUILDS", "BUILDING", "BUILT", "CONSTRUCT", "RAISE"}
WAIVE = {"W", "WAIVE", "WAIVES", "WAIVED", "WAIVING", "WAIVE-ALL"}
# Behind a waive: as many as are due.
ALL = {"WAIVE-ALL", "ALL", "BOTH", "REST", "REMAINING", "EVERYTHING"}
# The units that have no other order: "all others hold".
OTHERS = {"OTHER", "OTHERS", "REST", "REMAINING", "ELSE"}
HOME = {"HOME"}
NUMBERS = {"ONE": "1", "TWO": "2", "THREE": "3", "FOUR": "4", "FIVE": "5"}
NOISE = _words("NEUTRAL THE OF AN IS WILL SHALL MUST ORDER ORDERS ORDERED IN FROM MY OUR OWN")
ORDER_WORDS = HOLD | MOVE | SUPPORT | CONVOY | RETREAT | DISBAND | REMOVE | BUILD | WAIVE | HOME
# With words that count as one of the above behind a unit only, since sentences are full of them.
ANY_HOLD = HOLD | {"STAY", "STAYS", "STAYING", "REMAIN", "REMAINS", "DEFEND", "DEFENDS"}
ANY_MOVE = MOVE | _words("""
    ADVANCE ADVANCES ENTER ENTERS GOING HEAD HEADS HEADING INVADE INVADES MARCH MARCHES MARCHING PROCEED
    PROCEEDS SAIL SAILS SAILING TAKE TAKES TRAVEL TRAVELS
""")
ANY_SUPPORT = SUPPORT | _words("""
    SUPP SUPPS SUPPT SUPS SUPT SPT HELP HELPS HELPING ASSIST ASSISTS ASSISTING AID AIDS AIDING BACKS BACKING
""")
ANY_CONVOY = CONVOY | {"CONV", "FERRIES", "CARRY", "CARRIES", "SHIPS"}
ANY_RETREAT = RETREAT | {"WITHDRAW", "WITHDRAWS", "WITHDRAWING", "FLEE", "FLEES", "FLEEING"}
# Behind an army that is carried.
CONVOYED = {"CONVOYED", "TRANSPORTED", "FERRIED", "CARRIED", "SHIPPED"}
# Words before the fleets that carry an army; the second set only if a fleet or a sea follows.
BY_WAY_OF = {"VIA", "BY"}
ALSO_BY_WAY_OF = {"THROUGH", "USING", "WITH", "OVER", "ACROSS"}
# Several words that mean one of this module's: each is read as that one.
PHRASES = {
    **{f"{verb} SUPPORT {to}": "SUPPORTS"
       for verb in ("GIVE", "GIVES", "GIVING", "LEND", "LENDS", "LENDING", "PROVIDE", "PROVIDES")
       for to in ("TO", "FOR")},
    **{f"{support}{dash}{hold}": "SUPPORT-HOLDS"
       for support in ("SUP", "SUPPORT", "SUPPORTS", "SUPPORTING")
       for dash in (" ", " - ")
       for hold in ("H", "HOLD", "HOLDS", "HOLDING")},
    "S - H": "SUPPORT-HOLDS",
    "S / H": "SUPPORT-HOLDS",
    **{f"{hold} {where}": "HOLD"
       for hold in sorted(ANY_HOLD)
       for where in ("FAST", "POSITION", "POSITIONS", "ITS POSITION", "THEIR POSITIONS", "STILL", "PUT", "IN PLACE")},
    "IN PLACE": "HOLD",
    **{f"{does} NOTHING": "HOLD" for does in ("DO", "DOES", "DOING")},
    "BY WAY OF": "VIA",
    **{f"{fall} BACK": "WITHDRAWS" for fall in ("FALL", "FALLS", "FALLING", "GO", "GOES", "PULL", "PULLS")},
    **{f"OFF {board}": "D" for board in ("THE BOARD", "BOARD", "THE MAP", "MAP")},
    "OTB": "D",
    "NO BUILD": "WAIVE-ALL",
    "NO BUILDS": "WAIVE-ALL",
    **{f"{build} {nothing}": "WAIVE-ALL" for build in ("BUILD", "BUILDS") for nothing in ("NONE", "NOTHING")},
}  # fmt: skip
# What is supported if it is not a unit: "the move of A MAR to BUR".
ATTEMPTS = {"MOVE", "MOVEMENT", "ATTACK", "ADVANCE", "ENTRY"}
# Words for "to" behind a word for a move: "heads for Burgundy".
TOWARDS = {"FOR", "ON", "ONTO", "TOWARD", "TOWARDS"}
# Words between the orders of a line.
BETWEEN = {"AND", "ALSO", "PLUS", "THEN", "UND", "ET", "&", "+", "/", "|"}
# Words before an order, and behind one.
COURTESIES = {"PLEASE", "PLS", "PLZ", "KINDLY", "BITTE", "SVP"}
OPENINGS = _words("""
    ALSO AND ARE ET FINALLY FROM HERE HAVE I LET LIKE MY ORDER ORDERS OUR PLUS THE THEN THESE TO UND WANT WE WILL
    WOULD
""")
# Behind a support or a convoy that begins with its verb: "support A PAR - BUR with A MAR".
DONE_BY = {"WITH", "BY", "FROM", "USING"}
THANKS = {"THANKS", "THANK", "YOU", "THX", "DANKE", "MERCI"}
# A text beside an order with one of these in it is no remark: the order is another one then, or none, or of later.
CONDITIONAL = _words("""
    IF IFF UNLESS WHEN WHENEVER WHETHER OR ELSE OTHERWISE INSTEAD RATHER ONLY EXCEPT PROVIDED PROVIDING ASSUMING
    SUPPOSING DEPENDING DEPENDS CONDITION CONDITIONAL CONDITIONALLY CASE UNTIL TILL ONCE MAYBE PERHAPS POSSIBLY
    PROBABLY OPTIONAL OPTIONALLY ALTERNATIVE ALTERNATIVELY BACKUP FALLBACK SHOULD WOULD COULD MIGHT TENTATIVE
    TENTATIVELY PROVISIONAL DRAFT UNSURE TBC TBD NOT NO NONE NOPE NEVER DONT DON'T CANNOT CANT CAN'T WONT WON'T
    ISNT ISN'T CANCEL CANCELS CANCELED CANCELLED WITHDRAW WITHDRAWN REVOKE REVOKED RETRACTED VOID INVALID IGNORE
    IGNORED DISREGARD DELETE DELETED REMOVED SCRATCH SKIP DROP DROPPED WRONG MISTAKE ERROR NEXT LATER TOMORROW
    AFTERWARDS THEN SPRING FALL AUTUMN WINTER WENN FALLS SOFERN AUSSER NUR ODER SONST NICHT KEIN KEINE NIE
    NIEMALS NEIN VIELLEICHT GESTRICHEN SI SAUF SEULEMENT OU SINON PAS JAMAIS NON PEUT ANNULE SOLO SALVO NUNCA
    QUIZAS FORSE SE MAI ANNULLATO ALS ALLEEN NIET TENZIJ MISSCHIEN
""")
# Abbreviations of provinces that can also begin a sentence: "And now for Italy", "War it is".
SENTENCE_WORDS = _words("""
    ALAS AND BOTH CAN GOT HERE MAN PER RED RUN SEA SIN SUN WAR
""")
ONE_COAST = {
    "N": "NC", "NC": "NC", "NORTH": "NC", "NORTHERN": "NC",
    "S": "SC", "SC": "SC", "SOUTH": "SC", "SOUTHERN": "SC",
    "E": "EC", "EC": "EC", "EAST": "EC", "EASTERN": "EC",
    "W": "WC", "WC": "WC", "WEST": "WC", "WESTERN": "WC",
}  # fmt: skip
