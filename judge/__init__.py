"""The referee for Diplomacy games played by e-mail."""

from judge.machine_code import offer

__version__ = "0.1.0"

# Which engine adjudicates. Before anything else is imported: a module is either its source or machine code.
rules_engine = offer()
