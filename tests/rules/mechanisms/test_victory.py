"""What wins on the boards where each power wins for itself."""

import pytest

from tests.rules.lines import Board
from tests.texts import table


@pytest.mark.parametrize(
    ("board", "counts", "winner"),
    table("""
        1648            => France 17, Spain 12            =>
        1648            => France 18, Spain 12            => France
        1648            => France 19, Spain 18            => France
        1648            => France 18, Spain 18            =>
        1648            => France 20, Spain 20, Sweden 19 =>
        1900            => France 17                      =>
        1900            => France 18, Italy 17            => France
        1900            => France 18, Italy 19            => Italy
        1900            => France 18, Italy 18            =>
        ambition_empire => France 14, Spain 12            =>
        ambition_empire => France 15, Spain 12            => France
        ambition_empire => France 16, Spain 15            => France
        ambition_empire => France 15, Spain 15            =>
        ambition_empire => France 16, Spain 16, Sweden 12 =>
        colonia         => Spain 49                       =>
        colonia         => Spain 50                       => Spain
        colonia         => Spain 50, Russia 49            => Spain
        colonia         => Spain 50, Russia 50            =>
        colonia         => Spain 51, Russia 50            => Spain"""),
)
def test_so_many_centers_and_more_than_anybody_else_win(board, counts, winner):
    """1648, Victory Conditions; 1900, short rules 1; Ambition & Empire, VI; Colonia, rule 9. Any centers will do."""
    played = Board(board)
    free = list(played.variant.centers)
    owned = {power: [free.pop() for _ in range(int(count))] for power, count in map(str.split, counts.split(", "))}
    out = played.play("F1910M", centers=owned)
    assert (out["winner"] or "") == winner
    assert (out["next"] is None) == bool(winner)
