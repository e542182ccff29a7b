"""Review of doubtful mentions: which of them wait for an editor, and what follows from a verdict."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from knowledge.curation.decisions import CurationError
from knowledge.linking.store import link_documents
from knowledge.models import Alias, Document, Mention, MentionReview, Verdict
from knowledge.models.documents import Squeezed
from knowledge.normalise import normalise_alias
from knowledge.search import indexing

# Older documents are in nobody's feed any more; what a wrong alias did to them is put right at the alias.
ASKED_FOR = timedelta(days=14)
CONTEXT_MAX_LENGTH = 40  # characters of a word that keeps an alias away
ALL_OF_A_DOCUMENT = ("document", "unit", "surface")


def awaiting(*, now: datetime) -> QuerySet[Mention]:
    """Mentions of the last two weeks that rest on an ambiguous alias and have no verdict.

    One a document, unit and surface, as a verdict is; the latest documents first.
    """
    same = {name: OuterRef(name) for name in ALL_OF_A_DOCUMENT}
    doubtful = Mention.objects.filter(
        document__fetched_at__gt=now - ASKED_FOR,
        document__withdrawn=False,
        unit__in=_ambiguous().values("unit"),
    )
    return doubtful.filter(
        Exists(_ambiguous().filter(unit=OuterRef("unit"), norm=Squeezed(OuterRef("surface")))),
        ~Exists(MentionReview.objects.filter(**same)),
        ~Exists(Mention.objects.filter(**same, start__lt=OuterRef("start"))),
    ).order_by("-document__fetched_at", "-pk")


def _ambiguous() -> QuerySet[Alias]:
    return Alias.objects.active().filter(ambiguous=True)


def alias_of(mention: Mention) -> Alias | None:
    """The ambiguous alias that a mention rests on; None when it rests on another, or on a label."""
    return _ambiguous().filter(unit=mention.unit_id, norm=normalise_alias(mention.surface)).first()


@transaction.atomic
def review(mentions: Collection[Mention], verdict: Verdict, *, now: datetime) -> list[int]:
    """Record whether these surfaces mean these units in their documents. Returns the keys of the verdicts.

    Refused mentions are deleted, and linking their documents again does not bring them back.
    """
    named = {(mention.document_id, mention.unit_id, mention.surface) for mention in mentions}
    made = MentionReview.objects.bulk_create(
        [
            MentionReview(
                document_id=document, unit_id=unit, surface=surface, verdict=verdict, decided_at=now
            )
            for document, unit, surface in sorted(named)
        ],
        update_conflicts=True,
        unique_fields=ALL_OF_A_DOCUMENT,
        update_fields=["verdict", "decided_at"],
    )
    if verdict == Verdict.REFUSED:
        _link_again({mention.document_id for mention in mentions})
    return [row.pk for row in made]


@transaction.atomic
def take_back(verdicts: Collection[int]) -> list[MentionReview]:
    """Delete verdicts (keys): the mentions come back and wait again. Returns the deleted verdicts."""
    held = list(MentionReview.objects.select_for_update().filter(pk__in=verdicts).order_by("pk"))
    MentionReview.objects.filter(pk__in=[verdict.pk for verdict in held]).delete()
    _link_again({verdict.document_id for verdict in held})
    return held


@transaction.atomic
def block(mention: Mention, context: str) -> Alias:
    """Keep the mention's alias away from texts in which ``context`` stands near it; the documents follow.

    Raises CurationError for a word of one letter, one that is part of the alias, or one that the document lacks.
    """
    word = " ".join(context.split())[:CONTEXT_MAX_LENGTH]
    alias = alias_of(mention)
    if alias is None:
        raise CurationError(_("이 언급은 모호한 별칭에서 나온 것이 아닙니다."))
    if len(word) < 2 or normalise_alias(word) in alias.norm:
        raise CurationError(_("별칭 곁에 있는 다른 말을 두 글자 이상 적어 주세요."))
    if word.casefold() not in mention.document.text.casefold():
        raise CurationError(_("이 문서에는 그런 말이 없습니다: %(word)s") % {"word": word})
    alias.blocked_contexts = [*dict.fromkeys([*map(str, alias.blocked_contexts), word])]
    alias.save()  # its documents are linked again once this is committed
    _link_again({mention.document_id})
    return alias


def _link_again(documents: Collection[int]) -> None:
    rows = Document.objects.filter(pk__in=documents).select_related("source").order_by("pk")
    indexing.relink_documents(link_documents(rows))
