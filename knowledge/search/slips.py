"""What counts as a slip of the pen in a name: how words are spelt for comparison, and which differences are no slip.

Hangul is compared by its letters (jamo), also with vowels drawn together as writers do: 이더륨 for 이더리움. A Latin
word one letter away from a name is often another word (steps, Stepn), so of short names only typical slips count.
"""

import re
import unicodedata

HANGUL_LETTERS_MIN = 7  # in a name of fewer a letter makes another word
LATIN_LETTERS_MIN = 5
_HANGUL_LETTERS_A_SLIP = 6
_LATIN_ANY_SLIP = 7  # letters of a name in which any slip counts
_LATIN_VOWEL_SLIP = 6  # letters of a name in which a wrong vowel counts
_LATIN_TWO_SLIPS = 10
_STEM_MIN = 5

_DRAWN_TOGETHER = {
    "ᅵ아": "ᅣ", "ᅵ어": "ᅧ", "ᅵ오": "ᅭ", "ᅵ우": "ᅲ", "ᅩ아": "ᅪ", "ᅮ어": "ᅯ", "ᅮ이": "ᅱ",
}  # fmt: skip
_TWO_VOWELS = re.compile("|".join(_DRAWN_TOGETHER))
# A name is looked for among those that begin alike; tense and aspirated consonants count as the plain one.
_PLAIN_INITIAL = str.maketrans("ᄁᄏᄄᄐᄈᄑᄊᄍᄎ", "ᄀᄀᄃᄃᄇᄇᄉᄌᄌ")
_DOUBLED = re.compile(r"(.)\1+")
_VOWELS = frozenset("aeiou")
_DERIVED = re.compile(r"(?:e?s|e?d|ers?|ing|ists?|ic|al|ly)$")


def is_hangul(word: str) -> bool:
    return "가" <= word[0] <= "힣"


def spellings(word: str) -> tuple[str, ...]:
    """The letters of a word in lower case; of a Hangul word its jamo, and those with vowels drawn together."""
    if not is_hangul(word):
        return (word.lower(),)
    letters = unicodedata.normalize("NFD", word)
    together = _TWO_VOWELS.sub(lambda vowels: _DRAWN_TOGETHER[vowels.group()], letters)
    return tuple(dict.fromkeys((letters, together)))


def initial(letters: str) -> str:
    """By what names are sorted: a word is compared with those of the same initial."""
    return letters[0].translate(_PLAIN_INITIAL)


def slips_allowed(letters: int, *, hangul: bool) -> int:
    """How many slips may part two words of which the shorter has so many letters."""
    if hangul:
        return 0 if letters < HANGUL_LETTERS_MIN else min(letters // _HANGUL_LETTERS_A_SLIP, 2)
    return 0 if letters < LATIN_LETTERS_MIN else 1 + (letters >= _LATIN_TWO_SLIPS)


def is_likely(word: str, name: str) -> bool:
    """Whether a Latin word, in small letters and close to a name, is more likely a slip in it than another word."""
    if _transposed(word, name) or _DOUBLED.sub(r"\1", word) == _DOUBLED.sub(r"\1", name):
        return True
    stem = _DERIVED.sub("", word)
    if len(stem) >= _STEM_MIN and stem != word and name.startswith(stem):
        return False
    if word.startswith(name) or name.startswith(word) or (word.endswith("ing") and name.endswith("ing")):
        return False
    return len(name) >= _LATIN_ANY_SLIP or (len(name) >= _LATIN_VOWEL_SLIP and _differ_in_vowel(word, name))


def _transposed(word: str, name: str) -> bool:
    """Whether two neighbours changed places, and nothing else differs."""
    at = next((at for at, (one, other) in enumerate(zip(word, name, strict=False)) if one != other), 0)
    return word != name and word[:at] + word[at : at + 2][::-1] + word[at + 2 :] == name


def _differ_in_vowel(word: str, name: str) -> bool:
    wrong = [pair for pair in zip(word, name, strict=False) if pair[0] != pair[1]]
    return len(word) == len(name) and len(wrong) == 1 and _VOWELS.issuperset(wrong[0])
