"""The rules of Diplomacy and its variants: a pure library that can be used without the rest of the judge.

It has no clock, no database and no mail, and reads only the variants' files. `adjudicate` is the only function that
adjudicates a phase. `parse_order` reads an order that a person wrote, and `describe_order` writes an order in words.
"""

from judge.rules.adjudicate import OrderResult, Outcome, adjudicate
from judge.rules.board.names import by_number, capitalized, counted, listed
from judge.rules.board.orders import (
    Build,
    Convoy,
    Disband,
    Dislodged,
    Hold,
    Home,
    Move,
    Order,
    OrderError,
    Position,
    Remove,
    Retreat,
    Support,
    Unit,
    Waive,
    format_order,
)
from judge.rules.board.phase import PhaseError, PhaseKind, kind, read_phase, words, year
from judge.rules.board.power import NEUTRAL
from judge.rules.board.province import Province
from judge.rules.describe import describe_order
from judge.rules.json_forms import (
    PositionError,
    outcome_from_json,
    outcome_to_json,
    position_after,
    position_from_json,
    position_to_json,
    start_position,
)
from judge.rules.json_lines import answer_line
from judge.rules.mechanisms.armed_neutrals import civil_disorder
from judge.rules.mechanisms.auction import Auction, Bid, BidResult, Unread, auction, check_bid, income
from judge.rules.parsing.decoration import LEFT_OPEN, filled_in
from judge.rules.parsing.grammar import parse_order
from judge.rules.parsing.lines import check_order, is_only_orders, read_line
from judge.rules.parsing.recognition import looks_like_order
from judge.rules.phases.needs import Need, legal_orders, needs, seats_asked, still_in
from judge.rules.variant.loading import UnknownVariant, VariantError
from judge.rules.variant.registry import load_variant, load_variant_to_play, open_catalogue, variant_names, variants
from judge.rules.variant.variant import Variant
