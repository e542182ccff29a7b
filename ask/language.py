"""The language of a question decides the language of everything said in answer to it."""

import re
from typing import Literal

Language = Literal["ko", "en"]

# Syllables, and the letters that make them in all their blocks.
_HANGUL = re.compile("[가-힣\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\ud7b0-\ud7ff\uffa1-\uffdc]")


def language_of(question: str) -> Language:
    """Korean as soon as there is any Hangul, else English."""
    return "ko" if _HANGUL.search(question) else "en"
