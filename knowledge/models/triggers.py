"""Triggers, declared in ``Meta.triggers`` of the models whose rows they listen to.

What takes more than a statement stands in ``sql/``. Every trigger that fires after a write returns nothing.
"""

from __future__ import annotations

from pathlib import Path

from pgtrigger import (
    After,
    Before,
    Condition,
    Delete,
    Insert,
    Operation,
    Referencing,
    Statement,
    Timing,
    Trigger,
    Truncate,
    Update,
)

SQL = Path(__file__).with_name("sql")
# What a statement trigger reads its rows from; Postgres gives them to triggers of one operation only.
_ROWS = {
    "INSERT": Referencing(new="new_rows"),
    "UPDATE": Referencing(old="old_rows", new="new_rows"),
    "DELETE": Referencing(old="old_rows"),
}
_ALL_SCOPES = "PERFORM knowledge_note_change(scope) FROM unnest(ARRAY['entity', 'topic', 'event']) AS scope;"


def block(name: str, **words: str) -> str:
    """The statements in ``sql/<name>.sql``, with ``words`` in place of their names in braces.

    Lines of comment are left out, so that a better one needs no migration.
    """
    lines = (SQL / f"{name}.sql").read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith("--")).format(**words)


def after_row(
    name: str,
    operation: Operation,
    func: str,
    condition: Condition | None = None,
    timing: Timing | None = None,
) -> Trigger:
    """For each row that meets the condition."""
    return Trigger(
        name=name,
        when=After,
        operation=operation,
        condition=condition,
        timing=timing,
        func=f"{func}\nRETURN NULL;",
    )


def after_statement(name: str, operation: Operation, func: str) -> Trigger:
    """Once a statement, however many rows it wrote: they are ``old_rows`` and ``new_rows``."""
    return Trigger(
        name=name,
        level=Statement,
        when=After,
        operation=operation,
        referencing=_ROWS.get(str(operation)),
        func=f"{func}\nRETURN NULL;",
    )


def after_statements(name: str, func: str) -> list[Trigger]:
    """The same for each operation that writes rows; ``TG_OP`` tells the statements which one it was."""
    return [
        after_statement(f"{name}_inserted", Insert, func),
        after_statement(f"{name}_updated", Update, func),
        after_statement(f"{name}_deleted", Delete, func),
    ]


def before_truncate(name: str, func: str = _ALL_SCOPES) -> Trigger:
    """Nobody sees which rows a TRUNCATE takes; without statements of its own it is a change of every unit."""
    return Trigger(
        name=f"{name}_truncated",
        level=Statement,
        when=Before,
        operation=Truncate,
        func=f"{func}\nRETURN NULL;",
    )


def watched(scope: str, public: str = "true") -> list[Trigger]:
    """All that a table needs whose rows feed publications of a scope, if they meet the SQL condition ``public``."""
    func = block("watched", scope=scope, public=public)
    return [*after_statements("note", func), before_truncate("note", func)]
