"""Series of numbers: what the canon declares, values as rows, what they say now, and the kimchi premium."""
