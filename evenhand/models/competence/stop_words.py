"""English words that carry grammar rather than meaning; pruning takes them out first."""

_WORDS = """
a about above after again against all also am an and any are as at be because been before being below between
both but by can cannot could did do does doing down during each either else ever every few for from further had
has have having he her here hers herself him himself his how however i if in into is it its itself just may me
might more most must my myself neither no nor not now of off on once only or other ought our ours ourselves out
over own per same shall she should since so some such than that the their theirs them themselves then there
these they this those though through to too toward towards under until up upon us very via was we were what when
where whether which while who whom whose why will with within without would yet you your yours yourself
yourselves
"""
STOP_WORDS = frozenset(_WORDS.split())
