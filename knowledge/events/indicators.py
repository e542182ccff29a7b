"""Rates and indexes that are decided or counted again and again, told by whose they are, in both languages. Pure.

`연준, 기준금리 인하` and `Fed cuts rates` name `us rate`; the next decision is told apart by its time and figures.
"""

import re

STATES = {
    "us": r"미국|美|연준|\bfomc\b|\bfed\b|\bfederal reserve|\bu\.?s\.?(?![a-z])|\bamerican?\b",
    "korea": r"한국|국내|한은|금통위|통계청|\bbank of korea|\bbok\b|\bkorean?\b",
    "japan": r"일본|日|일은|\bbank of japan|\bboj\b|\bjapan(?:ese)?\b|\btokyo\b",
    "uk": r"영국|영란은행|英|\bbank of england|\bboe\b|\bbritain|\bu\.?k\.?\b",
    "europe": r"유럽|유로존|\becb\b|\beuropean|\beuro ?zone",
    "china": r"중국|中|인민은행|\bpboc\b|\bchin(?:a|ese)\b",
}
MATTERS = {
    "rate": (
        r"금리|금통위|베이비컷|빅컷|\bfomc\b|\brates?\b|\bbasis points|"
        r"\b(?:quarter|half)[ -](?:a[ -])?(?:percentage[ -])?point|"
        r"\b(?:cuts|hikes?|holds|dissent\w*|sits tight|stands pat)\b"
    ),
    "prices": r"물가|\bcpi\b|\bppi\b|\bpce\b|\binflation\b|\bconsumer prices",
    "jobs": r"고용|실업률|일자리|\bpayrolls?\b|\bjobless\b|\bunemployment\b|\bjobs\b",
    "growth": r"성장률|국내총생산|\bgdp\b",
}


def indicators(text: str) -> frozenset[str]:
    """Each rate or index that a text names with a state or its bank, as "us rate"."""
    plain = text.casefold()
    matters = [matter for matter, words in MATTERS.items() if re.search(words, plain)]
    states = [state for state, words in STATES.items() if matters and re.search(words, plain)]
    return frozenset(f"{state} {matter}" for state in states for matter in matters)
