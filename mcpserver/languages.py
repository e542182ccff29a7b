"""The language in which a result speaks: titles and summaries are in one, or in both where both are asked for.

It is the active one for as long as a tool runs, as it is for a page: what chooses words there chooses them here.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import override

from knowledge.languages import ENGLISH, KOREAN, current_language
from knowledge.models import Unit
from mcpserver.schemas import Schema, choice

BOTH = "both"


def lang_argument(default: str = KOREAN) -> Schema:
    return choice("Of texts.", KOREAN, ENGLISH, BOTH, default=default)


LANG = lang_argument()


def speaking(given: Mapping[str, Any]) -> override:
    """The language that these arguments ask for, Korean before English where they ask for both, while it is entered."""
    return override(ENGLISH if given.get("lang") == ENGLISH else KOREAN)


def spoken() -> str:
    """``ko`` or ``en``: the language of what is being made."""
    return current_language()


def in_english() -> bool:
    return spoken() == ENGLISH


def in_both(given: Mapping[str, Any]) -> bool:
    return given.get("lang") == BOTH


def english_title(unit: Unit, given: Mapping[str, Any]) -> dict[str, str]:
    """The English title beside the Korean one, where both are asked for and there is one."""
    return {"title_en": unit.label_en} if in_both(given) and unit.label_en else {}
