"""Other orders for a program: which statements can run together, at which distance, and what
their arrays then take. Candidates, shifts and the text of the schedule; nothing is planned here.
"""
