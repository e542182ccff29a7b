"""The names of one text weighed: which are units beyond doubt, and what the text says for the others."""

import re
from dataclasses import dataclass, field
from functools import cached_property

from knowledge.linking.automaton import Ambiguity, Entry, Pattern, UnitKey
from knowledge.linking.evidence import Subject, weigh
from knowledge.linking.hangul import HANGUL_RUN, LOOKALIKE, TITLED_NAME, Tail, read_tail
from knowledge.linking.lexicon import BRAND_NOUNS, ENGLISH_WORDS, read_words
from knowledge.linking.matching import Match, has_dollar
from knowledge.normalise import FoldedText

CONTEXT_REACH = 40  # characters on either side in which a blocked context counts
_BRACKETS = frozenset({"(", " (", "[", " ["})
_PAIR_GAPS = _BRACKETS | {"", " ", "/"}
_ABBREVIATION = re.compile(r"[가-힣] ?\($")
_COIN_WORD = re.compile(
    r"['\"’”)]? ?(?:코인|토큰|프로토콜|메인넷|체인|재단|(?:coin|token|protocol|labs|foundation)s?(?![a-z]))"
)
_TRADE_WORD = re.compile(
    r"['\"’”)]? ?(?:시세|차트|상장|상폐|매수|매도|매입|떡상|떡락|스테이킹|에어드|물량|가즈아"
    r"|개발팀|생태계|업그레이드|거래지원"
    r"|(?:price|holder|whale|wallet|bridge|airdrop|staking|mainnet|validator|unlock)s?(?![a-z]))"
)
_BRAND = re.compile(rf" ?(?:{'|'.join(BRAND_NOUNS)})(?![a-z0-9_])")
_QUALIFIERS = read_words("qualifiers")
_WORDS_BEFORE = re.compile(r"(?:([^\s,·]+) )?([^\s,·]+?)의? ?$")
_DETERMINER_AFTER = re.compile(r" (?:the|a|an|its|their|his|her|our|your|my|this|that|these|those)(?![a-z])")
_QUALIFIERS_REACH = 24  # characters: two words
_OTHER_TICKER = re.compile(r" ?\([A-Z0-9]{2,10}\)")
_ADDRESS = re.compile(r" 씨(?![가-힣]{2})")
_ARTICLE_BEFORE = re.compile(r"(?<![a-z])(?:the|a|an|my|your|this|that|every|any|no) $")
_PREPOSITION_AFTER = re.compile(r" (?:of|in|for|to|your|my|me|us)(?![a-z])")
_SENTENCE_START = re.compile(r"(?:^|[.!?\n:\"“‘'(]) ?$")
_SMALL_WORD = re.compile(r" [a-z]")
_CAPITALS_BEFORE = re.compile(r"(?<![A-Za-z0-9$])([A-Z]+)[ '’]$")
_CAPITALS_AFTER = re.compile(r"[ '’]([A-Z]+)(?![A-Za-z0-9])")
_LONGEST_CAPITALS = 24
_NO_TICKER = 5  # letters from which a word in capitals is no ticker

# Points for and against a doubtful name, and how many each ambiguity needs.
_CHANNEL = 3
_CRYPTO = 2
_MOST_OF_MARKET = 2
_OTHER_UNIT, _OTHER_UNIT_FOR_EVERYDAY = 2, 1
_LIST_OF_COINS = 1
_TRADE_BESIDE = 2
_AFFIXED = -1
_COMPANIONS = 2  # other doubtful coins that make a list of coins
_EVERYDAY = -2
_NOTHING_BUT_EVERYDAY = -3  # where nothing in the text speaks of crypto
_FUNDS = -3  # of stocks and bonds
_NEEDED = {Ambiguity.SHORT: 0, Ambiguity.COINED: 1, Ambiguity.EVERYDAY: 2}


@dataclass(frozen=True)
class Disambiguation:
    """One text's names on their way to units."""

    text: FoldedText
    names: list[Match]
    crypto_channel: bool
    _certain: set[UnitKey] = field(default_factory=set)  # units that are named beyond doubt
    _telling: set[UnitKey] = field(default_factory=set)  # those of them that tell of crypto

    def resolve(self) -> list[tuple[Match, Entry]]:
        """The names that are units, in order, each with the alias that made it one."""
        self._pair_up()
        names = [name for outer in self.names for name in (outer, *outer.inside) if self._judge(name)]
        self._settle(names)
        return [(name, entry) for name, entry in zip(names, self._entries(names), strict=True) if entry]

    def _pair_up(self) -> None:
        """이름(TICKER) and 이름 TICKER: two names of one unit side by side are beyond doubt."""
        low = self.text.low
        for left, right in zip(self.names, self.names[1:], strict=False):
            gap = low[left.end : right.start]
            if gap not in _PAIR_GAPS:
                continue
            common = left.options.keys() & right.options.keys()
            if common:
                for name in (left, right):
                    name.restrict(common)
                    name.paired = len(common) == 1
            elif gap in _BRACKETS and low[right.end : right.end + 1] in (")", "]"):
                # 루나(LUNC) is not LUNA: the brackets say which of the namesakes is meant.
                left.contradicted = right.pattern.latin_first

    def _judge(self, name: Match) -> bool:
        """Settle how doubtful a name is; False drops it."""
        if name.pattern.contexts:
            self._drop_blocked(name)
            if not name.options:
                return False
        if name.paired:
            name.ambiguity = Ambiguity.PLAIN
            return True
        if name.loose:
            return False
        if name.pattern.hangul_first:
            self._judge_hangul(name)
        elif name.pattern.latin_first:
            self._judge_latin(name)
        if name.pattern.shared_term:
            name.ambiguity = max(name.ambiguity, Ambiguity.SHORT)
            if self._is_qualified(name):
                return False
        if name.pattern.several_units:
            name.ambiguity = max(name.ambiguity, Ambiguity.COINED)
        if name.ambiguity >= Ambiguity.COINED:
            return not (name.contradicted or self._belongs_to_other(name))
        return name.ambiguity is Ambiguity.PLAIN or not (name.pattern.latin_last and self._is_brand(name))

    def _drop_blocked(self, name: Match) -> None:
        start, end = name.start, name.end
        around = self.text.low[max(0, start - CONTEXT_REACH) : end + CONTEXT_REACH]
        options = name.options.items()
        name.restrict([unit for unit, entry in options if not any(one in around for one in entry.contexts)])

    def _judge_hangul(self, name: Match) -> None:
        start, end, low = name.start, name.end, self.text.low
        if name.ambiguity is Ambiguity.PLAIN or name.tail_end == end:
            return
        if (titled := TITLED_NAME.match(low, start)) and titled.end() > end:
            name.ambiguity = max(name.ambiguity, Ambiguity.COINED)
        if (lookalike := LOOKALIKE.match(low, start)) and lookalike.end() > end:
            name.options = {}

    def _belongs_to_other(self, name: Match) -> bool:
        """수이 씨, 루나님, SC제일은행, 코어(CPU): a doubtful name that is somebody else's."""
        low, end = self.text.low, name.end
        if name.tail & Tail.ADDRESSED or _ADDRESS.match(low, end):
            return True
        if _OTHER_TICKER.match(self.text.cased, name.tail_end):
            return all(entry.has_ticker for entry in name.options.values())
        after = HANGUL_RUN.match(low, end) if name.pattern.latin_last else None
        return after is not None and not read_tail(after.group())

    def _is_qualified(self, name: Match) -> bool:
        """국채 ETF, 우라늄의 반감기: one of the two words before says of what other field it is; or it is a verb."""
        if _DETERMINER_AFTER.match(self.text.low, name.end):
            return True
        before = _WORDS_BEFORE.search(self.text.low[max(0, name.start - _QUALIFIERS_REACH) : name.start])
        return before is not None and not _QUALIFIERS.isdisjoint(before.groups())

    def _is_brand(self, name: Match) -> bool:
        """SOL뱅크, SOL Bank: a short ticker that begins the name of another house's product."""
        return name.pattern.asset and _BRAND.match(self.text.low, name.end) is not None

    def _judge_latin(self, name: Match) -> None:
        start, end = name.start, name.end
        cased = self.text.cased
        if has_dollar(cased, start):
            name.ambiguity = Ambiguity.PLAIN
            return
        if name.ambiguity is Ambiguity.SHORT and self._abbreviates_other(start, end):
            name.ambiguity = Ambiguity.COINED
        if name.pattern.word:
            name.ambiguity = max(name.ambiguity, self._ambiguity_of_word(name))

    def _ambiguity_of_word(self, name: Match) -> Ambiguity:
        """How doubtful an English word is, by how it is written there."""
        start, end = name.start, name.end
        written = self.text.cased[start:end]
        if written.islower():
            return Ambiguity.EVERYDAY
        if written.isupper():
            if self._shouted(start, end):
                return Ambiguity.EVERYDAY
            if end - start == len(self.text.low):
                return Ambiguity.SHORT  # a text of nothing but the name
            return Ambiguity.EVERYDAY if self._in_prose(start, end) else Ambiguity.COINED
        # Fed, Trump: an editor who asked for the exact case has settled that the word is a name, but for coins:
        # people know the word better.
        settled = name.ambiguity < Ambiguity.COINED and not name.pattern.any_case and not name.pattern.asset
        return Ambiguity.SHORT if settled or not self._opens_sentence(start, end) else Ambiguity.EVERYDAY

    def _opens_sentence(self, start: int, end: int) -> bool:
        """Ripple effects hit: the capital may be the sentence's, and a word in small letters follows."""
        before, cased = self.text.cased[max(0, start - 2) : start], self.text.cased
        return bool(_SENTENCE_START.search(before) and _SMALL_WORD.match(cased, end))

    def _abbreviates_other(self, start: int, end: int) -> bool:
        """정부효율부(DOGE): brackets after words that are no name of the unit."""
        cased = self.text.cased
        return cased[end : end + 1] == ")" and bool(_ABBREVIATION.search(cased[max(0, start - 3) : start]))

    def _shouted(self, start: int, end: int) -> bool:
        """Whether the capitals are the sentence's: a neighbour in capitals is an English word."""
        cased = self.text.cased
        before = _CAPITALS_BEFORE.search(cased[max(0, start - _LONGEST_CAPITALS) : start])
        after = _CAPITALS_AFTER.match(cased, end, end + _LONGEST_CAPITALS)
        words = [match.group(1) for match in (before, after) if match]
        return any(word.lower() in ENGLISH_WORDS or len(word) >= _NO_TICKER for word in words)

    def _in_prose(self, start: int, end: int) -> bool:
        """the ONE ring, LINK in bio: a word with its English neighbours, stressed."""
        low = self.text.low
        before = _ARTICLE_BEFORE.search(low[max(0, start - 7) : start])
        return before is not None or _PREPOSITION_AFTER.match(low, end) is not None

    def _settle(self, names: list[Match]) -> None:
        """Find the units that are named beyond doubt; short names are, where the text is on their subject."""
        single = [name for name in names if len(name.options) == 1]
        self._note_certain(single)
        for name in single:
            if name.ambiguity is Ambiguity.SHORT and self._convinces(name):
                name.ambiguity = Ambiguity.PLAIN
        self._note_certain(names)

    def _note_certain(self, names: list[Match]) -> None:
        for name in names:
            if name.ambiguity is Ambiguity.PLAIN:
                self._certain.update(name.options)
                if not name.pattern.macro:
                    self._telling.update(name.options)

    def _entries(self, names: list[Match]) -> list[Entry | None]:
        entries = [self._entry_of(name) for name in names]
        if None in entries and (found := {entry.unit for entry in entries if entry} - self._certain):
            # What a text says of its doubtful names is said of the others too.
            self._certain.update(found)
            self._telling.update(found)
            return [entry or self._entry_of(name) for name, entry in zip(names, entries, strict=True)]
        return entries

    def _entry_of(self, name: Match) -> Entry | None:
        """The alias by which a name is a unit, or None where doubt remains."""
        if len(name.options) > 1:
            own = name.options.keys() & self._certain
            return name.options[own.pop()] if len(own) == 1 else None
        for unit, entry in name.options.items():
            if unit in self._certain or self._says_coin(name) or self._convinces(name):
                return entry
        return None

    def _says_coin(self, name: Match) -> bool:
        """스토리 코인, 코어토큰: the word beside a name says what it is."""
        if name.ambiguity is Ambiguity.GENERIC and not name.pattern.hangul_first:
            return False
        if name.tail & Tail.COIN:
            return True
        return _COIN_WORD.match(self.text.low, name.end) is not None

    def _convinces(self, name: Match) -> bool:
        if name.ambiguity is Ambiguity.GENERIC:
            return False
        evidence, asset, shared = self._evidence, name.pattern.asset, name.pattern.shared_term
        other = not (self._telling if asset or shared else self._certain) <= name.options.keys()
        points = _CHANNEL if self.crypto_channel else 0
        points += _CRYPTO if evidence["crypto"] else 0
        if not shared:
            points += min(_MOST_OF_MARKET, evidence["market"] + (0 if asset else evidence["macro"]))
        if other:
            word = asset and name.ambiguity is Ambiguity.EVERYDAY
            points += _OTHER_UNIT_FOR_EVERYDAY if word else _OTHER_UNIT
        if self._has_company(name):
            points += _LIST_OF_COINS
        if _TRADE_WORD.match(self.text.low, name.end):
            points += _TRADE_BESIDE
        if name.ambiguity > Ambiguity.SHORT and name.tail & Tail.AFFIXED:
            points += _AFFIXED
        crypto = other or evidence["crypto"]
        if evidence["everyday"]:
            points += _EVERYDAY if crypto else _NOTHING_BUT_EVERYDAY
        if evidence["funds"] and (asset or shared) and not other:
            points += _FUNDS
        return points >= _NEEDED[name.ambiguity]

    @cached_property
    def _evidence(self) -> dict[Subject, int]:
        return weigh(self.text.low, [(name.start, name.end) for name in self.names])

    def _has_company(self, name: Match) -> bool:
        """Whether other doubtful names are likely what this one is: coins in a row, a coin and who speaks of it."""
        coins, people, themes = self._doubtful
        if len(coins) >= _COMPANIONS and len(coins - name.options.keys()) >= _COMPANIONS:
            return True
        if name.pattern.theme:
            return any(other.shared_term != name.pattern.shared_term for other in themes)
        return bool(people) if name.pattern.asset else name.pattern.person and bool(coins)

    @cached_property
    def _doubtful(self) -> tuple[set[UnitKey], set[UnitKey], list[Pattern]]:
        """The coins, the people and the terms among the doubtful names that are no everyday words."""
        coined = [name for name in self.names if name.ambiguity is Ambiguity.COINED]
        coins = {unit for name in coined if name.pattern.asset for unit in name.options}
        people = {unit for name in coined if name.pattern.person for unit in name.options}
        return coins, people, [name.pattern for name in coined if name.pattern.theme]
