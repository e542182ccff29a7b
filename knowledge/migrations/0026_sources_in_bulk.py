"""Outlets that object to lists of their titles stay out of the bulk files."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0025_calendar_periods'),
    ]

    operations = [
        migrations.AddField(
            model_name='source',
            name='in_bulk',
            field=models.BooleanField(db_default=True, default=True, help_text='매체가 제목 목록의 제공에 반대하면 끕니다. 페이지와 검색에는 그대로 나옵니다.', verbose_name='벌크 파일에 포함'),
        ),
    ]
