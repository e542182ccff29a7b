"""The ways in which people ask, as patterns: data in ``words/``, read here alone."""

import re
from functools import cache
from pathlib import Path
from typing import Literal

import orjson

from ask.language import Language

WORDS = Path(__file__).parent / "words"


@cache
def pattern(name: Literal["kinds", "now"], part: str, lang: Language) -> re.Pattern[str]:
    """What a question of one language holds when it asks for ``part``."""
    patterns: dict[str, dict[str, list[str]]] = orjson.loads((WORDS / f"{name}.json").read_bytes())
    said = patterns[part][lang]
    # A Korean question may ask in English words, never the other way round.
    return re.compile("|".join(said), re.IGNORECASE)
