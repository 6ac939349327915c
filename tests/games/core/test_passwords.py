"""Passwords: generated ones cheap to check, chosen ones slow, neither kept in clear."""

import pytest
from argon2 import PasswordHasher

from judge.draws import Draws
from judge.games.core.passwords import MOST_SLOW, Passwords, SlowWork, TooManyPasswords

KEY = b"k" * 32
# Where it is told what is hashed and how often, how slowly it is done does not matter.
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


def patiently(question, *arguments):
    """The answer of `question` once all slow work for it is done."""
    while True:
        try:
            return question(*arguments)
        except SlowWork as work:
            work.do()


def test_generated_passwords_differ_and_are_easy_to_type():
    made = {Draws(KEY).word("password") for _ in range(100)}
    assert len(made) == 100
    assert all(password.isalnum() and len(password) == 12 for password in made)


def test_a_generated_password_matches_its_hash_and_no_other_without_slow_work():
    passwords = Passwords(KEY)
    kept = passwords.keep_generated("abc")
    assert passwords.matches(kept, "abc", 1) and passwords.matches(kept, "ABC", 1)
    assert not passwords.matches(kept, "abd", 1)
    assert "abc" not in kept


def test_a_keyed_hash_is_worth_nothing_without_the_key():
    assert not Passwords(b"other" * 8).matches(Passwords(KEY).keep_generated("abc"), "abc", 1)


def test_a_chosen_password_is_kept_as_argon2id_with_a_salt_of_its_own():
    """As slowly as a judge does it."""
    passwords = Passwords(KEY)
    one = patiently(passwords.keep_chosen, "sesame", 1)
    two = patiently(passwords.keep_chosen, "sesame", 2)
    assert one.startswith("$argon2id$") and one != two
    assert patiently(passwords.matches, one, "Sesame", 1) and patiently(passwords.matches, two, "sesame", 1)
    assert not patiently(passwords.matches, one, "sesam", 1)


def test_an_empty_hash_matches_nothing():
    assert not Passwords(KEY).matches("", "", 1)


def test_slow_work_is_asked_for_and_done_once():
    passwords = Passwords(KEY, QUICK)
    kept = patiently(passwords.keep_chosen, "sesame", 1)
    with pytest.raises(SlowWork) as work:
        passwords.matches(kept, "sesame", 1)
    work.value.do()
    assert passwords.matches(kept, "sesame", 1)


def test_a_letter_that_chooses_several_passwords_hashes_each_once():
    """Every slow work begins the letter again, and what was hashed before must still be there."""
    passwords = Passwords(KEY, QUICK)
    works = 0
    while True:
        try:
            for word in ("sesame", "poppy", "sesame", "linseed"):
                passwords.keep_chosen(word, 1)
            break
        except SlowWork as work:
            works += 1
            assert works <= 3
            work.do()
    assert works == 3


def test_a_letter_has_a_few_passwords_hashed_and_no_more():
    """What was hashed for it counts however often the letter is begun again; others have passwords of their own."""
    passwords = Passwords(KEY, QUICK)
    kept = [patiently(passwords.keep_chosen, f"sesame{number}", 1) for number in range(MOST_SLOW)]
    with pytest.raises(TooManyPasswords):
        passwords.keep_chosen("poppy", 1)
    with pytest.raises(TooManyPasswords):
        passwords.matches(kept[0], "sesame0", 1)
    assert passwords.keep_chosen("sesame3", 1) == kept[3]
    assert patiently(passwords.matches, kept[0], "sesame0", 2)
    # What is known already is not hashed again.
    assert passwords.matches(kept[0], "sesame0", 1)


def test_what_was_hashed_for_a_letter_is_forgotten_with_that_letter_alone():
    passwords = Passwords(KEY, QUICK)
    kept = patiently(passwords.keep_chosen, "sesame", 2)
    patiently(passwords.keep_chosen, "sesame", 1)
    passwords.forget_hashed(1)
    assert passwords.keep_chosen("sesame", 2) == kept
    with pytest.raises(SlowWork):
        passwords.keep_chosen("sesame", 1)
