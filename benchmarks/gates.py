"""What a figure has to be, in the form that the runner prints."""

Gate = dict[str, object]


def at_least(required: float, measured: float) -> Gate:
    return {"measured": measured, "required": f"≥ {required:g}", "holds": measured >= required}


def at_most(required: float, measured: float) -> Gate:
    return {"measured": measured, "required": f"≤ {required:g}", "holds": measured <= required}
