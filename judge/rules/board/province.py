"""A space of the map, as the file of its variant describes it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

COASTS = {"NC": "north coast", "SC": "south coast", "EC": "east coast", "WC": "west coast"}


@dataclass(frozen=True)
class Province:
    """A space of the map. `fleet` is keyed by coast, "" where the province is not split.

    `doubtful_for_armies` and `doubtful_for_fleets`: the provinces to which no source gives a border for armies, or for
    fleets; one pair of provinces may have a stated border for armies and a reconstructed one for fleets. `one_way`: the
    neighbours from which nothing leads back.
    """

    abbr: str
    name: str
    kind: str
    center: bool = False
    aliases: tuple[str, ...] = ()
    army: tuple[str, ...] = ()
    fleet: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    anchor: tuple[float, float] | None = None
    anchors: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    doubtful_for_armies: tuple[str, ...] = ()
    doubtful_for_fleets: tuple[str, ...] = ()
    port: bool = False
    armies: bool = True
    one_way: tuple[str, ...] = ()

    @property
    def coasts(self) -> tuple[str, ...]:
        return tuple(coast for coast in self.fleet if coast)

    @property
    def takes_armies(self) -> bool:
        """Whether an army can ever stand in it."""
        return self.kind in ("land", "coast") and self.armies

    @property
    def convoys(self) -> bool:
        """Whether a fleet in it may convoy: at sea, and also in a port, which armies can enter too."""
        return self.kind == "sea" or self.port
