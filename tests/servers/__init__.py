"""Real servers for the tests: throw-away Dovecot and PostgreSQL, and an SMTP server that can be told to misbehave.

Each runs on loopback, on ports and in a folder of its own, as a plain user (root steps down to `nobody`),
and is killed with the process group that it was started in. The fixtures are in `tests/conftest.py`.
"""
