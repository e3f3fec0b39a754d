"""One file a dialect of HLS pragmas, each with its `DIALECT`: a new file here is a new dialect."""
