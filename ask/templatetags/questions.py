"""Questions on pages of what they are about."""

from django import template

from ask import related
from ask.related import RelatedRecord
from knowledge.languages import current_language
from knowledge.models import Unit

register = template.Library()


@register.simple_tag
def answers_about(unit: Unit) -> list[RelatedRecord]:
    """Three starter questions in the language of the page, those whose answers cite the unit first. A page that shows
    them is of the scope ``answer``."""
    return related.starters_on(unit, lang=current_language())
