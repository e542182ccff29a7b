from django.apps import AppConfig
from django.contrib import admin
from django.contrib.admin.apps import SimpleAdminConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class EditorsDeskConfig(SimpleAdminConfig):
    """The Django admin with our own site in place of the stock one."""

    default = False
    default_site = "desk.site.EditorsDesk"

    def ready(self) -> None:
        super().ready()
        admin.autodiscover()


class DeskConfig(AppConfig):
    """What editors see across the areas: the dashboard, groups, the second factor."""

    name = "desk"
    verbose_name = _("편집실")
    default = True

    def ready(self) -> None:
        from desk.groups import keep_in_step

        # Ours is the last app, so by its turn the permissions of all others have been made.
        post_migrate.connect(keep_in_step, sender=self, dispatch_uid="desk.groups")
