"""What the words of a DPjudge map file ask for, as far as they are no places, powers and units.

Whatever this judge has a mechanism for is read. What concerns their pages and their money games only is left out. A map
that would be another one without a word that we cannot read is refused, and its refusal names the word.
"""

from dataclasses import dataclass, field

from judge.foreign_maps.sketch import Sketch
from judge.foreign_maps.source import MapError
from judge.rules.mechanisms.build_sites import BuildAnywhere

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
# What a year is everywhere, in this order.
_YEAR = {"SPRING": "MOVEMENT,RETREATS", "FALL": "MOVEMENT,RETREATS", "WINTER": "ADJUSTMENTS"}
# Rules that say who builds, moves or stays, and that ours cannot say.
_RULES_OF_PLAY = {
    "VASSAL_DUMMIES", "HOME_BUILDS", "MOBILIZE", "BLANK_BOARD", "FACTORIES", "PORTAGE_CONVOY", "WINGS", "BLIND",
    "COASTAL_CONVOY", "CONTROL_DUMMIES", "TRANSFORM",
}  # fmt: skip
# What stands in a place that is shut in a season stays there: closed provinces are always so here.
_TAKEN_FOR_GRANTED = {"HIBERNATE"}
_BUILDS = {
    "BUILD_ANY": BuildAnywhere(),
    "REMOTE_BUILDS": BuildAnywhere(while_home=True),    # as Aberration and Classical have it
    "!BUILD_ANY": None,
}


@dataclass
class Seasons:
    """The parts of a year in a map's own words, each with our word for it: they may be told in any language (FLOW).

    There are maps with one movement a year, or each few years, and adjustments after every second one: such two years
    are a spring and a fall here. `step`: how many years pass then with each movement.
    """

    known: dict[str, str] = field(default_factory=dict)
    step: int = 1
    are_whole_years: bool = False

    def tell(self, part: str) -> None:
        """A part of the year, like `SPRING:MOVEMENT,RETREATS`; raises MapError if ours has no such part."""
        word, _, phases = part.upper().partition(":")
        if word == "NEWYEAR":
            years = (phases or "1").removeprefix("-")
            if not years.isdecimal() or not 0 < int(years) < 1000:
                raise MapError(f"FLOW {part}: so many years cannot pass at once")
            self.step = int(years)
            return
        if word == "IFYEARDIV" and phases == str(2 * self.step) and [*self.known.values()] == ["SPRING"]:
            self.are_whole_years = True
            return
        untold = [season for season in _YEAR if season not in self.known.values()]
        season = word if word in _YEAR else "WINTER" if self.are_whole_years else (*untold, "")[0]
        if phases != _YEAR.get(season):
            raise MapError(f"FLOW {part}: a year with other phases cannot be played here")
        self.known.setdefault(word, season)

    def in_english(self, words: list[str]) -> str:
        """A beginning; raises MapError if whole years are told and it is in the second of two."""
        if self.are_whole_years and any(year.isdecimal() and int(year) % (2 * self.step) == 0 for year in words):
            raise MapError(f"BEGIN {' '.join(words)}: a game cannot begin between two movements here")
        return " ".join(self._in_english(word) for word in words)

    def _in_english(self, word: str) -> str:
        season = self.known.get(word.upper(), word)
        return f"{season} B.C." if word.upper() == "B.C." and season != word else season


def is_directive(word: str) -> bool:
    return word in _SILENT or word in _OF_PAYOLA or word in _UNKNOWN or word in ("FLOW", "REFLOW", "RULE", "RULES")


def follow(sketch: Sketch, seasons: Seasons, word: str, rest: list[str]) -> None:
    """What a line that begins with this directive asks for; raises MapError."""
    if word in _UNKNOWN:
        raise MapError(f"{' '.join([word, *rest[:3]])}: {_UNKNOWN[word]} cannot be played here")
    if word in _OF_PAYOLA:
        sketch.note(f"{word} concerns games in which orders are paid for: left out.")
    elif word == "REFLOW":
        seasons.known.clear()
        seasons.are_whole_years = False
    elif word == "FLOW":
        for part in rest:
            seasons.tell(part)
    elif word in ("RULE", "RULES"):
        for rule in rest:
            _rule(sketch, rule.upper())


def _rule(sketch: Sketch, rule: str) -> None:
    if rule in _RULES_OF_PLAY:
        raise MapError(f"RULE {rule}: it cannot be played here")
    if rule in _TAKEN_FOR_GRANTED:
        return
    if rule in _BUILDS:
        sketch.builds = _BUILDS[rule]
    else:
        sketch.note(f"RULE {rule} is left out: the master of a game sets how it is run.")
