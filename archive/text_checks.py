"""Whether a text may stand as the reflection of a day. Pure: text and facts in, the failed checks out."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from archive.day_facts import NUMBER, DayFacts

LENGTH_MIN, LENGTH_MAX = 150, 400
SENTENCES_MIN, SENTENCES_MAX = 3, 6
HANGUL_SHARE_MIN = 0.85
FACTS_MIN = 2
SIMILARITY_BELOW = 0.6

SENTENCE_END = re.compile(r"(?<=[.!?…])\s+")
FOREIGN = re.compile(r"CJK|HIRAGANA|KATAKANA|CYRILLIC|KANGXI|BOPOMOFO")
MARKUP = re.compile(r"[*#<>\[\]{}`_|~\\]|https?:|www\.|\n")
BANNED = (
    "매수", "매도", "추천", "전망", "예상", "예측", "투자", "수익", "목표가", "저점", "고점", "기대된다",
    "것으로 보인다", "해야 한다", "바란다", "하세요", "하십시오", "보세요", "권한다", "권합니다", "내일",
    "인공지능", "JSON",
)  # fmt: skip
# Only these words are looked for, so a new one in the templates belongs here too.
WEATHER_WORDS: dict[str, re.Pattern[str]] = {
    "storm": re.compile("폭풍|태풍|천둥|번개"),
    "fog": re.compile("안개"),
    "rain": re.compile("빗|소나기|우산|장마|(?<![가-힣])비(?=가|는|도|를|와|에|[^가-힣])"),
    "cloudy": re.compile("구름|흐린|흐렸|흐림"),
    "clear": re.compile("맑"),
    "rainbow": re.compile("무지개"),
}
# A storm has rain and clouds in it, a rainbow comes after rain; everything else would contradict the state.
ALSO_SEEN: dict[str, frozenset[str]] = {
    "storm": frozenset({"rain", "cloudy"}),
    "fog": frozenset({"cloudy"}),
    "rain": frozenset({"cloudy"}),
    "cloudy": frozenset(),
    "clear": frozenset(),
    "rainbow": frozenset({"rain", "clear"}),
}
DISTRICT_WORDS: dict[str, re.Pattern[str]] = {
    "festival": re.compile("축제"),
    "quiet": re.compile("한산|조용|고요"),
    "dark": re.compile("불이 꺼|불을 끄|불을 껐|캄캄|깜깜|정전|어둠"),
}
MOOD_WORDS: dict[str, re.Pattern[str]] = {
    "low": re.compile("가라앉|침울|침통|무거웠|우울"),
    "high": re.compile("밝은 (?:기분|표정|얼굴)|표정은 밝|들뜬|들떠|환호"),
}
MOODS_OF_WORDS = {"low": {"gloomy", "low"}, "high": {"bright", "elated"}}
COUNTERS = {
    "한": 1,
    "두": 2,
    "세": 3,
    "네": 4,
    "다섯": 5,
    "여섯": 6,
    "일곱": 7,
    "여덟": 8,
    "아홉": 9,
    "열": 10,
}
COUNTED = re.compile(rf"(?<![가-힣])({'|'.join(COUNTERS)}) ?(?:곳|구역|군데|건|명|사람)")


def failed_checks(text: str, facts: DayFacts, former: Sequence[str] = ()) -> list[str]:
    """What is wrong with ``text``, in Korean for the writer's second attempt; empty when it may stand.

    ``former``: the texts of the last seven days.
    """
    return [*_form(text), *_numbers(text, facts), *_words(text, facts), *_news(text, facts, former)]


def sentences_of(text: str) -> list[str]:
    return [sentence for sentence in SENTENCE_END.split(text.strip()) if sentence]


def _form(text: str) -> Iterator[str]:
    if not LENGTH_MIN <= len(text) <= LENGTH_MAX:
        yield f"길이가 {len(text)}자이다. {LENGTH_MIN}~{LENGTH_MAX}자여야 한다."
    sentences = sentences_of(text)
    if not SENTENCES_MIN <= len(sentences) <= SENTENCES_MAX:
        yield f"문장이 {len(sentences)}개이다. {SENTENCES_MIN}~{SENTENCES_MAX}개여야 한다."
    if not all(sentence.endswith("다.") for sentence in sentences):
        yield "모든 문장은 '-다.'로 끝나는 평서문이어야 한다."
    letters = [character for character in text if character.isalpha()]
    hangul = sum("가" <= letter <= "힣" for letter in letters)
    if not letters or hangul / len(letters) < HANGUL_SHARE_MIN:
        yield "한글이 아닌 글자가 너무 많다."
    if any(FOREIGN.search(unicodedata.name(letter, "")) for letter in letters):
        yield "한자, 가나, 키릴 문자를 쓰지 않는다."
    if MARKUP.search(text) or any(
        unicodedata.category(character) in ("Cc", "Cf", "Co") for character in text
    ):
        yield "링크, 표시 기호, 줄바꿈을 쓰지 않는다."


def _numbers(text: str, facts: DayFacts) -> Iterator[str]:
    allowed = facts.numbers()
    digits = {number for number in NUMBER.findall(text) if number.replace(",", "") not in allowed}
    counted = {match[0] for match in COUNTED.finditer(text) if str(COUNTERS[match[1]]) not in allowed}
    unknown = sorted(digits | counted)
    if unknown:
        yield f"주어진 사실에 없는 수가 있다: {', '.join(unknown)}."


def _words(text: str, facts: DayFacts) -> Iterator[str]:
    banned = [word for word in BANNED if word in text]
    if banned:
        yield f"쓰지 않는 말이 있다: {', '.join(banned)}."
    allowed = {facts.condition} | ALSO_SEEN[facts.condition]
    wrong = [name for name, words in WEATHER_WORDS.items() if name not in allowed and words.search(text)]
    if wrong:
        yield "날씨를 나타내는 말이 주어진 날씨와 다르다."
    if any(words.search(text) and facts.mood not in MOODS_OF_WORDS[way] for way, words in MOOD_WORDS.items()):
        yield "기분을 나타내는 말이 주어진 기분과 다르다."
    if any(list(_wrong_districts(sentence, facts)) for sentence in sentences_of(text)):
        yield "구역의 모습이 주어진 상태와 다르다."


def _wrong_districts(sentence: str, facts: DayFacts) -> Iterator[str]:
    """Districts called what they are not: a word speaks of the district named last before it."""
    names = {district["name"]: district["status"] for district in facts.districts}
    places = sorted((match.start(), name) for name in names for match in re.finditer(name, sentence))
    for status, words in DISTRICT_WORDS.items():
        for match in words.finditer(sentence):
            before = [name for start, name in places if start < match.start()]
            if before and names[before[-1]] != status:
                yield before[-1]
            elif not before and status not in names.values():
                yield status


def _news(text: str, facts: DayFacts, former: Sequence[str]) -> Iterator[str]:
    if count_facts(text, facts) < FACTS_MIN:
        yield f"주어진 사실이 {FACTS_MIN}가지 이상 들어가야 한다."
    if any(similarity(text, other) >= SIMILARITY_BELOW for other in former):
        yield "최근 7일의 글과 너무 비슷하다. 다른 사실과 다른 문장으로 쓴다."


def count_facts(text: str, facts: DayFacts) -> int:
    """How many facts of the day a text holds: its weather, its districts in their state, its numbers."""
    dates = {str(facts.day.year), str(facts.day.month), str(facts.day.day)}
    numbers = {number.replace(",", "") for number in NUMBER.findall(text)} & facts.numbers() - dates
    weather = bool(WEATHER_WORDS[facts.condition].search(text))
    statuses = {district["status"] for district in facts.districts}
    districts = sum(
        bool(words.search(text)) for status, words in DISTRICT_WORDS.items() if status in statuses
    )
    silence = facts.status == "no_signal" and "신호" in text
    return len(numbers) + weather + districts + silence


def similarity(one: str, other: str) -> float:
    """The share of character trigrams that two texts have in common, 0..1."""
    first, second = _trigrams(one), _trigrams(other)
    union = first | second
    return len(first & second) / len(union) if union else 0.0


def _trigrams(text: str) -> set[str]:
    plain = "".join(text.split())
    return {plain[at : at + 3] for at in range(len(plain) - 2)}
