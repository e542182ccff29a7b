from django.urls import path

from mcpserver import views

# Both forms answer: a redirect would lose the body of a POST.
urlpatterns = [
    path("api/mcp", views.endpoint, name="mcp"),
    path("api/mcp/", views.endpoint),
]
