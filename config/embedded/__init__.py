"""The embedded stack: Postgres and Valkey from wheels, and the Procfile's processes over them.

``python -m config.embedded`` is ``make run``; ``python -m config.embedded COMMAND …`` runs one command with
both servers up. Standard library only and no Django, so that it starts at once and needs no settings.
"""
