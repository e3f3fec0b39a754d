"""One file a device family, each with its `FAMILY`: a new file here is a new family everywhere."""
