"""Commands about oneself: registering, signing on, joining, one's own seat, and codes by mail."""
