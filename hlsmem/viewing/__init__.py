"""The page report.html: the trace of a plan, and the script in `templates/view` that replays it."""
