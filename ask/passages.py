"""A model's answer in pieces: what each says, and the sentences that it cites."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ask import prose
from ask.evidence import Evidence
from ask.support import Rest

# Of the letters and digits, in blocks that rest on what they cite: of all that the model wrote, and of a sentence.
CITED_SHARE_MIN = 0.6


@dataclass(frozen=True, slots=True)
class Passage:
    """A block of the answer: its text, and the sentences that it cites."""

    text: str
    rests: tuple[Rest, ...] = ()

    @property
    def cited(self) -> tuple[Evidence, ...]:
        return tuple(one.evidence for one in self.rests)

    def saying(self, said: str) -> "Passage":
        """The passage with another text. One without a letter or digit says nothing that could be cited."""
        return replace(self, text=said, rests=self.rests if prose.weight(said) else ())


def text_of(passages: Sequence[Passage]) -> str:
    return "".join(one.text for one in passages)


def without(passages: Sequence[Passage], spans: Sequence[tuple[int, int]]) -> list[Passage]:
    """The passages without these places, in order, of the text that they make together."""
    kept, end = [], 0
    for one in passages:
        start, end = end, end + len(one.text)
        left = (at for at in range(start, end) if not any(first <= at < last for first, last in spans))
        kept.append(one.saying("".join(one.text[at - start] for at in left)) if spans else one)
    return kept
