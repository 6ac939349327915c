"""The corpus on disk: a letter each in tests/data/letters, and what must be understood of them in one file."""

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

from tests.letters.corpus import characters, hands, machines, programs, security, web
from tests.letters.corpus.samples import Sample

FOLDER = Path(__file__).parents[2] / "data" / "letters"
EXPECTED = FOLDER / "expected.json"


def built() -> Iterator[Sample]:
    """The letters as the builders make them."""
    for module in (web, programs, hands, characters, security, machines):
        for sample in module.samples():
            # Each has a Message-ID of its own, as letters do.
            yield (
                sample
                if b"Message-ID:" in sample.raw
                else replace(sample, raw=b"Message-ID: <%s@example.org>\r\n" % sample.name.encode() + sample.raw)
            )


def kept() -> list[Sample]:
    """The letters as they lie in the folder."""
    known = json.loads(EXPECTED.read_text())
    return [_sample(name, facts) for name, facts in known.items()]


def _sample(name: str, facts: dict[str, object]) -> Sample:
    told = {key: tuple(value) if isinstance(value, list) else value for key, value in facts.items()}
    return Sample(name=name, raw=(FOLDER / f"{name}.eml").read_bytes(), **told)  # type: ignore[arg-type]


def expectations(samples: list[Sample]) -> str:
    """The file of what must be understood."""
    plain = Sample("", "", b"")
    facts = {}
    for sample in samples:
        said = asdict(sample)
        facts[sample.name] = {
            key: value
            for key, value in said.items()
            if key == "program" or key not in ("name", "raw") and value != getattr(plain, key)
        }
    return json.dumps(facts, ensure_ascii=False, indent=1) + "\n"


def write() -> None:
    """Put what the builders make into the folder."""
    samples = list(built())
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.eml"):
        path.unlink()
    for sample in samples:
        (FOLDER / f"{sample.name}.eml").write_bytes(sample.raw)
    EXPECTED.write_text(expectations(samples))


if __name__ == "__main__":
    write()
