"""The six services are there from the start, switched off: an editor only fills in address and secret."""

from django.db import migrations

# Slug, name and district as they were at the first installation: what the rules say later is not this migration's.
SERVICES = (
    ("market", "거래", "거래 항구"),
    ("community", "커뮤니티", "광장"),
    ("learning", "배움", "학당 언덕"),
    ("media", "미디어", "방송 거리"),
    ("arena", "아레나", "경기장"),
    ("infra", "인프라", "발전소"),
)


def add(apps, schema_editor):
    SisterService = apps.get_model("archive", "SisterService")
    for slug, name, district in SERVICES:
        SisterService.objects.get_or_create(slug=slug, defaults={"name": name, "district": district})


class Migration(migrations.Migration):
    dependencies = [("archive", "0001_initial")]
    operations = [migrations.RunPython(add, migrations.RunPython.noop)]
