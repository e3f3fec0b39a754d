"""A run of which a few rows are simulated, held against the whole simulation."""

from __future__ import annotations

import pytest

from hlsmem.cycle_model import Datapaths
from hlsmem.storage import predicted_run as prediction
from hlsmem.storage.predicted_run import Network, simulated


def way_of(network: Network, datapaths: Datapaths, monkeypatch: pytest.MonkeyPatch) -> str:
    """`rows` where the run can be predicted by rows, else `whole`; both give the same."""
    wanted = simulated(network, datapaths)
    by_rows = prediction.predict_rows
    few: list[bool] = []

    def counted(*arguments: object) -> object:
        found = by_rows(*arguments)  # type: ignore[arg-type]
        few.append(found is not None)
        return found

    with monkeypatch.context() as patched:
        patched.setattr(prediction, "MOST_WHOLE", 0)
        patched.setattr(prediction, "predict_rows", counted)
        assert simulated(network, datapaths) == wanted
    return "rows" if any(few) else "whole"
