"""Cycles of a run without stalls: the generated circuit, played cycle by cycle."""

from hlsmem.predict.interval import is_reached, refuse_interval
from hlsmem.predict.prediction import (
    FULL_INTERVAL,
    Prediction,
    StreamPrediction,
    latencies,
    predict_players,
)

__all__ = [
    "FULL_INTERVAL",
    "Prediction",
    "StreamPrediction",
    "is_reached",
    "latencies",
    "predict_players",
    "refuse_interval",
]
