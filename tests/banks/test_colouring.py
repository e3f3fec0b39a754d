"""Tables of banks, where no lattice does well."""

from __future__ import annotations

import networkx as nx
import numpy as np

from hlsmem.banks.colouring import coloured, periodic_table, whole_table
from hlsmem.banks.pattern import Pattern


def test_colouring_is_exact_on_small_graphs() -> None:
    wheel = nx.wheel_graph(6)  # An odd cycle and a hub.
    assert coloured(wheel, 3, 10_000)[0] is None
    found, _ = coloured(wheel, 4, 10_000)
    assert found is not None
    assert all(found[a] != found[b] for a, b in wheel.edges)


def test_the_search_ends_where_its_choices_do() -> None:
    assert coloured(nx.complete_graph(9), 9, 5) == (None, 6)


def test_a_period_serves_a_pattern_at_its_bases() -> None:
    pattern = Pattern.at([(0,), (1,), (2,)], (1,), [(4,)])
    table = periodic_table([pattern], [3], 1, (0,), (63,))
    assert table is not None
    for base in range(1, 60, 4):
        banks = table.entries(np.array([(base,), (base + 1,), (base + 2,)]))[:, 0]
        assert len(set(banks.tolist())) == 3


def test_accesses_without_any_pattern_get_a_table_of_the_whole_array() -> None:
    """A triangle of elements that are accessed in pairs needs three banks; a fourth is alone."""
    pairs = [((0,), (5,)), ((5,), (9,)), ((0,), (9,)), ((3,), (4,))]
    patterns = [Pattern.at([(0,), (b[0] - a[0],)], a, []) for a, b in pairs]
    table = whole_table(patterns, 1, (0,), (9,))
    assert table is not None
    assert table.banks == 3
    for first, second in pairs:
        banks = table.entries(np.array([first, second]))[:, 0]
        assert banks[0] != banks[1]


def test_an_array_that_is_too_large_for_a_table_has_none() -> None:
    assert whole_table([Pattern.everywhere([(0, 0), (0, 1)])], 1, (0, 0), (99, 99)) is None
