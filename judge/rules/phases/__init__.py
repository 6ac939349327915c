"""What follows from orders: movement, retreats and the winter, and what each phase asks of a power."""
