"""Series of numbers: what readers call them, their newest values, and the kimchi premium calculated from three."""
