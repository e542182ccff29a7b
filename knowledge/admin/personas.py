"""AI personas and what they wrote."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from knowledge.models import Persona, PersonaPost, Status


@admin.register(Persona)
class PersonaAdmin(admin.ModelAdmin[Persona]):
    list_display = ("glyph", "entity", "disclosure")
    list_select_related = ("entity",)
    search_fields = ("entity__label", "glyph")
    autocomplete_fields = ("entity",)


@admin.register(PersonaPost)
class PersonaPostAdmin(admin.ModelAdmin[PersonaPost]):
    list_display = ("excerpt", "persona", "status", "published_at")
    # By the unit: a persona is named by it, so a list of personas would ask for each name.
    list_filter = ("status", ("persona__entity", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("persona__entity",)
    search_fields = ("body", "slug")
    autocomplete_fields = ("persona", "units")
    date_hierarchy = "published_at"
    actions = ("publish",)

    @admin.display(description=_("본문"))
    def excerpt(self, post: PersonaPost) -> str:
        return post.body[:80]

    @admin.action(description=_("선택한 글 공개"))
    def publish(self, request: HttpRequest, queryset: QuerySet[PersonaPost]) -> None:
        for post in queryset.select_related("persona"):
            post.status = Status.PUBLISHED
            post.save()
