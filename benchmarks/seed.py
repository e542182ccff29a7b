"""``python -m benchmarks seed --documents N --units N``: a database of made-up units and documents to measure on.

It stands beside the one of ``DATABASE_URL``, is made anew each time and dropped by ``--drop``; ``python -m benchmarks
--seeded NAME…`` measures on it. Rows come by COPY and past the triggers, which would take longer than the rows, and
look as ingestion would have left them: mentions where the linker finds them, passages as the indexer writes them,
counts as they are kept.
"""

import argparse
import hashlib
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cache
from itertools import islice
from typing import Any

from django.core.management import call_command
from django.db import connection, models, transaction
from django.utils import timezone

from benchmarks import seeded
from benchmarks.made_up import MadeUp, MadeUpDocument, MadeUpUnit
from knowledge.counting import fold
from knowledge.models import Alias, Document, Mention, Source, SourceKind, Status, Unit
from knowledge.models.search import PassageKind, SearchPassage
from knowledge.search import lexemes, morphemes
from knowledge.search.passages import unit_passages
from knowledge.search.statistics import rebuild_statistics

SOURCES = 50
DOCUMENTS_A_DAY = 5_000
BATCH = 20_000  # rows a transaction, and a line of progress
UNITS_AT_ONCE = 500  # read for their passages


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks seed", description=__doc__)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--units", type=int, default=10_000)
    parser.add_argument("--drop", action="store_true", help="only drop the database")
    options = parser.parse_args(arguments)
    address = seeded.use_seeded()
    seeded.drop()
    if options.drop:
        return 0
    began = time.monotonic()
    seeded.create()
    call_command("migrate", verbosity=0)
    fill(options.documents, options.units, now=timezone.now())
    print(f"seeded in {time.monotonic() - began:.0f} s: DATABASE_URL={address}")
    return 0


def fill(documents: int, units: int, *, now: datetime) -> None:
    """Fill an empty database; the last document is of ``now``, the others come before it at an even pace."""
    made_up = MadeUp()
    made_up.make_units(units)
    _copy_units(made_up.units)
    _copy_sources(now)
    with _without_indexes(Document, Mention, SearchPassage):
        _copy(SearchPassage, _unit_passages(units), "passages of units")
        batches = _batches(made_up.documents(documents))
        for number, batch in enumerate(batches):
            keyed = list(enumerate(batch, number * BATCH + 1))
            _copy(Document, (_document(pk, one, _published(pk, documents, now)) for pk, one in keyed))
            _copy(Mention, (row for pk, one in keyed for row in _mentions(pk, one)))
            _pair([pk for pk, _one in keyed])
            _copy(
                SearchPassage,
                (_passage(pk, one, made_up.units, _published(pk, documents, now)) for pk, one in keyed),
            )
            _say(f"{keyed[-1][0]:,} of {documents:,} documents")
    _settle()


def _settle() -> None:
    """What follows from the rows: numbers still free, labels as aliases, statistics of search and planner."""
    with connection.cursor() as cursor:
        for model in (Unit, Document, Source):
            table = model._meta.db_table
            cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}")
        cursor.execute("SELECT knowledge_label_rows(ARRAY(SELECT id FROM knowledge_unit))")
    _vacuum()
    rebuild_statistics()
    _say("search statistics")
    _vacuum()


def _pair(documents: list[int]) -> None:
    """Do what the triggers would have done: pair documents and units, and count them."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT knowledge_pair(%s)", [documents])
    fold()


def _vacuum() -> None:
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    _say("vacuumed and analysed")


# ---- Rows -----------------------------------------------------------------------------------------------------
Row = dict[str, Any]


def _copy_units(units: Sequence[MadeUpUnit]) -> None:
    _copy(Unit, (_unit(pk, unit) for pk, unit in enumerate(units, 1)), "units")
    aliases = (_alias(pk, unit, name) for pk, unit in enumerate(units, 1) for name in unit.names)
    _copy(Alias, aliases, "aliases")


def _unit(pk: int, unit: MadeUpUnit) -> Row:
    return {
        "id": pk, "type": unit.type, "slug": unit.slug, "label": unit.label, "symbol": unit.symbol,
        "summary": unit.summary, "summary_en": unit.summary_en, "status": Status.PUBLISHED.value,
    }  # fmt: skip


def _alias(pk: int, unit: MadeUpUnit, surface: str) -> Row:
    alias = Alias(unit=Unit(pk=pk, type=unit.type), surface=surface)
    alias.derive()
    return {
        "unit_id": pk,
        "unit_type": unit.type,
        "surface": surface,
        "norm": alias.norm,
        "blocked_contexts": "[]",
    }


def _copy_sources(now: datetime) -> None:
    """Off, so that no worker asks invented addresses."""
    Source.objects.bulk_create(
        Source(
            pk=pk,
            slug=f"made-up-{pk}",
            name=f"매체 {pk}",
            kind=_kind(pk),
            adapter="rss",
            url=f"https://made-up.example/{pk}",
            crypto=pk % 2 == 0,
            enabled=False,
            first_success_at=now - timedelta(days=365),
            last_success_at=now,
        )
        for pk in range(1, SOURCES + 1)
    )


def _kind(source: int) -> str:
    return {0: SourceKind.VIDEO, 1: SourceKind.NOTICE}.get(source % 5, SourceKind.NEWS).value


def _source_of(document: int) -> int:
    return document % SOURCES + 1


def _published(pk: int, documents: int, now: datetime) -> datetime:
    return now - (documents - pk) * timedelta(days=1) / DOCUMENTS_A_DAY


def _document(pk: int, made: MadeUpDocument, published: datetime) -> Row:
    source = _source_of(pk)
    return {
        "id": pk, "source_id": source, "kind": _kind(source), "external_id": f"made-up-{pk}",
        "url": f"https://made-up.example/{source}/{pk}", "title": made.title, "summary": made.summary,
        "lang": made.lang, "published_at": published, "fetched_at": published + timedelta(minutes=5),
        "content_sha256": _revision(pk),
    }  # fmt: skip


def _mentions(pk: int, made: MadeUpDocument) -> Iterator[Row]:
    written = f"{made.title}\n{made.summary}"
    for unit, start, end in made.named:
        yield {
            "document_id": pk,
            "unit_id": unit + 1,
            "start": start,
            "end": end,
            "surface": written[start:end],
        }


def _passage(pk: int, made: MadeUpDocument, units: Sequence[MadeUpUnit], published: datetime) -> Row:
    runs = [[term for word in part.split() for term in _terms(word)] for part in (made.title, made.summary)]
    kind = {SourceKind.VIDEO.value: PassageKind.VIDEO, SourceKind.NOTICE.value: PassageKind.NOTICE}
    named = (
        Unit(type=units[unit].type, slug=units[unit].slug).public_id for unit, _start, _end in made.named
    )
    return {
        "kind": kind.get(_kind(_source_of(pk)), PassageKind.NEWS).value, "document_id": pk, "lang": made.lang,
        "title": made.title, "text": made.summary, "published_at": published, "analyzer": morphemes.ANALYZER,
        "revision": _revision(pk), "dl": sum(map(len, runs)), "tsv": lexemes.tsvector_literal(runs, named),
    }  # fmt: skip


# Word by word, for words come again: whole texts take the analyser five times as long.
@cache
def _terms(word: str) -> list[str]:
    return morphemes.terms(word)


def _revision(pk: int) -> str:
    return hashlib.sha256(str(pk).encode()).hexdigest()


def _unit_passages(units: int) -> Iterator[Row]:
    for first in range(1, units + 1, UNITS_AT_ONCE):
        for passage in unit_passages(range(first, first + UNITS_AT_ONCE)):
            row = {
                field.attname: getattr(passage, field.attname)
                for field in SearchPassage._meta.concrete_fields
            }
            yield {name: value for name, value in row.items() if name != "id"}


# ---- COPY -----------------------------------------------------------------------------------------------------
def _copy(model: type[models.Model], rows: Iterator[Row], named: str = "") -> None:
    """Write rows; a column that they do not have gets the field's default. Says how far it is where ``named``."""
    done = 0
    for batch in _batches(rows):
        columns = [*batch[0], *(name for name in _defaults(model) if name not in batch[0])]
        rest = [_defaults(model)[name] for name in columns[len(batch[0]) :]]
        table = connection.ops.quote_name(model._meta.db_table)
        quoted = ", ".join(map(connection.ops.quote_name, columns))
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            with cursor.copy(f"COPY {table} ({quoted}) FROM STDIN") as copy:
                for row in batch:
                    copy.write_row([*row.values(), *rest])
        done += len(batch)
        if named:
            _say(f"{done:,} {named}")


@cache
def _defaults(model: type[models.Model]) -> Row:
    """Columns that neither the database nor the row itself fills, and what Django would write there."""
    return {
        field.attname: field.get_default()
        for field in model._meta.concrete_fields
        if not (field.primary_key or field.generated or field.has_db_default() or field.is_relation)
    }


def _batches(rows: Iterator[Any]) -> Iterator[list[Any]]:
    while batch := list(islice(rows, BATCH)):
        yield batch


@contextmanager
def _without_indexes(*tables: type[models.Model]) -> Iterator[None]:
    """Indexes that guarantee nothing are built once at the end, as pg_restore does, instead of row by row."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index"
            " WHERE NOT indisunique AND indrelid = ANY(%s::regclass[])",
            [[model._meta.db_table for model in tables]],
        )
        indexes = cursor.fetchall()
        for name, _definition in indexes:
            cursor.execute(f"DROP INDEX {name}")
        yield
        for name, definition in indexes:
            cursor.execute(definition)
            _say(f"index {name}")


_began = time.monotonic()


def _say(what: str) -> None:
    print(f"{time.monotonic() - _began:7.0f} s  {what}", flush=True)
