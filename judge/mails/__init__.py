"""The mails: their templates and variables, their composition and pictures, and their delivery."""
