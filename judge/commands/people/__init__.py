"""Commands about oneself: registering, signing on, joining, one's own seat, tokens by mail."""
