"""Loading a canon file: idempotent, all or nothing, and never over an editor's change."""

import copy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from knowledge import curation
from knowledge.canon import loader
from knowledge.canon.loader import CanonError
from knowledge.canon.records import UpsertResult
from knowledge.ingestion import relinking
from knowledge.linking.gazetteer import current_gazetteer
from knowledge.linking.store import units_named
from knowledge.models import Alias, Mention, Persona, PersonaPost, Relinking, Source, Status, Unit
from tests.factories.knowledge import NOON, make_document, make_source

pytestmark = pytest.mark.django_db

FILE: dict[str, Any] = {
    "units": [
        {
            "type": "asset", "slug": "mdg", "label": "마당코인", "symbol": "MDG", "summary": "지어낸 코인이다.",
            "aliases": [{"surface": "마당코인"}, {"surface": "MDG", "case_sensitive": True}],
        },
        {"type": "topic", "slug": "listing", "label": "상장", "aliases": []},
        {
            "type": "event", "slug": "2031-mdg", "label": "마당코인 첫 거래",
            "occurred_at": "2031-03-01T09:00:00+09:00",
            "entities": ["asset:mdg"], "topics": ["topic:listing"],
        },
        {"type": "creator", "slug": "tv", "label": "마당TV", "status": "draft"},
    ],
    "redirects": [{"type": "asset", "slug": "old", "label": "옛마당", "into": "asset:mdg"}],
    "personas": [
        {
            "slug": "stone", "label": "돌", "glyph": "◆", "voice": "차분하다.", "disclosure": "AI 페르소나",
            "disclosure_en": "AI persona",
            "posts": [
                {"slug": "one", "body": "글이다.", "units": ["asset:mdg"], "published_at": "2031-03-02T00:00:00Z"}
            ],
        }
    ],
    "sources": [
        {"slug": "paper", "name": "마당일보", "kind": "news", "adapter": "rss", "url": "https://paper.example/rss"},
        {
            "slug": "tv", "name": "마당TV", "kind": "video", "adapter": "youtube_rss", "creator": "creator:tv",
            "url": "https://www.youtube.com/feeds/videos.xml?channel_id=UCx", "enabled": False,
        },
    ],
}  # fmt: skip

# The hashes of the coin's and the event's canonical form that the loader of commit 63822c7 stored.
MARK_OF_COIN = "5385a12df4288ca0d34eaebf1a0f3aa1b8392295a0e457850c7b1253ef0e23d5"
MARK_OF_EVENT = "e3eb844a76d6900f32dfaa10d864d6c4b3a1e097e95e0ec9f6ccef197d73e207"


def changed(section: str, number: int, **fields: Any) -> dict[str, Any]:
    file = copy.deepcopy(FILE)
    file[section][number].update(fields)
    return file


def load(file: Mapping[str, Any] = FILE) -> dict[str, dict[str, int]]:
    counts = loader.load([file], now=NOON)
    with connection.cursor() as cursor:  # what would be found at the commit
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    return {
        kind: {str(outcome): count for outcome, count in tally.items()}
        for kind, tally in counts.items()
        if tally
    }


def test_a_file_becomes_units_aliases_redirects_personas_and_sources() -> None:
    assert load() == {
        "units": {"created": 4},
        "redirects": {"created": 1},
        "personas": {"created": 1},
        "posts": {"created": 1},
        "sources": {"created": 2},
    }
    coin = Unit.objects.get(slug="mdg")
    assert set(coin.aliases.values_list("surface", "case_sensitive")) == {("마당코인", False), ("MDG", True)}
    event = Unit.objects.get(slug="2031-mdg")
    assert sorted(link.unit.public_id for link in event.event_units.all()) == ["asset:mdg", "topic:listing"]
    assert Unit.objects.get(slug="old").merged_into == coin
    assert Unit.objects.get(slug="tv").status == Status.DRAFT
    assert Persona.objects.get().entity.slug == "stone"
    tv = Source.objects.get(slug="tv")
    assert (tv.creator and tv.creator.slug, tv.enabled) == ("tv", False)
    assert Source.objects.get(slug="paper").enabled


def test_loading_twice_changes_nothing() -> None:
    load()
    before = [list(model.objects.values()) for model in (Unit, Alias, Persona, PersonaPost, Source)]
    again = load()
    assert {outcome for tally in again.values() for outcome in tally} == {UpsertResult.UNCHANGED}
    assert [list(model.objects.values()) for model in (Unit, Alias, Persona, PersonaPost, Source)] == before


def test_documents_that_were_there_before_a_name_are_linked_by_it() -> None:
    document = make_document(make_source(), title="마당코인, 뜰코인으로 새 출발")
    requests = Relinking.objects.filter(documents=None)  # others are notes of which documents were read
    load()
    assert requests.count() == 1, "one request, however many records"
    assert relinking.proceed(now=NOON)
    mentions = Mention.objects.filter(document=document).order_by("start")
    assert list(mentions.values_list("surface", flat=True)) == ["마당코인"]
    load()
    assert not requests.exists()
    load(changed("units", 0, aliases=[*FILE["units"][0]["aliases"], {"surface": "뜰코인"}]))
    assert requests.get().norms == ["뜰코인"]
    assert relinking.proceed(now=NOON)
    assert list(mentions.values_list("surface", flat=True)) == ["마당코인", "뜰코인"]


def test_a_changed_record_is_taken_over() -> None:
    load()
    assert load(changed("units", 0, summary="다시 지어낸 코인이다.", aliases=[{"surface": "마당코인"}])) == {
        "units": {"updated": 1, "unchanged": 3},
        "redirects": {"unchanged": 1},
        "personas": {"unchanged": 1},
        "posts": {"unchanged": 1},
        "sources": {"unchanged": 2},
    }
    coin = Unit.objects.get(slug="mdg")
    assert (coin.summary, coin.aliases.count()) == ("다시 지어낸 코인이다.", 1)


def test_a_source_of_before_names_in_english_gets_one_and_was_edited_by_nobody() -> None:
    load()
    assert load(changed("sources", 0, name_en="Paper"))["sources"] == {"updated": 1, "unchanged": 1}
    assert Source.objects.filter(name_en="Paper").count() == 1


def test_a_record_of_an_older_version_is_renewed_unless_an_editor_changed_it() -> None:
    load()
    # A form with a new key for every unit would have another hash, and no text of an older database would be renewed.
    Unit.objects.filter(slug="mdg").update(canon_sha256=MARK_OF_COIN)
    Unit.objects.filter(slug="2031-mdg").update(canon_sha256=MARK_OF_EVENT, summary="편집자가 고쳤다.")
    newer = changed("units", 0, summary="다시 지어낸 코인이다.", summary_en="A coin made up anew.")
    newer["units"][2]["summary"] = "파일이 고쳤다."
    assert load(newer)["units"] == {"updated": 1, "kept": 1, "unchanged": 2}
    coin = Unit.objects.get(slug="mdg")
    assert (coin.summary, coin.summary_en) == ("다시 지어낸 코인이다.", "A coin made up anew.")
    assert Unit.objects.get(slug="2031-mdg").summary == "편집자가 고쳤다."


def test_what_an_editor_changed_is_kept() -> None:
    load()
    Unit.objects.filter(slug="mdg").update(summary="편집자가 고쳤다.")
    Alias.objects.create(unit=Unit.objects.get(slug="listing"), surface="거래지원")
    Source.objects.filter(slug="paper").update(interval_minutes=60)
    PersonaPost.objects.update(body="고친 글")
    counts = load(changed("units", 0, summary="파일이 고쳤다."))
    assert counts["units"] == {"kept": 2, "unchanged": 2}
    assert (counts["posts"], counts["sources"]) == ({"kept": 1}, {"kept": 1, "unchanged": 1})
    assert Unit.objects.get(slug="mdg").summary == "편집자가 고쳤다."


def test_decisions_of_editors_and_operators_outlive_the_file() -> None:
    load()
    curation.set_status(Unit.objects.get(slug="tv"), Status.PUBLISHED)
    curation.set_status(Unit.objects.get(slug="listing"), Status.RETRACTED)
    Source.objects.update(enabled=False)
    load(changed("units", 1, label="신규 상장"))
    assert Unit.objects.get(slug="tv").status == Status.PUBLISHED
    assert Unit.objects.get(slug="listing").status == Status.RETRACTED
    assert not Source.objects.filter(enabled=True).exists()


def test_an_undone_redirect_stays_undone() -> None:
    load()
    curation.unmerge(Unit.objects.get(slug="old").merges_away.get(), now=NOON)
    assert load()["redirects"] == {"kept": 1}
    assert Unit.objects.get(slug="old").merged_into is None


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (changed("units", 0, type="planet"), "mdg: ValueError: unknown type 'planet'"),
        (changed("units", 0, slug="Big"), "Big: IntegrityError"),
        (changed("units", 0, label=""), "mdg: IntegrityError"),
        (changed("units", 0, aliases=[{"surface": "()"}]), "mdg: IntegrityError"),
        (changed("units", 0, aliases="MDG"), "mdg: "),
        (changed("units", 0, label="x" * 300), "mdg: DataError"),
        (changed("units", 2, occurred_at="2031-03-01T09:00:00"), "2031-mdg: ValueError: .* has no offset"),
        (changed("units", 2, entities=["asset:nobody"]), "2031-mdg: DoesNotExist: no unit asset:nobody"),
        (changed("redirects", 0, into="asset:nobody"), "old: DoesNotExist"),
        (changed("redirects", 0, into="topic:listing"), "old: CurationError"),
        (changed("personas", 0, glyph="not a glyph at all"), "stone: "),
        (changed("sources", 0, kind="gossip"), "paper: ValidationError"),
        (changed("sources", 0, url="paper"), "paper: ValidationError"),
        ({"units": [{"slug": "x"}]}, "x: KeyError: 'type'"),
        ({"units": ["mdg"]}, "a record must be a JSON object, not str"),
    ],
)
def test_a_record_without_sense_names_itself_and_nothing_is_stored(file: dict[str, Any], said: str) -> None:
    with pytest.raises(CanonError, match=said):
        load(file)
    assert not Unit.objects.exists()
    assert not Source.objects.exists()


@pytest.mark.parametrize(("body", "said"), [(b"[]", "must hold a JSON object"), (b"{", "wrong.json: ")])
def test_a_file_of_another_form_is_refused(body: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.json"
    path.write_bytes(body)
    with pytest.raises(CanonError, match=said):
        loader.read(path)
    with pytest.raises(CanonError, match=r"missing\.json"):
        loader.read(tmp_path / "missing.json")


def test_a_file_brings_no_name_with_characters_that_nobody_sees() -> None:
    seen = changed("units", 0, label="\u202e마당\u200b코인", aliases=[{"surface": "마\u200b당코인\u2069"}])
    load(seen)
    unit = Unit.objects.get(slug="mdg")
    assert (unit.label, unit.aliases.get().surface) == ("마당코인", "마당코인")
    assert load(seen)["units"] == {"unchanged": 4}


def test_new_units_cost_no_more_queries_than_one_does_and_known_ones_fewer() -> None:
    """The starter canon has hundreds, and who starts for the first time waits for what is asked of each."""

    def taken(count: int) -> int:
        units = [
            {"type": "topic", "slug": f"t{n}", "label": f"주제 {n}", "aliases": [{"surface": f"말 {n}"}]}
            for n in range(20 - count, 20)
        ]
        with CaptureQueriesContext(connection) as queries:
            loader.load([{"units": units}], now=NOON)
        return len(queries)

    first, more, again = taken(1), taken(11), taken(11)
    assert again < more <= first + 2  # the second time there are names and memberships to read
    assert Alias.names.count() == 22
    assert Unit.history.filter(history_change_reason="canon", history_type="+").count() == 11


def test_a_stored_event_may_speak_of_a_unit_that_the_same_file_brings() -> None:
    load()
    file = changed("units", 2, entities=["asset:mdg", "entity:new"])
    file["units"].append({"type": "company", "slug": "new", "label": "새 회사"})
    assert load(file)["units"] == {"created": 1, "updated": 1, "unchanged": 3}
    told = Unit.objects.get(slug="2031-mdg").event_units
    assert {row.unit.public_id for row in told.all()} == {"asset:mdg", "entity:new", "topic:listing"}


def test_a_label_that_the_database_lowers_otherwise_is_found_by_its_exact_key() -> None:
    load(changed("units", 1, label="GROẞE STRAßE"))
    assert Alias.names.get(unit__slug="listing", is_label=True).norm == "grossestrasse"


def test_the_process_that_loads_knows_the_new_names_at_once() -> None:
    current_gazetteer()  # looked for a moment ago, and for a second not again
    loader.load([{"units": [{"type": "topic", "slug": "maru", "label": "마루주제"}]}], now=NOON)
    assert units_named("마루주제가 뭐야") == ["topic:maru"]
