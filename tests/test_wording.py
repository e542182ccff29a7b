"""Readers meet the words of a newspaper: those that ``docs/wording.md`` replaces are in no text that is shown."""

import ast
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import override

CATALOGUE = settings.LOCALE_PATHS[0] / "en" / "LC_MESSAGES" / "django.po"
TEMPLATES = settings.BASE_DIR / "templates"
# Sentences that code gives to readers without a catalogue: errors, answers, summaries, feeds, the city's story.
APPS = ("archive", "ask", "bulk", "config", "feeds", "knowledge", "mcpserver")
# Lists of words as people write them, by which texts and questions are understood.
VOCABULARIES = {"migrations", "canon", "evaluation", "events", "linking", "search"}
READERS_OF_QUESTIONS = {
    "coverage.py",
    "kind_evidence.py",
    "statement_forms.py",
    "questions.py",
    "text_checks.py",
}
BANNED = tuple(
    rf"(?<![가-힣]){word}"
    for word in (
        "열쇠",
        "고침(?![가-힣])",
        "이레(?![가-힣]*[나너])",
        "닫힌 봉",
        "확신(?![한하할했])",
        "눈금",
        "개체",
        "까닭",
        "견주",
        "견줄",
        "들일까",
        "되풀이",
        "레퍼런스",
        "수레바퀴",
        "등대지기",
        "(?<!어느 )쪽(?:이|은|을|과|에서|씩)?(?= |\\.|,|$)",
        "판(?:이|은|을)?(?= |\\.|,|$)",
        "단위(?:를|와|로| 페이지)",
    )
)


def texts_of_templates() -> Iterator[tuple[str, str]]:
    for path in sorted(TEMPLATES.rglob("*.html")):
        text = re.sub(r"{#.*?#}|{% comment %}.*?{% endcomment %}", "", path.read_text(), flags=re.DOTALL)
        yield str(path.relative_to(TEMPLATES)), text


def texts_of_code() -> Iterator[tuple[str, str]]:
    for app in APPS:
        for path in sorted((settings.BASE_DIR / app).rglob("*.py")):
            if VOCABULARIES.isdisjoint(path.parts) and path.name not in READERS_OF_QUESTIONS:
                yield from ((f"{app}/{path.name}", text) for text in _strings(path))


def _strings(path: Path) -> Iterator[str]:
    """The texts of a module that have Korean in them, without its docstrings."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {ast.get_docstring(node, clean=False) for node in nodes if isinstance(node, documented)}
    texts = (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    yield from (text for text in texts if text not in docstrings and re.search("[가-힣]", text))


def texts_of_the_catalogue() -> Iterator[tuple[str, str]]:
    for entry in polib.pofile(str(CATALOGUE)):
        yield "catalogue", entry.msgid


@pytest.mark.parametrize("texts", [texts_of_templates, texts_of_code, texts_of_the_catalogue])
def test_no_text_that_is_shown_has_a_word_that_no_newspaper_would_print(
    texts: Callable[[], Iterator[tuple[str, str]]],
) -> None:
    found = [
        (where, match[0], text[:80])
        for where, text in texts()
        for word in BANNED
        if (match := re.search(word, text))
    ]
    assert found == []


def test_the_glossary_names_what_is_kept_out() -> None:
    glossary = (settings.BASE_DIR / "docs" / "wording.md").read_text()
    words = [
        "열쇠",
        "고침",
        "이레",
        "닫힌",
        "확신",
        "눈금",
        "개체",
        "까닭",
        "견주기",
        "들일까",
        "쪽",
        "판",
        "레퍼런스",
        "수레바퀴",
    ]
    assert [word for word in words if word not in glossary] == []


@pytest.mark.django_db
def test_headings_and_times_of_the_desk_are_korean_that_editors_would_write(client: Client) -> None:
    editor = User.objects.create_superuser("mina")
    editor.date_joined = datetime(2026, 11, 22, 3, 35, tzinfo=UTC)
    editor.save()
    client.force_login(editor)
    rows = client.get("/admin/auth/user/").content.decode()
    assert re.search(r"<h1>[^<]* 목록</h1>", rows)
    assert "(으)로" not in rows
    form = client.get(f"/admin/auth/user/{editor.pk}/change/").content.decode()
    assert re.search(r"<h1>[^<]* 수정</h1>", form)
    with override("ko"):
        assert date_format(timezone.localtime(editor.date_joined), "DATETIME_FORMAT") == "2026-11-22 12:35"
