"""What is wrong with the tables of variant.toml that add to the standard rules."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from judge.rules.check_rules import RulesCheck

TERMS = ("neutrals", "points", "vassals", "religion", "extra_home")


def check_terms(rules: "RulesCheck") -> None:
    """Adds what is wrong with these tables to the mistakes."""
