"""Passwords: generated ones cheap to check, chosen ones slow, neither kept in clear."""

import random

from judge.games.passwords import Passwords, generate

KEY = b"k" * 32


def test_generated_passwords_differ_and_are_easy_to_type():
    made = {generate(random.SystemRandom()) for _ in range(100)}
    assert len(made) == 100
    assert all(password.isalnum() and len(password) == 12 for password in made)


def test_a_generated_password_matches_its_hash_and_no_other():
    passwords = Passwords(KEY)
    kept = passwords.keep_generated("abc")
    assert passwords.matches(kept, "abc") and passwords.matches(kept, "ABC")
    assert not passwords.matches(kept, "abd")
    assert "abc" not in kept


def test_a_keyed_hash_is_worth_nothing_without_the_key():
    assert not Passwords(b"other" * 8).matches(Passwords(KEY).keep_generated("abc"), "abc")


def test_a_chosen_password_is_kept_as_argon2id_with_a_salt_of_its_own():
    passwords = Passwords(KEY)
    one, two = passwords.keep_chosen("sesame"), passwords.keep_chosen("sesame")
    assert one.startswith("$argon2id$") and one != two
    assert passwords.matches(one, "Sesame") and passwords.matches(two, "sesame")
    assert not passwords.matches(one, "sesam")


def test_an_empty_hash_matches_nothing():
    assert not Passwords(KEY).matches("", "")


def test_what_was_prepared_is_not_computed_again(monkeypatch):
    passwords = Passwords(KEY)
    passwords.prepare_chosen("sesame")
    kept = passwords.keep_chosen("sesame")
    assert passwords.matches(kept, "sesame")
    monkeypatch.setattr(passwords, "_argon2", None)
    assert passwords.matches(kept, "sesame")
