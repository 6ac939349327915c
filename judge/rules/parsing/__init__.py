"""Text to orders: reads what people write, and finds the power that an order is for."""
