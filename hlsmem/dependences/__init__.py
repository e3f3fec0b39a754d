"""Synchronisation of beats: need and free of each, as gates between address generators."""
