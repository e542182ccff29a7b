from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class BulkConfig(AppConfig):
    """Everything public as dated files."""

    name = "bulk"
    verbose_name = _("벌크 파일")
