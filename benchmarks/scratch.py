"""A database of its own for a measurement, and made-up entities in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from django.db import connection
from django.db.backends.postgresql.base import DatabaseWrapper
from django.utils import timezone

from knowledge.models import Alias, Status, Unit, UnitType
from knowledge.publications import build

ALIASES_A_UNIT = 2
BATCH = 5_000
SUMMARY = "마당이 공개하는 색인의 크기를 재려고 지어낸 자산으로, 실제로 있는 어떤 자산과도 관계가 없습니다. "


@contextmanager
def scratch_database() -> Iterator[str]:
    """An empty database beside the configured one, gone afterwards."""
    former = connection.settings_dict["NAME"]
    connection.settings_dict["TEST"]["NAME"] = f"bench_{former}"
    name = connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        yield name
    finally:
        connection.close()
        cast(DatabaseWrapper, connection).close_pool()
        connection.creation.destroy_test_db(former, verbosity=0)


def seed(size: int) -> None:
    """Fill up to ``size`` published entities, and publish them."""
    has = Unit.objects.filter(slug__startswith="made-up-").count()
    new = Unit.objects.bulk_create([made_up(number) for number in range(has, size)], batch_size=BATCH)
    names = ((unit, f"별칭 {unit.slug} {at}") for unit in new for at in range(ALIASES_A_UNIT))
    Alias.objects.bulk_create(
        [Alias(unit=unit, surface=name, norm=name.replace(" ", "")) for unit, name in names], batch_size=BATCH
    )
    build(now=timezone.now())
    connection.close()


def made_up(number: int) -> Unit:
    return Unit(
        type=UnitType.ASSET,
        slug=f"made-up-{number}",
        label=f"지어낸 자산 {number}",
        symbol=f"MU{number}",
        summary=SUMMARY * 2,
        status=Status.PUBLISHED,
    )
