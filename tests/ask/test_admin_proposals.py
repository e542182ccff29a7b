"""New answers before an editor: accepted, left aside, taken back, one by one and together."""

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from ask import proposals
from ask.models import Answer, AnswerVersion, SeedQuestion
from tests.ask.records import NOON, stored_answer

pytestmark = pytest.mark.django_db

SEEDS = reverse("admin:ask_seedquestion_changelist")


def proposed(question: str, body: str = "값은 6이다. [1]") -> tuple[SeedQuestion, AnswerVersion]:
    """A seed with a public answer, and a version that waits."""
    present = stored_answer(question=question)
    seed = SeedQuestion.objects.create(text=question)
    version = AnswerVersion.objects.create(
        answer=present.answer,
        mode="extractive",
        body=body,
        citations=present.citations,
        evidence_fingerprint="0" * 64,
        prompt_version="extractive:1",
        generated_at=NOON,
    )
    return seed, version


def comparison(seed: SeedQuestion) -> str:
    return reverse("admin:ask_seedquestion_compare", args=[seed.pk])


def undo(seed: SeedQuestion) -> str:
    return reverse("admin:ask_seedquestion_undo", args=[seed.pk])


def current(seed: SeedQuestion) -> int | None:
    return Answer.objects.get(pk=seed.question_hash).current_id


def test_words_that_differ_are_marked_side_by_side(admin_client: Client) -> None:
    seed, _version = proposed("하나?")
    html = admin_client.get(comparison(seed)).content.decode()
    assert "<del>5이다</del>" in html
    assert "<ins>6이다</ins>" in html


def test_an_accepted_answer_is_taken_back_and_offered_again(admin_client: Client) -> None:
    seed, version = proposed("하나?")
    other, _waiting = proposed("둘?")
    former = current(seed)
    response = admin_client.post(comparison(seed), {"version": version.pk, "_accept": "1"})
    assert response.headers["Location"] == comparison(other)
    assert current(seed) == version.pk
    admin_client.post(undo(seed), {"accepted": version.pk, "former": former})
    assert current(seed) == former
    assert list(proposals.awaiting()) == [seed, other]


def test_an_answer_left_aside_is_not_offered_again_until_that_is_undone(admin_client: Client) -> None:
    seed, version = proposed("하나?")
    former = current(seed)
    admin_client.post(comparison(seed), {"version": version.pk, "_keep": "1"})
    assert (current(seed), list(proposals.awaiting())) == (former, [])
    assert "비교할 새 답변이 없습니다" in admin_client.get(comparison(seed)).content.decode()
    admin_client.post(undo(seed), {"declined": version.pk})
    assert list(proposals.awaiting()) == [seed]


def test_only_what_was_seen_is_left_aside(admin_client: Client) -> None:
    seed, version = proposed("하나?")
    newer = AnswerVersion.objects.get(pk=version.pk)
    newer.pk = None
    newer.save(force_insert=True)
    admin_client.post(comparison(seed), {"version": version.pk, "_keep": "1"})
    assert proposals.awaiting().get().proposed == newer.pk  # type: ignore[attr-defined]
    assert not proposals.decline(version)


@pytest.mark.parametrize("case", ["another answer's", "newer", "nonsense"])
def test_nothing_but_the_former_version_is_put_back(admin_client: Client, case: str) -> None:
    seed, version = proposed("하나?")
    _other, foreign = proposed("둘?")
    admin_client.post(comparison(seed), {"version": version.pk, "_accept": "1"})
    former = {"another answer's": foreign.pk, "newer": version.pk, "nonsense": "x"}[case]
    admin_client.post(undo(seed), {"accepted": version.pk, "former": former})
    assert current(seed) == version.pk


def test_many_are_accepted_together_or_not_at_all(admin_client: Client) -> None:
    (one, first), (two, second) = proposed("하나?"), proposed("둘?", "값은 7이다. [1]")
    without = SeedQuestion.objects.create(text="셋?")
    chosen = {"action": "accept", "_selected_action": [one.pk, two.pk]}
    asked = admin_client.post(SEEDS, chosen).content.decode()
    assert "값은 6이다" in asked
    assert "값은 7이다" in asked
    everything = {"action": "accept", "_selected_action": [one.pk, two.pk, without.pk], "confirmed": "yes"}
    assert "아무것도 바뀌지 않았습니다" in admin_client.post(SEEDS, everything).content.decode()
    assert current(one) != first.pk
    admin_client.post(SEEDS, {**chosen, "confirmed": "yes"})
    assert (current(one), current(two)) == (first.pk, second.pk)


def test_who_may_edit_seeds_but_not_accept_compares_only(client: Client) -> None:
    seed, version = proposed("하나?")
    curator = User.objects.create_user("curator", is_staff=True)
    for name in ("view_seedquestion", "change_seedquestion"):
        curator.user_permissions.add(Permission.objects.get(codename=name))
    client.force_login(curator)
    assert 'name="_accept"' not in client.get(comparison(seed)).content.decode()
    for button in ("_accept", "_keep"):
        assert client.post(comparison(seed), {"version": version.pk, button: "1"}).status_code == 403
    assert client.post(undo(seed), {"declined": version.pk}).status_code == 403
    client.post(SEEDS, {"action": "accept", "_selected_action": [seed.pk], "confirmed": "yes"})
    assert (current(seed), list(proposals.awaiting())) != (version.pk, [])
    assert current(seed) != version.pk


def test_a_citation_that_is_no_page_of_ours_is_no_link(admin_client: Client) -> None:
    seed, version = proposed("하나?")
    for url in ("javascript:hit()", "//evil.example/", "https://evil.example/"):
        newer = AnswerVersion.objects.get(pk=version.pk)
        newer.pk, newer.citations = None, [{"label": "값", "url": url, "type": "asset"}]
        newer.save(force_insert=True)
        html = admin_client.get(comparison(seed)).content.decode()
        assert f'href="{url}"' not in html
        assert url in html


def test_the_lists_ask_as_many_questions_for_sixty_rows_as_for_ten(admin_client: Client) -> None:
    def questions() -> list[int]:
        asked = []
        for address in (SEEDS, f"{SEEDS}?proposed=yes", reverse("admin:ask_answer_changelist")):
            with CaptureQueriesContext(connection) as captured:
                assert admin_client.get(address).status_code == 200
            asked.append(len(captured))
        return asked

    for number in range(10):
        proposed(f"질문 {number}?")
    few = questions()
    for number in range(10, 60):
        proposed(f"질문 {number}?")
    assert questions() == few
