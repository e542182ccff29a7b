"""Which written words are known: to the canon, to passages, to our lists, or to the analyser as words of the language.

The analyser takes apart what it does not know, into whatever is short enough: 없는말쿄쿄 into 없, 말 and twice 쿄.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import dropwhile

from django.db import connection

from knowledge.linking import gazetteer
from knowledge.linking.hangul import PARTICLES
from knowledge.linking.lexicon import ENGLISH_WORDS
from knowledge.search import morphemes
from knowledge.search.lexemes import quoted_lexeme
from knowledge.search.morphemes import Morpheme
from knowledge.search.query import QUESTION_WORDS
from knowledge.search.slips import is_hangul
from knowledge.search.statistics import Corpus

SYLLABLES_MIN = 3
_EVERYDAY = ENGLISH_WORDS | QUESTION_WORDS
_NOUNS = ("NNG", "NNP", "MAG")
_NOUN_SUFFIXES = "들적화성사자제형식권급별측계님"
_BEFORE_NOUNS = ("MM", "NP", "NR", "SN", "XP")  # determiners, pronouns, numbers and prefixes
_NO_STEMS = ("J", "E", "XS", "XP", "VC", "VX")  # particles, endings, affixes and auxiliaries
_SUFFIX = re.compile("사이|[하해했한할함합되돼됐된될됨됩이입인일임였]|시[키켜킨킬]|당[하해했한할]")
_PHRASE_STANDS = "SELECT EXISTS (SELECT FROM knowledge_searchpassage WHERE tsv @@ %s::tsquery)"


def is_known(word: str, corpus: Corpus) -> bool:
    """Whether passages, the canon or our lists have the word, with or without a particle."""
    low = word.lower()
    known = gazetteer.gazetteer_at_hand()
    if known is not None and any(
        known.linker.leading_name(form) or known.names.called(form) for form in forms(low)
    ):
        return True
    if is_hangul(word):
        return False
    spelt = {low, morphemes.singular(low)}
    return any(map(corpus.df, spelt)) or not spelt.isdisjoint(_EVERYDAY)


def forms(word: str) -> Iterator[str]:
    """A word, and a Hangul word without each ending that may be a particle, a Latin one without its plural's."""
    yield word
    if not is_hangul(word):
        if word.endswith(("s", "S")):
            yield word[:-1]
    else:
        for end in range(len(word) - 1, SYLLABLES_MIN - 1, -1):
            if word[end:] in PARTICLES:
                yield word[:end]


def within(word: re.Match[str], read: Sequence[Morpheme]) -> list[Morpheme]:
    return [one for one in read if word.start() <= one.start and one.end <= word.end()]


def is_read(parts: Sequence[Morpheme], corpus: Corpus) -> bool:
    """Whether the analyser reads a Hangul word as one of its own language: a noun or a predicate with its ending.

    It takes apart what it does not know, into whatever is short enough; so a compound counts where its nouns are of two
    syllables and more, and stand in passages.
    """
    if not parts or not is_hangul(parts[0].surface):
        return False
    if len(parts) == 1 or parts[0].tag.startswith(("VV", "VA", "J")):
        return parts[0].tag != "UNKNOWN" and all(one.tag.startswith(("J", "E", "VX")) for one in parts[1:])
    count = next((at for at, one in enumerate(parts) if not _is_noun(one)), len(parts))
    nouns, rest = [one for one in parts[:count] if one.tag != "XSN"], parts[count:]
    written = "".join(one.surface for one in rest)
    ends = not rest or written in PARTICLES or _makes_predicate(rest[0])
    return ends and (len(nouns) == 1 or (len(nouns) > 1 and all(map(corpus.df, _terms(nouns)))))


def _makes_predicate(one: Morpheme) -> bool:
    # The analyser has suffixes for any syllable that it cannot place: 코 in 비트코잉.
    return one.tag.startswith(("XSV", "XSA", "VCP")) and _SUFFIX.match(one.surface) is not None


def _is_noun(one: Morpheme) -> bool:
    return (one.tag in _NOUNS and len(one.surface) > 1) or (
        one.tag == "XSN" and one.surface in _NOUN_SUFFIXES
    )


def _terms(parts: Iterable[Morpheme]) -> list[str]:
    return [token.term for token in morphemes.content(parts) if token.tag]


def stands_in_passages(parts: Sequence[Morpheme], corpus: Corpus) -> bool:
    """Whether passages hold all that a Hangul word came apart into, side by side: then it is a word of theirs."""
    terms = _terms(parts)
    if len(terms) < 2 or not all(map(corpus.df, terms)):
        return False
    with connection.cursor() as cursor:
        cursor.execute(_PHRASE_STANDS, [" <-> ".join(map(quoted_lexeme, terms))])
        return bool(cursor.fetchone()[0])


def unread_words(text: str, corpus: Corpus) -> list[range]:
    """Where Hangul words stand that neither the canon, the analyser nor passages know. ``text`` is normalised.

    None for the analyser that stands in where there is no other: it reads no word.
    """
    if not morphemes.HAS_MECAB:
        return []
    read = morphemes.verbatim_morphemes(text)
    return [
        range(word.start(), word.end())
        for word in morphemes.HANGUL_RUN.finditer(text)
        if _is_torn(parts := within(word, read), corpus)
        and not is_known(word.group(), corpus)
        and not stands_in_passages(parts, corpus)
    ]


def _is_torn(parts: Sequence[Morpheme], corpus: Corpus) -> bool:
    """Whether the analyser made something of a word only by taking it apart."""
    if any(one.tag == "UNKNOWN" for one in parts):
        return True
    rest = list(dropwhile(lambda one: one.tag.startswith(_BEFORE_NOUNS), parts))
    stems = [one for one in rest if not one.tag.startswith(_NO_STEMS)]
    return bool(stems) and (stems[0] is not rest[0] or (len(stems) > 1 and not is_read(rest, corpus)))
