"""The desk speaks English as completely as Korean, and what is compiled is what was written."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils.translation.template import templatize

CATALOGUE = settings.LOCALE_PATHS[0] / "en" / "LC_MESSAGES" / "django.po"
APPS = ("config", "knowledge", "ask", "archive", "feeds", "desk")
CALLS = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy", "n_", "_n"}
CALLS_IN_A_CONTEXT = {"pgettext", "pgettext_lazy"}
HANGUL = re.compile("[가-힣]")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|<[^>]+>")
STRING = r"(u?'(?:[^'\\]|\\.)*'|u?\"(?:[^\"\\]|\\.)*\")"
IN_TEMPLATES = re.compile(rf"\b(?:_\(|n?gettext\(|pgettext\(u?'\w+',)\s*{STRING}")


@pytest.fixture(scope="module")
def catalogue() -> polib.POFile:
    return polib.pofile(str(CATALOGUE))


def names_of_gettext(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation":
            yield from (one.asname or one.name for one in node.names if "gettext" in one.name)


def marked_in_code(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        name, place = node.func.id, int(node.func.id in CALLS_IN_A_CONTEXT)
        text = node.args[place] if len(node.args) > place else None
        if name in CALLS | CALLS_IN_A_CONTEXT and isinstance(text, ast.Constant):
            yield str(text.value)


def marked_in_template(path: Path) -> Iterator[str]:
    for written in IN_TEMPLATES.findall(templatize(path.read_text(), origin=str(path))):
        yield ast.literal_eval(written)


def code() -> Iterator[Path]:
    for app in APPS:
        yield from (
            path for path in (settings.BASE_DIR / app).rglob("*.py") if "migrations" not in path.parts
        )


def marked() -> set[str]:
    found = {text for path in code() for text in marked_in_code(path)}
    pages = (settings.BASE_DIR / "templates").rglob("*.html")
    return found | {text for path in pages for text in marked_in_template(path)}


def test_texts_are_marked_by_names_that_are_collected() -> None:
    # Another name for gettext is one that makemessages does not know: its texts stay Korean on the English desk.
    assert {name for path in code() for name in names_of_gettext(path)} - CALLS - CALLS_IN_A_CONTEXT == set()


def test_every_korean_text_of_code_and_templates_has_its_english(catalogue: polib.POFile) -> None:
    assert "다음 언급" in marked(), "templates are read as well"
    wanted = {text for text in marked() if HANGUL.search(text)}
    assert len(wanted) > 500
    assert wanted - {entry.msgid for entry in catalogue} == set()


def test_nothing_in_the_catalogue_is_empty_doubtful_or_out_of_use(catalogue: polib.POFile) -> None:
    assert [entry.msgid for entry in catalogue if not entry.translated() or entry.fuzzy] == []
    assert catalogue.obsolete_entries() == []


def test_translations_keep_placeholders_and_tags_and_no_korean(catalogue: polib.POFile) -> None:
    for entry in catalogue:
        source = entry.msgid_plural or entry.msgid
        english = list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]
        assert not any(HANGUL.search(text) for text in english), entry.msgid
        assert sorted(PLACEHOLDER.findall(english[-1])) == sorted(PLACEHOLDER.findall(source)), entry.msgid


def test_the_compiled_catalogue_is_the_written_one(catalogue: polib.POFile) -> None:
    compiled = polib.mofile(str(CATALOGUE.with_suffix(".mo")))

    def texts(entries: polib.POFile | polib.MOFile) -> dict[tuple[str | None, str], object]:
        return {(entry.msgctxt, entry.msgid): entry.msgstr_plural or entry.msgstr for entry in entries}

    assert texts(compiled) == texts(catalogue)


@pytest.mark.django_db
def test_an_editor_chooses_the_language_and_it_stays() -> None:
    client = Client(headers={"accept-language": "ko"})
    client.force_login(User.objects.create_superuser("mina"))
    index = reverse("admin:index")
    assert "결정을 기다리는 것" in client.get(index).content.decode()
    chosen = client.post(reverse("admin:set_language"), {"language": "en", "next": index})
    assert chosen.headers["Location"] == index
    assert chosen.cookies["django_language"]["path"] == "/admin/"
    page = client.get(index).content.decode()
    assert "Waiting for a decision" in page
    assert '<html lang="en"' in page


@pytest.mark.django_db
def test_the_choice_leads_to_no_other_site(client: Client) -> None:
    away = {"language": "en", "next": "https://elsewhere.example/"}
    assert "elsewhere" not in client.post(reverse("admin:set_language"), away).headers["Location"]
