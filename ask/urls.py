from django.urls import path, re_path

from ask import api, views
from ask.hashing import HASH_LENGTH

# Pages with an English twin (``config.urls``). Answers have none: they stand in the language they were asked in.
twinned = [path("ask", views.ask_form, name="ask-form")]

urlpatterns = [
    path("api/ask", api.AskView.as_view(), name="ask"),
    *twinned,
    re_path(rf"^ask/q/(?P<question_hash>[0-9a-f]{{{HASH_LENGTH}}})$", views.answer_page, name="answer"),
]
