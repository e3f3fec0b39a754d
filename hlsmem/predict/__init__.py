"""Cycles of a run without stalls: the generated circuit, played cycle by cycle."""

from hlsmem.predict.datapaths import Datapaths, datapaths_of
from hlsmem.predict.interval import is_reached, refuse_interval
from hlsmem.predict.prediction import (
    FULL_INTERVAL,
    Prediction,
    StreamPrediction,
    predict_players,
)

__all__ = [
    "FULL_INTERVAL",
    "Datapaths",
    "Prediction",
    "StreamPrediction",
    "datapaths_of",
    "is_reached",
    "predict_players",
    "refuse_interval",
]
