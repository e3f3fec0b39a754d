"""Who waits for whom: need and free of every beat, as gates between address generators."""
