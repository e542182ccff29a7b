"""Where a unit's facts come from: web addresses in an order, as an editor gives them and as they are stored.

They are shown as links to everybody, so what is stored is a plain http(s) address of a named host, in ASCII.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import unquote

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db.models import CharField, CheckConstraint, F, Func, Q, TextField, Value
from django.db.models.lookups import Regex
from django.utils.encoding import iri_to_uri
from django.utils.translation import gettext_lazy as _

from knowledge.invisible import one_line

SOURCE_URLS_MAX = 10  # of a unit
SOURCE_URL_MAX_LENGTH = 500  # characters of one, as it is stored
_ORIGIN = re.compile(r"(https?)://([^/?#]*)", re.IGNORECASE)
_HOST = re.compile(r"([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])(:[0-9]{1,5})?")
_HOST_MAX_LENGTH = 253
_ECHOED = 60  # characters of a bad line
_CODES = re.compile(r"(?:%[0-9A-F]{2})+")
_HANGUL = re.compile("[가-힣]+")
# In Postgres, of the addresses as lines that a mark ends.
_LINES = r'^(https?://[a-z0-9][^[:space:]<>"]+\n)*\.$'


def source_urls_field(**options: Any) -> Any:
    """The column: a list of addresses, empty where nobody has named one."""
    element = CharField(max_length=SOURCE_URL_MAX_LENGTH, blank=True)
    empty = Value([], output_field=ArrayField(CharField(max_length=SOURCE_URL_MAX_LENGTH)))
    return ArrayField(element, default=list, db_default=empty, blank=True, **options)


def source_urls_constraints(column: str, prefix: str) -> list[CheckConstraint]:
    """What the database itself refuses, whoever writes: too many, and what is no web address."""
    # Behind the last one a mark, which tells a blank address from none.
    marked = Func(F(column), Value("."), function="array_append")
    lines = Func(marked, Value("\n"), Value("null"), function="array_to_string", output_field=TextField())
    return [
        CheckConstraint(condition=Q(**{f"{column}__len__lte": SOURCE_URLS_MAX}), name=f"{prefix}_few"),
        CheckConstraint(condition=Regex(lines, _LINES), name=f"{prefix}_of_the_web"),
    ]


def tidied(lines: Iterable[str]) -> list[str]:
    """The lines as addresses are stored: host in small letters, what is not ASCII percent-encoded. A line that is blank
    or no address stays as it is, so that ``checked`` counts it and tells it."""
    seen = map(one_line, lines)
    return [_encoded(line) if _ORIGIN.match(line) and " " not in line else line for line in seen]


def _encoded(address: str) -> str:
    return iri_to_uri(_ORIGIN.sub(lambda origin: origin[0].lower(), address, count=1))


def in_hangul(address: str) -> str:
    """An address with Hangul in place of its codes, as people write it. What else is percent-encoded stays so, since it
    could pass for another sign of the address or not be seen."""
    return _CODES.sub(_letters, address)


def _letters(codes: re.Match[str]) -> str:
    decoded = unquote(codes[0])
    return decoded if _HANGUL.fullmatch(decoded) else codes[0]


def checked(lines: Sequence[str]) -> list[str]:
    """The addresses among tidied lines. Raises ValidationError with a message for each line that is none."""
    problems, first_of = [], dict[str, int]()
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        problem = _problem_of(line)
        same = first_of.setdefault(_page_of(line), number)
        if problem is None and same != number:
            problem = _("%(same)d번째 줄과 같은 주소입니다.") % {"same": same}
        if problem is not None:
            told = {"line": number, "written": line[:_ECHOED], "problem": problem}
            problems.append(_("%(line)d번째 줄(%(written)s): %(problem)s") % told)
    addresses = [line for line in lines if line]
    if len(addresses) > SOURCE_URLS_MAX:
        most = _("주소는 %(most)d개까지입니다(지금 %(count)d개).")
        problems.append(most % {"most": SOURCE_URLS_MAX, "count": len(addresses)})
    if problems:
        raise ValidationError(problems)
    return addresses


def _problem_of(line: str) -> Any:
    """Why a line is no address that can be stored; None where it is one."""
    origin = _ORIGIN.match(line)
    if " " in line:
        return _("한 줄에 주소 하나만, 빈칸 없이 씁니다.")
    if origin is None:
        return _("https:// 또는 http://로 시작해야 합니다.")
    if "@" in origin[2]:
        return _("아이디나 비밀번호가 든 주소는 쓸 수 없습니다.")
    if not _HOST.fullmatch(origin[2]) or len(origin[2]) > _HOST_MAX_LENGTH:
        return _("서버 이름이 올바르지 않습니다. www.fsc.go.kr처럼 영문으로 씁니다.")
    if len(line) > SOURCE_URL_MAX_LENGTH:
        return _("너무 깁니다. %(most)d자까지입니다.") % {"most": SOURCE_URL_MAX_LENGTH}
    return None


def _page_of(address: str) -> str:
    """What two addresses of one page have in common."""
    return address.partition("://")[2].rstrip("/")
