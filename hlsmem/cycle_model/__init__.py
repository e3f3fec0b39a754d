"""Cycles of a run without stalls: the generated circuit, simulated cycle by cycle."""

from hlsmem.cycle_model.asked_interval import is_reached, refuse_interval
from hlsmem.cycle_model.cycle_prediction import (
    FULL_INTERVAL,
    Prediction,
    StreamPrediction,
    predict_players,
)
from hlsmem.cycle_model.datapaths import Datapaths, datapaths_of, joined_datapaths

__all__ = [
    "FULL_INTERVAL",
    "Datapaths",
    "Prediction",
    "StreamPrediction",
    "datapaths_of",
    "is_reached",
    "joined_datapaths",
    "predict_players",
    "refuse_interval",
]
