"""Which two questions are the same question. Changing a rule here breaks the permanent links of stored answers.

``clean`` gives what is stored, shown and sent to the model; ``key`` what is compared; ``question_hash`` the address.
Kept apart on purpose: Korean spacing, particles, ``C++`` and ``C``, ``1-2월`` and ``12월``, ``-5%`` and ``5%``.
"""

import hashlib
import re
import unicodedata

HASH_LENGTH = 32  # hex digits
_NAMESPACE = "ask:v1\n"

# Invisible characters make one question look like another, or carry text that nobody sees. The project's list is in
# ``knowledge.invisible`` and grows with Unicode; these of it are fixed, since permanent addresses rest on them.
_INVISIBLE = re.compile(
    "["
    "\ud800-\udfff"  # lone surrogates: JSON may escape them, no encoding takes them
    "\u00ad\u034f\u180b-\u180f\u200b-\u200d\u2060-\u2064\ufeff"  # soft hyphen, joiners, zero width
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"  # direction of writing
    "\u115f\u1160\u3164\uffa0"  # Hangul fillers
    "\ufff9-\ufffb\U000e0000-\U000e0fff"  # annotation marks, tags, ideographic variations
    "\ufdd0-\ufdef\ufffe\uffff"  # noncharacters, which XML refuses
    "]"
)
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_VARIATION = re.compile("[\ufe00-\ufe0f]")  # an emoji with and without its colour is one emoji

_TWINS = str.maketrans(
    dict.fromkeys("“”„‟«»「」『』〝〞＂", '"')
    | dict.fromkeys("‘’‚‛‹›′´`＇", "'")
    | dict.fromkeys("‐‑‒–—―−⁃﹘﹣－", "-")
    | dict.fromkeys("•‧∙⋅・･ㆍ", "·")
    | dict.fromkeys("〜∼˜～", "~")
)
_TRAILING = " ?!.。,…~"
_QUOTES = "\"'"


def clean(question: str) -> str:
    """The question as it is stored, shown and sent: NFC, visible characters only, single spaces."""
    visible = _INVISIBLE.sub("", question)
    return " ".join(_CONTROL.sub(" ", unicodedata.normalize("NFC", visible)).split())


def key(question: str) -> str:
    """What two spellings of one question share: compatibility forms, case and closing punctuation folded."""
    unified = _VARIATION.sub("", clean(question)).translate(_TWINS)
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", unified).casefold())
    # NFKC makes new spaces (U+00A0) and new twins (U+FF0D), so both rules are applied to its result as well.
    return _trimmed(" ".join(folded.translate(_TWINS).split()))


def question_hash(question: str) -> str:
    """32 hex digits that name the question in ``/ask/q/<hash>``."""
    digest = hashlib.sha256((_NAMESPACE + key(question)).encode()).hexdigest()
    return digest[:HASH_LENGTH]


def _trimmed(text: str) -> str:
    """Without closing punctuation and wrapping quotes, in whatever order they are nested."""
    while True:
        shorter = _unwrapped(text.rstrip(_TRAILING).lstrip())
        if shorter == text:
            return text
        text = shorter


def _unwrapped(text: str) -> str:
    """Without a pair of quotes around the whole; ``"A" or "B"`` is no such pair."""
    wrapped = len(text) > 1 and text[0] == text[-1] and text[0] in _QUOTES
    return text[1:-1].strip() if wrapped and text.count(text[0]) == 2 else text
