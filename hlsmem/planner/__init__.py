"""The arrows in order: design -> storage problems -> mappings -> placement -> plan -> files.

The only room that knows every step. All functions are pure; `cli` writes what they return.
"""
