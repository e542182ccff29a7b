"""Every question to the canon: units, their names, lists of them, search, and the records that the public gets.

A page, its Markdown twin, its linked data, JSON, MCP and feeds ask the same function for the same thing.
"""
