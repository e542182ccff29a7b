"""The knowledge base as programs read it: a record by any of its names, and lists in pages.

Lists come in pages whose cursors name the last record shown rather than a number of rows, so that what is published
between two pages neither repeats a record nor hides one.
"""
