"""Questions for what something is, and the sentences that say so."""

import re

from knowledge.search import morphemes

SUBJECT_MIN_LENGTH = 2
_QUOTES = "\"'“”‘’"
_KOREAN_ASKS = re.compile(
    r"""(?P<subject>.+?)(?:
    (?:이란|란) (?:\ *(?:대체|도대체))? (?:\ +(?:무엇|뭐|뭘|뭔|무슨|어떤).*)?
    | (?:은|는|이|가|이라는\ *건|라는\ *건)? \ *(?:대체|도대체)? \ *(?:
        무엇 | 무엇(?:인|이|일|입|을\ *(?:뜻|의미)).*
        | 뭐 | 뭐(?:야|예|에|죠|지|냐|임|니|고|일|란|라).* | 뭘까.* | 뭔(?:가|지|데).*
        | (?:무슨|어떤)\ *(?:뜻|말|의미).*
      )
    | 의? \ +(?:뜻|의미|정의) (?:은|는|이|가)? (?:\ +(?:무엇|뭐|뭘|뭔).*)?
    )""",
    re.VERBOSE,
)
_ENGLISH_ASKS = re.compile(
    r"(?:(?:what(?:'s|’s| is| are| was| were)|define|explain)(?: (?:the )?(?:definition|meaning) of)?"
    r"|(?:the )?(?:definition|meaning) of) (?:an? |the )?(?P<subject>.+)"
    r"|what (?:does|do) (?:an? |the )?(?P<meant>.+) mean"
)
_SENTENCE_BEGINS = rf"(?:^|\n|[.!?。][{_QUOTES})]?\s)\s*[{_QUOTES}]?(?:an? |the )?"
_SENTENCE_DEFINES = (
    rf"[{_QUOTES}]?(?: *\([^()]{{0,80}}\))?"
    r"(?:은|는|이란|란|이라는|라는| (?:is|are|was|were|refers? to|means?)\b)"
)


def defined_subject(question: str) -> str:
    """What a question such as "X란?", "X가 뭐야" or "what is X" asks to define, normalised; empty for any other one."""
    asked = morphemes.normalise(question).strip().rstrip("?!.~ ")
    found = _ENGLISH_ASKS.fullmatch(asked) or _KOREAN_ASKS.fullmatch(asked)
    subject = next(filter(None, found.groups()), "").strip(f"{_QUOTES} ") if found else ""
    # One syllable would find "이는 …" for the country 이란.
    return subject if len(subject) >= SUBJECT_MIN_LENGTH else ""


def defining_sentence(subject: str) -> re.Pattern[str]:
    """What matches a text in which some sentence begins "X는 …", "X(…)은 …", "X is …", however X is spaced."""
    letters = r"\s*".join(map(re.escape, "".join(subject.split())))
    return re.compile(_SENTENCE_BEGINS + letters + _SENTENCE_DEFINES, re.IGNORECASE)
