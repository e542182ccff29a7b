"""What every process of ``tests.processes`` has before it is forked: Django, and the model's library."""

import os

import anthropic  # noqa: F401  two seconds, which every process that asks the model would take
import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()
