"""Text to orders: read what people write, and find the power that each order is for."""
