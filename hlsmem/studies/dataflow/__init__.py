"""Sources of reads where conditions are known at run time only.

Source: Verdoolaege, Nikolov, Stefanov, "On demand parametric array dataflow analysis" (IMPACT
2013), with two corrections: the meaning of beta and lambda is that of its equation (14)
throughout, and sigma is exact.
"""
