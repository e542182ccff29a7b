"""Two hundred texts that strangers may write, and a world whose every text is one of them (R20)."""

from datetime import datetime

from ask import drafts
from ask.hashing import question_hash
from ask.models import Answer, AnswerVersion, SeedQuestion
from knowledge.ingestion.documents import store
from knowledge.models import Document, Entity, Mention, Persona, PersonaPost, Status, Unit, UnitType
from knowledge.sources.http.client import Fetched
from knowledge.sources.rss import parse
from rehearsal.bodies import news
from tests.factories.knowledge import make_source, make_unit

HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'-alert(1)-'",
    "<svg/onload=alert(1)>",
    "{{ 7*7 }}{% debug %}",
    "[눌러](javascript:alert(1))",
    "![x](http://evil.example/x.png)",
    "</title><script>alert(1)</script>",
    "]]><script>alert(1)</script>",
    "<!--<script>alert(1)</script>-->",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "\u202e\u2066뒤집힘\u2069",
    "\u200b보이지\ufeff않음",
    "# 제목\n\n- 목록\n> 인용",
    "\x01\x08\x0b제어\x1f",
    "javascript:alert(1)",
    "`코드` *강조* **굵게** ~~취소~~ | 표 |",
    "\u2028줄\u2029단락",
    "𝕊 \ufdd0\uffff 👩‍👩‍👧",
]
ESCAPES = (
    "{}",
    '"{}',
    "'{}",
    "</textarea>{}",
    "-->{}",
    "]]>{}",
    "</title>{}",
    "</script>{}",
    "</svg>{}",
    "`{}`",
)
RUNNING = (
    "<script>alert(2)</script>",
    "<ScRiPt>alert(2)</sCrIpT>",
    "<img src=x onerror=alert(2)>",
    "<svg onload=alert(2)>",
    "<body onload=alert(2)>",
    "<iframe src=javascript:alert(2)>",
    "<a href=javascript:alert(2)>눌러",
    "<a href='java&#10;script:alert(2)'>눌러",
    "<details open ontoggle=alert(2)>",
    "<input autofocus onfocus=alert(2)>",
    "<meta http-equiv=refresh content='0;url=http://evil.example'>",
    "<link rel=stylesheet href=http://evil.example/x.css>",
    "<style>@import 'http://evil.example/x.css'</style>",
    "<base href=http://evil.example/>",
    "<form action=http://evil.example><button>",
    "<math><mi xlink:href='data:text/html,<script>alert(2)</script>'>",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "<http://evil.example> http://evil.example/자동",
)
PAYLOADS = [*HOSTILE, *(frame.format(text) for text in RUNNING for frame in ESCAPES)]
A_UNIT = 5
KINDS = (UnitType.ASSET, UnitType.TOPIC, UnitType.EVENT, UnitType.PERSON, UnitType.CREATOR)


def hostile_units(now: datetime) -> list[Unit]:
    """Units of every kind that carry all the payloads, five each: label, summary, both languages, symbol, alias."""
    units = []
    for start in range(0, len(PAYLOADS), A_UNIT):
        label, summary, english, symbol, alias = PAYLOADS[start : start + A_UNIT]
        number = start // A_UNIT
        kind = KINDS[number % len(KINDS)]
        units.append(
            make_unit(
                f"hostile-{number}",
                f"{label} {number}",
                type=kind,
                summary=f"{summary} 요약",
                summary_en=english,
                symbol=symbol[:20] if kind == UnitType.ASSET else "",
                aliases=[f"{alias} {number}"[:100]],
                occurred_at=now if kind == UnitType.EVENT else None,
            )
        )
    return units


def hostile_world(now: datetime) -> list[Unit]:
    """The units, a document about each as a feed brought it, a persona's post, and an answered seed."""
    units = hostile_units(now)
    source = make_source("hostile", name=HOSTILE[2][:30], url="https://hostile.example/rss")
    articles = [(str(number), visible(text), now) for number, text in enumerate(PAYLOADS)]
    body = news(
        *articles, summary="마당 &lt;script&gt;alert(3)&lt;/script&gt;", site="https://hostile.example"
    )
    address = source.url
    answer = Fetched(status=200, body=body, headers={}, asked=address, url=address, fetched_at=now)
    store(source, parse(answer, source), now=now)
    for number, document in enumerate(Document.objects.filter(source=source).order_by("pk")):
        Mention.objects.get_or_create(
            document=document, unit=units[number % len(units)], start=0, defaults={"end": 1, "surface": "x"}
        )
    _post(units[KINDS.index(UnitType.CREATOR)], now)
    _seed(units[0], now)
    return units


def visible(text: str) -> str:
    """Without what XML itself refuses: such a feed would be refused whole."""
    return "".join(character for character in text if character >= " " and character not in "\ufdd0\uffff")


def _post(creator: Unit, now: datetime) -> None:
    persona = Persona.objects.create(
        entity=Entity.objects.get(pk=creator.pk),
        glyph="◇",
        voice="시험",
        disclosure=f"AI 페르소나 {HOSTILE[0]}"[:100],
        disclosure_en=f"AI persona {HOSTILE[2]}"[:100],
    )
    PersonaPost.objects.create(
        persona=persona,
        slug="one",
        body="\n".join(PAYLOADS[20:60]),
        status=Status.PUBLISHED,
        published_at=now,
    )


def _seed(cited: Unit, now: datetime) -> None:
    question = f"{HOSTILE[1]} 마루코인은 무엇인가?"
    SeedQuestion.objects.create(text=question)
    answer = Answer.objects.create(
        question_hash=question_hash(question), question=question, lang="ko", created_at=now, checked_at=now
    )
    answer.current = AnswerVersion.objects.create(
        answer=answer,
        mode="extractive",
        body="\n\n".join(visible(text) for text in PAYLOADS[:60]) + " [1]",
        citations=[{"label": cited.label, "url": cited.get_absolute_url(), "type": "asset"}],
        evidence_fingerprint="0" * 64,
        prompt_version=drafts.PROMPT_VERSION,
        generated_at=now,
    )
    answer.save()


def addresses(units: list[Unit]) -> list[str]:
    """Every page that shows one of the texts."""
    answers = [answer.get_absolute_url() for answer in Answer.objects.all()]
    return [*(unit.get_absolute_url() for unit in units), *answers]
