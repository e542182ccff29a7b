"""What is done in a headline: the action that tells two stories about the same unit apart."""

import re

from knowledge.pulses.headlines import DOWN_WORDS, UP_WORDS, caseless

# Opposites (approved and rejected, up and down) are facets of their own: they never are one event.
FACETS: dict[str, re.Pattern[str]] = {
    "hack": re.compile(
        r"해킹|유출|탈취|도난|(?:비정상|무단)\s*출금|"
        r"\b(?:hack(?:s|ed|er|ers|ing)?|exploit(?:s|ed|er|ing)?|breach(?:es|ed)?|stolen|steals?|drained|"
        r"leak(?:s|ed)?|theft|heist|security incident)\b"
    ),
    "merger": re.compile(
        r"합병|인수(?!위|인계)|주식\s*교환|"
        r"\b(?:merg(?:e|es|ed|er|ers|ing)|acqui(?:re|res|red|ring|sition|sitions)|takeover|buyout)\b"
    ),
    "delisting": re.compile(
        r"(?:거래\s*지원|서비스|거래)\s*종료|상폐|상장\s*폐지|"
        r"\b(?:de-?list(?:s|ed|ing|ings)?|shut(?:s|ting)? down|shutters?|wind(?:s|ing) down)\b"
    ),
    "listing": re.compile(
        r"(?<!비)상장(?!\s*폐지|지수|사(?![가-힣])|사[가는의도를들]|기업|법인|회사)|거래\s*지원(?!\s*종료)|마켓\s*추가|"
        r"(?<![\w-])(?:lists|listed|listing|listings|to list)\b"
    ),
    "rejection": re.compile(
        r"거부|불승인|불허|반려|기각|부결|"
        r"\b(?:reject(?:s|ed|ion|ing)?|den(?:y|ies|ied|ial)|disapprov\w+|dismiss(?:es|ed|al)?)\b"
    ),
    "approval": re.compile(
        r"(?<![불미])승인|인가|허가|\b(?:approv(?:e|es|ed|al|als|ing)|green-?lights?|greenlit)\b"
    ),
    "sanction": re.compile(
        r"제재|검사|현장\s*점검|점검반|과징금|과태료|영업\s*정지|수사|압수\s*수색|"
        r"\b(?:sanction(?:s|ed)?|inspect(?:s|ed|ion|ions|ing)?|probes?|probed|fine[sd]|penalt(?:y|ies)|"
        r"investigat(?:e|es|ed|ion|ing)|crackdown)\b"
    ),
    "price down": DOWN_WORDS,
    "price up": UP_WORDS,
    "enforcement": re.compile(
        r"시행|통과|발효|"
        r"\b(?:takes? effect|took effect|comes? into (?:force|effect)|enact(?:s|ed)?|pass(?:es|ed)|"
        r"signed into law)\b"
    ),
    "outage": re.compile(
        r"장애|먹통|마비|접속\s*(?:지연|불가|폭주)|서버\s*다운|"
        r"\b(?:outages?|downtime|goes down|went down|disrupted)\b"
    ),
}


def action_facets(title: str, lead: str = "") -> frozenset[str]:
    """The facets named in the headline; those of the lead only where the headline names none, because leads
    also tell the background."""
    return _facets(title) or _facets(lead)


def _facets(text: str) -> frozenset[str]:
    plain = caseless(text)
    return frozenset(name for name, words in FACETS.items() if words.search(plain))
