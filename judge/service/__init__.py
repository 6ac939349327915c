"""The daemon and its threads: letters and deadlines in order, sending and drawing, retention, health, metrics."""
