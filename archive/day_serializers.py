"""The shape of a day file, member by member, for the schema; the bytes themselves come from files."""

# ruff: noqa: N815  the names are those of the public JSON

from typing import Any

from rest_framework import serializers
from rest_framework.fields import BooleanField, CharField, ChoiceField, DateField, DictField, FloatField

from archive.city import CONDITIONS, DISTRICT_STATUSES, MOOD_LABELS
from archive.metrics import SERVICES, SLUGS, Metric
from archive.models import Completeness

LATE = "sealed more than 35 minutes after its midnight: the night was missed and made up for"
REHEARSAL = (
    "made by the generator that ships with the service, to try it out: no day of real services; rehearsed and real "
    "days are never measured against each other"
)


def _whole(low: int | None = None, high: int | None = None, **options: Any) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=low, max_value=high, **options)


def _known(low: int | None = None, high: int | None = None, **options: Any) -> serializers.IntegerField:
    """A whole number, or null on a day that does not know."""
    return _whole(low, high, allow_null=True, **options)


class HighlightSerializer(serializers.Serializer[Any]):
    """What a service thought worth telling."""

    label = CharField()  # type: ignore[assignment]  # a member's name
    value = CharField(help_text="a text or a number")


class TopicCountSerializer(serializers.Serializer[Any]):
    """How often a topic was looked at."""

    id = CharField()
    n = _whole(0)


class SisterMetricsSerializer(serializers.Serializer[Any]):
    """The metrics of a service: all of its own are there, those of the others are not."""

    def get_fields(self) -> dict[str, Any]:
        return {metric.name: _metric(metric) for service in SERVICES for metric in service.metrics}


def _metric(metric: Metric) -> serializers.Field[Any, Any, Any, Any]:
    if metric.kind == "topics":
        return TopicCountSerializer(many=True, required=False)
    if metric.is_count:
        return _whole(int(metric.low), int(metric.high), required=False)
    return FloatField(min_value=metric.low, max_value=metric.high, required=False)


class SisterSignalSerializer(serializers.Serializer[Any]):
    """What a sister service said of a day, as it was sent; it may have further members, which mean nothing."""

    schemaVersion = _whole(help_text="1")
    service = ChoiceField(choices=SLUGS)
    day = DateField(help_text="in Asia/Seoul")
    generatedAt = serializers.DateTimeField()
    complete = BooleanField()
    metrics = SisterMetricsSerializer()
    highlights = HighlightSerializer(many=True, required=False)


class SignalEntrySerializer(serializers.Serializer[Any]):
    """What was heard of one of the six services."""

    service = ChoiceField(choices=SLUGS)
    state = ChoiceField(
        choices=["ok", "stale", "missing"],
        help_text="`stale`: carried over from one of the two days before; `missing`: there was none",
    )
    revision = _known(1, help_text="of the signal")
    sha256 = CharField(allow_null=True, help_text="of the body as it was signed")
    raw = SisterSignalSerializer(allow_null=True)


class NormSerializer(serializers.Serializer[Any]):
    """What a metric usually was: over `days` sealed days, counts as log1p."""

    days = _whole(0)
    median = FloatField()
    mad = FloatField(help_text="median absolute deviation")


class YesterdaySerializer(serializers.Serializer[Any]):
    """What the rules read of the day before."""

    date = DateField()
    residents = _whole(0)
    awake = _whole(0)
    mood = _whole(-100, 100)
    economy = _known(0, 100)
    balance = _known(-100, 100)
    condition = ChoiceField(choices=CONDITIONS)
    lights = DictField(child=_whole(0, 100), help_text="by district")
    activity = DictField(child=_whole(0, 100), help_text="by district")


class DayInputsSerializer(serializers.Serializer[Any]):
    """What the rules read beside the signals, so that anybody can run them again."""

    norms = DictField(child=NormSerializer(), help_text="by `service.metric`")
    yesterday = YesterdaySerializer(allow_null=True)


class DayContextSerializer(serializers.Serializer[Any]):
    """The world outside the city on that day, from the knowledge base."""

    pulsesUp = _whole(0)
    pulsesDown = _whole(0)
    kimchiPremium = FloatField(allow_null=True, help_text="the day's last of bitcoin, as a fraction")
    documents = _whole(0, help_text="published on that day")


class PopulationSerializer(serializers.Serializer[Any]):
    """`awake`: who was seen; `visitors`: who looked in; `residents` follows awake slowly."""

    residents = _whole(0)
    visitors = _whole(0)
    awake = _whole(0)


class MoodSerializer(serializers.Serializer[Any]):
    """`unknown` where too little was heard; the score is 0 then."""

    score = _whole(-100, 100)
    label = ChoiceField(choices=MOOD_LABELS)  # type: ignore[assignment]  # a member's name


class EconomySerializer(serializers.Serializer[Any]):
    """What was traded, watched and played."""

    index = _known(0, 100)
    changePct = _known(-100, 1000, help_text="from yesterday's index, in per cent")
    confidence = _whole(0, 100, help_text="how much of what makes the index was heard")


class EnergySerializer(serializers.Serializer[Any]):
    """What the machines took and could give."""

    load = _known(0, 100)
    supply = _known(0, 100)
    balance = _known(-100, 100, help_text="supply minus load")
    brownout = BooleanField(help_text="the balance is negative")


class WeatherSerializer(serializers.Serializer[Any]):
    """By volatile markets, mood and slow machines; the warmth by activity."""

    condition = ChoiceField(choices=CONDITIONS)
    temperatureC = _whole(-10, 30)
    windMs = _whole(0, 20)


class ScoreSerializer(serializers.Serializer[Any]):
    """A score of the city."""

    score = _known(0, 100)


class CitySerializer(serializers.Serializer[Any]):
    """The state of the city. Scores and indexes are 0 to 100, the mood -100 to 100; null where too little was heard."""

    population = PopulationSerializer()
    mood = MoodSerializer()
    economy = EconomySerializer()
    energy = EnergySerializer()
    weather = WeatherSerializer()
    safety = ScoreSerializer()
    culture = ScoreSerializer()
    learning = ScoreSerializer()


class DistrictSerializer(serializers.Serializer[Any]):
    """A district, which is played by a sister service."""

    id = ChoiceField(choices=SLUGS)
    name = CharField(help_text="in Korean")
    activity = _whole(0, 100)
    lights = _whole(0, 100)
    traffic = _whole(0, 100)
    status = ChoiceField(choices=DISTRICT_STATUSES)
    stale = BooleanField(help_text="by a signal of one of the two days before")
    cold = BooleanField(help_text="measured against fewer than seven days")


class NotableSerializer(serializers.Serializer[Any]):
    """What stood out, in a sentence."""

    code = CharField()
    text = CharField(help_text="in Korean")
    evidence = DictField(help_text="members of the file that show it, with their values")


class DeltaSerializer(serializers.Serializer[Any]):
    """The change since the day before; null where either day does not know."""

    since = DateField(allow_null=True, help_text="the day before; null where that has no file")
    awake = _known()
    mood = _known(-200, 200)
    economy = _known(-100, 100)
    balance = _known(-200, 200)


class ReflectionSerializer(serializers.Serializer[Any]):
    """A few Korean sentences on the day."""

    text = CharField()
    lang = CharField()
    source = ChoiceField(choices=["model", "template"])  # type: ignore[assignment]  # a member's name
    model = CharField(allow_null=True)
    promptVersion = CharField()
    costUsd = FloatField(min_value=0)


class IntegritySerializer(serializers.Serializer[Any]):
    """By which the file is proved, and linked to the one before it."""

    stateSha256 = CharField(help_text="of rulesVersion, date, city, districts and delta in canonical JSON")
    prevDate = DateField(allow_null=True, help_text="of the newest file before it; null in the first")
    prevSha256 = CharField(allow_null=True, help_text="of the first revision of prevDate's file")


class SupersededSerializer(serializers.Serializer[Any]):
    """The former file of the day, and why it was corrected."""

    revision = _whole(1)
    sha256 = CharField()
    reason = CharField()


class DaySerializer(serializers.Serializer[Any]):
    """`GET /api/archive?date=`: one sealed file."""

    schemaVersion = serializers.IntegerField()
    rulesVersion = CharField()
    date = DateField(help_text="in Asia/Seoul")
    revision = _whole(1)
    supersedes = SupersededSerializer(required=False, help_text="only in a later revision")
    sealedAt = serializers.DateTimeField()
    status = ChoiceField(choices=Completeness.values, help_text="how many of the six signals came")
    late = BooleanField(help_text=LATE)
    rehearsal = BooleanField(help_text=REHEARSAL)
    site = serializers.URLField()
    license = CharField()
    attribution = CharField()
    signals = SignalEntrySerializer(many=True)
    inputs = DayInputsSerializer()
    context = DayContextSerializer()  # type: ignore[assignment]  # a member's name
    city = CitySerializer()
    districts = DistrictSerializer(many=True)
    notable = NotableSerializer(many=True, help_text="at most eight")
    delta = DeltaSerializer()
    reflection = ReflectionSerializer()
    integrity = IntegritySerializer()
