"""What of a model's text may be shown: visible characters, whole sentences, and none that leads elsewhere."""

import re
import unicodedata
from collections.abc import Collection, Iterable

from ask import marks
from ask.language import Language
from ask.prompts import SearchResultBlock
from knowledge.invisible import visible
from knowledge.search.sentences import split_sentences
from knowledge.sources.feeds.cleaning import unescape_once

# Domains under which an address is told from a missing blank: "coins.It", "이다.bitcoin".
_COMMON = "com|net|org|info|biz|xyz|app|io|me|kr|co|cn|ru|gg|ly|site|online|shop|link|top|club|example"
_HOST = (
    r"(?<![A-Za-z0-9_.-])(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\.)+(?!(?:js|json)(?![a-z]))[a-z]{2,24}(?![A-Za-z0-9])"
    rf"|(?<![\w.-])(?:[^\W_][\w-]{{0,62}}\.)+(?:{_COMMON}|{_COMMON.upper()})(?![A-Za-z0-9])"
)
_ADDRESS = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]{0,20}://\S"
    r"|\b(?:mailto|javascript|tel|tg):\S"
    r"|\]\(|\]:[ \t]*[/#<]"  # a Markdown link, and where one leads
    r"|(?<!\w)@[A-Za-z]\w{2,}|\w@[\w-]{1,63}\.\w"
    r"|(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])"
    rf"|(?P<host>{_HOST})(?P<path>[:/?#]\w)?"
)
_DOT = re.compile(r"\s*[\[(]\s*(?:\.|dot)\s*[\])]\s*|[。｡]", re.IGNORECASE)
_NO_ANSWER = re.compile(r"\**not[_*\-]+in[_*\-]+records\**\.?", re.IGNORECASE)
# A full stop that ends a sentence, and neither a number nor an abbreviation.
_ENDED = re.compile(r"(?:[가-힣]|[a-z]{3}|[\"'”’)\]」』%])[.!?…。！？]+[\"'”’)\]」』*]*\s*\Z")


def readable(said: str) -> str:
    """Text as a reader sees it, line by line: composed, without invisible characters, marks or markup."""
    while (plain := marks.without_false(_plain(said))) != said:
        said = plain
    return said


def _plain(said: str) -> str:
    # Whoever reads the text as Markdown undoes entities and escapes.
    lines = unescape_once(said).replace("\\", "").split("\n")
    return "\n".join(unicodedata.normalize("NFC", visible(line)) for line in lines)


def known_hosts(sources: Iterable[SearchResultBlock]) -> frozenset[str]:
    """Names that look like an address (Crypto.com) and that the editors wrote: in labels, and in their own records."""
    written = []
    for source in sources:
        hit = source.evidence.hit
        own = hit.document is None and hit.post is None
        written += [source.evidence.citation.label, *(source.sentences if own else ())]
    return frozenset(
        found["host"].lower() for one in written for found in _ADDRESS.finditer(one) if found["host"]
    )


def leads_elsewhere(said: str, known: Collection[str]) -> bool:
    """Whether a text has an address, a handle or a link in it, written openly or not."""
    folded = unicodedata.normalize("NFKC", _DOT.sub(".", said))
    return any(
        found["host"] is None or found["path"] or found["host"].lower() not in known
        for found in _ADDRESS.finditer(folded)
    )


def says_no_answer(said: str) -> bool:
    """Whether the word for "the search results do not say" is in a text: it is for us, never for a reader."""
    return _NO_ANSWER.search(said) is not None


def forbidden(said: str, lang: Language, known: Collection[str]) -> list[tuple[int, int]]:
    """What of a text may not be shown: that word, and whole sentences with an address in them.

    Without the address alone, a sentence would say something else.
    """
    spans = [found.span() for found in _NO_ANSWER.finditer(said)]
    start = 0
    for sentence in split_sentences(said, lang) if leads_elsewhere(said, known) else ():
        if leads_elsewhere(sentence, known):
            spans.append((start, start + len(sentence)))
        start += len(sentence)
    return spans


def ends_sentence(said: str) -> bool:
    """Whether a text ends with a full stop, and neither with a number's nor an abbreviation's."""
    return _ENDED.search(said) is not None


def whole(said: str, lang: Language) -> str:
    """A text that was cut off, up to its last whole sentence."""
    sentences = split_sentences(said, lang)
    if not sentences or ends_sentence(sentences[-1]):
        return said
    return "".join(sentences[:-1])


def weight(said: str) -> int:
    """How much of a text is read: its letters and digits."""
    return sum(map(str.isalnum, said))
