"""``manage.py shell``: Django's own, without the classes of packages that only exist while a model is put together."""

from importlib import import_module

from django.core.management.commands import shell


class Command(shell.Command):
    def get_auto_imports(self) -> list[str]:
        """The models that stand under their name in their module: a history's or a table between two does not."""
        return [path for path in super().get_auto_imports() or [] if _stands(path)]


def _stands(path: str) -> bool:
    module, _, name = path.rpartition(".")
    return hasattr(import_module(module), name)
