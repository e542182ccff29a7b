"""Measuring answers on labelled questions: how much of what was asked for they say, what they cite, what they refuse.

The command and tests import it, and nothing that serves.
"""
