"""The words of orders, in upper case: those that the classic judges accept and those that people write."""

KIND_WORDS = {"A": "A", "ARMY": "A", "F": "F", "FLEET": "F"}
HOLD = {"H", "HOLD", "HOLDS", "HOLDING", "STAND", "STANDS"}
TO = {"-", "TO"}
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
