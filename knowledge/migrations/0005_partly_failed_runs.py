from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0004_decisions_remembered'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='fetchrun',
            name='fetch_run_failed_has_cause',
        ),
        migrations.AlterField(
            model_name='fetchrun',
            name='outcome',
            field=models.CharField(choices=[('ok', '성공'), ('unchanged', '변화 없음'), ('partly', '일부 실패'), ('failed', '실패'), ('needs_key', '열쇠 필요')], max_length=10, verbose_name='결과'),
        ),
        migrations.AddConstraint(
            model_name='fetchrun',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('outcome__in', ('failed', 'partly')), models.Q(('cause', ''), _negated=True)), models.Q(models.Q(('outcome__in', ('failed', 'partly')), _negated=True), ('cause', '')), _connector='OR'), name='fetch_run_failed_has_cause'),
        ),
    ]
