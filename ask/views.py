"""The permanent pages of answers, and the form that asks: it works without script."""

from datetime import timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import override
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from ask import answering, limits, queries, rehearsal
from ask.citations import told_sources
from ask.errors import BODY_MAX_BYTES, BodyTooLarge
from ask.limits import Allowance
from ask.models import QUESTION_MAX_LENGTH, Answer, AnswerVersion, Mode, SeedQuestion
from ask.near_questions import questions_near
from ask.queries import AddressStatus, AnswerPage
from ask.questions import is_question
from ask.related import related
from ask.rendering import shown
from knowledge.errors import Refusal
from knowledge.languages import current_language, localised
from knowledge.publications import keep, revalidated
from knowledge.publications.keeping import have_front_wait

# Short: a take-down has to reach every cache within half a minute.
KEPT = timedelta(seconds=30)
PAGE_CACHE = f"public, max-age={KEPT.seconds}"
NOINDEX = "noindex"


@require_safe
def answer_page(request: HttpRequest, question_hash: str) -> HttpResponseBase:
    """An answer with its sources: 404 for a question nobody asked, 410 for an answer that was taken down, 503 for one
    whose figures are due while they cannot be read."""
    now = timezone.now()
    page = queries.answer_page(question_hash, now=now)
    kept = page.kept_for(KEPT, now)
    cache_control = f"public, max-age={kept.seconds}"
    response = revalidated(request, _answer_page(request, page), cache_control=cache_control)
    return keep(request, response, scopes=page.scopes, variant="")


def _answer_page(request: HttpRequest, page: AnswerPage) -> HttpResponse:
    if page.standing is AddressStatus.UNKNOWN:
        raise Http404
    if page.answer is None or page.version is None:
        gone = render(request, "errors/error.html", {"status": 410}, status=410)
        gone.headers["X-Robots-Tag"] = NOINDEX
        return gone
    # It has no twin: the frame speaks the language of the question.
    with override(page.answer.lang):
        response = render(request, "ask/answer.html", _shown(page, page.answer, page.version))
    if not page.indexable:
        response.headers["X-Robots-Tag"] = NOINDEX
    return response


def _shown(page: AnswerPage, answer: Answer, version: AnswerVersion) -> dict[str, Any]:
    """What the template needs, in the language that is active."""
    pages = related(version)
    return {
        "answer": answer,
        "version": version,
        "is_miss": version.mode == Mode.NONE,
        "why": queries.why_none(version) if version.mode == Mode.NONE else "",
        "shown": shown(version),
        "sources": told_sources(version.citations, version.sources),
        "rehearsed": rehearsal.is_rehearsed(version.prompt_version),
        "hidden": not page.indexable,
        "newer_events": page.newer_events,
        "related": pages,
        "questions": questions_near(version, pages),
        # No quoted sentence has a time at which it is due anew.
        "figures": version.figures_due_at is not None,
    }


# Nobody is logged in here, so a forged post could do no more than any page may do by POST /api/ask; a token would
# need a cookie, and public pages set none.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def ask_form(request: HttpRequest) -> HttpResponseBase:
    """The form at ``/ask``, and what the box of every page posts to. A question leads to its answer's page by 303; a
    refusal is shown above the form."""
    if request.method != "POST":
        empty = revalidated(request, _form(request), cache_control=PAGE_CACHE)
        return keep(request, empty, scopes=["answer"], variant="")
    if name := _name_in_box(request.POST):
        found = redirect(f"{localised('/search')}?{urlencode({'q': name})}")
        found.status_code = 303
        return found
    allowance = limits.of_visitor(request)
    try:
        stated = request.META.get("CONTENT_LENGTH") or "0"
        if not stated.isdecimal() or int(stated) > BODY_MAX_BYTES:
            raise BodyTooLarge
        reply = answering.ask(_typed(request.POST), now=timezone.now(), allowance=allowance)
    except Refusal as refusal:
        response = _form(request, refusal)
        if refusal.retry_after is not None:
            response.headers["Retry-After"] = str(refusal.retry_after)
        have_front_wait(response, refusal)
    else:
        response = redirect(reply.answer)
        response.status_code = 303
    return _private(response, allowance)


def _typed(posted: QueryDict) -> str | None:
    """What was asked: ``question`` in the form, ``q`` in the box, whose other button searches."""
    return posted.get("question", posted.get("q"))


def _name_in_box(posted: QueryDict) -> str:
    """What Enter in the box is to search for: what asks nothing. Its button says ``to=ask``."""
    typed = posted.get("q", "").strip()
    return typed if typed and "to" not in posted and not is_question(typed) else ""


def _form(request: HttpRequest, refusal: Refusal | None = None) -> HttpResponse:
    """The form with the seeds that have an answer; what was typed stands in it again unless it was too long to read."""
    typed = "" if refusal is None or isinstance(refusal, BodyTooLarge) else _typed(request.POST) or ""
    lang = current_language()
    context = {
        "refusal": refusal,
        "typed": typed,
        "longest": QUESTION_MAX_LENGTH,
        "seeds": sorted(SeedQuestion.objects.answered(), key=lambda seed: seed.lang != lang),
    }
    return render(request, "ask/form.html", context, status=refusal.status_code if refusal else 200)


def _private(response: HttpResponse, allowance: Allowance) -> HttpResponse:
    headers = {"Cache-Control": "no-store", "X-Robots-Tag": NOINDEX, **allowance.headers()}
    for name, value in headers.items():
        response.headers[name] = value
    return response
