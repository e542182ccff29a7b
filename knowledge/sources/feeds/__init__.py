"""RSS and Atom in all their broken forms, and hostile ones: from bytes to plain, short texts."""
