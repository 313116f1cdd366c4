"""Prices."""


def total(prices: list[int], discount: int = 0) -> int:
    """The sum of all prices less a discount."""
    return sum(prices) - discount
