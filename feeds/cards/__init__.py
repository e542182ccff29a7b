"""The pictures that shared links show: a PNG of 1200 × 630 for each page, drawn by the worker and kept.

``content`` says what stands on one, ``subjects`` reads that for each kind of page, ``painting`` draws it (``fonts``,
``scene``, ``curve``), ``shelf`` keeps it and says which one a page shows, ``views`` hands it out.
"""
