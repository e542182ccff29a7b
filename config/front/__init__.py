"""The front door: one event loop a process, before Django.

It reads requests and writes responses, so that slow clients hold no thread, and gives out again what Django answered
and allowed to be kept. It has no routes and makes no content of its own: see ``application``.
"""
