"""The public record of an answer, and of a question."""
# ruff: noqa: N815  the names are those of the public JSON

from rest_framework import serializers

from ask.citations import CitationRecord
from ask.models import QUESTION_MAX_LENGTH, Mode
from ask.related import ANSWER, RelatedRecord
from ask.storing import Reply
from knowledge.models import PREFIXES
from knowledge.queries.record_fields import Rfc3339Field


class QuestionSerializer(serializers.Serializer[dict[str, str]]):
    """A question to be answered."""

    question = serializers.CharField(
        max_length=QUESTION_MAX_LENGTH, help_text="in Korean or English, with at least one letter or digit"
    )


class CitationSerializer(serializers.Serializer[CitationRecord]):
    """A canonical page that the answer rests on; `[n]` in the answer is the n-th of them."""

    label = serializers.CharField()  # type: ignore[assignment]  # a record's label, not the field's own
    url = serializers.CharField(help_text="site-relative")
    type = serializers.ChoiceField(choices=PREFIXES)


class RelatedSerializer(serializers.Serializer[RelatedRecord]):
    """A page to go on with, which the answer does not rest on; `answer` is another answered question."""

    label = serializers.CharField()  # type: ignore[assignment]  # a record's label, not the field's own
    url = serializers.CharField(help_text="site-relative")
    type = serializers.ChoiceField(choices=[*PREFIXES, ANSWER])
    sentence = serializers.CharField(
        allow_blank=True,
        help_text="where `mode` is none, what the page says that comes nearest to the question; no answer to it",
    )


class AnswerSerializer(serializers.Serializer[Reply]):
    """An answer as REST and MCP hand it out."""

    questionHash = serializers.CharField(
        source="answer.question_hash", help_text="its page is /ask/q/<questionHash>"
    )
    question = serializers.CharField(
        help_text="as it was asked, without invisible characters and doubled blanks"
    )
    answer = serializers.CharField(source="version.body")
    citations = CitationSerializer(source="version.citations", many=True)
    costUsd = serializers.FloatField(
        source="version.cost_usd", help_text="what making the stored answer cost"
    )
    cached = serializers.BooleanField(
        help_text="false where this request had it made, and was counted for that"
    )
    generatedAt = Rfc3339Field(source="version.generated_at")
    mode = serializers.ChoiceField(
        source="version.mode",
        choices=Mode.choices,
        help_text="llm: written by a model; extractive: quoted, or figures put into sentences; none",
    )
    related = RelatedSerializer(
        many=True, help_text="at most three pages to go on with; the nearest ones where `mode` is none"
    )


class SeedAnswerSerializer(AnswerSerializer):
    """A stored answer to a question of the editors', as it stands in a list of all of them."""

    cached = None  # type: ignore[assignment]  # it is of one request
    url = serializers.CharField(
        source="answer.get_absolute_url", help_text="site-relative address of its page"
    )
