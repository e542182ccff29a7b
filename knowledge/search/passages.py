"""Units, documents and persona posts as passages: what is quoted, what is only found, whom it mentions."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db import models
from django.db.models import Case, F, OuterRef, Prefetch, Q, Value, When
from django.db.models.functions import MD5, Cast, Concat, Extract
from django.utils import timezone

from knowledge.linking.gazetteer import current_gazetteer
from knowledge.linking.store import units_named
from knowledge.models import (
    Alias,
    Document,
    EventUnit,
    Mention,
    PersonaPost,
    Series,
    SourceKind,
    Unit,
    survivor_key,
)
from knowledge.models.reader_questions import read_question
from knowledge.models.search import PassageKind, SearchPassage
from knowledge.search import lexemes, morphemes, words
from knowledge.search.sentences import split_sentences

# Characters; longer texts are cut at sentences into equal parts of at least half of it.
PASSAGE_MAX_LENGTH = 600
# A summary as long as the canon allows stays whole: the names of its unit lead to the first part alone.
SUMMARY_PASSAGE_MAX_LENGTH = 900

# The state of a subject in a few characters, as the database sees it: compared with the rows made from it.
_OF_UNIT = Series.objects.filter(Q(holder=OuterRef("pk")) | Q(holder__merged_into=OuterRef("pk"))).in_order()
_SERIES_NAMES = ArraySubquery(
    _OF_UNIT.values_list(
        Concat("label", "label_en", Cast("aliases", models.TextField()), output_field=models.TextField())
    )
)
# Few units hold series, and the others are spared to look for them one by one.
_SERIES_SUM = Case(
    When(
        pk__in=Series.objects.values_list(survivor_key("holder")),
        then=MD5(Cast(_SERIES_NAMES, models.TextField())),
    ),
    default=Value(""),
    output_field=models.TextField(),
)
# Readers see no question of a unit, so that ``updated_at`` tells nothing of a change of them.
_SUM = Case(
    When(
        reader_questions__len__gt=0,
        then=MD5(Concat(_SERIES_SUM, Cast("reader_questions", models.TextField()))),
    ),
    default=_SERIES_SUM,
    output_field=models.TextField(),
)
UNIT_REVISION = Concat(
    Cast(Extract("updated_at", "epoch"), models.TextField()),
    _SUM,
    output_field=models.TextField(),
)
DOCUMENT_REVISION = F("content_sha256")
_EPOCH_OF_POST = Cast(Extract("published_at", "epoch"), models.CharField())
POST_REVISION = MD5(Concat(_EPOCH_OF_POST, Value(" "), "body", output_field=models.TextField()))

_OWN_KINDS = (SourceKind.VIDEO, SourceKind.NOTICE)  # all other documents are found as news


def passages(
    bodies: Iterable[tuple[str, str]],
    *,
    title: str,
    findable: Sequence[str] = (),
    mentioned: Sequence[str] = (),
    longest: int = PASSAGE_MAX_LENGTH,
    **shared: Any,
) -> Iterator[SearchPassage]:
    """Unsaved rows of one subject, ``title`` and ``shared`` their common fields.

    ``bodies``: its texts and their languages; an empty one has its title. ``findable``: aliases and facts, which lead
    to the first passage without being quoted; ``mentioned``: public ids, one for each mention; ``longest``: characters
    of a passage.
    """
    current_gazetteer()  # by whose names the words are read
    pieces = [(lang, piece) for body, lang in bodies for piece in split(body, lang, longest)]
    for ordinal, (lang, piece) in enumerate(pieces):
        runs = [words.places(run) for run in (title, piece, *(() if ordinal else findable))]
        yield SearchPassage(
            **shared,
            title=title,
            ordinal=ordinal,
            lang=lang,
            text=piece,
            analyzer=morphemes.ANALYZER,
            dl=sum(map(len, runs)),
            tsv=lexemes.tsvector_literal(runs, mentioned),
        )


def split(body: str, lang: str, longest: int = PASSAGE_MAX_LENGTH) -> list[str]:
    """A text in verbatim pieces of at most ``longest`` characters, about equally long, cut between sentences."""
    body = body.strip()
    if len(body) <= longest:
        return [body]
    even = len(body) / math.ceil(len(body) / longest)
    pieces = [""]
    for sentence in split_sentences(body, lang):
        for part in _short_enough(sentence, longest):
            if pieces[-1] and (len(pieces[-1]) >= even or len(pieces[-1]) + len(part) > longest):
                pieces.append("")
            pieces[-1] += part
    return [piece.strip() for piece in pieces if piece.strip()]


def _short_enough(sentence: str, longest: int) -> Iterator[str]:
    """A sentence, or its parts where nothing ends it for more than a passage."""
    while len(sentence) > longest:
        cut = sentence.rfind(" ", 1, longest) + 1 or longest
        yield sentence[:cut]
        sentence = sentence[cut:]
    yield sentence


def unit_passages(ids: Iterable[int]) -> Iterator[SearchPassage]:
    """Passages of the public units among these: label, aliases (merged units' too), facts, both summaries, and what
    their series are called."""
    chosen = Unit.objects.published().filter(pk__in=ids)
    subjects = Prefetch("event_units", EventUnit.objects.select_related("unit"), to_attr="spoken_of")
    units: list[Any] = list(chosen.annotate(revision=UNIT_REVISION).order_by("pk").prefetch_related(subjects))
    # After the revisions: a name that comes between the two makes a passage look outdated, never current without it.
    aliases, series = Alias.names.by_unit([unit.pk for unit in units]), _series_held(units)
    for unit in units:
        summaries = [(unit.summary, "ko")]
        if unit.summary_en.strip():
            summaries.append((unit.summary_en, "en"))
        named = units_named(f"{unit.summary}\n{unit.summary_en}")
        yield from passages(
            summaries,
            kind=unit.kind,
            title=unit.label,
            longest=SUMMARY_PASSAGE_MAX_LENGTH,
            revision=unit.revision,
            published_at=unit.occurred_at,
            unit_id=unit.pk,
            findable=[
                *aliases.get(unit.pk, ()),
                *_facts(unit),
                *_words_once(series[unit.pk]),
                *_words_once(unit.asked_as),
                *_words_once(read_question(line).asked for line in unit.reader_questions),
            ],
            mentioned=[
                unit.public_id,
                *(link.unit.public_id for link in unit.spoken_of),
                *(public_id for public_id in named if public_id != unit.public_id),
            ],
        )


def _series_held(units: Iterable[Unit]) -> defaultdict[int, list[str]]:
    """The names of the series that each of these units holds, itself or by one merged into it."""
    found: defaultdict[int, list[str]] = defaultdict(list)
    held = Series.objects.filter(holder__in=Unit.objects.families([unit.pk for unit in units])).in_order()
    for holder, label, english, aliases in held.values_list(
        survivor_key("holder"), "label", "label_en", "aliases"
    ):
        found[holder] += [label, english, *aliases]
    return found


def _words_once(names: Iterable[str]) -> Iterator[str]:
    """The words of many names in one run, each once: eight fees of one topic do not make it eight times as much about
    fees."""
    if words := dict.fromkeys(word for name in names for word in name.split()):
        yield " ".join(words)


def _facts(unit: Unit) -> Iterator[str]:
    if unit.symbol:
        yield unit.symbol
    if unit.occurred_at:
        at = timezone.localtime(unit.occurred_at)
        yield f"{at.year}년 {at.month}월 {at.day}일"


def document_passages(ids: Iterable[int]) -> Iterator[SearchPassage]:
    """Passages of the public documents among these: title, summary, an entity lexeme for each mention."""
    # Equal hits are found in the order of their passages, which must not be that in which Postgres came upon the rows.
    chosen = list(Document.objects.published().filter(pk__in=ids).order_by("pk"))
    yield from passages_of(chosen, mentions_of(document.pk for document in chosen))


def passages_of(
    documents: Iterable[Document], mentioned: Mapping[int, Sequence[str]]
) -> Iterator[SearchPassage]:
    """Passages of these documents, all of them public, of which each mentions these public ids."""
    for document in documents:
        yield from passages(
            [(document.summary, document.lang)],
            kind=document.kind if document.kind in _OWN_KINDS else PassageKind.NEWS,
            title=document.title,
            revision=document.content_sha256,
            published_at=document.published_at,
            document_id=document.pk,
            mentioned=mentioned.get(document.pk, ()),
        )


def mentions_of(document_ids: Iterable[int]) -> dict[int, list[str]]:
    """The public ids that each document mentions, once for each mention, in reading order.

    A merged unit's mentions stay its own: questions ask for the survivor and for whatever was merged into it.
    """
    found: dict[int, list[str]] = {}
    rows = Mention.objects.filter(document__in=list(document_ids)).order_by("document_id", "start")
    for document_id, prefix, slug in rows.values_list("document_id", "unit__prefix", "unit__slug"):
        found.setdefault(document_id, []).append(f"{prefix}:{slug}")
    return found


def post_passages(ids: Iterable[int]) -> Iterator[SearchPassage]:
    """Passages of the public persona posts among these, with the units they speak of and the persona."""
    chosen = PersonaPost.objects.published().filter(pk__in=ids).annotate(revision=POST_REVISION)
    posts: Iterable[Any] = chosen.order_by("pk").select_related("persona__entity").prefetch_related("units")
    for post in posts:
        persona = post.persona.entity
        spoken_of = [unit.public_id for unit in post.units.all()]
        named = (public_id for public_id in units_named(post.body) if public_id not in spoken_of)
        yield from passages(
            [(post.body, "ko" if morphemes.HANGUL_RUN.search(post.body) else "en")],
            kind=PassageKind.POST,
            title=persona.label,
            revision=post.revision,
            published_at=post.published_at,
            post_id=post.pk,
            mentioned=[persona.public_id, *spoken_of, *named],
        )
