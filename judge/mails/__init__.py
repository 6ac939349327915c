"""Mails of the judge, from their templates and pictures to their delivery."""
