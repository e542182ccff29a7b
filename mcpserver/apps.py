from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class McpServerConfig(AppConfig):
    """The tools that agents call."""

    name = "mcpserver"
    verbose_name = _("MCP")
