"""A sentence tried with aliases that are not saved yet: what the linker finds now, what it would, and why.

The real linker over few aliases. Names that do not occur in the sentence cannot change what is found in it, so only
the units it may name are read, with all their names; the answer is the same as with the whole canon.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from knowledge.linking.automaton import AliasSpec, Ambiguity, Dictionary, UnitKey
from knowledge.linking.disambiguation import CONTEXT_REACH, Disambiguation
from knowledge.linking.gazetteer import specs_of, units_that_may_occur
from knowledge.linking.matching import Match, select
from knowledge.models import Alias, Unit, UnitType
from knowledge.normalise import fold, normalise_alias

MAX_SENTENCE = 2_000  # characters; stored documents have 300


class Why(TextChoices):
    PLAIN = "plain", _("이름만으로 충분합니다.")
    EVIDENCE = "evidence", _("모호한 이름이지만 곁의 단서가 뒷받침합니다.")
    BLOCKED = "blocked", _("막는 문맥이 곁에 있습니다.")
    LACKING = "lacking", _("모호한 이름인데 단서가 모자랍니다.")
    OVERLAPPED = "overlapped", _("더 긴 이름의 일부입니다.")
    BOUNDARY = "boundary", _("다른 낱말의 일부이거나 대소문자가 다릅니다.")


class Spot(NamedTuple):
    """One name in the sentence: ``text[start:end]``, the unit it is or might be, and the reason."""

    start: int
    end: int
    unit: Unit
    linked: bool
    why: Why
    detail: str = ""

    @property
    def reason(self) -> str:
        return str(self.why.label) + (f" ({self.detail})" if self.detail else "")


class SpotChange(NamedTuple):
    """What becomes of one place by the edit."""

    surface: str
    before: Spot | None
    after: Spot | None

    @property
    def change(self) -> str:
        was, is_ = bool(self.before and self.before.linked), bool(self.after and self.after.linked)
        same = was and is_ and self.before and self.after and self.before.unit.pk == self.after.unit.pk
        if same or not (was or is_):
            return "same"
        return "changed" if was and is_ else "gained" if is_ else "lost"


class Trial(NamedTuple):
    """A tried sentence: in pieces, each with the link it would have, and place by place."""

    pieces: tuple[tuple[str, Spot | None], ...]
    rows: tuple[SpotChange, ...]

    @property
    def changes(self) -> int:
        return sum(row.change != "same" for row in self.rows)


def try_sentence(text: str, unit: Unit, aliases: Sequence[Alias], *, crypto_channel: bool = False) -> Trial:
    """What ``text`` would name once ``unit`` had these aliases, beside what it names now.

    An unpublished unit is read as if it were public: that is what the trial is for. Takes at most
    ``MAX_SENTENCE`` characters.
    """
    text = text[:MAX_SENTENCE]
    units: dict[UnitKey, Unit] = {one.pk: one for one in units_that_may_occur(text, always=unit.pk)}
    saved = [spec for one in units.values() for spec in specs_of(one, one.linked)]
    edited = [spec for spec in saved if spec.owner != unit.pk] + list(_specs_of_draft(unit, aliases))
    known = {**units, unit.pk: unit}
    before, after = (_read(text, specs, known, crypto_channel) for specs in (saved, edited))
    return Trial(tuple(_pieces(text, after)), tuple(_rows(text, before, after)))


def _specs_of_draft(unit: Unit, aliases: Sequence[Alias]) -> Iterable[AliasSpec]:
    """As ``Alias.names.linked()`` has it for saved ones."""
    names = [alias for alias in aliases if alias.active]
    norms = {normalise_alias(alias.surface) for alias in aliases}
    if unit.type != UnitType.EVENT and normalise_alias(unit.label) not in norms:
        names.append(Alias(surface=unit.label, is_label=True))
    return specs_of(unit, names)


def _read(
    text: str, forms: Sequence[AliasSpec], units: dict[UnitKey, Unit], crypto_channel: bool
) -> list[Spot]:
    dictionary = Dictionary(forms)
    folded = fold(text)
    outer = select(dictionary, folded)
    chosen = [name for one in outer for name in (one, *one.inside)]
    plain = {name for name in chosen if name.ambiguity < Ambiguity.COINED}  # before the text is weighed
    found = dict(Disambiguation(folded, outer, crypto_channel).resolve())
    spots = []
    for name in chosen:
        entry = found.get(name) or name.entries[0]
        if unit := units.get(entry.unit):
            reason = Why.PLAIN if name in plain else Why.EVIDENCE
            why, detail = (reason, "") if name in found else _why_not(name, folded.low)
            spots.append(Spot(*folded.span(name.start, name.end), unit, name in found, why, detail))
    taken = [(name.start, name.end) for name in chosen]
    for begin, stop, pattern in dictionary.find(folded.low):
        if (begin, stop) in taken or pattern.entries[0].unit not in units:
            continue
        inside = any(start <= begin and stop <= end for start, end in taken)
        why = Why.OVERLAPPED if inside else Why.BOUNDARY
        spots.append(Spot(*folded.span(begin, stop), units[pattern.entries[0].unit], False, why))
    return sorted(spots, key=lambda spot: (spot.start, -spot.end))


def _why_not(name: Match, low: str) -> tuple[Why, str]:
    around = low[max(0, name.start - CONTEXT_REACH) : name.end + CONTEXT_REACH]
    blocking = [context for entry in name.entries for context in entry.contexts if context in around]
    return (Why.BLOCKED, ", ".join(dict.fromkeys(blocking))) if blocking else (Why.LACKING, "")


def _pieces(text: str, spots: Sequence[Spot]) -> Iterable[tuple[str, Spot | None]]:
    done = 0
    for spot in spots:
        if spot.linked and spot.start >= done:
            if text[done : spot.start]:
                yield text[done : spot.start], None
            yield text[spot.start : spot.end], spot
            done = spot.end
    if text[done:]:
        yield text[done:], None


def _rows(text: str, before: Sequence[Spot], after: Sequence[Spot]) -> Iterable[SpotChange]:
    was = {(spot.start, spot.end): spot for spot in before}
    will = {(spot.start, spot.end): spot for spot in after}
    for start, end in sorted(was.keys() | will.keys()):
        yield SpotChange(text[start:end], was.get((start, end)), will.get((start, end)))
