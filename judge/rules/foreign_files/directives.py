"""What the words of a DPjudge map file ask for, as far as they are no places, powers and units.

Whatever this judge has a mechanism for is read. What concerns their pages and their money games only is left out. A map
that would be another one without a word that we cannot read is refused, and its refusal names the word.
"""

from judge.rules.foreign_files.sketch import ForeignFileError, Sketch

# Pictures and people of their judge; nothing of it is on the board.
_SILENT = {"NOTIFY", "FLAGS", "FLAG", "TEXTONLY", "ROTATE", "SCORING"}
# Of games in which orders are paid for; the other games on the map do not know these.
_OF_PAYOLA = {"CAP", "TAX", "TAXES"}
_UNKNOWN = {
    "NEWHOMES": "home centers that are chosen during the game",
    "IN": "what changes on the map in some phase",
    "FROM": "what changes on the map from some phase on",
    "LEAGUE": "powers of one faith",
    "CONTROL": "powers that another player orders",
    "TEAM": "powers that another player orders",
    "TEAMS": "powers that another player orders",
    "RESERVES": "units beyond the centers",
    "MILITIA": "units that stay at home",
}
# What a year is everywhere: written or not, it is the same.
_YEAR = {"SPRING:MOVEMENT,RETREATS", "FALL:MOVEMENT,RETREATS", "WINTER:ADJUSTMENTS", "NEWYEAR"}
# Rules that say who builds, moves or stays, and that ours cannot say.
_RULES_OF_PLAY = {
    "VASSAL_DUMMIES", "REMOTE_BUILDS", "MOBILIZE", "BLANK_BOARD", "FACTORIES", "PORTAGE_CONVOY", "WINGS", "BLIND",
    "COASTAL_CONVOY", "CONTROL_DUMMIES", "TRANSFORM",
}  # fmt: skip


def is_directive(word: str) -> bool:
    return word in _SILENT or word in _OF_PAYOLA or word in _UNKNOWN or word in ("FLOW", "RULE", "RULES")


def follow(sketch: Sketch, word: str, rest: list[str]) -> None:
    """What a line that begins with this directive asks for; raises ForeignFileError."""
    if word in _UNKNOWN:
        raise ForeignFileError(f"{' '.join([word, *rest[:3]])}: {_UNKNOWN[word]} cannot be played here")
    if word in _OF_PAYOLA:
        sketch.note(f"{word} concerns games in which orders are paid for: left out.")
    elif word == "FLOW":
        other = [part for part in rest if part.upper() not in _YEAR]
        if other:
            raise ForeignFileError(f"FLOW {other[0]}: a year with other phases cannot be played here")
    elif word in ("RULE", "RULES"):
        for rule in rest:
            _rule(sketch, rule.upper())


def _rule(sketch: Sketch, rule: str) -> None:
    if rule in _RULES_OF_PLAY:
        raise ForeignFileError(f"RULE {rule}: it cannot be played here")
    if rule == "BUILD_ANY":
        sketch.builds_anywhere = True
    elif rule in ("!BUILD_ANY", "HOME_BUILDS"):
        sketch.builds_anywhere = False
    else:
        sketch.note(f"RULE {rule} is left out: the master of a game sets how it is run.")
