"""The mails: templates and their variables, composing, and the pump that delivers."""
