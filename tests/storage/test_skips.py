"""What an instance's values are compared with: sums without multipliers."""

from __future__ import annotations

import pytest

from hlsmem.storage.ram.squashes import _scaled


@pytest.mark.parametrize("factor", [-12, -7, -2, -1, 1, 2, 3, 10])
def test_a_multiple_is_a_sum_of_powers_of_two(factor: int) -> None:
    text = "5" + "".join(_scaled("value", factor))
    assert "*" not in text
    for value in (-3, 0, 1, 200):
        assert eval(text, {"value": value}) == 5 + factor * value
