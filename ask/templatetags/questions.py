"""Questions on pages of what they are about."""

from collections.abc import Sequence

from django import template

from ask import related
from ask.related import RelatedRecord
from knowledge.languages import current_language
from knowledge.models import Unit

register = template.Library()


@register.simple_tag
def answers_about(unit: Unit, subjects: Sequence[Unit] = ()) -> list[RelatedRecord]:
    """Three starter questions in the language of the page: those whose answers cite the unit first, then those
    that name it or whose answers cite one of the ``subjects`` of an event. A page that shows them is of the scope
    ``answer``."""
    return related.starters_on(unit, subjects, lang=current_language())
