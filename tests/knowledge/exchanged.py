"""Files of records: what is exported, what a file would change, and how many rows that are."""

from typing import Any

from import_export.results import Result

from knowledge.exchange.formats import CSV


def exported(resource: Any, form: Any, *, every: int = 1) -> bytes:
    """All records, or each so many of them."""
    keys = resource._meta.model._default_manager.order_by("pk").values_list("pk", flat=True)[::every]
    records = resource._meta.model._default_manager.filter(pk__in=keys).order_by("pk")
    return str(form().export_data(resource().export(records))).encode()


def tried(
    resource: Any, content: str | bytes, form: Any = CSV, *, may_publish: bool = True, **kwargs: Any
) -> Result:
    """What a file would change; or, with ``dry_run=False``, what it changed."""
    content = content if isinstance(content, bytes) else content.encode()
    dataset = form().create_dataset(content)
    return resource(may_publish=may_publish).import_data(dataset, **{"dry_run": True} | kwargs)


def counts(result: Result) -> tuple[int, ...]:
    """Rows that are new, changed, left alone and refused."""
    assert not result.has_errors(), [*result.base_errors, *result.row_errors()]
    return tuple(result.totals[kind] for kind in ("new", "update", "skip", "invalid"))
