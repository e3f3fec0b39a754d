"""Reuse chains: reads at constant distances behind the writes."""
