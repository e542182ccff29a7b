"""Mistyped names in questions."""

import threading
from math import inf

import pytest

from knowledge.linking import gazetteer
from knowledge.models import Alias, Status
from knowledge.search import typos
from knowledge.search.query import read_question
from knowledge.search.statistics import Corpus
from knowledge.search.typos import Mended, mend
from tests.factories.knowledge import make_unit

pytestmark = pytest.mark.django_db

NOTHING_KNOWN = Corpus(passages=10, average_length=10.0, frequencies={})


@pytest.fixture(autouse=True)
def canon() -> None:
    make_unit("btc", "비트코인", aliases=["비트코인"])
    make_unit("doge", "도지코인", aliases=["도지코인", "도지"])


@pytest.mark.parametrize("typed", ["비트코잉", "비트코임", "비토코인", "비트고인", "비트코이", "비트콩인"])
def test_a_slip_of_one_letter_is_mended(typed: str) -> None:
    assert mend(read_question(f"{typed} 시세"), NOTHING_KNOWN) == Mended("비트코인 시세", ("asset:btc",))


@pytest.mark.parametrize("typed", ["트비코인", "비타민제", "비둘기파", "도지사는", "코인판"])
def test_another_word_is_not_taken_for_a_slip(typed: str) -> None:
    assert mend(read_question(f"{typed} 시세"), NOTHING_KNOWN) is None


def test_a_particle_stays_out_of_the_comparison() -> None:
    mended = mend(read_question("비트코잉은 뭐야"), NOTHING_KNOWN)
    assert mended is not None
    assert mended.question == "비트코인 뭐야"


def test_a_word_that_passages_hold_is_taken_at_its_word() -> None:
    known = Corpus(10, 10.0, dict.fromkeys(["비트", "하", "잉", "코잉", "비트코잉", "코", "시세"], 3))
    assert mend(read_question("비트코잉 시세"), known) is None


def test_short_names_are_left_alone() -> None:
    assert mend(read_question("도자 시세"), NOTHING_KNOWN) is None


def test_names_of_hidden_units_are_never_guessed() -> None:
    make_unit("secret", "이더리움", aliases=["이더리움"], status=Status.DRAFT)
    assert mend(read_question("이더리웅 시세"), NOTHING_KNOWN) is None


def test_an_alias_of_a_merged_unit_speaks_for_its_survivor() -> None:
    pol = make_unit("pol", "폴리곤")
    matic = make_unit("matic", "매틱네트워크", merged_into=pol)
    Alias.objects.create(unit=matic, surface="매틱네트워크")
    mended = mend(read_question("매틱네트웍스 매틱네트워그 시세"), NOTHING_KNOWN)
    assert mended is not None
    assert set(mended.public_ids) == {"asset:pol"}


def test_a_question_of_odd_characters_is_no_error() -> None:
    odd = "ㅋㅋㅋ 🤔 \ud800\x00 가나다라마바사아자차카타파하가나다라마바사아자차카타파하"
    assert mend(read_question(odd), NOTHING_KNOWN) is None


def test_a_label_is_mended_unless_an_editor_has_doubts_about_it() -> None:
    make_unit("eth", "이더리움")
    assert mend(read_question("이더리웅 시세"), NOTHING_KNOWN) == Mended("이더리움 시세", ("asset:eth",))
    Alias.objects.create(unit=make_unit("sol", "솔라나체인"), surface="솔라나체인", ambiguous=True)
    assert mend(read_question("솔라나체잉 시세"), NOTHING_KNOWN) is None


def test_nobody_waits_for_names_that_take_long_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    slip = read_question("이더리웅 시세")
    typos.read_names()
    former = typos._names
    make_unit("eth", "이더리움")
    typos.read_names()
    newer, version = typos._names, typos._version
    monkeypatch.setattr(typos, "_names", former)
    monkeypatch.setattr(typos, "_version", "former")
    reading, read = reader_that_waits(monkeypatch, newer, version)
    assert mend(slip, NOTHING_KNOWN) is None
    assert reading.acquire(timeout=10)
    assert mend(slip, NOTHING_KNOWN) is None
    assert mend(read_question("비트코잉 시세"), NOTHING_KNOWN) == Mended("비트코인 시세", ("asset:btc",))
    read.set()
    join_readers()
    assert not reading.acquire(blocking=False)  # one thread was enough
    assert mend(slip, NOTHING_KNOWN) == Mended("이더리움 시세", ("asset:eth",))


def test_a_process_that_never_read_the_names_mends_nothing_and_has_them_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slip = read_question("비트코잉 시세")
    typos.read_names()
    names, version = typos._names, typos._version
    for name, value in {"_names": {}, "_version": None, "_seconds": inf}.items():
        monkeypatch.setattr(typos, name, value)
    _reading, read = reader_that_waits(monkeypatch, names, version)
    assert mend(slip, NOTHING_KNOWN) is None
    read.set()
    join_readers()
    assert mend(slip, NOTHING_KNOWN) == Mended("비트코인 시세", ("asset:btc",))


def reader_that_waits(
    monkeypatch: pytest.MonkeyPatch, names: typos.Spellings, version: str | None
) -> tuple[threading.Semaphore, threading.Event]:
    """Reading takes long from now on: what counts those who began it, and what lets it end with these names."""
    reading, read = threading.Semaphore(0), threading.Event()

    def slow() -> None:
        reading.release()
        assert read.wait(timeout=10)
        monkeypatch.setattr(typos, "_names", names)
        monkeypatch.setattr(typos, "_version", version)

    known = gazetteer.newest_gazetteer()
    monkeypatch.setattr(gazetteer, "PATIENCE_SECONDS", -1.0)
    monkeypatch.setattr(gazetteer, "current_gazetteer", lambda _text: known)
    monkeypatch.setattr(typos, "read_names", slow)
    return reading, read


def join_readers() -> None:
    for thread in threading.enumerate():
        if thread.name == "typos":
            thread.join(timeout=10)
