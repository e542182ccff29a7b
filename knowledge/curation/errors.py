"""How a decision is refused."""


class CurationError(Exception):
    """An editor's wish that would break the canon; the message says why, in the editor's language."""
