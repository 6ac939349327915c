"""What is sent: templates and what they are given, composing, the pump that delivers."""
