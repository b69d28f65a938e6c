"""How a header or a result travels: as one ASCII string among an item's ``user_properties``.

An enum, a path or a lone surrogate there would make a worker die without a word, and a string lands
in JUnit XML as it is.
"""

PROPERTY = "jweval"


def carried(properties: list[tuple[str, object]]) -> str | None:
    """The last header or result among an item's properties."""
    for name, value in reversed(properties):
        if name == PROPERTY and isinstance(value, str):
            return value
    return None
