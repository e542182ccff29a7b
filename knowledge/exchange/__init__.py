"""Units and aliases out as CSV or JSON, and back in with a dry run: what is exported imports with no change."""

from knowledge.exchange.files import FileFormat, UnreadableFileError, read, write
from knowledge.exchange.importing import Change, Problem, Report, RowReport, carry_out, preview
from knowledge.exchange.resources import RESOURCES, AliasResource, UnitResource

__all__ = [
    "RESOURCES",
    "AliasResource",
    "Change",
    "FileFormat",
    "Problem",
    "Report",
    "RowReport",
    "UnitResource",
    "UnreadableFileError",
    "carry_out",
    "preview",
    "read",
    "write",
]
