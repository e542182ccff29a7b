"""How a decision is refused."""


class CurationError(Exception):
    """A decision that the canon's rules refuse; the message says why, in the editor's language."""
