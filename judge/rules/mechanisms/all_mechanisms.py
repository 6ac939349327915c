"""Every mechanism that a variant can switch on, in the sequence in which they are described and checked.

A mechanism is checked after those whose tables it needs: the neutrals come before the mechanisms that refer to them.
"""

from judge.rules.mechanisms.armed_neutrals import ArmedNeutrals
from judge.rules.mechanisms.build_sites import BuildAnywhere, BuildSites
from judge.rules.mechanisms.canals import Canals
from judge.rules.mechanisms.closed_seasons import ClosedSeasons
from judge.rules.mechanisms.diplomacy_points import Points
from judge.rules.mechanisms.emergency_measures import EmergencyMeasures
from judge.rules.mechanisms.extra_home_centers import ExtraHomeCenters
from judge.rules.mechanisms.groups import Groups
from judge.rules.mechanisms.readings import Readings, Removals
from judge.rules.mechanisms.religion import Religion
from judge.rules.mechanisms.sponsors import Sponsors
from judge.rules.mechanisms.vassals import Vassals
from judge.rules.mechanisms.victory import UnanimousEnds, Victory
from judge.rules.mechanisms.weakening_borders import DifficultBorders, HalfStrengthBorders
from judge.rules.variant_files.checking import MechanismInFile

MECHANISMS: tuple[type[MechanismInFile], ...] = (
    Victory,
    UnanimousEnds,
    HalfStrengthBorders,
    DifficultBorders,
    EmergencyMeasures,
    Groups,
    ArmedNeutrals,
    Points,
    Vassals,
    Religion,
    Sponsors,
    ExtraHomeCenters,
    Canals,
    ClosedSeasons,
    BuildSites,
    BuildAnywhere,
    Removals,
    Readings,
)
