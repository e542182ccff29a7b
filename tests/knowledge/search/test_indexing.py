"""Upkeep of the search index: what is in it, and that the statistics tell the truth about it."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from knowledge.models import (
    Alias,
    Document,
    Mention,
    SearchPassage,
    SearchTerm,
    SourceKind,
    Status,
    Unit,
    UnitQuerySet,
)
from knowledge.models.aliases import AliasQuerySet
from knowledge.models.search import SearchCorpus
from knowledge.search import indexing, morphemes, statistics
from knowledge.search.passages import (
    PASSAGE_MAX_LENGTH,
    SUMMARY_PASSAGE_MAX_LENGTH,
    passages_of,
    split,
)
from knowledge.search.ranking import search, understand
from knowledge.search.statistics import rebuild_statistics
from tests.factories.knowledge import NOON, make_document, make_source, make_unit
from tests.factories.series import make_series

pytestmark = pytest.mark.django_db


def _statistics() -> tuple[tuple[int, int] | None, dict[str, int]]:
    totals = SearchCorpus.objects.values_list("passages", "total_length").first()
    return totals, dict(SearchTerm.objects.filter(df__gt=0).values_list("term", "df"))


def _assert_truthful() -> None:
    kept = _statistics()
    rebuild_statistics()
    assert _statistics() == kept


def _three_documents(**fields: Any) -> list[Document]:
    source = make_source("paper", kind=SourceKind.NOTICE)
    titles = ("비트코인 반감기", "이더리움 재단 소식", "비트코인 시세")
    return [make_document(source, str(number), title=title, **fields) for number, title in enumerate(titles)]


def test_the_statistics_stay_true_through_every_change() -> None:
    rows = _three_documents()
    unit = make_unit("btc", "비트코인", aliases=["BTC"], summary="2009년에 시작됐다.")
    indexing.index_documents(row.pk for row in rows)
    indexing.index_units([unit.pk])
    _assert_truthful()
    Document.objects.filter(pk=rows[0].pk).update(title="이더리움 이더리움 업그레이드")
    indexing.index_documents([rows[0].pk])
    Mention.objects.create(document=rows[1], unit=unit, start=0, end=1, surface="x")
    indexing.relink_documents([row.pk for row in rows])
    _assert_truthful()
    assert indexing.remove(indexing.DOCUMENTS, [rows[1].pk]) == 1
    assert indexing.remove(indexing.UNITS, [unit.pk]) == 1
    _assert_truthful()
    assert SearchPassage.objects.count() == 2


def test_a_unit_is_found_by_the_words_of_its_series_and_read_again_when_they_change() -> None:
    unit, other = (
        make_unit("krw", "원화", summary="한국의 돈이다."),
        make_unit("jpy", "엔화", summary="일본의 돈이다."),
    )
    assert indexing.refresh() == 2
    series = make_series("usd-krw", holder=other, label="원달러 환율", label_en="won-dollar rate")
    make_series("empty", holder=other, label="엔 환율", label_en="yen rate")
    assert indexing.refresh() == 1
    assert [hit.unit for hit in search(understand("환율"), now=NOON)] == [other]
    assert "환율" not in search(understand("환율"), now=NOON)[0].text
    series.holder = unit
    series.save()
    assert indexing.refresh() == 2
    assert {hit.unit for hit in search(understand("환율"), now=NOON)} == {unit, other}
    assert indexing.refresh() == 0
    _assert_truthful()


def test_what_is_indexed_while_a_rebuild_counts_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = _three_documents()
    indexing.index_documents([rows[0].pk, rows[1].pk])
    rows[0].delete()
    lock = statistics.lock_corpus

    def lock_after_another_worker() -> None:
        monkeypatch.setattr(statistics, "lock_corpus", lock)
        indexing.index_documents([rows[2].pk])
        lock()

    monkeypatch.setattr(statistics, "lock_corpus", lock_after_another_worker)
    rebuild_statistics()
    totals, frequencies = _statistics()
    assert totals is not None
    assert totals[0] == 2
    assert (frequencies["비트코인"], frequencies["재단"]) == (1, 1)
    assert "반감기" not in frequencies
    _assert_truthful()


def test_a_rebuild_puts_the_counts_right_after_a_deletion_by_cascade() -> None:
    rows = _three_documents()
    indexing.index_documents(row.pk for row in rows)
    rows[0].delete()
    rebuild_statistics()
    totals, frequencies = _statistics()
    assert totals is not None
    assert totals[0] == 2
    assert "반감기" not in frequencies
    assert frequencies["비트코인"] == 1


def test_indexing_twice_changes_nothing() -> None:
    rows = _three_documents()
    for _time in range(2):
        assert indexing.index_documents(row.pk for row in rows) == 3
    assert SearchPassage.objects.count() == 3
    _assert_truthful()


def test_passages_are_stored_in_the_order_of_their_subjects() -> None:
    rows = _three_documents()
    Document.objects.filter(pk=rows[0].pk).update(title="비트코인")  # its row is now the last of the table
    indexing.index_documents(row.pk for row in rows)
    stored = SearchPassage.objects.order_by("pk").values_list("document_id", flat=True)
    assert list(stored) == [row.pk for row in rows]


def test_the_first_passages_of_a_corpus_are_counted() -> None:
    SearchCorpus.objects.all().delete()
    indexing.add(list(passages_of(_three_documents(), {})))
    totals, frequencies = _statistics()
    assert totals == (3, sum(SearchPassage.objects.values_list("dl", flat=True)))
    assert frequencies["비트코인"] == 2
    _assert_truthful()


def test_what_is_not_public_leaves_the_index_when_it_is_indexed_again() -> None:
    unit = make_unit("btc", "비트코인")
    assert indexing.index_units([unit.pk]) == 1
    Unit.objects.filter(pk=unit.pk).update(status=Status.RETRACTED)
    assert indexing.index_units([unit.pk]) == 0
    assert not SearchPassage.objects.exists()


def test_refresh_finds_what_is_missing_changed_or_hidden_and_then_rests() -> None:
    rows = _three_documents()
    unit, hidden = make_unit("btc", "비트코인"), make_unit("eth", "이더리움")
    assert indexing.refresh(now=NOON) == 5
    assert indexing.refresh(now=NOON) == 0

    Document.objects.filter(pk=rows[0].pk).update(title="새 제목", content_sha256="new")
    Unit.objects.filter(pk=unit.pk).update(summary="바뀐 요약", updated_at=NOON)
    Unit.objects.filter(pk=hidden.pk).update(status=Status.RETRACTED)
    assert indexing.refresh(now=NOON) == 3
    assert [hit.title for hit in search(understand("새 제목"), now=NOON)] == ["새 제목"]
    assert indexing.refresh(now=NOON) == 0


def test_a_new_alias_leads_to_its_unit_from_the_next_refresh_on() -> None:
    unit = make_unit("btc", "비트코인")
    indexing.refresh(now=NOON)
    assert search(understand("대장주"), now=NOON) == []
    Alias.objects.create(unit=unit, surface="대장주")
    assert indexing.refresh(now=NOON) == 1
    assert [hit.unit for hit in search(understand("대장주"), now=NOON)] == [unit]


def test_an_alias_that_comes_while_its_unit_is_read_is_found_by_the_next_refresh(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unit = make_unit("btc", "비트코인")
    read = AliasQuerySet.by_unit

    def read_before_the_alias_comes(names: AliasQuerySet, units: UnitQuerySet) -> dict[int, list[str]]:
        found = read(names, units)
        Alias.objects.get_or_create(unit=unit, surface="대장주")
        return found

    with monkeypatch.context() as patched:
        patched.setattr(AliasQuerySet, "by_unit", read_before_the_alias_comes)
        assert indexing.refresh(now=NOON) == 1
    assert indexing.refresh(now=NOON) == 1
    assert [hit.unit for hit in search(understand("대장주"), now=NOON)] == [unit]


def test_a_minutes_look_leaves_old_documents_to_the_night() -> None:
    _three_documents(fetched_at=NOON - timedelta(days=30))
    assert indexing.refresh(now=NOON) == 0
    assert indexing.refresh() == 3


def test_refresh_takes_no_more_than_it_is_told_and_goes_on_next_time() -> None:
    _three_documents()
    assert indexing.refresh(now=NOON, limit=2) == 2
    assert indexing.refresh(now=NOON, limit=2) == 1


def test_rows_of_other_rules_are_read_again() -> None:
    rows = _three_documents(fetched_at=NOON - timedelta(days=30))
    indexing.index_documents(row.pk for row in rows)
    for other in ("aaa/0", "zzz/9"):
        SearchPassage.objects.filter(document=rows[1]).update(analyzer=other)
        assert indexing.refresh(now=NOON) == 1
        assert set(SearchPassage.objects.values_list("analyzer", flat=True)) == {morphemes.ANALYZER}


def test_withdrawn_documents_leave_by_night() -> None:
    rows = _three_documents()
    indexing.refresh()
    Document.objects.filter(pk=rows[0].pk).update(withdrawn=True)
    assert indexing.refresh() == 1


def test_relinking_reads_no_text_and_keeps_the_words() -> None:
    row = _three_documents()[0]
    bitcoin = make_unit("btc", "비트코인", aliases=["BTC"])
    halving = make_unit("eth", "이더리움", aliases=["ETH"])
    Mention.objects.create(document=row, unit=bitcoin, start=0, end=4, surface="비트코인")
    indexing.index_documents([row.pk])
    Document.objects.filter(pk=row.pk).update(title="아무도 읽지 않을 제목")
    Mention.objects.all().delete()
    Mention.objects.create(document=row, unit=halving, start=0, end=4, surface="이더리움")
    assert indexing.relink_documents([row.pk]) == 1
    assert [hit.title for hit in search(understand("반감기"), now=NOON)] == ["비트코인 반감기"]
    assert search(understand("ETH"), now=NOON)
    assert not search(understand("BTC"), now=NOON)


def test_a_long_summary_becomes_several_verbatim_passages() -> None:
    summary = " ".join(f"{number}번째 문장은 시장의 흐름을 차분하게 적는다." for number in range(60))
    unit = make_unit("btc", "비트코인", summary=summary, summary_en="It began in 2009.")
    indexing.index_units([unit.pk])
    rows = list(SearchPassage.objects.order_by("ordinal"))
    korean = [row.text for row in rows if row.lang == "ko"]
    assert len(korean) > 1
    assert all(SUMMARY_PASSAGE_MAX_LENGTH / 3 < len(piece) <= SUMMARY_PASSAGE_MAX_LENGTH for piece in korean)
    assert " ".join(korean) == summary
    assert [row.text for row in rows if row.lang == "en"] == ["It began in 2009."]


def test_a_summary_of_the_canons_length_is_one_passage_which_its_units_names_lead_to() -> None:
    sentence = "마루는 장부를 차분하게 적는다."
    summary = " ".join([sentence] * (SUMMARY_PASSAGE_MAX_LENGTH // (len(sentence) + 1)))
    assert PASSAGE_MAX_LENGTH < len(summary) <= SUMMARY_PASSAGE_MAX_LENGTH
    unit = make_unit("maru", "마루", aliases=["도리깨"], summary=summary)
    indexing.index_units([unit.pk])
    assert [hit.text for hit in search(understand("도리깨"), now=NOON)] == [summary]


def test_a_text_that_never_ends_a_sentence_is_still_cut() -> None:
    pieces = split("가" * 1_500, "ko")
    assert "".join(pieces) == "가" * 1_500
    assert all(len(piece) <= PASSAGE_MAX_LENGTH for piece in pieces)


def test_a_subject_that_vanished_meanwhile_is_no_error() -> None:
    row = _three_documents()[0]
    passages = [SearchPassage(kind="notice", document_id=row.pk, title="x", analyzer="x", dl=1, tsv="'x':1")]
    Document.objects.all().delete()
    assert indexing.replace(indexing.DOCUMENTS, [row.pk], passages) == 0


@pytest.mark.parametrize("subjects", [{}, {"unit": True, "document": True}])
def test_a_passage_belongs_to_exactly_one_subject(subjects: dict[str, bool]) -> None:
    targets = {"unit": make_unit(), "document": _three_documents()[0]}
    chosen = {name: targets[name] for name in subjects}
    with pytest.raises(IntegrityError), transaction.atomic():
        SearchPassage.objects.create(kind="notice", title="x", analyzer="x", dl=1, tsv="'x':1", **chosen)


@pytest.mark.django_db(transaction=True)
def test_workers_that_index_the_same_things_in_any_order_neither_block_nor_miscount() -> None:
    rows = _three_documents()
    unit = make_unit("btc", "비트코인")
    failures: list[BaseException] = []

    def work(keys: list[int]) -> None:
        try:
            for time in range(5):
                indexing.index_documents(keys)
                indexing.index_units([unit.pk])
                indexing.relink_documents(keys)
                with transaction.atomic():
                    new = make_document(
                        rows[0].source, f"{keys}, {time}", title="이더리움 시세, 비트코인 소식"
                    )
                    indexing.add(list(passages_of([new], {})))
        except BaseException as error:
            failures.append(error)
        finally:
            connection.close()

    keys = [row.pk for row in rows]
    threads = [threading.Thread(target=work, args=(order,)) for order in (keys, keys[::-1], keys[1:])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert SearchPassage.objects.count() == 4 + 3 * 5
    _assert_truthful()


def test_refreshing_everything_goes_on_after_the_first_batch() -> None:
    for number in range(5):
        make_unit(f"u{number}", f"단위{number}", summary=f"단위{number}는 시험이다.")
    assert indexing.refresh_everything(limit=2) == 5
    assert SearchPassage.objects.filter(unit__isnull=False).count() == 5
    assert indexing.refresh_everything(limit=2) == 0
