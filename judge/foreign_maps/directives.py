"""The directives of a DPjudge map file that are not about places, powers and units.

This judge follows the directives for which it has a mechanism. It leaves out those for DPjudge's pages and for games in
which orders are paid for. It also leaves out what a game's master decides here. If another directive would change the
game, the map is refused, and the refusal names the directive.
"""

from judge.foreign_maps.sketch import MapError, Sketch

# Directives about DPjudge's pictures and users, which have no effect on the board.
_SILENT = {"NOTIFY", "FLAGS", "FLAG", "TEXTONLY", "ROTATE", "SCORING"}
# Directives for games in which orders are paid for. Other games on the map ignore them.
_OF_PAYOLA = {"CAP", "TAX", "TAXES"}
_UNKNOWN = {
    "NEWHOMES": "home centers that are chosen during the game",
    "IN": "changes of the map in a certain phase",
    "FROM": "changes of the map during the game",
    "LEAGUE": "powers of one faith",
    "CONTROL": "powers that another player orders",
    "TEAM": "powers that another player orders",
    "TEAMS": "powers that another player orders",
    "RESERVES": "units beyond the centers",
    "MILITIA": "units that stay at home",
}
# The usual parts of a year, in order.
_YEAR = {"SPRING": "MOVEMENT,RETREATS", "FALL": "MOVEMENT,RETREATS", "WINTER": "ADJUSTMENTS"}
# Rules of play that this judge does not have.
_RULES_OF_PLAY = {
    "VASSAL_DUMMIES", "HOME_BUILDS", "MOBILIZE", "BLANK_BOARD", "FACTORIES", "PORTAGE_CONVOY", "WINGS", "BLIND",
    "COASTAL_CONVOY", "CONTROL_DUMMIES", "TRANSFORM",
}  # fmt: skip
# Rules that this judge always follows, such as leaving units in a closed province.
_TAKEN_FOR_GRANTED = {"HIBERNATE"}
_BUILDS: dict[str, dict[str, bool]] = {
    "BUILD_ANY": {"anywhere": True},
    "REMOTE_BUILDS": {"anywhere": True, "while_home": True},  # the name in the maps Aberration and Classical
    "!BUILD_ANY": {},
}


DIRECTIVES = {*_SILENT, *_OF_PAYOLA, *_UNKNOWN, "FLOW", "REFLOW", "RULE", "RULES"}
# The words of a line, after its keyword.
Words = list[str]


class Directives:
    """Applies the directives of a map to its sketch.

    The parts of a year may have names in any language (FLOW). Some maps have one movement a year, or every few years,
    and adjustments after every second movement. For this judge, two such years are a spring and a fall.
    """

    def __init__(self, sketch: Sketch):
        self.sketch = sketch
        self._seasons: dict[str, str] = {}
        # The number of the map's years between two movements, or between two years of this judge.
        self._step = 1
        self._are_whole_years = False

    def follow(self, word: str, rest: Words) -> None:
        """Follow a line that begins with this directive.

        Raises MapError.
        """
        if word in _UNKNOWN:
            raise MapError(f"{' '.join([word, *rest[:3]])}: {_UNKNOWN[word]} cannot be played here")
        if word in _OF_PAYOLA:
            self.sketch.note(f"{word} is for games in which orders cost money, so it was left out.")
        elif word == "REFLOW":
            self._seasons.clear()
            self._are_whole_years = False
        elif word not in _SILENT:
            for one in rest:
                if word == "FLOW":
                    self._season(one)
                elif (rule := one.upper()) in _RULES_OF_PLAY:
                    raise MapError(f"RULE {rule}: it cannot be played here")
                elif rule in _BUILDS:
                    self.sketch.builds = _BUILDS[rule]
                elif rule not in _TAKEN_FOR_GRANTED:
                    self.sketch.note(f"RULE {rule} was left out: here the master of a game decides that.")

    def begin(self, words: Words) -> None:
        """Set the first phase of a game.

        Raises MapError if the phase is in the second of two years that this judge plays as one.
        """
        try:
            if self._are_whole_years and any(word.isdecimal() and int(word) % (2 * self._step) == 0 for word in words):
                raise MapError("a game cannot begin between two movements here")
            self.sketch.begin(" ".join(map(self._in_english, words)))
        except MapError as error:
            raise MapError(f"BEGIN {' '.join(words)}: {error}") from error
        if self._are_whole_years:
            self.sketch.note(f"In the original each movement is a year, {self._step} apart. Here a year has two.")
        elif self._step != 1:
            self.sketch.note(f"In the original the years are {self._step} apart. Here they follow one another.")

    def _in_english(self, word: str) -> str:
        season = self._seasons.get(word.upper(), word)
        return f"{season} B.C." if word.upper() == "B.C." and season != word else season

    def _season(self, part: str) -> None:
        """Add a part of the year, like `SPRING:MOVEMENT,RETREATS`.

        Raises MapError if this judge has no such part.
        """
        word, _, phases = part.upper().partition(":")
        if word == "NEWYEAR":
            years = (phases or "1").removeprefix("-")
            if not years.isdecimal() or not 0 < int(years) < 1000:
                raise MapError(f"FLOW {part}: that many years cannot pass at once")
            self._step = int(years)
        elif word == "IFYEARDIV" and phases == str(2 * self._step) and [*self._seasons.values()] == ["SPRING"]:
            self._are_whole_years = True
        else:
            season = word if word in _YEAR else self._next_season()
            if phases != _YEAR.get(season):
                raise MapError(f"FLOW {part}: a year with other phases cannot be played here")
            self._seasons.setdefault(word, season)

    def _next_season(self) -> str:
        """Return the next season not yet assigned to a part of the year, or "" if none is left."""
        if self._are_whole_years:
            return "WINTER"
        return next((one for one in _YEAR if one not in self._seasons.values()), "")
