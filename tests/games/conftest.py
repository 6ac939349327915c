"""The same desk as for letters, for what is tried on the rows of a game."""

from tests.commands.conftest import desk as desk
from tests.commands.conftest import heron as heron
