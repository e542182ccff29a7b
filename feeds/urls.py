from django.urls import path

from feeds import pages

urlpatterns = [
    path("", pages.home, name="home"),
    path("sitemap.xml", pages.sitemap, name="sitemap"),
]
