"""The words of orders, in upper case: those that the classic judges accept and those that people write."""

KIND_WORDS = {"A": "A", "ARMY": "A", "F": "F", "FLEET": "F"}
HOLD = {"H", "HOLD", "HOLDS", "HOLDING", "STAND", "STANDS"}
TO = {"-", "TO", "INTO"}
MOVE = {"M", "MOVE", "MOVES", "MOVING", "ATTACK", "ATTACKS", "ATTACKING", "GO", "GOES"}
SUPPORT = {"S", "SUP", "SUPPORT", "SUPPORTS", "SUPPORTING"}
CONVOY = {"C", "CONVOY", "CONVOYS", "CONVOYING", "TRANSPORT", "TRANSPORTS", "FERRY"}
RETREAT = {"R", "RETREAT", "RETREATS", "RETREATING"}
DISBAND = {"D", "DISBAND", "DISBANDS", "DESTROY", "DESTROYED", "DISBANDED"}
REMOVE = {"R", "REMOVE", "REMOVES", "D", "DISBAND", "DISBANDS", "DEBUILD"}
BUILD = {"B", "BUILD", "BUILDS", "BUILDING"}
WAIVE = {"W", "WAIVE", "WAIVES", "WAIVED"}
HOME = {"HOME"}
NOISE = {"NEUTRAL", "THE", "OF", "AN", "IS", "WILL", "ORDER", "ORDERS", "IN", "FROM"}
ORDER_WORDS = HOLD | MOVE | SUPPORT | CONVOY | RETREAT | DISBAND | REMOVE | BUILD | WAIVE | HOME
# Words that count as one of the above behind a unit only, since sentences are full of them.
ALSO_HOLD = {"STAY", "STAYS", "STAYING", "REMAIN", "REMAINS", "DEFEND", "DEFENDS"}
ALSO_MOVE = {
    "ADVANCE", "ADVANCES", "ENTER", "ENTERS", "GOING", "HEAD", "HEADS", "HEADING", "INVADE", "INVADES", "MARCH",
    "MARCHES", "MARCHING", "PROCEED", "PROCEEDS", "SAIL", "SAILS", "SAILING", "TAKE", "TAKES", "TRAVEL", "TRAVELS",
}  # fmt: skip
ALSO_SUPPORT = {"SUPP", "SUPPS", "SUPPT", "HELP", "HELPS", "HELPING"}
ALSO_CONVOY = {"FERRIES", "CARRY", "CARRIES", "SHIPS"}
# Words for "to" behind a word for a move: "heads for Burgundy".
TOWARDS = {"FOR", "ON", "ONTO", "TOWARD", "TOWARDS"}
# Words between the orders of a line.
BETWEEN = {"AND", "ALSO", "PLUS", "THEN", "UND", "ET", "&", "+", "/", "|"}
# Words before an order, and behind one.
COURTESIES = {"PLEASE", "PLS", "PLZ", "KINDLY", "BITTE", "SVP"}
OPENINGS = {
    "ALSO", "AND", "ARE", "ET", "FINALLY", "HERE", "I", "LIKE", "MY", "ORDER", "ORDERS", "OUR", "PLUS", "THE", "THEN",
    "THESE", "TO", "UND", "WANT", "WE", "WILL", "WOULD",
}  # fmt: skip
THANKS = {"THANKS", "THANK", "YOU", "THX", "DANKE", "MERCI"}
# A text beside an order with one of these in it is no remark: the order is another one then, or none, or of later.
CONDITIONAL = {
    "IF", "IFF", "UNLESS", "WHEN", "WHENEVER", "WHETHER", "OR", "ELSE", "OTHERWISE", "INSTEAD", "RATHER", "ONLY",
    "EXCEPT", "PROVIDED", "PROVIDING", "ASSUMING", "SUPPOSING", "DEPENDING", "DEPENDS", "CONDITION", "CONDITIONAL",
    "CONDITIONALLY", "CASE", "UNTIL", "TILL", "ONCE", "MAYBE", "PERHAPS", "POSSIBLY", "PROBABLY", "OPTIONAL",
    "OPTIONALLY", "ALTERNATIVE", "ALTERNATIVELY", "BACKUP", "FALLBACK", "SHOULD", "WOULD", "COULD", "MIGHT",
    "TENTATIVE", "TENTATIVELY", "PROVISIONAL", "DRAFT", "UNSURE", "TBC", "TBD", "NOT", "NO", "NONE", "NOPE",
    "NEVER", "DONT", "DON'T", "CANNOT", "CANT", "CAN'T", "WONT", "WON'T", "ISNT", "ISN'T", "CANCEL", "CANCELS",
    "CANCELED", "CANCELLED", "WITHDRAW", "WITHDRAWN", "REVOKE", "REVOKED", "RETRACTED", "VOID", "INVALID", "IGNORE",
    "IGNORED", "DISREGARD", "DELETE", "DELETED", "REMOVED", "SCRATCH", "SKIP", "DROP", "DROPPED", "WRONG",
    "MISTAKE", "ERROR", "NEXT", "LATER", "TOMORROW", "AFTERWARDS", "THEN", "SPRING", "FALL", "AUTUMN", "WINTER",
    "WENN", "FALLS", "SOFERN", "AUSSER", "NUR", "ODER", "SONST", "NICHT", "KEIN", "KEINE", "NIE", "NIEMALS", "NEIN",
    "VIELLEICHT", "GESTRICHEN", "SI", "SAUF", "SEULEMENT", "OU", "SINON", "PAS", "JAMAIS", "NON", "PEUT", "ANNULE",
    "SOLO", "SALVO", "NUNCA", "QUIZAS", "FORSE", "SE", "MAI", "ANNULLATO", "ALS", "ALLEEN", "NIET", "TENZIJ",
    "MISSCHIEN",
}  # fmt: skip
# Abbreviations of provinces that can also begin a sentence: "And now for Italy", "War it is".
SENTENCE_WORDS = {
    "ALAS", "AND", "BOTH", "CAN", "GOT", "HERE", "MAN", "PER", "RED", "RUN", "SEA", "SIN", "SUN", "WAR",
}  # fmt: skip
ONE_COAST = {
    "N": "NC", "NC": "NC", "NORTH": "NC", "NORTHERN": "NC",
    "S": "SC", "SC": "SC", "SOUTH": "SC", "SOUTHERN": "SC",
    "E": "EC", "EC": "EC", "EAST": "EC", "EASTERN": "EC",
    "W": "WC", "WC": "WC", "WEST": "WC", "WESTERN": "WC",
}  # fmt: skip
