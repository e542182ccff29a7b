"""Which spellings in a text stand as words of their own: boundaries, joined names, leftmost-longest."""

import re
from collections import defaultdict
from collections.abc import Container

from knowledge.linking.automaton import Ambiguity, Dictionary, Entry, Pattern, UnitKey
from knowledge.linking.hangul import HANGUL_RUN, LONGEST_TAIL, Tail, is_syllable, read_tail
from knowledge.linking.lexicon import COMPANY_NOUNS, ENGLISH_WORDS, FORK_NAMES, QUOTE_CURRENCIES
from knowledge.normalise import FoldedText

_WORD_CHAR = re.compile(r"[^\W가-힣ㄱ-ㅣ一-鿿ぁ-ヿ]")  # of scripts that put spaces between words
_QUOTE = re.compile(rf"(?:{'|'.join(QUOTE_CURRENCIES)}|PERP)(?![A-Za-z0-9_])")
_FORK_STARTS = frozenset(" ").union(name[0] for name in FORK_NAMES)
_FORK = re.compile(rf" ?(?:{'|'.join(FORK_NAMES)})(?![a-z0-9_])([가-힣]{{0,{LONGEST_TAIL + 1}}})")
_COMPANY = re.compile(rf" ?(?:{'|'.join(COMPANY_NOUNS)})(?![a-z0-9_])([가-힣]{{0,{LONGEST_TAIL + 1}}})")
# An amount right before a ticker: 500BTC. Its first digit must not itself belong to a word.
_AMOUNT = re.compile(r"(?<![A-Za-z0-9_.,])\d[\d,.]{0,20}$")
_AMOUNT_LENGTH = 24
_SHORTEST_PAIRED_TICKER = 3
_LONGEST_GAP = 6  # syllables of a particle between two names written together


class Match:
    """One spelling found at one place of the folded text, with the aliases whose case agrees."""

    def __init__(self, pattern: Pattern, start: int, end: int, *, bounded: bool) -> None:
        self.pattern = pattern
        self.start = start
        self.end = end
        self.bounded = bounded  # on the left; if not, the name before must justify it
        self.entries: tuple[Entry, ...] = pattern.entries
        self.ambiguity = pattern.ambiguity
        self.loose = False  # the case agrees only if the name before the brackets is the same unit's
        self.forked = False  # another asset's name begins with this one: 비트코인 골드
        self.tail: int = Tail.FITS  # how what follows reads; NONE if only a neighbouring name can justify it
        self.tail_end = end
        self.reach = -1  # where the neighbouring name starts that is written right against this one
        self.options: dict[UnitKey, Entry] = {}  # what it may be, by which alias; once it is chosen
        self.inside: list[Match] = []  # names of assets within a topic's: 비트코인 반감기
        self.paired = False  # with another name of the same unit
        self.contradicted = False  # by another unit's name in brackets

    def list_options(self) -> None:
        """The least doubtful alias speaks for its unit, and a unit's own before a merged one's."""
        if len(self.entries) == 1:
            self.options = {self.entries[0].unit: self.entries[0]}
            return
        ranked = sorted(self.entries, key=lambda one: (one.ambiguity, one.owner != one.unit), reverse=True)
        self.options = {entry.unit: entry for entry in ranked}

    def restrict(self, units: Container[UnitKey]) -> None:
        self.options = {unit: entry for unit, entry in self.options.items() if unit in units}


def select(dictionary: Dictionary, text: FoldedText) -> list[Match]:
    """The spellings of ``text`` that stand on their own, leftmost-longest, not overlapping, in order."""
    matches = _matches(dictionary, text)
    if any(not match.tail for match in matches):
        _join_neighbours(matches, text)
    return _leftmost_longest(matches)


def _matches(dictionary: Dictionary, text: FoldedText) -> list[Match]:
    found: list[Match] = []
    ends: set[int] = set()
    low = text.low
    for start, end, pattern in dictionary.find(low):
        bounded = not start or not _blocked_left(pattern, text, start, end)
        if not bounded and not _may_follow_name(pattern, start, ends):
            continue
        match = Match(pattern, start, end, bounded=bounded)
        if not (pattern.any_case or _agree_on_case(match, text)):
            continue
        if end < len(low):
            _read_right(match, text)
        found.append(match)
        ends.add(end)
    found.sort(key=lambda match: (match.start, -match.end))
    return found


def _blocked_left(pattern: Pattern, text: FoldedText, start: int, end: int) -> bool:
    before = text.low[start - 1]
    if pattern.hangul_first:
        return is_syllable(before)
    if not pattern.latin_first or _WORD_CHAR.match(before) is None:
        return False
    return not (before.isdigit() and _is_amount(pattern, text, start, end))


def _is_amount(pattern: Pattern, text: FoldedText, start: int, end: int) -> bool:
    """Whether the digits before a ticker count it (500BTC) rather than belong to its name."""
    ticker = text.cased[start:end]
    if pattern.word or not ticker.isupper() or len(ticker) < _SHORTEST_PAIRED_TICKER:
        return False
    return _AMOUNT.search(text.cased[max(0, start - _AMOUNT_LENGTH) : start]) is not None


def _may_follow_name(pattern: Pattern, start: int, ends: set[int]) -> bool:
    """Whether a name ends where it may justify this one; it would have been seen before."""
    if start in ends:
        return True
    # 비트코인과이더리움: a long name may come after a particle of the name before it.
    return pattern.strong and any(start - gap in ends for gap in range(1, _LONGEST_GAP + 1))


def _agree_on_case(match: Match, text: FoldedText) -> bool:
    """Keep the aliases whose case agrees with the text; False when none does."""
    entries = match.pattern.entries
    start, end = match.start, match.end
    written = text.cased[start:end].replace(" ", "")
    agreeing = [entry for entry in entries if not entry.exact or entry.exact == written]
    if agreeing:
        match.ambiguity = min(entry.ambiguity for entry in agreeing)
    elif has_dollar(text.cased, start):
        agreeing = list(entries)
    elif written.isupper() and any(not entry.exact.isupper() for entry in entries):
        agreeing = [entry for entry in entries if not entry.exact.isupper()]
        match.ambiguity = Ambiguity.EVERYDAY if match.pattern.word else Ambiguity.COINED
    elif text.cased[start - 1 : start] == "(" and text.cased[end : end + 1] == ")":
        agreeing, match.loose = list(entries), True
    match.entries = tuple(agreeing)
    return bool(agreeing)


def has_dollar(cased: str, start: int) -> bool:
    """Whether a cashtag's $ stands before ``start``."""
    return cased[start - 1 : start] == "$" and not cased[max(0, start - 2) : start - 1].isalnum()


def _read_right(match: Match, text: FoldedText) -> None:
    """Judge what follows: a boundary, an ending, or nothing that fits (tail NONE)."""
    low, end = text.low, match.end
    after = low[end]
    if (after in _FORK_STARTS and _makes_fork(match, low)) or (
        match.pattern.person and _makes_company(match, low)
    ):
        match.forked, match.tail = True, Tail.NONE
    elif match.pattern.hangul_last:
        if (run := HANGUL_RUN.match(low, end)) and len(run.group()) > LONGEST_TAIL:
            match.tail = Tail.NONE
        elif run:
            match.tail, match.tail_end = read_tail(run.group()), run.end()
    elif match.pattern.latin_last and _WORD_CHAR.match(after):
        if after == "s" and text.cased[end] == "s" and not _WORD_CHAR.match(low[end + 1 : end + 2]):
            match.tail_end = end + 1
        elif not (quote := _QUOTE.match(text.cased, end)):
            match.tail = Tail.NONE
        else:
            match.tail_end = quote.end()


def _makes_fork(match: Match, low: str) -> bool:
    fork = _FORK.match(low, match.end)
    return bool(fork and match.pattern.asset and read_tail(fork.group(1)))


def _makes_company(match: Match, low: str) -> bool:
    company = _COMPANY.match(low, match.end)
    return bool(company and read_tail(company.group(1)))


def _join_neighbours(matches: list[Match], text: FoldedText) -> None:
    """From right to left: a justified name justifies the one written right against it."""
    starting: dict[int, list[Match]] = defaultdict(list)
    for match in reversed(matches):
        if not match.tail:
            match.reach = _neighbour_of(match, starting, text)
        if match.tail or match.reach >= 0:
            starting[match.start].append(match)


def _neighbour_of(match: Match, starting: dict[int, list[Match]], text: FoldedText) -> int:
    end = match.end
    if any(_may_join(match, other, text) for other in starting.get(end, ())):
        return end
    if not match.pattern.hangul_last:
        return -1
    for start in range(end + 1, min(end + _LONGEST_GAP, len(text.low)) + 1):
        if any(other.pattern.strong for other in starting.get(start, ())) and read_tail(text.low[end:start]):
            return start
    return -1


def _may_join(left: Match, right: Match, text: FoldedText) -> bool:
    """Whether two names may be written together: 비트코인도지, BTCUSDT; not 리플레이, SOLID."""
    if left.pattern.hangul_last:
        return left.pattern.strong or right.pattern.strong
    return all(_is_pair_ticker(side, text) for side in (left, right))


def _is_pair_ticker(match: Match, text: FoldedText) -> bool:
    written = text.cased[match.start : match.end]
    if written in QUOTE_CURRENCIES:
        return True
    return (
        len(written) >= _SHORTEST_PAIRED_TICKER and written.isupper() and written.lower() not in ENGLISH_WORDS
    )


def _leftmost_longest(matches: list[Match]) -> list[Match]:
    chosen: list[Match] = []
    free_from = 0
    for match in matches:
        if match.start < free_from:
            if chosen and match.pattern.asset and _holds(chosen[-1], match):
                chosen[-1].inside.append(match)
            continue
        if not (match.tail or match.forked or match.reach >= 0):
            continue
        if not (match.bounded or (chosen and _justifies(chosen[-1], match))):
            continue
        free_from = match.end
        if not match.forked:
            match.list_options()
            chosen.append(match)
    return chosen


def _holds(outer: Match, match: Match) -> bool:
    """Whether a topic's name holds this one as a word of its own: 비트코인 in 비트코인 반감기."""
    if not (outer.pattern.holds and match.bounded and match.tail) or match.forked or match.end > outer.end:
        return False
    if outer.inside and match.start < outer.inside[-1].end:
        return False
    match.list_options()
    match.restrict(match.options.keys() - outer.options.keys())
    return bool(match.options)


def _justifies(before: Match, match: Match) -> bool:
    """Whether the name before justifies this one, which has no boundary on its left."""
    # 비트코인이더라 is no 이더, but 비트코인반감기 is a halving; in BTCUSDT the quote may itself be a name.
    adjoins = match.start == before.end and (match.pattern.strong or not before.pattern.hangul_last)
    return adjoins or match.start == before.reach
