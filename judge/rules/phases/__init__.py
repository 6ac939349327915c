"""The effects of orders in movement, retreats and winter, and the orders that each phase asks of a power."""
