"""Triggers, declared in ``Meta.triggers`` of the models whose rows they listen to: what they do stands in ``sql/``.

A trigger's statements are in the file of its own name or, where several do the same, of the name ``body``.
"""

from pathlib import Path

from pgtrigger import (
    After,
    AnyChange,
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
    UpdateOf,
)

SQL = Path(__file__).with_name("sql")
CHANGES_LOCK = 0x6D6972726F72  # "mirror": whoever numbers public changes holds it until the commit
# What a statement trigger reads its rows from; Postgres gives them to triggers of one operation only.
_ROWS = {
    "INSERT": Referencing(new="new_rows"),
    "UPDATE": Referencing(old="old_rows", new="new_rows"),
    "DELETE": Referencing(old="old_rows"),
}


def before_row(
    name: str, operation: Operation, condition: Condition | None = None, body: str = ""
) -> Trigger:
    """For each row that meets the condition; the statements return what is written."""
    func = _statements(body or name)
    return Trigger(name=name, when=Before, operation=operation, condition=condition, func=func)


def after_row(
    name: str, operation: Operation, condition: Condition, body: str = "", timing: Timing | None = None
) -> Trigger:
    func = f"{_statements(body or name)}\nRETURN NULL;"
    return Trigger(name=name, when=After, operation=operation, condition=condition, func=func, timing=timing)


def after_change(name: str, *columns: str, body: str = "", timing: Timing | None = None) -> Trigger:
    """For each row of which an update changes one of the columns."""
    return after_row(name, UpdateOf(*columns), AnyChange(*columns), body, timing)


def after_statement(name: str, operation: Operation, body: str = "", **words: str) -> Trigger:
    """Once a statement, however many rows it wrote: they are ``old_rows`` and ``new_rows``."""
    rows, func = _ROWS.get(str(operation)), f"{_statements(body or name, **words)}\nRETURN NULL;"
    return Trigger(name=name, level=Statement, when=After, operation=operation, referencing=rows, func=func)


def after_statements(name: str, body: str = "", **words: str) -> list[Trigger]:
    """One for each operation that writes rows; ``TG_OP`` tells a common body which one it was."""
    operations = {"inserted": Insert, "updated": Update, "deleted": Delete}
    return [after_statement(f"{name}_{own}", done, body, **words) for own, done in operations.items()]


def before_truncate(name: str, body: str = "every_scope", **words: str) -> Trigger:
    """Nobody sees which rows a TRUNCATE takes: without a body of its own it changes every unit."""
    func = f"{_statements(body, **words)}\nRETURN NULL;"
    return Trigger(name=f"{name}_truncated", level=Statement, when=Before, operation=Truncate, func=func)


def watched(scope: str, public: str = "true", name: str = "note") -> list[Trigger]:
    """All that a table needs whose rows feed publications of a scope, if they meet the SQL condition ``public``.

    One that feeds several scopes needs another ``name`` for each.
    """
    words = {"scope": scope, "public": public}
    return [*after_statements(name, "watched", **words), before_truncate(name, "watched", **words)]


def told(scope: str, key: str, *columns: str) -> list[Trigger]:
    """All that a table needs of which each row is a scope of its own: ``<scope>:<key>`` is told when one of the columns
    changes, though nothing is published of it."""
    return after_statements("told", "told", scope=scope, key=key, columns=", ".join(columns))


def _statements(name: str, **words: str) -> str:
    """With words in place of their names in braces. Comments are left out, so that better ones need no migration."""
    lines = (SQL / f"{name}.sql").read_text(encoding="utf-8").splitlines()
    statements = "\n".join(line for line in lines if not line.lstrip().startswith("--"))
    return statements.format(lock=CHANGES_LOCK, **words)
