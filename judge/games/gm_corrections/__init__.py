"""What a master puts right: positions, borders, orders, civil disorder, a step back."""
