"""Text to orders: what people write, and whose order it is."""
