"""What the records of the public JSON are made of: members that several kinds have, and fields by which a record's
annotations become its schema in ``/openapi.json``."""

from copy import deepcopy
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, NotRequired, get_args, get_origin, get_type_hints

from rest_framework import fields, serializers

from knowledge.times import iso_kst


class Rfc3339Field(fields.DateTimeField):
    """An RFC 3339 time with offset, in whole seconds."""

    def to_representation(self, value: datetime) -> str:
        return iso_kst(value)


@cache
def serializer_of(record: type, base: type = serializers.Serializer) -> type[serializers.Serializer[Any]]:
    """The fields that a record's members are annotated with, copied: DRF orders them by when they were made."""
    members: dict[str, Any] = {"__doc__": record.__doc__}
    for name, hint in get_type_hints(record, include_extras=True).items():
        annotated = get_args(hint)[0] if get_origin(hint) is NotRequired else hint
        members[name] = deepcopy(annotated.__metadata__[0])
    return type(f"{record.__name__}Serializer", (base,), members)


def record_field(record: type, **options: Any) -> serializers.Serializer[Any]:
    """A member that is a record itself, or null."""
    return serializer_of(record)(allow_null=True, **options)


def records_field(record: type, help_text: str) -> serializers.Serializer[Any]:
    """A member that is a list of records."""
    return serializer_of(record)(many=True, help_text=help_text)


def number(**options: Any) -> fields.DecimalField:
    # Without its digits: as bounds they would leave the 64 bits that JSON's writer takes.
    return fields.DecimalField(max_digits=None, decimal_places=None, coerce_to_string=False, **options)


def texts(help_text: str, **options: Any) -> fields.ListField:
    return fields.ListField(child=fields.CharField(), help_text=help_text, **options)


Text = Annotated[str, fields.CharField()]
SomeText = Annotated[str, fields.CharField(required=False)]
Count = Annotated[int, fields.IntegerField(min_value=0)]
Number = Annotated[Decimal, number()]
Time = Annotated[str, fields.DateTimeField()]
Page = Annotated[str, fields.CharField(help_text="site-relative address of the page")]
LabelEn = Annotated[
    str | None, fields.CharField(allow_null=True, help_text="its English title; null where it has none")
]


class IndexSerializer(serializers.Serializer[dict[str, Any]]):
    """The envelope of the canonical indexes."""

    version = fields.CharField(help_text="v1; within it fields are added, never removed")
    count = fields.IntegerField()
    generated_at = fields.DateTimeField(
        help_text="when this body was built; it moves only when the records do"
    )
    site = fields.CharField(help_text="the origin that site-relative addresses are relative to")
    licence = fields.CharField(help_text="under which the records may be used; series state their own")
