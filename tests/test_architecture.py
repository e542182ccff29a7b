"""The house as docs/architecture.md shows it, and one name for one thing. Import rules are import-linter's."""

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent
APPS = ("config", "knowledge", "ask", "archive", "bulk", "mcpserver", "feeds")
# Django finds a management command by this name.
COMMAND = "Command"


def test_no_two_classes_at_the_top_of_modules_have_one_name() -> None:
    places: defaultdict[str, list[str]] = defaultdict(list)
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            where = path.relative_to(ROOT)
            if "migrations" not in where.parts:
                for node in ast.parse(path.read_text(encoding="utf-8")).body:
                    if isinstance(node, ast.ClassDef):
                        places[node.name].append(f"{where}:{node.lineno}")
    assert len(places) > 400
    assert {name: found for name, found in places.items() if len(found) > 1 and name != COMMAND} == {}


def test_the_page_of_the_house_names_files_that_are_there() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(rf"`((?:{'|'.join(APPS)})/[\w/.]+)`", page))
    assert len(named) > 30
    assert {name for name in named if not (ROOT / name).exists()} == set()
    decisions = sorted((ROOT / "docs/decisions").glob("*.md"))
    numbers = [int(path.name[:4]) for path in decisions]
    assert numbers == list(range(1, len(numbers) + 1)), "each record has a number of its own"
