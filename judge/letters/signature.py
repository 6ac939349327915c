"""What a letter's own header says about how much of it is signed (DKIM, RFC 6376), and a digest to know it again by.

Our mail server says whether the signature is good. It does not say that a field was put above the signed one, or that
the signature covers only the beginning of the text: that is seen here.
"""

import hashlib
from io import BytesIO

from judge.addresses import normal_domain
from judge.letters.parsed import Part

# A letter is read by these; RFC 5322, 3.6 and RFC 2045, 3 allow each once.
_ONCE = ("from", "date", "message-id", "subject", "to", "in-reply-to", "references", "mime-version")
# When it was written, and that it was written to the judge.
_SIGNED = ("date", "to")
_SIGNATURE = "dkim-signature"


def not_covered(root: Part, sender: str) -> str:
    """Why the letter may say something else than what `sender` signed, as a sentence; "" if its header shows nothing of
    the kind.
    """
    for name, values in root.headers.items():
        if len(values) > 1 and (name in _ONCE or name.startswith("content-")):
            return f"Your email has {len(values)} {name.title()} fields, and only one of them can be signed."
    signatures = [_tags(value) for value in root.headers.get(_SIGNATURE, ())]
    own = [tags for tags in signatures if _is_of(tags.get("d", ""), sender.rpartition("@")[2])]
    if any("l" in tags for tags in own):
        return "The signature of your mail provider covers only the beginning of your email."
    for tags in own:
        signed = tags.get("h", "").lower().replace(" ", "").split(":")
        if missing := next((name for name in _SIGNED if name not in signed), ""):
            return f"The signature of your mail provider does not cover the {missing.title()} field of your email."
    if own and not root.header("date"):
        return "Your email has no date."
    return ""


def digest(root: Part) -> str:
    """A hash of the letter's Date and of its body, whose blanks relays may change (RFC 6376, 3.4.4): 64 hexadecimal
    digits.
    """
    found, ends = hashlib.sha256(root.header("date").strip().encode()), 1
    for line in BytesIO(root.body):
        if words := line.split():
            found.update(b"\n" * ends + b" ".join(words))
            ends = 0
        ends += 1
    return found.hexdigest()


def _tags(value: str) -> dict[str, str]:
    """{tag: its value} of a signature, without the folds in it."""
    tags = [tag.partition("=") for tag in value.split(";") if "=" in tag]
    # Whatever stands before a name: an "l" that a verifier may read is an "l".
    return {name.lower().split()[-1]: " ".join(text.split()) for name, _, text in tags if name.strip()}


def _is_of(signer: str, domain: str) -> bool:
    """Whether a signature of this domain speaks for an address at `domain`."""
    own = normal_domain(signer.strip())
    return bool(own) and (domain == own or domain.endswith("." + own) or own.endswith("." + domain))
