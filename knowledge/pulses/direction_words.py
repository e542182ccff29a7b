"""The words by which Korean and English headlines say that a price rises or falls."""

from __future__ import annotations

import re

UP_WORDS = re.compile(
    r"급등|폭등|치솟|상승|반등|신고가|최고가|사상\s*최고|랠리|강세|급반등|돌파|"
    r"\b(?:surg(?:e|es|ed|ing)|soar\w*|rall(?:y|ies|ied|ying)|jump(?:s|ed|ing)?|spik(?:e|es|ed|ing)|"
    r"ris(?:e|es|ing)|rose|climb(?:s|ed|ing)?|rebound(?:s|ed|ing)?|upside|skyrocket\w*|"
    r"(?:record|all-time) highs?)\b"
)
DOWN_WORDS = re.compile(
    r"급락|폭락|추락|하락|후퇴|약세|급전직하|곤두박질|붕괴|패닉\s*셀|투매|신저가|최저가|"
    r"\b(?:plung(?:e|es|ed|ing)|crash(?:es|ed|ing)?|plummet\w*|tumbl(?:e|es|ed|ing)|slump(?:s|ed|ing)?|"
    r"sink(?:s|ing)?|sank|drop(?:s|ped|ping)?|fall(?:s|ing)?|fell|slid(?:e|es|ing)?|retreat(?:s|ed|ing)?|"
    r"slip(?:s|ped|ping)?|collaps(?:e|es|ed|ing)|sell-?off)\b"
)
