"""Cycles of a run without stalls: the generated circuit, played cycle by cycle."""

from hlsmem.predict.interval import refuse_interval
from hlsmem.predict.prediction import (
    Prediction,
    StreamPrediction,
    latencies,
    predict,
    predict_circuits,
)

__all__ = [
    "Prediction",
    "StreamPrediction",
    "latencies",
    "predict",
    "predict_circuits",
    "refuse_interval",
]
