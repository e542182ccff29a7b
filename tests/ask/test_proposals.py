"""A seed's next answer: made by an editor, compared, accepted; readers see nothing of it before."""

import re
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ask import curation, flights, proposals
from ask.errors import AnswerHidden, AnswerInProgress
from ask.models import Answer, AnswerVersion, SeedQuestion
from knowledge import curation as canon
from knowledge.models import Status, Unit
from knowledge.search.indexing import index_units
from tests.ask.records import KOREAN, NOON, ask, maru

pytestmark = pytest.mark.django_db

SEEDS = reverse("admin:ask_seedquestion_changelist")


@pytest.fixture
def seed() -> SeedQuestion:
    """A seed with an answer, whose evidence says something else by now."""
    unit = maru()
    seed = SeedQuestion.objects.create(text=KOREAN)
    ask(KOREAN, now=timezone.now())
    unit.summary = "마루코인의 발행 상한은 4억 개이다."
    unit.save()
    index_units([unit.pk])
    return seed


def comparison(seed: SeedQuestion) -> str:
    return reverse("admin:ask_seedquestion_compare", args=[seed.pk])


def answer_now(client: Client, *seeds: SeedQuestion) -> str:
    chosen = [seed.pk for seed in seeds]
    return client.post(
        SEEDS, {"action": "answer_now", "_selected_action": chosen}, follow=True
    ).content.decode()


def current_body() -> str:
    current = Answer.objects.select_related("current").get().current
    assert current is not None
    return current.body


def test_the_first_answer_of_a_seed_is_public_at_once() -> None:
    maru()
    version = proposals.propose(KOREAN, now=NOON)
    assert Answer.objects.published().get().current == version
    assert proposals.proposal(version.answer) is None


def test_a_proposal_is_seen_by_editors_only(seed: SeedQuestion, client: Client) -> None:
    version = proposals.propose(KOREAN, now=NOON)
    assert "4억 개" in version.body
    assert "3억 6천만" in current_body()
    assert "4억 개" not in client.get(seed.get_absolute_url()).content.decode()
    assert "3억 6천만" in ask(KOREAN, now=timezone.now()).version.body


def test_an_editor_answers_now_compares_and_accepts(seed: SeedQuestion, admin_client: Client) -> None:
    words = re.sub("<[^>]+>", "", answer_now(admin_client, seed))
    assert "3억 6천만" in words
    assert "4억 개" in words
    proposed = AnswerVersion.objects.latest("pk")
    assert f'href="{comparison(seed)}"' in admin_client.get(SEEDS).content.decode()
    done = admin_client.post(comparison(seed), {"version": proposed.pk}, follow=True).content.decode()
    assert "새 답변을 공개했습니다." in done
    assert "4억 개" in current_body()
    assert [entry.change_message for entry in LogEntry.objects.order_by("pk")] == [
        f"answered: version {proposed.pk}",
        f"accepted: version {proposed.pk}",
    ]
    assert "비교하기" not in admin_client.get(SEEDS).content.decode()


def test_only_what_the_editor_has_seen_is_accepted(seed: SeedQuestion, admin_client: Client) -> None:
    seen = proposals.propose(KOREAN, now=NOON)
    proposals.propose(KOREAN, now=NOON + timedelta(minutes=1))
    for version in (str(seen.pk), "", "x"):
        html = admin_client.post(comparison(seed), {"version": version}, follow=True).content.decode()
        assert "다시 비교해 보세요" in html
    assert "3억 6천만" in current_body()


def test_a_proposal_whose_evidence_was_withdrawn_is_not_accepted(seed: SeedQuestion) -> None:
    proposed = proposals.propose(KOREAN, now=NOON)
    canon.set_status(Unit.objects.get(slug="marucoin"), Status.RETRACTED)
    assert not proposals.accept(proposed, now=NOON)
    assert Answer.objects.get().current != proposed


def test_an_older_version_is_not_accepted_over_a_newer(seed: SeedQuestion) -> None:
    first, second = (proposals.propose(KOREAN, now=NOON) for _ in range(2))
    assert proposals.accept(second, now=NOON)
    assert not proposals.accept(first, now=NOON)
    assert Answer.objects.get().current == second


def test_what_was_taken_down_is_not_proposed(seed: SeedQuestion, admin_client: Client) -> None:
    curation.hide(Answer.objects.all(), "신고")
    with pytest.raises(AnswerHidden):
        proposals.propose(KOREAN, now=NOON)
    assert AnswerHidden.korean in answer_now(admin_client, seed)
    assert AnswerVersion.objects.count() == 1


def test_what_is_being_answered_is_not_answered_twice(seed: SeedQuestion) -> None:
    with flights.lease(seed.question_hash), pytest.raises(AnswerInProgress):
        proposals.propose(KOREAN, now=NOON)


def test_few_are_answered_at_once(seed: SeedQuestion, admin_client: Client) -> None:
    others = [SeedQuestion.objects.create(text=f"질문 {number}") for number in range(3)]
    assert "한 번에 3개까지" in answer_now(admin_client, seed, *others)
    assert AnswerVersion.objects.count() == 1


def test_who_may_only_look_may_neither_answer_nor_accept(seed: SeedQuestion, client: Client) -> None:
    reader = User.objects.create_user("reader", is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="view_seedquestion"))
    client.force_login(reader)
    answer_now(client, seed)
    assert AnswerVersion.objects.count() == 1
    proposed = proposals.propose(KOREAN, now=NOON)
    assert client.post(comparison(seed), {"version": proposed.pk}).status_code == 403
    assert client.get(comparison(seed)).status_code == 403


def test_the_books_can_be_read_and_not_rewritten(admin_client: Client) -> None:
    for name in ("spendday", "modelcall", "citationaudit"):
        assert admin_client.get(reverse(f"admin:ask_{name}_changelist")).status_code == 200
        assert admin_client.get(reverse(f"admin:ask_{name}_add")).status_code == 403
