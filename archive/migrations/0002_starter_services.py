"""The six services are there from the start, switched off: an editor only fills in address and secret."""

from django.db import migrations

from archive.metrics import SERVICES


def add(apps, schema_editor):
    SisterService = apps.get_model("archive", "SisterService")
    for service in SERVICES:
        SisterService.objects.get_or_create(
            slug=service.slug, defaults={"name": service.name, "district": service.district}
        )


class Migration(migrations.Migration):
    dependencies = [("archive", "0001_initial")]
    operations = [migrations.RunPython(add, migrations.RunPython.noop)]
